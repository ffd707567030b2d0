"""The elements of a JSON array, one after the other, however it is laid out over lines.

Only one element at a time is in memory, so that an array may be larger than memory, as a dump is.
"""

import io
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import IO, NamedTuple

_CHUNK = 1 << 16
_LONGEST = 64 << 20
_SPACE = " \t\r\n"
_NEXT_LIST = re.compile(r":\s*\[\s*\{")


class Element(NamedTuple):
    """An element of an array with the line where it begins; or what is wrong, after which nothing is read."""

    line: int
    value: object
    problem: str | None = None


def is_array(content: bytes) -> bool:
    """Whether a file begins as a JSON array."""
    return content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def first_element(content: bytes) -> object:
    """The first element of the array at the beginning of a file; None if it is not whole there."""
    return next((one.value for one in elements(io.BytesIO(content)) if one.problem is None), None)


def elements(stream: IO[bytes], start: int = 0) -> Iterator[Element]:
    """The elements of the array in a stream of UTF-8; numbers with a point are decimals.

    `start` is where the array begins if it is a member of an object.
    """
    before = stream.read(start)
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="replace", newline="")
    decode = json.JSONDecoder(parse_float=Decimal).raw_decode
    buffer, line, size = "", 1 + before.count(b"\n"), _CHUNK
    begun = ended = False
    while True:
        stripped = buffer.lstrip(_SPACE if not begun else _SPACE + ",")
        line += buffer.count("\n", 0, len(buffer) - len(stripped))
        buffer = stripped
        if buffer and not begun:
            if buffer[0] != "[":
                yield Element(line, None, "not a JSON array")
                return
            buffer, begun = buffer[1:], True
            continue
        if buffer.startswith("]"):
            if start and _NEXT_LIST.search(buffer + text.read(_CHUNK)):
                yield Element(line, None, "another list of objects, which is left out")
            return
        if buffer:
            try:
                value, end = decode(buffer)
            except (ValueError, RecursionError) as error:
                if ended or isinstance(error, RecursionError) or len(buffer) > _LONGEST:
                    yield Element(line, None, _why(error))
                    return
            else:
                if end < len(buffer) or ended:  # a number at the end of the buffer may go on
                    yield Element(line, value)
                    line += buffer.count("\n", 0, end)
                    buffer, size = buffer[end:], _CHUNK
                    continue
        if ended:
            yield Element(line, None, "the array does not end")
            return
        chunk = text.read(size)
        size *= 2  # a long element is decoded again and again: the more of it is read, the less often
        buffer, ended = buffer + chunk, not chunk


def _why(error: Exception) -> str:
    return "nested too deeply" if isinstance(error, RecursionError) else str(error).partition(":")[0]
