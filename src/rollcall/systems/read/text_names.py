"""What readers choose among where there is no graph: the names that the text of a corpus has.

`open_text_names` collects them once, into the indexes of the corpus: titles, proper names, common nouns,
items of lists, cells, dates and numbers, with the nouns by which the text calls them. They become a graph
without facts (`TextGraph`), so that readers need not know the difference. A machine that only reads what is
stored has no libraries of tables, so these are imported where they are used.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from rollcall._core.console import Progress
from rollcall.corpus.corpus import Corpus
from rollcall.corpus.lists import without_parenthesis
from rollcall.graph.graph import EntityRecord, Graph
from rollcall.questions.run import Passage
from rollcall.systems.context import Context
from rollcall.systems.read.chain import values_of
from rollcall.systems.read.linking import Sort, TextGraph
from rollcall.systems.retrieve.store import IndexFolder, PassageStore
from rollcall.text.name_forms import clean, usable
from rollcall.text.nouns import demonyms, is_person, singular
from rollcall.text.sentences import described_noun
from rollcall.text.unknown_names import PERSON, called, capital_runs, list_item, noun_phrases, numbered
from rollcall.text.words import AUXILIARIES, COMMON, fold

_FORMAT = 1
_BLOCK = 4000
"""Sentences that are read at a time."""
_NAME = "\x1f"
"""Begins the id of a name that is no page's topic; no id of a page has it."""
_TITLE_WORDS = 8
_MANY_NOUNS = 300_000
"""Of more common nouns than this, those that only one page has are left out."""
_IN = re.compile(r"\b(?:[Ii]n|[Nn]ear|[Aa]t|[Ff]rom|[Tt]hroughout|[Oo]utside|[Aa]round) (?:the )?$")
_NUMBER = re.compile(
    r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?: (?:hundred|thousand|million|billion|trillion))?(?![\w%])"
)


class TopicStore(PassageStore):
    """Passages whose pages are known by their ids, not by entities of a graph."""

    def __init__(self, folder: Path, graph: TextGraph) -> None:
        super().__init__(folder)
        self._graph = graph

    def entity(self, id_: str) -> str | None:
        page = id_.rpartition("__")[0]
        return page if self._graph.index.entity_number(page) is not None else None

    def page_of(self, entity: str, most: int) -> list[Passage]:
        return self.page(entity, most)


def open_names(context: Context) -> tuple[Graph, PassageStore | None]:
    """What readers choose among, with the passages of its pages: the graph, or else the names of the text."""
    if context.has("graph"):
        return context.graph, context.store if context.has("corpus") else None
    graph = open_text_names(context.indexes, context.progress)
    return graph, TopicStore(context.store.folder, graph)


def open_text_names(indexes: IndexFolder, progress: bool | None = None) -> TextGraph:
    """The names of a corpus, collected on first use."""
    folder = indexes.part("names", {"format": _FORMAT}, lambda out: _make(indexes, out, progress))
    return TextGraph.open(folder / "names", check=False)


# What a block of sentences names. Counts of several blocks are added up.


class _Sentence(NamedTuple):
    page: str
    title: str
    number: int
    text: str


class _Counts(msgspec.Struct):
    """How often each name is written, and how."""

    names: Counter[str] = msgspec.field(default_factory=Counter)
    places: Counter[str] = msgspec.field(default_factory=Counter)
    nouns: Counter[str] = msgspec.field(default_factory=Counter)
    listed: set[str] = msgspec.field(default_factory=set)
    called: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)
    titled: dict[str, str] = msgspec.field(default_factory=dict)
    """The nouns of the topics of pages; empty for a topic whose page names it without one."""
    dates: set[str] = msgspec.field(default_factory=set)
    numbers: set[str] = msgspec.field(default_factory=set)

    def add(self, other: "_Counts") -> None:
        self.names.update(other.names)
        self.places.update(other.places)
        self.nouns.update(other.nouns)
        self.called.update(other.called)
        for name in ("listed", "dates", "numbers"):
            getattr(self, name).update(getattr(other, name))
        for page, noun in other.titled.items():
            self.titled[page] = self.titled.get(page) or noun


def _read(_: None, block: list[_Sentence]) -> _Counts:
    counts = _Counts()
    nouns: Counter[tuple[str, str]] = Counter()
    for sentence in block:
        _read_sentence(sentence, counts, nouns)
    counts.nouns.update(noun for _, noun in nouns)
    return counts


