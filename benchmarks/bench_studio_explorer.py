"""How long the explorer takes to open a large set, to search it, to filter it and to show a question.

python benchmarks/bench_studio_explorer.py [--questions 60000] [--answers 13]

The set is made up: each answer has two aliases and a sentence of evidence. Every figure is the median of ten
rounds, with its interval, but for opening, which is done once.
"""

from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from _harness import Arguments, Figures, Median, in_turns, measured, peak_memory, run_benchmark
from rollcall.query import entity
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Evidence, QueryRecord, Question
from rollcall.questions.run import Prediction, Run
from rollcall.studio.explorer import ExplorerQuery, SetIndex, find, neighbours, question_page

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


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--questions", type=int, default=60_000, smoke=300)
    parser.add_argument("--answers", type=int, default=13)
    parser.add_argument("--rounds", type=int, default=10, smoke=2)
    return parser


def main(options: Namespace, figures: Figures) -> None:
    with TemporaryDirectory() as folder:
        QuestionSet(made_question(number, options.answers) for number in range(options.questions)).save(
            folder
        )
        size = (Path(folder) / "questions.jsonl").stat().st_size
        opening, index = measured(lambda: SetIndex.open(folder))
        figures["open the set, seconds"] = opening.seconds
        print(f"{len(index):,} questions, {size / 1e6:,.0f} MB")
        print(f"open the set           {opening.seconds:8.2f} s")
        middle = f"q{options.questions // 2}"
        runs = [Run([Prediction(middle, ["Film 1"])], name) for name in ("first", "second")]
        actions: dict[str, Callable[[], object]] = {
            "first page": lambda: find(index, ExplorerQuery()),
            "search for two words": lambda: find(index, ExplorerQuery("director 1999")),
            "search for a name": lambda: find(index, ExplorerQuery(f"film {options.questions // 2}-7")),
            "two filters": lambda: find(index, ExplorerQuery("", {"kind": "simple", "relations": "P3"})),
            "next and previous": lambda: neighbours(index, middle, ExplorerQuery("director")),
            "show a question": lambda: question_page(index.question(middle), runs=runs),
        }
        timed = {
            name: lambda action=action: 1000 * measured(action)[0].seconds for name, action in actions.items()
        }
        for name, milliseconds in in_turns(timed, options.rounds).items():
            figures[f"{name}, milliseconds"] = Median.of(milliseconds)
            print(f"{name:<22} {Median.of(milliseconds):.1f} ms")
    print(f"peak memory, with making the set {peak_memory() / 1e6:,.0f} MB")


if __name__ == "__main__":
    run_benchmark(arguments(), main)
