"""Names that say how a source keeps its records, not what the world is like: "notes", "rank", "notability".

Graphs made from tables have such relations and classes. They are left out unless a recipe says otherwise, as
are names from which no wording can be made: those without any word of three letters.
"""

import re

BOOKKEEPING = frozenset(
    {
        "#", "a", "abbr", "abbreviation", "achievement", "achievements", "appearances", "apps",
        "background", "biography", "caption", "code", "comment", "comments", "coord", "coordinates",
        "date", "dates", "description", "details", "episode", "first", "from", "gls", "goals",
        "highlights", "history", "image", "img", "index", "information", "key", "last", "link", "links",
        "list", "listing", "map", "misc", "miscellaneous", "more", "n", "name", "names", "new", "no",
        "no.", "notability", "note", "notes", "num", "number", "old", "order", "original", "other",
        "others", "p", "photo", "pic", "picture", "pos", "pos.", "quantity", "rank", "ranking", "ref",
        "ref.", "reference", "references", "refs", "reg", "remark", "remarks", "result", "results",
        "row", "s", "score", "see", "seed", "serial", "significance", "source", "sources", "summary",
        "table", "text", "through", "time", "title", "titles", "to", "total", "v", "value", "via",
        "website", "year", "years",
    }
)  # fmt: skip
"""Headings and relation labels of record keeping, in lower case."""

_NO_THINGS = frozenset(
    {
        "name", "names", "year", "years", "date", "dates", "reign", "reigned", "tenure", "term", "terms",
        "duration", "age", "aired", "notability", "history", "achievement", "achievements", "biography",
        "career", "background", "highlights", "significance", "reason", "reasons", "rationale",
    }
)  # fmt: skip
"""Last words of headings that no thing and no category stands under, but a name, a time or prose."""

_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]{3}|[^\W\d_a-zA-Z]")
"""Three letters in a row, or a letter of a script that needs fewer."""


def can_be_worded(name: str) -> bool:
    """Whether a relation's name has a word in it at all."""
    return _WORD.search(name) is not None


def promises_no_things(name: str) -> bool:
    """Whether a heading or label asks for a name, a time or prose, by its last word."""
    found = _LETTERS.findall(name.casefold())
    return bool(found) and found[-1] in _NO_THINGS
