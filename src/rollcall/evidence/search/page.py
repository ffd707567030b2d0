"""Searches one page for everything that is wanted of it: its text is read once for all facts.

Links decide first: a link to the other end is a mention whatever its words, and a name inside a link to
something else is none, nor is a name that this page's links use for something else, nor the topic's own name.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from rollcall.evidence.names.forms import Form
from rollcall.evidence.names.matcher import NameMatcher, Place
from rollcall.evidence.names.topic import TopicOnPage
from rollcall.evidence.search.texts import Link, Page
from rollcall.evidence.values.matcher import ValueMatcher, text_forms, wanted_value
from rollcall.query.values import Text

MOST_SENTENCES = 20
"""Of a fact that one page seems to state again and again, so many sentences are kept, the first ones."""
_MANY_NAMES = 60


class Wants(NamedTuple):
    """What is wanted of the pages of a block, by row: the other end, its names in one text, and their forms.

    Facts that want the same thing of a page share a key, the row of the first of them.
    """

    others: Sequence[str]
    literal: Sequence[bool]
    names: Sequence[str]
    forms: Sequence[Sequence[Form]]


class Finding(NamedTuple):
    """A want and a sentence that may state its fact, by row; the name, and the places of both ends."""

    want: int
    sentence: int
    name: str
    places: list[Place]
    topic: list[Place]


class PageSearch:
    """The search of one page for the wants of its topic."""

    def __init__(self, page: Page, topic: TopicOnPage, wants: Wants, rows: Sequence[int]) -> None:
        self._page, self._topic, self._wants = page, topic, wants
        self._names = NameMatcher(page.text, page.starts, many=len(rows) > _MANY_NAMES)
        self._values = ValueMatcher()
        self._rows: dict[int, list[int]] = {}
        """The wants that share each key."""
        self._keys: dict[str, list[int]] = {}
        """The keys of each entity: a relation may add to its names."""
        self._links: dict[int, list[Link]] = {}
        for sentence, link in page.links:
            self._links.setdefault(sentence, []).append(link)
        others, literal, names, forms = wants
        first: dict[tuple[bool, str, str], int] = {}
        for row in rows:
            key = first.setdefault((literal[row], others[row], names[row]), row)
            if key != row:
                self._rows[key].append(row)
                continue
            self._rows[row] = [row]
            if literal[row]:
                self._add_value(others[row], row)
            else:
                self._names.add(forms[row], row)
                self._keys.setdefault(others[row], []).append(row)

    def _add_value(self, text: str, key: int) -> None:
        value = wanted_value(text)
        if isinstance(value, Text):
            self._names.add(text_forms(value), key)
        elif value is not None:
            self._values.add(value, key)

    def findings(self) -> Iterator[Finding]:
        """All that is found on the page, in the order of its sentences and of the facts."""
        page, last, topic = self._page, -1, list[Place]()
        for (row, key), places in self._first_ones():
            if row != last:
                last, sentence = row, row - page.first
                linked = [link[:2] for link in self._links.get(row, ())]
                topic = self._topic.places(page.starts[sentence], page.ends[sentence], linked)
            if len(places) > 1:
                places = _clear_of(places, topic)
            start, end = places[0]
            name = page.original[start:end]
            for want in self._rows[key]:
                yield Finding(want, row, name, places, topic)

    def _first_ones(self) -> Iterator[tuple[tuple[int, int], list[Place]]]:
        """The places by sentence and key, in the first sentences that mention each key."""
        found: dict[tuple[int, int], list[Place]] = {}
        for row, key, place in chain(self._linked(), self._named(), self._stated()):
            found.setdefault((row, key), []).append(place)
        if len(found) <= MOST_SENTENCES:
            yield from sorted(found.items())
            return
        counts: Counter[int] = Counter()
        for mention in sorted(found.items()):
            counts[mention[0][1]] += 1
            if counts[mention[0][1]] <= MOST_SENTENCES:
                yield mention

    def _linked(self) -> Iterator[tuple[int, int, Place]]:
        """Links to what is wanted: the sentence, the key, and the place."""
        for row, (start, end, entity) in self._page.links:
            for key in self._keys.get(entity, ()) if entity is not None else ():
                yield row, key, (start, end)

    def _named(self) -> Iterator[tuple[int, int, Place]]:
        """Names that mean what is wanted, where no link says so already."""
        text, starts, first = self._page.text, self._page.starts, self._page.first
        others, literal = self._wants.others, self._wants.literal
        linked = {(start, end, entity) for _row, (start, end, entity) in self._page.links}
        uses = {(text[start:end], entity) for start, end, entity in linked if entity is not None}
        used = {name for name, _entity in uses}
        for start, end, keys in self._names.find():
            name, row = text[start:end], first + bisect_right(starts, start) - 1
            links = self._links.get(row)
            for key in keys:
                entity = None if literal[key] else others[key]
                if links and _is_linked_elsewhere(start, end, entity, links):
                    continue
                if entity is None or (
                    (start, end, entity) not in linked
                    and (name not in used or (name, entity) in uses)
                    and not self._topic.owns(start, end)
                ):
                    yield row, key, (start, end)

    def _stated(self) -> Iterator[tuple[int, int, Place]]:
        """Values that sentences state."""
        if not self._values:
            return
        page = self._page
        for row, (start, end) in enumerate(zip(page.starts, page.ends, strict=True), page.first):
            for value in self._values.find(page.text[start:end]):
                yield row, value.key, (start + value.start, start + value.end)


def _is_linked_elsewhere(start: int, end: int, entity: str | None, links: Sequence[Link]) -> bool:
    """Whether a link says that the name here means something else than this entity or value."""
    for first, last, linked in links:
        if first < end and start < last and linked != entity:
            return linked is not None or (first, last) != (start, end)
    return False


def _clear_of(places: list[Place], topic: list[Place]) -> list[Place]:
    """The places of the other end that the topic's name does not overlap, if there are any, in order."""
    clear = [one for one in places if not any(one[0] < end and start < one[1] for start, end in topic)]
    return sorted(set(clear or places))
