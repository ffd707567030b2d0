"""Searches one page for everything that is wanted of it: each sentence is read once for all facts.

Links decide first: a link to the other end is a mention whatever its words, and a name inside a link to
something else is none, nor is a name that this page's links use for something else, nor the topic's own name.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rollcall.evidence.candidate import Candidate
from rollcall.evidence.literals import LiteralMatcher, text_forms, wanted_value
from rollcall.evidence.matcher import Mention, NameMatcher
from rollcall.evidence.names import WORD, known_forms, plain
from rollcall.evidence.topic import TopicNames
from rollcall.query.values import Text

MOST_SENTENCES = 20
"""Of a fact that one page seems to tell again and again, so many sentences are kept, the first ones."""


class Want(NamedTuple):
    """A fact that is looked for on a page of one of its ends."""

    subject: str
    relation: str
    object: str
    literal: bool
    side: str
    names: Sequence[str] | None
    label: str

    @property
    def other(self) -> str:
        return self.object if self.side == "subject" else self.subject


class Sentence(NamedTuple):
    """A sentence with its place on the page and its links (start, end, entity) within it."""

    number: int
    text: str
    start: int
    end: int
    links: Sequence[tuple[int, int, str | None]]


class PageSearch:
    """The names and values wanted of one page, ready to go over its sentences."""

    def __init__(
        self, page: str, topic: TopicNames, wants: Iterable[Want], sentences: Sequence[Sentence]
    ) -> None:
        self._page, self._topic, self._sentences = page, topic, sentences
        self._texts = [plain(sentence.text) for sentence in sentences]
        self._wants: dict[int, list[Want]] = defaultdict(list)
        self._names = NameMatcher(frozenset(WORD.findall(" ".join(self._texts))))
        self._values = LiteralMatcher()
        self._keys: dict[tuple[str, bool], int] = {}
        for want in wants:
            self._add(want)
        self._names.close()
        self._entities = {key: entity for (entity, literal), key in self._keys.items() if not literal}

    def _add(self, want: Want) -> None:
        known = self._keys.get((want.other, want.literal))
        key = len(self._keys) if known is None else known
        self._wants[key].append(want)
        if known is not None:
            return
        self._keys[(want.other, want.literal)] = key
        if not want.literal:
            self._names.add(known_forms(tuple(want.names or (want.label,))), key)
        elif isinstance(value := wanted_value(want.object), Text):
            self._names.add(text_forms(value), key)
        elif value is not None:
            self._values.add(value, key)

    def run(self) -> list[Candidate]:
        """All candidates of the page, in the order of its sentences."""
        found: list[Candidate] = []
        counts: dict[int, int] = defaultdict(int)
        meant = _meanings(self._sentences)
        before: list[str] = []
        for sentence, text in zip(self._sentences, self._texts, strict=True):
            mentions = self._mentions(text, sentence.links, meant)
            if mentions:
                topic = self._topic.places(text, sentence.links)
                joined = " ".join(before)
                for key in sorted(mentions):
                    counts[key] += 1
                    if counts[key] > MOST_SENTENCES:
                        continue
                    places = [place for place in mentions[key] if not _overlaps(place, topic)] or mentions[
                        key
                    ]
                    for want in self._wants[key]:
                        found.append(self._candidate(want, sentence, joined, places, topic))
            before = [*before[-1:], sentence.text]
        return found

    def _mentions(
        self, text: str, links: Sequence[tuple[int, int, str | None]], meant: dict[str, set[str]]
    ) -> dict[int, list[tuple[int, int]]]:
        mentions: dict[int, list[tuple[int, int]]] = {}
        for start, end, entity in links:
            key = None if entity is None else self._keys.get((entity, False))
            if key is not None:
                mentions.setdefault(key, []).append((start, end))
        for mention in self._names.find(text):
            name = text[mention.start : mention.end]
            others = meant.get(name)
            for key in mention.keys:
                entity = self._entities.get(key)
                if entity is not None and others is not None and entity not in others:
                    continue
                if entity is not None and self._topic.owns(text, mention.start, mention.end):
                    continue
                if not _is_linked_elsewhere(mention, entity, links):
                    places = mentions.setdefault(key, [])
                    if (mention.start, mention.end) not in places:
                        places.append((mention.start, mention.end))
        for value in self._values.find(text):
            mentions.setdefault(value.key, []).append((value.start, value.end))
        return mentions

    def _candidate(
        self,
        want: Want,
        sentence: Sentence,
        before: str,
        places: list[tuple[int, int]],
        topic: tuple[tuple[int, int], ...],
    ) -> Candidate:
        of_subject = want.side == "subject"
        other = tuple(sorted(set(places)))
        return Candidate(
            subject=want.subject,
            relation=want.relation,
            object=want.object,
            literal=want.literal,
            side=want.side,
            page=self._page,
            sentence=sentence.number,
            start=sentence.start,
            end=sentence.end,
            name=sentence.text[other[0][0] : other[0][1]],
            text=sentence.text,
            before=before,
            subject_name=self._topic.label if of_subject else want.label,
            object_name=want.label if of_subject else self._topic.label,
            subject_places=topic if of_subject else other,
            object_places=other if of_subject else topic,
        )


def _meanings(sentences: Sequence[Sentence]) -> dict[str, set[str]]:
    """What the page's links use each text for."""
    meant: dict[str, set[str]] = defaultdict(set)
    for sentence in sentences:
        for start, end, entity in sentence.links:
            if entity is not None:
                meant[plain(sentence.text[start:end])].add(entity)
    return meant


def _is_linked_elsewhere(
    mention: Mention, entity: str | None, links: Sequence[tuple[int, int, str | None]]
) -> bool:
    for start, end, linked in links:
        if start < mention.end and mention.start < end and linked != entity:
            return linked is not None or (start, end) != (mention.start, mention.end)
    return False


def _overlaps(place: tuple[int, int], others: Iterable[tuple[int, int]]) -> bool:
    return any(start < place[1] and place[0] < end for start, end in others)
