"""How long an audit takes and how much memory it needs: 60,000 questions made from a world.

python benchmarks/bench_audit.py --questions 60000

A world, its graph, its corpus and a set are made (once; `--folder` keeps them). The set is then repeated with
other ids, and with other words in its questions, until there are so many; a copy asks the same query, so the
checks for repeated questions have the most to find, which is the worst case for them. The command is run in a
process of its own; its seconds and its peak memory are printed.
"""

import tempfile
from argparse import Namespace
from pathlib import Path

import msgspec

from _harness import Arguments, Figures, made_set, measured_command, rollcall_command, run_benchmark
from rollcall.questions import Question, QuestionSet

CHANGES = ["answers.least=3", "evidence.verifier=none"]


def repeated(questions: list[Question], wanted: int) -> QuestionSet:
    """So many questions: the given ones, then copies with other ids and words."""
    made = []
    for number in range(wanted):
        one, round_ = questions[number % len(questions)], number // len(questions)
        text = f"{one.question[:-1]}, as of {1000 + round_}?" if round_ else one.question
        made.append(msgspec.structs.replace(one, id=f"{one.id}-{round_}", question=text, wordings=[]))
    return QuestionSet(made)


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--questions", type=int, default=60_000, smoke=30)
    parser.add_argument("--entities", type=int, default=3_000, smoke=500)
    parser.add_argument("--folder", type=Path, help="where the world is kept; a temporary folder by default")
    return parser


def main(given: Namespace, figures: Figures) -> None:
    with tempfile.TemporaryDirectory(prefix="rollcall-audit-") as scratch:
        folder = given.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        made_set(folder, given.entities, changes=CHANGES)
        large = repeated(QuestionSet.open(folder / "set").questions, given.questions)
        place = folder / f"set-{given.questions}"
        large.save(place)
        answers = sum(len(one.answers) for one in large)
        evidence = sum(len(answer.evidence) for one in large for answer in one.answers)
        size = (place / "questions.jsonl").stat().st_size
        print(
            f"{len(large):,} questions, {answers:,} answers, {evidence:,} pieces of evidence; {size >> 20} MB"
        )
        del large
        whole = ["--graph", f"{folder}/graph", "--corpus", f"{folder}/corpus"]
        for name, extra in (
            ("alone", []),
            ("with graph and corpus", [*whole, "--no-completeness"]),
            ("and completeness", whole),
        ):
            audit = rollcall_command("audit", place, *extra, "--out", f"{scratch}/audit")
            cost = figures[f"audit {name}"] = measured_command(audit)
            print(f"audit {name}: {cost.seconds:.1f} s, {cost.core_seconds:.1f} s of core time, ", end="")
            print(f"peak memory {cost.peak / 1e9:.2f} GB", flush=True)


if __name__ == "__main__":
    run_benchmark(arguments(), main)
