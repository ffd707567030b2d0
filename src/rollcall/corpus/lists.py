"""Lists as relations: how a page "List of X" and the columns of its table are named in queries.

An entity in the key column of a list is related to the list's page by MEMBERSHIP, and to the content of
another column of its row by that column's relation. So questions about tables are ordinary queries.
"""

from typing import NamedTuple

MEMBERSHIP = "on list"
_PREFIX = "list:"


class Column(NamedTuple):
    """A column of a list: the list and the heading."""

    title: str
    header: str


def column_relation(title: str, header: str) -> str:
    """The relation between an entity on a list and the content of its row under a heading."""
    return f"{_PREFIX}{title}#{header}"


def parse_column(relation: str) -> Column | None:
    """The list and heading of a column's relation; None for any other relation."""
    if not relation.startswith(_PREFIX):
        return None
    title, separator, header = relation[len(_PREFIX) :].partition("#")  # no title has a "#"
    return Column(title, header) if separator else None
