"""Scoring: gold questions and one system's predictions in, a report of figures out.

The one function every command goes through. It takes records, files or plain Python values, pairs them
by id, and computes the measures, their intervals and the breakdowns asked for.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from rollcall.errors import RollcallError
from rollcall.questions import Prediction, Question, QuestionSet, Run, read_questions, read_run
from rollcall.questions.formats.predictions import as_answers
from rollcall.score.breakdown import breakdown, named_characteristics
from rollcall.score.columns import GoldSetting, Pairs, gold_of, tabulate
from rollcall.score.figures import clustered
from rollcall.score.measure import Measure, parse_measures
from rollcall.score.pairing import pair, some
from rollcall.score.profile import Profile
from rollcall.score.profiles import profile_named
from rollcall.score.report import Report

Gold = QuestionSet | Iterable[Question] | Path | str
Predictions = Run | Iterable[Prediction] | Mapping[str, Any] | Path | str
Missing = Literal["count", "skip"]
RESAMPLES = 1000


def score(
    gold: Gold,
    predictions: Predictions,
    *,
    profile: str = "entity",
    measures: str | Sequence[str] | None = None,
    by: Sequence[str] = (),
    setting: GoldSetting = "complete",
    missing: Missing = "count",
    drop_empty: bool = False,
    resamples: int = RESAMPLES,
    confidence: float = 0.95,
    seed: int = 0,
) -> Report:
    """Score predictions against gold questions.

    `missing` says whether unanswered questions count as wrong or are left out; `drop_empty` leaves out
    questions without any complete answer, as RoMQA's own command does.
    """
    rules = profile_named(profile)
    question_set, run = as_questions(gold), as_run(predictions)
    pairs, unmatched = pair(question_set, run)
    unmatched.missing_left_out = missing == "skip"
    warnings = [*question_set.manifest.get("warnings", []), *run.warnings]
    if not len(run):
        warnings.append(f"{run.name or 'the run'}: holds no prediction")
    pairs, left_out = _chosen(pairs, setting, missing, drop_empty)
    chosen = _measures(rules, measures, pairs, setting)
    if any(measure.needs == "answers" for measure in chosen) and _only_passages(run):
        warnings.append("the run holds retrieved passages and no answers: measure it by ARecall@K, ERecall@K")
    table = tabulate(pairs, rules, chosen, setting)
    report = Report(
        profile=rules,
        setting=setting,
        pairs=pairs,
        columns=table.columns,
        clusters=clustered((place, one.id, one.cluster) for place, (one, _) in enumerate(pairs)),
        unmatched=unmatched,
        warnings=[
            *dict.fromkeys([*warnings, *left_out, *table.warnings, *_empty_gold(pairs, rules, setting)])
        ],
        resamples=resamples,
        seed=seed,
        confidence=confidence,
        name=run.name,
    )
    report.figures = dict(zip(chosen, report.over(report.clusters), strict=True))
    report.warnings += [
        f"no question counts for {measure}" for measure, one in report.figures.items() if one.value is None
    ]
    if pairs and any(measure.worst for measure in chosen) and len(report.clusters) == len(pairs):
        report.warnings.append("no two questions share a cluster, so a worst case is the question itself")
    for name in named_characteristics(by, report):
        report.by[name] = breakdown(report, name)
    return report


def as_questions(gold: Gold) -> QuestionSet:
    if isinstance(gold, QuestionSet):
        return gold
    return read_questions(gold) if isinstance(gold, str | Path) else QuestionSet(gold)


def as_run(predictions: Predictions) -> Run:
    if isinstance(predictions, Run):
        return predictions
    if isinstance(predictions, str | Path):
        return read_run(predictions)
    if not isinstance(predictions, Mapping):
        return Run(predictions)
    return Run(
        Prediction(str(identity), as_answers(_listed(given))) for identity, given in predictions.items()
    )


def _listed(given: Any) -> list[Any]:
    """One answer, or many: an unordered collection is put in order, so that `@k` is repeatable."""
    if isinstance(given, str):
        return [given]
    return sorted(given) if isinstance(given, set | frozenset) else list(given)


def _chosen(
    pairs: Pairs, setting: GoldSetting, missing: Missing, drop_empty: bool
) -> tuple[list[tuple[Question, Prediction | None]], list[str]]:
    """The pairs that are scored, and a word on those left out."""
    if setting == "closed" and pairs and not any(question.candidates for question, _ in pairs):
        raise RollcallError("the gold has no candidates, so there is no closed setting to score")
    kept, told = list(pairs), []
    if missing == "skip":
        kept = [one for one in kept if one[1] is not None]
    if drop_empty:
        empty = [question.id for question, _ in kept if not question.answers]
        kept = [one for one in kept if one[0].answers]
        told += (
            [f"{len(empty)} questions without a complete answer left out ({some(empty)})"] if empty else []
        )
    return kept, told


def _only_passages(run: Run) -> bool:
    return any(one.retrieved for one in run) and not any(one.answers for one in run)


def _empty_gold(pairs: Pairs, profile: Profile, setting: GoldSetting) -> list[str]:
    ids = [question.id for question, _ in pairs if not gold_of(question, setting)]
    if not ids:
        return []
    hint = "; RoMQA's own command leaves out those without a complete answer (--drop-empty)"
    return [
        f"{len(ids)} questions have no {setting} gold answers ({some(ids)}){hint * (profile.name == 'romqa')}"
    ]


def _measures(
    profile: Profile, given: str | Sequence[str] | None, pairs: Pairs, setting: GoldSetting
) -> list[Measure]:
    if given is not None:
        return parse_measures(given if isinstance(given, str) else " ".join(given))
    timed = any(prediction is not None and prediction.seconds is not None for _, prediction in pairs)
    is_clustered = any(question.cluster is not None for question, _ in pairs)
    defaults = profile.measures(closed=setting == "closed", clustered=is_clustered)
    return [measure for measure in defaults if timed or measure.needs != "seconds"]
