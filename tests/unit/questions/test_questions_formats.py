"""Published files are recognised by what they hold, and read into the same record."""

import bz2
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from rollcall import RollcallError
from rollcall.questions import (
    Answer,
    Candidate,
    EntityAnswer,
    Evidence,
    Passage,
    Prediction,
    QueryRecord,
    Question,
    QuestionSet,
    Run,
    read_questions,
    read_run,
)
from rollcall.questions.exporting import export
from rollcall.questions.opening import described, import_set
from rollcall.questions.statistics import Statistics, template_statistics


def put(path: Path, value: Any, lines: bool = False) -> Path:
    text = "\n".join(json.dumps(one) for one in value) + "\n" if lines else json.dumps(value, indent=1)
    path.write_text(text)
    return path


def names(path: Path) -> list[tuple[str, list[list[str]]]]:
    return [(q.id, [[a.label, *a.aliases] for a in q.answers]) for q in read_questions(path)]


QAMPARI = {
    "qid": "7__wikidata_comp__dev",
    "question_text": "Who?",
    "answer_list": [
        {
            "answer_text": "Ann",
            "aliases": ["Ann", "A."],
            "answer_url": "https://en.wikipedia.org/wiki/Ann",
            "proof": [{"proof_text": "Ann did.", "pid": "7__0__0", "found_in_url": "u"}],
        }
    ],
}


def test_qampari(tmp_path: Path) -> None:
    question = read_questions(put(tmp_path / "x", [QAMPARI], lines=True)).questions[0]
    assert (question.kind, question.split) == ("composition", "dev")
    assert question.answers[0].id == "https://en.wikipedia.org/wiki/Ann"
    assert question.answers[0].evidence == [Evidence("Ann did.", "7__0__0", url="u")]


def test_romqa(tmp_path: Path) -> None:
    example = {
        "id": 5,
        "cluster_id": 9,
        "question": "Who?",
        "constraints": [
            {"prop": "P1", "truthy": True},
            {"prop": {"uri": "P2", "text": "born in"}, "truthy": False},
        ],
        "candidates": [
            {"uri": "Q1", "text": "Ann", "is_answer": True, "evidence": [{"text": "s", "doc_id": 3}]},
            {"uri": "Q2", "text": "Bo"},
        ],
        "complete_answer": [{"uri": "Q1", "text": "Ann", "aliases": ["A."]}, "Q7"],
    }
    path = tmp_path / "dev.json.bz2"
    path.write_bytes(bz2.compress(json.dumps([example]).encode()))
    question = read_questions(path).questions[0]
    assert (question.id, question.cluster) == ("5", "9")
    assert question.characteristics == {
        "constraints": 2, "negated": 1, "answers": 2, "relations": ["P1", "P2"]
    }  # fmt: skip
    assert [(one.label, one.id) for one in question.answers] == [("Ann", "Q1"), ("Q7", "Q7")]
    assert question.answers[0].evidence == [Evidence("s", "3")], "which the file has with the candidate"
    assert question.candidates[0] == Candidate("Ann", "Q1", evidence=[Evidence("s", "3")], is_answer=True)


def test_graphquestions(tmp_path: Path) -> None:
    example = {
        "qid": 260000100,
        "question": "how many?",
        "answer": ["3", 4],
        "function": "count",
        "commonness": -12.5,
        "num_node": 2,
        "num_edge": 1,
        "graph_query": {"nodes": [], "edges": [{"start": 0, "end": 1, "relation": "people.person.children"}]},
        "sparql_query": "SELECT",
    }
    question = read_questions(put(tmp_path / "x.json", [example])).questions[0]
    assert (question.id, question.cluster) == ("260000100", "260")
    assert [answer.label for answer in question.answers] == ["3", "4"]
    assert question.relations == ("people.person.children",)
    assert question.characteristics["commonness"] == -12.5


