"""From shards to a finished graph: each sorted result is streamed once into the tables and the index.

The engine sorts and joins within its memory limit. Here only one batch at a time is in memory, besides the
relations and classes, which are few.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rollcall.graph.arrays import ArrayWriter
from rollcall.graph.assemble.combination import Combination
from rollcall.graph.assemble.edges import write_edges
from rollcall.graph.assemble.named import (
    write_aliases,
    write_entities,
    write_names,
    write_relation_aliases,
)
from rollcall.graph.assemble.types import write_types
from rollcall.graph.strings import StringTableWriter

KINDS = ("number", "quantity", "date", "text", "point")
"""The kinds of literal values; a literal's kind is stored as its index in this tuple."""


STEPS = 5


def build_tables_and_index(
    combination: Combination, folder: Path, step: Callable[[str], None] = lambda _: None
) -> tuple[dict[str, int], dict[str, int]]:
    """Write the tables and `index/` of a graph from the combined shards.

    Returns the rows of each table, and how many facts and values were given again.

    `step` is called STEPS times, with the name of the part that is being written.
    """
    index = folder / "index"
    index.mkdir(parents=True, exist_ok=True)
    step("entities")
    counts = {"entities": write_entities(combination, folder)}
    step("values")
    literals, dimensions = _write_literals(combination, index)
    terms = counts["entities"] + literals
    dtype = np.dtype(np.int32 if terms < 2**31 else np.int64)
    step("names")
    counts["aliases"] = write_aliases(combination, folder)
    write_names(combination, index, dtype)
    step("facts")
    edges, repeated = write_edges(combination, folder, counts["entities"], dtype, dimensions, KINDS)
    counts |= edges
    write_relation_aliases(combination, index, counts["relations"])
    step("types")
    counts |= write_types(combination, folder, counts["entities"], dtype)
    facts = {"dtype": dtype.name, "entities": counts["entities"], "literals": literals}
    (index / "index.json").write_text(json.dumps(facts | {"dimensions": dimensions}))
    return counts, repeated


def _write_literals(combination: Combination, index: Path) -> tuple[int, list[str]]:
    """Write texts, kinds and bounds of the literals; returns their number and their dimensions."""
    dimensions: dict[str | None, int] = {None: -1}
    with (
        StringTableWriter(index, "literals") as texts,
        ArrayWriter(index / "literal_kind.npy", np.int8) as kinds,
        ArrayWriter(index / "literal_dimension.npy", np.int32) as places,
        ArrayWriter(index / "literal_low.npy", np.float64) as lows,
        ArrayWriter(index / "literal_high.npy", np.float64) as highs,
    ):
        for batch in combination.literals():
            texts.append(batch.column("id"))
            kinds.append(_codes(batch.column("kind"), {kind: place for place, kind in enumerate(KINDS)}))
            places.append(_codes(batch.column("dimension"), dimensions))
            lows.append(batch.column("low").to_numpy(zero_copy_only=False))
            highs.append(batch.column("high").to_numpy(zero_copy_only=False))
    return len(texts), [name for name in dimensions if name is not None]


def _codes(strings: Any, known: dict[Any, int]) -> npt.NDArray[np.int32]:
    """Each string's code; a new string gets the next code, from 0; null is -1."""
    encoded = strings.dictionary_encode(null_encoding="encode")
    codes = []
    for name in encoded.dictionary.to_pylist():
        codes.append(known.setdefault(name, len(known) - (None in known)))
    found: npt.NDArray[np.int32] = np.array(codes, dtype=np.int32)[encoded.indices.to_numpy()]
    return found
