"""Reads a corpus without a language model: links and titles name things, tables and phrases state facts.

What comes out is thin, because only what is said in a usual way is found. Classes are the nouns by which
pages and tables call things; nothing tells homonyms apart but links and titles.

- `read_without_model`: reads all pages. `patterns` finds facts by phrases.
- `table_facts`: finds facts in tables.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from rollcall._core.console import Progress
from rollcall.corpus import Corpus
from rollcall.corpus.corpus import PageCell, PageLink, PageTable
from rollcall.corpus.lists import without_parenthesis
from rollcall.extract.merging import FoldedText, is_name, is_proper, tidy
from rollcall.extract.patterns import (
    NamedSpan,
    PageMentions,
    PatternFact,
    PatternReader,
    Phrases,
    Titles,
    learned_phrases,
    lifespan,
    schema_entries,
)
from rollcall.extract.records import (
    VALUES,
    ClassOfThings,
    LinkTargets,
    PageReading,
    RelationOfThings,
    Schema,
    Statement,
    Thing,
)
from rollcall.graph.ingest.cells import clean
from rollcall.mine.lists.columns import (
    ListCell,
    ListTable,
    is_bookkeeping,
    key_column,
    list_name,
    read_column,
    tidy_header,
)
from rollcall.mine.relations import promises_no_things
from rollcall.query import parse_value
from rollcall.query.values import Date, Number
from rollcall.text.nouns import singular
from rollcall.text.sentences import described_noun
from rollcall.wording import Lexicon

THING = "thing"


def read_without_model(
    corpus: Corpus,
    pages: Sequence[tuple[str, str]],
    targets: LinkTargets,
    show: bool | None = None,
    schema: Schema | None = None,
    left_out: Counter[str] | None = None,
) -> tuple[Schema, list[PageReading]]:
    """What links, tables and phrases say, and the classes and relations that came of it.

    With a schema, only its relations are read: by their names, and by the lexicon's phrases for their ids.
    `left_out` counts those whose names are no phrases.
    """
    return _Reading(corpus, pages, targets, show, schema).done(Counter() if left_out is None else left_out)


class OpenSchema(Schema):
    """Classes and relations as a text has them. Only their names decide whether two things are the same."""

    def fits(self, class_: str, expected: str) -> bool:
        return True


class _Reading:
    def __init__(
        self,
        corpus: Corpus,
        pages: Sequence[tuple[str, str]],
        targets: LinkTargets,
        show: bool | None,
        schema: Schema | None,
    ) -> None:
        self._corpus, self._pages, self._targets, self._show = corpus, pages, targets, show
        titles = [title for _page, title in pages]
        self._titles, self._words = Titles(titles), titles_by_words(titles)
        lexicon = Lexicon.load()
        self._schema = schema
        self._phrases = Phrases(lexicon, None if schema is None else schema_entries(lexicon, schema))
        self._classes: dict[str, None] = {THING: None}
        self._relations = {} if schema is None else dict(schema.relations)
        self._nouns: dict[str, str] = {}
        self._linked = {targets.title(link.target) for page, _title in pages for link in corpus.links(page)}

    def done(self, left_out: Counter[str]) -> tuple[Schema, list[PageReading]]:
        if self._schema is not None and (wordless := self._phrases.wordless()):
            left_out[f"relation whose name is no phrase ({', '.join(wordless)})"] = len(wordless)
        mentions: dict[str, PageMentions] = {}
        with Progress("reading", 2 * len(self._pages), count=True, show=self._show) as progress:
            for page, title in self._pages:
                sentences = self._corpus.sentences(page)
                mentions[page] = PageMentions(title, sentences, self._links(page), self._titles)
                if mentions[page].begins_with_topic():
                    self._nouns[title] = described_noun(sentences[0].text)
                progress.advance(1)
            reader = PatternReader(self._phrases)
            first = {page: self._read(reader, mentions[page]) for page, _title in self._pages}
            seeds = [fact for page, facts in first.items() for fact in self._by_name(mentions[page], facts)]
            further = learned_phrases(self._phrases, list(mentions.values()), seeds)
            reader = PatternReader(self._phrases, further)
            readings = []
            for page, title in self._pages:
                facts = self._read(reader, mentions[page]) if further else first[page]
                readings.append(self._reading(page, title, mentions[page], facts))
                progress.advance(1)
        classes = {name: ClassOfThings("", None if name == THING else THING) for name in self._classes}
        if self._schema is not None:
            classes |= self._schema.classes
        return OpenSchema(classes, self._relations), readings

    def _links(self, page: str) -> list[PageLink]:
        return [
            msgspec.structs.replace(link, target=self._targets.title(link.target))
            for link in self._corpus.links(page)
        ]

    def _read(self, reader: PatternReader, page: PageMentions) -> list[PatternFact]:
        return list(reader.read(page, self._nouns.get(page.title, "")))

    def _by_name(self, page: PageMentions, facts: Sequence[PatternFact]) -> list[tuple[str, str, str]]:
        return [
            (self._name(page, fact.subject), fact.relation, self._name(page, fact.object))
            for fact in facts
            if not fact.date
        ]

    def _name(self, page: PageMentions, named: NamedSpan | None) -> str:
        return page.topic if named is None else without_parenthesis(named.title) or named.name

    def _reading(
        self, page: str, title: str, mentions: PageMentions, facts: Sequence[PatternFact]
    ) -> PageReading:
        things: dict[str, Thing] = {}
        statements = []
        topic = self._thing(things, mentions.topic, title, THING) if self._is_topic(mentions) else ""
        for number in range(len(mentions.sentences)):
            for span in mentions.known(number):
                self._thing(things, span.name, span.title, THING)
        for fact in facts:
            entry = self._phrases.entries[fact.relation]
            given = None if self._schema is None else self._schema.relations[entry.label]
            first, second = (given.subject, given.object) if given else (entry.subjects, entry.objects)
            subject = self._end(things, topic, fact.subject, first)
            if given and subject:
                self._thing(things, subject, title if subject == topic else "", first)
            if fact.date:
                if subject:
                    self._relations.setdefault(entry.label, RelationOfThings(THING, "date", id=fact.relation))
                    statements.append(Statement(subject, entry.label, fact.date, fact.sentence, literal=True))
                continue
            object_ = self._end(things, topic, fact.object, second)
            if subject and object_ and subject != object_:
                self._relations.setdefault(entry.label, RelationOfThings(THING, THING, id=fact.relation))
                statements.append(Statement(subject, entry.label, object_, fact.sentence))
        for date_relation, value in lifespan(
            mentions.sentences[0].text if mentions.sentences else "", self._nouns.get(title, "")
        ):
            name = date_relation.label
            if self._schema is not None:
                name = self._schema.relation_of(date_relation.id) or self._schema.relation_of(name) or ""
            if topic and name:
                self._relations.setdefault(name, RelationOfThings(THING, "date", id=date_relation.id))
                statements.append(Statement(topic, name, value, 0, literal=True))
        for row in table_facts(self._corpus, page, title, self._words, self._targets):
            subject = self._thing(things, without_parenthesis(row.subject), row.subject, row.class_)
            literal = row.kind in VALUES
            object_ = (
                row.object
                if literal
                else self._thing(things, without_parenthesis(row.object), row.object, row.object_class)
            )
            relation = self._table_relation(row.relation, row.kind)
            if subject and object_ and relation:
                statements.append(Statement(subject, relation, object_, None, literal, row.text))
        return PageReading(page, tuple(things.values()), tuple(statements), topic)

    def _is_topic(self, mentions: PageMentions) -> bool:
        """Whether the title names something: the text has it, or another page links to it."""
        text = FoldedText(" ".join(sentence.text for sentence in mentions.sentences))
        return text.has(mentions.topic) or mentions.title in self._nouns or mentions.title in self._linked

    def _table_relation(self, name: str, kind: str) -> str:
        """The relation of a column; columns of one heading but other kinds are told apart by their kind."""
        object_ = kind if kind in VALUES else THING
        if self._schema is not None:
            given = self._schema.relation_of(name)
            fits = given and (self._relations[given].object if self._relations[given].is_literal else THING)
            return given if given and fits == object_ else ""
        known = self._relations.get(name)
        if known is not None and known.object != object_:
            name = f"{name} ({object_})"
        self._relations.setdefault(name, RelationOfThings(THING, object_))
        return name

    def _end(self, things: dict[str, Thing], topic: str, named: NamedSpan | None, class_: str) -> str:
        if named is None:
            return topic
        return self._thing(things, named.name, named.title, class_)

    def _thing(self, things: dict[str, Thing], name: str, title: str, class_: str) -> str:
        """Note a thing by its name on a page; its class is what its own page calls it, if it has one.

        What a link leads to is called as its title, if the words of the link are not a name.
        """
        name = tidy(name)
        if title and not is_proper(name):
            name = without_parenthesis(title)
        if not is_name(name):
            return ""
        noun = self._nouns.get(title, "") or class_
        noun = THING if noun in ("thing", "person or thing") or noun in VALUES else noun
        self._classes.setdefault(noun)
        if name not in things or things[name].class_ == THING:
            others = (without_parenthesis(title),) if title and without_parenthesis(title) != name else ()
            things[name] = Thing(name, noun, others)
        return name


# Facts out of tables: a row is about the thing in its key column, and each other column is a relation. A
# cell is a thing if it links to one, or if its words are a page's title; else a number, a date or a text.


_PREFIX = "List of"


class RowFact(NamedTuple):
    """What a row says: names or titles of its ends, or a value, with the words of the row."""

    subject: str
    relation: str
    object: str
    kind: str
    """`thing`, `date`, `number` or `text`."""
    class_: str
    """What the rows of the table are."""
    object_class: str
    text: str


def table_facts(
    corpus: Corpus, page: str, title: str, titles: Mapping[str, str], targets: LinkTargets
) -> Iterator[RowFact]:
    """What the tables of a page say; `titles` gives the page's title for words that are one."""
    name = list_name(title, _PREFIX)
    for table in corpus.page_tables(page):
        listed = _list_table(title, table, titles, targets)
        key = key_column(listed, name) if listed.header and listed.rows else None
        if key is None:
            continue
        heads = name.heads if name is not None else ()
        class_ = heads[-1] if heads else _class_of(listed.header[key])
        for index, header in enumerate(listed.header):
            column = read_column(header, listed.column(index)) if index != key else None
            if column is None or not column.header:
                continue
            for row, facts in zip(listed.rows, column.facts, strict=True):
                subject = row[key].entities[0] if row[key].entities else row[key].text
                for fact in facts:
                    if not subject or fact.object == subject:
                        continue
                    kind, object_ = _kind(fact.object, fact.literal, fact.text)
                    text = "; ".join(
                        f"{tidy_header(head)}: {cell.text}"
                        for head, cell in zip(listed.header, row, strict=True)
                        if cell.text
                    )
                    relation = column.header.lower()
                    yield RowFact(subject, relation, object_, kind, class_, singular(relation), text)


