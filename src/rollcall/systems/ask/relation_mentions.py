"""Where a question speaks of a relation: its phrases found among the question's roots and related words.

Words of one family (`rollcall/english/words/related_words.txt`) stand for each other at a lower quality.
Words that many relations have in common, such as `place`, count little.
"""

import math
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from rollcall.english.word_lists import word_list
from rollcall.systems.ask.relation_phrases import Phrase, RelationPhrases, Voice
from rollcall.systems.ask.words import Word, mask_of, root

_RELATED = 0.6
_LEAST_MATCH = 0.35
_WINDOW = 7
"""Words of one phrase are not further apart than this."""
_PER_RELATION = 6
_OTHER_PREPOSITION, _NO_PREPOSITION = 0.85, 0.95
"""What a match is worth if question and phrase have different prepositions, or only one has any."""
_PREPOSITIONS = word_list("prepositions") | {"as"}


class RelationMention(NamedTuple):
    """Words of a question that speak of a relation."""

    relation: int
    mask: int
    first: int
    last: int
    voice: Voice
    match: float
    """How much of the phrase is there, from 0 to 1."""


@cache
def families() -> dict[str, frozenset[str]]:
    """For each root the roots of related words."""
    found: dict[str, set[str]] = {}
    for line in word_list("related_words"):
        roots = {root(word) for word in line.split()}
        for one in roots:
            found.setdefault(one, set()).update(roots - {one})
    return {one: frozenset(others) for one, others in found.items()}


class RelationMentions:
    """Finds mentions of the relations of one graph."""

    def __init__(self, phrases: RelationPhrases) -> None:
        self._phrases = phrases.all
        self._by_root: dict[str, list[int]] = {}
        relations: dict[str, set[int]] = {}
        for number, phrase in enumerate(self._phrases):
            for one in set(phrase.roots):
                self._by_root.setdefault(one, []).append(number)
                relations.setdefault(one, set()).add(phrase.relation)
        count = len(phrases.entries) + 1
        self._rarity = {
            one: max(0.2, math.log(count / len(found)) / math.log(count)) if count > 2 else 1.0
            for one, found in relations.items()
        }

    def rarity(self, one: str) -> float:
        """How few relations have a root in their phrases, from 0 to 1."""
        return self._rarity.get(one, 1.0)

    def knows(self, one: str) -> bool:
        """Whether a root, or a related one, occurs in a phrase of some relation."""
        return one in self._by_root or any(other in self._by_root for other in families().get(one, ()))

    def find(self, words: Sequence[Word]) -> list[RelationMention]:
        """The mentions in a question, those of each relation best first."""
        places = self._places(words)
        hit = {number for one in places for number in self._by_root.get(one, ())}
        found: dict[int, dict[tuple[int, Voice], RelationMention]] = {}
        for number in sorted(hit):
            phrase = self._phrases[number]
            for mention in self._matches(phrase, places, words):
                own = found.setdefault(phrase.relation, {})
                key = (mention.mask, mention.voice)
                if key not in own or own[key].match < mention.match:
                    own[key] = mention
        return [
            mention
            for own in found.values()
            for mention in sorted(own.values(), key=lambda one: (-one.match, one.first))[:_PER_RELATION]
        ]

    def _places(self, words: Sequence[Word]) -> dict[str, list[tuple[int, float]]]:
        """The places of each root in the question, with the quality of the match."""
        found: dict[str, list[tuple[int, float]]] = {}
        for place, word in enumerate(words):
            if word.is_empty:
                continue
            found.setdefault(word.root, []).append((place, 1.0))
            for other in families().get(word.root, ()):
                if other in self._by_root:
                    found.setdefault(other, []).append((place, _RELATED))
        return found

    def _matches(
        self, phrase: Phrase, places: dict[str, list[tuple[int, float]]], words: Sequence[Word]
    ) -> list[RelationMention]:
        """The mentions of one phrase, one for each place of its rarest root that is there."""
        present = [one for one in dict.fromkeys(phrase.roots) if one in places]
        rarest = max(present, key=lambda one: self._rarity[one])
        whole = sum(self._rarity[one] for one in dict.fromkeys(phrase.roots))
        found = []
        for place, quality in places[rarest]:
            used, mass = set[int](), 0.0
            for one in present:
                near = [
                    pair for pair in places[one] if abs(pair[0] - place) <= _WINDOW and pair[0] not in used
                ]
                chosen = _together(near, place)
                if quality == 1.0:
                    chosen = [(place, quality)] if one == rarest else chosen[:1]
                used |= {where for where, _ in chosen}
                mass += (1.0 - math.prod(1.0 - each for _, each in chosen)) * self._rarity[one]
            match = phrase.weight * mass / whole * math.sqrt(self._rarity[rarest])
            ordered = sorted(used)
            match *= _preposition_fit(words, phrase.preposition, ordered[-1])
            if match >= _LEAST_MATCH:
                found.append(
                    RelationMention(
                        phrase.relation, mask_of(ordered), ordered[0], ordered[-1], phrase.voice, match
                    )
                )
        return found


def _together(near: list[tuple[int, float]], place: int) -> list[tuple[int, float]]:
    """The nearest of the places where a root itself stands, or else all its related words, which add up."""
    exact = [pair for pair in near if pair[1] == 1.0]
    if exact:
        return [min(exact, key=lambda pair: abs(pair[0] - place))]
    return sorted(near, key=lambda pair: abs(pair[0] - place))


def _preposition_fit(words: Sequence[Word], preposition: str, last: int) -> float:
    """Whether the preposition of a phrase is behind its last word, or at an end of the question.

    "What did he die of" and "of what did he die" ask for another relation than "where did he die".
    """
    told = [word.folded for word in words if word.folded[0].isalnum()]
    there = {told[0], told[-1], words[last + 1].folded if last + 1 < len(words) else ""} & _PREPOSITIONS
    if preposition in there or (not preposition and not there):
        return 1.0
    return _OTHER_PREPOSITION if preposition and there else _NO_PREPOSITION
