"""How long the explorer takes to open a large set, to search it, to filter it and to show a question.

python benchmarks/bench_studio_explorer.py [--questions 60000] [--answers 13]

The set is made up: each answer has two aliases and a sentence of evidence. Every figure is the median of ten
runs, but for opening, which is done once.
"""

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from rollcall.query import entity
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Evidence, QueryRecord, Question
from rollcall.questions.run import Prediction, Run
from rollcall.studio.explorer import SetIndex, Wanted, find, neighbours, question_page

KINDS = ("simple", "intersection", "composition")


def made_question(number: int, answers: int) -> Question:
    """A question with answers, names and evidence."""
    sentence = "was directed by somebody whose name is long, and it was shown in many places for a long time."
    return Question(
        f"q{number}",
        f"Which films did Director {number} direct in the year {1900 + number % 120}?",
        kind=KINDS[number % 3],
        query=QueryRecord((entity(f"Q{number}") << f"P{number % 300}").text),
        characteristics={"relations": [f"P{number % 300}"], "answers": answers, "commonness": number % 17},
        split=("train", "train", "dev", "test")[number % 4],
        answers=[
            Answer(
                f"Film {number}-{place}",
                f"Q{number}{place:03}",
                [f"The {number}-{place}", f"{number}/{place}"],
                [
                    Evidence(
                        f"Film {number}-{place} {sentence}", f"p{number}-{place}", f"Film {number}-{place}"
                    )
                ],
            )
            for place in range(answers)
        ],
    )


def timed(action: Callable[[], object], times: int = 10) -> float:
    """The median time of an action in milliseconds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        action()
        found.append(1000 * (time.perf_counter() - start))
    return median(found)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=60_000)
    parser.add_argument("--answers", type=int, default=13)
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        QuestionSet(made_question(number, options.answers) for number in range(options.questions)).save(
            folder
        )
        size = (Path(folder) / "questions.jsonl").stat().st_size
        start = time.perf_counter()
        index = SetIndex.open(folder)
        print(f"{len(index):,} questions, {size / 1e6:,.0f} MB")
        print(f"open the set           {time.perf_counter() - start:8.2f} s")
        middle = f"q{options.questions // 2}"
        runs = [Run([Prediction(middle, ["Film 1"])], name) for name in ("first", "second")]
        actions: dict[str, Callable[[], object]] = {
            "first page": lambda: find(index, Wanted()),
            "search for two words": lambda: find(index, Wanted("director 1999")),
            "search for a name": lambda: find(index, Wanted(f"film {options.questions // 2}-7")),
            "two filters": lambda: find(index, Wanted("", {"kind": "simple", "relations": "P3"})),
            "next and previous": lambda: neighbours(index, middle, Wanted("director")),
            "show a question": lambda: question_page(index.question(middle), runs=runs),
        }
        for name, action in actions.items():
            print(f"{name:<22} {timed(action):8.1f} ms")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory, with making the set {peak:,.0f} MB")


if __name__ == "__main__":
    main()
