"""Whether a run belongs to a question set, by how many of its ids the set has.

A run of another set may share some ids with this one. Its figures mean nothing then, and advice about splits
or unanswered questions would only mislead, so this is said instead. A run of a larger set is no such run: it
answers most of these questions.
"""

from collections.abc import Iterable, Mapping

from rollcall.english.counting import counted
from rollcall.errors import RollcallError
from rollcall.questions.record import Question
from rollcall.questions.run import Run


def foreign(questions: Iterable[Question], run: Run) -> str | None:
    """A line if most ids of a run are not in the set, and most of the set not in the run."""
    asked = dict.fromkeys(one.id for one in questions)
    answered = dict.fromkeys(one.id for one in run)
    shared = len(asked.keys() & answered.keys())
    return (
        of_another_set(asked, answered, shared, run) if 2 * shared < min(len(asked), len(answered)) else None
    )


def of_another_set(asked: Mapping[str, object], answered: Mapping[str, object], shared: int, run: Run) -> str:
    """What to say of a run of another set, given the ids of both and how many they share."""
    some, are = f"only {shared:,}" if shared else "none", "are" if shared > 1 else "is"
    ids = counted(len(answered), "id")
    like = f", which has ids like {next(iter(asked))!r:.80}, not {next(iter(answered))!r:.80}"
    return (
        f"{_name(run)}: {some} of its {ids} {are} in the set{'' if shared else like}; "
        "it looks like a run of another set: give the set whose questions it answers"
    )


def check_splits(every: Iterable[Question], chosen: Iterable[Question], run: Run) -> None:
    """Refuse a run that answers questions of the set, and none of the splits that were chosen."""
    answered = {one.id for one in run}
    known = [one for one in every if one.id in answered]
    if not known or any(one.id in answered for one in chosen):
        return
    splits = sorted({one.split for one in known if one.split})
    given = " ".join(f"--split {split}" for split in splits)
    instead = f"give {given}" if splits else "leave out --split"
    told = f"{_name(run)}: answers questions of the set, but none of the split that was chosen; {instead}"
    raise RollcallError(foreign(every, run) or told)


def _name(run: Run) -> str:
    return run.name or "the run"
