"""Scoring: gold questions and one system's predictions in, a report of figures out.

All commands use this one function. It pairs records by id, and computes the measures, their intervals and the
requested breakdowns.
"""

from rollcall.english.counting import counted
from rollcall.errors import RollcallError
from rollcall.questions import Prediction, Question, QuestionSet, Run
from rollcall.score.breakdown import breakdown, named_characteristics
from rollcall.score.caution import cautions
from rollcall.score.columns import GoldSetting, answer_sets, gold_of, predicted, tabulate
from rollcall.score.coverage import coverage_caution
from rollcall.score.figures import clustered
from rollcall.score.joined_answers import joined_answers
from rollcall.score.judging.judged_profile import JudgedProfile
from rollcall.score.measure import Measure
from rollcall.score.needs import lacking
from rollcall.score.pairing import Pairs, pair, some, trial_notes
from rollcall.score.profile import Profile
from rollcall.score.report import Report
from rollcall.score.rules import Missing, Rules


def score_records(question_set: QuestionSet, run: Run, rules: Rules) -> Report:
    """The report of records that were already checked."""
    profile, setting = rules.scorer, rules.setting
    pairs, unmatched = pair(question_set, run)
    unmatched.missing_left_out = rules.missing == "skip"
    warnings = [*question_set.manifest.get("warnings", []), *run.warnings]
    if not len(run):
        warnings.append(f"{run.name or 'the run'}: holds no prediction")
    if rules.missing == "count":
        warnings += coverage_caution(question_set, run)
    pairs, left_out = _chosen(pairs, setting, rules.missing, rules.drop_empty)
    warnings += trial_notes(pairs)
    warnings += joined_answers(pairs, profile, setting)
    chosen = rules.chosen_measures or _default_measures(profile, pairs, setting)
    if any("answers" in measure.kind.needs for measure in chosen) and _only_passages(run):
        warnings.append("the run holds retrieved passages and no answers: measure it by ARecall@K, ERecall@K")
    if isinstance(profile, JudgedProfile):
        profile.consult(
            [
                (question, gold, predicted(prediction))
                for question, prediction in pairs
                for gold in answer_sets(question, setting)
            ]
        )
    table = tabulate(pairs, profile, chosen, setting)
    report = Report(
        profile=profile,
        setting=setting,
        pairs=pairs,
        columns=table.columns,
        clusters=clustered((place, one.id, one.cluster) for place, (one, _) in enumerate(pairs)),
        unmatched=unmatched,
        warnings=[
            *dict.fromkeys([*warnings, *left_out, *table.warnings, *_empty_gold(pairs, profile, setting)])
        ],
        confidence=rules.confidence,
        name=run.name,
    )
    report.figures = dict(zip(chosen, report.over(report.clusters), strict=True))
    report.warnings += [
        f"no question counts for {measure}" for measure, one in report.figures.items() if one.value is None
    ]
    extreme = any(measure.extreme is not None for measure in chosen)
    if pairs and extreme and len(report.clusters) == len(pairs):
        report.warnings.append("no two questions share a cluster, so a worst case is the question itself")
    report.warnings += cautions(report)
    for name in named_characteristics(rules.characteristics, report):
        report.by[name] = breakdown(report, name)
    return report


def _chosen(
    pairs: Pairs, setting: GoldSetting, missing: Missing, drop_empty: bool
) -> tuple[list[tuple[Question, Prediction | None]], list[str]]:
    """The pairs that are scored, and a line about those left out."""
    if setting == "closed" and pairs and not any(question.candidates for question, _ in pairs):
        raise RollcallError("the gold has no candidates, so there is no closed setting to score")
    kept, notes = list(pairs), []
    if missing == "skip":
        kept = [one for one in kept if one[1] is not None]
    if drop_empty:
        empty = [question.id for question, _ in kept if not question.answers]
        kept = [one for one in kept if one[0].answers]
        notes += (
            [f"{counted(len(empty), 'question')} without a complete answer left out ({some(empty)})"]
            if empty
            else []
        )
    return kept, notes


def _only_passages(run: Run) -> bool:
    return any(one.retrieved for one in run) and not any(one.answers for one in run)


def _empty_gold(pairs: Pairs, profile: Profile, setting: GoldSetting) -> list[str]:
    ids = [question.id for question, _ in pairs if not gold_of(question, setting)]
    if not ids:
        return []
    hint = ", as RoMQA's own command does" if profile.name == "romqa" else ""
    return [
        f"{'all ' * (len(ids) == len(pairs) > 1)}{counted(len(ids), 'question has', 'questions have')} no "
        f"{setting} gold answers ({some(ids)}): there, saying nothing counts as "
        f"the profile says; --drop-empty leaves them out{hint}"
    ]


def _default_measures(profile: Profile, pairs: Pairs, setting: GoldSetting) -> list[Measure]:
    """The profile's measures, without those whose data is missing (not every run records its time)."""
    is_clustered = any(question.cluster is not None for question, _ in pairs)
    texts = profile.measures(closed=setting == "closed", clustered=is_clustered)
    defaults = [Measure.parse(text) for text in texts]
    return [measure for measure in defaults if lacking(measure, pairs) is None] or defaults
