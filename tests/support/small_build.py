"""Builds a small set in a process of its own, which may be killed on the way."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from places import SUPPORT

CHANGES = ("answers.least=3", "split.quotas.simple=20", "evidence.verifier=none")


def run(folder: Path, out: Path, kills: int) -> dict[str, Any]:
    """Build from a world's graph and corpus; how the process ended each time, and which stages ran."""
    given = [folder / "graph", folder / "corpus", out, 7, kills, *CHANGES]
    program = [sys.executable, str(SUPPORT / "killed_build.py")]
    ended = subprocess.run([*program, *map(str, given)], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return dict(json.loads(ended.stdout))
