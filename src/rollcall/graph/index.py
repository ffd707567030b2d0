"""The memory-mapped index of a graph: sorted arrays of numbers for thousands of small queries.

Entities are numbered by the rank of their id in byte order, literals after them by the rank of their
canonical text: together these are the *terms*. Facts and literal values are in the same arrays, sorted
by relation and subject and again by relation and object, so that each look-up is a slice or a binary search.
"""

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from rollcall._core.errors import RollcallError
from rollcall.input_files.ingestion import Kind
from rollcall.query.values import Value, parse_value
from rollcall.tables.graph import GRAPH_TABLES
from rollcall.tables.table import declaration
from rollcall.text.words import fold

# Numpy arrays on disk: written piece by piece, opened with a memory map. The length of an array need not
# be known before its last piece is written, so that sorted streams of any length become index files with
# only one piece in memory at a time.


def open_array(path: Path) -> npt.NDArray[Any]:
    """A memory-mapped view of an array file."""
    array = np.load(path, mmap_mode="r", allow_pickle=False)
    return np.asarray(array)  # a plain view of the map: slicing it is several times cheaper


class ArrayWriter:
    """Writes a one-dimensional `.npy` file by appending."""

    def __init__(self, path: Path, dtype: npt.DTypeLike):
        self._dtype = np.dtype(dtype)
        self._length = 0
        self._file = path.open("wb")
        self._write_header()

    def __len__(self) -> int:
        return self._length

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def append(self, values: npt.NDArray[Any]) -> None:
        self._file.write(np.ascontiguousarray(values, dtype=self._dtype).data)
        self._length += len(values)

    def close(self) -> None:
        self._file.seek(0)
        self._write_header()
        self._file.close()

    def _write_header(self) -> None:
        # numpy pads the header to fit a length of any number of digits, so it can be overwritten in place.
        description = np.lib.format.dtype_to_descr(self._dtype)
        np.lib.format.write_array_header_1_0(
            self._file, {"descr": description, "fortran_order": False, "shape": (self._length,)}
        )


class OffsetsWriter:
    """Writes where the rows of each key begin, for keys 0..count-1 that arrive in order."""

    def __init__(self, path: Path, count: int):
        self._array = ArrayWriter(path, np.int64)
        self._count = count
        self._rows = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._finish(self._count + 1)
        self._array.close()

    def append(self, keys: npt.NDArray[Any]) -> None:
        """Add one row for each key; keys never decrease, within a piece and from piece to piece."""
        if not len(keys):
            return
        next_keys = np.arange(len(self._array), int(keys[-1]) + 1)
        self._array.append(np.searchsorted(keys, next_keys, side="left") + self._rows)
        self._rows += len(keys)

    def _finish(self, length: int) -> None:
        missing = length - len(self._array)
        self._array.append(np.full(missing, self._rows, dtype=np.int64))


# Tables of strings that stay on disk: one sequence of UTF-8 bytes, and the offset of each string. Opened
# with a memory map, a table of a hundred million ids uses no memory until it is read. If the strings are
# sorted by their bytes, the number of a string is found by binary search.

_FEW = 6
"""Fewer strings than this are read one by one, since the preparation for many would cost more."""

_STRIDE = 32
"""One in this many strings is kept in memory after the first search."""


