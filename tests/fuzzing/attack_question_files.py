"""Files of questions and predictions in every format, broken: refused, or read and written again."""

import json
import random
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from fuzzing.mutation import ODD_TEXTS, content_of, mutated_bytes, mutated_piece, pieces
from fuzzing.published_samples import GOLD
from fuzzing.target import Target
from rollcall import RollcallError
from rollcall.questions import QuestionSet, read_questions, read_run
from rollcall.questions.exporting import export
from rollcall.questions.formats import tables
from rollcall.questions.formats.source import load
from rollcall.questions.opening import holds_predictions
from rollcall.questions.question_set import mapped_files
from rollcall.questions.release import card, save_set
from rollcall.questions.statistics import Statistics

ROLLCALL = {
    "id": "q1", "question": "Who?", "wordings": ["By whom?"], "kind": "simple", "cluster": "c",
    "split": "test",
    "query": {"text": "?x r Q5", "graph": {"nodes": [], "edges": []}, "sparql": "s"},
    "characteristics": {"n": 1, "relations": ["r"]},
    "answers": [{"label": "Ann", "id": "Q1", "aliases": ["A."], "evidence": [{"text": "Ann did.",
    "title": "T", "score": 1}]}],
    "alternatives": [[{"label": "B"}]], "candidates": [{"label": "C", "is_answer": True}],
    "provenance": {"x": [1]},
}  # fmt: skip
QAMPARI = {
    "qid": "7__wikidata_comp__dev", "question_text": "Who?", "entities": [{"a": 1}],
    "answer_list": [{"answer_text": "Ann", "aliases": ["Ann", None], "answer_url": "u",
                     "proof": [{"proof_text": "Ann did.", "pid": "p", "found_in_url": "u"}]}],
}  # fmt: skip
ROMQA = {
    "id": 5, "question": "Who?", "cluster_id": 3,
    "constraints": [{"prop": {"uri": "P1", "text": "r"}, "truthy": True, "prop_dir": "subj",
    "other_ent": {"uri": "Q5", "text": "f"}}],
    "candidates": [{"uri": "Q1", "text": "Ann", "is_answer": True, "evidence": ["x", {"text": "y",
    "doc_id": 3, "start": 1, "end": 2}]}],
    "complete_answer": [{"uri": "Q1", "text": "Ann", "aliases": ["A."]}, "Q2"],
}  # fmt: skip
GRAPH = {
    "qid": 7000001, "question": "who?", "answer": ["Ann", 5, 1.5], "function": "none", "commonness": -3.5,
    "num_node": 2, "num_edge": 1,
    "graph_query": {
        "nodes": [{"nid": 0, "node_type": "class", "id": "c", "class": "c", "friendly_name": "c",
        "question_node": 1, "function": "none"},
                  {"nid": 1, "node_type": "entity", "id": "e", "class": "d", "friendly_name": "E",
                  "question_node": 0, "function": "none"}],
        "edges": [{"start": 0, "end": 1, "relation": "r", "friendly_name": "r"}]},
    "sparql_query": "s",
}  # fmt: skip
SQUAD = {
    "title": "T",
    "paragraphs": [
        {
            "context": "c",
            "qas": [{"id": "1", "question": "Who?", "answers": [{"text": "Ann", "answer_start": 0}]}],
        }
    ],
}
TRIVIA = {"QuestionId": "t1", "Question": "Who?", "Answer": {"Value": "Ann", "Aliases": ["A."]}}
NQ = {"question": "who?", "answer": ["Ann", "A."]}
AMBIG = {"id": "a", "question": "Who?", "annotations": [{"type": "multipleQAs",
"qaPairs": [{"question": "q", "answer": ["Ann"]}]},
                                                        {"type": "singleAnswer",
                                                        "answer": ["B"]}]}  # fmt: skip
RUN = {
    "id": "q1",
    "answers": ["Ann", {"id": "Q1", "label": "Ann"}],
    "retrieved": [{"id": "p", "text": "t", "score": 1}],
    "seconds": 1,
}
MORE = {name: GOLD[name][1][0] for name in ("quest", "loft", "fanoutqa", "widesearch")}
MORE |= {"monaco": {"ex_num": 3, "question": "Who?", "validated_answer": [["Ann", 3], "Bo"]}}
MORE |= {"deepsearchqa": {"problem": "Who?", "answer": "Ann; Bo", "answer_type": "Set Answer"}}
RESULT = b'7000001\t0.5\t["Ann"]\t["Ann", 5]\t2,1\tnone\tx\t-3.5\n'
TABLE = b"who?\t['Ann', \"A.\"]\n"
RECORDS = {"rollcall": ROLLCALL, "qampari": QAMPARI, "romqa": ROMQA, "graphquestions": GRAPH,
"squad": SQUAD, "trivia": TRIVIA,
           "nq": NQ, "ambigqa": AMBIG, "run": RUN, **MORE, "said": QAMPARI | {"predictions": ["Ann"]},
           "flat": msgspec.to_builtins(
               tables.flatten(msgspec.convert(ROLLCALL, tables.Question)))}  # fmt: skip


