"""What is known of each person: how much they judged, how they did on injected items, and how often others,
managers and the estimate of what is true agree with them. Shares have Wilson's interval.
"""

from collections import Counter, defaultdict
from statistics import NormalDist, median

import msgspec

from rollcall.score.spread import wilson
from rollcall.studio.agreement.carelessness import DEFAULT_RULE, CarelessRule, Standing, standing
from rollcall.studio.figures.comparing import plain_judgments
from rollcall.studio.figures.truth import estimates
from rollcall.studio.records import Collected, Judged

CONFIDENCE = 0.95


class ShareFigure(msgspec.Struct, frozen=True):
    """So many of so many, with Wilson's interval."""

    count: int
    of: int
    interval: tuple[float, float] | None = None

    @property
    def value(self) -> float | None:
        return self.count / self.of if self.of else None


def share(count: int, of: int) -> ShareFigure:
    """A share of independent draws with its interval."""
    if not of:
        return ShareFigure(count, of)
    return ShareFigure(count, of, wilson(count / of, of, NormalDist().inv_cdf((1 + CONFIDENCE) / 2)))


class PersonFigures(msgspec.Struct, frozen=True, kw_only=True):
    """One person's record."""

    person: str
    judged: int
    """All judgments but those they took back, also those that no longer count."""
    counted: int
    hours: float
    seconds: float | None
    """The median time of a judgment."""
    found: ShareFigure
    """Injected and gold items about which they were right."""
    standing: Standing
    """What the rule about careless people says of these."""
    with_others: ShareFigure
    """Items on which they say what most others say; items on which others are divided are left out."""
    upheld: ShareFigure
    """Judgments that a manager or adjudicator looked at, and agreed with."""
    estimated: float | None = None
    """How often they are right by the estimate of what is true."""


def people_figures(collected: Collected, rule: CarelessRule = DEFAULT_RULE) -> list[PersonFigures]:
    """The record of everybody who judged something, by name."""
    judged: dict[str, list[Judged]] = {}
    for one in collected.judged:
        if one.role == "annotator" and not one.undone:
            judged.setdefault(one.person, []).append(one)
    others = _with_others(collected)
    upheld = _upheld(collected)
    right = _estimated(collected)
    return [
        _figures(person, judged[person], others[person], upheld[person], right.get(person), rule)
        for person in sorted(judged)
    ]


def _figures(
    person: str,
    judged: list[Judged],
    others: list[bool],
    upheld: list[bool],
    estimated: float | None,
    rule: CarelessRule,
) -> PersonFigures:
    misses = [one.missed for one in judged if one.missed is not None and one.stage == "judge"]
    return PersonFigures(
        person=person,
        judged=len(judged),
        counted=sum(one.counted for one in judged),
        hours=sum(one.seconds for one in judged) / 3600,
        seconds=median(one.seconds for one in judged) if judged else None,
        found=share(len(misses) - sum(misses), len(misses)),
        standing=standing(misses, rule),
        with_others=share(sum(others), len(others)),
        upheld=share(sum(upheld), len(upheld)),
        estimated=estimated,
    )


def _with_others(collected: Collected) -> defaultdict[str, list[bool]]:
    by_item: dict[str, dict[str, str]] = {}
    for one in plain_judgments(collected):
        by_item.setdefault(one.item, {})[one.person] = one.choice
    found: defaultdict[str, list[bool]] = defaultdict(list)
    for chosen in by_item.values():
        for person, choice in chosen.items():
            votes = Counter(said for other, said in chosen.items() if other != person).most_common(2)
            if votes and (len(votes) == 1 or votes[0][1] > votes[1][1]):
                found[person].append(choice == votes[0][0])
    return found


def _upheld(collected: Collected) -> defaultdict[str, list[bool]]:
    decided = {
        one.item: one.choice
        for one in collected.judged
        if one.counted and one.role in ("manager", "adjudicator")
    }
    found: defaultdict[str, list[bool]] = defaultdict(list)
    for one in collected.judged:
        if one.role == "annotator" and not (one.undone or one.as_gold) and one.item in decided:
            found[one.person].append(one.choice == decided[one.item])
    return found


def _estimated(collected: Collected) -> dict[str, float]:
    """How often each is right by the estimates, over all comparisons, weighed by their judgments."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    for estimate in estimates(collected).values():
        for person in estimate.people:
            found[person].append(estimate.accuracy(person))
    return {person: sum(values) / len(values) for person, values in found.items()}
