"""Runs that answer only a part of a set: a warning if all of it counts, and what several runs share.

Questions that a system was never asked count as unanswered, so a run over the test split alone would get only
a part of its figure. The warning says how to score such a run. A run of another set gets no such advice (see
`rollcall.score.belonging`).
"""

from collections.abc import Iterable, Sequence

from rollcall.errors import RollcallError
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Question
from rollcall.questions.run import Run
from rollcall.score.belonging import foreign
from rollcall.score.pairing import pair, some


def coverage_caution(questions: Iterable[Question], run: Run) -> list[str]:
    """A line if a run covers some splits of the gold and no question of the others."""
    sizes: dict[str | None, int] = {}
    answered: set[str | None] = set()
    ids = {prediction.id for prediction in run}
    asked = list(questions)
    for question in asked:
        sizes[question.split] = sizes.get(question.split, 0) + 1
        if question.id in ids:
            answered.add(question.split)
    recorded = {split for split in (run.covers.splits if run.covers else ()) if split in sizes}
    covered = sorted(split for split in answered | recorded if split is not None)
    if not covered or None in answered or len(covered) == len(sizes) or foreign(asked, run) is not None:
        return []
    count = sum(sizes[split] for split in covered)
    named = " and ".join(covered)
    options = " ".join(f"--split {split}" for split in covered)
    argument = repr(covered[0]) if len(covered) == 1 else repr(covered)
    return [
        f"the run covers only the split{'s' * (len(covered) > 1)} {named} ({count:,} of "
        f"{sum(sizes.values()):,} questions), and all others count as unanswered: score it with {options} "
        f"(split={argument} in Python)"
    ]


def answered_by_all(questions: QuestionSet, runs: Sequence[Run]) -> tuple[QuestionSet, list[str]]:
    """The questions for which every run has a prediction, and a line about those left out."""
    missing = dict.fromkeys(one for run in runs for one in pair(questions, run)[1].missing)
    if not missing:
        return questions, []
    shared = QuestionSet((one for one in questions if one.id not in missing), questions.manifest)
    if not len(shared):
        raise RollcallError(
            "no question was answered by all runs, so nothing can be compared: leave out --missing skip "
            "(missing= in Python)"
        )
    left = [one.id for one in questions if one.id in missing]
    told = (
        f"{len(left):,} of {len(questions):,} questions left out, which not every run answered: {some(left)}"
    )
    return shared, [told]
