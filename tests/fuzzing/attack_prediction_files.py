"""Files of gold questions and predictions in every published form, mutated: a score, or a refusal in one line.

A file is mutated as a tree (another value here, a key lost or renamed there) or as bytes (cut, flipped, doubled).
"""

import json
import random
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from fuzzing.target import Target
from rollcall.errors import RollcallError
from rollcall.questions import read_questions, read_run
from rollcall.score import PROFILES
from rollcall.score.robustness import robustness
from rollcall.score.rules import Rules
from rollcall.score.scoring import score_records

Form = Callable[[list[Any]], str]


def _lines(records: list[Any]) -> str:
    return "".join(json.dumps(one) + "\n" for one in records)


def _array(records: list[Any]) -> str:
    return json.dumps(records)


def _object(records: list[Any]) -> str:
    return json.dumps(records[0], indent=1)


def _table(records: list[Any]) -> str:
    return "".join(
        "\t".join(cell if isinstance(cell, str) else json.dumps(cell) for cell in row) + "\n"
        for row in records
    )


ENTITY = {
    "uri": "Q1",
    "text": "Ann",
    "aliases": ["A."],
    "is_answer": True,
    "evidence": [{"text": "s", "doc_id": 3}],
}
GRAPH = {
    "nodes": [
        {"nid": 0, "node_type": "class", "id": "c", "class": "c", "friendly_name": "C", "question_node": 1, "function": "none"},
        {"nid": 1, "node_type": "entity", "id": "e", "class": "c", "friendly_name": "E", "question_node": 0, "function": "none"},
    ],
    "edges": [{"start": 0, "end": 1, "relation": "r", "friendly_name": "R"}],
}  # fmt: skip
ROW = {
    "id": "1", "question": "Who?", "kind": "", "split": "", "cluster": "", "wordings": ["Who?"], "relations": [],
    "query_text": "", "query_graph": "", "query_sparql": "", "characteristics": '{"edges":2}',
    "answers": [{"id": "Q1", "label": "Ann", "aliases": [], "evidence": []}], "more": "", "provenance": "",
}  # fmt: skip
GOLD: dict[str, tuple[Form, list[Any]]] = {
    "rollcall": (_lines, [
        {"id": "1", "question": "Who?", "cluster": "c", "kind": "k", "characteristics": {"edges": 2, "relation": ["r"]},
         "answers": [{"label": "Ann", "id": "Q1", "aliases": ["A."], "evidence": [{"text": "Ann.", "passage": "p1"}]}],
         "candidates": [{"label": "Ann", "is_answer": True}], "alternatives": [[{"label": "Bo"}]]},
        {"id": "2", "cluster": "c", "answers": [{"label": "Bo"}], "provenance": {"format": "qampari"}},
    ]),
    "flat": (_lines, [ROW, {**ROW, "id": "2"}]),
    "qampari": (_lines, [
        {"qid": "1__wikidata_comp__dev", "question_text": "Who?", "predictions": ["Ann"], "answer_list": [
            {"answer_text": "Ann", "aliases": ["Ann", None], "answer_url": "u", "proof": [{"proof_text": "x", "pid": "p"}]}]},
        {"qid": "2", "answer_list": []},
    ]),
    "romqa": (_array, [
        {"id": 1, "cluster_id": 9, "question": "Who?", "constraints": [
            {"prop": {"uri": "P2", "text": "born in"}, "truthy": False, "prop_dir": "subj", "other_ent": "Q9"}, {"prop": "P1"}],
         "candidates": [ENTITY, "Q2"], "complete_answer": [ENTITY, "Q7"]},
        {"id": 2, "cluster_id": 9, "complete_answer": []},
    ]),
    "graphquestions": (_array, [
        {"qid": 1000001, "question": "who", "answer": ["Ann", 3], "function": "none", "commonness": -3.5, "num_node": 2,
         "num_edge": 1, "graph_query": GRAPH, "sparql_query": "SELECT"},
        {"qid": "2", "num_edge": 1, "answer": []},
    ]),
    "results": (_table, [
        ["#qid", "time", "gold", "answers", "n,e", "f", "x", "c"],
        ["1000001", "1.5", ["Ann"], ["Ann", "Bo"], "2,1", "none", "x", "-3.5"],
        ["1000002", "2", ["Ann"], [], "2,1", "count", "x", "7"],
    ]),
    "squad": (_object, [{"data": [{"title": "t", "paragraphs": [
        {"context": "Ann.", "qas": [{"id": "1", "question": "Who?", "answers": [{"text": "Ann", "answer_start": 0}]}]}]}]}]),
    "triviaqa": (_object, [{"Data": [{"QuestionId": "1", "Question": "Who?", "Answer": {"Value": "Ann", "Aliases": ["A."]}}]}]),
    "nq": (_lines, [{"question": "Who?", "answer": ["Ann"]}, {"id": 2, "question": "Where?", "answers": [["Rome"], ["Roma"]]}]),
    "nq-table": (_table, [["who?", "['Ann', \"O'Brien\"]"], ["where?", "['Rome']"]]),
    "ambigqa": (_array, [{"id": 1, "question": "Who?", "annotations": [
        {"type": "multipleQAs", "qaPairs": [{"question": "q", "answer": ["Ann"]}]}, {"type": "singleAnswer", "answer": ["Bo"]}]}]),
    "alce": (_array, [{"id": "1", "question": "Who?", "answers": [["Ann", "A."], ["Bo"]]}]),
}  # fmt: skip
SAID: dict[str, tuple[Form, list[Any]]] = {
    "run": (_lines, [
        {"id": "1", "answers": ["Ann", {"id": "Q1", "label": "Ann"}], "retrieved": [{"id": "p1", "text": "Ann.", "score": 2}],
         "seconds": 1.5},
        {"id": "2", "failure": "broke down"},
    ]),
    "mapping": (_object, [{"1": ["Ann"], "2": "Bo", "1000001": {"answers": ["Ann"], "retrieved": [{"id": "p1"}]}}]),
    "lines": (_lines, [{"qid": "1__wikidata_comp__dev", "predictions": ["Ann", {"text": "Bo"}]}, {"id": 2, "output": "A, B. [1]"}]),
    "array": (_array, [{"question": "Who?", "fid_pred": "Ann # Bo", "ctxs": [{"id": 1, "title": "t", "text": "Ann"}]}]),
    "results": GOLD["results"],
    "qampari": GOLD["qampari"],
}  # fmt: skip
VALUES = [
    None, True, False, 0, -1, 1, 3, 1e308, 10**400, 0.5, "", "Ann", "1", "Q1", "\ud800", "\x00", "x" * 2000, [], {}, [None],
    [[]], {"id": "1"}, {"text": ["Ann"]}, {"label": "Ann"}, ["Ann", ["Ann"]], [1, "Ann", {}], "\n", "٣", "1e5", [0] * 50,
]  # fmt: skip


def draw(chance: random.Random) -> Any:
    gold, said = chance.choice(sorted(GOLD)), chance.choice(sorted(SAID))
    return {
        "gold": _mutated(chance, *GOLD[gold]),
        "said": _mutated(chance, *SAID[said], most=chance.choice([0, 0, 3])),
        "profile": chance.choice(sorted(PROFILES)),
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
        rules = Rules(
            profile=case["profile"],
            by="all",
            setting="closed" if case["closed"] else "complete",
            missing="count",
        )
        report = score_records(questions, run, rules)
        json.dumps(report.as_json(), allow_nan=False)
        if any(len(cluster) > 1 for cluster in report.clusters) and "F1" in map(str, report.measures):
            robustness(report)
    except RollcallError as error:
        assert "\n" not in str(error), repr(str(error))
        assert 0 < len(str(error)) < 5000, repr(str(error))
        return
    for figure in report.figures.values():
        assert figure.value is None or figure.value >= 0


TARGETS = [Target("prediction-files", draw, check, share=300)]
