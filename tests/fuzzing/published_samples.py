"""A small file of gold questions or predictions in every form that is read: records, and how to write it."""

import csv
import io
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


def csv_table(records: list[Any]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([row if isinstance(row, list) else [row] for row in records])
    return out.getvalue()


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
    "quest": (
        lines,
        [
            {
                "query": "Who?",
                "docs": ["Ann", "Bo"],
                "original_query": "<mark>Who</mark>",
                "scores": None,
                "metadata": {
                    "template": "_ that are also _",
                    "domain": "films",
                    "fluency": [True],
                    "attributions": {"Ann": [{"who": "Ann did."}, None]},
                },
            },
            {"query": "2", "docs": ["Bo"], "metadata": {}},
        ],
    ),
    "loft": (
        lines,
        [
            {"qid": "1", "query_text": "Who?", "metadata": {"qrels": [["p", 1]]}, "answers": ["Ann", "Bo"]},
            {"qid": 2, "query_text": "Where?", "answers": [["p7", 1]]},
        ],
    ),
    "monaco": (
        object_,
        [
            {
                "Who?": {
                    "ex_num": 3,
                    "question": "Who?",
                    "decomposition": ["Who? [list]", "return #1"],
                    "validated_answer": [["Ann", 3], ["Bo", None]],
                },
                "1": {"ex_num": 4, "question": "1", "validated_answer": [12]},
            }
        ],
    ),
    "fanoutqa": (
        array,
        [
            {
                "id": "1",
                "question": "Who?",
                "decomposition": [{"id": "2", "question": "Which?", "answer": "Ann"}],
                "answer": {"Ann": 3, "Bo": [4.0, True]},
                "necessary_evidence": [{"pageid": 1, "revid": 2, "title": "Ann", "url": "u"}],
                "categories": ["people"],
            },
            {"id": "3", "question": "How many?", "answer": 12, "necessary_evidence": []},
        ],
    ),
    "deepsearchqa": (
        csv_table,
        [
            ["problem", "problem_category", "answer", "answer_type"],
            ["Who?", "Geography", "Ann, Bo", "Set Answer"],
            ["1", "Arts", "Bo", "Single Answer"],
        ],
    ),
    "widesearch": (
        lines,
        [
            {
                "instance_id": "1",
                "query": "Which?",
                "language": "en",
                "answer": "Name,Founded,Site\nAnn,1990,https://a.example/\nBo,,x\n",
                "evaluation": {
                    "required": ["name", "founded", "site"],
                    "unique_columns": ["name"],
                    "eval_pipeline": {
                        "name": {"preprocess": ["norm_str"], "metric": ["exact_match"]},
                        "founded": {
                            "preprocess": ["extract_number"],
                            "metric": ["number_near"],
                            "criterion": 0.1,
                        },
                        "site": {"metric": ["url_match", "llm_judge"], "criterion": "alike"},
                    },
                },
            }
        ],
    ),
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
    "outputs": (
        lines,
        [
            {"qid": "1", "num_turns": 1, "model_outputs": [["Ann", 3]]},
            {"qid": "2", "num_turns": 1, "model_outputs": ["So, Final Answer: ['Ann', 'O'Brien']"]},
        ],
    ),
    "responses": (
        lines,
        [
            {
                "instance_id": "1",
                "response": "| Name | Founded | Site |\n|---|---|---|\n| Ann | 1990.0 | https://a.example |",
                "messages": None,
                "trial_idx": 0,
                "tokens": {"prompt": 10, "completion": 5},
                "steps": 3,
                "money": 0.01,
            },
            {"instance_id": "1", "response": "```markdown\n|name|\n```", "trial_idx": 1},
            {"question": "Who?", "llm_response": "- Ann\n- Bo"},
        ],
    ),
    "documents": GOLD["quest"],
    "results": GOLD["results"],
    "qampari": GOLD["qampari"],
}
