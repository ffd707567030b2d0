"""How fast scoring is, against the published QAMPARI scorer's algorithm and against ir_measures.

One run measures all three on this machine: Rollcall scores 10,000 questions in a cold process, from
files to figures; the published algorithm is re-stated here and timed on a sample of the same questions;
ir_measures scores as many queries with as many documents, also in a cold process from files.
"""

import json
import random
import string
import sys
import tempfile
from argparse import Namespace
from functools import partial
from pathlib import Path
from typing import Any

import regex

from _harness import (
    Arguments,
    Cost,
    Figures,
    in_turns,
    installed,
    measured,
    measured_command,
    median_cost,
    rollcall_command,
    run_benchmark,
)

ANSWERS, ALIASES, PREDICTIONS = 13, 5, 27
SAMPLE = 25
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

PUBLISHED, OURS = "published algorithm", "rollcall, cold"

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


def published(examples: list[dict[str, Any]]) -> Cost:
    """What the published algorithm would take for all questions, from a sample of them."""
    sample = examples[:SAMPLE]
    cost, scores = measured(lambda: [published_algorithm(one) for one in sample])
    assert all(0 < precision < 1 and recall > 0 for precision, recall in scores)
    times = len(examples) / len(sample)
    return Cost(cost.seconds * times, cost.core_seconds * times)


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--questions", type=int, default=10_000, smoke=50)
    parser.add_argument("--rounds", type=int, default=5, smoke=1)
    return parser


def main(options: Namespace, figures: Figures) -> None:
    random_ = random.Random(5)
    examples = [example(number, random_) for number in range(options.questions)]
    with tempfile.TemporaryDirectory() as name_:
        folder = Path(name_)
        write_files(examples, folder)
        score = rollcall_command(
            "score", folder / "gold.jsonl", folder / "run.jsonl", "--no-intervals", "--json"
        )
        ways = {PUBLISHED: lambda: published(examples), OURS: partial(measured_command, score)}
        if installed("ir_measures"):
            rival = [sys.executable, "-c", IR_MEASURES, folder / "qrels", folder / "trec"]
            ways["ir_measures, cold"] = partial(measured_command, rival)
        for profile in () if options.smoke else ("qampari", "qampari-pig", "romqa", "alce"):
            ways[f"  profile {profile}"] = partial(measured_command, [*score, "--profile", profile])
        costs = {name: median_cost(rounds) for name, rounds in in_turns(ways, options.rounds).items()}
    print(f"{options.questions} questions, {ANSWERS} answers of {ALIASES} aliases, ", end="")
    print(f"{PREDICTIONS} predictions each; the published algorithm re-stated, {SAMPLE} questions timed")
    print(f"{'':20}   clock  processor (seconds, medians of {options.rounds} rounds); times as long as ours")
    for name, cost in costs.items():
        ratios = cost.seconds / costs[OURS].seconds, cost.core_seconds / costs[OURS].core_seconds
        figures[f"{name.strip()}, times as long"] = ratios
        print(f"{name:20}{cost.seconds:8.2f} {cost.core_seconds:8.2f}  {ratios[0]:.3g} ({ratios[1]:.3g})")


if __name__ == "__main__":
    run_benchmark(arguments(), main)
