"""Searches one page for everything that is wanted from it; its text is read once for all facts.

Links decide first (`PageLinks`). The topic's own name is not a mention of the other end.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import ibis
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from ibis import _

from rollcall.evidence.candidate import FACT, read_arrow, write_arrow
from rollcall.evidence.names import JoinedNames, names_of_relations, sought
from rollcall.evidence.values import ValueMatcher, text_forms, wanted_value
from rollcall.query.values import Text
from rollcall.tables.build import PageTopics, PageWants, PairWants, ProvableFacts
from rollcall.tables.corpus import Links, Sentences, Ties
from rollcall.tables.engine import Workbench
from rollcall.tables.files import batches
from rollcall.tables.table import DeclaredTable, Rows, String, empty, schema, shaped, unbound
from rollcall.text.name_forms import BETWEEN, END, Form, known_forms, plain
from rollcall.text.names import NameMatcher, Place, TopicOnPage

if TYPE_CHECKING:
    import ibis.expr.types as ir
    from numpy.typing import NDArray


# What each page is searched for (its wants): the facts about its topic, and the names to find. Input:
# `facts`, and the tables of a graph and a corpus. Output: `wants.arrow` and `topics.arrow`. Each fact is
# searched for on the page of its subject and on that of its object. The wants are one table sorted by
# page, so that a page is read once for all its facts. The engine makes both tables within its memory
# limit, for any number of facts.


class FactsToSearch(DeclaredTable):
    """A fact with a page to search for it."""

    page = PageWants.page
    subject = PageWants.subject
    relation = PageWants.relation
    object = PageWants.object
    literal = PageWants.literal
    side = PageWants.side
    topic = String("the end of the fact that the page is about")
    other = String("the other end")


def write_wants(bench: Workbench, folder: Path, *, objects_pages: bool = True) -> tuple[int, int]:
    """Write `wants.arrow` and `topics.arrow`; returns the number of facts, and of those with a page.

    Without `objects_pages` only the pages of the subjects are searched.
    """
    bench.keep(FactsToSearch, facts_on_pages if objects_pages else facts_on_subject_pages)
    write_arrow(bench, PageWants, wants, folder)
    write_arrow(bench, PageTopics, topics, folder)
    (counted,) = bench.records(counts)
    return int(counted["facts"]), int(counted["searchable"])


def facts_on_subject_pages() -> Rows[FactsToSearch]:
    """Each fact with the page of its subject, the side it is on, and the other end."""
    rows, ties = sought(), unbound(Ties, "corpus_ties")
    with_pages = rows.join(ties, rows.subject == ties.entity).select(
        "page", *FACT, side=ibis.literal("subject"), topic=_.subject, other=_.object
    )
    return shaped(FactsToSearch, with_pages)


def facts_on_pages() -> Rows[FactsToSearch]:
    """Each fact with the pages of its subject and of its object."""
    rows, ties = sought().filter(~_.literal & (_.subject != _.object)), unbound(Ties, "corpus_ties")
    of_object = rows.join(ties, rows.object == ties.entity).select(
        "page", *FACT, side=ibis.literal("object"), topic=_.object, other=_.subject
    )
    return shaped(FactsToSearch, facts_on_subject_pages().union(of_object))


def without_page() -> Rows[ProvableFacts]:
    """The facts without a page to search."""
    return shaped(ProvableFacts, sought().anti_join(unbound(FactsToSearch), list(FACT)))


def wants() -> Rows[PageWants]:
    """What each page is searched for: the names of the other end, or nothing if it is a value."""
    rows, entity_names = unbound(FactsToSearch), unbound(JoinedNames)
    joined = rows.left_join(entity_names, (rows.other == entity_names.entity) & ~rows.literal)
    joined = joined.select(
        "page",
        *FACT,
        "side",
        names=ibis.coalesce(_.names, _.other),
        label=ibis.coalesce(_.label, _.other),
    )
    relation_names = names_of_relations()
    with_relation_names = joined.left_join(
        relation_names,
        (joined.side == "subject")
        & (joined.relation == relation_names.relation)
        & (joined.object == relation_names.entity),
    )
    names = with_relation_names.names + ibis.coalesce(BETWEEN + with_relation_names.words, "")
    return shaped(PageWants, with_relation_names.select("page", *FACT, "side", "label", names=names))


def topics() -> Rows[PageTopics]:
    """The topic of every page that is searched, with its names."""
    rows, entity_names = unbound(FactsToSearch).select("page", "topic").distinct(), unbound(JoinedNames)
    page_topics = rows.left_join(entity_names, rows.topic == entity_names.entity).select(
        "page", "topic", names=ibis.coalesce(_.names, _.topic), label=ibis.coalesce(_.label, _.topic)
    )
    return shaped(PageTopics, page_topics)


def counts() -> "ir.Table":
    """The number of facts, and of those with a page."""
    searchable = unbound(FactsToSearch).select(*FACT).distinct()
    return sought().agg(facts=_.count()).cross_join(searchable.agg(searchable=_.count()))


# Reads pages in blocks: what some pages are searched for, with their topics, sentences and links. Input:
# `wants` with `topics`, or `pair_wants`, and a corpus. Output: `PageBlock` records. All tables are sorted by
# page, so one pass over each is enough, and only one block is in memory at a time. A page with very many
# wants is divided into several blocks.

PAGES_PER_BLOCK = 1000
WANTS_PER_BLOCK = 20_000
_SENTENCES = ["page", "number", "text", "start", "end"]
_LINKS = ["page", "sentence", "start", "end", "entity"]
_NO_TOPICS: tuple[pa.Schema, Iterator[pa.RecordBatch]] = (schema(PageTopics), iter(()))


class PageBlock(NamedTuple):
    """Some pages: Arrow tables sorted by page."""

    number: int
    wants: pa.Table
    topics: pa.Table
    sentences: pa.Table
    links: pa.Table


def read_blocks(table: type[DeclaredTable], folder: Path, corpus: Path) -> Iterator[PageBlock]:
    """The blocks of a table of wants in a folder, in the order of their pages; `PairWants` have no topics."""
    topics = _Follower(*(_NO_TOPICS if table is PairWants else read_arrow(PageTopics, folder)))
    sentences = _Follower(*_parquet(Sentences, corpus / "sentences.parquet", _SENTENCES))
    links = _Follower(*_parquet(Links, corpus / "links.parquet", _LINKS))
    for number, wants in enumerate(_cut(*read_arrow(table, folder))):
        pages = pc.unique(wants["page"])
        tables = (follower.of_pages(pages) for follower in (topics, sentences, links))
        yield PageBlock(number, wants, *tables)


def _parquet(
    table: type[DeclaredTable], path: Path, columns: list[str]
) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    file_schema = empty(table).select(columns).schema
    return file_schema, batches(table, path, columns, rows=1 << 15)


def _cut(schema: pa.Schema, record_batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Pieces of the wants: some whole pages, or a part of one page with too many wants."""
    pending = schema.empty_table()
    for batch in record_batches:
        pending = pa.concat_tables([pending, pa.Table.from_batches([batch])]).combine_chunks()
        while pending.num_rows >= WANTS_PER_BLOCK:
            length = _first_pages(pending, complete=False)
            yield pending.slice(0, length)
            pending = pending.slice(length)
    while pending.num_rows:
        length = _first_pages(pending, complete=True)
        yield pending.slice(0, length)
        pending = pending.slice(length)


