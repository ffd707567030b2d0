"""Small Wikidata dumps for the tests: builders of items, statements and values, and writers of files."""

import bz2
import gzip
import json
from pathlib import Path
from typing import Any

import zstandard

WIKIDATA = "http://www.wikidata.org/entity/"


def item_value(id_: str) -> dict[str, Any]:
    kind = "property" if id_.startswith("P") else "item"
    return {
        "type": "wikibase-entityid",
        "value": {"entity-type": kind, "numeric-id": int(id_[1:]), "id": id_},
    }


def string_value(text: str) -> dict[str, Any]:
    return {"type": "string", "value": text}


def text_value(text: str, language: str) -> dict[str, Any]:
    return {"type": "monolingualtext", "value": {"text": text, "language": language}}


def time_value(time: str, precision: int) -> dict[str, Any]:
    value = {"time": time, "timezone": 0, "before": 0, "after": 0, "precision": precision}
    return {"type": "time", "value": value | {"calendarmodel": WIKIDATA + "Q1985727"}}


def quantity_value(amount: str, unit: str = "1") -> dict[str, Any]:
    return {"type": "quantity", "value": {"amount": amount, "unit": unit if unit == "1" else WIKIDATA + unit}}


def point_value(latitude: float | None, longitude: float, globe: str = "Q2") -> dict[str, Any]:
    value = {"latitude": latitude, "longitude": longitude, "altitude": None, "precision": 0.1}
    return {"type": "globecoordinate", "value": value | {"globe": WIKIDATA + globe}}


def statement(
    data: dict[str, Any] | None,
    rank: str = "normal",
    *,
    datatype: str | None = None,
    snaktype: str = "value",
    ends: str | None = None,
) -> dict[str, Any]:
    """One statement; `ends` is the snak type of an end-time qualifier."""
    snak: dict[str, Any] = {"snaktype": snaktype, "property": "P1"}
    if data is not None:
        snak |= {"datavalue": data, "datatype": datatype or "any"}
    made: dict[str, Any] = {"mainsnak": snak, "type": "statement", "id": "x$1", "rank": rank}
    if ends is not None:
        made["qualifiers"] = {"P580": [{"snaktype": "somevalue"}], "P582": [{"snaktype": ends}]}
    made["references"] = [{"hash": "0", "snaks": {"P813": [{"snaktype": "value"}]}}]
    return made


def item(id_: str, label: str | None = None, claims: Any = None, **more: Any) -> dict[str, Any]:
    labels = {"en": {"language": "en", "value": label}} if label else []
    made = {
        "type": "item",
        "id": id_,
        "labels": labels,
        "descriptions": [],
        "aliases": [],
        "claims": claims or [],
    }
    return made | {"sitelinks": []} | more


def terms(**by_language: str) -> dict[str, Any]:
    """A map of terms; an underscore in a name stands for a hyphen."""
    codes = {name.replace("_", "-"): value for name, value in by_language.items()}
    return {code: {"language": code, "value": value} for code, value in codes.items()}


def array_form(lines: list[Any]) -> bytes:
    """The form of the full dump: an array, one element a line, with trailing commas."""
    return b"[\n" + b",\n".join(_encode(line) for line in lines) + b"\n]\n"


def line_form(lines: list[Any]) -> bytes:
    return b"".join(_encode(line) + b"\n" for line in lines)


def _encode(line: Any) -> bytes:
    return line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode()


def write_compressed(path: Path, content: bytes) -> Path:
    """Write bytes compressed as the suffix says."""
    compress = {".gz": gzip.compress, ".bz2": bz2.compress, ".zst": zstandard.compress}.get(
        path.suffix, bytes
    )
    path.write_bytes(compress(content))
    return path


def rows(graph: Any, table: str, *columns: str) -> list[tuple[Any, ...]]:
    """The rows of a graph's table in its order, without loading an engine."""
    import pyarrow.parquet as pq

    read = pq.read_table(graph.folder / f"{table}.parquet").to_pydict()
    return list(zip(*(read[column] for column in columns or read), strict=True))


def folder_bytes(folder: Path) -> dict[str, bytes]:
    """Every file under a folder with its content."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