def _read_sentence(sentence: _Sentence, counts: _Counts, nouns: Counter[tuple[str, str]]) -> None:
    text = sentence.text
    topic = without_parenthesis(sentence.title)
    is_named = fold(topic) in fold(text)
    noun = ""
    if sentence.number == 0:
        noun = (
            described_noun(text)
            if is_named
            else _defined_noun(text)
            if sentence.title != sentence.page
            else ""
        )
    if is_named or noun:
        counts.titled[sentence.page] = counts.titled.get(sentence.page) or noun
    item = list_item(text)
    if item is not None:
        name = clean(text[slice(*item)])
        counts.listed.add(name)
        counts.names[name] += 1
    places = [place for place in capital_runs(text) if usable(text[slice(*place)])]
    for start, end in places:
        name = _tidy(text[start:end])
        counts.names[name] += 1
        if _IN.search(text, max(start - 15, 0), start):
            counts.places[name] += 1
    for (start, end), noun in called(text, places):
        counts.called[_tidy(text[start:end]), noun] += 1
    for start, end in (*noun_phrases(text), *numbered(text)):
        nouns[sentence.page, text[start:end]] += 1
    counts.dates.update(values_of(text, "date"))
    counts.numbers.update(match[0] for match in _NUMBER.finditer(text))


def _defined_noun(text: str) -> str:
    """The noun of a definition that is no sentence: `Soft metal in group 13.`"""
    words = text.lower().split()
    if not words or words[0] in COMMON or not words[0].isalpha() or not AUXILIARIES.isdisjoint(words):
        return ""
    return described_noun(f"is a {text[:1].lower()}{text[1:]}")


def _tidy(name: str) -> str:
    return re.sub(r"['’]s?$", "", clean(name))


# All names of the corpus as the records of a graph. A short name is that of the only longer one which ends
# with it (`Curie` of `Marie Curie`), if that is a person's.


def _make(indexes: IndexFolder, out: Path, progress: bool | None) -> None:
    from rollcall.graph.make import write_graph
    from rollcall.tables.engine import nothing

    corpus = indexes.corpus
    titles = dict(_titles(corpus))
    total = int(corpus.manifest.get("counts", {}).get("sentences", 0))
    counts = _Counts()
    with indexes.engine() as engine, Progress("names", total, show=progress) as bar:
        for read in engine.map_blocks(_read, _blocks(corpus, titles), nothing):
            counts.add(read)
            bar.advance(min(_BLOCK, total))
    for header, name in _cells(corpus):
        counts.names[name] += 1
        counts.listed.add(name)
        if header:
            counts.called[name, header] += 1
    write_graph(out / "names", entities=_records(titles, counts))


def _titles(corpus: Corpus) -> Iterator[tuple[str, str]]:
    from rollcall.tables.corpus import Pages
    from rollcall.tables.files import batches
    from rollcall.tables.table import file_name

    for batch in batches(Pages, corpus.folder / file_name(Pages), ("id", "title")):
        yield from zip(batch.column("id").to_pylist(), batch.column("title").to_pylist(), strict=True)


def _blocks(corpus: Corpus, titles: dict[str, str]) -> Iterator[list[_Sentence]]:
    from rollcall.tables.corpus import Sentences
    from rollcall.tables.files import batches
    from rollcall.tables.table import file_name

    columns = ("page", "number", "text")
    for batch in batches(Sentences, corpus.folder / file_name(Sentences), columns, _BLOCK):
        rows = zip(*(batch.column(name).to_pylist() for name in columns), strict=True)
        yield [_Sentence(page, titles[page], number, text) for page, number, text in rows]


