"""Files as the project reads and writes them: any compression in, and nothing half-written out.

Every output is written beside its place and renamed, so that a killed process leaves either the old
file or the new one, never a part.
"""

import bz2
import glob
import io
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from rollcall.errors import RollcallError


def open_compressed(path: Path) -> IO[bytes]:
    """Open a file for reading bytes, decompressing `.gz`, `.bz2` and `.zst` (several members too)."""
    if not path.exists():
        raise RollcallError(f"{path}: no such file")
    if path.is_dir():
        raise RollcallError(f"{path}: is a folder, not a file")
    return wrap_decompression(path.open("rb"), path.suffix)


def wrap_decompression(stream: IO[bytes], suffix: str) -> IO[bytes]:
    """Decompress an open stream of bytes by its file's suffix; other suffixes pass through."""
    if suffix == ".gz":
        from isal import igzip

        return cast(IO[bytes], igzip.IGzipFile(fileobj=stream, mode="rb"))
    if suffix == ".bz2":
        return cast(IO[bytes], bz2.BZ2File(stream))
    if suffix == ".zst":
        import zstandard

        reader = zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True)
        return cast(IO[bytes], io.BufferedReader(cast(io.RawIOBase, reader)))
    return stream


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary path to write a file or folder at; on success it takes `path`'s place.

    The temporary name carries the process number: a worker that outlives a killed parent by a moment must not
    finish what the next run has begun.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(path)
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    remove(partial)
    try:
        yield partial
    except BaseException:
        remove(partial)
        raise
    if partial.is_dir():
        remove(path)
    partial.replace(path)


def _remove_abandoned(path: Path) -> None:
    """Remove what processes that are no more left beside a path."""
    for left in path.parent.glob(f"{glob.escape(path.name)}.*.partial"):
        number = left.name.removesuffix(".partial").rpartition(".")[2]
        if number.isdecimal() and not _is_running(int(number)):
            remove(left)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
