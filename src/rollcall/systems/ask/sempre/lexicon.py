"""The lexicon of `sempre`: which relations a phrase of a question may name, with lexical features.

A phrase names a relation if it has words in common with one of the relation's names, or if one of its words
went with the relation in training. How good a match is, is left to the weights.
"""

from collections.abc import Iterator, Sequence

from rollcall.systems.ask.learned.alignment import AlignedWords
from rollcall.systems.ask.learned.tags import tag
from rollcall.systems.ask.learned.weighing import Features, weighed
from rollcall.systems.ask.relation_phrases import RelationPhrases
from rollcall.systems.ask.sempre.derivations import RelationPhrase
from rollcall.systems.ask.words import Word, mask_of

_CONTENT, _WINDOW = 3, 5
"""How many words that say something a phrase has at most, and how many words in all."""
_WHOLE_NAME = 0.8
"""Phrases of less weight are nouns of a relation's ends, which do not name it."""


class RelationLexicon:
    """The names of a graph's relations."""

    def __init__(self, phrases: RelationPhrases) -> None:
        self._names: list[list[frozenset[str]]] = [[] for _ in phrases.entries]
        self._by_root: dict[str, list[int]] = {}
        for phrase in phrases.all:
            if phrase.weight >= _WHOLE_NAME:
                self._names[phrase.relation].append(frozenset(phrase.roots))
        for relation, names in enumerate(self._names):
            for root in sorted({one for name in names for one in name}):
                self._by_root.setdefault(root, []).append(relation)

    def find(
        self, words: Sequence[Word], aligned: AlignedWords[int], weights: Features, most: int
    ) -> list[RelationPhrase]:
        """The phrases of a question that may name relations, best first."""
        found = [
            RelationPhrase(relation, mask, places[0], places[-1], features, weighed(features, weights))
            for places in spans(words)
            for mask in (mask_of(places),)
            for relation, features in self._named([words[one] for one in places], aligned)
        ]
        return sorted(found, key=lambda one: (-one.score, -one.mask.bit_count()))[:most]

    def match(self, relation: int, roots: Sequence[str]) -> dict[str, float]:
        """How the words of a phrase and the names of a relation overlap."""
        own = set(roots)
        best = max(
            ((len(own & name) / len(name), len(own & name) / len(own)) for name in self._names[relation]),
            default=(0.0, 0.0),
        )
        if not best[0]:
            return {}
        found = {"name: share of its words": best[0], "name: share of the phrase": best[1]}
        if best == (1.0, 1.0):
            found["name: equal"] = 1.0
        return found

    def _named(
        self, words: Sequence[Word], aligned: AlignedWords[int]
    ) -> Iterator[tuple[int, dict[str, float]]]:
        roots = [word.root for word in words]
        relations = {one for root in roots for one in self._by_root.get(root, ())}
        relations |= {hop // 2 for root in roots for hop in aligned.seen_with(root)}
        for relation in sorted(relations):
            features = self.match(relation, roots)
            features["phrase"] = 1.0
            features[f"phrase of {len(roots)}"] = 1.0
            features[f"phrase ends with {tag(words[-1])}"] = 1.0
            yield relation, features


def spans(words: Sequence[Word]) -> Iterator[list[int]]:
    """Phrases: some words that say something, which stand near one another."""
    content = [place for place, word in enumerate(words) if not word.is_empty]
    for start in range(len(content)):
        for count in range(1, _CONTENT + 1):
            places = content[start : start + count]
            if len(places) == count and places[-1] - places[0] < _WINDOW:
                yield places