def _cells(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """The names in the cells of tables, each with what its column calls it."""
    if not int(corpus.manifest.get("counts", {}).get("tables", 0)):
        return
    for page in corpus.pages():
        for table in corpus.page_tables(page.id) if page.tables else ():
            headers = [singular(header.lower()) if header.isascii() else "" for header in table.header]
            for row in table.rows:
                for header, cell in zip(headers, row, strict=False):
                    name = clean(cell.text)
                    if usable(name) and len(name.split()) <= _TITLE_WORDS:
                        yield header if header.replace(" ", "").isalpha() else "", name


def _records(titles: dict[str, str], counts: _Counts) -> Iterator[EntityRecord]:
    called_by = defaultdict[str, Counter[str]](Counter)
    for (name, noun), number in counts.called.items():
        called_by[fold(name)][noun] += number
    written = _written(counts)
    topics = _topics(titles, counts)
    people = _people(written, called_by)
    short = _short_names(written, people)
    for page, name in topics.items():
        noun = counts.titled[page]
        nouns = [noun, *_nouns(called_by, fold(name))] if noun else _nouns(called_by, fold(name))
        sort = _sort(name, fold(name) in people, counts)
        yield _record(page, name, nouns, fold(name) in people, short.get(fold(name), ()), sort)
    known = {fold(name) for name in topics.values()} | {
        fold(name) for names in short.values() for name in names
    }
    for folded, name in written.items():
        if folded in known:
            continue
        sort = _sort(name, folded in people, counts)
        yield _record(
            _NAME + name, name, _nouns(called_by, folded), folded in people, short.get(folded, ()), sort
        )
    known |= written.keys()
    for kind, values in (("date", counts.dates), ("number", counts.numbers - counts.dates)):
        for value in sorted(values):
            yield EntityRecord(_NAME + value, value, kind)
    fewest = 1 if len(counts.nouns) <= _MANY_NOUNS else 2
    for noun, number in sorted(counts.nouns.items()):
        if number >= fewest and fold(noun) not in known and usable(noun):
            yield EntityRecord(_NAME + noun, noun, "noun")


def _sort(name: str, is_human: bool, counts: _Counts) -> Sort:
    """Whether a name is one of a place: it is that of a land, or often stands after *in* or *at*."""
    often = counts.places[name] * 3 >= counts.names[name] > 0 and not is_human
    return "place" if often or fold(name) in _lands() else ""


@cache
def _lands() -> frozenset[str]:
    """The lands and their adjectives, folded: `France` and `French` are no persons."""
    return frozenset(fold(name) for land, adjectives in demonyms().items() for name in (land, *adjectives))


def _record(
    id_: str, name: str, nouns: list[str], is_human: bool, aliases: Iterable[str], sort: Sort = ""
) -> EntityRecord:
    types = dict.fromkeys([*nouns, *([PERSON] if is_human else [])])
    return EntityRecord(id_, name, sort or None, None, tuple(aliases), tuple(types))


def _written(counts: _Counts) -> dict[str, str]:
    """The most common way to write each proper name, by its folded form."""
    written: dict[str, str] = {}
    for name, _ in sorted(counts.names.items(), key=lambda pair: (-pair[1], pair[0])):
        if usable(name):
            written.setdefault(fold(name), name)
    return dict(sorted(written.items()))


def _topics(titles: dict[str, str], counts: _Counts) -> dict[str, str]:
    """The pages that are about what their title names: the text has it, or defines it."""
    names = ((page, without_parenthesis(titles[page])) for page in sorted(counts.titled))
    return {
        page: name
        for page, name in names
        if usable(name) and len(name.split()) <= _TITLE_WORDS and name[-1] not in ".?!:…"
    }


def _nouns(called_by: dict[str, Counter[str]], folded: str) -> list[str]:
    counted = called_by.get(folded)
    return (
        [noun for noun, _ in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))] if counted else []
    )


def _people(written: dict[str, str], called_by: dict[str, Counter[str]]) -> frozenset[str]:
    """The names of people: those that the text calls so, and others with their given names."""
    people = {folded for folded, nouns in called_by.items() if any(map(is_person, nouns))}
    given = Counter(words[0] for name in people if 1 < len(words := name.split()) < 4)
    called_else = {folded for folded, nouns in called_by.items() if nouns and folded not in people}
    others = {
        name
        for name in written
        if 1 < len(words := name.split()) < 4 and given[words[0]] > 1 and name not in called_else
    }
    return frozenset(people | others)


def _short_names(written: dict[str, str], people: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """For each full name of a person, its last word if no other name ends with that."""
    bearers: dict[str, list[str]] = defaultdict(list)
    for name in written:
        words = name.split()
        if len(words) > 1:
            bearers[words[-1]].append(name)
    return {
        full[0]: (written[full[0]].split()[-1],)
        for last, full in bearers.items()
        if len(full) == 1 and full[0] in people
    }
