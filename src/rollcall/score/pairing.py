"""Pairs questions and predictions by id, and lists what could not be paired.

Nothing is dropped silently: a question without a prediction, a prediction without a question and an id that
occurs twice are each listed. If no prediction belongs to a question, the predictions are refused. Several
numbered trials at one question are a pair each, and together a cluster.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Question
from rollcall.questions.run import Prediction, Run
from rollcall.score.options import GoldSetting
from rollcall.score.profile import Predicted
from rollcall.text.nouns import counted

Pairs = Sequence[tuple[Question, Prediction | None]]
"""Questions, each with its prediction if there is one."""


def gold_of(question: Question, setting: GoldSetting) -> Sequence[Answer]:
    """The answers that predictions are compared with: the complete set, or the right candidates."""
    if setting == "closed":
        return [candidate for candidate in question.candidates if candidate.is_answer]
    return question.answers


def answer_sets(question: Question, setting: GoldSetting) -> list[Sequence[Answer]]:
    """All answer sets that a prediction may fit: the gold, and those of other annotators if there are any."""
    alternatives = question.alternatives if setting == "complete" else []
    return [gold_of(question, setting), *alternatives]


def predicted(prediction: Prediction | None) -> Sequence[Predicted]:
    """The answers that count as predicted; none if the system failed."""
    return [] if prediction is None or prediction.failure is not None else prediction.answers


@dataclass
class Unmatched:
    """The ids that could not be paired one to one, and the questions a system failed on."""

    missing: list[str] = field(default_factory=list)
    """Questions without a prediction."""
    unknown: list[str] = field(default_factory=list)
    """Predictions for questions the gold does not have."""
    duplicate: list[str] = field(default_factory=list)
    """Ids predicted more than once; the first prediction counts."""
    duplicate_gold: list[str] = field(default_factory=list)
    """Ids the gold has more than once; the first question counts."""
    failed: dict[str, str] = field(default_factory=dict)
    """Questions on which the system failed, with the reason."""
    missing_left_out: bool = False
    """Whether questions without a prediction are left out of the figures."""

    def as_json(self) -> dict[str, list[str] | dict[str, str]]:
        return {
            "missing": self.missing,
            "unknown": self.unknown,
            "duplicate": self.duplicate,
            "duplicate_gold": self.duplicate_gold,
            "failed": self.failed,
        }

    def lines(self) -> list[str]:
        """One line for each kind that is not empty, with the first few ids."""
        fate = "left out" if self.missing_left_out else "counted as unanswered"
        kinds = (
            (self.missing, f"without a prediction, {fate}"),
            (self.unknown, "predicted but not in the gold, left out"),
            (self.duplicate, "predicted more than once, the first counts"),
            (self.duplicate_gold, "in the gold more than once, the first counts"),
            (list(self.failed), "the system failed on, counted as unanswered"),
        )
        return [f"{len(ids)} {meaning}: {some(ids)}" for ids, meaning in kinds if ids]


def some(ids: Sequence[str], shown: int = 5) -> str:
    """The first few ids, and how many more there are."""
    more = f" and {len(ids) - shown} more" if len(ids) > shown else ""
    return ", ".join(ids[:shown]) + more


def pair(
    questions: Iterable[Question], run: Run
) -> tuple[list[tuple[Question, Prediction | None]], Unmatched]:
    """Each question with its prediction, and what could not be paired."""
    unmatched = Unmatched()
    predicted: dict[str, dict[int | None, Prediction]] = {}
    twice: dict[str, None] = {}
    for prediction in run:
        trials = predicted.setdefault(prediction.id, {})
        if trials.setdefault(prediction.trial, prediction) is not prediction:
            twice[prediction.id] = None
    twice_in_gold: dict[str, None] = {}
    pairs: dict[str, list[tuple[Question, Prediction | None]]] = {}
    for question in questions:
        if question.id in pairs:
            twice_in_gold[question.id] = None
            continue
        trials = predicted.get(question.id, {})
        pairs[question.id] = _trials(question, trials)
        if not trials:
            unmatched.missing.append(question.id)
        for trial in trials.values():
            if trial.failure is not None:
                unmatched.failed[question.id] = trial.failure
    unmatched.duplicate, unmatched.duplicate_gold = list(twice), list(twice_in_gold)
    unmatched.unknown = [identity for identity in predicted if identity not in pairs]
    if predicted and pairs and len(unmatched.unknown) == len(predicted):
        raise RollcallError(of_another_set(pairs, predicted, 0, run))
    return [pair for same in pairs.values() for pair in same], unmatched


def _trials(
    question: Question, trials: dict[int | None, Prediction]
) -> list[tuple[Question, Prediction | None]]:
    """A question with its prediction; several trials are as many questions of one cluster."""
    if len(trials) < 2:
        return [(question, next(iter(trials.values()), None))]
    same = msgspec.structs.replace(question, cluster=question.cluster or question.id)
    order = sorted(trials, key=lambda trial: (trial is not None, trial or 0))
    return [(same, trials[trial]) for trial in order]


def trial_notes(pairs: Pairs) -> list[str]:
    """A line if some questions have more trials than others."""
    numbers = Counter(question.id for question, _ in pairs)
    most = max(numbers.values(), default=1)
    fewer = [identity for identity, number in numbers.items() if number < most]
    return (
        [f"{counted(len(fewer), 'question has', 'questions have')} fewer than {most} trials ({some(fewer)})"]
        if fewer
        else []
    )


# Whether a run belongs to a question set, by how many of its ids the set has. A run of another set may
# share some ids with this one. Its figures mean nothing then, and advice about splits or unanswered
# questions would only mislead, so this is said instead. A run of a larger set is no such run: it answers
# most of these questions.


def foreign(questions: Iterable[Question], run: Run) -> str | None:
    """A line if most ids of a run are not in the set, and most of the set not in the run."""
    asked = dict.fromkeys(question.id for question in questions)
    answered = dict.fromkeys(prediction.id for prediction in run)
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
    answered = {prediction.id for prediction in run}
    known = [question for question in every if question.id in answered]
    if not known or any(question.id in answered for question in chosen):
        return
    splits = sorted({question.split for question in known if question.split})
    given = " ".join(f"--split {split}" for split in splits)
    instead = f"give {given}" if splits else "leave out --split"
    told = f"{_name(run)}: answers questions of the set, but none of the split that was chosen; {instead}"
    raise RollcallError(foreign(every, run) or told)


def _name(run: Run) -> str:
    return run.name or "the run"


# Runs that answer only a part of a set: a warning if all of it counts, and what several runs share.
# Questions that a system was never asked count as unanswered, so a run over the test split alone would
# get only a part of its figure. The warning says how to score such a run. A run of another set gets no
# such advice (see `rollcall.score.match`).


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
    lacking = [set(unpaired.missing) for unpaired in unmatched]
    if all(ids == lacking[0] for ids in lacking) or any(foreign(questions, run) for run in runs):
        return []
    shared = len({question.id for question in questions}.difference(*lacking))
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
    missing = dict.fromkeys(identity for run in runs for identity in pair(questions, run)[1].missing)
    if not missing:
        return questions, []
    shared = QuestionSet(
        (question for question in questions if question.id not in missing), questions.manifest
    )
    if not len(shared):
        splits = [_splits(questions, run) for run in runs]
        named = "; ".join(f"{name}: {answered}" for name, answered in zip(names, splits, strict=True))
        known = f" ({named})" if all(splits) and len(set(splits)) > 1 else ""
        raise RollcallError(
            f"no question was answered by all runs: they answer different questions{known}, so they cannot "
            "be compared; give runs of the same questions"
        )
    left = [question.id for question in questions if question.id in missing]
    told = (
        f"{len(left):,} of {len(questions):,} questions left out, which not every run answered: {some(left)}"
    )
    return shared, [told]


def _splits(questions: QuestionSet, run: Run) -> str:
    """The splits of the questions that a run answers."""
    answered = {prediction.id for prediction in run}
    return ", ".join(
        sorted({question.split for question in questions if question.split and question.id in answered})
    )