def _first_pages(wants: pa.Table, complete: bool) -> int:
    """The number of rows of the next piece; the last page may continue unless the wants are complete."""
    _pages, ends = page_runs(wants["page"].slice(0, WANTS_PER_BLOCK + 1))
    if not complete or wants.num_rows > WANTS_PER_BLOCK:
        ends = ends[:-1]
    page_ends = ends[:PAGES_PER_BLOCK]
    return int(page_ends[-1]) if len(page_ends) else min(wants.num_rows, WANTS_PER_BLOCK)


def page_runs(pages: Any) -> tuple[list[str], list[int]]:
    """The pages of a column sorted by page, and for each the number of the row after its last one."""
    runs = pc.run_end_encode(pages.combine_chunks())  # type: ignore[attr-defined]
    return runs.values.to_pylist(), runs.run_ends.to_pylist()


class _Follower:
    """Reads a table sorted by page once, and gives the rows of pages that are requested in order."""

    def __init__(self, schema: pa.Schema, record_batches: Iterator[pa.RecordBatch]) -> None:
        self._batches = record_batches
        self._parts: list[_Part] = []
        self._empty = schema.empty_table()

    def of_pages(self, pages: Any) -> pa.Table:
        first, last = pages[0].as_py(), pages[len(pages) - 1].as_py()
        while not self._parts or self._parts[-1].pages[-1] <= last:
            batch = next(self._batches, None)
            if batch is None:
                break
            if batch.num_rows:
                self._parts.append(_part(pa.Table.from_batches([batch])))
        slices = [_between(part, first, last) for part in self._parts]
        # The last page of a block may also be the first page of the next block.
        self._parts = [part for part in self._parts if part.pages[-1] >= last]
        table = pa.concat_tables([self._empty, *slices])
        return table.filter(pc.is_in(table["page"], value_set=pages)).combine_chunks()


