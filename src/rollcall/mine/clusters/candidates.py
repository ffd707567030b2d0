"""Draws the candidates of a question in the closed setting: answers and wrong entities that come close.

Input: a question's conditions and answers. Output: a mapping from each candidate to whether it is an answer.
Wrong candidates satisfy some conditions but not all. Those that satisfy more conditions are preferred, but
the others get a share too. If the graph has too few of them, entities of the same class are added, and then
any entities.
"""

from random import Random

import numpy as np

from rollcall.graph.index import Numbers
from rollcall.graph.rows import contained, unique_sorted
from rollcall.mine.clusters.constraint import Signed
from rollcall.mine.clusters.options import ClusterOptions
from rollcall.mine.neighbourhood import Neighbourhood


def draw_candidates(
    around: Neighbourhood,
    conditions: tuple[Signed, ...],
    answers: Numbers,
    chance: Random,
    options: ClusterOptions,
) -> dict[int, bool]:
    """Candidates in random order, each with whether it is an answer."""
    positives = _sampled(chance, answers, min(options.most_positive, options.candidates))
    wrong = _near_misses(around, conditions, answers, chance, options.candidates - len(positives))
    missing = options.candidates - len(positives) - len(wrong)
    if missing > 0:
        wrong += _fillers(around, {*answers.tolist(), *wrong}, positives, chance, missing)
    drawn = [(entity, True) for entity in positives] + [(entity, False) for entity in wrong]
    return dict(chance.sample(drawn, len(drawn)))


def _near_misses(
    around: Neighbourhood, conditions: tuple[Signed, ...], answers: Numbers, chance: Random, wanted: int
) -> list[int]:
    """Entities that satisfy some conditions but not all.

    The entities that satisfy the most conditions supply half of the wanted number, the next group half of the
    number still missing, and so on.
    """
    sets = [condition.constraint.answers(around) for condition in conditions]
    limit = around.index.dtype.type(around.index.entity_count)
    some = unique_sorted(np.concatenate(sets))
    some = some[: some.searchsorted(limit)]
    some = some[~contained(some, answers)]
    held = np.zeros(len(some), dtype=np.int64)
    for condition, members in zip(conditions, sets, strict=True):
        held += contained(some, members) != condition.negated
    chosen: list[int] = []
    left: list[int] = []
    scores = sorted(set(held.tolist()) - {0}, reverse=True)
    for score in scores:
        shuffled = _sampled(chance, some[held == score], wanted)
        missing = wanted - len(chosen)
        share = missing if score == scores[-1] else (missing + 1) // 2
        chosen += shuffled[:share]
        left += shuffled[share:]
    return chosen + left[: wanted - len(chosen)]


def _fillers(
    around: Neighbourhood, known: set[int], positives: list[int], chance: Random, wanted: int
) -> list[int]:
    """Members of one class of the answers (direct types only), and then any entities."""
    index = around.index
    types = [number for entity in positives for number in index.direct_types(entity).tolist()]
    found: list[int] = []
    if types:
        classes, members = index.types_backward()
        chosen = classes.dtype.type(chance.choice(types))
        alike = members[classes.searchsorted(chosen, "left") : classes.searchsorted(chosen, "right")]
        found = [entity for entity in _sampled(chance, alike, wanted + len(known)) if entity not in known][
            :wanted
        ]
    tries = 0
    taken = known | set(found)
    while len(found) < wanted and tries < 10 * wanted:
        tries += 1
        entity = chance.randrange(index.entity_count)
        if entity not in taken:
            taken.add(entity)
            found.append(entity)
    return found


def _sampled(chance: Random, terms: Numbers, most: int) -> list[int]:
    """At most `most` of the terms, in random order."""
    places = chance.sample(range(len(terms)), min(most, len(terms)))
    return [int(terms[place]) for place in places]
