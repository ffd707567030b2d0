"""What a source is: told by its suffix where that says it, else by its first line and its columns."""

from pathlib import Path
from typing import Any

import msgspec

from rollcall.errors import RollcallError
from rollcall.graph.read.records import KNOWN_COLUMNS, column_names, shape_of
from rollcall.nesting import UNREADABLE
from rollcall.reading.intact import open_intact, without_mark
from rollcall.reading.source import Source

_COMPRESSIONS = (".gz", ".bz2", ".zst")
_BY_SUFFIX = {
    ".nt": "ntriples",
    ".nq": "nquads",
    ".ttl": "turtle",
    ".trig": "trig",
    ".tsv": "tsv",
    ".csv": "csv",
    ".parquet": "parquet",
    ".json": "json",
    ".jsonl": "json",
    ".ndjson": "json",
}
_WIKIDATA_KEYS = {"labels", "claims", "sitelinks", "redirect", "descriptions"}
_SNIFFED = 1 << 16


def detect(path: Path) -> Source:
    """Tell what a file is; an error says why it cannot be told."""
    plain = path.with_suffix("") if path.suffix in _COMPRESSIONS else path
    with open_intact(path) as stream:
        head = without_mark(stream).read(_SNIFFED)
    if not head and stream.damage:
        raise RollcallError(f"{path}: cannot be decompressed: {stream.damage}")
    if not head.strip():
        raise RollcallError(f"{path}: is empty")
    kind = _BY_SUFFIX.get(plain.suffix.lower()) or _sniff(head)
    if kind == "json":
        return _detect_json(path, head)
    if kind == "parquet":
        if plain != path:
            raise RollcallError(f"{path}: a Parquet file is compressed inside; decompress it first")
        return _table(path, kind, _parquet_columns(path))
    if kind in ("tsv", "csv"):
        header = head.split(b"\n", 1)[0].decode("utf-8", "replace").rstrip("\r")
        return _table(path, kind, header.split("\t" if kind == "tsv" else ","))
    if kind is None:
        raise RollcallError(
            f"{path}: cannot tell what this is; known are Wikidata JSON, RDF (.nt .nq .ttl .trig), and "
            ".tsv .csv .parquet .jsonl with named columns"
        )
    return Source(str(path), kind)


def _sniff(head: bytes) -> str | None:
    first = head.lstrip().split(b"\n", 1)[0]
    if head.startswith(b"PAR1"):
        return "parquet"
    if first[:1] in (b"{", b"["):
        return "json"
    if first.startswith((b"@prefix", b"@base", b"PREFIX", b"BASE")):
        return "turtle"
    if first.startswith((b"<", b"_:")) and first.rstrip().endswith(b"."):
        return "ntriples"
    return "tsv" if b"\t" in first else None


def _detect_json(path: Path, head: bytes) -> Source:
    """Wikidata's dump, or lines of records: by the keys of the first object that can be read."""
    lines = [line.strip(b" \t\r,\xef\xbb\xbf") for line in head.split(b"\n")]
    if lines and lines[0].startswith(b"["):
        return Source(str(path), "wikidata")
    for line in lines[:-1] or lines:
        keys = _keys(line)
        if keys & _WIKIDATA_KEYS:
            return Source(str(path), "wikidata")
        if shape := shape_of(column_names(keys)):
            return Source(str(path), "jsonl", shape)
    # The first line may be longer than what was looked at; only Wikidata's are.
    if len(lines) == 1 and any(b'"%s"' % key.encode() in lines[0] for key in _WIKIDATA_KEYS):
        return Source(str(path), "wikidata")
    raise RollcallError(f"{path}: neither Wikidata JSON nor lines with the keys {KNOWN_COLUMNS}")


def _keys(line: bytes) -> set[str]:
    try:
        decoded: Any = msgspec.json.decode(line)
    except UNREADABLE:
        return set()
    return set(decoded) if isinstance(decoded, dict) else set()


def _table(path: Path, kind: str, header: list[str]) -> Source:
    columns = column_names(header)
    shape = shape_of(columns)
    if shape is None:
        found = ", ".join(name[:40] for name in columns[:12])
        raise RollcallError(f"{path}: has the columns {found}; known are {KNOWN_COLUMNS}")
    return Source(str(path), kind, shape, columns)


def _parquet_columns(path: Path) -> list[str]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return list(pq.read_schema(path).names)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise RollcallError(f"{path}: is not a readable Parquet file: {error}") from None
