"""Searches one page for everything that is wanted of it: its text is read once for all facts.

Links decide first: a link to the other end is a mention whatever its words, and a name inside a link to
something else is none, nor is a name that this page's links use for something else, nor the topic's own name.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from rollcall.evidence.literals import LiteralMatcher, text_forms, wanted_value
from rollcall.evidence.matcher import MANY_NAMES, NameMatcher
from rollcall.evidence.names import Form
from rollcall.evidence.topic import Place, TopicOnPage
from rollcall.query.values import Text

MOST_SENTENCES = 20
"""Of a fact that one page seems to tell again and again, so many sentences are kept, the first ones."""
Key = TypeVar("Key", str, tuple[str, str])
Link = tuple[int, int, str | None]
Finding = tuple[int, int, str, list[Place], list[Place]]
"""What is wanted and the sentence that may tell it, by row; the name, the places of both ends."""


class Wants(NamedTuple):
    """What is wanted of the pages of a block, by row: the other ends, and the forms of entities."""

    others: Sequence[str]
    literal: Sequence[bool]
    keys: Sequence[tuple[str, str]]
    """The other end and its names, which a relation may add to."""
    forms: Sequence[Sequence[Form]]


class Page(NamedTuple):
    """The sentences of a page, joined by `END`; places are those in this text."""

    text: str
    """Made plain."""
    original: str
    first: int
    """The row of the first sentence."""
    starts: Sequence[int]
    ends: Sequence[int]
    links: Sequence[tuple[int, Link]]
    """The row of the sentence, and the place and the entity of each link."""


class PageSearch:
    """The names and values wanted of one page; known by the row of the first fact that wants them."""

    def __init__(self, page: Page, topic: TopicOnPage, wants: Wants, rows: Sequence[int]) -> None:
        self._page, self._topic, self._wants = page, topic, wants
        self._names = NameMatcher(page.text, page.starts, many=len(rows) > MANY_NAMES)
        self._values = LiteralMatcher()
        self._further: dict[int, list[int]] = {}
        self._variants: dict[int, list[int]] = {}
        literal, others = wants.literal, wants.others
        values = [row for row in rows if literal[row]]
        named = [row for row in rows if not literal[row]] if values else rows
        by_names = _firsts(named, wants.keys, self._further)
        self._names.add_all(by_names.values(), wants.forms)
        self._keys = dict(zip([others[row] for row in by_names.values()], by_names.values(), strict=True))
        if len(self._keys) < len(by_names):  # what is called France by one relation is French by another
            self._keys = _firsts(list(by_names.values()), others, self._variants)
        for text, row in _firsts(values, others, self._further).items() if values else ():
            self._add_value(text, row)

    def _add_value(self, text: str, key: int) -> None:
        value = wanted_value(text)
        if isinstance(value, Text):
            self._names.add(text_forms(value), key)
        elif value is not None:
            self._values.add(value, key)

    def run(self) -> list[Finding]:
        """All that is found on the page, in the order of its sentences."""
        findings: list[Finding] = []
        page, original, further = self._page, self._page.original, self._further
        links: dict[int, list[Link]] = {}
        for row, link in page.links:
            links.setdefault(row, []).append(link)
        told, topic = -1, []
        for (row, key), places in _first_ones(sorted(self._mentions(links).items())):
            if row != told:
                told, sentence = row, row - page.first
                topic = self._topic.places(page.starts[sentence], page.ends[sentence], links.get(row, ()))
            if len(places) > 1:
                places = _clear_of(places, topic)
            start, end = places[0]
            findings.append((key, row, original[start:end], places, topic))
            if key in further:
                findings += [(other, row, original[start:end], places, topic) for other in further[key]]
        return findings

    def _mentions(self, links: dict[int, list[Link]]) -> dict[tuple[int, int], list[Place]]:
        """The places of what is wanted, by the rows of sentences and keys."""
        found: dict[tuple[int, int], list[Place]] = {}
        others, literal, wanted = self._wants.others, self._wants.literal, self._keys
        text, starts, first = self._page.text, self._page.starts, self._page.first
        linked: dict[Place, str] = {}
        used: set[tuple[str, str]] = set()  # what the page's links use each text for
        for row, (start, end, entity) in self._page.links:
            if entity is not None:
                used.add((text[start:end], entity))
                if entity in wanted:
                    linked[start, end] = entity
                    for key in (wanted[entity], *self._variants.get(wanted[entity], ())):
                        found.setdefault((row, key), []).append((start, end))
        texts = {used_text for used_text, _entity in used}
        for start, end, keys in self._names.find():
            place = (start, end)
            target = linked.get(place)
            for key in keys:
                name, entity = text[start:end], None if literal[key] else others[key]
                if entity is not None and entity == target:
                    continue  # known by its link
                if entity is not None and name in texts and (name, entity) not in used:
                    continue
                row = first + bisect_right(starts, start) - 1
                if row in links and _is_linked_elsewhere(place, entity, links[row]):
                    continue
                if entity is None or not self._topic.owns(start, end):
                    found.setdefault((row, key), []).append(place)
        if self._values:
            self._add_values(found)
        return found

    def _add_values(self, found: dict[tuple[int, int], list[Place]]) -> None:
        page = self._page
        for row, (start, end) in enumerate(zip(page.starts, page.ends, strict=True), page.first):
            for value in self._values.find(page.text[start:end]):
                places = found.setdefault((row, value.key), [])
                places.append((start + value.start, start + value.end))


def _firsts(rows: Sequence[int], keys: Sequence[Key], further: dict[int, list[int]]) -> dict[Key, int]:
    """The first row with each key; the others are noted with their first one."""
    first = dict(zip([keys[row] for row in reversed(rows)], reversed(rows), strict=True))
    if len(first) < len(rows):
        for row in rows:
            if first[keys[row]] != row:
                further.setdefault(first[keys[row]], []).append(row)
    return first


Mentions = list[tuple[tuple[int, int], list[Place]]]


def _first_ones(mentions: Mentions) -> Mentions:
    """Those in the first sentences that mention each key."""
    if len(mentions) <= MOST_SENTENCES:
        return mentions
    counts: Counter[int] = Counter()
    kept = []
    for mention in mentions:
        key = mention[0][1]
        counts[key] += 1
        if counts[key] <= MOST_SENTENCES:
            kept.append(mention)
    return kept


def _is_linked_elsewhere(place: Place, entity: str | None, links: Iterable[Link]) -> bool:
    for start, end, linked in links:
        if start < place[1] and place[0] < end and linked != entity:
            return linked is not None or (start, end) != place
    return False


def _clear_of(places: list[Place], topic: list[Place]) -> list[Place]:
    """The places of the other end that the topic's name does not overlap, if there are any, in order."""
    clear = places
    for start, end in topic:
        clear = [place for place in clear if end <= place[0] or place[1] <= start]
    return sorted(set(clear or places))
