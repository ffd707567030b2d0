"""Searches one page for everything that is wanted of it: its text is read once for all facts.

Links decide first: a link to the other end is a mention whatever its words, and a name inside a link to
something else is none, nor is a name that this page's links use for something else, nor the topic's own name.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rollcall.evidence.literals import LiteralMatcher, text_forms, wanted_value
from rollcall.evidence.matcher import MANY_NAMES, NameMatcher
from rollcall.evidence.names import known_forms
from rollcall.evidence.topic import Place, TopicOnPage
from rollcall.query.values import Text

MOST_SENTENCES = 20
"""Of a fact that one page seems to tell again and again, so many sentences are kept, the first ones."""
END = "\x1e"
"""Behind every sentence of a page's text; part of no name."""
Link = tuple[int, int, str | None]
Want = tuple[str, bool, str]
"""The other end of a fact about the page's topic, whether it is a value, and its names, joined."""
Finding = tuple[int, int, list[Place], list[Place]]
"""What is wanted and the sentence that may tell it, by number; the places of the other end and the topic."""


class Page(NamedTuple):
    """The sentences of a page, made plain and joined by `END`; places are those in this text."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    links: Sequence[tuple[int, Link]]
    """The number of the sentence, and the place and the entity of each link."""


class PageSearch:
    """The names and values wanted of one page."""

    def __init__(self, page: Page, topic: TopicOnPage, wants: Sequence[Want]) -> None:
        self._page, self._topic = page, topic
        self._names = NameMatcher(page.text, page.starts, many=len(wants) > MANY_NAMES)
        self._values = LiteralMatcher()
        self._keys: dict[str, list[int]] = {}
        named: dict[tuple[str, str], int] = {}  # what is called France by one relation is French by another
        values: dict[tuple[str, str], int] = {}
        self._entities: list[str | None] = []
        self._wants: list[list[int]] = []
        for number, (other, literal, names) in enumerate(wants):
            keys = values if literal else named
            known = keys.get((other, names))
            if known is not None:
                self._wants[known].append(number)
                continue
            key = keys[(other, names)] = len(self._wants)
            self._wants.append([number])
            self._entities.append(None if literal else other)
            if literal:
                self._add_value(other, key)
            else:
                self._keys.setdefault(other, []).append(key)
                self._names.add(known_forms(names), key)

    def _add_value(self, text: str, key: int) -> None:
        value = wanted_value(text)
        if isinstance(value, Text):
            self._names.add(text_forms(value), key)
        elif value is not None:
            self._values.add(value, key)

    def run(self) -> list[Finding]:
        """All that is found on the page, in the order of its sentences."""
        findings: list[Finding] = []
        counts = [0] * len(self._wants)
        page, links = self._page, self._links()
        found = self._mentions(links)
        for sentence in sorted(found):
            mentions = found[sentence]
            topic = self._topic.places(page.starts[sentence], page.ends[sentence], links.get(sentence, ()))
            for key in sorted(mentions) if len(mentions) > 1 else mentions:
                counts[key] += 1
                if counts[key] <= MOST_SENTENCES:
                    places = mentions[key]
                    if len(places) > 1:
                        places = _clear_of(places, topic)
                    for want in self._wants[key]:
                        findings.append((want, sentence, places, topic))
        return findings

    def _links(self) -> dict[int, list[Link]]:
        links: dict[int, list[Link]] = {}
        for sentence, link in self._page.links:
            if sentence in links:
                links[sentence].append(link)
            else:
                links[sentence] = [link]
        return links

    def _mentions(self, links: dict[int, list[Link]]) -> dict[int, dict[int, list[Place]]]:
        """The places of what is wanted, by sentence and key."""
        found: dict[int, dict[int, list[Place]]] = defaultdict(dict)
        text, starts = self._page.text, self._page.starts
        linked: dict[Place, str] = {}
        meant: dict[str, set[str]] = defaultdict(set)  # what the page's links use each text for
        for sentence, (start, end, entity) in self._page.links:
            if entity is None:
                continue
            linked[(start, end)] = entity
            meant[text[start:end]].add(entity)
            for key in self._keys.get(entity, ()):
                found[sentence].setdefault(key, []).append((start, end))
        for start, end, keys in self._names.find():
            place = (start, end)
            target = linked.get(place, "")
            for key in keys:
                entity = self._entities[key]
                if entity == target:
                    continue  # known by its link
                others = meant.get(text[start:end])
                if entity is not None and others is not None and entity not in others:
                    continue
                sentence = bisect_right(starts, start) - 1
                if sentence in links and _is_linked_elsewhere(place, entity, links[sentence]):
                    continue
                if entity is None or not self._topic.owns(start, end):
                    found[sentence].setdefault(key, []).append(place)
        if self._values:
            self._add_values(found)
        return found

    def _add_values(self, found: dict[int, dict[int, list[Place]]]) -> None:
        page = self._page
        for sentence, (start, end) in enumerate(zip(page.starts, page.ends, strict=True)):
            for value in self._values.find(page.text[start:end]):
                places = found[sentence].setdefault(value.key, [])
                places.append((start + value.start, start + value.end))


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
