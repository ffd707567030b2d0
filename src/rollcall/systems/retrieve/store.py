"""All passages of a corpus by number, on disk: their texts, and the titles and entities of their pages.

Passages are numbered in the order of the corpus, by page and position. Everything is memory-mapped, so two
hundred texts out of millions need only two hundred reads.
"""

import hashlib
import json
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from rollcall._core import checksums
from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall._core.files import DamagedFileError, read_arrays, replacing_part
from rollcall._core.folders import check_apart, replacing_folder
from rollcall._core.locks import sole_writer
from rollcall.corpus.corpus import MANIFEST as CORPUS_MANIFEST
from rollcall.corpus.corpus import Corpus
from rollcall.graph.index import StringTable, StringTableWriter, open_array
from rollcall.questions.run import Passage
from rollcall.tables.corpus import Pages, Passages
from rollcall.tables.engine import Engine, opened
from rollcall.tables.table import file_name

if TYPE_CHECKING:
    import pyarrow as pa


# The folder of a corpus's indexes, beside the corpus, with one part for each retriever. Each part
# records the corpus and the parameters it was made from. A part of another corpus or of other
# parameters, or a damaged one, is made again. If another process is making a part, this one waits and
# then uses it.

_MANIFEST = "made_from.json"


class IndexFolder:
    """The indexes of one corpus."""

    def __init__(
        self,
        corpus: Corpus,
        folder: Path | None = None,
        *,
        engine: Engine | str = "duckdb",
        jobs: int | None = None,
        master: str | None = None,
    ) -> None:
        """The folder is beside the corpus unless one is given.

        `engine` makes what is missing, in `jobs` processes or on the cluster at `master`.
        """
        self.corpus = corpus
        self.folder = folder or corpus.folder.with_name(f"{corpus.folder.resolve().name}.index")
        self.corpus_hash = hashlib.sha256((corpus.folder / CORPUS_MANIFEST).read_bytes()).hexdigest()
        self._engine, self._master = engine, master
        self.jobs = jobs
        """How many processes or threads make what is missing; by default as many as there are cores."""

    def engine(self) -> AbstractContextManager[Engine]:
        """The engine that makes a part, opened only when it is needed."""
        return opened(self._engine, jobs=self.jobs, master=self._master)

    def part(self, name: str, parameters: dict[str, Any], make: Callable[[Path], None]) -> Path:
        """The folder of a part, made by `make(folder)` unless it exists."""
        return made_part(self.folder / name, self._made_from(parameters), self.corpus.folder, make)

    def has(self, name: str, parameters: dict[str, Any]) -> bool:
        """Whether a part exists."""
        return is_made_from(self.folder / name, self._made_from(parameters))

    def _made_from(self, parameters: dict[str, Any]) -> dict[str, Any]:
        return {"corpus": self.corpus_hash, **parameters}


def made_part(folder: Path, made_from: dict[str, Any], source: Path, make: Callable[[Path], None]) -> Path:
    """The folder of a part, made by `make(folder)` unless it exists; it must not be inside its source."""
    if is_made_from(folder, made_from):
        return folder
    check_apart(folder, [source])
    with sole_writer(folder, wait=True):
        if not is_made_from(folder, made_from):
            with replacing_folder(folder, _own_files) as partial:
                make(partial)
                described = checksums.sealed({**made_from, checksums.FILES: checksums.record(partial)})
                (partial / _MANIFEST).write_text(json.dumps(described, indent=1) + "\n")
    return folder


def is_made_from(folder: Path, made_from: dict[str, Any]) -> bool:
    """Whether a complete part exists that was made from exactly this."""
    manifest = _manifest(folder)
    if manifest is None:
        return False
    known = {key: value for key, value in manifest.items() if key not in (checksums.FILES, checksums.SEAL)}
    return known == json.loads(json.dumps(made_from)) and not checksums.damaged(
        folder, checksums.files_of(manifest)
    )


