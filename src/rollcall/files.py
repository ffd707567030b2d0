"""Reading and writing files: compressed input is supported, and output files are never incomplete.

Every output is written to a temporary file in the same folder and then renamed, so that a killed process
leaves either the old file or the new one. Only one process at a time writes an output. For folders, see
`rollcall.folders`.
"""

import filecmp
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
    "check_input",
    "check_new",
    "check_same",
    "left_beside",
    "open_compressed",
    "remove",
    "replacing",
    "replacing_part",
    "written_to",
]

PARTIAL = ".rollcall-partial"


def open_compressed(path: Path) -> IO[bytes]:
    """Open a file for reading bytes, decompressing `.gz`, `.bz2` and `.zst` (several members too).

    Reading it raises a DamagedFileError where it is damaged.
    """
    check_input(path)
    return wrap_decompression(path.open("rb"), path.suffix, path)


def check_input(path: Path) -> None:
    """Refuse to read what is missing or a folder."""
    if not path.exists():
        raise RollcallError(f"{path}: no such file")
    if path.is_dir():
        raise RollcallError(f"{path}: is a folder, not a file; name the files in it")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path for a file, which then replaces `path`; only one writer at a time is allowed.

    A symbolic link is followed: the file that it points to is replaced.
    """
    check_file(path)
    path = path.resolve()
    with sole_writer(path):
        for left in left_beside(path, PARTIAL):  # from a killed writer: no other writer is active now
            remove(left)
        with replacing_part(path) as partial:
            yield partial


@contextmanager
def replacing_part(path: Path) -> Iterator[Path]:
    """The same as `replacing`, for a file or folder inside unfinished work that already has one writer.

    The temporary name contains the process number: a worker that briefly survives its killed parent must not
    complete a file that the next run has started.
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
    """Refuse to write a file where something other than a file exists."""
    if path.is_dir():
        raise RollcallError(f"{path}: is a folder; name a file")
    if path.exists() and not path.is_file():
        raise RollcallError(f"{path}: is a device or a pipe, not a file that can be replaced; name a file")


def check_new(path: Path, force: bool) -> None:
    """Refuse to replace a file that exists, unless that is wanted; asked before work that takes long."""
    if path.is_file() and not force:
        raise RollcallError(f"{path}: exists; name another file, or replace it with --force")


def check_same(partial: Path, path: Path, force: bool) -> None:
    """Refuse to replace a file by one with other content, unless that is wanted."""
    if path.is_file() and not force and not filecmp.cmp(partial, path, shallow=False):
        raise RollcallError(
            f"{path}: exists with other content; name another place, or replace it with --force "
            "(force=True in Python)"
        )


def beside(path: Path, ending: str) -> Path:
    """A hidden path in the same folder as another, used by this process only."""
    return path.with_name(f".{path.name}.{os.getpid()}{ending}")


def left_beside(path: Path, ending: str) -> list[Path]:
    """The paths with names made by `beside`, of this process and of others, in the folder of a path."""
    folder = path.parent
    lefts = sorted(folder.iterdir()) if folder.is_dir() else []
    return [left for left in lefts if written_to(left, ending) == path]


def written_to(left: Path, ending: str) -> Path | None:
    """The path that a hidden path made by `beside` is for; None for any other path."""
    name, _, number = left.name.removesuffix(ending).rpartition(".")
    is_hidden = left.name.startswith(".") and left.name.endswith(ending) and number.isdecimal()
    return left.with_name(name[1:]) if is_hidden and len(name) > 1 else None


def abandoned(left: Path) -> bool:
    """Whether the process that a hidden path belongs to has ended."""
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
    """Remove a file or a folder, if it exists."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