class _Part(NamedTuple):
    """Some rows of a table, with their pages and the first row of each page."""

    table: pa.Table
    pages: list[str]
    firsts: list[int]


def _part(table: pa.Table) -> _Part:
    pages, ends = page_runs(table["page"])
    return _Part(table, pages, [0, *ends])


def _between(part: _Part, first: str, last: str) -> pa.Table:
    start = part.firsts[bisect_left(part.pages, first)]
    return part.table.slice(start, part.firsts[bisect_right(part.pages, last)] - start)


# The pages of a block as texts to search: plain sentences, joined, with links at their places. Texts and
# places are computed for the whole block at once; a page is then a slice of each list.

Link = tuple[int, int, str | None]
"""The place of a link in the text of its page, and the entity to which it leads, if it is known."""


class SearchPage(NamedTuple):
    """The sentences of a page, joined by `END`; all places are places in this text."""

    text: str
    """The result of `forms.plain`."""
    original: str
    first: int
    """The row of the first sentence in the block."""
    starts: Sequence[int]
    ends: Sequence[int]
    links: Sequence[tuple[int, Link]]
    """The row of the link's sentence, and the link."""


class BlockTexts:
    """The texts of a block of sentences and links, both sorted by page and number.

    `starts` are the places of the sentences in the texts of their pages. `before` has the two sentences
    before each sentence, or fewer at the start of a page.
    """

    def __init__(self, sentences: pa.Table, links: pa.Table) -> None:
        names, ends = page_runs(sentences["page"])
        edges = np.array([0, *ends], np.int32)
        first = np.repeat(edges[:-1], np.diff(edges))
        texts: Any = sentences["text"].combine_chunks()
        lengths = pc.utf8_length(texts).to_numpy()
        text_starts = np.concatenate([[0], np.cumsum(lengths + 1)])
        self.starts: NDArray[np.int64] = text_starts[:-1] - text_starts[first]
        self.before = _before(texts, np.arange(len(texts)) - first)
        self._rows = dict(zip(names, zip([0, *ends[:-1]], ends, strict=True), strict=True))
        offsets: Any = pa.array(edges)
        joined: Any = pc.binary_join(pa.ListArray.from_arrays(offsets, texts), END)
        self._texts = dict(zip(names, values(joined), strict=True))
        self._starts, self._ends = self.starts.tolist(), (self.starts + lengths).tolist()
        self._links = self._placed(links, edges, self.starts - sentences["start"].to_numpy())

    def _placed(
        self, links: pa.Table, edges: "NDArray[np.int32]", shift: "NDArray[np.int64]"
    ) -> dict[str, list[tuple[int, Link]]]:
        """Links by page; `shift` converts places in the page's own text to places in the joined text."""
        links = links.append_column("at", pc.index_in(links["page"], value_set=pa.array(list(self._rows))))
        for name in ("at", "sentence", "start"):
            if links[name].null_count:
                links = links.filter(pc.is_valid(links[name]))
        rows = edges[links["at"].to_numpy()] + links["sentence"].to_numpy()
        ends = ((links[name].to_numpy() + shift[rows]).tolist() for name in ("start", "end"))
        placed = list(zip(rows.tolist(), zip(*ends, values(links["entity"]), strict=True), strict=True))
        return {page: placed[first:last] for page, (first, last) in spans(links["page"]).items()}

    def page(self, name: str) -> SearchPage | None:
        """A page of the block; None if it has no sentence."""
        if name not in self._rows:
            return None
        first, last = self._rows[name]
        text = self._texts[name]
        links = self._links.get(name, [])
        return SearchPage(plain(text), text, first, self._starts[first:last], self._ends[first:last], links)


