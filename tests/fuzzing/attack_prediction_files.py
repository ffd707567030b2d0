"""Files of gold questions and predictions in every published form, mutated: a score, or a refusal in a line.

A file is mutated as a tree (another value here, a key lost or renamed there) or as bytes (cut, flipped,
doubled).
"""

import json
import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from fuzzing.published_samples import GOLD, SAID, Form
from fuzzing.target import Target, in_one_line
from rollcall import RollcallError
from rollcall.questions import read_questions, read_run
from rollcall.score import PROFILES
from rollcall.score.breakdown import cluster_robustness
from rollcall.score.options import ScoringOptions
from rollcall.score.scoring import score_records

VALUES = [
    None, True, False, 0, -1, 1, 3, 1e308, 10**400, 0.5, "", "Ann", "1", "Q1", "\ud800", "\x00",
    "x" * 2000, [], {}, [None], [[]], {"id": "1"}, {"text": ["Ann"]}, {"label": "Ann"},
    ["Ann", ["Ann"]], [1, "Ann", {}], "\n", "٣", "1e5", [0] * 50,
]  # fmt: skip


def draw(chance: random.Random) -> Any:
    gold, said = chance.choice(sorted(GOLD)), chance.choice(sorted(SAID))
    return {
        "gold": _mutated(chance, *GOLD[gold]),
        "said": _mutated(chance, *SAID[said], most=chance.choice([0, 0, 3])),
        "profile": chance.choice(PROFILES.names),
        "closed": chance.random() < 0.2,
    }


def _mutated(chance: random.Random, form: Form, records: list[Any], most: int = 3) -> str:
    """A file's bytes, one character each."""
    tree: Any = json.loads(json.dumps(records))
    for _ in range(chance.randint(0, most)):
        tree = _mutated_tree(chance, tree)
    try:
        text = form(tree)
    except (TypeError, IndexError, KeyError):  # no longer a table, or no record is left
        text = json.dumps(tree)
    data = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(chance.choice([0, 0, 0, 0, 1, 2]) if most else 0):
        place = chance.randrange(len(data) + 1)
        kind = chance.randrange(4)
        if kind == 0:
            del data[place:]
        elif kind == 1:
            data[place : place + 1] = bytes([chance.randrange(256)])
        elif kind == 2:
            data[place:place] = data[: chance.randint(0, 60)]
        else:
            del data[place : place + chance.randint(1, 5)]
    return data.decode("latin-1")


def _mutated_tree(chance: random.Random, tree: Any) -> Any:
    """The tree with one node changed, drawn on the way down."""
    if chance.random() < 0.25 or not isinstance(tree, dict | list) or not tree:
        return chance.choice(VALUES)
    if isinstance(tree, list):
        place = chance.randrange(len(tree))
        kind = chance.randrange(8)
        if kind == 0:
            return tree[:place] + tree[place + 1 :]
        if kind == 1:
            return [*tree, tree[place]]
        return [*tree[:place], _mutated_tree(chance, tree[place]), *tree[place + 1 :]]
    key = chance.choice(sorted(tree))
    kind = chance.randrange(8)
    if kind == 0:
        return {name: value for name, value in tree.items() if name != key}
    if kind == 1:
        return {
            chance.choice(["id", "answers", "question", "x", name]): value for name, value in tree.items()
        }
    return {**tree, key: _mutated_tree(chance, tree[key])}


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


def check(case: Any) -> None:
    folder = Path(_folder().name)
    gold, said = folder / "gold", folder / "said"
    gold.write_bytes(case["gold"].encode("latin-1"))
    said.write_bytes(case["said"].encode("latin-1"))
    try:
        questions, run = read_questions(gold), read_run(said)
        options = ScoringOptions(
            profile=case["profile"],
            by="all",
            setting="closed" if case["closed"] else "complete",
            missing="count",
        )
        report = score_records(questions, run, options)
        json.dumps(report.as_json(), allow_nan=False)
        if any(len(cluster) > 1 for cluster in report.clusters) and "F1" in map(str, report.measures):
            cluster_robustness(report)
    except RollcallError as error:
        in_one_line(error)
        return
    for figure in report.figures.values():
        assert figure.value is None or figure.value >= 0


TARGETS = [Target("prediction-files", draw, check, share=300)]
