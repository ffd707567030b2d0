"""Warns if a run answers only a part of a set and is scored on all of it.

Questions that a system was never asked count as unanswered, so a run over the test split alone would get only
a part of its figure. The warning says how to score such a run.
"""

from collections.abc import Iterable

from rollcall.questions.record import Question
from rollcall.questions.run import Run


def coverage_caution(questions: Iterable[Question], run: Run) -> list[str]:
    """A line if a run covers some splits of the gold and no question of the others."""
    sizes: dict[str | None, int] = {}
    answered: set[str | None] = set()
    ids = {prediction.id for prediction in run}
    for question in questions:
        sizes[question.split] = sizes.get(question.split, 0) + 1
        if question.id in ids:
            answered.add(question.split)
    recorded = {split for split in (run.covers.splits if run.covers else ()) if split in sizes}
    covered = sorted(split for split in answered | recorded if split is not None)
    if not covered or None in answered or len(covered) == len(sizes):
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