def _before(texts: Any, numbers: "NDArray[np.int64]") -> "pa.StringArray":
    """The two sentences before each sentence, joined by a space; sentences are numbered on their pages."""
    rows = np.arange(len(texts))
    previous, second_previous = (texts.take(pa.array(rows - back, mask=numbers < back)) for back in (1, 2))
    # Nulls are not skipped here, because Arrow would leave out rows in which both are null.
    lead: Any = pc.fill_null(pc.binary_join_element_wise(second_previous, "", " "), "")
    joined: pa.StringArray = pc.binary_join_element_wise(lead, pc.fill_null(previous, ""), "")
    return joined


def spans(pages: "pa.ChunkedArray[Any]") -> dict[str, tuple[int, int]]:
    """The first row of each page and the row after its last one, for a column sorted by page."""
    names, ends = page_runs(pages)
    return dict(zip(names, zip([0, *ends[:-1]], ends, strict=True), strict=True)) if names else {}


def values(column: "pa.Array[Any] | pa.ChunkedArray[Any]") -> list[str]:
    """A column of texts as a list; faster than one scalar at a time."""
    return list(column.to_numpy(zero_copy_only=False).tolist())


# What the links of a page say about the names in its text. A link to an entity is a mention of it,
# whatever its words are. A name is not a mention of an entity if it is inside a link to something else,
# or if the links of this page use it for something else.


class PageLinks:
    """The links of a page, by the row of their sentence."""

    def __init__(self, page: SearchPage) -> None:
        text = page.text
        self._by_row: dict[int, list[Link]] = {}
        for row, link in page.links:
            self._by_row.setdefault(row, []).append(link)
        self._linked = {link for _row, link in page.links}
        self._uses = {(text[start:end], entity) for start, end, entity in self._linked if entity is not None}
        self._used = {name for name, _entity in self._uses}

    def of(self, row: int) -> Sequence[Link]:
        """The links of a sentence."""
        return self._by_row.get(row, ())

    def speak_against(self, row: int, start: int, end: int, name: str, entity: str | None) -> bool:
        """Whether links show that a name means something else than an entity, or than a value (None)."""
        links = self._by_row.get(row)
        if links and _is_linked_elsewhere(start, end, entity, links):
            return True
        return entity is not None and name in self._used and (name, entity) not in self._uses

    def have(self, start: int, end: int, entity: str | None) -> bool:
        """Whether a link to an entity is exactly here."""
        return (start, end, entity) in self._linked


def _is_linked_elsewhere(start: int, end: int, entity: str | None, links: Sequence[Link]) -> bool:
    """Whether a link shows that the name here means something else than this entity or value."""
    for first, last, linked in links:
        if first < end and start < last and linked != entity:
            return linked is not None or (first, last) != (start, end)
    return False


MOST_SENTENCES = 20
"""If a page seems to state a fact many times, this number of sentences is kept, the first ones."""
_MANY_NAMES = 60


