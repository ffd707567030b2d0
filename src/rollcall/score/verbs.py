"""The functions `score`, `compare` and `expand`, for scripts and the command line.

Gold and runs may have any form that `rollcall.questions.given` reads. All options are checked before anything
is read, and the data is then paired by id.
"""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from rollcall._core.errors import RollcallError
from rollcall._core.options import chosen_options
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
    expand_names,
    with_expansion,
    with_extended,
)
from rollcall.score.incomplete.estimate import given_knowledge
from rollcall.score.judging import Judge, JudgedProfile, JudgeVerdicts, agreement, verdicts
from rollcall.score.options import CompareOptions, ExpandOptions, GoldOptions, ScoreOptions, ScoringOptions
from rollcall.score.pairing import answered_by_all, check_splits, foreign, unequal_coverage
from rollcall.score.report import Report
from rollcall.score.rules import check_scoring, check_tests, check_texts, required_figures
from rollcall.score.scoring import score_records


def score(
    gold: Questions, run: Predictions | None = None, options: ScoreOptions | None = None, **keywords: Any
) -> Report:
    """Score one system's predictions against gold questions.

    `gold` is a question set, a path, records, dicts or a table. `run` is a run, a path, records, a table or a
    mapping from ids to answers; it may be left out if the gold's file has predictions too. The options are
    those of `ScoreOptions`, given as keywords, as a record, or as both: `score(gold, run, by="kind")`.

    `confidence=None` leaves out the intervals; `neutral=None` leaves it to the profile what predictions of
    neutral answers are. A set that has extended answers of its own is scored with them, too; these figures,
    and those with `extended`, are means over the questions that were searched for more answers.
    `completeness` bounds the true figures; from an `audit`, or judgments of errors, they are estimated.
    """
    options = chosen_options(ScoreOptions, options, keywords, "score")
    check_scoring(options)
    required = required_figures(options)
    knowledge = given_knowledge(options.completeness, options.audit)
    whole_set, questions = _gold(gold, options)
    answered = _restricted(run_in_gold(gold) if run is None else given_run(run), whole_set, questions)
    report = score_records(questions, answered, options)
    for measure in required:
        if measure not in report.figures:
            raise RollcallError(
                f"--fail-below {measure}: the measures are {', '.join(map(str, report.figures))}; "
                "add it with --measures"
            )
    report.required = required
    report.reading = described(questions, gold) or ""
    without_groups = replace(options, by=())
    if options.judges:
        judged = beside_judge(report, questions, answered, options)
        report.variants += [] if judged is None else [judged]
    if options.robustness:
        report.robustness = cluster_robustness(report)
    if options.expand is not None:
        report.variants.append(with_expansion(questions, answered, Path(options.expand), without_groups))
    extended = options.extended
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
    gold: Questions, runs: Sequence[Predictions], options: CompareOptions | None = None, **keywords: Any
) -> Comparison:
    """Score every run and test every pair of them on every measure.

    The options are those of `CompareOptions`, given as keywords, as a record, or as both. With
    `missing="skip"`, only questions that all runs answered are compared. With `completeness` or `audit`,
    every difference says whether it survives incomplete gold.
    """
    options = chosen_options(CompareOptions, options, keywords, "compare")
    if options.resamples == 0:
        options = replace(options, confidence=None)
    check_scoring(options)
    check_tests(options)
    if not is_listed(runs):
        raise RollcallError(f"a comparison needs a list of runs, not {kind(runs)}")
    if len(runs) < 2:
        raise RollcallError("a comparison needs two runs or more; `rollcall score` scores one")
    if options.names is not None and len(options.names) != len(runs):
        raise RollcallError(f"{len(options.names)} names were given for {len(runs)} runs")
    knowledge = given_knowledge(options.completeness, options.audit)
    whole_set, questions = _gold(gold, options)
    loaded = [_restricted(given_run(run), whole_set, questions) for run in runs]
    names = list(options.names) if options.names is not None else run_names(runs, loaded)
    left_out: list[str] = []
    if options.missing == "skip":
        shared, left_out = answered_by_all(questions, loaded, names)
        loaded = [_without_other_questions(run, questions, shared) for run in loaded]
        questions = shared
    reports = [score_records(questions, run, options) for run in loaded]
    for report in reports:
        report.reading = described(questions, gold) or ""
    comparison = compare_reports(reports, names, options)
    if options.missing == "count":
        comparison.warnings += unequal_coverage(questions, loaded, [report.unmatched for report in reports])
    comparison.warnings += left_out
    if knowledge is not None:
        from rollcall.score.incomplete.differences import add_true_differences

        add_true_differences(comparison, knowledge)
    return comparison


def expand(
    questions: Questions, graph: Path | str, options: ExpandOptions | None = None, **keywords: Any
) -> Expansion:
    """Add a graph's names to gold answers, and keep the source of each name.

    The options are those of `ExpandOptions`, given as keywords, as a record, or as both. The expanded set has
    the counts of what was added. Candidates get names as well as answers.
    """
    options = chosen_options(ExpandOptions, options, keywords, "expand")
    sources = options.sources
    if isinstance(sources, str):
        sources = [name.strip() for name in sources.split(",")]
    elif sources is not None:
        check_texts("sources", sources, str)
    retrieved = given_run(options.passages) if options.passages is not None else None
    chosen = given_questions(questions, file_format=options.file_format, answers=options.answers)
    chosen = chosen.of_splits(options.split)
    expanded = expand_names(
        chosen, Path(graph), options.lookup, options.homonyms, sources, options.least, options.setting
    )
    if options.out is not None:
        expanded.save(options.out)
    if retrieved is not None:
        expanded.find_positives(retrieved, None if options.positives is None else Path(options.positives))
    return expanded


def _gold(gold: Questions, options: GoldOptions) -> tuple[QuestionSet, QuestionSet]:
    """All gold questions, and those of the splits."""
    whole_set = given_questions(gold, file_format=options.file_format, answers=options.answers)
    if not len(whole_set) and isinstance(gold, str | Path):
        raise RollcallError(f"{gold}: holds no question")
    return whole_set, whole_set.of_splits(options.split)


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


def beside_judge(
    report: Report, questions: QuestionSet, run: Run, options: ScoringOptions
) -> FigureVariants | None:
    """The rows of a report that a model judged; None for any other report."""
    profile = report.profile
    if not isinstance(profile, JudgedProfile):
        return None
    measures = report.measures
    second_judges = [replace(options, judges=(judge,)) for judge in options.judges[1:]]
    reports = {profile.seat.model: report}
    for variant in [*second_judges, replace(options, profile=profile.counterpart, judges=())]:
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
