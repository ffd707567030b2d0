"""What is most likely true, by Dawid and Skene, for the items that people disagree about.

Injected and gold items have a known verdict, and so show whose word counts. The queue of what an adjudicator
decides begins with what is least certain, because there a decision teaches most.
"""

from collections import Counter
from typing import NamedTuple

import msgspec

from rollcall.studio.agreement.dawid_skene import DawidSkene, dawid_skene
from rollcall.studio.agreement.ratings import Rating
from rollcall.studio.figures.comparing import compared
from rollcall.studio.records import Collected, Item, Resolution
from rollcall.studio.tasks import find_task
from rollcall.studio.tasks.gold import known_choice


class Disputed(NamedTuple):
    """An item that people disagree about: how they voted, and what is likeliest."""

    item: Item
    votes: dict[str, int]
    likeliest: str | None
    probability: float | None


def estimates(collected: Collected) -> dict[str, DawidSkene]:
    """The estimate for each nominal comparison of a project, by its name."""
    known = {item.key: choice for item in collected.items if (choice := known_choice(item)) is not None}
    injected: dict[str, list[Rating]] = {}
    for one in collected.judged:
        plain = not (one.injected or one.as_gold)  # what is plain is compared already
        if one.counted and one.role == "annotator" and one.item in known and not plain:
            name = find_task(collected.task).at(one.stage).name
            injected.setdefault(name, []).append(Rating(one.item, one.person, one.choice))
    return {
        one.name: dawid_skene([*one.ratings, *injected.get(one.name, ())], one.categories, known)
        for one in compared(collected)
        if one.level == "nominal" and one.ratings
    }


def likeliest(collected: Collected) -> dict[str, tuple[str, float]]:
    """The likeliest choice of each item that was judged, and how likely it is."""
    return {
        item: best
        for estimate in estimates(collected).values()
        for item, best in estimate.likeliest().items()
    }


def adjudication_queue(collected: Collected) -> list[Disputed]:
    """The items that wait for an adjudicator, the least certain first."""
    waiting = [
        item
        for item in collected.items
        if not item.injected
        and item.key in collected.resolutions
        and collected.resolutions[item.key].state == "disputed"
    ]
    if not waiting:
        return []
    best = likeliest(collected)
    votes: dict[str, Counter[str]] = {}
    for one in collected.judged:
        if one.counted:
            votes.setdefault(one.item, Counter())[one.choice] += 1
    queue = [
        Disputed(item, dict(votes.get(item.key, {})), *best.get(item.key, (None, None))) for item in waiting
    ]
    return sorted(queue, key=lambda one: (one.probability or 0.0, one.item.order, one.item.key))


def settled_by_estimate(collected: Collected, least: float) -> Collected:
    """The project with every dispute settled whose likeliest choice has at least this probability."""
    task = find_task(collected.task)
    resolutions = dict(collected.resolutions)
    for one in adjudication_queue(collected):
        if one.likeliest is not None and one.probability is not None and one.probability >= least:
            shown_by = task.at(one.item.stage)
            settled = shown_by.settled(one.likeliest, f"Dawid–Skene, {one.probability:.4f}")
            resolutions[one.item.key] = Resolution(settled.state, settled.choice, settled.why)
    return msgspec.structs.replace(collected, resolutions=resolutions)
