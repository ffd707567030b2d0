"""Dumps, RDF and tables with one broken entry in the middle: it costs only itself, whatever it is.

The first and the last entry of a file are whole; what they say must be there, and nothing but a clear refusal
may be raised.
"""

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fuzzing.mutation import ODD_TEXTS, content_of, mutated_bytes, mutated_piece, pieces
from fuzzing.target import Target
from graph_dumps import (
    item_value,
    point_value,
    quantity_value,
    statement,
    string_value,
    text_value,
    time_value,
)
from rollcall import RollcallError
from rollcall.graph import GraphShard, LineSource, value_row
from rollcall.graph.ingest.cells import read_cell
from rollcall.graph.make import find_sources, open_source
from rollcall.graph.source import ReadOptions
from rollcall.input_files import Tally
from rollcall.input_files.input_file import BOM, input_file

ENTITY = {
    "type": "item", "id": "Q5",
    "labels": {"en": {"language": "en", "value": "five"}}, "aliases": {"en": [{"language": "en",
    "value": "V"}]},
    "descriptions": {"en": {"value": "a number"}}, "sitelinks": {"enwiki": {"title": "Five"}},
    "claims": {
        "P1": [statement(item_value("Q7")), statement(string_value("x"), ends="value")],
        "P2": [statement(time_value("+1960-05-17T00:00:00Z", 11)), statement(quantity_value("+5", "Q11573"))],
        "P3": [statement(text_value("cinq", "en")), statement(point_value(1.5, 2.5)), statement(None,
        snaktype="novalue")],
    },
}  # fmt: skip
RECORD = {"subject": "b", "relation": "r", "value": "1984-09-04", "object": ""}
NAMED = {
    "id": "b",
    "label": "B",
    "aliases": ["x", {"text": "y", "count": 3}],
    "types": ["t"],
    "description": "d",
}
TRIPLE = b'<http://x/b> <http://x/r> "5"^^<http://www.w3.org/2001/XMLSchema#integer> .'
TURTLE = b'ex:b ex:r [ ex:s "x"@en, 5.5, (1 2) ], """long""" ; a ex:C .'
ROW = b"b\tr\t12 km (7.5 mi)"


def draw(chance: random.Random) -> Any:
    kind = chance.choice(["wikidata", "jsonl", "entities", "tsv", "csv", "nt", "ttl", "parquet"])
    if kind == "parquet":
        column = [chance.choice(ODD_TEXTS[:9]), "b", None, chance.choice(["5", "x", "(1 m"])]
        return {"kind": kind, "column": [text.replace("\ud800", "") if text else text for text in column],
                "type": chance.choice(["string", "int64", "list", "struct", "double", "bool"]),
                "broken": chance.random() < 0.3, "at": chance.random()}  # fmt: skip
    return {"kind": kind, "middle": pieces(_entry(chance, kind)), "whole": chance.random() < 0.9}


def _entry(chance: random.Random, kind: str) -> bytes:
    if kind in ("wikidata", "jsonl", "entities"):
        return mutated_piece(chance, {"wikidata": ENTITY, "jsonl": RECORD, "entities": NAMED}[kind])
    if kind in ("tsv", "csv") and chance.random() < 0.6:
        cell = chance.choice(ODD_TEXTS) + chance.choice(["", "1", " m", "(5 m)"]) * chance.choice([1, 1, 900])
        made = "\t".join(["b", "r", cell]).encode("utf-8", "surrogatepass")
    else:
        made = mutated_bytes(chance, {"nt": TRIPLE, "ttl": TURTLE}.get(kind, ROW))
    return made.replace(b"\t", b",") if kind == "csv" else made


def _file(case: Any) -> tuple[str, bytes]:
    middle, kind = content_of(case["middle"]), case["kind"]
    if kind == "wikidata":
        first, last = (json.dumps(ENTITY | {"id": id_}).encode() for id_ in ("Q1", "Q9"))
        return "x.json", b"[\n" + b",\n".join([first, middle, last]) + b"\n]\n"
    if kind in ("jsonl", "entities"):
        like = (RECORD, "subject") if kind == "jsonl" else (NAMED, "id")
        first, last = (json.dumps(like[0] | {like[1]: id_}).encode() for id_ in ("Q1", "Q9"))
        return "x.jsonl", b"\n".join([first, middle, last, b""])
    if kind in ("tsv", "csv"):
        mark = b"\t" if kind == "tsv" else b","
        rows = [
            mark.join(row)
            for row in ((b"subject", b"relation", b"value"), (b"Q1", b"r", b"5"), (b"Q9", b"r", b"6"))
        ]
        return f"x.{kind}", b"\n".join([rows[0], rows[1], middle, rows[2], b""])
    first, last = (b"<http://x/%s> <http://x/r> <http://x/o> ." % id_ for id_ in (b"Q1", b"Q9"))
    return f"x.{kind}", b"\n".join(
        [b"@prefix ex: <http://x/> ." if kind == "ttl" else b"", first, middle, last, b""]
    )