def asked(qid: int, text: str, topic: str) -> dict[str, Any]:
    """A published question about who was born in a place."""
    nodes = [
        {"nid": 0, "node_type": "class", "id": "person", "friendly_name": "human", "question_node": 1},
        {"nid": 1, "node_type": "entity", "id": topic, "friendly_name": topic.title(), "question_node": 0},
    ]
    edges = [{"start": 0, "end": 1, "relation": "born_in", "friendly_name": "born in"}]
    graph = {"nodes": nodes, "edges": edges}
    return {"qid": qid, "question": text, "answer": ["Ann"], "num_edge": 1, "graph_query": graph}


def test_statistics_of_graphquestions(tmp_path: Path) -> None:
    given = [asked(1000000, "who is from rome?", "rome"), asked(1000100, "born in rome: who?", "rome")]
    put(tmp_path / "graphquestions.training.json", given)
    put(tmp_path / "graphquestions.testing.json", [asked(2000000, "who's from paris, then?", "paris")])
    read = [*read_questions(tmp_path / "graphquestions.training.json")]
    read += read_questions(tmp_path / "graphquestions.testing.json")
    assert [(one.kind, one.split) for one in read] == [
        ("template", "train"), ("template", "train"), ("template", "test")
    ]  # fmt: skip
    assert template_statistics(read)["distinct"] == {
        "classes": 1, "relations": 1, "topic entities": 2,
        "words": len({"who", "is", "from", "rome", "born", "in", "who's", "paris", "then"}),
    }  # fmt: skip
    assert Statistics(read).relations == {"born_in": 3}


@pytest.mark.parametrize(
    ("name", "split"),
    [
        ("train.json", "train"), ("x_dev_light.json", "dev"), ("nq.validation.jsonl", "dev"),
        ("testing.json", "test"), ("latest.json", None), ("train-and-test.json", None), ("all.json", None),
    ],
)  # fmt: skip
def test_a_split_that_the_name_of_a_file_says(tmp_path: Path, name: str, split: str | None) -> None:
    put(tmp_path / name, [{"id": "1", "question": "q?", "answers": ["Ann"]}])
    read = read_questions(tmp_path / name)
    assert [one.split for one in read] == [split]
    assert (described(read) or "").endswith(f", split {split} (from its name)") == (split is not None)
    import_set([tmp_path / name], tmp_path / "set", split="mine")
    assert [one.split for one in QuestionSet.open(tmp_path / "set")] == ["mine"]


def test_a_record_that_gives_its_split_is_believed(tmp_path: Path) -> None:
    put(tmp_path / "dev.json", [{"id": "1", "question": "q?", "answers": ["Ann"], "split": "mine"}])
    assert [one.split for one in read_questions(tmp_path / "dev.json")] == ["mine"]


@pytest.mark.parametrize(
    ("id_", "kind", "split"),
    [("a__b", "simple", "dev"), ("q1", None, None), ("q2", "template", None), ("q3", None, "test")],
)
def test_kind_and_split_come_back_from_ids_of_qampari(
    tmp_path: Path, id_: str, kind: str | None, split: str | None
) -> None:
    question = Question(id_, "Who?", kind=kind, split=split, answers=[Answer("Ann")])
    export([question], "qampari", tmp_path / "all.jsonl")
    (back,) = read_questions(tmp_path / "all.jsonl")
    assert (back.kind, back.split) == (kind, split)


