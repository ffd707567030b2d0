"""Draws the constraints of a cluster: two entities, and what is true of both.

Input: a graph's `Neighbourhood` and the frequencies of its relations. Output: a sorted list of constraints,
or the reason why there is none. All that is true of two entities is a set of constraints that share at least
these two answers, so constraints need not be joined with constraints. Frequent propositions are removed with
some probability. A proposition is a relation; P(x) is the share of all facts that relation x has.
"""

from collections.abc import Iterator
from math import log
from random import Random
from typing import NamedTuple

from rollcall.graph.rows import contained
from rollcall.mine.clusters.constraint import Constraint, Signed, satisfying
from rollcall.mine.clusters.options import ClusterOptions
from rollcall.mine.neighbourhood import BACKWARD, FORWARD, Neighbourhood, hop


class Propositions(NamedTuple):
    """The frequency of each relation, and the average."""

    share: dict[int, float]
    average: float

    @classmethod
    def of(cls, around: Neighbourhood, relations: list[int]) -> "Propositions":
        index = around.index
        limit = index.dtype.type(index.entity_count)
        counts = {r: int(index.backward(r)[0].searchsorted(limit)) for r in relations}
        total = sum(counts.values()) or 1
        share = {relation: count / total for relation, count in counts.items() if count}
        return cls(share, sum(share.values()) / max(1, len(share)))

    def kept(self, relation: int, damping: float) -> float:
        """The probability that a constraint with this relation is not removed."""
        return float(min(1.0, self.average / self.share[relation]) ** damping)


def draw_cluster(
    around: Neighbourhood, propositions: Propositions, chance: Random, options: ClusterOptions
) -> list[Constraint] | str:
    """The constraints of a cluster, sorted, or the reason why there is none."""
    common: list[Constraint] = []
    for pair in _pairs(around, propositions, chance):
        common = [
            constraint
            for constraint in _common(around, pair, chance, options.per_way)
            if chance.random() < propositions.kept(constraint.relation, options.damping)
        ]
        if len(common) >= options.least_constraints:
            break
    else:
        return "too few constraints in common"
    # Draws without replacement with weight 1/P: the smallest exponential waiting times win.
    waits = {c: -log(1.0 - chance.random()) * propositions.share[c.relation] for c in common}
    drawn = sorted(common, key=lambda c: (waits[c], c))[: options.most_constraints]
    if len(satisfying(around, [Signed(constraint) for constraint in drawn])) < options.shared:
        return "too few answers in common"
    return sorted(drawn)


def _pairs(around: Neighbourhood, propositions: Propositions, chance: Random) -> Iterator[tuple[int, int]]:
    """Pairs an answer of a random constraint with other answers of it, until a pair has enough in common."""
    relation = chance.choice(list(propositions.share))
    subjects, objects = around.index.forward(relation)
    place = chance.randrange(len(subjects))
    direction = chance.choice((FORWARD, BACKWARD))
    entity = int(objects[place] if direction == FORWARD else subjects[place])
    if entity >= around.index.entity_count:
        return
    answers = Constraint(hop(relation, direction), entity).answers(around)
    answers = answers[: answers.searchsorted(around.index.dtype.type(around.index.entity_count))]
    if not len(answers):
        return
    one, *others = chance.sample(range(len(answers)), min(1 + _PARTNERS, len(answers)))
    for other in others:
        yield int(answers[one]), int(answers[other])


_PARTNERS = 8


def _common(around: Neighbourhood, pair: tuple[int, int], chance: Random, per_way: int) -> list[Constraint]:
    """The constraints that both entities satisfy; if a relation gives too many of them, a random sample."""
    found: list[Constraint] = []
    for along in sorted(set(around.hops(pair[0])) & set(around.hops(pair[1]))):
        one, other = (around.others(entity, along) for entity in pair)
        both = one[contained(one, other)]
        entities = [e for e in both.tolist() if e < around.index.entity_count and e not in pair]
        chosen = entities if len(entities) <= per_way else sorted(chance.sample(entities, per_way))
        found += [Constraint(along, entity) for entity in chosen]
    return found
