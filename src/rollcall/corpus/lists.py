"""Lists as relations: how a page "List of X" and the columns of its table are named; titles that lists have.

An entity in the key column of a list is related to the list's page by MEMBERSHIP, and to the content of
another column of its row by that column's relation. So questions about tables are ordinary queries.
"""

import re
from typing import NamedTuple

from rollcall.english.nouns import is_plural

MEMBERSHIP = "on list"
LISTINGS = " listings in "
"""In the title of a list that does not begin with a word for lists: `Marl Register listings in Ostrell`."""
PLURAL = r"^[A-Z][^,:()]*s (of|in) (the )?[A-Z0-9]"
"""Begins a title that may be the plural of what its page lists: `Provinces of Norrow`."""
_PLURAL = re.compile(PLURAL)
_FIELDS = frozenset(("athletics", "economics", "mathematics", "news", "politics", "sports", "states"))
"""Plurals that name no listed things; the United States is one thing."""
_PREFIX = "list:"


class Column(NamedTuple):
    """A column of a list: the list and the heading."""

    title: str
    header: str


def plural_head(title: str) -> list[str]:
    """The words for what a page lists whose title is their plural; none for any other title.

    `Old provinces` of `Old provinces of Norrow`; whether the page has a table of them, its headings tell.
    """
    if _PLURAL.match(title) is None:
        return []
    words = re.split(r" (?:of|in) ", title, maxsplit=1)[0].split(" ")
    last = words[-1].lower()
    return words if is_plural(last) and last not in _FIELDS else []


def column_relation(title: str, header: str) -> str:
    """The relation between an entity on a list and the content of its row under a heading."""
    return f"{_PREFIX}{title}#{header}"


def parse_column(relation: str) -> Column | None:
    """The list and heading of a column's relation; None for any other relation."""
    if not relation.startswith(_PREFIX):
        return None
    title, separator, header = relation[len(_PREFIX) :].partition("#")  # no title has a "#"
    return Column(title, header) if separator else None
