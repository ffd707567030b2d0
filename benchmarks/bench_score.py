"""How fast scoring is, against the published QAMPARI scorer's algorithm and against ir_measures.

One run measures all three on this machine: Rollcall scores 10,000 questions in a cold process, from
files to figures; the published algorithm is re-stated here and timed on a sample of the same questions;
ir_measures scores as many queries with as many documents, also in a cold process from files.
"""

import json
import random
import resource
import string
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import regex

QUESTIONS, ANSWERS, ALIASES, PREDICTIONS = 10_000, 13, 5, 27
SAMPLE = 25
ROUNDS = 5
WORDS = [
    "Lighthouse",
    "Harbour",
    "Railway",
    "Garden",
    "Mirror",
    "Winter",
    "Castle",
    "Orchard",
    "Signal",
    "Crown",
]
NAMES = ["Ada", "Bram", "Chloé", "Dmitri", "Elif", "Farid", "Gwen", "Håkon", "Inés", "Kaito", "Léa", "Nadia"]

IR_MEASURES = """
import sys, ir_measures
from ir_measures import P, R, Success, SetP, SetR, SetF
qrels = list(ir_measures.read_trec_qrels(sys.argv[1]))
run = list(ir_measures.read_trec_run(sys.argv[2]))
print(ir_measures.calc_aggregate([SetP, SetR, SetF, P@10, R@10, Success@1], qrels, run))
"""


def name(random_: random.Random) -> str:
    """A made-up name; every fifth has a letter beyond ASCII."""
    one, other, number = random_.choice(WORDS), random_.choice(WORDS), random_.randrange(10**5)
    if random_.random() < 0.5:
        return f"{random_.choice(NAMES)} {one}-{other} {number}"
    return f"The {one} of the {other} {number}"


def example(number: int, random_: random.Random) -> dict[str, Any]:
    answers = [[name(random_) for _ in range(ALIASES)] for _ in range(ANSWERS)]
    right = [random_.choice(aliases) for aliases in random_.sample(answers, 6)]
    said = [text.upper() if random_.random() < 0.2 else text for text in right]
    said += [name(random_) for _ in range(PREDICTIONS - len(said))]
    random_.shuffle(said)
    return {
        "qid": f"{number}__wikidata_simple__test",
        "question_text": f"Question {number}?",
        "answer_list": [{"answer_text": aliases[0], "aliases": aliases} for aliases in answers],
        "predictions": said,
    }


def published_normaliser(text: str) -> str:
    kept = set(string.punctuation)
    bare = "".join(sign for sign in text.lower() if sign not in kept)
    return " ".join(regex.sub(r"\b(a|an|the)\b", " ", bare).split())


def published_algorithm(one: dict[str, Any]) -> tuple[float, float]:
    """Precision and recall as the published scorer finds them: every pair normalised afresh."""
    owner = {alias: answer["answer_text"] for answer in one["answer_list"] for alias in answer["aliases"]}
    predicted = set(one["predictions"])
    found = set()
    for prediction in predicted:
        for alias, answer in owner.items():
            if published_normaliser(alias) == published_normaliser(prediction):
                found.add(answer)
                break
    return len(found) / len(predicted), len(found) / len(one["answer_list"])


def write_files(examples: list[dict[str, Any]], folder: Path) -> None:
    with (folder / "gold.jsonl").open("w") as gold, (folder / "run.jsonl").open("w") as run:
        for one in examples:
            gold.write(json.dumps({key: one[key] for key in ("qid", "question_text", "answer_list")}) + "\n")
            run.write(json.dumps({"id": one["qid"], "answers": one["predictions"]}) + "\n")
    with (folder / "qrels").open("w") as qrels, (folder / "trec").open("w") as trec:
        for number, one in enumerate(examples):
            gold_ids = [f"g{place}" for place in range(len(one["answer_list"]))]
            qrels.writelines(f"q{number} 0 {document} 1\n" for document in gold_ids)
            documents = gold_ids[:6] + [f"w{place}" for place in range(PREDICTIONS - 6)]
            trec.writelines(f"q{number} Q0 {d} {rank} {-rank} r\n" for rank, d in enumerate(documents, 1))


class Time(NamedTuple):
    """How long something took: on the clock, and of the processor (which a busy machine does not change)."""

    clock: float
    processor: float


def cold(command: list[str]) -> Time:
    """The time of a process of its own."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return Time(clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def published_rate(examples: list[dict[str, Any]]) -> Time:
    """The time the published algorithm would take for all questions, from a sample of them."""
    before, start = time.process_time(), time.perf_counter()
    figures = [published_algorithm(one) for one in examples[:SAMPLE]]
    clock, processor = time.perf_counter() - start, time.process_time() - before
    assert all(0 < precision < 1 and recall > 0 for precision, recall in figures)
    return Time(clock / SAMPLE * QUESTIONS, processor / SAMPLE * QUESTIONS)


def best(times: Iterable[Time]) -> Time:
    return Time(*(min(column) for column in zip(*times, strict=True)))


def main() -> None:
    random_ = random.Random(5)
    examples = [example(number, random_) for number in range(QUESTIONS)]
    with tempfile.TemporaryDirectory() as name_:
        folder = Path(name_)
        write_files(examples, folder)
        gold, run = str(folder / "gold.jsonl"), str(folder / "run.jsonl")
        rollcall = [
            sys.executable,
            "-m",
            "rollcall.cli.main",
            "score",
            gold,
            run,
            "--no-intervals",
            "--json",
        ]
        rival = [sys.executable, "-c", IR_MEASURES, str(folder / "qrels"), str(folder / "trec")]
        rounds = [  # in turns, so that a busy moment of the machine meets all of them
            (published_rate(examples), cold(rollcall), cold(rival)) for _ in range(ROUNDS)
        ]
        published, ours, theirs = (best(times) for times in zip(*rounds, strict=True))
        print(
            f"{QUESTIONS} questions, {ANSWERS} answers of {ALIASES} aliases, {PREDICTIONS} predictions each"
        )
        print(f"{'':20}   clock  processor (seconds, best of {ROUNDS})")
        show("published algorithm", published, f"re-stated, {SAMPLE} questions timed")
        show("rollcall, cold", ours, f"{ratio(published, ours)} the published rate")
        show("ir_measures, cold", theirs, f"{ratio(theirs, ours)} the time of rollcall")
        for profile in ("qampari", "qampari-pig", "romqa", "alce"):
            one = best(cold([*rollcall, "--profile", profile]) for _ in range(2))
            show(f"  profile {profile}", one, f"{ratio(published, one)} the published rate")


def show(name_: str, time_: Time, remark: str) -> None:
    print(f"{name_:20}{time_.clock:8.2f} {time_.processor:8.2f}  {remark}")


def ratio(slow: Time, fast: Time) -> str:
    return f"{slow.clock / fast.clock:.3g} ({slow.processor / fast.processor:.3g}) times"


if __name__ == "__main__":
    main()
