"""The logical queries of a cluster: samples of its constraints, some of them removed or negated.

Input: the constraints of a cluster. Output: different queries (tuples of `Signed` constraints), each with its
answers.
"""

from random import Random

from rollcall.graph.index import Numbers
from rollcall.mine.clusters.constraint import (
    Constraint,
    Signed,
    can_be_negated,
    satisfying,
    without_redundant,
)
from rollcall.mine.clusters.options import ClusterOptions
from rollcall.mine.named_answers import has_list
from rollcall.mine.neighbourhood import Neighbourhood

Logical = tuple[Signed, ...]


def draw_queries(
    around: Neighbourhood, constraints: list[Constraint], chance: Random, options: ClusterOptions
) -> dict[Logical, Numbers]:
    """Up to `options.queries` different queries with their answers; no two of them have the same answers."""
    found: dict[Logical, Numbers] = {}
    known: set[bytes] = set()
    for _ in range(options.draws):
        if len(found) == options.queries:
            break
        drawn = _draw(around, constraints, chance, options)
        if drawn is None or drawn in found:
            continue
        answers = satisfying(around, drawn)
        answers = answers[: answers.searchsorted(around.index.dtype.type(around.index.entity_count))]
        if not options.least_answers <= len(answers) < options.most_answers or answers.tobytes() in known:
            continue
        named = [condition.constraint.entity for condition in drawn]
        if any(entity in answers for entity in named):  # would name its own answer
            continue
        if has_list(around.index, (*named, *answers.tolist())):
            continue
        if options.known and not _is_known(around, drawn, answers):
            continue
        known.add(answers.tobytes())
        found[drawn] = answers
    return found


def _is_known(around: Neighbourhood, conditions: Logical, answers: Numbers) -> bool:
    affirmed = [condition.constraint for condition in conditions if not condition.negated]
    negated = [condition.constraint for condition in conditions if condition.negated]
    return all(can_be_negated(around, constraint, affirmed, answers) for constraint in negated)


def _draw(
    around: Neighbourhood, constraints: list[Constraint], chance: Random, options: ClusterOptions
) -> Logical | None:
    kept = [constraint for constraint in constraints if chance.random() >= options.remove]
    conditions = [Signed(constraint, chance.random() < options.negate) for constraint in kept]
    if not any(not condition.negated for condition in conditions):
        return None
    # No order leaves a redundant condition; the random order decides which of two equivalent ones stays.
    needed = without_redundant(around, chance.sample(conditions, len(conditions)))
    size = chance.randint(options.least_in_question, options.most_in_question)
    drawn = needed if len(needed) <= size else chance.sample(needed, size)
    if len(drawn) < options.least_in_question or all(condition.negated for condition in drawn):
        return None
    return tuple(sorted(drawn, key=lambda condition: (condition.negated, condition.constraint)))