class Wants(NamedTuple):
    """What the pages of a block are searched for, by row: the other end, its names in one text, and their
    forms.

    Facts that search a page for the same thing share a key, which is the row of the first of them.
    """

    others: Sequence[str]
    literal: Sequence[bool]
    names: Sequence[str]
    forms: Sequence[Sequence[Form]]


Finding = tuple[int, int, str, list[Place], list[Place]]
"""A want and a sentence that may state its fact, both as row numbers; the name, and the places of both ends.
"""
Mentions = dict[tuple[int, int], list[Place]]
"""The places of mentions, by the sentence's row and the key."""


class PageSearch:
    """The search of one page for the wants of its topic."""

    def __init__(self, page: SearchPage, topic: TopicOnPage, wants: Wants, rows: Sequence[int]) -> None:
        self._page, self._topic, self._wants = page, topic, wants
        self._names = NameMatcher(page.text, page.starts, many=len(rows) > _MANY_NAMES)
        self._values = ValueMatcher()
        self._further: dict[int, list[int]] = {}
        """The other wants that share a key."""
        self._links = PageLinks(page)
        self._keys: dict[str | None, list[int]] = {link[2]: [] for _sentence, link in page.links}
        """The keys of each linked entity; there may be several, because a relation may add names to an
        entity.
        """
        others, literal, names, forms = wants
        first: dict[tuple[bool, str, str], int] = {}
        add = self._names.add
        for row in rows:
            key = first.setdefault((literal[row], others[row], names[row]), row)
            if key != row:
                self._further.setdefault(key, []).append(row)
            elif literal[row]:
                self._add_value(others[row], row)
            else:
                add(forms[row], row)
                if others[row] in self._keys:
                    self._keys[others[row]].append(row)

    def _add_value(self, text: str, key: int) -> None:
        value = wanted_value(text)
        if isinstance(value, Text):
            self._names.add([*text_forms(value), *self._wants.forms[key]], key)
        elif value is not None:
            self._values.add(value, key)

    def findings(self) -> list[Finding]:
        """All findings on the page, in the order of sentences and of facts."""
        page, further, last_row, topic = self._page, self._further, -1, list[Place]()
        findings: list[Finding] = []
        for (row, key), places in _first_mentions(self._mentions()):
            if row != last_row:
                last_row, sentence = row, row - page.first
                linked = [link[:2] for link in self._links.of(row)]
                topic = self._topic.places(page.starts[sentence], page.ends[sentence], linked)
            if len(places) > 1:
                places = _clear_of(places, topic)
            start, end = places[0]
            name = page.original[start:end]
            findings.append((key, row, name, places, topic))
            if key in further:
                findings += [(want, row, name, places, topic) for want in further[key]]
        return findings

    def _mentions(self) -> Mentions:
        mentions: Mentions = {}
        self._add_links(mentions)
        self._add_names(mentions)
        if self._values:
            self._add_values(mentions)
        return mentions

    def _add_links(self, mentions: Mentions) -> None:
        """Add links to wanted entities."""
        for row, (start, end, entity) in self._page.links:
            for key in self._keys[entity]:
                mentions.setdefault((row, key), []).append((start, end))

    def _add_names(self, mentions: Mentions) -> None:
        """Add names of wanted entities, unless a link is there already."""
        text, starts, first = self._page.text, self._page.starts, self._page.first
        others, literal, owns = self._wants.others, self._wants.literal, self._topic.owns
        links = self._links
        for start, end, keys in self._names.find():
            name, row = text[start:end], first + bisect_right(starts, start) - 1
            for key in keys:
                entity = None if literal[key] else others[key]
                if links.speak_against(row, start, end, name, entity):
                    continue
                if entity is None or not (links.have(start, end, entity) or owns(start, end)):
                    mentions.setdefault((row, key), []).append((start, end))

    def _add_values(self, mentions: Mentions) -> None:
        """Add values that sentences state."""
        page = self._page
        for row, (start, end) in enumerate(zip(page.starts, page.ends, strict=True), page.first):
            for value in self._values.find(page.text[start:end]):
                mentions.setdefault((row, value.key), []).append((start + value.start, start + value.end))