def check(case: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        if case["kind"] == "parquet":
            path = Path(folder) / "x.parquet"
            _write_parquet(case, path)
        else:
            name, content = _file(case)
            path = Path(folder) / name
            path.write_bytes(content)
        try:
            (source,) = find_sources([input_file(path)], lambda file: file, "auto", {}, ReadOptions())
        except RollcallError:
            assert case["kind"] == "parquet" or case["kind"] == "csv", "the first line is whole"
            return
        found = _read(source, path)
        # A quote that opens in a CSV file, and a statement of Turtle, may go on to the end.
        if case["kind"] not in ("parquet", "csv", "ttl"):
            assert {"Q1", "Q9"} <= {id_.rpartition("/")[2] for id_ in found}, "the whole entries are kept"


def _read(source: Any, path: Path) -> set[str]:
    reader = open_source(source, ReadOptions())
    shard, tally = GraphShard(), Tally()
    if isinstance(reader, LineSource):
        reader.read(path.read_bytes().removeprefix(BOM), shard, tally, True)
        shards = [shard]
    else:
        parts = list(reader.read_file(path, 0))
        shards = [part for part, _ in parts]
        for _, one in parts:
            tally.add(one)
    found: set[str] = set()
    for one in shards:
        for table in one.columns:
            one.arrow(table)
            found |= set(one.columns[table][0])
        for subject, relation, text in zip(*one.columns["cells"], strict=True):
            one.value(subject, relation, value_row(read_cell(text, first_year=1000, unit="Q11573")))
        one.arrow("values")
    assert tally.entries >= tally.bad_total - 1
    return found


def _write_parquet(case: Any, path: Path) -> None:
    made: dict[str, Any] = {
        "string": pa.array(case["column"], pa.string()),
        "int64": pa.array([1, None, -5, 1 << 62]),
        "double": pa.array([1.5, None, float("nan"), float("inf")]),
        "bool": pa.array([True, None, False, True]),
        "list": pa.array([["a"], None, [], ["b", None]]),
        "struct": pa.array([{"text": "a"}, None, {"text": None}, {"text": "b"}]),
    }
    names = random.Random(str(case)).choice(
        [("subject", "relation", "value"), ("id", "label", "aliases"), ("entity", "text", "count")]
    )
    columns = [pa.array(["Q1", "b", "c", "Q9"]), pa.array(["r", "r", None, "r"]), made[case["type"]]]
    pq.write_table(pa.table(dict(zip(names, columns, strict=True))), path)
    if case["broken"]:
        content = bytearray(path.read_bytes())
        content[int(case["at"] * len(content))] ^= 0x10
        path.write_bytes(bytes(content))


def draw_cell(chance: random.Random) -> Any:
    parts = [
        *ODD_TEXTS,
        "1",
        "5 ft ",
        "(",
        ")",
        "km",
        " ",
        ",",
        "1,000",
        "c. ",
        "[1]",
        "*",
        "1984",
        "-",
        "May ",
        "BC",
        "$",
    ]
    text = "".join(chance.choice(parts) for _ in range(chance.randint(1, 8)))
    return [text, chance.choice([1, 1, 2, 30, 3000]) if len(text) < 50 else 1]


def check_cell(case: Any) -> None:
    """Whatever a cell holds is a value or a text, unless no file could hold it."""
    text, times = case
    for unit in (None, "Q11573"):
        try:
            value_row(read_cell(text * times, first_year=100, unit=unit))
        except RollcallError:
            assert any("\ud800" <= letter <= "\udfff" for letter in text)


TARGETS = [Target("graph-files", draw, check, share=100), Target("cells", draw_cell, check_cell, share=300)]
