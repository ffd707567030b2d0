"""What can be compared between people: the choices of each stage of a task, and the ratings of a scale.

Only judgments that count are compared, by annotators, of items whose verdict was not known beforehand:
injected and gold items would make agreement look better, and managers see what others said.
"""

from collections.abc import Iterable
from typing import NamedTuple

from rollcall.studio.agreement.coefficients import Coefficient, gwet, krippendorff, observed_agreement
from rollcall.studio.agreement.ratings import Rating, rating_table
from rollcall.studio.agreement.weights import Level
from rollcall.studio.records import Collected, Judged
from rollcall.studio.tasks import find_task
from rollcall.studio.tasks.task import QUALIFY

SCALES = {"naturalness": ("self", "other")}
"""The values that are ratings on a scale, by task."""
FREE = ("write", "paraphrase", "extend")
"""Tasks in which everybody writes something of their own, so that there is nothing to compare."""
SCALE = ("1", "2", "3", "4", "5")


class Compared(NamedTuple):
    """Judgments that answer one question, and how their categories are related."""

    name: str
    level: Level
    categories: tuple[str, ...]
    ratings: list[Rating]
    clusters: dict[str, str]
    """The question of each item: its items are no independent evidence."""


class Agreement(NamedTuple):
    """How far people agree in one respect."""

    name: str
    level: Level
    coefficients: tuple[Coefficient, ...]
    """Observed agreement, Krippendorff's alpha, Gwet's AC1 (AC2 for a scale)."""


def compared(collected: Collected) -> list[Compared]:
    """All that people's judgments can be compared in: one entry for each stage, or for each scale."""
    task = find_task(collected.task)
    stages: dict[str, list[Judged]] = {}
    for one in plain_judgments(collected):
        stages.setdefault(one.stage, []).append(one)
    found = []
    for stage, judged in sorted(stages.items()):
        shown_by = task.at(stage)
        clusters = {one.item: one.question for one in judged}
        if shown_by.name in SCALES:
            for scale in SCALES[shown_by.name]:
                ratings = [
                    Rating(one.item, one.person, str(one.values[scale]))
                    for one in judged
                    if scale in one.values
                ]
                found.append(Compared(scale, "ordinal", SCALE, ratings, clusters))
        elif shown_by.name not in FREE:
            ratings = [Rating(one.item, one.person, one.choice) for one in judged]
            categories = tuple(choice.key for choice in shown_by.choices)
            found.append(Compared(shown_by.name, "nominal", categories, ratings, clusters))
    return found


def plain_judgments(collected: Collected) -> Iterable[Judged]:
    """What annotators said about items whose verdict nobody knew, as far as it counts."""
    return (
        one
        for one in collected.judged
        if one.counted
        and one.role == "annotator"
        and not (one.injected or one.as_gold)
        and one.stage != QUALIFY
    )


def agreement(collected: Collected, seed: int = 0) -> list[Agreement]:
    """How far people agree, in everything that can be compared."""
    found = []
    for one in compared(collected):
        table = rating_table(one.ratings, one.categories, one.clusters)
        coefficients = tuple(
            measure(table, one.level, seed=seed) for measure in (observed_agreement, krippendorff, gwet)
        )
        found.append(Agreement(one.name, one.level, coefficients))
    return found
