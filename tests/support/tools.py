"""Tools of others that tests run as their users do: where they are, and why a test is skipped without them.

They are heavy, and some do not go together, so they have environments of their own, which `.ci/run` makes.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from places import ROOT


def python_with(module: str, variable: str = "ROLLCALL_TOOLS_PYTHON", folder: str = ".venv-tools") -> str:
    """The interpreter of an environment that has a module and Rollcall; skips the test without one."""
    given = os.environ.get(variable)
    found = Path(given) if given else ROOT / folder / "bin" / "python"
    if not found.exists():
        pytest.skip(f"no environment with {module} (set {variable}, or run .ci/run, which makes {folder})")
    there = subprocess.run([found, "-c", f"import {module}"], capture_output=True, check=False)
    if there.returncode:
        pytest.skip(f"{found} has no {module}")
    return str(found)


def promptfoo() -> str:
    """The command of promptfoo."""
    here = ROOT / ".node-tools" / "node_modules" / ".bin" / "promptfoo"
    found = (
        os.environ.get("ROLLCALL_PROMPTFOO")
        or shutil.which("promptfoo")
        or (str(here) if here.exists() else "")
    )
    if not found:
        pytest.skip("no promptfoo (set ROLLCALL_PROMPTFOO, or install it with npm)")
    return found


def output_of(words: list[str], cwd: Path, **variables: str) -> str:
    """What a tool prints; a test fails with its messages if it fails."""
    offline = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(cwd / "hub"), "NO_COLOR": "1"}
    # A module of the tool must not be taken from the environment of the tests.
    own = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        words,
        cwd=cwd,
        env={**own, **offline, **variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{words[:3]}: {done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done.stdout
