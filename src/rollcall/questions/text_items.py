"""The items of a list that is written as text, such as `Belgium, France; Italy`.

One rule serves gold answers and responses alike: lines, or else parts between semicolons, or else between
commas that stand neither inside brackets nor between digits.
"""

import re

_BULLET = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,3}[.):])\s+")
_OPENING, _CLOSING = "([{“", ")]}”"


def text_items(text: str) -> list[str]:
    """The items of a list as text, each once.

    >>> text_items("Belgium, France (with Corsica, too), 1,200")
    ['Belgium', 'France (with Corsica, too)', '1,200']
    """
    lines = [_BULLET.sub("", line).strip() for line in text.splitlines()]
    parts = [line for line in lines if line]
    if len(parts) == 1:
        parts = parts[0].split(";") if ";" in parts[0] else _between_commas(parts[0])
    return list(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _between_commas(text: str) -> list[str]:
    parts, start, depth = [], 0, 0
    for place, character in enumerate(text):
        depth += (character in _OPENING) - (character in _CLOSING)
        around = text[place - 1 : place] + text[place + 1 : place + 2]
        if character == "," and depth <= 0 and not (len(around) == 2 and around.isdigit()):
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]
