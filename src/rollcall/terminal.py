"""Lines for the terminal: text from data cannot control it, and any encoding of the terminal works.

A label may contain sequences that move the cursor, change the title or overwrite earlier output, and line
breaks after which it looks like a line of Rollcall. They are shown as escape sequences here, and in
`rollcall.screen` for tables and styled lines. Everything that commands print goes through one of the two, and
each call prints one line.
"""

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Control characters except tab and line break, and those that change the direction of text."""
_BREAKS = str.maketrans({"\n": "\\n", "\t": "\\t"})
_SHOWN_RAW = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""The characters among them that JSON does not escape."""


def shown(text: str) -> str:
    """A text of one or several lines, in which characters that control a terminal are escape sequences."""
    return text if text.isprintable() else _STEERING.sub(_escape, text)


def one_line(text: str) -> str:
    """A text on one line, in which control characters, also line breaks and tabs, are escape sequences."""
    return text if text.isprintable() else shown(text).translate(_BREAKS)


def _escape(found: re.Match[str]) -> str:
    return found.group().encode("unicode_escape").decode("ascii")


class _Manner:
    """How commands speak; set once, by the command line."""

    quiet = False


def be_quiet(quiet: bool = True) -> None:
    """Leave out remarks and progress from now on, as `--quiet` asks for."""
    _Manner.quiet = quiet


def is_quiet() -> bool:
    """Whether only results, warnings and errors are wanted."""
    return _Manner.quiet


def remark(text: str = "", *, error: bool = False, flush: bool = False) -> None:
    """Print a line about what is done or was done, unless only results are wanted."""
    if not _Manner.quiet:
        say(text, error=error, flush=flush)


def say(text: str = "", *, error: bool = False, flush: bool = False) -> None:
    """Print one line, in which tabs may separate columns; with `error`, to standard error."""
    say_lines(text.replace("\n", "\\n"), error=error, flush=flush)


def say_lines(text: str, *, error: bool = False, flush: bool = False) -> None:
    """Print a document of several lines."""
    print(shown(text), file=sys.stderr if error else sys.stdout, flush=flush)


def say_json(value: Any, *, flush: bool = False) -> None:
    """Print a value as one line of JSON, in characters that the terminal can show."""
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf8sig")
    text = json.dumps(value, ensure_ascii=not unicode)
    print(_SHOWN_RAW.sub(lambda match: f"\\u{ord(match.group()):04x}", text), flush=flush)


def bear_any_encoding() -> None:
    """Write characters that the terminal cannot encode as escape sequences, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def argument_text(word: str) -> str:
    """An argument decoded as UTF-8, whatever the encoding of the locale; existing paths are unchanged."""
    if word.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in word) or Path(word).exists():
        return word
    try:
        return os.fsencode(word).decode()
    except UnicodeError:
        return word


def leave_quietly() -> None:
    """Stop writing to an output whose reader has closed it, as after `| head`."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):  # not a real file, as in tests
        pass
    finally:
        os.close(nowhere)
