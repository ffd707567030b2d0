"""A build that is killed again and again, and each time taken up, gives the bytes of an undisturbed one."""

import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from small_build import CHANGES, run

FILES = ("questions.jsonl", "manifest.json", "README.md")


@pytest.mark.parametrize("kills", [1, pytest.param(10, marks=pytest.mark.slow)])
def test_kills_change_nothing(kills: int, small_world: Path, small_set: Path, tmp_path: Path) -> None:
    # Moments up to a quarter of the way, again and again from where the last one left off.
    events = int(small_set.with_suffix(".events").read_text())
    (tmp_path / "killed.limit").write_text(str(events // 4))
    killed = tmp_path / "killed"
    disturbed = run(small_world, killed, kills)
    assert disturbed["ended"] == [-signal.SIGKILL] * kills + [0]
    for name in FILES:
        assert (killed / name).read_bytes() == (small_set / name).read_bytes(), name
    assert not list(tmp_path.rglob("*.rollcall-*"))
    # A stage that was finished is never done again, whenever the next kill came.
    assert max(Counter(disturbed["stages"]).values()) == 1


@pytest.mark.slow
def test_more_jobs_change_nothing(small_world: Path, small_set: Path, tmp_path: Path) -> None:
    command = ["build", "qampari", "--graph", small_world / "graph", "--corpus", small_world / "corpus"]
    command += ["--out", tmp_path / "set", "--jobs", 2, *(word for c in CHANGES for word in ("--set", c))]
    ended = subprocess.run(
        [sys.executable, "-m", "rollcall.cli.main", *map(str, command)], capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    assert "questions (" in ended.stdout
    for name in FILES:
        assert (tmp_path / "set" / name).read_bytes() == (small_set / name).read_bytes(), name