def test_numbers_of_graphquestions_are_unique_in_all_files_of_an_export(tmp_path: Path) -> None:
    questions = [Question(f"q{n}", "Who?", split=("train", "test")[n % 2], cluster=f"c{n}") for n in range(6)]
    export(questions, "graphquestions", tmp_path / "out")
    files = [tmp_path / "out" / name for name in ("train.json", "test.json")]
    ids = [one["qid"] for path in files for one in json.loads(path.read_text())]
    assert len(set(ids)) == 6
    assert len({id_ // 10**6 for id_ in ids}) == 6, "questions of different clusters stay apart"


def test_a_class_has_no_place_in_romqa(tmp_path: Path) -> None:
    put(tmp_path / "x.json", [asked(1000000, "who is from rome?", "rome")])
    with pytest.raises(RollcallError, match="has a class or a function, so RoMQA's form cannot hold"):
        export(read_questions(tmp_path / "x.json"), "romqa", tmp_path / "y.json")


def test_sentences_that_prove_an_answer_are_what_annotators_marked_in_quest(tmp_path: Path) -> None:
    proof = Evidence("Ann lives.", title="Ann")
    export(
        [Question("Who?", "Who?", answers=[Answer("Ann", evidence=[proof])])], "quest", tmp_path / "x.jsonl"
    )
    assert read_questions(tmp_path / "x.jsonl").questions[0].answers[0].evidence == [proof]


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ([{"id": "1", "question": "q?", "answer": ["Ann", "A."]}], True),
        ([{"id": 1, "question": "q?", "answers": {"text": ["Ann", "A."], "answer_start": [3, 9]}}], False),
        ([{"question_id": 1, "question": "q?", "answers": ["Ann"], "aliases": ["A."]}], False),
        ([{"id": "1", "question": "q?", "answer": ["Ann"], "aliases": ["A."]}], False),
        (
            {
                "Data": [
                    {
                        "QuestionId": "1",
                        "Question": "q?",
                        "Answer": {"Value": "Ann", "Aliases": ["A.", "Ann"]},
                    }
                ]
            },
            False,
        ),
        ([{"question_id": "1", "question": "q?", "answer": {"value": "Ann", "aliases": ["A."]}}], True),
        (
            {
                "version": "1",
                "data": [
                    {
                        "title": "t",
                        "paragraphs": [
                            {
                                "context": "c",
                                "qas": [
                                    {
                                        "id": "1",
                                        "question": "q?",
                                        "answers": [{"text": "Ann"}, {"text": "A."}, {"text": "Ann"}],
                                    }
                                ],
                            }
                        ],
                    }
                ],
            },
            False,
        ),
    ],
)
def test_one_answer_in_several_spellings(tmp_path: Path, value: Any, lines: bool) -> None:
    assert names(put(tmp_path / "x", value, lines)) == [("1", [["Ann", "A."]])]


def test_without_ids_the_question_is_the_id(tmp_path: Path) -> None:
    assert names(put(tmp_path / "x", [{"question": "who?", "answer": ["Ann"]}], lines=True)) == [
        ("who?", [["Ann"]])
    ]
    (tmp_path / "test.csv").write_text("who?\t['Ann', \"O'Brien\"]\nwhere?\t['Rome']\n")
    assert names(tmp_path / "test.csv") == [("who?", [["Ann", "O'Brien"]]), ("where?", [["Rome"]])]


def test_lists_of_names_are_several_answers(tmp_path: Path) -> None:
    assert names(put(tmp_path / "x", [{"id": "1", "question": "q", "answers": [["Ann", "A."], ["Bo"]]}])) == [
        ("1", [["Ann", "A."], ["Bo"]])
    ]


def test_ambigqa(tmp_path: Path) -> None:
    pairs = [{"question": "a?", "answer": ["Ann", "A."]}, {"question": "b?", "answer": ["Bo"]}]
    example = {
        "id": "1",
        "question": "q?",
        "annotations": [
            {"type": "multipleQAs", "qaPairs": pairs},
            {"type": "singleAnswer", "answer": ["Cy"]},
        ],
    }
    question = read_questions(put(tmp_path / "x", [example])).questions[0]
    assert [one.label for one in question.answers] == ["Ann", "Bo"]
    assert [[one.label for one in other] for other in question.alternatives] == [["Cy"]]
    assert question.kind == "single answer"


