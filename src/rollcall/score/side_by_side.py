"""The same predictions under two gold sets, side by side: with and without more answers or names.

Used for QAMPARI's extended answer set (its Table 8) and for the added names of "What's in a Name?" (its Table
2): both ask how a figure changes if the gold has more answers or names.
"""

from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from rollcall.english.counting import counted
from rollcall.errors import RollcallError
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Question
from rollcall.questions.run import Run
from rollcall.score.expansion import Homonyms, expand_names
from rollcall.score.figures import Figure
from rollcall.score.graph_names import Lookup
from rollcall.score.measure import Measure
from rollcall.score.newly_right import JUDGEMENTS, newly_right, write_for_judging
from rollcall.score.rules import Rules
from rollcall.score.scoring import score_records


@dataclass
class SideBySide:
    """Two rows of figures over the same questions, and the counts that explain them."""

    key: str
    """Its name in JSON."""
    title: str
    n: int
    rows: dict[str, dict[Measure, Figure]]
    counts: dict[str, float | int | str] = field(default_factory=dict)
    differ_in: str = "gold"
    """What the rows differ in."""


def with_extended(before: QuestionSet, after: QuestionSet, run: Run, rules: Rules) -> SideBySide:
    """Figures without and with an extended answer set, over the questions that were searched.

    A set that says which questions were searched, or keeps extended answers apart, has its extended answers
    in `extended`; of any other set, all questions were searched.
    """
    sizes = {question.id: len(question.answers) for question in before}
    both = [question for question in after if question.id in sizes]
    if not both:
        raise RollcallError("the extended answer set shares no question with the gold")
    if any(question.extended or question.searched for question in both):
        both = [_with_own_extended(one) for one in both if one.extended or one.searched]
    ids = {question.id for question in both}
    said = Run(prediction for prediction in run if prediction.id in ids)
    without = score_records(QuestionSet(question for question in before if question.id in ids), said, rules)
    with_more = score_records(QuestionSet(both), said, rules)
    added = [len(question.answers) - sizes[question.id] for question in both]
    return SideBySide(
        "extended",
        "Without and with the extended answer set: "
        f"{len(both):,} of {counted(len(before), 'question')} searched for more answers",
        len(both),
        {"without": without.figures, "with": with_more.figures},
        {
            "answers added per question": sum(added) / len(added),
            "questions with none added": sum(count == 0 for count in added),
        },
    )


def _with_own_extended(question: Question) -> Question:
    """A question with its extended answers among the others."""
    return msgspec.structs.replace(question, answers=[*question.answers, *question.extended])


def with_expansion(
    before: QuestionSet,
    run: Run,
    rules: Rules,
    graph: Path,
    lookup: Lookup,
    homonyms: Homonyms,
    place: Path | None,
) -> SideBySide:
    """Figures with the gold's own names and with those that a graph adds; writes newly right predictions to
    `place`.
    """
    after = expand_names(before, graph, lookup, homonyms, setting=rules.setting)
    single, wider = score_records(before, run, rules), score_records(after, run, rules)
    found = newly_right(before, after, run, single.profile, rules.setting)
    rows: dict[str, float | int | str] = {**after.rows(), "predictions newly right": len(found)}
    if place is not None:
        judged = write_for_judging(found, place)
        rows["written for judging to"] = str(place)
        if judged:
            order = [*JUDGEMENTS, *sorted(set(judged) - set(JUDGEMENTS))]
            rows["judged"] = ", ".join(f"{name} {judged[name]}" for name in order if judged[name])
    title = "With the gold's own names, and with those of the graph"
    return SideBySide("expand", title, single.n, {"single": single.figures, "expanded": wider.figures}, rows)
