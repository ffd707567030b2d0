"""The functions `score`, `compare` and `expand`, for scripts and the command line.

Gold and runs may have any form that `rollcall.questions.given` reads. All options are checked before anything
is read, and the data is then paired by id.
"""

from collections.abc import Sequence
from dataclasses import replace
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
from rollcall.score.columns import Figure, GoldSetting
from rollcall.score.comparison import Comparison, compare_reports, run_names
from rollcall.score.expansion import (
    Expansion,
    Homonyms,
    SideBySide,
    check_expansion,
    expand_names,
    with_expansion,
    with_extended,
)
from rollcall.score.graph_names import Lookup
from rollcall.score.incomplete.estimate import GivenAudit, GivenCompleteness, given_knowledge
from rollcall.score.judging import Judge, JudgedProfile, Verdicts, agreement, verdicts
from rollcall.score.match import check_splits, foreign
from rollcall.score.measure import Measure
from rollcall.score.report import Report
from rollcall.score.rules import GivenMeasures, GivenProfile, Missing, Rules, TestRules, check_texts
from rollcall.score.scoring import answered_by_all, score_records, unequal_coverage
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
    command does.

    `robustness` examines clusters. `expand` is a graph whose names are added to the gold, for a second row of
    figures; every prediction that becomes right is written to `newly_right`. `extended` are the same
    questions with more answers; a set that has extended answers of its own is scored with them, too. Both are
    means over the questions that were searched for more answers. `judges`
    are language models, for profiles that ask one: the first makes the figures, and the others are shown
    beside it, with how far they agree. `completeness` is the share of all right answers that the gold has (or
    one for each kind, or a file), and bounds the true figures; `audit` is the folder of an audit, or
    judgments of errors, from which they are estimated. `confidence=None` leaves out the intervals.
    """
    rules = Rules(profile, measures, by, setting, missing, drop_empty, confidence, judges)
    rules.scorer  # noqa: B018 (a profile without its judge is refused before anything is read)
    check_expansion(lookup, homonyms)
    if expand is None and (lookup != "exact" or homonyms != "all"):
        raise RollcallError("--lookup and --homonyms are for the names of a graph: give --expand GRAPH")
    knowledge = given_knowledge(completeness, audit)
    every, questions = _gold(gold, split, answers, file_format)
    loaded = _asked(run_in_gold(gold) if run is None else given_run(run), every, questions)
    report = score_records(questions, loaded, rules)
    report.reading = described(questions, gold) or ""
    beside = replace(rules, by=())
    if judges:
        judged = beside_judge(report, questions, loaded, rules)
        report.variants += [] if judged is None else [judged]
    if robustness:
        from rollcall.score.robustness import robustness as look_into_clusters

        report.robustness = look_into_clusters(report)
    if expand is not None:
        place = None if newly_right is None else Path(newly_right)
        report.variants.append(
            with_expansion(questions, loaded, beside, Path(expand), lookup, homonyms, place)
        )
    if extended is not None or any(question.extended or question.searched for question in questions):
        more = questions if extended is None else given_questions(extended, "the extended answer set")
        if not any(question.searched for question in more) and any(question.extended for question in more):
            report.warnings.append(
                "no question says that it was searched for more answers (an older set?): figures with "
                "extended answers are means over the questions that have some, and too high"
            )
        report.variants.append(with_extended(questions, more, loaded, beside))
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
    rules = Rules(profile, measures, by, setting, missing, drop_empty, sure, judges)
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
    every, questions = _gold(gold, split, answers, file_format)
    loaded = [_asked(given_run(run), every, questions) for run in runs]
    called = list(names) if names is not None else run_names(runs, loaded)
    left_out: list[str] = []
    if missing == "skip":
        shared, left_out = answered_by_all(questions, loaded, called)
        loaded = [_without_others(run, questions, shared) for run in loaded]
        questions = shared
    reports = [score_records(questions, run, rules) for run in loaded]
    for report in reports:
        report.reading = described(questions, gold) or ""
    comparison = compare_reports(reports, called, tests)
    if missing == "count":
        comparison.warnings += unequal_coverage(questions, loaded, [one.unmatched for one in reports])
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
    found = given_run(passages) if passages is not None else None
    given = given_questions(questions, file_format=file_format, answers=answers).of_splits(split)
    expanded = expand_names(given, Path(graph), lookup, homonyms, listed, least, setting)
    if out is not None:
        expanded.save(out)
    if found is not None:
        expanded.find_positives(found, None if positives is None else Path(positives))
    return expanded


def _gold(
    gold: Questions, split: str | Sequence[str] | None, answers: AnswersAs | None, file_format: str | None
) -> tuple[QuestionSet, QuestionSet]:
    """All gold questions, and those of the splits."""
    every = given_questions(gold, file_format=file_format, answers=answers)
    if not len(every) and isinstance(gold, str | Path):
        raise RollcallError(f"{gold}: holds no question")
    return every, every.of_splits(split)


def _asked(run: Run, every: QuestionSet, chosen: QuestionSet) -> Run:
    """A run as it is scored on splits of the gold, with a warning if it looks like one of another set."""
    if chosen is not every:
        check_splits(every, chosen, run)
    told = foreign(every, run)
    asked = _without_others(run, every, chosen)
    return Run(asked, run.name, [*run.warnings, *([told] if told is not None else [])], run.settings)


def _without_others(run: Run, every: QuestionSet, chosen: QuestionSet) -> Run:
    """A run without its predictions for other questions of the gold, which are not errors."""
    if chosen is every:
        return run
    others = {question.id for question in every} - {question.id for question in chosen}
    return Run([one for one in run if one.id not in others], run.name, run.warnings, run.settings)


# Judges beside each other: the figures of each, those of the match without a model, and how far they
# agree. The first judge makes the report. A second one, and the deterministic counterpart, are rows
# beside it.


def beside_judge(report: Report, questions: QuestionSet, run: Run, rules: Rules) -> SideBySide | None:
    """The rows of a judged report; None if nobody judged it."""
    profile = report.profile
    if not isinstance(profile, JudgedProfile):
        return None
    others = [replace(rules, judges=(judge,)) for judge in rules.judges[1:]]
    reports = {profile.seat.model: report}
    for other in [*others, replace(rules, profile=profile.counterpart, judges=())]:
        name = other.judges[0].model if other.judges else profile.counterpart
        if name in reports:
            raise RollcallError(f"the judge {name} is given twice; two judges are two models")
        chosen = replace(other, measures=[str(measure) for measure in report.measures], by=())
        reports[name] = score_records(questions, run, chosen)
    decided = {name: verdicts(one.pairs, one.profile, one.setting) for name, one in reports.items()}
    judges = " and by ".join([profile.seat.model, *(one.judges[0].model for one in others)])
    title = f"Judged by {judges}, and matched by {profile.counterpart}"
    rows = {name: _figures(one, report.measures) for name, one in reports.items()}
    return SideBySide("judges", title, report.n, rows, _counts(decided, profile.seat), "judge")


def _figures(report: Report, measures: Sequence[Measure]) -> dict[Measure, Figure]:
    return {measure: report.figures[measure] for measure in measures}


def _counts(decided: dict[str, Verdicts], judge: Judge) -> dict[str, float | int | str]:
    counts: dict[str, float | int | str] = {"prompts": judge.wording}
    names = list(decided)
    for place, first in enumerate(names):
        for second in names[place + 1 :]:
            found = agreement(decided[first], decided[second])
            between = f"{first} and {second}"
            counts[f"{between}: questions judged by both"] = found.questions
            counts[f"{between}: answers compared"] = found.answers
            for about, value in (
                ("same verdict, share of answers", found.same),
                ("Cohen's kappa", found.kappa),
                ("mean difference of F1", found.distance),
            ):
                counts[f"{between}: {about}"] = "–" if value is None else value
    if judge.failures:
        counts[f"{judge.model}: prompts without a usable reply"] = len(judge.failures)
        counts[f"{judge.model}: the first because"] = next(iter(judge.failures.values()))
    return counts
