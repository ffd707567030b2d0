"""Reads a corpus without a language model: links and titles name things, tables and phrases state facts.

What comes out is thin, because only what is said in a usual way is found. Classes are the nouns by which
pages and tables call things; nothing tells homonyms apart but links and titles.
"""

from collections.abc import Sequence

import msgspec

from rollcall._core.console import Progress
from rollcall.corpus import Corpus
from rollcall.corpus.corpus import PageLink
from rollcall.corpus.lists import without_parenthesis
from rollcall.extract.merging import FoldedText, is_name, is_proper, tidy
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
from rollcall.extract.without_model.patterns import (
    NamedSpan,
    PageMentions,
    PatternFact,
    PatternReader,
    Phrases,
    Titles,
    learned_phrases,
    lifespan,
)
from rollcall.extract.without_model.tables import table_facts, titles_by_words
from rollcall.text.sentences import described_noun
from rollcall.wording import Lexicon

THING = "thing"


def read_without_model(
    corpus: Corpus, pages: Sequence[tuple[str, str]], targets: LinkTargets, show: bool | None = None
) -> tuple[Schema, list[PageReading]]:
    """What links, tables and phrases say, and the classes and relations that came of it."""
    return _Reading(corpus, pages, targets, show).done()


class OpenSchema(Schema):
    """Classes and relations as a text has them. Only their names decide whether two things are the same."""

    def fits(self, class_: str, expected: str) -> bool:
        return True


class _Reading:
    def __init__(
        self, corpus: Corpus, pages: Sequence[tuple[str, str]], targets: LinkTargets, show: bool | None
    ) -> None:
        self._corpus, self._pages, self._targets, self._show = corpus, pages, targets, show
        titles = [title for _page, title in pages]
        self._titles, self._words = Titles(titles), titles_by_words(titles)
        self._phrases = Phrases(Lexicon.load())
        self._classes: dict[str, None] = {THING: None}
        self._relations: dict[str, RelationOfThings] = {}
        self._nouns: dict[str, str] = {}
        self._linked = {targets.title(link.target) for page, _title in pages for link in corpus.links(page)}

    def done(self) -> tuple[Schema, list[PageReading]]:
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
            (self._name(page, fact.subject), fact.relation, self._name(page, fact.object)) for fact in facts
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
            subject = self._end(things, topic, fact.subject, entry.subjects)
            object_ = self._end(things, topic, fact.object, entry.objects)
            if subject and object_ and subject != object_:
                self._relations.setdefault(entry.label, RelationOfThings(THING, THING, id=fact.relation))
                statements.append(Statement(subject, entry.label, object_, fact.sentence))
        for date_relation, value in lifespan(
            mentions.sentences[0].text if mentions.sentences else "", self._nouns.get(title, "")
        ):
            if topic:
                self._relations.setdefault(
                    date_relation.label, RelationOfThings(THING, "date", id=date_relation.id)
                )
                statements.append(Statement(topic, date_relation.label, value, 0, literal=True))
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
