"""A small file of gold questions or predictions in every form that is read: records, and how to write it."""

import json
from collections.abc import Callable
from typing import Any

Form = Callable[[list[Any]], str]


def lines(records: list[Any]) -> str:
    return "".join(json.dumps(one) + "\n" for one in records)


def array(records: list[Any]) -> str:
    return json.dumps(records)


def object_(records: list[Any]) -> str:
    return json.dumps(records[0], indent=1)


def table(records: list[Any]) -> str:
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
        {
            "nid": 0,
            "node_type": "class",
            "id": "c",
            "class": "c",
            "friendly_name": "C",
            "question_node": 1,
            "function": "none",
        },
        {
            "nid": 1,
            "node_type": "entity",
            "id": "e",
            "class": "c",
            "friendly_name": "E",
            "question_node": 0,
            "function": "none",
        },
    ],
    "edges": [{"start": 0, "end": 1, "relation": "r", "friendly_name": "R"}],
}
ROW = {
    "id": "1",
    "question": "Who?",
    "kind": "",
    "split": "",
    "cluster": "",
    "wordings": ["Who?"],
    "relations": [],
    "query_text": "",
    "query_graph": "",
    "query_sparql": "",
    "characteristics": '{"edges":2}',
    "answers": [{"id": "Q1", "label": "Ann", "aliases": [], "evidence": []}],
    "more": "",
    "provenance": "",
}
GOLD: dict[str, tuple[Form, list[Any]]] = {
    "rollcall": (
        lines,
        [
            {
                "id": "1",
                "question": "Who?",
                "cluster": "c",
                "kind": "k",
                "characteristics": {"edges": 2, "relation": ["r"]},
                "answers": [
                    {
                        "label": "Ann",
                        "id": "Q1",
                        "aliases": ["A."],
                        "evidence": [{"text": "Ann.", "passage": "p1"}],
                    }
                ],
                "candidates": [{"label": "Ann", "is_answer": True}],
                "alternatives": [[{"label": "Bo"}]],
            },
            {"id": "2", "cluster": "c", "answers": [{"label": "Bo"}], "provenance": {"format": "qampari"}},
        ],
    ),
    "flat": (lines, [ROW, {**ROW, "id": "2"}]),
    "qampari": (
        lines,
        [
            {
                "qid": "1__wikidata_comp__dev",
                "question_text": "Who?",
                "predictions": ["Ann"],
                "answer_list": [
                    {
                        "answer_text": "Ann",
                        "aliases": ["Ann", None],
                        "answer_url": "u",
                        "proof": [{"proof_text": "x", "pid": "p"}],
                    }
                ],
            },
            {"qid": "2", "answer_list": []},
        ],
    ),
    "romqa": (
        array,
        [
            {
                "id": 1,
                "cluster_id": 9,
                "question": "Who?",
                "constraints": [
                    {
                        "prop": {"uri": "P2", "text": "born in"},
                        "truthy": False,
                        "prop_dir": "subj",
                        "other_ent": "Q9",
                    },
                    {"prop": "P1"},
                ],
                "candidates": [ENTITY, "Q2"],
                "complete_answer": [ENTITY, "Q7"],
            },
            {"id": 2, "cluster_id": 9, "complete_answer": []},
        ],
    ),
    "graphquestions": (
        array,
        [
            {
                "qid": 1000001,
                "question": "who",
                "answer": ["Ann", 3],
                "function": "none",
                "commonness": -3.5,
                "num_node": 2,
                "num_edge": 1,
                "graph_query": GRAPH,
                "sparql_query": "SELECT",
            },
            {"qid": "2", "num_edge": 1, "answer": []},
        ],
    ),
    "results": (
        table,
        [
            ["#qid", "time", "gold", "answers", "n,e", "f", "x", "c"],
            ["1000001", "1.5", ["Ann"], ["Ann", "Bo"], "2,1", "none", "x", "-3.5"],
            ["1000002", "2", ["Ann"], [], "2,1", "count", "x", "7"],
        ],
    ),
    "squad": (
        object_,
        [
            {
                "data": [
                    {
                        "title": "t",
                        "paragraphs": [
                            {
                                "context": "Ann.",
                                "qas": [
                                    {
                                        "id": "1",
                                        "question": "Who?",
                                        "answers": [{"text": "Ann", "answer_start": 0}],
                                    }
                                ],
                            }
                        ],
                    }
                ]
            }
        ],
    ),
    "triviaqa": (
        object_,
        [{"Data": [{"QuestionId": "1", "Question": "Who?", "Answer": {"Value": "Ann", "Aliases": ["A."]}}]}],
    ),
    "nq": (
        lines,
        [
            {"question": "Who?", "answer": ["Ann"]},
            {"id": 2, "question": "Where?", "answers": [["Rome"], ["Roma"]]},
        ],
    ),
    "nq-table": (table, [["who?", "['Ann', \"O'Brien\"]"], ["where?", "['Rome']"]]),
    "ambigqa": (
        array,
        [
            {
                "id": 1,
                "question": "Who?",
                "annotations": [
                    {"type": "multipleQAs", "qaPairs": [{"question": "q", "answer": ["Ann"]}]},
                    {"type": "singleAnswer", "answer": ["Bo"]},
                ],
            }
        ],
    ),
    "alce": (array, [{"id": "1", "question": "Who?", "answers": [["Ann", "A."], ["Bo"]]}]),
}
SAID: dict[str, tuple[Form, list[Any]]] = {
    "run": (
        lines,
        [
            {
                "id": "1",
                "answers": ["Ann", {"id": "Q1", "label": "Ann"}],
                "retrieved": [{"id": "p1", "text": "Ann.", "score": 2}],
                "seconds": 1.5,
            },
            {"id": "2", "failure": "broke down"},
        ],
    ),
    "mapping": (
        object_,
        [{"1": ["Ann"], "2": "Bo", "1000001": {"answers": ["Ann"], "retrieved": [{"id": "p1"}]}}],
    ),
    "lines": (
        lines,
        [
            {"qid": "1__wikidata_comp__dev", "predictions": ["Ann", {"text": "Bo"}]},
            {"id": 2, "output": "A, B. [1]"},
        ],
    ),
    "array": (
        array,
        [{"question": "Who?", "fid_pred": "Ann # Bo", "ctxs": [{"id": 1, "title": "t", "text": "Ann"}]}],
    ),
    "results": GOLD["results"],
    "qampari": GOLD["qampari"],
}
