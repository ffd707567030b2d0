"""One writer at a time for every output: a lock that is released whenever its process ends, even if killed.

The operating system holds the lock, on a file beside the output; the content of the file only says which
process holds it. The file is removed on release. A file that a killed process left behind locks nothing.
"""

import errno
import os
import re
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from rollcall._core.errors import RollcallError

LOCK = ".rollcall-lock"
_UNSUPPORTED = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL}
_PATIENCE = 1.0
"""Seconds that the new holder of a lock has to write its signature."""

_held: dict[Path, tuple[int, int]] = {}
"""The outputs that this process writes: the thread that holds each, and how many times it holds it."""
_streams: set[int] = set()
"""The open lock files of this process."""
_guard = threading.Lock()
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
"""How an address begins, once it is a path, which has no empty parts."""


@contextmanager
def sole_writer(path: Path, *, wait: bool = False) -> Iterator[None]:
    """Be the only writer of a file or folder; wait for another writer, or raise an error that names it.

    The thread that holds an output may take it again, so that a command and the functions it calls can both
    take it.
    """
    if _ADDRESS.match(str(path)):
        raise RollcallError(
            f"{path}: is an address; sources may be at one, but outputs are files and folders of this machine"
        )
    output = path.resolve()
    if not output.name:
        raise RollcallError(f"{path}: cannot be written to; name a file or folder in it")
    me = threading.get_ident()
    with _guard:
        holder, times = _held.get(output, (me, 0))
        if times and holder == me:
            _held[output] = (me, times + 1)
    if times and holder == me:
        try:
            yield
        finally:
            with _guard:
                _held[output] = (me, _held[output][1] - 1)
        return
    new_folders = _make_parents(output.parent)
    try:
        stream, process = _locked(output, wait), os.getpid()
        try:
            with _guard:
                _held[output] = (me, 1)
                _streams.add(stream)
            yield
        finally:
            if os.getpid() == process:  # and not in a fork of it
                with _guard:
                    _held.pop(output, None)
                    _streams.discard(stream)
                _release(output, stream)
    finally:
        for folder in new_folders:
            with suppress(OSError):  # what was written is in it
                folder.rmdir()


def holder_of(lock: Path) -> str | None:
    """The holder of a lock file, in words; None if a killed process left the file behind."""
    with suppress(FileNotFoundError):
        stream = os.open(lock, os.O_RDONLY)
        try:
            return None if _try_lock(stream, wait=False) else _owner(stream)
        finally:
            os.close(stream)
    return None


def locked_place(lock: Path) -> Path:
    """The output that a lock file is for."""
    return lock.with_name(lock.name.removeprefix(".").removesuffix(LOCK))


def lock_of(output: Path) -> Path:
    """The lock file of an output."""
    return output.with_name(f".{output.name}{LOCK}")


def being_written(output: Path, owner: str) -> RollcallError:
    """The error that an output has another writer."""
    return RollcallError(
        f"{output}: {owner or 'another process'} is writing this; wait for it to end, or name another place"
    )


def _leave_to_parent() -> None:
    """Close the parent's locks in a forked process, so that a lock ends with the process that took it."""
    global _guard
    _guard = threading.Lock()
    _held.clear()
    while _streams:
        os.close(_streams.pop())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)


def _make_parents(folder: Path) -> list[Path]:
    """Make a folder and its parents; returns those that did not exist, innermost first."""
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise RollcallError(f"{folder}: is a file, and no folder to write to") from None
    return missing


def _end_if_starting() -> None:
    """End a worker that begins by running its parent's script again."""
    from rollcall._core.workers import end_if_starting

    end_if_starting()


def _locked(output: Path, wait: bool) -> int:
    """The open lock file of an output, locked and signed."""
    lock = lock_of(output)
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            stream = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
        except PermissionError:
            raise RollcallError(f"{output}: you may not write to {output.parent}") from None
        try:
            if not _try_lock(stream, wait=False):
                owner = _owner(stream)
                if wait:
                    _end_if_starting()  # its parent would wait for it, and it for its parent
                    print(
                        f"rollcall: waiting for {owner or 'another process'} with {output}", file=sys.stderr
                    )
                    _try_lock(stream, wait=True)
                elif owner or time.monotonic() > deadline:
                    _end_if_starting()
                    raise being_written(output, owner)
                else:  # locked, but not yet signed
                    time.sleep(0.01)
                    os.close(stream)
                    continue
            if _still_there(lock, stream):
                os.lseek(stream, 0, os.SEEK_SET)
                os.ftruncate(stream, 0)
                os.write(stream, _signature().encode())
                return stream
        except BaseException:
            os.close(stream)
            raise
        os.close(stream)  # its holder removed it on release: other processes no longer see this lock file


def _try_lock(stream: int, wait: bool) -> bool:
    try:
        import fcntl
    except ImportError:  # not on Windows; there the user must avoid two writers of one output
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        warnings.warn(
            "this file system has no locks; make sure that no other process writes here", stacklevel=2
        )
    return True


def _still_there(lock: Path, stream: int) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(lock.stat(), os.fstat(stream))
    return False


def _release(output: Path, stream: int) -> None:
    """Remove the lock file while it is still locked, so that no other process can take it in between."""
    with suppress(OSError):
        lock_of(output).unlink()
    os.close(stream)


def _owner(stream: int) -> str:
    os.lseek(stream, 0, os.SEEK_SET)
    return os.read(stream, 1000).decode("utf-8", "replace").strip()


def _signature() -> str:
    """The signature of this process: the command's name without options, which may contain secrets."""
    program, *words = sys.argv or [""]
    name = Path(program).name
    if name == "rollcall" or Path(program).parts[-3:] == ("rollcall", "cli", "main.py"):
        name = " ".join(["rollcall", *[word for word in words if not word.startswith("-")][:1]])
    return f"process {os.getpid()} ({name or 'python'}, since {time.strftime('%Y-%m-%d %H:%M:%S')})\n"