def _first_mentions(mentions: Mentions) -> list[tuple[tuple[int, int], list[Place]]]:
    """The mentions in order; for each key, only those in the first sentences that mention it."""
    ordered = sorted(mentions.items())
    if len(ordered) <= MOST_SENTENCES:
        return ordered
    counts: Counter[int] = Counter()
    selected = []
    for mention in ordered:
        key = mention[0][1]
        counts[key] += 1
        if counts[key] <= MOST_SENTENCES:
            selected.append(mention)
    return selected


def _clear_of(places: list[Place], topic: list[Place]) -> list[Place]:
    """The places of the other end that do not overlap the topic's name, in order, if there are any."""
    clear = [
        place for place in places if not any(place[0] < end and start < place[1] for start, end in topic)
    ]
    return sorted(set(clear or places))


# Searches single sentences, on pages of neither end, for the facts whose two ends they may name. Both
# ends must be named here, by a link or by a name; nothing is understood from the page's topic. All names
# of a sentence are searched for together, so that the longest one wins. What belongs to the topic's own
# name (the city in the name of its university) is not a mention of another.

End = tuple[str, bool, str]
"""An entity or a value, whether it is a value, and its names in one text."""


class PairFinding(NamedTuple):
    """A want and a sentence that may state its fact, both as row numbers, and the places of both ends in the
    sentence.
    """

    want: int
    row: int
    subjects: list[Place]
    objects: list[Place]


class SentenceSearch:
    """The search of sentences of one page; `title` is the page's title."""

    def __init__(self, page: SearchPage, title: str) -> None:
        self._page, self._links = page, PageLinks(page)
        self._topic = TopicOnPage(title, "", page.text, page.starts)

    def findings(self, number: int, wants: Sequence[tuple[int, End, End]]) -> list[PairFinding]:
        """The wants whose both ends a sentence names; each is a row, a subject and an object."""
        row = self._page.first + number
        ends = list(dict.fromkeys(end for _want, *both in wants for end in both))
        places = dict(zip(ends, self._places(number, row, ends), strict=True))
        findings = []
        for want, subject, object_ in wants:
            subjects = places[subject]
            objects = [place for place in places[object_] if not _overlaps(place, subjects)]
            if subjects and objects:
                findings.append(PairFinding(want, row, subjects, objects))
        return findings

    def _places(self, number: int, row: int, ends: Sequence[End]) -> list[list[Place]]:
        """Where a sentence names each of some ends: by links, by names, or by a statement of the value."""
        page, links = self._page, self._links
        start = page.starts[number]
        text = page.text[start : page.ends[number]]
        place_sets: list[set[Place]] = [set() for _end in ends]
        entities = [None if literal else name for name, literal, _names in ends]
        for first, last, linked in links.of(row):
            for key, entity in enumerate(entities):
                if entity is not None and entity == linked:
                    place_sets[key].add((first - start, last - start))
        names, values = _matchers(text, ends)
        for first, last, keys in names.find():
            place = start + first, start + last
            for key in keys:
                entity = entities[key]
                if not links.speak_against(row, *place, text[first:last], entity) and (
                    entity is None or not self._topic.owns(*place)
                ):
                    place_sets[key].add((first, last))
        for value in values.find(text) if values else ():
            place_sets[value.key].add((value.start, value.end))
        return [sorted(places) for places in place_sets]


def _matchers(text: str, ends: Sequence[End]) -> tuple[NameMatcher, ValueMatcher]:
    """What finds the names and the values of some ends in a text, each under its number."""
    names, values = NameMatcher(text), ValueMatcher()
    for key, (end, literal, joined) in enumerate(ends):
        value = wanted_value(end) if literal else None
        if isinstance(value, Text):
            names.add(text_forms(value), key)
        elif value is not None:
            values.add(value, key)
        elif not literal:
            names.add(known_forms(joined), key)
    return names, values


def _overlaps(place: Place, other_places: Sequence[Place]) -> bool:
    return any(place[0] < end and start < place[1] for start, end in other_places)
