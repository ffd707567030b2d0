"""The tables of a corpus folder."""

from rollcall.tables.table import Boolean, DeclaredTable, Float64, Int32, Int64, String, Strings

_GROUP = 1 << 14
"""Row groups are small, because usually one page is read; their statistics show which can contain it."""


class Pages(DeclaredTable, sorted_by=("id",), rows_per_group=_GROUP):
    """A page of the corpus."""

    id = String("its id: what the source gives, or its title")
    title = String("its title")
    entity = String("the entity of the graph that the page is about; null if unknown")
    tie = String("how the entity is known: `sitelink`, `item` or `title`")
    disambiguation = Boolean("whether the page only lists pages with similar titles")
    characters = Int64("the length of its text")
    sentences = Int32("how many sentences it has")
    tables = Int32("how many tables it has")


class Sentences(DeclaredTable, sorted_by=("page", "number"), rows_per_group=_GROUP):
    """A sentence of a page; sentences joined with what is between them are the page's text."""

    page = String("the page's id")
    number = Int32("its place on the page, from 0")
    section = String("the heading of the section that it is in; empty before the first heading")
    text = String("the sentence")
    start = Int64("where it starts in the page's text, in characters")
    end = Int64("where it ends")
    after = String("the white space between it and the next sentence")


class Passages(DeclaredTable, sorted_by=("page", "number"), rows_per_group=_GROUP):
    """A passage of a page: some sentences in a row, the unit of retrieval."""

    id = String("its id: that of the page, and its number")
    page = String("the page's id")
    number = Int32("its place on the page, from 0")
    first = Int32("its first sentence")
    last = Int32("its last sentence")
    words = Int32("its length, as the chunking counts")
    text = String("its text")


class Links(DeclaredTable, sorted_by=("page", "number"), rows_per_group=_GROUP):
    """A link in a page's text."""

    page = String("the page's id")
    number = Int32("its place on the page, from 0")
    sentence = Int32("the sentence that it is in; null for a link outside the text")
    start = Int64("where its words start in the page's text, in characters")
    end = Int64("where they end")
    anchor = String("its words")
    target = String("the title that it leads to")
    entity = String("the entity of the graph that it refers to; null if unknown")


class PageTables(DeclaredTable, name="tables", sorted_by=("page", "number"), rows_per_group=_GROUP):
    """A table on a page."""

    page = String("the page's id")
    number = Int32("its place on the page, from 0")
    section = String("the heading of the section that it is in")
    caption = String("its caption")
    header = Strings("the texts of its header")
    rows = Int32("how many rows it has below the header")
    columns = Int32("how many columns it has")


class Cells(DeclaredTable, sorted_by=("page", "table", "row", "column"), rows_per_group=_GROUP):
    """A cell of a table on a page."""

    page = String("the page's id")
    table = Int32("the table's place on the page")
    row = Int32("its row, from 1; the header is in `tables`")
    column = Int32("its column, from 0")
    header = Boolean("whether it is marked as a heading")
    text = String("its text")
    links = Strings("the titles that its links lead to")
    entities = Strings("the entities that its links refer to, null where unknown")


class Redirects(DeclaredTable, sorted_by=("title",), rows_per_group=_GROUP):
    """A title that leads to another page."""

    title = String("the title")
    target = String("the title of the page that it leads to")


class Ties(DeclaredTable, sorted_by=("entity", "page"), rows_per_group=_GROUP):
    """An entity and a page about it."""

    entity = String("the entity's id")
    page = String("the page's id")
    tie = Pages.tie


class MentionCounts(DeclaredTable, name="mentions", sorted_by=("entity",), rows_per_group=_GROUP):
    """How often an entity is mentioned by a link, in text or in tables."""

    entity = String("the entity's id")
    mentions = Int64("how many links refer to it")
    pages = Int64("on how many pages")


class Forms(DeclaredTable, sorted_by=("entity", "text", "source"), rows_per_group=_GROUP):
    """A name that the text uses for an entity."""

    entity = String("the entity's id")
    text = String("the name")
    source = String("`anchor`, `redirect` or `title`")
    count = Int64("how often it is used")
    share = Float64("the share of its uses that refer to this entity")


class TextAliases(
    DeclaredTable, name="aliases", sorted_by=("entity", "text", "source"), rows_per_group=_GROUP
):
    """A name of an entity that is mostly used for it."""

    entity = Forms.entity
    text = Forms.text
    source = Forms.source
    count = Forms.count


class RelationMentionCounts(DeclaredTable, name="relations", sorted_by=("relation",), rows_per_group=_GROUP):
    """How often the text mentions both ends of a relation's facts together."""

    relation = String("the relation's id")
    facts = Int64("how many facts it has in the graph")
    together = Int64("how many of them have both ends on one page")
    cooccurrences = Int64("on how many pages, counted for each fact")


CORPUS_TABLES = (
    Pages,
    Sentences,
    Passages,
    Links,
    PageTables,
    Cells,
    Redirects,
    Ties,
    MentionCounts,
    Forms,
    TextAliases,
    RelationMentionCounts,
)


class _Read(DeclaredTable):
    order = Int64("the number of the page among all pages read, in the order of the sources")


class PageRows(_Read, name="shard_pages"):
    """A page as it was read, in a shard."""

    id = Pages.id
    title = Pages.title
    item = String("the entity that the source itself names")
    by_title = Boolean("whether it is known by its title alone, and so may be another page of this title")
    disambiguation = Pages.disambiguation
    characters = Pages.characters
    sentences = Pages.sentences


class SentenceRows(_Read, name="shard_sentences"):
    """A sentence, in a shard."""

    page = Sentences.page
    number = Sentences.number
    section = Sentences.section
    text = Sentences.text
    start = Sentences.start
    end = Sentences.end
    after = Sentences.after


class PassageRows(_Read, name="shard_passages"):
    """A passage, in a shard."""

    id = Passages.id
    page = Passages.page
    number = Passages.number
    first = Passages.first
    last = Passages.last
    words = Passages.words
    text = Passages.text


class LinkRows(_Read, name="shard_links"):
    """A link, in a shard."""

    page = Links.page
    number = Links.number
    sentence = Links.sentence
    start = Links.start
    end = Links.end
    anchor = Links.anchor
    target = Links.target


class PageTableRows(_Read, name="shard_tables"):
    """A table, in a shard."""

    number = PageTables.number
    section = PageTables.section
    caption = PageTables.caption
    header = PageTables.header
    rows = PageTables.rows
    columns = PageTables.columns


class CellOfShard(_Read, name="shard_cells"):
    """A cell, in a shard."""

    table = Cells.table
    row = Cells.row
    column = Cells.column
    header = Cells.header
    text = Cells.text
    links = Cells.links


class RedirectRows(_Read, name="shard_redirects"):
    """A redirect, in a shard."""

    title = Redirects.title
    target = Redirects.target


SHARD_TABLES: dict[str, type[DeclaredTable]] = {
    "pages": PageRows,
    "sentences": SentenceRows,
    "passages": PassageRows,
    "links": LinkRows,
    "tables": PageTableRows,
    "cells": CellOfShard,
    "redirects": RedirectRows,
}
"""The tables of a shard, by the name of their files."""