class StringTable(Sequence[str]):
    """Strings by their number; `find` gives the number of a string when the table is sorted."""

    __slots__ = ("_blob", "_bytes", "_offsets", "_samples")

    def __init__(self, blob: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]):
        self._blob = blob
        self._bytes = memoryview(blob)  # type: ignore[arg-type]
        self._offsets = offsets
        self._samples: list[bytes] | None = None

    @classmethod
    def open(cls, folder: Path, name: str) -> Self:
        """Open the table with this name in an index folder."""
        return cls(open_array(folder / f"{name}.bytes.npy"), open_array(folder / f"{name}.offsets.npy"))

    @classmethod
    def of(cls, strings: Iterable[str]) -> Self:
        """A table in memory."""
        encoded = [string.encode() for string in strings]
        offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(string) for string in encoded], out=offsets[1:])
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets)

    def __len__(self) -> int:
        return len(self._offsets) - 1

    @property
    def is_blank(self) -> bool:
        """Whether all strings are empty."""
        return not len(self._blob)

    @overload
    def __getitem__(self, number: int) -> str: ...
    @overload
    def __getitem__(self, number: slice) -> list[str]: ...
    def __getitem__(self, number: int | slice) -> str | list[str]:
        if isinstance(number, slice):
            return [self[position] for position in range(*number.indices(len(self)))]
        if number < 0:
            number += len(self)
        if not 0 <= number < len(self):
            raise IndexError(f"string {number} of {len(self)}")
        start, end = self._offsets[number : number + 2].tolist()
        return str(self._bytes[start:end], "utf-8")

    def take(self, numbers: npt.NDArray[Any]) -> list[str]:
        """The strings of many numbers at once."""
        offsets, texts = self._offsets, self._bytes
        if len(numbers) < _FEW:
            spans = [offsets[number : number + 2].tolist() for number in numbers.tolist()]
            return [str(texts[start:end], "utf-8") for start, end in spans]
        starts, ends = offsets[numbers].tolist(), offsets[numbers + 1].tolist()
        return [str(texts[start:end], "utf-8") for start, end in zip(starts, ends, strict=True)]

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))

    def find(self, text: str) -> int | None:
        """The number of a string in a table sorted by bytes, or None."""
        encoded = text.encode("utf-8", "surrogatepass")  # a text that is not valid Unicode is in no table
        low = self._place(encoded)
        is_there = low < len(self) and self._bytes[self._offsets[low] : self._offsets[low + 1]] == encoded
        return low if is_there else None

    def has_beginning(self, text: str) -> bool:
        """Whether some string of a table sorted by bytes begins with this text."""
        encoded = text.encode("utf-8", "surrogatepass")  # a text that is not valid Unicode is in no table
        low = self._place(encoded)
        if low == len(self):
            return False
        start = int(self._offsets[low])
        end = min(start + len(encoded), int(self._offsets[low + 1]))
        return bytes(self._bytes[start:end]) == encoded

    def _place(self, encoded: bytes) -> int:
        """The number of the first string that is not less."""
        # Samples in memory narrow the search by binary search in C; only the last steps read the disk.
        block = bisect_right(self._sampled(), encoded) - 1
        low, high = max(block * _STRIDE, 0), min((block + 1) * _STRIDE, len(self))
        while low < high:
            middle = (low + high) // 2
            if bytes(self._bytes[self._offsets[middle] : self._offsets[middle + 1]]) < encoded:
                low = middle + 1
            else:
                high = middle
        return low

    def _sampled(self) -> list[bytes]:
        if self._samples is None:
            starts = self._offsets[:-1:_STRIDE].tolist()
            ends = self._offsets[1::_STRIDE].tolist()
            self._samples = [bytes(self._bytes[start:end]) for start, end in zip(starts, ends, strict=True)]
        return self._samples

    def arrow(self) -> Any:
        """The whole table as an Arrow array on the same bytes, without a copy."""
        import pyarrow as pa

        # numpy types the buffers as arrays of numbers, Arrow as plain bytes.
        offsets: Any = self._offsets
        blob: Any = self._blob
        return pa.LargeStringArray.from_buffers(len(self), pa.py_buffer(offsets), pa.py_buffer(blob))


