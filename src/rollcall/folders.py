"""Folders that are written as a whole: which ones may be replaced, and how, so that one always stands.

A folder is replaced only where it holds nothing but what its writer wrote; anything else in it is somebody's
and is never removed. The new folder is made beside the old one and exchanged with it in one step. Where the
file system cannot exchange (see `rollcall.exchange`), the old one is renamed first; a process that is killed
between the two steps leaves it beside its place, from where the next writer puts it back.
"""

import errno
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rollcall.errors import RollcallError
from rollcall.exchange import exchange
from rollcall.files import PARTIAL, abandoned, beside, left_beside, remove
from rollcall.locks import LOCK, holder_of, sole_writer

READY = ".rollcall-ready"
"""Ends the name of a finished folder that is about to take its place, and then of the one that had it."""
PREVIOUS = ".rollcall-previous"
"""Ends the name of the old folder where the two cannot be exchanged."""

Known = Callable[[Path], Collection[str]]
"""Of a folder the files that its writer wrote, as paths in it."""


@contextmanager
def replacing_folder(path: Path, known: Known) -> Iterator[Path]:
    """Give an empty folder to write to, which then takes the place of `path`, with one writer at a time.

    A folder there that holds others than the `known` files is refused.
    """
    with writing_folder(path, known):
        partial = beside(path.resolve(), PARTIAL)
        partial.mkdir()
        try:
            yield partial
        except BaseException:
            remove(partial)
            raise
        put_in_place(partial, path, known)


@contextmanager
def writing_folder(
    path: Path,
    known: Known,
    work: Collection[str] = (),
    inputs: Iterable[Path] = (),
    *,
    kept: Collection[str] = (),
) -> Iterator[None]:
    """Be the only writer of a folder that may be replaced; what a killed one left is put right first.

    `work` and `kept` are paths in the folder of what is unfinished, whatever it holds.
    """
    check_apart(path, inputs)
    with sole_writer(path):
        _put_right(path.resolve(), known, work, kept)
        check_folder(path, known, {*work, *kept})
        yield


def check_folder(path: Path, known: Known, work: Collection[str] = ()) -> None:
    """Refuse to replace what is no folder, or holds anything else, or cannot be taken out of its place."""
    if path.exists() and not path.is_dir():
        raise RollcallError(f"{path}: is a file; name a folder")
    if not path.exists():
        return
    found = next(foreign(path, known, work), None)
    if found is not None:
        raise RollcallError(
            f"{path}: holds {found.relative_to(path)}, which Rollcall did not write there; move it away, or "
            "name another folder"
        )
    if _is_around_us(path.resolve()):
        raise RollcallError(f"{path}: is the folder you are in and cannot be replaced; call it from outside")
    if os.path.ismount(path):
        raise RollcallError(f"{path}: is a mount point and cannot be replaced; name a folder in it")


def _is_around_us(place: Path) -> bool:
    try:
        return Path.cwd().is_relative_to(place)
    except FileNotFoundError:  # the folder we were started in is gone
        return False


def foreign(folder: Path, known: Known, work: Collection[str] = ()) -> Iterator[Path]:
    """What a folder holds besides the files that are known and the work in it."""
    return _foreign(folder, frozenset(known(folder)), frozenset(work))


def _foreign(folder: Path, known: frozenset[str], work: frozenset[str]) -> Iterator[Path]:
    folders = {name.partition("/")[0] for name in known if "/" in name}
    for path in sorted(folder.iterdir()):
        name = path.name
        if name in work or _is_litter(path):
            continue
        if path.is_symlink() or not path.is_dir():
            # Of a link only the link is removed.
            if name not in known and (name not in folders or not path.is_symlink()):
                yield path
        else:  # a folder that is called as a file of ours is somebody's
            yield from _foreign(path, _below(name, known), _below(name, work))


def _below(name: str, paths: frozenset[str]) -> frozenset[str]:
    """Of some paths in a folder those that lie in one folder in it, as paths there."""
    return frozenset(path.partition("/")[2] for path in paths if path.startswith(f"{name}/"))


def _is_litter(path: Path) -> bool:
    """Whether a killed process of ours left this: a lock that nobody holds, or what it was writing."""
    if not path.name.startswith("."):
        return False
    if path.name.endswith(LOCK):
        return holder_of(path) is None
    return path.name.endswith(PARTIAL) and abandoned(path)


def check_apart(out: Path, inputs: Iterable[Path], shared: Collection[Path] = ()) -> None:
    """Refuse an output that is one of the inputs, holds one, or lies in one.

    An output may lie in the folders in `shared`, as a run may lie in the folder of its question set.
    """
    place = out.resolve()
    for given in inputs:
        source = given.resolve()
        if place == source:
            raise RollcallError(
                f"{out}: is an input as well as the output; name another place for the output"
            )
        if source.is_relative_to(place):
            raise RollcallError(f"{out}: holds the input {given}, which would be lost; name another place")
        if place.is_relative_to(source) and given not in shared:
            raise RollcallError(f"{out}: lies in the input {given}; name a place outside it")


def put_in_place(
    new: Path,
    path: Path,
    known: Known,
    *,
    work: Collection[str] = (),
    kept: Collection[str] = (),
) -> None:
    """Let a finished folder take the place of another, which is removed but for the work in `kept`.

    What came into the old folder in the meantime is found after the exchange, when nobody can add to it any
    more, and both are put back.
    """
    path, ready = path.resolve(), beside(path.resolve(), READY)
    new.rename(ready)
    if not path.exists():
        ready.rename(path)
        return
    old = _exchanged(ready, path)
    found = next(foreign(old, known, {*work, *kept}), None)
    if found is not None:
        remove(_exchanged(old, path))
        raise RollcallError(
            f"{path}: holds {found.relative_to(old)}, which came there while this was at work and would be "
            "lost; move it away and run the same command again"
        )
    _bring_back(old, path, kept)
    _discard(old, path)


def _exchanged(new: Path, path: Path) -> Path:
    """Exchange two folders; returns where the old one now stands."""
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


def _put_right(path: Path, known: Known, work: Collection[str], kept: Collection[str]) -> None:
    """Undo what a killed writer left beside a folder; only for who holds its lock."""
    for left in left_beside(path, PREVIOUS):
        if not path.exists():
            left.rename(path)
    for left in left_beside(path, PARTIAL):
        remove(left)
    for left in (*left_beside(path, READY), *left_beside(path, PREVIOUS)):
        _bring_back(left, path, kept)
        found = next(foreign(left, known, {*work, *kept}), None)
        if found is not None:
            raise RollcallError(f"{found}: was in {path} when a process was killed; move it away")
        _discard(left, path)


def _discard(old: Path, path: Path) -> None:
    """Remove a folder that was looked through; the name it gets first says so, should this be cut off."""
    condemned = beside(path, PARTIAL)
    remove(condemned)
    old.rename(condemned)
    remove(condemned)


def _bring_back(old: Path, path: Path, kept: Collection[str]) -> None:
    for name in kept:
        if (old / name).exists() and path.is_dir() and not (path / name).exists():
            (old / name).rename(path / name)
