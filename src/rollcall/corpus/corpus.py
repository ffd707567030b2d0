"""An open corpus: pages with their sentences, links and tables; passages; pages of entities.

Opening reads only the manifest; a table is checked against it before its first use. The tables are sorted by
page, so that one page is found with the statistics of the Parquet row groups. For work on the whole corpus,
use `corpus.tables`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from rollcall._core.checksums import checked
from rollcall._core.errors import RollcallError
from rollcall.input_files.ingestion import Kind, OpenFolder
from rollcall.tables import corpus
from rollcall.tables import corpus as declared
from rollcall.tables.corpus import CORPUS_TABLES
from rollcall.tables.engines.duckdb import IbisTables
from rollcall.tables.table import DeclaredTable, file_name

if TYPE_CHECKING:
    from rollcall.tables.files import Row, SortedFile
    from rollcall.tables.table import Rows


# The content of one page: its plain text, and its links, sections and tables. Every source (wikitext,
# HTML, JSONL) is converted to this form, so that sentences, passages and statistics are made in one way.
# Positions count characters of `text`.


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
class TableContent:
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
    tables: list[TableContent] = field(default_factory=list)
    disambiguation: bool = False
    redirect: str = ""
    problems: list[str] = field(default_factory=list)
    """Kinds of broken markup that were repaired, one entry for each."""
    unknown_templates: dict[str, int] = field(default_factory=dict)
    """Templates without a rule; their words are missing from the text."""


HEADING_SEPARATOR = " -- "


# The names inside a corpus folder and the version of its format; `rollcall.tables.corpus` has its
# tables.

FORMAT_VERSION = 2
MANIFEST = "corpus.json"

CORPUS_FOLDER = Kind(
    "corpus",
    MANIFEST,
    FORMAT_VERSION,
    "rollcall corpus SOURCE",
    frozenset(file_name(table) for table in CORPUS_TABLES),
    " (and --graph DIR, to build questions)",
)


_TIES = ("sitelink", "item", "title")


class Page(msgspec.Struct, frozen=True):
    """One page; `tie` says how its entity was found."""

    id: str
    title: str
    entity: str | None
    tie: str | None
    disambiguation: bool
    characters: int
    sentences: int
    tables: int


class Sentence(msgspec.Struct, frozen=True):
    """One sentence with its position in the page's text, and the white space after it."""

    page: str
    number: int
    section: str
    text: str
    start: int
    end: int
    after: str


class CorpusPassage(msgspec.Struct, frozen=True):
    """Consecutive sentences of one page."""

    id: str
    page: str
    number: int
    first: int
    last: int
    words: int
    text: str


class PageLink(msgspec.Struct, frozen=True):
    """A link; sentence, position and anchor are unknown if the source does not give them."""

    page: str
    number: int
    sentence: int | None
    start: int | None
    end: int | None
    anchor: str | None
    target: str
    entity: str | None


class PageCell(msgspec.Struct, frozen=True):
    """A cell: its text, the titles it links to, and their entities."""

    text: str
    links: tuple[str, ...] = ()
    entities: tuple[str | None, ...] = ()
    header: bool = False


class PageTable(msgspec.Struct, frozen=True):
    """A table: `header` names the columns, and every row has as many cells."""

    page: str
    number: int
    section: str
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[PageCell, ...], ...]


