"""The keys of the first line of JSON, by which JSON lines files are recognised."""

import re

import msgspec

from rollcall.corpus.ingest.page_layout import TEXT_KEYS
from rollcall.input_files.file_source import FileHead
from rollcall.nesting import UNREADABLE

_KEYS = ("article_body", "page", "rows", "title", "id", "_id", *TEXT_KEYS)
_LONG_LINE = re.compile(rb'"(%s)"\s*:' % "|".join(_KEYS).encode())


def first_keys(head: FileHead) -> set[str]:
    """The keys of the object in the first line; none if the line is not an object."""
    line = head.first_line
    if not line.startswith(b"{"):
        return set()
    try:
        decoded: object = msgspec.json.decode(line)
    except UNREADABLE:  # longer than the part that was read
        return {key.decode() for key in _LONG_LINE.findall(line)}
    return set(decoded) if isinstance(decoded, dict) else set()
