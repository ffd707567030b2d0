"""Examples of what sentences of the user's corpus state, and do not state, by the user's graph.

A sentence that names both ends of a fact is a likely example of its relation. The same sentence with another
relation between things of the same kinds, which the graph does not have for these two, is an example of what
it does not state; so is the sentence with its two ends exchanged. Everything is drawn by hashes, so the same
graph and corpus give the same examples.
"""

import hashlib
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.verifiers.contrast.lessons import alikeness, shares_of_kinds
from rollcall.evidence.verifiers.contrast.rivals import akin_relations
from rollcall.evidence.verifiers.contrast.sample import Sample

MOST_OF_RELATION = 350
MOST = 8_000
"""How many facts with their sentences are drawn, of one relation and in all."""
WRONG = 3
"""How many relations that a sentence does not state are drawn for it."""
_EXCHANGED = 4
"""For one of so many sentences the two ends are exchanged."""
_ALIKE = 0.05
_HELD_OUT = 5
"""One of so many pages is held out."""

Fact = tuple[str, str, str, str]
"""A relation, a subject and an object, and a page."""


class Example(msgspec.Struct, frozen=True):
    """A sentence with a fact that it may state, and relations that do not hold between its ends."""

    candidate: CandidateSentence
    group: int
    """Sentences of one fact on one page have the same number."""
    wrong: tuple[str, ...]
    exchanged: bool
    """Whether it also does not state the relation with its ends exchanged."""

    @property
    def held_out(self) -> bool:
        """Whether no model is adapted to its page; scores are calibrated on such pages."""
        return int(_digest("held out", self.candidate.page)[:8], 16) % _HELD_OUT == 0

    def not_stated(self) -> list[CandidateSentence]:
        """Facts that the sentence does not state."""
        found = [msgspec.structs.replace(self.candidate, relation=relation) for relation in self.wrong]
        return [*found, exchanged(self.candidate)] if self.exchanged else found


def exchanged(candidate: CandidateSentence) -> CandidateSentence:
    """A candidate with its two ends exchanged."""
    return msgspec.structs.replace(
        candidate,
        subject=candidate.object,
        object=candidate.subject,
        subject_name=candidate.object_name,
        object_name=candidate.subject_name,
        subject_places=candidate.object_places,
        object_places=candidate.subject_places,
    )


def draw_examples(candidates: Iterable[CandidateSentence], sample: Sample) -> list[Example]:
    """Draw facts of each relation, and take all their sentences."""
    of_fact: dict[Fact, list[CandidateSentence]] = {}
    for one in candidates:
        of_fact.setdefault((one.relation, one.subject, one.object, one.page), []).append(one)
    akin = akin_relations(sample.labels, sample.pairs)
    shares = shares_of_kinds(sample.kinds)
    alike = {relation: _likely(alikeness(shares, relation), akin[relation]) for relation in sample.labels}
    symmetric = _symmetric(sample)
    drawn: list[Example] = []
    for group, key in enumerate(_drawn(list(of_fact))):
        relation, subject, object_, _page = key
        held = sample.pairs.get((subject, object_)) or frozenset((relation,))
        for one in of_fact[key]:
            wrong = _wrong(one, alike[relation], held | set().union(*(akin[name] for name in held)))
            turned = not one.literal and relation not in symmetric and _hash(one, "turned") % _EXCHANGED == 0
            turned = turned and (object_, subject) not in sample.pairs
            drawn.append(Example(one, group, wrong, turned))
    return drawn


def _drawn(facts: Sequence[Fact]) -> list[Fact]:
    """Some facts of each relation: as many of each as there may be in all."""
    order = sorted(facts, key=lambda fact: _digest(*fact))
    of_relation: dict[str, list[Fact]] = {}
    for fact in order:
        of_relation.setdefault(fact[0], []).append(fact)
    most = MOST_OF_RELATION
    while most > 1 and sum(min(most, len(some)) for some in of_relation.values()) > MOST:
        most = most * 9 // 10
    return [fact for name in sorted(of_relation) for fact in of_relation[name][:most]]


def _likely(alike: dict[str, float], akin: set[str]) -> list[tuple[str, float]]:
    return sorted((name, share) for name, share in alike.items() if share > _ALIKE and name not in akin)


def _wrong(one: CandidateSentence, alike: list[tuple[str, float]], held: Iterable[str]) -> tuple[str, ...]:
    """Relations between things of the same kinds that the graph does not have for these two."""
    without = set(held)
    possible = [(name, share) for name, share in alike if name not in without]
    if not possible:
        return ()
    random = np.random.default_rng(_hash(one, "wrong"))
    shares = np.array([share for _name, share in possible])
    count = min(WRONG, len(possible))
    chosen = random.choice(len(possible), count, replace=False, p=shares / shares.sum())
    return tuple(possible[number][0] for number in chosen)


def _symmetric(sample: Sample) -> set[str]:
    """Relations that also hold the other way round for some of their facts."""
    return {
        relation
        for (subject, object_), relations in sample.pairs.items()
        for relation in relations & (sample.pairs.get((object_, subject)) or frozenset())
    }


def _hash(one: CandidateSentence, salt: str) -> int:
    return int(_digest(salt, one.relation, one.subject, one.object, one.page, str(one.sentence))[:15], 16)


def _digest(*parts: str) -> str:
    return hashlib.md5("\t".join(parts).encode()).hexdigest()
