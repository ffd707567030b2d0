"""Judgments, looked up by question and answer: what is right beyond the gold, and how likely the rest is.

Only judgments of answers that were drawn at random speak for those that nobody judged. Of several judgments
of one answer those of people count before those of machines, and more of them before fewer; if as many say
yes as no, it is as good as not judged.
"""

from collections.abc import Iterable, Mapping

from rollcall.audit.sources.given import Names, named
from rollcall.questions.judgment import Judgment
from rollcall.questions.record import Question


class Judged:
    """The judgments of a set."""

    def __init__(
        self, judgments: Iterable[Judgment] = (), questions: Mapping[str, Question] | None = None
    ) -> None:
        grouped: dict[tuple[str, str], list[Judgment]] = {}
        for judgment in judgments:
            for key in keys_of(judgment, (questions or {}).get(judgment.question)):
                grouped.setdefault((judgment.question, key), []).append(judgment)
        self._chances = {
            place: chance for place, group in grouped.items() if (chance := combined(group)) is not None
        }
        drawn = [
            chance
            for (_question, key), group in grouped.items()
            if key.startswith("\t")
            and any(one.drawn for one in group)
            and (chance := combined(group)) is not None
        ]
        self.share = sum(drawn) / len(drawn) if drawn else None
        """The share of right ones among answers drawn at random; None if none was drawn."""

    @property
    def any_right_or_wrong(self) -> bool:
        return bool(self._chances)

    def chance(self, question: str, key: str, label: str | None = None) -> float | None:
        """How likely an answer is right, by those who judged it; None if nobody did."""
        found = self._chances.get((question, key))
        if found is None and label is not None:
            found = self._chances.get((question, named(label)))
        return found


def keys_of(judgment: Judgment, question: Question | None) -> list[str]:
    """The keys of a judged answer: its name, and its entity if that is known."""
    keys = {named(judgment.answer)}
    if judgment.entity is not None:
        keys.add(judgment.entity)
    elif question is not None:
        keys |= Names(question.answers).keys([judgment.answer]).keys()
    return sorted(keys)


def combined(judgments: Iterable[Judgment]) -> float | None:
    """How likely an answer is right by all who judged it; None if nobody decided, or as many yes as no."""
    decided = [one for one in judgments if one.chance is not None]
    people = [one for one in decided if one.by_people]
    votes = [one.chance for one in people or decided if one.chance is not None]
    if not votes:
        return None
    mean = sum(votes) / len(votes)
    return None if people and mean == 0.5 else float(mean > 0.5) if people else mean
