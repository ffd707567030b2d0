"""Draws errors to be judged: a random sample of what runs gave and gold does not have.

The sample is drawn from the errors of all runs together, each once; those of one run are then a random sample
of its errors. A larger sample from the same seed has the smaller one in it, so that judging can go on.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rollcall.questions.judgment import Judgment
from rollcall.questions.lots import lot
from rollcall.questions.run import EntityAnswer
from rollcall.score.incomplete.counts import counts_of
from rollcall.score.incomplete.error_pool import error_pool
from rollcall.score.incomplete.verdicts import Pair, pair_of, verdicts

if TYPE_CHECKING:
    from rollcall.score.report import Report


def draw_errors(
    reports: Sequence["Report"], number: int, *, judged: Iterable[Judgment] = (), seed: int = 0
) -> list[Judgment]:
    """The next errors to judge, so that `number` are judged in all; `right` and `by` are to be filled in.

    Pairs that people judged already are not drawn again. Drawn ones among them count towards the number.
    """
    judged = list(judged)
    known = verdicts(judged)
    seen = {pair_of(one.question, one.answer) for one in judged if one.by_people}
    errors: dict[Pair, Judgment] = {}
    for report in reports:
        pool, entities = error_pool(counts_of(report), known), _entities(report)
        asked = {question.id: question.question for question, _ in report.pairs}
        for pair, answer in zip(pool.pairs, pool.answers, strict=True):
            errors.setdefault(
                pair, Judgment(pair[0], answer, entities.get(pair), asked=asked[pair[0]], drawn=True)
            )
    done = sum(pair in errors and one.drawn for pair, one in known.pairs.items())
    left = sorted(errors.keys() - seen, key=lambda pair: lot(seed, "error", f"{pair[0]}\n{pair[1].hex()}"))
    return [errors[pair] for pair in left[: max(0, number - done)]]


def _entities(report: "Report") -> dict[Pair, str]:
    """The entities that a run gave as answers, by question and name."""
    return {
        pair_of(question.id, answer.label or answer.id): answer.id
        for question, prediction in report.pairs
        for answer in (prediction.answers if prediction is not None else ())
        if isinstance(answer, EntityAnswer)
    }
