"""The keys under which the corpus is searched: those of names, of values, and of links.

Input: `named_ends`. Output: files of `name_keys`, and those of `word_keys`. A name has the keys of its
written forms. A date is found by its year and a number by its digits, if these are more than two: smaller
ones are in too many sentences. A link to an entity has a key of its own, like a name that nobody else has.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from rollcall.evidence.mentions.word_keys import beginnings, write_keys
from rollcall.evidence.names.forms import END, WORD, known_forms
from rollcall.evidence.values.matcher import text_forms, wanted_value
from rollcall.query.values import Date, Number, Text
from rollcall.tables.engine import nothing
from rollcall.tables.evidence import NameKeys
from rollcall.tables.table import schema
from rollcall.tables.writer import write_scratch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rollcall.tables.engine import Engine

_FEWEST_DIGITS = 3


def write_name_keys(folder: Path, named: Iterable[pa.RecordBatch], engine: "Engine") -> None:
    """Write the keys of `named_ends` to a folder."""
    (folder / "name_keys").mkdir()
    whole, begun = [], []
    for number, (rows, starts) in enumerate(engine.map_blocks(_keyed, named, nothing)):
        write_scratch(rows, folder / "name_keys" / f"{number:06d}.parquet")
        whole.append(rows["key"].to_numpy().view(np.uint64))
        begun.append(starts)
    write_keys(folder, whole, begun)


def link_key(entity: str) -> int:
    """The key of all links to an entity."""
    return beginnings((END, entity))[-1]


def _keyed(_prepared: None, named: pa.RecordBatch) -> "tuple[pa.Table, NDArray[np.uint64]]":
    """The keys of some ends, and the keys with which longer names begin."""
    keys: list[int] = []
    rows: list[int] = []
    begun: set[int] = set()
    columns = (named[name].to_pylist() for name in ("end", "literal", "relation", "names"))
    for row, (end, literal, relation, names) in enumerate(zip(*columns, strict=True)):
        own = set() if literal or relation else {link_key(end)}
        for words in map(WORD.findall, _of_value(end) if literal else _of_names(names)):
            if words:
                *starts, key = beginnings(words)
                own.add(key)
                begun.update(starts)
        keys += sorted(own)
        rows += [row] * len(own)
    taken = named.take(pa.array(rows, pa.int64()))
    signed = pa.array(np.array(keys, np.uint64).view(np.int64))
    arrays = [signed, *(taken[name] for name in schema(NameKeys).names[1:])]
    return pa.Table.from_arrays(arrays, schema=schema(NameKeys)), np.array(sorted(begun), np.uint64)


def _of_names(names: str) -> Iterator[str]:
    """The written forms of names joined in one text; a form without a word cannot be found."""
    return (form.text for form in known_forms(names) if form.word)


def _of_value(text: str) -> Iterator[str]:
    """How a value in canonical text is written, as far as its digits do not depend on the unit."""
    value = wanted_value(text)
    if isinstance(value, Text):
        yield from (form.text for form in text_forms(value))
    elif isinstance(value, Number):
        amount = abs(value.amount)
        if -30 < amount.adjusted() < 30 and len(amount.as_tuple().digits) >= _FEWEST_DIGITS:
            yield from {f"{amount:f}", f"{amount:,f}"}
    elif isinstance(value, Date):
        year = str(value.year if value.year > 0 else 1 - value.year)
        if len(year) >= _FEWEST_DIGITS and value.precision in ("year", "month", "day", "decade"):
            yield f"{year}s" if value.precision == "decade" else year
