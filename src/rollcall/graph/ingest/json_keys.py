"""Recognises the lines of a JSON file by their keys: entities of Wikidata's dump, or rows of a table.

Both kinds of files have the same suffixes, so the first line that can be read as either kind decides.
"""

import msgspec

from rollcall.graph.ingest.records import column_names, shape_of
from rollcall.input_files.file_source import FileHead
from rollcall.nesting import UNREADABLE

JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
_WIKIDATA_KEYS = {"labels", "claims", "sitelinks", "redirect", "descriptions"}


def is_wikidata(head: FileHead) -> bool:
    """Whether the lines are entities of Wikidata."""
    lines = _lines(head)
    if lines[0].startswith(b"["):
        return True
    keys = _known_keys(lines)
    # The first line may be longer than the part that was read; only Wikidata's lines are.
    if keys is None and len(lines) == 1:
        return any(b'"%s"' % key.encode() in lines[0] for key in _WIKIDATA_KEYS)
    return bool(keys and keys & _WIKIDATA_KEYS)


def row_shape(head: FileHead) -> str | None:
    """What the rows contain, if the lines are rows."""
    lines = _lines(head)
    keys = _known_keys(lines)
    if lines[0].startswith(b"[") or not keys or keys & _WIKIDATA_KEYS:
        return None
    return shape_of(column_names(keys))


def _lines(head: FileHead) -> list[bytes]:
    if head.content.lstrip()[:1] not in (b"{", b"[") and head.suffix not in JSON_SUFFIXES:
        return [b""]
    return [line.strip(b" \t\r,\xef\xbb\xbf") for line in head.content.split(b"\n")]


def _known_keys(lines: list[bytes]) -> set[str] | None:
    for line in lines[:-1] or lines:
        keys = _keys(line)
        if keys & _WIKIDATA_KEYS or shape_of(column_names(keys)):
            return keys
    return None


def _keys(line: bytes) -> set[str]:
    try:
        decoded: object = msgspec.json.decode(line)
    except UNREADABLE:
        return set()
    return set(decoded) if isinstance(decoded, dict) else set()