class Corpus(OpenFolder):
    """Text in a folder made by `rollcall corpus`."""

    kind = CORPUS_FOLDER

    def __init__(self, folder: Path, manifest: dict[str, Any], check: bool = True) -> None:
        super().__init__(folder, manifest, check)
        self._sorted: dict[type[DeclaredTable], SortedFile] = {}

    @cached_property
    def tables(self) -> "CorpusTables":
        """The tables as Ibis expressions on an embedded engine: `corpus.tables.sentences`, …"""
        for table in declared.CORPUS_TABLES if self._check else ():
            checked(self.folder / file_name(table))
        return CorpusTables(self.folder)

    # -- one page ------------------------------------------------------------------------------------

    def page(self, id_: str) -> Page:
        """The page with this id; an error if there is none."""
        rows = self._rows(declared.Pages, id_)
        if not rows:
            raise RollcallError(f"{id_!r}: no page with this id in {self.folder}")
        return Page(**rows[0])

    def pages(self) -> Iterator[Page]:
        """All pages in the order of their ids, with one part of the table in memory at a time."""
        return (Page(**row) for row in self._table(declared.Pages).every())

    def find(self, name: str) -> list[Page]:
        """Pages by id, title, redirect or entity."""
        rows = self._rows(declared.Pages, name) or self._table(declared.Pages).where("title", name)
        if not rows:
            moved = self._rows(declared.Redirects, name)
            rows = self._table(declared.Pages).where("title", moved[0]["target"]) if moved else []
        if not rows:
            return [self.page(tie["page"]) for tie in self._rows(declared.Ties, name)]
        return [Page(**row) for row in rows]

    def sentences(self, page: str) -> list[Sentence]:
        """The sentences of a page, in order."""
        return [Sentence(**row) for row in self._rows(declared.Sentences, page)]

    def text(self, page: str) -> str:
        """The whole text of a page: its sentences with the white space between them."""
        return "".join(sentence.text + sentence.after for sentence in self.sentences(page))

    def passages(self, page: str) -> list[CorpusPassage]:
        """The passages of a page, in order."""
        return [CorpusPassage(**row) for row in self._rows(declared.Passages, page)]

    def titled_passages(self) -> Iterator[tuple[CorpusPassage, str]]:
        """All passages, page by page, each with the title of its page; few are in memory at a time."""
        pages = self.pages()
        page: Page | None = None
        for row in self._table(declared.Passages).every():
            while page is None or page.id != row["page"]:  # both tables are sorted by page
                page = next(pages)
            yield CorpusPassage(**row), page.title

    def passage(self, id_: str) -> CorpusPassage:
        """The passage with this id; an error if there is none."""
        page, _, number = id_.rpartition("__")
        matching = [passage for passage in self.passages(page) if str(passage.number) == number]
        if not matching:
            raise RollcallError(f"{id_!r}: no passage with this id in {self.folder}")
        return matching[0]

    def links(self, page: str) -> list[PageLink]:
        """The links in the text of a page, in order."""
        return [PageLink(**row) for row in self._rows(declared.Links, page)]

    def page_tables(self, page: str) -> list[PageTable]:
        """The tables of a page, in order, with all their cells."""
        described = self._rows(declared.PageTables, page)
        grids: list[list[list[PageCell]]] = [[[] for _ in range(row["rows"])] for row in described]
        for cell in self._rows(declared.Cells, page) if described else []:
            links, entities = tuple(cell["links"]), tuple(entity or None for entity in cell["entities"] or ())
            page_cell = PageCell(cell["text"], links, entities, cell["header"])
            grids[cell["table"]][cell["row"] - 1].append(page_cell)
        return [
            PageTable(
                page,
                row["number"],
                row["section"],
                row["caption"],
                tuple(row["header"]),
                tuple(map(tuple, grid)),
            )
            for row, grid in zip(described, grids, strict=True)
        ]

    # -- pages and entities --------------------------------------------------------------------------

    def page_of(self, entity: str) -> Page | None:
        """The page about an entity, by the most reliable link; None if there is none."""
        ties = sorted(
            self._rows(declared.Ties, entity), key=lambda tie: (_TIES.index(tie["tie"]), tie["page"])
        )
        return self.page(ties[0]["page"]) if ties else None

    def entities_of(self, page: str) -> list[str]:
        """The entities that a page is about or mentions, in text or tables: its own first, then in order."""
        entities = [self.page(page).entity]
        entities += [link.entity for link in self.links(page)]
        for table in self.page_tables(page):
            entities += [entity for row in table.rows for cell in row for entity in cell.entities]
        return list(dict.fromkeys(entity for entity in entities if entity))

    def aliases(self, entity: str) -> list[tuple[str, str, int]]:
        """The names that the corpus uses for an entity: text, source and count."""
        return [
            (row["text"], row["source"], row["count"]) for row in self._rows(declared.TextAliases, entity)
        ]

    def _table(self, table: type[DeclaredTable]) -> "SortedFile":
        from rollcall.tables.files import SortedFile

        if table not in self._sorted:
            self._sorted[table] = SortedFile(table, self.folder / file_name(table), check=self._check)
        return self._sorted[table]

    def _rows(self, table: type[DeclaredTable], key: str) -> "list[Row]":
        return self._table(table).rows(key)


# The Parquet tables of a corpus as Ibis tables, for work on the whole corpus.


class CorpusTables(IbisTables):
    """Ibis tables by name, on an embedded engine: `tables.sentences`, `tables.links`, …"""

    pages: "Rows[corpus.Pages]"
    sentences: "Rows[corpus.Sentences]"
    passages: "Rows[corpus.Passages]"
    links: "Rows[corpus.Links]"
    tables: "Rows[corpus.PageTables]"
    cells: "Rows[corpus.Cells]"
    redirects: "Rows[corpus.Redirects]"
    ties: "Rows[corpus.Ties]"
    mentions: "Rows[corpus.MentionCounts]"
    forms: "Rows[corpus.Forms]"
    aliases: "Rows[corpus.TextAliases]"
    relations: "Rows[corpus.RelationMentionCounts]"

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, corpus.CORPUS_TABLES)
