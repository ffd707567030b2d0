"""From shards to a finished graph: each sorted result streams once into the tables and the index.

The engine sorts and joins within its memory limit; here one batch at a time is in memory, besides the
relations and classes, which are few.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rollcall.engine import Workbench
from rollcall.graph.arrays import ArrayWriter
from rollcall.graph.assemble import combine
from rollcall.graph.assemble.edges import write_edges
from rollcall.graph.assemble.named import write_aliases, write_entities, write_names
from rollcall.graph.assemble.types import write_types
from rollcall.graph.shards import COLUMNS, arrow_schema
from rollcall.graph.strings import StringTableWriter

KINDS = ("number", "quantity", "date", "text", "point")
"""The kinds of literal values; a literal's kind is stored as its place here."""


def name_shards(bench: Workbench, folder: Path, tables: Mapping[str, Any] | None = None) -> None:
    """Give the engine every shard table: files under the folder, Arrow tables at hand, or nothing."""
    for table in COLUMNS:
        if tables is not None and table in tables:
            bench.give(f"read_{table}", tables[table])
        elif next(folder.glob(f"*/*/{table}-*.parquet"), None) is not None:
            bench.read_parquet(f"read_{table}", f"{folder}/*/*/{table}-*.parquet")
        else:
            bench.give(f"read_{table}", arrow_schema(table).empty_table())


def build_tables_and_index(bench: Workbench, folder: Path) -> dict[str, int]:
    """Write the tables and `index/` of a graph from the named shards; returns the rows of each table."""
    index = folder / "index"
    index.mkdir(parents=True, exist_ok=True)
    for name in ("entity_numbers", "relation_numbers", "class_numbers", "literal_numbers", "described"):
        bench.keep(name, getattr(combine, name))
    counts = {"entities": write_entities(bench, folder)}
    literals, dimensions = _write_literals(bench, index)
    terms = counts["entities"] + literals
    dtype = np.dtype(np.int32 if terms < 2**31 else np.int64)
    counts["aliases"] = write_aliases(bench, folder)
    write_names(bench, index, dtype)
    counts |= write_edges(bench, folder, counts["entities"], dtype, dimensions, KINDS)
    counts |= write_types(bench, folder, counts["entities"], dtype)
    facts = {"dtype": dtype.name, "entities": counts["entities"], "literals": literals}
    (index / "index.json").write_text(json.dumps(facts | {"dimensions": dimensions}))
    return counts


def _write_literals(bench: Workbench, index: Path) -> tuple[int, list[str]]:
    """Write texts, kinds and bounds of the literals; returns their number and the dimensions met."""
    dimensions: dict[str | None, int] = {None: -1}
    with (
        StringTableWriter(index, "literals") as texts,
        ArrayWriter(index / "literal_kind.npy", np.int8) as kinds,
        ArrayWriter(index / "literal_dimension.npy", np.int32) as places,
        ArrayWriter(index / "literal_low.npy", np.float64) as lows,
        ArrayWriter(index / "literal_high.npy", np.float64) as highs,
    ):
        for batch in bench.stream(combine.literals_in_order):
            texts.append(batch.column("id"))
            kinds.append(_codes(batch.column("kind"), {kind: place for place, kind in enumerate(KINDS)}))
            places.append(_codes(batch.column("dimension"), dimensions))
            lows.append(batch.column("low").to_numpy(zero_copy_only=False))
            highs.append(batch.column("high").to_numpy(zero_copy_only=False))
    return len(texts), [name for name in dimensions if name is not None]


def _codes(strings: Any, known: dict[Any, int]) -> Any:
    """Each string's code; strings not met before get the next one (codes start at 0, after any -1)."""
    encoded = strings.dictionary_encode(null_encoding="encode")
    codes = []
    for name in encoded.dictionary.to_pylist():
        codes.append(known.setdefault(name, len(known) - (None in known)))
    return np.array(codes, dtype=np.int32)[encoded.indices.to_numpy()]
