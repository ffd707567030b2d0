"""Apostrophes: which are bold and italic markup, and which are part of the text.

MediaWiki decides line by line. Where a line has an odd number of both bold and italics, one of the triple
apostrophes must have been a real apostrophe before italics (`''L'''Opéra`).
"""

import re

from rollcall.corpus.wikitext.marks import BREAK

_RUN = re.compile("('{2,})")


def without_quotes(text: str) -> str:
    """The text without the markup of bold and italics."""
    return "\n".join([line if "''" not in line else _breaks(line) for line in text.split("\n")])


def _breaks(line: str) -> str:
    if BREAK not in line:
        return _line(line)
    return BREAK.join([part if "''" not in part else _line(part) for part in line.split(BREAK)])


def _line(line: str) -> str:
    if "'''" not in line:
        return line.replace("''", "")
    parts = _RUN.split(line)
    italics = bold = 0
    for place in range(1, len(parts), 2):
        count = len(parts[place])
        italics += count == 2 or count >= 5
        bold += count >= 3
        literal = 1 if count == 4 else max(count - 5, 0)
        parts[place] = "'" * literal
        if count in (3, 4):
            parts[place] += "\x00"  # may be an apostrophe followed by italics
    if italics % 2 and bold % 2:
        place = _mistaken(parts)
        if place:
            parts[place] = parts[place].replace("\x00", "'")
    return "".join(parts).replace("\x00", "")


def _mistaken(parts: list[str]) -> int:
    """Which bold mark contains an apostrophe: one after a one-letter word, else a word, else a space."""
    after_word = after_space = 0
    for place in range(1, len(parts), 2):
        if "\x00" not in parts[place]:
            continue
        before = parts[place - 1]
        if not before or before.endswith(" "):
            after_space = after_space or place
        elif before[-2:-1] in (" ", ""):
            return place
        else:
            after_word = after_word or place
    return after_word or after_space
