"""The same predictions under two gold sets, side by side: with and without more answers or names.

Serves QAMPARI's extended answer set (its Table 8) and the added names of "What's in a Name?" (its
Table 2): both ask what a figure becomes when the gold knows more.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rollcall.errors import RollcallError
from rollcall.score.figures import Figure
from rollcall.score.given import Gold, Predictions, given_questions, given_run
from rollcall.score.measure import Measure
from rollcall.score.scoring import score


@dataclass
class SideBySide:
    """Two rows of figures over the same questions, and the counts that explain them."""

    key: str
    """Its name in JSON."""
    title: str
    n: int
    rows: dict[str, dict[Measure, Figure]]
    counts: dict[str, float | int | str] = field(default_factory=dict)


def with_extended(gold: Gold, extended: Gold, predictions: Predictions, **options: Any) -> SideBySide:
    """Figures without and with an extended answer set, over the questions both have."""
    before, after = given_questions(gold), given_questions(extended)
    sizes = {question.id: len(question.answers) for question in before}
    both = [question for question in after if question.id in sizes]
    if not both:
        raise RollcallError("the extended answer set shares no question with the gold")
    ids = {question.id for question in both}
    run = [prediction for prediction in given_run(predictions) if prediction.id in ids]
    without = score([question for question in before if question.id in ids], run, **options)
    with_more = score(both, run, **options)
    added = [len(question.answers) - sizes[question.id] for question in both]
    return SideBySide(
        "extended",
        "Without and with the extended answer set",
        len(both),
        {"without": without.figures, "with": with_more.figures},
        {
            "answers added per question": sum(added) / len(added),
            "questions with none added": sum(count == 0 for count in added),
        },
    )


def with_expansion(
    gold: Gold, predictions: Predictions, graph: Path, judging_file: Path, options: Any, expansion: Any
) -> SideBySide:
    """Figures by the gold's own names and with those a graph adds; writes what became right."""
    from rollcall.score.expansion import expand
    from rollcall.score.newly_right import JUDGEMENTS, newly_right, write_for_judging

    before, run = given_questions(gold), given_run(predictions)
    setting = options.get("setting", "complete")
    after, counts = expand(before, graph, setting=setting, **expansion)
    single, wider = score(before, run, **options), score(after, run, **options)
    found = newly_right(before, after, run, single.profile, setting)
    judged = write_for_judging(found, judging_file)
    rows: dict[str, float | int | str] = dict(counts.rows())
    rows["predictions newly right"] = len(found)
    rows["written for judging to"] = str(judging_file)
    if judged:
        order = [*JUDGEMENTS, *sorted(set(judged) - set(JUDGEMENTS))]
        rows["judged"] = ", ".join(f"{name} {judged[name]}" for name in order if judged[name])
    title = "With the gold's own names, and with those of the graph"
    return SideBySide("expand", title, single.n, {"single": single.figures, "expanded": wider.figures}, rows)
