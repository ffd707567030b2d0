"""Every measure's value for every question: the table all figures are computed from.

Each question is resolved once for each number of predictions a measure looks at; a question with
several answer sets is held against the one it fits best.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal, NamedTuple

from rollcall.errors import RollcallError
from rollcall.garbage import collection_paused
from rollcall.questions.record import Answer, Question
from rollcall.questions.run import Prediction
from rollcall.score.figures import Column
from rollcall.score.match import Match
from rollcall.score.measure import Measure
from rollcall.score.pairing import some
from rollcall.score.profile import Predicted, Profile
from rollcall.score.retrieval import answer_recall, evidence_recall

GoldSetting = Literal["complete", "closed"]
Pairs = Sequence[tuple[Question, Prediction | None]]


class Table(NamedTuple):
    """The columns, and what was odd about some questions."""

    columns: list[Column]
    warnings: list[str]


def gold_of(question: Question, setting: GoldSetting) -> Sequence[Answer]:
    """The answers predictions are held against: the complete set, or the right candidates."""
    if setting == "closed":
        return [candidate for candidate in question.candidates if candidate.is_answer]
    return question.answers


def answer_sets(question: Question, setting: GoldSetting) -> list[Sequence[Answer]]:
    """All answer sets a prediction may fit: the gold, and other annotators' where there are any."""
    alternatives = question.alternatives if setting == "complete" else []
    return [gold_of(question, setting), *alternatives]


def predicted(prediction: Prediction | None) -> Sequence[Predicted]:
    """What counts as said: nothing where the system failed."""
    return [] if prediction is None or prediction.failure is not None else prediction.answers


@collection_paused()
def tabulate(pairs: Pairs, profile: Profile, measures: Sequence[Measure], setting: GoldSetting) -> Table:
    """Compute every measure for every pair."""
    columns = [Column(measure, [], []) for measure in measures]
    by_cut: dict[int | None, list[Column]] = defaultdict(list)
    for column in columns:
        if column.measure.needs == "answers":
            by_cut[column.measure.predictions_cut].append(column)
    odd: dict[str, dict[str, None]] = {}
    for cut, group in by_cut.items():
        _fill_from_answers(pairs, profile, setting, cut, group, odd)
    for base in dict.fromkeys(one.measure.base for one in columns if one.measure.needs == "passages"):
        group = [one for one in columns if one.measure.base == base]
        _fill_from_passages(pairs, profile, setting, base, group)
    for column in columns:
        if column.measure.needs == "seconds":
            _fill_from_seconds(pairs, column)
    warnings = [f"{len(ids)} with {reason} ({some(list(ids))})" for reason, ids in odd.items()]
    return Table(columns, warnings)


def _fill_from_answers(
    pairs: Pairs,
    profile: Profile,
    setting: GoldSetting,
    cut: int | None,
    columns: list[Column],
    odd: dict[str, dict[str, None]],
) -> None:
    matches = []
    for question, prediction in pairs:
        match, warning = _best_match(question, profile, setting, predicted(prediction), cut)
        matches.append(match)
        if warning is not None:
            odd.setdefault(warning, {})[question.id] = None
    in_means = [match.in_means for match in matches]
    for column in columns:
        column.values.extend(column.measure.values(matches))
        column.counts.extend(in_means if column.measure.skips_empty_gold else [True] * len(matches))


def _best_match(
    question: Question, profile: Profile, setting: GoldSetting, said: Sequence[Predicted], cut: int | None
) -> tuple[Match, str | None]:
    if setting == "complete" and not question.alternatives:
        return profile.judge(question, question.answers, said, cut)
    judged = [profile.judge(question, gold, said, cut) for gold in answer_sets(question, setting)]
    return max(judged, key=lambda one: (one[0].f1, one[0].recall))


def _fill_from_passages(
    pairs: Pairs, profile: Profile, setting: GoldSetting, base: str, columns: list[Column]
) -> None:
    """Fill all columns of one kind of recall, which differ only in how many passages they look at."""
    first = columns[0].measure
    retrieved = [passage for _, prediction in pairs if prediction for passage in prediction.retrieved[:1]]
    if not retrieved:
        raise RollcallError(f"{first} needs retrieved passages, and the predictions hold none")
    if base == "ARecall" and not any(passage.text or passage.title for passage in retrieved):
        raise RollcallError(f"{first} looks for answers in passages, and those retrieved have no text")
    deepest = max(column.measure.cut or 0 for column in columns)
    for question, prediction in pairs:
        passages = [] if prediction is None else prediction.retrieved[:deepest]
        gold = profile.entities(gold_of(question, setting))
        is_answers = base == "ARecall"
        recall = answer_recall(profile, gold, passages) if is_answers else evidence_recall(gold, passages)
        for column in columns:
            value = recall(column.measure.cut or 0)
            column.values.append(column.measure.reached(value or 0.0))
            column.counts.append(value is not None)
    if not any(columns[0].counts):
        raise RollcallError(f"{first}: no gold answer has what it is measured by")


def _fill_from_seconds(pairs: Pairs, column: Column) -> None:
    for _, prediction in pairs:
        seconds = None if prediction is None else prediction.seconds
        column.values.append(seconds or 0.0)
        column.counts.append(seconds is not None)
    if not any(column.counts):
        raise RollcallError("the predictions do not say how long they took, so there is no `time`")
