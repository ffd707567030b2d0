"""Judges beside each other: the figures of each, those of the match without a model, and how far they agree.

The first judge makes the report. A second one, and the deterministic counterpart, are rows beside it.
"""

from collections.abc import Sequence
from dataclasses import replace

from rollcall.errors import RollcallError
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.run import Run
from rollcall.score.figures import Figure
from rollcall.score.judging.agreement import Verdicts, agreement, verdicts
from rollcall.score.judging.judge import Judge
from rollcall.score.judging.judged_profile import JudgedProfile
from rollcall.score.measure import Measure
from rollcall.score.report import Report
from rollcall.score.rules import Rules
from rollcall.score.scoring import score_records
from rollcall.score.side_by_side import SideBySide


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
