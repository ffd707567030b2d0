"""One writer at a time: the lock is told, waited for, given back, and never stale."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall._core.locks import holder_of, sole_writer
from rollcall.questions import Question
from rollcall.systems import Asked
from rollcall.systems.running import Running

HOLDER = """
import sys
from pathlib import Path
from rollcall._core.locks import sole_writer
with sole_writer(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


FORKING = """
    if not os.fork():
        sys.exit()
    os.wait()
    if os.fork():
        os.wait()
"""


def holding(path: Path) -> "subprocess.Popen[bytes]":
    """Another process that has the lock until its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def test_the_second_writer_is_told_who_the_first_is(tmp_path: Path) -> None:
    place = tmp_path / "new" / "out"
    other = holding(place)
    (tmp_path / "link").symlink_to(tmp_path / "new")
    for path in (place, tmp_path / "link" / "out", tmp_path / "new" / ".." / "new" / "out"):
        with (
            pytest.raises(RollcallError, match=rf"process {other.pid} \(-c, since \d{{4}}-.*is writing"),
            sole_writer(path),
        ):
            pass
    with sole_writer(tmp_path / "new" / "another"):
        pass
    other.communicate()
    assert os.listdir(tmp_path) == ["link"], "neither lock nor folder is left"
    with sole_writer(place):
        pass


def test_a_kill_gives_the_lock_back(tmp_path: Path) -> None:
    place = tmp_path / "out"
    other = holding(place)
    other.send_signal(signal.SIGKILL)
    other.communicate()
    assert holder_of(tmp_path / ".out.rollcall-lock") is None
    with sole_writer(place):
        assert f"process {os.getpid()} " in (tmp_path / ".out.rollcall-lock").read_text()
    assert os.listdir(tmp_path) == []


def test_a_fork_neither_keeps_the_lock_nor_gives_it_back(tmp_path: Path) -> None:
    """A library that forks may leave a child behind when its process is killed."""
    program = HOLDER.replace("    print", FORKING + "    print").replace(
        "from pathlib", "import os\nfrom pathlib"
    )
    place, lock = tmp_path / "out", tmp_path / ".out.rollcall-lock"
    with subprocess.Popen(
        [sys.executable, "-c", program, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        assert f"process {other.pid} " in (holder_of(lock) or "")
        other.send_signal(signal.SIGKILL)
        other.wait()
        assert holder_of(lock) is None
        with sole_writer(place):
            pass
        other.communicate()


def test_one_may_wait_for_the_lock(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "out"
    other = holding(place)
    got = threading.Event()

    def wait() -> None:
        with sole_writer(place, wait=True):
            got.set()

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert not got.is_set()
    other.communicate()
    waiting.join(60)
    assert got.is_set()
    assert os.listdir(tmp_path) == []


def test_the_holder_may_ask_again_and_another_thread_may_not(tmp_path: Path) -> None:
    refused = []

    def other() -> None:
        try:
            with sole_writer(tmp_path / "out"):
                pass
        except RollcallError as error:
            refused.append(str(error))

    with sole_writer(tmp_path / "out"):
        with sole_writer(tmp_path / "out"):
            pass
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert f"process {os.getpid()} " in refused[0]
    other()
    assert len(refused) == 1


def test_what_is_secret_in_a_command_line_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["/usr/bin/rollcall", "--debug", "run", "set", "--base-url", "https://me:secret@host"]
    monkeypatch.setattr(sys, "argv", words)
    with sole_writer(tmp_path / "out"):
        told = (tmp_path / ".out.rollcall-lock").read_text()
    assert "(rollcall run, since " in told
    assert "secret" not in told


def test_a_run_has_one_writer(tmp_path: Path) -> None:
    out = tmp_path / "run.jsonl"

    class Meanwhile:
        name = "meanwhile"

        def read(self, question: Asked, passages: object) -> list[str]:
            failed: list[Exception] = []
            thread = threading.Thread(target=lambda: failed.extend(attempt()))
            thread.start()
            thread.join()
            return [str(failed[0])]

    def attempt() -> list[Exception]:
        try:
            Running([Question("q", "Who?")], None, Meanwhile(), show=False).run(out)  # type: ignore[arg-type]
        except RollcallError as error:
            return [error]
        return []

    done = Running([Question("q", "Who?")], None, Meanwhile(), show=False).run(out)  # type: ignore[arg-type]
    (said,) = done.predictions[0].answers
    assert "is writing this" in str(said)


def test_two_runs_share_an_index(asked_world, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    made = asked_world.folder
    words = ["retrieve", made / "set", "--corpus", made / "corpus", "--k", "3", "--index", tmp_path / "index"]
    both = [
        subprocess.Popen(
            [
                sys.executable,
                "-m",
                "rollcall.cli.main",
                *map(str, words),
                "--out",
                tmp_path / f"{name}.jsonl",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for name in ("one", "two")
    ]
    for process in both:
        _, error = process.communicate()
        assert process.returncode == 0, error
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
    assert sorted(os.listdir(tmp_path / "index")) == ["passages", "tantivy"]