def test_question_set_round_trip(tmp_path: Path) -> None:
    question = Question(
        "1",
        "Who?",
        ["Which ones?"],
        "simple",
        QueryRecord("P1(Q2)"),
        {"edges": 1, "relation": ["P1"], "commonness": -3.5},
        "c",
        "test",
        [Answer("Ann", "Q1", ["A."], [Evidence("Ann did.", "p", start=1, end=2)])],
        [[Answer("Bo")]],
        [Candidate("Ann", "Q1", is_answer=True)],
        {"seed": 1},
    )
    QuestionSet([question], {"name": "tiny"}).save(tmp_path / "set")
    again = QuestionSet.open(tmp_path / "set")
    assert again.questions == [question]
    assert again.manifest["name"] == "tiny"
    assert again.manifest["files"].keys() == {"questions.jsonl"}, "what the set is known by"
    assert read_questions(tmp_path / "set" / "questions.jsonl").questions == [question]


def said(path: Path) -> dict[str, list[Any]]:
    return {one.id: one.answers for one in read_run(path)}


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ([{"id": "1", "answers": ["Ann", "Bo"]}], True),
        ([{"id": 1, "answers": ["Ann", "Bo"]}], True),
        ({"1": ["Ann", "Bo"]}, False),
        ([{"qid": "1", "predictions": ["Ann", "Bo"], "answers": ["gold"]}], False),
        ([{"id": "1", "answers": [["gold"]], "output": "Ann [1], Bo [2][3].\nmore"}], True),
        ({"args": {}, "data": [{"id": "1", "answers": [["gold"]], "output": "Ann, Bo,"}]}, False),
        ([{"id": "1", "fid_pred": "Ann#Bo"}], True),
        ({"1": [{"question": "a?", "answer": "Ann"}, {"question": "b?", "answer": "Bo"}]}, False),
        ([{"qid": "1", "question_text": "q", "answer_list": [], "predictions": ["Ann", "Bo"]}], True),
    ],
)
def test_predictions_in_many_forms(tmp_path: Path, value: Any, lines: bool) -> None:
    assert said(put(tmp_path / "x", value, lines)) == {"1": ["Ann", "Bo"]}


def test_one_string_is_one_answer(tmp_path: Path) -> None:
    assert said(put(tmp_path / "x", {"1": "Ann, Bo"})) == {"1": ["Ann, Bo"]}
    assert said(put(tmp_path / "y", [{"question": "who?", "prediction": "Ann"}], lines=True)) == {
        "who?": ["Ann"]
    }


def test_entities_and_passages(tmp_path: Path) -> None:
    record = {
        "id": "1",
        "prediction": [{"id": "Q1", "label": "Ann"}, {"uri": "Q2", "text": "Bo"}, {"label": "Cy"}, 7],
        "ctxs": [{"id": 3, "title": "t", "text": "x", "score": "1.5", "has_answer": True}, "p9"],
    }
    prediction = read_run(put(tmp_path / "x", [record], lines=True)).predictions[0]
    assert prediction.answers == [EntityAnswer("Q1", "Ann"), EntityAnswer("Q2", "Bo"), "Cy", "7"]
    assert prediction.retrieved == [Passage("3", "t", "x", 1.5), Passage("p9")]


def test_run_round_trip(tmp_path: Path) -> None:
    run = Run(
        [
            Prediction("1", ["Ann", EntityAnswer("Q2")], [Passage("p")], seconds=0.5),
            Prediction("2", failure="timeout"),
        ]
    )
    run.save(tmp_path / "run.jsonl")
    assert (
        Run.open(tmp_path / "run.jsonl").predictions
        == run.predictions
        == read_run(tmp_path / "run.jsonl").predictions
    )


def test_repeated_keys_are_kept_to_be_reported(tmp_path: Path) -> None:
    (tmp_path / "x").write_text('{"1": ["Ann"], "1": ["Bo"]}')
    assert [one.id for one in read_run(tmp_path / "x")] == ["1", "1"]


