"""All passages of a corpus by number, on disk: their texts, and the titles and entities of their pages.

Passages are numbered in the order of the corpus, by page and place. Everything is memory-mapped, so two
hundred texts out of millions need only two hundred reads.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rollcall.graph.arrays import open_array
from rollcall.graph.strings import StringTable, StringTableWriter
from rollcall.progress import Progress
from rollcall.questions.run import Passage
from rollcall.systems.retrieve.index_folder import IndexFolder
from rollcall.tables.corpus import Pages, Passages
from rollcall.tables.table import file_name

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH = 1 << 14


class PassageStore:
    """Passages by number."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
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
        return PassageStore, (self._folder,)

    def __len__(self) -> int:
        return len(self._texts)

    def passage(self, number: int, score: float | None = None) -> Passage:
        page = self._page(number)
        return Passage(self._id(page, number), self._titles[page], self._texts[number], score)

    def passages(self, numbers: Sequence[int], scores: Sequence[float]) -> list[Passage]:
        return [self.passage(number, score) for number, score in zip(numbers, scores, strict=True)]

    def number(self, id_: str) -> int | None:
        """The number of a passage by its id."""
        page_id, _, place = id_.rpartition("__")
        page = self._pages.find(page_id)
        if page is None or not place.isdecimal():
            return None
        number = int(self._first[page]) + int(place)
        return number if number < self._first[page + 1] else None

    def entity(self, id_: str) -> str | None:
        """The entity of a passage's page."""
        page = self._pages.find(id_.rpartition("__")[0])
        return None if page is None else self._entities[page] or None

    def page_of(self, entity: str, most: int) -> list[Passage]:
        """The first passages of the page of an entity; of its first page, if it has several."""
        order = self._by_entity
        place = bisect_left(order, entity.encode(), key=lambda page: self._entities[page].encode())
        if place == len(order) or self._entities[page := int(order[place])] != entity:
            return []
        first, last = self._first[page : page + 2].tolist()
        return [self.passage(number) for number in range(first, min(last, first + most))]

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
    from rollcall.tables import reader

    source = indexes.corpus.folder / file_name(Passages)
    first: list[npt.NDArray[np.int64]] = []
    pages: list[pa.Array[Any]] = []
    total = 0
    with (
        StringTableWriter(out, "texts") as texts,
        Progress("passages", reader.count(Passages, source), show=progress) as bar,
    ):
        for batch in reader.batches(Passages, source, ("page", "number", "text"), _BATCH):
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

    from rollcall.tables import reader

    ids = pa.chunked_array(pages, pa.string())
    described = reader.read(Pages, corpus / file_name(Pages), ("id", "title", "entity"))
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
