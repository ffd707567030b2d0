"""Plain functions as readers and retrievers, in Python and by `module:name`."""

import json
from collections.abc import Sequence

import pytest

import rollcall
from rollcall import RollcallError
from rollcall.questions import Passage

GOLD = [
    {"id": "1", "question": "Which rivers flow through Lyon?", "answers": ["Rhône", "Saône"]},
    {"id": "2", "question": "Which rivers flow through Bern?", "answers": ["Aare"]},
]
RIVERS = {"Lyon": ["Rhône", "Saône"], "Bern": ["Aare"]}


def search(question: str, k: int) -> list[dict[str, str]]:
    city = question.rstrip("?").rpartition(" ")[2]
    return [{"title": river, "text": f"The {river} flows through {city}."} for river in RIVERS[city]]


def titles(question: str, passages: Sequence[Passage]) -> list[str]:
    return [passage.title for passage in passages]


def answers(run: rollcall.Run) -> list[list[str]]:
    return [[str(answer) for answer in prediction.answers] for prediction in run.predictions]


def test_a_function_of_the_question_needs_neither_corpus_nor_passages() -> None:
    run = rollcall.run(GOLD, lambda question: ["Aare"] if "Bern" in question else [])
    assert answers(run) == [[], ["Aare"]]


def test_a_function_of_question_and_passages_reads_what_a_function_finds() -> None:
    run = rollcall.run(GOLD, titles, retriever=search)
    assert answers(run) == [["Rhône", "Saône"], ["Aare"]]
    assert rollcall.score(GOLD, run)["F1"].value == 1


def test_a_function_finds_no_more_passages_than_asked_for() -> None:
    assert answers(rollcall.run(GOLD, titles, retriever=search, k=1)) == [["Rhône"], ["Aare"]]


def test_a_function_that_reads_passages_needs_a_retriever_that_has_a_corpus() -> None:
    with pytest.raises(RollcallError, match="needs a corpus"):
        rollcall.run(GOLD, titles)


def test_texts_and_passages_are_passages_too() -> None:
    def texts(question: str, k: int) -> list[str | Passage]:
        return ["The Aare.", Passage(title="Rhône", text="The Rhône.")]

    run = rollcall.retrieve(GOLD, texts)
    assert [passage.text for passage in run.predictions[0].retrieved] == ["The Aare.", "The Rhône."]


def test_a_function_is_named_by_its_module_on_the_command_line(tmp_path, monkeypatch, capsys) -> None:
    from rollcall.cli.main import main

    (tmp_path / "own_functions.py").write_text(
        "def answer(question):\n    return ['Aare', 'Rhône'][: 1 + ('Lyon' in question)]\n", encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    gold, out = tmp_path / "gold.jsonl", tmp_path / "run.jsonl"
    gold.write_text("".join(json.dumps(question) + "\n" for question in GOLD), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        main(["run", str(gold), "--reader", "own_functions:answer", "--out", str(out)])
    assert not ended.value.code, capsys.readouterr().err
    lines = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    assert [line["answers"] for line in lines] == [["Aare", "Rhône"], ["Aare"]]


def test_a_run_does_not_continue_with_another_function(tmp_path) -> None:
    out = tmp_path / "run.jsonl"
    rollcall.run(GOLD[:1], titles, retriever=search, out=out)
    with pytest.raises(RollcallError, match="different settings"):
        rollcall.run(GOLD[:1], lambda question: [], out=out)


@pytest.mark.parametrize(
    ("function", "problem"),
    [
        (lambda: [], "must be called as answer"),
        (lambda question, passages, more: [], "must be called as answer"),
        (lambda question, *, passages: [], "must be called as answer"),
        (lambda question: "Aare", "answered 'Aare'"),
        (lambda question: [1], "answered"),
        (lambda question: 1 / 0, "ZeroDivisionError.*test_function_systems.py"),
    ],
)
def test_a_function_of_another_form_is_one_clear_line(function, problem) -> None:
    with pytest.raises(RollcallError, match=problem):
        rollcall.run(GOLD, function)


@pytest.mark.parametrize(
    ("returned", "problem"),
    [
        ("The Aare.", "returns a list of passages"),
        ([{"txt": "The Aare."}], "no 'txt'; its keys are id, title, text, score"),
        ([{"text": 1}], "is not a passage"),
        ([1], "write a Passage, a dict or a text"),
    ],
)
def test_what_is_no_passage_is_one_clear_line(returned, problem) -> None:
    with pytest.raises(RollcallError, match=problem):
        rollcall.retrieve(GOLD, lambda question, k: returned)