def _manifest(folder: Path) -> dict[str, Any] | None:
    """The manifest of a part as it was written; None if there is none, or if it was damaged."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    return dict(manifest) if checksums.is_sealed(manifest) else None


def _own_files(folder: Path) -> set[str]:
    """The files of a part, according to its manifest."""
    manifest = _manifest(folder)
    if manifest is not None:
        return {_MANIFEST, *checksums.files_of(manifest)}
    if (folder / _MANIFEST).exists():
        raise RollcallError(
            f"{folder / _MANIFEST}: {checksums.DAMAGED}; remove {folder}, and the index is made again"
        )
    return set()


_BATCH = 1 << 14


class PassageStore:
    """Passages by number."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._pages = StringTable.open(folder, "pages")
        self._titles = StringTable.open(folder, "titles")
        self._entities = StringTable.open(folder, "entities")
        self._texts = StringTable.open(folder, "texts")
        self._first: npt.NDArray[np.int64] = open_array(folder / "first.npy")
        self._by_entity: npt.NDArray[np.int64] = open_array(folder / "by_entity.npy")

    @classmethod
    def of(cls, indexes: IndexFolder, progress: bool | None = None) -> "PassageStore":
        """The store of a corpus, made on first use."""
        return cls(indexes.part("passages", {"format": 2}, lambda out: _make(indexes, out, progress)))

    def __reduce__(self) -> "tuple[type[PassageStore], tuple[Path]]":
        """Another process opens the store itself."""
        return PassageStore, (self.folder,)

    def __len__(self) -> int:
        return len(self._texts)

    def passage(self, number: int, score: float | None = None) -> Passage:
        page = self._page(number)
        return Passage(self._id(page, number), self._titles[page], self._texts[number], score)

    def passages(self, numbers: Sequence[int], scores: Sequence[float]) -> list[Passage]:
        return [self.passage(number, score) for number, score in zip(numbers, scores, strict=True)]

    def number(self, id_: str) -> int | None:
        """The number of a passage by its id."""
        page_id, _, position = id_.rpartition("__")
        page = self._pages.find(page_id)
        if page is None or not position.isdecimal():
            return None
        number = int(self._first[page]) + int(position)
        return number if number < self._first[page + 1] else None

    def entity(self, id_: str) -> str | None:
        """The entity of a passage's page."""
        page = self._pages.find(id_.rpartition("__")[0])
        return None if page is None else self._entities[page] or None

    def page_of(self, entity: str, most: int) -> list[Passage]:
        """The first passages of the page of an entity; of its first page, if it has several."""
        order = self._by_entity
        index = bisect_left(order, entity.encode(), key=lambda page: self._entities[page].encode())
        if index == len(order) or self._entities[page := int(order[index])] != entity:
            return []
        return self._passages_of(page, most)

    def page(self, id_: str, most: int | None = None) -> list[Passage]:
        """The first passages of the page with this id, by default all."""
        page = self._pages.find(id_)
        return [] if page is None else self._passages_of(page, most)

    def _passages_of(self, page: int, most: int | None) -> list[Passage]:
        first, last = self._first[page : page + 2].tolist()
        last = last if most is None else min(last, first + most)
        return [self.passage(number) for number in range(first, last)]

    def indexed_texts(self, first: int = 0, last: int | None = None) -> Iterator[str]:
        """The indexed text of each passage, in order: its title and its text."""
        last = len(self) if last is None else min(last, len(self))
        page = self._page(first) if first < last else 0
        for number in range(first, last):
            while number >= self._ends[page]:
                page += 1
            yield f"{self._titles[page]} {self._texts[number]}"

    @cached_property
    def _ends(self) -> list[int]:
        ends: list[int] = self._first[1:].tolist()
        return ends

    def _page(self, number: int) -> int:
        return int(np.searchsorted(self._first, number, side="right")) - 1

    def _id(self, page: int, number: int) -> str:
        return f"{self._pages[page]}__{number - int(self._first[page])}"


def _make(indexes: IndexFolder, out: Path, progress: bool | None) -> None:
    from rollcall.tables import files

    source = indexes.corpus.folder / file_name(Passages)
    first: list[npt.NDArray[np.int64]] = []
    pages: list[pa.Array[Any]] = []
    total = 0
    with (
        StringTableWriter(out, "texts") as texts,
        Progress("passages", files.count(Passages, source), show=progress) as bar,
    ):
        for batch in files.batches(Passages, source, ("page", "number", "text"), _BATCH):
            texts.append(batch.column("text"))
            begins: npt.NDArray[np.int64] = np.flatnonzero(
                batch.column("number").to_numpy(zero_copy_only=False) == 0
            )
            first.append(begins + total)
            pages.append(batch.column("page").take(begins))
            total += len(batch)
            bar.advance(len(batch))
    np.save(out / "first.npy", np.concatenate([*first, np.array([total])]).astype(np.int64))
    _write_pages(indexes.corpus.folder, pages, out)


def _write_pages(corpus: Path, pages: "list[pa.Array[Any]]", out: Path) -> None:
    """Write the id, title and entity of each page that has passages."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from rollcall.tables import files

    ids = pa.chunked_array(pages, pa.string())
    described = files.read(Pages, corpus / file_name(Pages), ("id", "title", "entity"))
    rows = pc.index_in(ids, value_set=described["id"])
    columns = {
        "pages": ids,
        "titles": described["title"].take(rows),
        "entities": described["entity"].take(rows),
    }
    entities = columns["entities"].to_pylist()
    with_entity = sorted((entity.encode(), page) for page, entity in enumerate(entities) if entity)
    np.save(out / "by_entity.npy", np.array([page for _, page in with_entity], dtype=np.int64))
    for name, column in columns.items():
        with StringTableWriter(out, name) as writer:
            for chunk in column.chunks:
                writer.append(chunk)


# The vectors of passages, encoded in blocks, with one file for each. After a kill, encoding continues
# with the blocks that were not finished. An encoder that keeps this machine busy by itself, on a GPU or
# with threads, encodes them one by one; for others the engine does, each block on one thread, so that
# the vectors do not depend on the number of processes.

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
