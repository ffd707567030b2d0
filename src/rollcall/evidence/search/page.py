"""Searches one page for everything that is wanted from it; its text is read once for all facts.

Links decide first (`links`). The topic's own name is no mention of the other end.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from rollcall.evidence.names.forms import Form
from rollcall.evidence.names.matcher import NameMatcher, Place
from rollcall.evidence.names.topic import TopicOnPage
from rollcall.evidence.search.links import PageLinks
from rollcall.evidence.search.texts import Page
from rollcall.evidence.values.matcher import ValueMatcher, text_forms, wanted_value
from rollcall.query.values import Text

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

    def __init__(self, page: Page, topic: TopicOnPage, wants: Wants, rows: Sequence[int]) -> None:
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
        page, further, last, topic = self._page, self._further, -1, list[Place]()
        found: list[Finding] = []
        for (row, key), places in _first_ones(self._mentions()):
            if row != last:
                last, sentence = row, row - page.first
                linked = [link[:2] for link in self._links.of(row)]
                topic = self._topic.places(page.starts[sentence], page.ends[sentence], linked)
            if len(places) > 1:
                places = _clear_of(places, topic)
            start, end = places[0]
            name = page.original[start:end]
            found.append((key, row, name, places, topic))
            if key in further:
                found += [(want, row, name, places, topic) for want in further[key]]
        return found

    def _mentions(self) -> Mentions:
        found: Mentions = {}
        self._add_links(found)
        self._add_names(found)
        if self._values:
            self._add_values(found)
        return found

    def _add_links(self, found: Mentions) -> None:
        """Add links to wanted entities."""
        for row, (start, end, entity) in self._page.links:
            for key in self._keys[entity]:
                found.setdefault((row, key), []).append((start, end))

    def _add_names(self, found: Mentions) -> None:
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
                    found.setdefault((row, key), []).append((start, end))

    def _add_values(self, found: Mentions) -> None:
        """Add values that sentences state."""
        page = self._page
        for row, (start, end) in enumerate(zip(page.starts, page.ends, strict=True), page.first):
            for value in self._values.find(page.text[start:end]):
                found.setdefault((row, value.key), []).append((start + value.start, start + value.end))


def _first_ones(found: Mentions) -> list[tuple[tuple[int, int], list[Place]]]:
    """The mentions in order; for each key, only those in the first sentences that mention it."""
    ordered = sorted(found.items())
    if len(ordered) <= MOST_SENTENCES:
        return ordered
    counts: Counter[int] = Counter()
    kept = []
    for mention in ordered:
        key = mention[0][1]
        counts[key] += 1
        if counts[key] <= MOST_SENTENCES:
            kept.append(mention)
    return kept


def _clear_of(places: list[Place], topic: list[Place]) -> list[Place]:
    """The places of the other end that do not overlap the topic's name, in order, if there are any."""
    clear = [one for one in places if not any(one[0] < end and start < one[1] for start, end in topic)]
    return sorted(set(clear or places))
