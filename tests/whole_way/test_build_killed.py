"""A build that is killed again and again, and each time taken up, gives the bytes of an undisturbed one."""

import signal
from collections import Counter
from pathlib import Path

import pytest

from small_build import run

FILES = ("questions.jsonl", "manifest.json", "README.md")


KILLS = 10


@pytest.mark.slow
def test_kills_change_nothing(small_world: Path, small_set: Path, tmp_path: Path) -> None:
    # Moments up to a quarter of the way, again and again from where the last one left off.
    events = int(small_set.with_suffix(".events").read_text())
    (tmp_path / "killed.limit").write_text(str(events // 4))
    killed = tmp_path / "killed"
    disturbed = run(small_world, killed, KILLS)
    assert disturbed["ended"] == [-signal.SIGKILL] * KILLS + [0]
    for name in FILES:
        assert (killed / name).read_bytes() == (small_set / name).read_bytes(), name
    assert not list(tmp_path.rglob("*.rollcall-*"))
    # A stage that was finished is never done again, whenever the next kill came.
    assert max(Counter(disturbed["stages"]).values()) == 1
