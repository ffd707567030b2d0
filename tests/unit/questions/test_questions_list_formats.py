"""Files of sets whose answers are lists (QUEST, MoNaCo, FanOutQA, …): read, written again, and refused."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.questions import read_questions, read_run
from rollcall.questions.exporting import export
from rollcall.questions.record import text_items
from rollcall.score import score

AMBIGQA = [
    {
        "id": "-66",
        "question": "When was it founded?",
        "annotations": [
            {
                "type": "multipleQAs",
                "qaPairs": [
                    {"question": "When by the Dutch?", "answer": ["1624"]},
                    {"question": "When by the English?", "answer": ["1664", "in 1664"]},
                ],
            },
            {"type": "singleAnswer", "answer": ["1624", "the year 1624"]},
        ],
        "viewed_doc_titles": ["New York City"],
        "used_queries": [{"query": "new york", "results": [{"title": "t", "snippet": "s"}]}],
        "nq_answer": ["1624"],
        "nq_doc_title": "New York City",
    },
    {"id": "7", "question": "Who?", "annotations": [{"type": "multipleQAs",
     "qaPairs": [{"question": "Who is it?", "answer": ["Ann"]}]}]},
]  # fmt: skip
QUEST = {
    "query": "Finnish television and animated films",
    "docs": ["Quest for a Heart", "Moomins"],
    "original_query": "Finnish <mark>television</mark>",
    "scores": None,
    "metadata": {
        "template": "_ that are also _",
        "domain": "films",
        "fluency": [True, False],
        "attributions": {"Moomins": [{"Finnish": "a Finnish film", "animated": "animated"}]},
    },
}
LOFT = {"qid": "114", "query_text": "Novels?", "metadata": {"qrels": [["q_0", 1]]}, "answers": ["A", "B"]}


def written(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value))
    return path


def test_ambigqa_is_written_as_it_was_read(tmp_path: Path) -> None:
    read = read_questions(written(tmp_path / "dev.json", AMBIGQA))
    assert [question.kind for question in read] == ["single answer", "multiple answers"]
    assert [answer.label for answer in read.questions[0].answers] == ["1624", "1664"]
    ((path, count),) = export(read, "ambigqa", tmp_path / "out")
    assert count == 2
    assert json.loads(path.read_bytes()) == AMBIGQA
    read.save(tmp_path / "set")
    ((again, _),) = export(read_questions(tmp_path / "set"), "ambigqa", tmp_path / "again")
    assert json.loads(again.read_bytes()) == AMBIGQA


def test_any_set_is_written_as_ambigqa(tmp_path: Path) -> None:
    plain = [
        {"id": "1", "question": "Who?", "answers": ["Ann", ["Bo", "B."]]},
        {"id": "2", "question": "Where?", "answers": ["Rome"]},
    ]
    ((path, _),) = export(read_questions(written(tmp_path / "g.json", plain)), "ambigqa", tmp_path / "out")
    first, second = json.loads(path.read_bytes())
    assert first["annotations"] == [
        {"type": "multipleQAs", "qaPairs": [{"question": "Who?", "answer": ["Ann"]},
                                            {"question": "Who?", "answer": ["Bo", "B."]}]}
    ]  # fmt: skip
    assert second["annotations"] == [{"type": "singleAnswer", "answer": ["Rome"]}]


def test_quest_is_read_and_written(tmp_path: Path) -> None:
    read = read_questions(written(tmp_path / "quest.jsonl", QUEST))
    (question,) = read
    assert question.id == question.question == QUEST["query"]
    assert (question.kind, question.characteristics) == ("_ that are also _", {"domain": "films"})
    assert [[piece.text for piece in answer.evidence] for answer in question.answers] == [
        [],
        ["a Finnish film", "animated"],
    ]
    ((path, _),) = export(read, "quest", tmp_path / "out")
    assert json.loads(path.read_bytes()) == QUEST
    (prediction,) = read_run(tmp_path / "quest.jsonl")
    assert prediction.answers == QUEST["docs"]


def test_loft_is_read_and_written(tmp_path: Path) -> None:
    read = read_questions(written(tmp_path / "queries.jsonl", LOFT))
    assert [answer.label for answer in read.questions[0].answers] == ["A", "B"]
    ((path, _),) = export(read, "loft", tmp_path / "out")
    assert json.loads(path.read_bytes()) == LOFT


@pytest.mark.parametrize(
    ("outputs", "wanted"),
    [
        ([["A", 3]], ["A", "3"]),
        ([[]], []),
        (["So.\nFinal Answer: ['bride', 'the devil's sleep', 7]\n"], ["bride", "the devil's sleep", "7"]),
        (["**Final Answer: [`x`"], []),
        (["Final Answer: [x"], []),
        (["Final answer: [1, (]"], []),
        ([""], []),
    ],
)  # fmt: skip
def test_what_a_model_said_to_loft(tmp_path: Path, outputs: list[Any], wanted: list[str]) -> None:
    path = written(tmp_path / "preds.jsonl", {"qid": "1", "num_turns": 1, "model_outputs": outputs})
    assert read_run(path).predictions[0].answers == wanted


def test_monaco_is_read_as_an_object_and_as_lines(tmp_path: Path) -> None:
    record = {
        "ex_num": 3,
        "question": "Who?",
        "decomposition": ["a", "b"],
        "validated_answer": [["Ann", 1990], "Bo", True],
    }
    for name, value in (("object.json", {"Who?": record}), ("lines.jsonl", record)):
        (question,) = read_questions(written(tmp_path / name, value))
        assert question.id == "Who?"
        assert [answer.label for answer in question.answers] == ["Ann - 1990", "Bo", "True"]
        assert question.characteristics == {"steps": 2}


FANOUT = [
    {"id": "a", "question": "How many?", "answer": 42, "necessary_evidence": []},
    {"id": "b", "question": "Which rivers?", "answer": ["Rhône", "Saône", 3], "necessary_evidence": []},
    {"id": "c", "question": "How high?", "answer": {"Eiffel": 330, "Louvre": 21.5}, "necessary_evidence": []},
    {"id": "d", "question": "Is it?", "answer": True, "necessary_evidence": []},
    {
        "id": "e",
        "question": "All?",
        "answer": [{"A": 1, "B": [2.0, "x"]}, ["y", "A"]],
        "necessary_evidence": [],
    },
    {"id": "f", "question": "Who?", "answer": "Ann", "necessary_evidence": [], "categories": ["people"]},
]
FANNED_OUT = {
    "a": ["42"],
    "b": ["Rhône", "Saône", "3"],
    "c": ["Eiffel", "330", "Louvre", "21.5"],
    "d": ["yes"],
    "e": ["A", "1", "B", "2.0", "x", "y"],
    "f": ["Ann"],
}


@pytest.mark.parametrize(
    "said",
    [
        FANNED_OUT,
        {**FANNED_OUT, "a": 42, "b": ["Rhône", "Saône", 3], "d": True, "e": ["A", 1, "B", 2, "x", "y", "A"]},
        {**FANNED_OUT, "c": ["eiffel", 330, "louvre", 21.5], "f": "Ann"},
    ],
)
def test_perfect_predictions_of_fanoutqa_are_perfect(tmp_path: Path, said: dict[str, Any]) -> None:
    (tmp_path / "fanout-dev.json").write_text(json.dumps(FANOUT))
    (tmp_path / "said.json").write_text(json.dumps(said))
    read = read_questions(tmp_path / "fanout-dev.json")
    assert read.manifest["format"] == "fanoutqa"
    assert {one.id: [answer.label for answer in one.answers] for one in read} == FANNED_OUT
    report = score(tmp_path / "fanout-dev.json", tmp_path / "said.json")
    assert {str(name): figure.value for name, figure in report.figures.items()}["F1"] == 1.0
    some = {"c": ["Eiffel"], "e": ["A", "y"], "b": ["Rhône"]}
    recall = (1 / 4 + 2 / 6 + 1 / 3) / 6
    assert score(tmp_path / "fanout-dev.json", some, measures="R")["R"].value == pytest.approx(recall)


def test_objects_are_answers_of_fanoutqa_alone(tmp_path: Path) -> None:
    bare = [{key: one[key] for key in ("id", "question", "answer")} for one in FANOUT]
    for one in (bare[2], bare[4], {"id": "g", "question": "?", "answers": {"A": 1}}):
        (tmp_path / "x.json").write_text(json.dumps([one]))
        with pytest.raises(RollcallError, match=r"x\.json: question '.': an answer is an object .*fanoutqa"):
            read_questions(tmp_path / "x.json")
    (tmp_path / "x.json").write_text(json.dumps(bare))
    assert score(tmp_path / "x.json", FANNED_OUT, file_format="fanoutqa")["acc"].value == 1.0
    with pytest.raises(RollcallError, match="answers are an object, not a string or a list"):
        score(FANOUT, [{"id": "c", "answer": {"Eiffel": 330, "Louvre": 21.5}}])


@pytest.mark.parametrize("key", ["answer", "answers"])
def test_a_number_is_an_answer(key: str) -> None:
    asked = [{"id": "1", "question": "How many?", key: 42}, {"id": "2", "question": "How high?", key: 1.5}]
    assert score(asked, {"1": 42, "2": ["1.5"]})["acc"].value == 1.0


def test_deepsearchqa_is_read_from_csv(tmp_path: Path) -> None:
    path = tmp_path / "DSQA-full.csv"
    rows = ['"A, ""B""?",Arts,"Ann, Bo (x, y)",Set Answer', 'C?,Arts,"Rome, Italy",Single Answer', ""]
    path.write_text("\r\n".join(["\ufeffproblem,problem_category,answer,answer_type", *rows]))
    first, second = read_questions(path)
    assert first.id == 'A, "B"?'
    assert [answer.label for answer in first.answers] == ["Ann", "Bo (x, y)"]
    assert first.provenance["answer"] == "Ann, Bo (x, y)"
    assert [answer.label for answer in second.answers] == ["Rome, Italy"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", []), ("Ann", ["Ann"]), ("Ann, Bo, Ann", ["Ann", "Bo"]), ("Ann; Bo, Cy", ["Ann", "Bo, Cy"]),
        ("1. Ann\n2) Bo\n\n- Cy, too", ["Ann", "Bo", "Cy, too"]), ("1,200, 3,5 or 7", ["1,200", "3,5 or 7"]),
        ("a) b), c", ["a) b)", "c"]), ("(a, b", ["(a, b"]),
    ],
)  # fmt: skip
def test_items_of_a_text(text: str, wanted: list[str]) -> None:
    assert text_items(text) == wanted


@given(st.text(alphabet="ab,;() \n1-", max_size=30))
def test_items_lose_no_word(text: str) -> None:
    items = text_items(text)
    assert all(item == item.strip() and item for item in items)
    assert set("".join(items)) >= set(text) & set("ab")


WIDE = {
    "instance_id": "ws_en_001",
    "query": "Which?",
    "language": "en",
    "evaluation": {"required": ["name"], "unique_columns": ["name"], "eval_pipeline": {}},
}


@pytest.mark.parametrize(
    ("record", "about"),
    [
        (WIDE, "its gold table is missing; it is looked for at"),
        (WIDE | {"instance_id": "../x"}, "not a file name"),
        (WIDE | {"answer": ""}, "its gold table is empty"),
        (WIDE | {"answer": "Year\n1990\n"}, "lacks the column 'name'; it has year"),
        (WIDE | {"answer": "name\nA", "evaluation": "{"}, "ws_en_001"),
        (WIDE | {"answer": "name\nA", "evaluation": {"required": []}}, "unique_columns"),
        ({"qid": "1", "query_text": ["a", "b"], "answers": []}, "several turns"),
        ({"qid": "1", "query_text": "a", "answers": [[1, 2, 3]]}, "neither a string nor a passage"),
        ({"query": "a", "docs": "b"}, "docs"),
        ({"question": "a", "validated_answer": {"x": 1}}, "validated_answer"),
    ],
)
def test_broken_files_are_refused_in_one_line(tmp_path: Path, record: dict[str, Any], about: str) -> None:
    path = tmp_path / "broken.jsonl"
    path.write_text(json.dumps(record) + "\n" + json.dumps(record) + "\n")
    with pytest.raises(RollcallError, match=about) as error:
        read_questions(path)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("content", "about"),
    [
        (b"problem,answer\na,b,c\n", ":2: has 3 cells, and the first line has 2"),
        (b"problem,answer\na,\xff\n", "is not a CSV file"),
        (b"problem,answer\n" + b'"' + b"x" * 200_000 + b'"\n', ":2: field larger than field limit"),
    ],
)
def test_broken_csv_is_refused(tmp_path: Path, content: bytes, about: str) -> None:
    path = tmp_path / "broken.csv"
    path.write_bytes(content)
    with pytest.raises(RollcallError, match=about):
        read_questions(path)


def test_several_turns_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path / "preds.jsonl", {"qid": "1", "num_turns": 2, "model_outputs": [["A"], ["B"]]})
    with pytest.raises(RollcallError, match="holds 2 turns"):
        read_run(path)


def test_results_of_a_judged_run_are_read(tmp_path: Path) -> None:
    whole = {"metadata": {"model": "m"}, "results": [{"question": "Who?", "llm_response": "- Ann\n- Bo"}]}
    (prediction,) = read_run(written(tmp_path / "results.json", whole))
    assert (prediction.id, prediction.answers) == ("Who?", ["- Ann\n- Bo"])
