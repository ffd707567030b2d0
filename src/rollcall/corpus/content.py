"""The content of one page: its plain text, and its links, sections and tables.

Every source (wikitext, HTML, JSONL) is converted to this form, so that sentences, passages and statistics are
made in one way. Positions count characters of `text`.
"""

from dataclasses import dataclass, field
from typing import NamedTuple


class Link(NamedTuple):
    """A link in the text: the position of its anchor, and the title it points to.

    If the source gives the target but not the position, `start` is -1.
    """

    start: int
    end: int
    target: str


class Cell(NamedTuple):
    """One cell of a table: its visible text, the titles it links to, and whether it is a heading."""

    text: str
    links: tuple[str, ...] = ()
    header: bool = False


class Section(NamedTuple):
    """From `start` on, the text is under this heading (`Career -- Early years` if nested)."""

    start: int
    heading: str


@dataclass(slots=True)
class Table:
    """A table with its spans expanded: every row has a cell for every column."""

    section: str
    caption: str
    header: list[str]
    rows: list[list[Cell]]


@dataclass(slots=True)
class Content:
    """The content of one page."""

    text: str = ""
    links: list[Link] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    disambiguation: bool = False
    redirect: str = ""
    problems: list[str] = field(default_factory=list)
    """Kinds of broken markup that were repaired, one entry for each."""
    unknown_templates: dict[str, int] = field(default_factory=dict)
    """Templates without a rule; their words are missing from the text."""


HEADING_SEPARATOR = " -- "
