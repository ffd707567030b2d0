"""Which words of questions go with which relations: counted on the questions of a training and their answers.

The published systems aligned phrases with relations on text of the whole web, by the pairs of entities that
both connect. Here a word goes with a relation if the relation leads from a name in its question to the
answers. While a system learns, the questions of the same cluster are left out of the counts that it is shown,
since otherwise it would trust them more than it may later.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from rollcall.graph.index import GraphIndex
from rollcall.mine.neighbourhood import FORWARD, Neighbourhood
from rollcall.systems.ask.learned.gold import Gold
from rollcall.systems.ask.reading import Reading

_TRIED = 4
"""Entities of the same name that are tried."""
_LEAST_NAME = 0.5
_NEAR_BEST = 0.7
_PRIOR = 0.5
_SCALE = 5.0

Key = TypeVar("Key", int, str)
Counts: TypeAlias = dict[str, dict[Key, float]]
Table: TypeAlias = dict[str, dict[str, float]]
"""Counts as they are stored: for each word, relations with their directions."""


class Lesson(NamedTuple):
    """A question of a training."""

    id: str
    reading: Reading
    gold: Gold
    group: str
    """Its cluster, or its own id."""


class AlignedWords(Generic[Key]):
    """Counts of words with hops or other words, seen with or without one group of questions.

    The row of the empty word has the counts for any word.
    """

    def __init__(self, counts: Counts[Key], without: Counts[Key] | None = None) -> None:
        self._counts: Counts[Key] = counts
        self._without: Counts[Key] = without or {}
        totals: dict[Key, float] = {}
        for source, sign in ((counts, 1.0), (self._without, -1.0)):
            for one, times in source.get("", {}).items():
                totals[one] = totals.get(one, 0.0) + sign * times
        self._totals: dict[Key, float] = totals
        self._all = sum(totals.values()) + 1.0
        self._alone: dict[str, float] = {}

    def seen_with(self, word: str) -> list[Key]:
        """What was seen with a word."""
        own = self._without.get(word, {})
        return [one for one, times in self._counts.get(word, {}).items() if times - own.get(one, 0.0) > 1e-9]

    def lift(self, word: str, key: Key) -> float:
        """How much more often a word goes with something than words do, from 0 to about 1."""
        row, own = self._counts.get(word, {}), self._without.get(word, {})
        together = row.get(key, 0.0) - own.get(key, 0.0)
        if together <= 1e-9:
            return 0.0
        if word not in self._alone:
            self._alone[word] = sum(row.values()) - sum(own.values())
        expected = (self._totals.get(key, 0.0) + _PRIOR) / (self._all + _PRIOR)
        share = (together + _PRIOR * expected) / (self._alone[word] + _PRIOR)
        return max(0.0, math.log(share / expected)) / _SCALE


class Alignment:
    """All counts of a training."""

    def __init__(self, counts: Counts[int], groups: Mapping[str, Counts[int]] | None = None) -> None:
        self._counts, self._groups = counts, groups or {}
        self.whole = AlignedWords(counts)

    def without(self, group: str) -> AlignedWords[int]:
        """The counts of all questions but those of a group."""
        return AlignedWords(self._counts, self._groups[group]) if group in self._groups else self.whole

    @classmethod
    def learned(cls, lessons: Iterable[Lesson], hops: Neighbourhood) -> "Alignment":
        """The counts of some questions."""
        counts: Counts[int] = {}
        groups: dict[str, Counts[int]] = {}
        for lesson in lessons:
            own = groups.setdefault(lesson.group, {})
            for word, hop, weight in _seen(lesson, hops):
                add_to(counts, word, hop, weight)
                add_to(own, word, hop, weight)
        return cls(counts, groups)

    def table(self, index: GraphIndex) -> Table:
        """The counts by the ids of relations, to be stored."""
        ids = index.relation_ids
        return {
            word: {
                f"{'>' if hop % 2 == FORWARD else '<'}{ids[hop // 2]}": round(times, 6)
                for hop, times in sorted(row.items())
            }
            for word, row in sorted(self._counts.items())
        }

    @classmethod
    def opened(cls, table: Table, index: GraphIndex) -> "Alignment":
        """The counts for the relations of a graph; others are left out."""
        counts: Counts[int] = {}
        for word, row in table.items():
            for key, times in row.items():
                relation = index.relation_number(key[1:])
                if relation is not None:
                    counts.setdefault(word, {})[2 * relation + (key[0] == "<")] = times
        return cls(counts)


def _seen(lesson: Lesson, hops: Neighbourhood) -> Iterable[tuple[str, int, float]]:
    """The words of a question with the hops that lead to its answers; "" stands for any word."""
    rewards: dict[tuple[int, int], float] = {}
    for mention in lesson.reading.entities:
        for entity in mention.entities[:_TRIED] if mention.quality >= _LEAST_NAME else ():
            for hop in hops.hops(entity):
                reward = lesson.gold.reward(hops.others(entity, hop))
                if reward > 0.0:
                    key = (mention.mask, hop)
                    rewards[key] = max(reward, rewards.get(key, 0.0))
    best = max(rewards.values(), default=0.0)
    for (mask, hop), reward in rewards.items():
        if reward >= _NEAR_BEST * best:
            yield "", hop, reward
            for word in content_words(lesson.reading, mask):
                yield word, hop, reward


def add_to(counts: Counts[Key], word: str, key: Key, weight: float) -> None:
    """Count a word with something."""
    row = counts.setdefault(word, {})
    row[key] = row.get(key, 0.0) + weight


def content_words(reading: Reading, without: int = 0) -> list[str]:
    """The roots of the words that say something, each once, but for some places."""
    return list(
        dict.fromkeys(
            word.root
            for place, word in enumerate(reading.words)
            if not word.is_empty and not without >> place & 1
        )
    )
