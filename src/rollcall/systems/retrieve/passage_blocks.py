"""The vectors of passages, encoded in blocks, with one file for each.

After a kill, encoding continues with the blocks that were not finished. An encoder that keeps this machine
busy by itself, on a GPU or with threads, encodes them one by one; for others the engine does, each block on
one thread, so that the vectors do not depend on the number of processes.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rollcall.decompression import DamagedFileError, read_arrays
from rollcall.errors import RollcallError
from rollcall.files import replacing_part
from rollcall.progress import Progress
from rollcall.systems.retrieve.index_folder import IndexFolder
from rollcall.systems.retrieve.store import PassageStore

BLOCK = 4096
"""Passages that are encoded together."""


class PassageEncoder(Protocol):
    """Encodes texts; where it does not encode here, another process opens it itself."""

    model: str

    @property
    def encodes_here(self) -> bool:
        """Whether it keeps this machine busy by itself."""

    def encode_reproducibly(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One vector for each text, the same for any number of processes and threads."""


class _Block(NamedTuple):
    """Passages that are encoded together, and the file for their vectors."""

    file: Path
    numbers: list[int]


_Ready: TypeAlias = tuple[PassageStore, PassageEncoder]


def encoded_blocks(
    folder: Path,
    store: PassageStore,
    numbers: NDArray[np.int64],
    encoder: PassageEncoder,
    indexes: IndexFolder,
    progress: bool | None,
) -> list[Path]:
    """The files of all blocks of these passages, in this folder; existing ones are reused."""
    blocks = [
        _Block(folder / f"{first:010d}.npz", numbers[first : first + BLOCK].tolist())
        for first in range(0, len(numbers), BLOCK)
    ]
    if not blocks:
        raise RollcallError("the corpus has no passages, so there is nothing to encode")
    missing = [block for block in blocks if not _is_whole(block)]
    model = encoder.model.rpartition("/")[2]
    with Progress("vectors of passages", len(numbers), count=True, show=progress) as bar:
        bar.advance(len(numbers) - sum(len(block.numbers) for block in missing))
        for encoded in _encode(missing, (store, encoder), indexes):
            bar.advance(encoded, model)
    return [block.file for block in blocks]


def vectors_of(file: Path) -> NDArray[np.float32]:
    """The vectors of a block."""
    return read_arrays(file)["vectors"]


def _encode(blocks: list[_Block], ready: _Ready, indexes: IndexFolder) -> Iterator[int]:
    if ready[1].encodes_here:
        yield from (_encode_block(ready, block) for block in blocks)
        return
    with indexes.engine() as engine:
        yield from engine.map_blocks(_encode_block, blocks, partial(_same, ready))


def _same(ready: _Ready) -> _Ready:
    """Both open themselves in another process."""
    return ready


def _encode_block(ready: _Ready, block: _Block) -> int:
    """Write the vectors of a block; returns their number."""
    store, encoder = ready
    texts = [text for number in block.numbers for text in store.indexed_texts(number, number + 1)]
    vectors = encoder.encode_reproducibly(texts)
    with replacing_part(block.file) as partial_file, partial_file.open("wb") as stream:
        np.savez(stream, vectors=vectors)
    return len(texts)


def _is_whole(block: _Block) -> bool:
    try:
        return len(vectors_of(block.file)) == len(block.numbers)
    except (OSError, KeyError, DamagedFileError):
        return False
