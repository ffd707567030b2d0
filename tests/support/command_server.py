"""Runs command lines in processes of their own, and kills or stops them at chosen moments.

    python command_server.py

Everything is loaded once, and each command runs in a fork. A moment is a change of the disk that Python is
about to make (a file opened for writing, a rename, a removal), counted from the start of the command, so that
it does not depend on how fast the machine is. Requests and answers are lines of JSON; see `Server`.
"""

import contextlib
import importlib
import json
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CHANGES = {
    "os.rename",
    "os.remove",
    "os.rmdir",
    "os.mkdir",
    "os.link",
    "os.symlink",
    "rollcall._core.folders",
}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


@dataclass
class Ended:
    """How a command ended, or where it stopped."""

    code: int | None
    """Its exit code, the negative number of the signal that ended it, or None while it is stopped."""
    pid: int
    out: str
    error: str
    moments: list[str] = field(default_factory=list)
    """What it was about to change on the disk, each time; empty where it was killed."""


class Server:
    """A server in a process with a hash seed of its own; one command at a time."""

    def __init__(self, hash_seed: int) -> None:
        environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )

    def run(
        self, words: Sequence[str], moment: int = 0, stop: bool = False, folder: Path | None = None
    ) -> Ended:
        """Run a command, in a folder if one is given; at a moment from 1 on it is killed, or stopped."""
        self.start(words, moment, stop, folder)
        return self.ended()

    def start(
        self, words: Sequence[str], moment: int = 0, stop: bool = False, folder: Path | None = None
    ) -> None:
        self._ask({"words": list(words), "moment": moment, "stop": stop, "folder": str(folder or ".")})

    def ended(self) -> Ended:
        """Wait until the command that was started has ended or stopped."""
        assert self._process.stdout is not None
        return Ended(**json.loads(self._process.stdout.readline()))

    def go_on(self) -> Ended:
        """Let a stopped command go on to its end."""
        self._ask({})
        return self.ended()

    def close(self) -> None:
        self._process.communicate()

    def _ask(self, request: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()


def serve() -> None:
    """Answer requests until there are no more."""
    import rollcall

    for module in pkgutil.walk_packages(rollcall.__path__, "rollcall."):
        with contextlib.suppress(ImportError):
            importlib.import_module(module.name)
    with tempfile.TemporaryDirectory() as scratch:
        pid = 0
        for line in sys.stdin.buffer:
            request = json.loads(line)
            if request:
                pid = _begin(Path(scratch), **request)
            else:
                os.kill(pid, signal.SIGCONT)
            print(json.dumps(vars(_watch(Path(scratch), pid))), flush=True)


def _begin(scratch: Path, words: list[str], moment: int, stop: bool, folder: str) -> int:
    (scratch / "moments").write_text("[]")
    pid = os.fork()
    if pid:
        return pid
    for number, name in ((1, "out"), (2, "error")):
        os.dup2(os.open(scratch / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.chdir(folder)
    moments: list[str] = []

    def count(event: str, given: tuple[Any, ...]) -> None:
        if event in CHANGES or (event == "open" and isinstance(given[2], int) and given[2] & WRITING):
            moments.append(f"{event} {given[0]}")
            if len(moments) == moment:
                os.kill(os.getpid(), signal.SIGSTOP if stop else signal.SIGKILL)

    from rollcall.cli.main import main

    sys.argv = ["rollcall", *words]
    code: Any = 1
    sys.addaudithook(count)
    try:
        main(words)
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        told = json.dumps(moments)
        (scratch / "moments").write_text(told)
        os._exit(code if isinstance(code, int) else 1)


def _watch(scratch: Path, pid: int) -> Ended:
    status = os.waitpid(pid, os.WUNTRACED)[1]
    code = None if os.WIFSTOPPED(status) else os.waitstatus_to_exitcode(status)
    out, error = ((scratch / name).read_text(encoding="utf-8") for name in ("out", "error"))
    return Ended(code, pid, out, error, json.loads((scratch / "moments").read_text()))


if __name__ == "__main__":
    serve()