def _class_of(header: str) -> str:
    """What the things under a heading are, unless it only asks for their name."""
    words = tidy_header(header).lower()
    return THING if not words or is_bookkeeping(words) or promises_no_things(words) else singular(words)


def _kind(object_: str, literal: bool, text: str) -> tuple[str, str]:
    if not literal:
        return THING, object_
    value = parse_value(object_)
    return ("date" if isinstance(value, Date) else "number" if isinstance(value, Number) else "text"), text


def _list_table(title: str, table: PageTable, titles: Mapping[str, str], targets: LinkTargets) -> ListTable:
    rows = tuple(
        tuple(_cell(cell, titles, targets) for cell in row)
        for row in table.rows
        if len(row) == len(table.header)
    )
    return ListTable(title, table.number, table.section, table.header, rows)


def _cell(cell: PageCell, titles: Mapping[str, str], targets: LinkTargets) -> ListCell:
    text = clean(cell.text)
    meant = tuple(map(targets.title, cell.links)) or ((titles[text],) if text in titles else ())
    return ListCell(text, meant, cell.header)


def titles_by_words(titles: list[str]) -> dict[str, str]:
    """Titles by their words without parentheses; words of several titles are left out."""
    by_words: dict[str, str] = {}
    doubtful = set()
    for title in titles:
        words = without_parenthesis(title)
        if words in by_words:
            doubtful.add(words)
        by_words[words] = title
    return {words: title for words, title in by_words.items() if words not in doubtful}
