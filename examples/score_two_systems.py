"""Score two made-up systems on three questions, compare them, and write a page to look into.

Run it with `python examples/score_two_systems.py`; it writes `scores.html` into a temporary folder.
"""

import tempfile
from pathlib import Path

from rollcall.questions import Answer, EntityAnswer, Prediction, Question, Run
from rollcall.score import compare, score

QUESTIONS = [
    Question(
        "films",
        "Which films did Ada Lindqvist both write and direct?",
        kind="intersection",
        answers=[Answer("The Last Orchard", "Q1"), Answer("Harbour", "Q2", ["The Harbour (film)"])],
    ),
    Question(
        "rivers",
        "Which rivers flow through Søndervik?",
        kind="simple",
        answers=[Answer("Åker", "Q3", ["Aker River"]), Answer("Nordelva", "Q4"), Answer("Lille Å", "Q5")],
    ),
    Question(
        "bands",
        "Which bands recorded in Tower Studio?",
        kind="simple",
        answers=[Answer("!!!", "Q6"), Answer("The The", "Q7")],
    ),
]

CAREFUL = Run(
    [
        Prediction("films", ["last orchard", "Harbour"]),
        Prediction("rivers", ["Aker", EntityAnswer("Q4")]),
        Prediction("bands", ["!!!", "The The"]),
    ],
    "careful",
)
HASTY = Run(
    [
        Prediction("films", ["Harbour", "harbour", "The Harbour (film)", "Winter"]),
        Prediction("rivers", failure="the model ran out of memory"),
        Prediction("bands", ["???"]),
    ],
    "hasty",
)


def main() -> None:
    for run in (CAREFUL, HASTY):
        report = score(QUESTIONS, run, by=["kind"])
        print(run.name, {str(measure): figure.value for measure, figure in report.figures.items()})
        for line in report.unmatched.lines():
            print(" ", line)
    found = compare(QUESTIONS, [CAREFUL, HASTY], measures="F1")
    print("difference in F1:", found.differences[0].value, "p =", found.differences[0].p_values)
    page = Path(tempfile.mkdtemp()) / "scores.html"
    page.write_text(score(QUESTIONS, HASTY, by=["kind"]).to_html(), encoding="utf-8")
    print("wrote", page)


if __name__ == "__main__":
    main()