class StringTableWriter:
    """Writes a string table piece by piece; only one piece is ever in memory."""

    def __init__(self, folder: Path, name: str):
        self._blob = ArrayWriter(folder / f"{name}.bytes.npy", np.uint8)
        self._offsets = ArrayWriter(folder / f"{name}.offsets.npy", np.int64)
        self._end = 0
        self._offsets.append(np.zeros(1, dtype=np.int64))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._blob.close()
        self._offsets.close()

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def append(self, strings: Any) -> None:
        """Add an Arrow array of strings; a null becomes the empty string."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if not len(strings):
            return
        if strings.null_count:
            strings = pc.fill_null(strings, "")
        large = strings.cast(pa.large_string())
        _, offsets_buffer, blob_buffer = large.buffers()
        offsets = np.frombuffer(offsets_buffer, dtype=np.int64)[large.offset : large.offset + len(large) + 1]
        start, end = int(offsets[0]), int(offsets[-1])
        if end > start:
            self._blob.append(np.frombuffer(blob_buffer, dtype=np.uint8)[start:end])
        self._offsets.append(offsets[1:] - start + self._end)
        self._end += end - start


Numbers: TypeAlias = npt.NDArray[np.integer[Any]]
Pairs: TypeAlias = tuple[Numbers, Numbers]


_REMEMBERED = 100_000
"""How many entity numbers, and how many values, are cached: queries use the same ones many times."""


class GraphIndex:
    """Numbers instead of names. `forward` and `backward` are views; they neither copy nor sort."""

    def __init__(self, folder: Path):
        try:
            facts = json.loads((folder / "index.json").read_bytes())
        except FileNotFoundError:
            raise RollcallError(
                f"{folder}: no index here; make the graph again with `rollcall graph`"
            ) from None
        self._folder = folder
        self.dtype: np.dtype[Any] = np.dtype(facts["dtype"])
        self.entity_count: int = facts["entities"]
        self.literal_count: int = facts["literals"]
        self.dimensions: tuple[str, ...] = tuple(facts["dimensions"])
        self._forward: dict[int, Pairs] = {}
        self._backward: dict[int, Pairs] = {}
        self._entity_numbers: dict[str, int | None] = {}
        self._relation_numbers: dict[str, int | None] = {}
        self._class_numbers: dict[str, int | None] = {}
        self._values: dict[int, Value] = {}
        self._members: dict[str, Numbers] = {}
        self._value_dimensions: dict[int, int | None] = {}

    # -- strings -------------------------------------------------------------------------------------

    def _strings(self, name: str) -> StringTable:
        return StringTable.open(self._folder, name)

    @cached_property
    def entity_ids(self) -> StringTable:
        return self._strings("entity_ids")

    @cached_property
    def entity_labels(self) -> StringTable:
        """Labels by entity number; an empty string where the entity has none."""
        return self._strings("entity_labels")

    @cached_property
    def entity_descriptions(self) -> StringTable:
        return self._strings("entity_descriptions")

    @cached_property
    def entity_titles(self) -> StringTable:
        return self._strings("entity_titles")

    @cached_property
    def literals(self) -> StringTable:
        """Canonical texts of the literals; literal `i` is the term `entity_count + i`."""
        return self._strings("literals")

    @cached_property
    def relation_ids(self) -> StringTable:
        return self._strings("relation_ids")

    @cached_property
    def relation_labels(self) -> StringTable:
        return self._strings("relation_labels")

    @cached_property
    def relation_aliases(self) -> tuple[tuple[str, ...], ...]:
        """The aliases of each relation; a graph made by an earlier version has none."""
        if not (self._folder / "relation_alias_offsets.npy").exists():
            return ((),) * len(self.relation_ids)
        texts = self._strings("relation_aliases")
        offsets: list[int] = self._array("relation_alias_offsets").tolist()
        return tuple(tuple(texts[number] for number in range(start, end)) for start, end in pairwise(offsets))

    @cached_property
    def class_ids(self) -> StringTable:
        return self._strings("class_ids")

    @cached_property
    def class_labels(self) -> StringTable:
        return self._strings("class_labels")

    # -- from names to numbers -----------------------------------------------------------------------

    def entity_number(self, id_: str) -> int | None:
        numbers = self._entity_numbers
        if id_ not in numbers:
            if len(numbers) >= _REMEMBERED:
                numbers.clear()
            numbers[id_] = self.entity_ids.find(id_)
        return numbers[id_]

    def literal_number(self, text: str) -> int | None:
        """The term number of a literal by its canonical text."""
        number = self.literals.find(text)
        return None if number is None else number + self.entity_count

    def relation_number(self, id_: str) -> int | None:
        if id_ not in self._relation_numbers:
            self._relation_numbers[id_] = self.relation_ids.find(id_)
        return self._relation_numbers[id_]

    def class_number(self, id_: str) -> int | None:
        if id_ not in self._class_numbers:
            self._class_numbers[id_] = self.class_ids.find(id_)
        return self._class_numbers[id_]

    def term_text(self, number: int) -> str:
        """The id of an entity or the canonical text of a literal, by term number."""
        if number < self.entity_count:
            return self.entity_ids[number]
        return self.literals[number - self.entity_count]

    # -- facts and values ----------------------------------------------------------------------------

    @cached_property
    def _relation_offsets(self) -> list[int]:
        offsets: list[int] = self._array("relation_offsets").tolist()
        return offsets

    @cached_property
    def _global_arrays(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        names = ("forward_subjects", "forward_objects", "backward_objects", "backward_subjects")
        subjects, objects, sorted_objects, their_subjects = (self._array(name) for name in names)
        return subjects, objects, sorted_objects, their_subjects

    def forward(self, relation: int) -> Pairs:
        """(subjects, objects) of one relation, sorted by subject, then object; objects are terms."""
        pairs = self._forward.get(relation)
        if pairs is None:
            start, end = self._relation_offsets[relation : relation + 2]
            subjects, objects, _, _ = self._global_arrays
            pairs = self._forward[relation] = (subjects[start:end], objects[start:end])
        return pairs

    def backward(self, relation: int) -> Pairs:
        """(objects, subjects) of one relation, sorted by object, then subject."""
        pairs = self._backward.get(relation)
        if pairs is None:
            start, end = self._relation_offsets[relation : relation + 2]
            _, _, objects, subjects = self._global_arrays
            pairs = self._backward[relation] = (objects[start:end], subjects[start:end])
        return pairs

    # -- types ---------------------------------------------------------------------------------------

    @cached_property
    def _types_forward(self) -> Pairs:
        return self._array("type_forward_entities"), self._array("type_forward_classes")

    @cached_property
    def _types_backward(self) -> Pairs:
        return self._array("type_backward_classes"), self._array("type_backward_entities")

    def types_forward(self) -> Pairs:
        """(entities, classes), closed over the class hierarchy, sorted by entity, then class."""
        return self._types_forward

    def types_backward(self) -> Pairs:
        """(classes, entities), closed over the class hierarchy, sorted by class, then entity."""
        return self._types_backward

    def members(self, class_id: str) -> Numbers:
        """The sorted entities of a class and of the classes below it; none if the class is unknown."""
        members = self._members.get(class_id)
        if members is None:
            number = self.class_number(class_id)
            classes, entities = self._types_backward
            start, end = (0, 0) if number is None else np.searchsorted(classes, [number, number + 1])
            members = self._members[class_id] = entities[start:end]
        return members

    def direct_types(self, entity: int) -> Numbers:
        """The numbers of an entity's stated classes, without their ancestors."""
        offsets, classes = self._direct_types
        return classes[offsets[entity] : offsets[entity + 1]]

    @cached_property
    def _direct_types(self) -> Pairs:
        return self._array("direct_type_offsets"), self._array("direct_types")

    # -- literals ------------------------------------------------------------------------------------

    @cached_property
    def literal_dimension(self) -> npt.NDArray[np.int32]:
        """The index in `dimensions` of each literal's dimension; -1 if it has no order."""
        return self._array("literal_dimension")

    def value(self, number: int) -> Value:
        """The value of a literal, by term number."""
        values = self._values
        if number not in values:
            if len(values) >= _REMEMBERED:
                values.clear()
            values[number] = parse_value(self.literals[number - self.entity_count])
        return values[number]

    def value_dimension(self, relation: int) -> int | None:
        """The index in `dimensions` that all objects of a relation share; None if they differ."""
        if relation not in self._value_dimensions:
            objects = self.backward(relation)[0]
            common = None
            if len(objects) and objects[0] >= self.entity_count:
                dimensions = self.literal_dimension[objects - self.entity_count]
                first = int(dimensions[0])
                common = first if first >= 0 and bool((dimensions == first).all()) else None
            self._value_dimensions[relation] = common
        return self._value_dimensions[relation]

    @cached_property
    def literal_low(self) -> npt.NDArray[np.float64]:
        return self._array("literal_low")

    @cached_property
    def literal_high(self) -> npt.NDArray[np.float64]:
        return self._array("literal_high")

    # -- names ---------------------------------------------------------------------------------------

    def aliases(self, entity: int) -> list[str]:
        """The aliases of an entity, in byte order."""
        offsets, texts = self._aliases
        return texts[int(offsets[entity]) : int(offsets[entity + 1])]

    @cached_property
    def _aliases(self) -> tuple[Numbers, StringTable]:
        return self._array("alias_offsets"), self._strings("aliases")

    def named(self, folded: str) -> Numbers:
        """The entities with this folded name: a label, an alias, or the id of what has no label."""
        names, offsets, entities = self._names
        number = names.find(folded)
        return entities[:0] if number is None else entities[offsets[number] : offsets[number + 1]]

    def has_name_beginning(self, folded: str) -> bool:
        """Whether the folded form of some name begins with this text."""
        return self._names[0].has_beginning(folded)

    @property
    def names(self) -> StringTable:
        """The folded forms of all names, sorted."""
        return self._names[0]

    def bearers(self, name: int) -> Numbers:
        """The entities that have a name, by the number of its folded form."""
        _, offsets, entities = self._names
        return entities[offsets[name] : offsets[name + 1]]

    @cached_property
    def _names(self) -> tuple[StringTable, Numbers, Numbers]:
        stored = (self._strings("names"), self._array("name_offsets"), self._array("name_entities"))
        first = next((name for id_ in self.entity_ids if (name := fold(id_))), "")
        if self.entity_labels.is_blank and first and stored[0].find(first) is None:
            return self._with_ids(*stored)
        return stored

    def _with_ids(
        self, names: StringTable, offsets: Numbers, entities: Numbers
    ) -> tuple[StringTable, Numbers, Numbers]:
        """The names of a graph without labels that an earlier version made: it did not store the ids."""
        bearers = {
            name.encode(): set(entities[start:end].tolist())
            for name, (start, end) in zip(names, pairwise(offsets.tolist()), strict=True)
        }
        for number, id_ in enumerate(self.entity_ids):
            if name := fold(id_):
                bearers.setdefault(name.encode(), set()).add(number)
        ordered = sorted(bearers.items())
        counts = [0, *(len(numbers) for _, numbers in ordered)]
        numbers = [number for _, numbers in ordered for number in sorted(numbers)]
        return (
            StringTable.of(name.decode() for name, _ in ordered),
            np.cumsum(counts),
            np.array(numbers, np.int64),
        )

    def _array(self, name: str) -> npt.NDArray[Any]:
        return open_array(self._folder / f"{name}.npy")