def draw(chance: random.Random) -> Any:
    name = chance.choice([*RECORDS, "mapping", "result", "table", "csv"])
    if name == "csv":
        form, records = GOLD["deepsearchqa"]
        return pieces(mutated_bytes(chance, form(records).encode()))
    if name in ("result", "table"):
        line = RESULT if name == "result" else TABLE
        return pieces(line + mutated_bytes(chance, line) + b"\n" + line)
    if name == "mapping":
        mapped = {"q1": ["Ann"], "q2": "B", "q3": {"answers": ["C"]}, "q4": None}
        return pieces(mutated_piece(chance, mapped))
    record = RECORDS[name]
    good, broken = json.dumps(record).encode(), mutated_piece(chance, record)
    shape = chance.randrange(4)
    order = [good, broken] if chance.random() < 0.7 else [broken, good]
    if shape == 0:
        return pieces(b"[" + b", ".join(order) + b"]")
    if shape == 1:
        return pieces(b'{"version": 1, "data": [' + b", ".join(order) + b"]}")
    if shape == 2:
        return pieces(broken)
    return pieces(b"\n".join([*order, b""]))


def check(case: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x"
        path.write_bytes(content_of(case))
        with suppress(RollcallError):
            read_run(path)
        with suppress(RollcallError):
            holds_predictions(load(path))
        try:
            found = read_questions(path)
        except RollcallError:
            return
        _write_again(found, Path(folder))


def _write_again(found: QuestionSet, folder: Path) -> None:
    """What was read can be written in every form that can hold it, and is the same when it is read again."""
    card({"recipe": {"name": "x"}, "language": "en"}, Statistics(found), found.questions)
    if len({question.id for question in found}) == len(found):
        found.save(folder / "set")
        assert QuestionSet.open(folder / "set").questions == found.questions
    for form in ("qampari", "graphquestions", "romqa", "jsonl", "quest", "loft", "ambigqa"):
        out = folder / form
        try:
            files = export(found, form, out)
        except RollcallError:
            continue
        assert all(file.parent == out and file.is_file() for file, _ in files)
        assert len(set(files)) + 1 == len(list(out.iterdir())), "a file for each split, and a card"
        if form == "jsonl":
            again = [question for file, _ in files for question in read_questions(file)]
            assert sorted(question.id for question in again) == sorted(question.id for question in found)


def draw_split(chance: random.Random) -> Any:
    names = [
        *ODD_TEXTS,
        "..",
        ".",
        "/etc/x",
        "a/b",
        "CON",
        "nul.txt",
        "A",
        "a",
        "x" * 300,
        "é",
        "e\u0301",
        "train",
        "C:\\x",
        "-",
        "~",
    ]
    return [name for name in chance.sample(names, chance.randint(1, 5)) if "\ud800" not in name]


def check_split(case: Any) -> None:
    found = QuestionSet([tables.Question(id=str(place), split=name) for place, name in enumerate(case)])
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "in" / "out"
        files = export(found, "jsonl", out)
        assert sum(count for _, count in files) == len(case)
        written = [path for path in Path(folder).rglob("*") if path.is_file()]
        card = out / "README.md"
        assert sorted(written) == sorted([card, *(file for file, _ in files)]), "every file is in the folder"
        mapped = mapped_files(card.read_text(encoding="utf-8"))
        assert sorted(mapped.values()) == sorted(file.name for file, _ in files), "the card names each"
        assert len({file.name.casefold() for file, _ in files}) == len({name or "all" for name in case})
        save_set(Path(folder) / "set", found, {})
        mapped = mapped_files((Path(folder) / "set" / "README.md").read_text(encoding="utf-8"))
        written = [file.name for file in (Path(folder) / "set").glob("*.parquet")]
        assert sorted(mapped.values()) == sorted(written), "a released set has a file for each split"


TARGETS = [
    Target("question-files", draw, check, share=30),
    Target("split-names", draw_split, check_split, share=10),
]
