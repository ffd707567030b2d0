"""Score plain Python values, a data frame or a file, as one does in a notebook.

Run it with `python examples/score_from_a_notebook.py`. Gold and predictions may as well be paths, a Hugging
Face `Dataset`, or an Arrow table; nothing needs to be converted first.
"""

import rollcall

GOLD = [
    {"id": "1", "question": "Which rivers flow through Lyon?", "answers": ["Rhône", "Saône"], "split": "dev"},
    {"id": "2", "question": "Who wrote “Good Omens”?", "answers": ["Neil Gaiman", "Terry Pratchett"],
     "split": "test"},
    {"id": "3", "question": "Which are the Benelux countries?", "split": "test",
     "answers": ["Belgium", ["Netherlands", "Holland"], "Luxembourg"]},
]  # fmt: skip
FIRST = {"1": ["Rhone"], "2": ["Neil Gaiman", "Terry Pratchett"], "3": ["Belgium", "Holland"]}
SECOND = {"1": ["Rhône", "Saône"], "2": ["Neil Gaiman"], "3": ["Belgium", "France"]}


def main() -> None:
    report = rollcall.score(GOLD, FIRST, by="split")
    print(report.reading)
    print({str(measure): figure.value for measure, figure in report.figures.items()})
    print("test alone:", rollcall.score(GOLD, FIRST, split="test")["F1"].value)

    compared = rollcall.compare(GOLD, [FIRST, SECOND], names=["first", "second"], measures="F1")
    print("difference in F1:", compared.differences[0].value)

    one_answer = [{"id": "4", "question": "What is the capital of Bolivia?", "answers": ["Sucre", "La Paz"]}]
    for answers in ("set", "names"):
        found = rollcall.score(one_answer, {"4": ["Sucre"]}, measures="R", answers=answers)
        print(found.reading, "- recall", found["R"].value)


if __name__ == "__main__":
    main()
