"""How long an audit takes and how much memory it needs: 60,000 questions made from a world.

python benchmarks/bench_audit.py --questions 60000

A world, its graph, its corpus and a set are made (once; `--folder` keeps them). The set is then repeated with
other ids, and with other words in its questions, until there are so many; a copy asks the same query, so the
checks for repeated questions have the most to find, which is the worst case for them. The command is run in a
process of its own; its seconds and its peak memory are printed.
"""

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from rollcall.build import build
from rollcall.corpus import make_corpus
from rollcall.graph.make import make_graph
from rollcall.questions import Question, QuestionSet
from rollcall.world import write_world

CHANGES = ["answers.least=3", "evidence.verifier=none"]


def world(folder: Path, entities: int) -> None:
    """Make what is not there yet."""
    if not (folder / "corpus").exists():
        write_world(folder / "world", entities=entities, seed=1, jobs=1)
        make_graph([folder / "world" / "wikidata.json.gz"], folder / "graph", jobs=1)
        make_corpus([folder / "world" / "pages.xml.bz2"], folder / "corpus", graph=folder / "graph", jobs=1)
    if not (folder / "set").exists():
        build(
            "qampari", graph=folder / "graph", corpus=folder / "corpus", out=folder / "set", changes=CHANGES
        )


def repeated(questions: list[Question], wanted: int) -> QuestionSet:
    """So many questions: the given ones, then copies with other ids and words."""
    made = []
    for number in range(wanted):
        one, round_ = questions[number % len(questions)], number // len(questions)
        text = f"{one.question[:-1]}, as of {1000 + round_}?" if round_ else one.question
        made.append(msgspec.structs.replace(one, id=f"{one.id}-{round_}", question=text, wordings=[]))
    return QuestionSet(made)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--questions", type=int, default=60_000)
    parser.add_argument("--entities", type=int, default=3_000)
    parser.add_argument("--folder", type=Path, help="where the world is kept; a temporary folder by default")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rollcall-audit-") as scratch:
        folder = given.folder or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        world(folder, given.entities)
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
            command = [sys.executable, "-m", "rollcall.cli.main", "audit", str(place), *extra]
            began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([*command, "--out", f"{scratch}/audit"], check=True, capture_output=True)
            seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
            core = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            peak = after.ru_maxrss / 1e6  # of all processes so far; the last one needs the most
            print(f"audit {name}: {seconds:.1f} s, {core:.1f} s of core time, peak memory {peak:.2f} GB")


if __name__ == "__main__":
    main()
