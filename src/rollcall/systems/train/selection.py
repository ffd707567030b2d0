"""Which questions a system is trained on: a number of them, from few clusters or from many; with another set.

RoMQA trains on the same number of questions from few clusters (related) and from many (unrelated). QAMPARI
trains on its own questions together with single-answer ones.
"""

import hashlib
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Literal, Protocol, TypeVar

from rollcall.english.folding import fold
from rollcall.errors import RollcallError
from rollcall.questions.record import Question

Clusters = Literal["few", "many"]


class Clustered(Protocol):
    """A question, or an exercise made of one."""

    @property
    def id(self) -> str: ...

    @property
    def cluster(self) -> str | None: ...


One = TypeVar("One", bound=Clustered)


def chosen(questions: Sequence[One], limit: int | None, clusters: Clusters | None) -> list[One]:
    """At most `limit` questions, in an order that depends on their ids alone.

    From `few` clusters: whole clusters, one after the other. From `many`: one question of each cluster first.
    """
    drawn = sorted(questions, key=_draw)
    if clusters is None:
        return drawn[:limit]
    if not any(one.cluster for one in drawn):
        raise RollcallError("the questions are in no clusters, so none can be chosen by them")
    grouped: dict[str, list[One]] = {}
    for one in drawn:
        grouped.setdefault(one.cluster or one.id, []).append(one)
    if clusters == "few":
        return [one for group in grouped.values() for one in group][:limit]
    rounds = max(map(len, grouped.values()))
    return [group[turn] for turn in range(rounds) for group in grouped.values() if turn < len(group)][:limit]


def learnable(
    others: Sequence[Question], split: str, known: Sequence[Question], where: str
) -> list[Question]:
    """The questions of another set that may be learned: those of the split that is learned from, if the set
    has splits, whose wording no known question has. `where` is the name of the other set in messages.
    """
    splits = sorted({one.split for one in others if one.split})
    of_split = [one for one in others if one.split == split] if splits else others
    if splits and not of_split:
        raise RollcallError(
            f"{where}: no question is of the split {split}, which is learned from; "
            f"there are: {', '.join(splits)}"
        )
    answered = [one for one in of_split if one.answers]
    if not answered:
        which = f"no question of the split {split}" if splits else "no question"
        raise RollcallError(f"{where}: {which} has answers to learn from")
    taken = {wording for one in known for wording in _wordings(one)}
    left = [one for one in answered if taken.isdisjoint(_wordings(one))]
    if not left:
        raise RollcallError(
            f"{where}: nothing is left to learn from, since all its questions are among those that are "
            "learned or evaluated on already; leave out --others, or give another set"
        )
    return left


def _wordings(question: Question) -> set[str]:
    """All wordings of a question, regardless of case and spaces."""
    return {fold(one) for one in (question.question, *question.wordings) if one}


def mixed(questions: Sequence[Question], others: Sequence[Question], share: float) -> list[Question]:
    """So many of the others that they are this share of all; they come again if they are too few."""
    if not 0.0 < share < 1.0:
        raise RollcallError(f"the share of other questions is {share}; it must be between 0 and 1")
    drawn = sorted(others, key=_draw)
    return list(islice(cycle(drawn), round(len(questions) * share / (1.0 - share))))


def _draw(question: Clustered) -> tuple[str, str]:
    return hashlib.md5(question.id.encode()).hexdigest(), question.id
