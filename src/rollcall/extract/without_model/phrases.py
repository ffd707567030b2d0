"""The lexicon's clauses as phrases to look for: `was directed by` and an object, `directed` and a subject.

Only what says something counts: a phrase needs a word with content, and ends where the other end begins.
"""

import re
from collections import defaultdict
from typing import NamedTuple

from rollcall.english.function_words import COMMON, FINITE_BE, PREPOSITIONS
from rollcall.english.nouns import is_person
from rollcall.wording import Entry, Lexicon

_PLACEHOLDER = re.compile(r"\{(?:a |on )?(subject|object)s?\}$")
_NUMBERED = re.compile(r"\[([^|\]]*)\|[^\]]*\]")
_WEAK = COMMON | {"being", "become", "becomes", "located", "part", "place", "known"}
_ANYTHING = ("thing", "person or thing")
_GENERAL = frozenset(
    (
        *_ANYTHING, "person", "place", "organization", "company", "work", "country", "city", "building",
        "event", "film", "film or television series", "television programme", "song", "album", "work of art",
        "written work", "publication", "piece of software", "product", "sports team", "fictional character",
        "award", "record label", "university", "broadcaster", "river", "ship", "street", "station", "airport",
    )
)  # fmt: skip
"""Nouns of ends that names alone do not contradict."""
_FORMS = FINITE_BE | {"has", "had", "have"}


class Phrase(NamedTuple):
    """What some words between two ends say; `forward` if the subject stands before them."""

    relation: str
    forward: bool


class Phrases:
    """All phrases of a lexicon, found by their words."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.entries: dict[str, Entry] = {}
        self._meant: dict[tuple[str, ...], list[Phrase]] = defaultdict(list)
        for relation in lexicon.relations():
            entry = lexicon.entry(relation)
            if entry.is_literal:
                continue
            self.entries[relation] = entry
            for clause, forward in ((entry.forward, True), (entry.people, True), (entry.backward, False)):
                self._add(clause, Phrase(relation, forward))
            for cue in (*entry.given_cues, *entry.aliases):
                if " " in cue and cue.split()[-1] in PREPOSITIONS:
                    self._add(f"{cue} {{object}}", Phrase(relation, True))
        self.longest = max((len(words) for words in self._meant), default=0)
        self._first = {words[0] for words in self._meant}

    def _add(self, clause: str, phrase: Phrase) -> None:
        found = _PLACEHOLDER.search(clause)
        if found is None or found[1] != ("object" if phrase.forward else "subject"):
            return
        words = tuple(_NUMBERED.sub(r"\1", clause[: found.start()]).split())
        if any("{" in word or "[" in word for word in words) or not any(word not in _WEAK for word in words):
            return
        ways = {words}
        if words[0] in FINITE_BE:
            ways |= {(be, *words[1:]) for be in FINITE_BE}
            if len(words) > 2:  # `a film directed by`; a participle alone may be a past tense
                ways.add(words[1:])
        for way in ways:
            if phrase not in self._meant[way]:
                self._meant[way].append(phrase)

    def begins(self, word: str) -> bool:
        return word in self._first

    def meant_by(self, words: tuple[str, ...], before: str, behind: str = "") -> Phrase | None:
        """What a phrase says after a thing that its page calls `before`, and before the name `behind`.

        Of several relations, the one whose ends are called so; then the one whose label the phrase is; then
        the commonest, which in Wikidata has the lowest number.
        """
        phrases = [one for one in self._meant.get(words, ()) if self._fits(one, before, behind)]
        said = " ".join(word for word in words if word not in _FORMS | {"a", "an", "the"})
        behind_words = set(behind.lower().split())

        def order(one: Phrase) -> tuple[bool, bool, bool, int, str]:
            entry = self.entries[one.relation]
            first, second = (
                (entry.subjects, entry.objects) if one.forward else (entry.objects, entry.subjects)
            )
            called = bool(before) and before in (first, *entry.types)
            named = _head(second) in behind_words
            return (
                not called,
                not named,
                said not in (entry.label, *entry.aliases),
                len(one.relation),
                one.relation,
            )

        return min(phrases, key=order, default=None)

    def _fits(self, phrase: Phrase, before: str, behind: str) -> bool:
        """Whether what stands before and behind the phrase may be what the lexicon expects there.

        Where it expects something special, as a language, the name has to say that it is one.
        """
        entry = self.entries[phrase.relation]
        first, second = (entry.subjects, entry.objects) if phrase.forward else (entry.objects, entry.subjects)
        if before and first not in _ANYTHING and is_person(first) != is_person(before):
            return False
        special = first not in _GENERAL and first != before
        return not special and (second in _GENERAL or _head(second) in behind.lower().split())


def _head(noun: str) -> str:
    return noun.split()[-1]
