"""Test modules may import one another's neighbours: brute force, stores and query makers."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
