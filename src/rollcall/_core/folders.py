"""Folders that are written as a whole: which ones may be replaced, and how to do it safely.

A folder is replaced only if it contains nothing but files that its writer wrote. Any other file in it may
belong to the user and is never removed. The new folder is made beside the old one and exchanged with it in
one step. Where the file system cannot exchange (see `Exchange` below), the old folder is
renamed first. If
the process is killed between the two steps, the next writer moves the old folder back.
"""

import ctypes
import errno
import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from rollcall._core.errors import RollcallError
from rollcall._core.files import PARTIAL, beside, left_beside, remove, written_to
from rollcall._core.locks import LOCK, being_written, holder_of, lock_of, locked_place, sole_writer

# Exchanging two paths atomically, so that a folder exists at the path at every moment. A folder cannot
# be renamed over another that is not empty, but Linux (`renameat2`) and macOS (`renamex_np`) can
# exchange two names in one step. Some file systems, such as NFS, cannot; the caller then needs two
# steps.

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}


def exchange(first: Path, second: Path) -> bool:
    """Exchange the contents of two paths in one step; returns False where that is not possible."""
    sys.audit("rollcall._core.folders", str(first), str(second))
    call = _system_call()
    if call is None:
        return False
    if call(os.fsencode(first), os.fsencode(second)) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(second))


