"""The keys of the first line of JSON, by which JSON lines files are recognised."""

import re

import msgspec

from rollcall.input_files.file_source import FileHead
from rollcall.nesting import UNREADABLE


def first_keys(head: FileHead) -> set[str]:
    """The keys of the object in the first line; none if the line is not an object."""
    line = head.first_line
    if not line.startswith(b"{"):
        return set()
    try:
        decoded: object = msgspec.json.decode(line)
    except UNREADABLE:  # longer than the part that was read
        return {key.decode() for key in re.findall(rb'"(article_body|page|rows|title|text)"\s*:', line)}
    return set(decoded) if isinstance(decoded, dict) else set()
