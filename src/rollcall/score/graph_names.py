"""The names in a graph: which entities a string may mean, and all names of an entity.

They are read from the graph's tables `entities` and `aliases`, in one pass for the strings and one for the
entities found. So a graph of millions of entities needs memory only for the names in the gold.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from rollcall._core.errors import RollcallError
from rollcall.score.match import name_keys
from rollcall.tables.graph import Aliases, Entities
from rollcall.tables.table import Table, file_name

Lookup = Literal["exact", "normalised"]
BATCH = 1 << 16


class Name(NamedTuple):
    """One name of an entity, its source, and how often it is used."""

    entity: str
    text: str
    source: str
    uses: int


class GraphNames:
    """Names for the strings and entities in a gold set."""

    def __init__(
        self, meanings: dict[str | bytes, dict[str, int]], names: dict[str, list[Name]], lookup: Lookup
    ):
        self.meanings = meanings
        """For each string looked up (or its normal form), the entities it names and how often."""
        self.names = names
        self.lookup = lookup

    @classmethod
    def read(cls, folder: Path, strings: Iterable[str], ids: Iterable[str], lookup: Lookup) -> "GraphNames":
        """Look up the strings and ids in the graph in `folder`."""
        wanted = set(_forms(list(dict.fromkeys(strings)), lookup))
        meanings: dict[str | bytes, dict[str, int]] = defaultdict(dict)
        for batch in _names(folder):
            for name, key in zip(batch, _forms([name.text for name in batch], lookup), strict=True):
                if key and key in wanted:
                    counts = meanings[key]
                    counts[name.entity] = max(counts.get(name.entity, 0), name.uses)
        entities = {entity for counts in meanings.values() for entity in counts} | set(ids)
        names: dict[str, list[Name]] = defaultdict(list)
        for batch in _names(folder):
            for name in batch:
                if name.entity in entities:
                    names[name.entity].append(name)
        return cls(dict(meanings), dict(names), lookup)

    def meant_by(self, text: str) -> dict[str, int]:
        """The entities that a string may mean, with how often it names each."""
        return self.meanings.get(_forms([text], self.lookup)[0], {})


def _forms(texts: Sequence[str], lookup: Lookup) -> Sequence[str | bytes]:
    """The keys for looking up strings: the strings themselves, or their normal forms."""
    return texts if lookup == "exact" else name_keys(texts)


def _names(folder: Path) -> Iterator[list[Name]]:
    """Every name in the graph, in batches: labels, titles, then the aliases of all sources."""
    for rows in _rows(folder, Entities, ("id", "label", "title")):
        yield [
            Name(entity, text, source, 0)
            for entity, label, title in rows
            for text, source in ((label, "label"), (title, "title"))
            if text
        ]
    for rows in _rows(folder, Aliases, ("entity", "text", "source", "count")):
        yield [Name(entity, text, source, int(uses or 0)) for entity, text, source, uses in rows if text]


def _rows(folder: Path, table: type[Table], columns: tuple[str, ...]) -> Iterator[list[tuple[str, ...]]]:
    from rollcall.tables.files import batches

    path = folder / file_name(table)
    if not path.is_file():
        raise RollcallError(f"{folder}: holds no {path.name}, so it is not a graph")
    for batch in batches(table, path, columns, BATCH):
        yield list(zip(*(column.to_pylist() for column in batch.columns), strict=True))
