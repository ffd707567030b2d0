"""Where things lie: the project, what tests read, and the real files that may lie beside the project."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
SUPPORT = Path(__file__).parent
DATA = ROOT / "tests" / "data"
SOURCE = ROOT / "src" / "rollcall"
SHARED = ROOT.parent / "shared"
