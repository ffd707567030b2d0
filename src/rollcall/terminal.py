"""Lines for the terminal: nothing that stands in data may steer it, and no terminal is too plain for it.

A label may hold the sequences that move the cursor, change the title or rewrite what was printed before. They
are taken out here, and in `rollcall.screen` for what is laid out; everything that commands print goes through
one of the two.
"""

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters but for tab and line break, and those that turn the direction of writing."""
_SHOWN_RAW = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Those among them that JSON leaves as they are."""


def shown(text: str) -> str:
    """A text without anything that steers a terminal."""
    return _STEERING.sub("", text) if not text.isprintable() else text


def say(text: str = "", *, error: bool = False, flush: bool = False) -> None:
    """Print a line, or several; `error` to standard error."""
    print(shown(text), file=sys.stderr if error else sys.stdout, flush=flush)


def say_json(value: Any) -> None:
    """Print a value as one line of JSON, in letters that the terminal has."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf8sig")
    text = json.dumps(value, ensure_ascii=not unicode)
    print(_SHOWN_RAW.sub(lambda match: f"\\u{ord(match.group()):04x}", text))


def bear_any_encoding() -> None:
    """Have letters that a terminal lacks written as their numbers, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def argument_text(word: str) -> str:
    """An argument as its text in UTF-8, where the terminal is set to a plainer encoding; paths stay."""
    if word.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in word) or Path(word).exists():
        return word
    try:
        return os.fsencode(word).decode()
    except UnicodeError:
        return word


def leave_quietly() -> None:
    """Let nothing more be written to an output that nobody reads any more, as after `| head`."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):  # not a real file, as in tests
        pass
    finally:
        os.close(nowhere)
