"""The functions `score`, `compare` and `expand`, for scripts and the command line.

Gold and runs may have any form that `rollcall.questions.given` reads. All options are checked before anything
is read, and the data is then paired by id.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from rollcall._core.errors import RollcallError
from rollcall.questions.formats import AnswersAs
from rollcall.questions.given import (
    Predictions,
    Questions,
    given_questions,
    given_run,
    is_listed,
    kind,
    run_in_gold,
)
from rollcall.questions.opening import described
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.run import Run
from rollcall.score.breakdown import cluster_robustness
from rollcall.score.comparison import Comparison, compare_reports, run_names
from rollcall.score.expansion import (
    Expansion,
    FigureVariants,
    Homonyms,
    Lookup,
    check_expansion,
    expand_names,
    with_expansion,
    with_extended,
)
from rollcall.score.incomplete.estimate import GivenAudit, GivenCompleteness, given_knowledge
from rollcall.score.judging import Judge, JudgedProfile, JudgeVerdicts, agreement, verdicts
from rollcall.score.neutral import GivenNeutral
from rollcall.score.pairing import GoldSetting, answered_by_all, check_splits, foreign, unequal_coverage
from rollcall.score.report import Report
from rollcall.score.rules import GivenMeasures, GivenProfile, Missing, Rules, TestRules, check_texts
from rollcall.score.scoring import score_records
from rollcall.score.significance import Correction, Test


def score(
    gold: Questions,
    run: Predictions | None = None,
    *,
    profile: GivenProfile = "entity",
    measures: GivenMeasures = None,
    by: str | Sequence[str] = (),
    split: str | Sequence[str] | None = None,
    setting: GoldSetting = "complete",
    missing: Missing = "count",
    drop_empty: bool = False,
    neutral: GivenNeutral = None,
    confidence: float | None = 0.95,
    answers: AnswersAs | None = None,
    file_format: str | None = None,
    robustness: bool = False,
    expand: Path | str | None = None,
    lookup: Lookup = "exact",
    homonyms: Homonyms = "all",
    newly_right: Path | str | None = None,
    extended: Questions | None = None,
    judges: Sequence[Judge] = (),
    completeness: GivenCompleteness = None,
    audit: GivenAudit = None,
) -> Report:
    """Score one system's predictions against gold questions.

    `gold` is a question set, a path, records, dicts or a table. `run` is a run, a path, records, a table or a
    mapping from ids to answers; it may be left out if the gold's file has predictions too. `split` selects
    questions, and `by` breaks figures down. `answers` says what lists of strings under `answers` are (a
    `set`, or `names` of one answer), if the file's keys say something else. `file_format` names the format of
    a file that should not be recognised automatically. `missing` says whether unanswered questions count as
    wrong or are left out. `drop_empty` leaves out questions without any complete answer, as RoMQA's own
    command does. `neutral` says what predictions of neutral answers are: `ignore`, `count` (these answers are
    required like all others) or `wrong`; by default the profile says it.

    `robustness` examines clusters. `expand` is a graph whose names are added to the gold, for a second row of
    figures; every prediction that becomes right is written to `newly_right`. `extended` are the same
    questions with more answers; a set that has extended answers of its own is scored with them, too. Both are
    means over the questions that were searched for more answers. `judges`
    are language models, for profiles that ask one: the first makes the figures, and the others are shown
    beside it, with how far they agree. `completeness` is the share of all right answers that the gold has (or
    one for each kind, or a file), and bounds the true figures; `audit` is the folder of an audit, or
    judgments of errors, from which they are estimated. `confidence=None` leaves out the intervals.
    """
    rules = Rules(profile, measures, by, setting, missing, drop_empty, confidence, judges, neutral)
    rules.scorer  # noqa: B018 (a profile without its judge is refused before anything is read)
    check_expansion(lookup, homonyms)
    if expand is None and (lookup != "exact" or homonyms != "all"):
        raise RollcallError("--lookup and --homonyms are for the names of a graph: give --expand GRAPH")
    knowledge = given_knowledge(completeness, audit)
    whole_set, questions = _gold(gold, split, answers, file_format)
    answered = _restricted(run_in_gold(gold) if run is None else given_run(run), whole_set, questions)
    report = score_records(questions, answered, rules)
    report.reading = described(questions, gold) or ""
    without_groups = replace(rules, by=())
    if judges:
        judged = beside_judge(report, questions, answered, rules)
        report.variants += [] if judged is None else [judged]
    if robustness:
        report.robustness = cluster_robustness(report)
    if expand is not None:
        judging_file = None if newly_right is None else Path(newly_right)
        report.variants.append(
            with_expansion(questions, answered, without_groups, Path(expand), lookup, homonyms, judging_file)
        )
    if extended is not None or any(question.extended or question.searched for question in questions):
        more = questions if extended is None else given_questions(extended, "the extended answer set")
        if not any(question.searched for question in more) and any(question.extended for question in more):
            report.warnings.append(
                "no question says that it was searched for more answers (an older set?): figures with "
                "extended answers are means over the questions that have some, and too high"
            )
        report.variants.append(with_extended(questions, more, answered, without_groups))
    if knowledge is not None:
        from rollcall.score.incomplete.differences import add_true_figures

        add_true_figures(report, knowledge)
    return report


def compare(
    gold: Questions,
    runs: Sequence[Predictions],
    *,
    names: Sequence[str] | None = None,
    test: Test = "permutation",
    correction: Correction = "holm",
    level: float = 0.05,
    profile: GivenProfile = "entity",
    measures: GivenMeasures = None,
    by: str | Sequence[str] = (),
    split: str | Sequence[str] | None = None,
    setting: GoldSetting = "complete",
    missing: Missing = "count",
    drop_empty: bool = False,
    neutral: GivenNeutral = None,
    confidence: float | None = 0.95,
    resamples: int | None = None,
    seed: int = 0,
    answers: AnswersAs | None = None,
    file_format: str | None = None,
    judges: Sequence[Judge] = (),
    completeness: GivenCompleteness = None,
    audit: GivenAudit = None,
) -> Comparison:
    """Score every run and test every pair of them on every measure.

    `resamples` is the number of random draws of the tests; by default as many as the correction for the
    number of comparisons needs. With `missing="skip"`, only questions that all runs answered are compared.
    With `completeness` or `audit`, every difference says whether it survives incomplete gold. The other
    options are those of `score`.
    """
    sure = None if resamples == 0 else confidence
    rules = Rules(profile, measures, by, setting, missing, drop_empty, sure, judges, neutral)
    rules.scorer  # noqa: B018 (a profile without its judge is refused before anything is read)
    tests = TestRules(test, correction, level, resamples, seed)
    if not is_listed(runs):
        raise RollcallError(f"a comparison needs a list of runs, not {kind(runs)}")
    if len(runs) < 2:
        raise RollcallError("a comparison needs two runs or more; `rollcall score` scores one")
    if names is not None:
        check_texts("names", names, str)
        if len(names) != len(runs):
            raise RollcallError(f"{len(names)} names were given for {len(runs)} runs")
    knowledge = given_knowledge(completeness, audit)
    whole_set, questions = _gold(gold, split, answers, file_format)
    loaded = [_restricted(given_run(run), whole_set, questions) for run in runs]
    run_labels = list(names) if names is not None else run_names(runs, loaded)
    left_out: list[str] = []
    if missing == "skip":
        shared, left_out = answered_by_all(questions, loaded, run_labels)
        loaded = [_without_other_questions(run, questions, shared) for run in loaded]
        questions = shared
    reports = [score_records(questions, run, rules) for run in loaded]
    for report in reports:
        report.reading = described(questions, gold) or ""
    comparison = compare_reports(reports, run_labels, tests)
    if missing == "count":
        comparison.warnings += unequal_coverage(questions, loaded, [report.unmatched for report in reports])
    comparison.warnings += left_out
    if knowledge is not None:
        from rollcall.score.incomplete.differences import add_true_differences

        add_true_differences(comparison, knowledge)
    return comparison


def expand(
    questions: Questions,
    graph: Path | str,
    *,
    out: Path | str | None = None,
    lookup: Lookup = "exact",
    homonyms: Homonyms = "all",
    sources: str | Sequence[str] | None = None,
    least: int = 0,
    split: str | Sequence[str] | None = None,
    setting: GoldSetting = "complete",
    passages: Predictions | None = None,
    positives: Path | str | None = None,
    answers: AnswersAs | None = None,
    file_format: str | None = None,
) -> Expansion:
    """Add a graph's names to gold answers, and keep the source of each name.

    The expanded set has the counts of what was added, and is written to `out` if that is given. `lookup` says
    how a string is found among the graph's names, `homonyms` what to do if it means several entities.
    `sources` keeps only names of these sources (label, title, alias, redirect, anchor, …); `least` keeps only
    names used at least this number of times, if the graph counts them. Candidates get names as well as
    answers; `setting` says for which of the two names are counted. `passages` is a run with retrieved
    passages: those that name an answer are positive for training, and are written to `positives`.
    """
    listed = [name.strip() for name in sources.split(",")] if isinstance(sources, str) else sources
    check_expansion(lookup, homonyms, setting, listed, least)
    retrieved = given_run(passages) if passages is not None else None
    chosen = given_questions(questions, file_format=file_format, answers=answers).of_splits(split)
    expanded = expand_names(chosen, Path(graph), lookup, homonyms, listed, least, setting)
    if out is not None:
        expanded.save(out)
    if retrieved is not None:
        expanded.find_positives(retrieved, None if positives is None else Path(positives))
    return expanded


def _gold(
    gold: Questions, split: str | Sequence[str] | None, answers: AnswersAs | None, file_format: str | None
) -> tuple[QuestionSet, QuestionSet]:
    """All gold questions, and those of the splits."""
    whole_set = given_questions(gold, file_format=file_format, answers=answers)
    if not len(whole_set) and isinstance(gold, str | Path):
        raise RollcallError(f"{gold}: holds no question")
    return whole_set, whole_set.of_splits(split)


def _restricted(run: Run, whole_set: QuestionSet, chosen: QuestionSet) -> Run:
    """A run as it is scored on splits of the gold, with a warning if it looks like one of another set."""
    if chosen is not whole_set:
        check_splits(whole_set, chosen, run)
    warning = foreign(whole_set, run)
    restricted = _without_other_questions(run, whole_set, chosen)
    return Run(restricted, run.name, [*run.warnings, *([] if warning is None else [warning])], run.settings)


def _without_other_questions(run: Run, whole_set: QuestionSet, chosen: QuestionSet) -> Run:
    """A run without its predictions for other questions of the gold, which are not errors."""
    if chosen is whole_set:
        return run
    left_out = {question.id for question in whole_set} - {question.id for question in chosen}
    predictions = [prediction for prediction in run if prediction.id not in left_out]
    return Run(predictions, run.name, run.warnings, run.settings)


# Judges beside each other: the figures of each, those of the match without a model, and how far they
# agree. The first judge makes the report. A second one, and the deterministic counterpart, are rows
# beside it.


def beside_judge(report: Report, questions: QuestionSet, run: Run, rules: Rules) -> FigureVariants | None:
    """The rows of a judged report; None if nobody judged it."""
    profile = report.profile
    if not isinstance(profile, JudgedProfile):
        return None
    measures = report.measures
    second_judges = [replace(rules, judges=(judge,)) for judge in rules.judges[1:]]
    reports = {profile.seat.model: report}
    for variant in [*second_judges, replace(rules, profile=profile.counterpart, judges=())]:
        name = variant.judges[0].model if variant.judges else profile.counterpart
        if name in reports:
            raise RollcallError(f"the judge {name} is given twice; two judges are two models")
        same_measures = replace(variant, measures=[str(measure) for measure in measures], by=())
        reports[name] = score_records(questions, run, same_measures)
    decided = {
        name: verdicts(judged.pairs, judged.profile, judged.setting) for name, judged in reports.items()
    }
    judges = " and by ".join([profile.seat.model, *(variant.judges[0].model for variant in second_judges)])
    title = f"Judged by {judges}, and matched by {profile.counterpart}"
    rows = {
        name: {measure: judged.figures[measure] for measure in measures} for name, judged in reports.items()
    }
    return FigureVariants("judges", title, report.n, rows, _agreement_counts(decided, profile.seat), "judge")


def _agreement_counts(decided: dict[str, JudgeVerdicts], judge: Judge) -> dict[str, float | int | str]:
    counts: dict[str, float | int | str] = {"prompts": judge.wording}
    for first, second in combinations(decided, 2):
        agreed = agreement(decided[first], decided[second])
        between = f"{first} and {second}"
        counts[f"{between}: questions judged by both"] = agreed.questions
        counts[f"{between}: answers compared"] = agreed.answers
        for name, value in (
            ("same verdict, share of answers", agreed.same),
            ("Cohen's kappa", agreed.kappa),
            ("mean difference of F1", agreed.distance),
        ):
            counts[f"{between}: {name}"] = "–" if value is None else value
    if judge.failures:
        counts[f"{judge.model}: prompts without a usable reply"] = len(judge.failures)
        counts[f"{judge.model}: the first because"] = next(iter(judge.failures.values()))
    return counts
