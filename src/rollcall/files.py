"""Files as the project reads and writes them: any compression in, and nothing half-written out.

Every output is written beside its place and renamed, so that a killed process leaves either the old
file or the new one, never a part; and one process at a time writes it. Folders are in `rollcall.folders`.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from rollcall.decompression import wrap_decompression
from rollcall.errors import RollcallError
from rollcall.locks import sole_writer

__all__ = [
    "PARTIAL",
    "abandoned",
    "beside",
    "check_file",
    "left_beside",
    "open_compressed",
    "remove",
    "replacing",
    "replacing_part",
    "wrap_decompression",
]

PARTIAL = ".rollcall-partial"


def open_compressed(path: Path) -> IO[bytes]:
    """Open a file for reading bytes, decompressing `.gz`, `.bz2` and `.zst` (several members too)."""
    if not path.exists():
        raise RollcallError(f"{path}: no such file")
    if path.is_dir():
        raise RollcallError(f"{path}: is a folder, not a file")
    return wrap_decompression(path.open("rb"), path.suffix)


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path to write a file at, which then takes `path`'s place, with one writer at a time.

    A link is followed, so that the file it leads to is the one that is replaced.
    """
    check_file(path)
    path = path.resolve()
    with sole_writer(path):
        for left in left_beside(path, PARTIAL):  # by a writer that was killed: there is no other now
            remove(left)
        with replacing_part(path) as partial:
            yield partial


@contextmanager
def replacing_part(path: Path) -> Iterator[Path]:
    """The same for a file or folder in the unfinished work of somebody who writes alone already.

    The temporary name carries the process number: a worker that outlives a killed parent by a moment must not
    finish what the next run has begun.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    for left in left_beside(path, PARTIAL):
        if abandoned(left):
            remove(left)
    partial = beside(path, PARTIAL)
    remove(partial)
    try:
        yield partial
        if partial.is_dir():
            remove(path)
        partial.replace(path)
    except BaseException:
        remove(partial)
        raise


def check_file(path: Path) -> None:
    """Refuse to write a file where something else stands."""
    if path.is_dir():
        raise RollcallError(f"{path}: is a folder; name a file")
    if path.exists() and not path.is_file():
        raise RollcallError(f"{path}: is a device or a pipe, not a file that can be replaced; name a file")


def beside(path: Path, ending: str) -> Path:
    """A hidden path beside another that is this process's own."""
    return path.with_name(f".{path.name}.{os.getpid()}{ending}")


def left_beside(path: Path, ending: str) -> list[Path]:
    """What this and other processes have beside a path under names that `beside` gives."""
    start = f".{path.name}."
    return sorted(
        left
        for left in (path.parent.iterdir() if path.parent.is_dir() else ())
        if left.name.startswith(start)
        and left.name.endswith(ending)
        and left.name.removeprefix(start).removesuffix(ending).isdecimal()
    )


def abandoned(left: Path) -> bool:
    """Whether the process that a hidden path belongs to is no more."""
    number = left.name.rpartition(".")[0].rpartition(".")[2]
    if not number.isdecimal():
        return False
    try:
        os.kill(int(number), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except PermissionError:
        return False
    return False


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
