"""Runs that answer only a part of a set: a warning if all of it counts, and what several runs share.

Questions that a system was never asked count as unanswered, so a run over the test split alone would get only
a part of its figure. The warning says how to score such a run. A run of another set gets no such advice (see
`rollcall.score.belonging`).
"""

from collections.abc import Iterable, Sequence

from rollcall.english.counting import counted
from rollcall.errors import RollcallError
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Question
from rollcall.questions.run import Run
from rollcall.score.belonging import foreign
from rollcall.score.pairing import Unmatched, pair, some


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


def unequal_coverage(
    questions: QuestionSet, runs: Sequence[Run], unmatched: Sequence[Unmatched]
) -> list[str]:
    """A line if runs answer different questions and all count, so that a difference may be one of what they
    were asked; it names the remedy, if some questions were answered by all.
    """
    lacking = [set(one.missing) for one in unmatched]
    if all(one == lacking[0] for one in lacking) or any(foreign(questions, run) for run in runs):
        return []
    shared = len({one.id for one in questions}.difference(*lacking))
    if not shared:
        return []
    return [
        "the runs answer different questions, and those without a prediction count as unanswered: --missing "
        f'skip (missing="skip" in Python) compares what all answered ({counted(shared, "question")})'
    ]


def answered_by_all(
    questions: QuestionSet, runs: Sequence[Run], names: Sequence[str]
) -> tuple[QuestionSet, list[str]]:
    """The questions for which every run has a prediction, and a line about those left out; `names` are what
    the runs are called in an error.
    """
    missing = dict.fromkeys(one for run in runs for one in pair(questions, run)[1].missing)
    if not missing:
        return questions, []
    shared = QuestionSet((one for one in questions if one.id not in missing), questions.manifest)
    if not len(shared):
        splits = [_splits(questions, run) for run in runs]
        named = "; ".join(f"{name}: {one}" for name, one in zip(names, splits, strict=True))
        known = f" ({named})" if all(splits) and len(set(splits)) > 1 else ""
        raise RollcallError(
            f"no question was answered by all runs: they answer different questions{known}, so they cannot "
            "be compared; give runs of the same questions"
        )
    left = [one.id for one in questions if one.id in missing]
    told = (
        f"{len(left):,} of {len(questions):,} questions left out, which not every run answered: {some(left)}"
    )
    return shared, [told]


def _splits(questions: QuestionSet, run: Run) -> str:
    """The splits of the questions that a run answers."""
    answered = {one.id for one in run}
    return ", ".join(sorted({one.split for one in questions if one.split and one.id in answered}))