# The names inside a graph folder, and the version of its format.

FORMAT_VERSION = 2
MANIFEST = "graph.json"
FIRST_LITERAL = 1 << 40
"""While a graph is assembled, literals are numbered from here: the number of entities is not known yet."""
SHARD_FOLDERS = "*/*/*[0-9]"
"""The folders of shards: source, thousand of blocks, block. Folders of unfinished blocks do not match."""
TABLES = tuple(declaration(table).name for table in GRAPH_TABLES)
_INDEX_STRINGS = (
    "entity_ids", "entity_labels", "entity_descriptions", "entity_titles", "aliases", "names", "literals",
    "relation_ids", "relation_labels", "class_ids", "class_labels",
    "relation_aliases",
)  # fmt: skip
_INDEX_ARRAYS = (
    "alias_offsets", "name_offsets", "name_entities", "literal_kind", "literal_dimension", "literal_low",
    "literal_high", "relation_offsets", "forward_subjects", "forward_objects", "backward_subjects",
    "backward_objects", "type_forward_entities", "type_forward_classes", "type_backward_entities",
    "type_backward_classes", "direct_types", "direct_type_offsets",
    "relation_alias_offsets",
)  # fmt: skip
_FILES = frozenset(
    [
        *(f"{table}.parquet" for table in TABLES),
        "index/index.json",
        *(f"index/{name}.{part}.npy" for name in _INDEX_STRINGS for part in ("offsets", "bytes")),
        *(f"index/{name}.npy" for name in _INDEX_ARRAYS),
    ]
)
GRAPH_FOLDER = Kind("graph", MANIFEST, FORMAT_VERSION, "rollcall graph SOURCE", _FILES)