def test_any_compression(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(QAMPARI).encode()))
    assert len(read_questions(path)) == 1


@pytest.mark.parametrize(
    ("content", "about"),
    [
        ("", "is empty"),
        ("  \n ", "is empty"),
        ("[]", "no question"),
        ("hello", "neither JSON"),
        ("{broken", "x:1: not JSON"),
        ("[1, 2]", "not recognised"),
        ('{"a": 1}', "not recognised"),
        (json.dumps(QAMPARI) + "\n{broken}\n", "x:2: "),
        (
            json.dumps(QAMPARI) + '\n{"qid": "8", "answer_list": [{"answer_text": 5}]}',
            "x:2: answer_list[0].answer_text must be text, and is a whole number",
        ),
        ('{"id": "1", "question": "q", "answers": [{"label": "A"}]}\n{"id": 1}', "x:2: "),
        (
            '{"id": "1", "question": "q", "answers": true}',
            "x:1: answers must be a whole number, a number, text, an object, a list or null, and is true or",
        ),
        ("who?\tAnn", "x:1: the second column"),
    ],
)
def test_bad_gold_in_one_line(tmp_path: Path, content: str, about: str) -> None:
    (tmp_path / "x").write_text(content)
    with pytest.raises(RollcallError) as error:
        read_questions(tmp_path / "x")
    assert about in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("content", "about"),
    [
        ("", "is empty"),
        ("{broken", "not JSON"),
        ('["Ann"]', "not recognised"),
        ('{"id": "1"}', "has no answers"),
        ('{"id": "1", "answers": ["A"]}\n{"answers": ["B"]}', "has no key for its question"),
        ('{"id": "1", "answers": [["A"]]}', "neither a string nor an entity"),
        ('{"id": "1", "answers": {"x": 1}}', "answers are an object, not a string or a list"),
        ('{"id": "1", "answers": ["A"]}\n{broken', "x:2: "),
        ('{"id": "1", "answers": ["A"], "seconds": "x"}', "record 1: seconds is not a number: 'x'"),
        ('{"id": "1", "output": "A", "seconds": true}', "record 1: seconds is not a number"),
        ('{"1": {"answers": ["A"], "seconds": "nan"}}', "1: seconds is not a number: 'nan'"),
        ('{"1": ["A"], ', "not JSON"),
    ],
)
def test_bad_predictions_in_one_line(tmp_path: Path, content: str, about: str) -> None:
    (tmp_path / "x").write_text(content)
    with pytest.raises(RollcallError) as error:
        read_run(tmp_path / "x")
    assert about in str(error.value)
    assert "\n" not in str(error.value)


def test_broken_compression(tmp_path: Path) -> None:
    (tmp_path / "x.bz2").write_bytes(b"not bzip2")
    with pytest.raises(RollcallError, match="the compressed file is damaged"):
        read_questions(tmp_path / "x.bz2")


def test_nulls_are_left_out_with_a_warning(tmp_path: Path) -> None:
    run = read_run(put(tmp_path / "x", {"1": ["Ann", None], "2": None}))
    assert [one.answers for one in run] == [["Ann"], []]
    assert len(run.warnings) == 2


@pytest.mark.parametrize(("seconds", "commonness"), [("nan", "1"), ("inf", "1"), ("1", "nan"), ("1", "-inf")])
def test_result_rows_without_finite_numbers_are_skipped(
    tmp_path: Path, seconds: str, commonness: str
) -> None:
    good = '1000000\t1.5\t["A"]\t["A"]\t2,1\tnone\tx\t-3.5'
    bad = f'2000000\t{seconds}\t["A"]\t["A"]\t2,1\tnone\tx\t{commonness}'
    (tmp_path / "x").write_text(f"{good}\n{bad}\n")
    run = read_run(tmp_path / "x")
    assert [one.id for one in run] == ["1000000"]
    assert ["x:2: skipped, not a finite number" in one for one in run.warnings] == [True]
