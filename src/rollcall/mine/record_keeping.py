"""Names that describe a source's records instead of the world: "notes", "rank", "notability".

Graphs made from tables have such relations and classes. They are left out unless a recipe says otherwise.
Names that cannot be put into words are left out, too: those without a word of three letters.
"""

import re

from rollcall.english.demonyms import land_of
from rollcall.english.word_lists import word_list

BOOKKEEPING = frozenset(
    {
        "#", "a", "abbr", "abbreviation", "achievement", "achievements", "appearances", "apps",
        "background", "biography", "caption", "code", "comment", "comments", "coord", "coordinates",
        "date", "dates", "description", "details", "episode", "first", "fourth", "from", "gls", "goals",
        "highlights", "history", "image", "img", "index", "information", "key", "last", "link", "links",
        "list", "listing", "map", "misc", "miscellaneous", "more", "n", "name", "names", "new", "no",
        "no.", "notability", "note", "notes", "num", "number", "old", "order", "original", "other",
        "others", "p", "photo", "pic", "picture", "pos", "pos.", "quantity", "rank", "ranking", "ref",
        "ref.", "reference", "references", "refs", "reg", "remark", "remarks", "result", "results",
        "row", "s", "score", "second", "see", "seed", "serial", "significance", "source", "sources",
        "summary", "table", "text", "third", "through", "time", "title", "titles", "to", "total",
        "v", "value", "via", "website", "year", "years",
    }
)  # fmt: skip
"""Headings and relation labels of record keeping, in lower case."""

_NO_THINGS = frozenset(
    {
        "name", "names", "year", "years", "date", "dates", "reign", "reigned", "tenure", "term", "terms",
        "duration", "age", "aired", "notability", "history", "achievement", "achievements", "biography",
        "career", "background", "highlights", "significance", "reason", "reasons", "rationale",
        "comment", "comments", "description", "descriptions", "details", "info", "information", "note",
        "notes", "remark", "remarks", "summary", "trivia",
    }
)  # fmt: skip
"""Last words of headings of columns that contain names, times or prose instead of things or categories."""

_NO_MEASURES = frozenset(
    {
        "bib", "code", "codes", "coordinate", "coordinates", "coords", "easting", "fax", "grid", "id",
        "identifier", "identifiers", "ids", "index", "isbn", "issn", "key", "lane", "lat", "latitude", "lng",
        "lon", "longitude", "no", "northing", "nr", "num", "number", "numbers", "order", "phone", "pick",
        "place", "pos", "position", "postcode", "rank", "ranking", "rankings", "ranks", "round", "row",
        "seed", "serial", "telephone", "url", "zip",
    }
)  # fmt: skip
"""Last words of labels whose figures name a thing, a place in an order, or a point on a map."""

_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]{3}|[^\W\d_a-zA-Z]")
"""Three letters in a row, or one letter of a non-Latin script."""


def can_be_worded(name: str) -> bool:
    """Whether a relation's name contains a word."""
    return _WORD.search(name) is not None


_HEADINGS = frozenset(("name", "names", "title", "titles", "number", "date", "dates", "year", "years"))
"""Words of column headings: "date of issue" is the heading of a column, not a class of things."""

_CLASS_LABEL = re.compile(r"[^\W\d_]{3,}[^\W\d_ ,'’.-]*(?:[ '’.,-]+[^\W_]+)*")
"""Questions name classes, so class labels must be plain words, not "2nd 1" or "size (cm)"."""


def can_name_class(label: str) -> bool:
    """Whether a question may call things by the label of their class."""
    words = label.casefold().split()
    ends_well = words[:1] and not {words[0], words[-1]} & word_list("prepositions")
    counted = words[1:] and words[-1].isdigit()  # `city 2` is one of several columns
    if counted or land_of(label.title()):  # `serbian` is a column of words in a language
        return False
    return bool(_CLASS_LABEL.fullmatch(label) and ends_well and not _HEADINGS.intersection(words))


def promises_no_measure(name: str) -> bool:
    """Whether the values under a label only look like numbers: ranks, row numbers, codes, coordinates."""
    found = _LETTERS.findall(name.casefold())
    return bool(found) and (found[-1] in _NO_MEASURES or name.casefold() in BOOKKEEPING)


def promises_no_things(name: str) -> bool:
    """Whether the last word of a heading or label asks for a name, a time or prose."""
    found = _LETTERS.findall(name.casefold())
    return bool(found) and found[-1] in _NO_THINGS