@cache
def _system_call() -> Callable[[bytes, bytes], int] | None:
    """The system call that exchanges two names, as a function that returns 0 on success."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            swap = library.renamex_np
            swap.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint]
            return lambda first, second: swap(first, second, _RENAME_SWAP)
        rename = library.renameat2
    except (AttributeError, OSError, TypeError):  # an old C library, or Windows
        return None
    rename.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    return lambda first, second: rename(_AT_FDCWD, first, _AT_FDCWD, second, _RENAME_EXCHANGE)


READY = ".rollcall-ready"
"""Suffix of a finished folder before the exchange, and so of the old folder after it."""
PREVIOUS = ".rollcall-previous"
"""Suffix of the old folder where the two cannot be exchanged."""
BUILD_WORK = ".build"
"""The folder in a question set where `rollcall build` works; only a build may replace it."""

OwnFiles = Callable[[Path], Collection[str]]
"""The files in a folder that its writer wrote, as paths relative to the folder."""


@contextmanager
def replacing_folder(path: Path, own_files: OwnFiles) -> Iterator[Path]:
    """Give an empty folder to write to, which then replaces `path`; only one writer at a time is allowed.

    An existing folder that contains other files than `own_files` is refused.
    """
    with writing_folder(path, own_files):
        partial = beside(path.resolve(), PARTIAL)
        partial.mkdir()
        try:
            yield partial
        except BaseException:
            remove(partial)
            raise
        put_in_place(partial, path, own_files)


@contextmanager
def writing_folder(
    path: Path,
    own_files: OwnFiles,
    work: Collection[str] = (),
    inputs: Iterable[Path] = (),
    *,
    kept: Collection[str] = (),
) -> Iterator[None]:
    """Be the only writer of a folder that may be replaced; what a killed writer left is cleaned up first.

    `work` and `kept` are paths of unfinished work in the folder, which may contain anything.
    """
    check_apart(path, inputs)
    with sole_writer(path):
        _put_right(path.resolve(), own_files, work, kept)
        check_folder(path, own_files, {*work, *kept})
        yield


def check_folder(path: Path, own_files: OwnFiles, work: Collection[str] = ()) -> None:
    """Refuse to replace a path that is not a folder, contains other files, or cannot be moved."""
    if path.exists() and not path.is_dir():
        raise RollcallError(f"{path}: is a file; name a folder")
    if not path.exists():
        return
    stranger = next(foreign(path, own_files, work), None)
    if stranger is not None:
        _refuse_being_written(stranger)
        name = stranger.relative_to(path)
        if name.parts[0] == BUILD_WORK:
            raise RollcallError(
                f"{path}: holds {BUILD_WORK}, the work of `rollcall build`; name another folder"
            )
        raise RollcallError(
            f"{path}: holds {name}, which Rollcall did not write there; move it away, or name another folder"
        )
    if _is_around_us(path.resolve()):
        raise RollcallError(f"{path}: is the folder you are in and cannot be replaced; call it from outside")
    if os.path.ismount(path):
        raise RollcallError(f"{path}: is a mount point and cannot be replaced; name a folder in it")


def _is_around_us(folder: Path) -> bool:
    try:
        return Path.cwd().is_relative_to(folder)
    except FileNotFoundError:  # the current folder no longer exists
        return False


def foreign(folder: Path, own_files: OwnFiles, work: Collection[str] = ()) -> Iterator[Path]:
    """The contents of a folder other than the known files and the unfinished work."""
    return _foreign(folder, frozenset(own_files(folder)), frozenset(work))


def _foreign(folder: Path, own_names: frozenset[str], work: frozenset[str]) -> Iterator[Path]:
    folders = {name.partition("/")[0] for name in own_names if "/" in name}
    for path in sorted(folder.iterdir()):
        name = path.name
        if name in work or _is_litter(path):
            continue
        if path.is_symlink() or not path.is_dir():
            # For a link, only the link itself is removed.
            if name not in own_names and (name not in folders or not path.is_symlink()):
                yield path
        else:  # a folder with the name of a known file is the user's
            yield from _foreign(path, _below(name, own_names), _below(name, work))


def _below(name: str, paths: frozenset[str]) -> frozenset[str]:
    """The paths that lie in one subfolder, relative to that subfolder."""
    return frozenset(path.partition("/")[2] for path in paths if path.startswith(f"{name}/"))


def _is_litter(path: Path) -> bool:
    """Whether a killed Rollcall process left this: a lock that no process holds, or an unfinished file whose
    output has no writer. The number of the process says nothing: another process may have it now.
    """
    lock = _lock_for(path)
    return lock is not None and holder_of(lock) is None


def _lock_for(path: Path) -> Path | None:
    """The lock that shows whether the writer of a hidden file is at work; None for the files of others."""
    if path.name.startswith(".") and path.name.endswith(LOCK):
        return path
    output = written_to(path, PARTIAL)
    return None if output is None else lock_of(output)


def _refuse_being_written(path: Path) -> None:
    """Say who is at work, where a path in a folder is the lock or the unfinished file of a writer."""
    if (lock := _lock_for(path)) is not None and (owner := holder_of(lock)) is not None:
        raise being_written(locked_place(lock), owner)


def check_apart(out: Path, inputs: Iterable[Path], shared: Collection[Path] = ()) -> None:
    """Refuse an output that is one of the inputs, contains one, or is inside one.

    An output may be inside the folders in `shared`: a run may be in the folder of its question set.
    """
    target = out.resolve()
    for path in inputs:
        source = path.resolve()
        if target == source:
            raise RollcallError(
                f"{out}: is an input as well as the output; name another place for the output"
            )
        if source.is_relative_to(target):
            raise RollcallError(f"{out}: holds the input {path}, which would be lost; name another place")
        if target.is_relative_to(source) and path not in shared:
            raise RollcallError(f"{out}: lies in the input {path}; name a place outside it")


def put_in_place(
    new: Path,
    path: Path,
    own_files: OwnFiles,
    *,
    work: Collection[str] = (),
    kept: Collection[str] = (),
) -> None:
    """Replace a folder by a finished one; of the old folder, only the work in `kept` is preserved.

    If files were added to the old folder in the meantime, they are found after the exchange, when no more can
    be added. The old folder is then moved back, and an error names the first such file.
    """
    path, ready = path.resolve(), beside(path.resolve(), READY)
    new.rename(ready)
    if not path.exists():
        ready.rename(path)
        return
    old = _exchanged(ready, path)
    stranger = next(foreign(old, own_files, {*work, *kept}), None)
    if stranger is not None:
        remove(_exchanged(old, path))
        _refuse_being_written(path / stranger.relative_to(old))
        raise RollcallError(
            f"{path}: holds {stranger.relative_to(old)}, which came there while this was at work and would "
            "be lost; move it away and run the same command again"
        )
    _bring_back(old, path, kept)
    _discard(old, path)


def _exchanged(new: Path, path: Path) -> Path:
    """Exchange two folders; returns the new path of the old one."""
    try:
        if exchange(new, path):
            return new
        old = beside(path, PREVIOUS)
        path.rename(old)
        try:
            new.rename(path)
        except BaseException:
            old.rename(path)
            raise
        return old
    except OSError as error:
        remove(new)
        if error.errno != errno.EBUSY:
            raise
        raise RollcallError(f"{path}: cannot be replaced; is it a mount point? Name a folder in it") from None


def _put_right(path: Path, own_files: OwnFiles, work: Collection[str], kept: Collection[str]) -> None:
    """Clean up what a killed writer left beside a folder; the caller must hold the folder's lock."""
    for leftover in left_beside(path, PREVIOUS):
        if not path.exists():
            leftover.rename(path)
    for leftover in left_beside(path, PARTIAL):
        remove(leftover)
    for leftover in (*left_beside(path, READY), *left_beside(path, PREVIOUS)):
        _bring_back(leftover, path, kept)
        stranger = next(foreign(leftover, own_files, {*work, *kept}), None)
        if stranger is not None:
            raise RollcallError(f"{stranger}: was in {path} when a process was killed; move it away")
        _discard(leftover, path)


def _discard(old: Path, path: Path) -> None:
    """Remove a folder that was checked. It is renamed first, so that an interrupted removal is recognised."""
    discarded = beside(path, PARTIAL)
    remove(discarded)
    old.rename(discarded)
    remove(discarded)


def _bring_back(old: Path, path: Path, kept: Collection[str]) -> None:
    for name in kept:
        if (old / name).exists() and path.is_dir() and not (path / name).exists():
            (old / name).rename(path / name)
