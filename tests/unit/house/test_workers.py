"""Workers end with their parent, however that ends; a request to end a command is met cleanly."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from places import SOURCE

PROGRAM = """
import multiprocessing, os, signal, sys, threading
from contextlib import closing
from rollcall.cli.main import ending_on_request
from rollcall.tables.engine import LocalBlocks

def say(word="ready"):
    os.write(1, f"{word}\\n".encode())  # in one piece, since two may speak at once

def work_for_ever(*_):
    say("at work")
    threading.Event().wait()

def say_nothing():
    pass

def answer(_, size):
    return bytes(size)

if __name__ == "__main__":
    way = sys.argv[1]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores Ctrl-C
    with ending_on_request() as asked:
        try:
            if way == "blocks":
                with closing(LocalBlocks(2)) as blocks:
                    list(blocks.map(work_for_ever, range(8), say))
            elif way == "preparing":
                with closing(LocalBlocks(2)) as blocks:
                    list(blocks.map(answer, range(8), work_for_ever))
        except KeyboardInterrupt:
            say("cleaned up")
    sys.exit(asked[0] if asked else 0)
"""


WAYS_TO_END = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]


@pytest.mark.parametrize("way", ["blocks", "preparing"])
@pytest.mark.parametrize("number", WAYS_TO_END, ids=["killed", "asked to end", "interrupted"])
def test_workers_end_with_their_parent(way: str, number: signal.Signals, tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    # Every process that the program starts holds its standard output open, so the end of that is their end.
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [sys.executable, script, way], stdout=pipe, stderr=pipe, start_new_session=True
    ) as program:
        assert program.stdout is not None
        while program.stdout.readline() != b"at work\n":
            assert program.poll() is None
        if number == signal.SIGINT:
            os.killpg(program.pid, number)  # Ctrl-C reaches all processes of a terminal
        else:
            os.kill(program.pid, number)
        try:
            left, said = program.communicate(timeout=60)
        finally:
            program.kill()
    if number != signal.SIGKILL:
        assert b"cleaned up" in left.splitlines()
        assert said == b""
    assert (
        program.returncode
        == {signal.SIGKILL: -number, signal.SIGTERM: 128 + number, signal.SIGINT: 0}[number]
    )


def test_a_pool_that_is_left_in_the_middle_of_large_results_ends(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(
        PROGRAM.partition("if __name__")[0] + "if __name__ == '__main__':\n"
        "    for attempt in range(3):\n"
        "        try:\n"
        "            with closing(LocalBlocks(2)) as blocks:\n"
        "                for result in blocks.map(answer, [50_000_000] * 20, say_nothing):\n"
        "                    raise ZeroDivisionError\n"
        "        except ZeroDivisionError:\n"
        "            say('left')\n"
    )
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120)
    assert (ended.stdout, ended.returncode) == ("left\n" * 3, 0), ended.stderr


def test_a_worker_that_cannot_reply_any_more_ends_without_a_word(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(
        "import os, socket\n"
        "from multiprocessing import Pipe\n"
        "from rollcall._core.workers import _work\n"
        "ours, theirs = Pipe()\n"
        "socket.socket(fileno=os.dup(ours.fileno())).shutdown(socket.SHUT_RD)\n"  # nobody reads replies
        "_work(theirs)\n"
    )
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_there_is_one_way_to_start_workers() -> None:
    starting = [
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if re.search(r"\b(ProcessPoolExecutor|Process|Pool)\(", path.read_text(encoding="utf-8"))
    ]
    assert starting == ["_core/workers.py"]


def test_a_command_that_is_asked_to_end_removes_what_is_unfinished(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "rollcall.cli.main", "world", str(tmp_path / "world"), "--entities"]
    with subprocess.Popen(
        [*command, "60000", "--jobs", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        while not list(tmp_path.glob(".world.*/work")):  # it makes this folder first of all
            assert process.poll() is None
        os.kill(process.pid, signal.SIGTERM)
        _, error = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM
    assert error == b"rollcall: ended on request\n"
    assert os.listdir(tmp_path) == []
