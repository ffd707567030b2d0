"""Searches single sentences, on pages of neither end, for the facts whose two ends they may name.

Both ends must be named here, by a link or by a name; nothing is understood from the page's topic. All names
of a sentence are searched for together, so that the longest one wins. What belongs to the topic's own name
(the city in the name of its university) is no mention of another.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rollcall.evidence.names.forms import known_forms
from rollcall.evidence.names.matcher import NameMatcher, Place
from rollcall.evidence.names.topic import TopicOnPage
from rollcall.evidence.search.links import PageLinks
from rollcall.evidence.search.texts import Page
from rollcall.evidence.values.matcher import ValueMatcher, text_forms, wanted_value
from rollcall.query.values import Text

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

    def __init__(self, page: Page, title: str) -> None:
        self._page, self._links = page, PageLinks(page)
        self._topic = TopicOnPage(title, "", page.text, page.starts)

    def findings(self, number: int, wants: Sequence[tuple[int, End, End]]) -> list[PairFinding]:
        """The wants whose both ends a sentence names; each is a row, a subject and an object."""
        row = self._page.first + number
        ends = list(dict.fromkeys(end for _want, *both in wants for end in both))
        places = dict(zip(ends, self._places(number, row, ends), strict=True))
        found = []
        for want, subject, object_ in wants:
            subjects = places[subject]
            objects = [one for one in places[object_] if not _overlaps(one, subjects)]
            if subjects and objects:
                found.append(PairFinding(want, row, subjects, objects))
        return found

    def _places(self, number: int, row: int, ends: Sequence[End]) -> list[list[Place]]:
        """Where a sentence names each of some ends: by links, by names, or by a statement of the value."""
        page, links = self._page, self._links
        start = page.starts[number]
        text = page.text[start : page.ends[number]]
        found: list[set[Place]] = [set() for _end in ends]
        entities = [None if literal else name for name, literal, _names in ends]
        for first, last, linked in links.of(row):
            for key, entity in enumerate(entities):
                if entity is not None and entity == linked:
                    found[key].add((first - start, last - start))
        names, values = _matchers(text, ends)
        for first, last, keys in names.find():
            place = start + first, start + last
            for key in keys:
                entity = entities[key]
                if not links.speak_against(row, *place, text[first:last], entity) and (
                    entity is None or not self._topic.owns(*place)
                ):
                    found[key].add((first, last))
        for value in values.find(text) if values else ():
            found[value.key].add((value.start, value.end))
        return [sorted(places) for places in found]


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


def _overlaps(one: Place, others: Sequence[Place]) -> bool:
    return any(one[0] < end and start < one[1] for start, end in others)
