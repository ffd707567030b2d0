"""Recognises a JSON file by its first records: entities of Wikidata's dump, or rows, as lines or in an array.

All these files have the same suffixes, so the first record that can be read as one of these kinds decides.
"""

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError
from rollcall.graph.ingest.layouts import layout_of
from rollcall.graph.ingest.records import Record, is_neo4j_record
from rollcall.input_files.file_source import FileHead
from rollcall.input_files.rows import JsonMember, first_element, is_array, json_document

JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
NEO4J_JSON = "neo4j-json"
"""The shape of nodes and relationships as JSON objects."""
_SHOWN = 12
_WIKIDATA_KEYS = {"labels", "claims", "sitelinks", "redirect", "descriptions"}


def is_wikidata(head: FileHead) -> bool:
    """Whether the lines are entities of Wikidata."""
    if is_array(head.content):
        return array_record(head) is None
    lines = _lines(head)
    record = _known_record(lines)
    # The first line may be longer than the part that was read; only Wikidata's lines are.
    if record is None and len(lines) == 1 and listed(head) is None:
        return any(b'"%s"' % key.encode() in lines[0] for key in _WIKIDATA_KEYS)
    return record is not None and _is_entity(record)


def listed(head: FileHead) -> JsonMember | None:
    """The only list of objects in a file that is one object, if that is not a row or an entity itself."""
    document = json_document(head.content)
    if document is None or len(document.lists) != 1 or _is_known(dict.fromkeys(document.keys)):
        return None
    return document.lists[0]


def is_lines(head: FileHead) -> bool:
    """Whether the file has rows of any keys, one a line."""
    document = json_document(head.content)
    if document is not None and not document.one_line:
        return False
    if document is not None and document.lists and not _is_known(dict.fromkeys(document.keys)):
        return False
    return line_record(head) is not None


def keys_seen(head: FileHead) -> str:
    """What a file of JSON holds that cannot be read, and what to do."""
    document = json_document(head.content)
    if document is None:
        return "no JSON array, and no JSON objects one a line"
    several = [member.key for member in document.lists]
    if several[1:]:
        shown = ", ".join(several[:_SHOWN])
        return f"has several lists of objects, under {shown}; write each into a file of its own"
    shown = ", ".join(key[:40] for key in document.keys[:_SHOWN])
    return f"is one object with the keys {shown}, and none holds a list of objects to read as rows"


def line_record(head: FileHead) -> Record | None:
    """The first record, if the lines are rows: the first with known keys, else the first of whatever keys."""
    lines = _lines(head)
    if is_array(head.content):
        return None
    record = _known_record(lines)
    if record is None:
        record = next((decoded for line in lines if (decoded := _record(line))), None)
    return None if record is None or _is_entity(record) else record


def array_record(head: FileHead) -> Record | None:
    """The first element, if the file is an array of rows, or an object that holds one."""
    if (member := listed(head)) is not None:
        head = head._replace(content=head.content[member.start :])
    if not is_array(head.content) or head.content.lstrip()[:2] == b"[]":
        return None
    first = first_element(head.content)
    return first if isinstance(first, dict) and first and not _is_entity(first) else None


def first_records(content: bytes, first: Record) -> list[Record]:
    """The records in the beginning of a file of lines; of an array the first one alone."""
    lines = (line.strip(b" \t\r,\xef\xbb\xbf") for line in content.split(b"\n"))
    records = [record for line in lines if line.startswith(b"{") and (record := _record(line))]
    return records or [first]


def _is_entity(record: Record) -> bool:
    return bool(record.keys() & _WIKIDATA_KEYS) and not is_neo4j_record(record)


def _lines(head: FileHead) -> list[bytes]:
    if head.content.lstrip()[:1] not in (b"{", b"[") and head.suffix not in JSON_SUFFIXES:
        return [b""]
    return [line.strip(b" \t\r,\xef\xbb\xbf") for line in head.content.split(b"\n")]


def _known_record(lines: list[bytes]) -> Record | None:
    for line in lines[:-1] or lines:
        record = _record(line)
        if not record:
            continue
        if _is_known(record):
            return record
    return None


def _is_known(record: Record) -> bool:
    if record.keys() & _WIKIDATA_KEYS or is_neo4j_record(record):
        return True
    return not isinstance(layout_of(list(record)), RollcallError)


def _record(line: bytes) -> Record:
    try:
        decoded: object = msgspec.json.decode(line)
    except UNREADABLE:
        return {}
    return decoded if isinstance(decoded, dict) else {}
