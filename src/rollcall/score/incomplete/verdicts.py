"""What judgments say about each pair of a question and an answer: one verdict, one chance, drawn or not.

People's judgments count as true; where they differ, the majority decides, and a tie decides nothing. What
machines say is a probability, which may be wrong. A pair that somebody chose to judge is known, but only
pairs that were drawn at random speak for others.
"""

from collections.abc import Iterable
from typing import NamedTuple

from rollcall.questions.judgment import Judgment
from rollcall.score.name_keys import name_key

Pair = tuple[str, bytes]
"""A question's id, and the key of an answer's name."""


class Verdict(NamedTuple):
    """What is known of one pair."""

    right: bool | None = None
    """The verdict of people; None if there is none."""
    drawn: bool = False
    """Whether the verdict is one of a random sample."""
    chance: float | None = None
    """The probability that machines give; None if none judged."""


class Verdicts(NamedTuple):
    """The verdicts of all judged pairs, and where they come from."""

    pairs: dict[Pair, Verdict]
    undecided: int
    """Pairs that people judged without a decision."""
    by_machine: str = ""
    """The machine whose judgments are taken for verdicts, because no person judged."""


def pair_of(question: str, answer: str) -> Pair:
    """The pair of a question and an answer, by the name and not its spelling."""
    return question, name_key(answer)


def verdicts(judgments: Iterable[Judgment]) -> Verdicts:
    """Join the judgments of each pair."""
    told: dict[Pair, list[Judgment]] = {}
    for judgment in judgments:
        told.setdefault(pair_of(judgment.question, judgment.answer), []).append(judgment)
    people = any(one.by_people and one.right is not None for listed in told.values() for one in listed)
    machine = "" if people else _sampling_machine(told.values())
    pairs: dict[Pair, Verdict] = {}
    undecided = 0
    for pair, listed in told.items():
        true = [one for one in listed if (one.by == machine if machine else one.by_people)]
        votes = [one.right for one in true if one.right is not None]
        right = None if 2 * sum(votes) == len(votes) else 2 * sum(votes) > len(votes)
        undecided += bool(true) and right is None
        chances = [one.chance for one in listed if not one.by_people and one.by != machine]
        known = [chance for chance in chances if chance is not None]
        # A pair that was also chosen on purpose is known anyway, and is no part of the sample.
        drawn = right is not None and all(one.drawn for one in true)
        pairs[pair] = Verdict(right, drawn, sum(known) / len(known) if known else None)
    return Verdicts(pairs, undecided, machine)


def _sampling_machine(judged: Iterable[list[Judgment]]) -> str:
    """The machine that judged most drawn pairs; empty if none did."""
    names = [one.by for listed in judged for one in listed if one.drawn and one.by and one.right is not None]
    return max(sorted(set(names)), key=names.count, default="")
