"""Profiles that ask a language model: what they make of its replies, and how agreement is reported."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model_server import ModelServer
from rollcall import RollcallError
from rollcall.llm import Budget, Client, ReplyCache
from rollcall.questions import Answer, Question
from rollcall.score import Judge, compare, score
from rollcall.score.judging import cohen_kappa
from rollcall.score.profiles.deepsearchqa import read_grade
from rollcall.score.profiles.monaco import MonacoProfile, read_several, read_single

DSQA = """problem,problem_category,answer,answer_type
"Which border Luxembourg, all of them?",Geography,"Belgium, France, Germany",Set Answer
Which city is it?,Geography,Yville,Single Answer
Who?,Arts,"Ann, Bo",Set Answer
Where?,Arts,Rome,Single Answer
"""
RESPONSES = {
    "Which border Luxembourg, all of them?": "Belgium, France and Italy",
    "Which city is it?": "Yville",
    "Who?": "- Ann\n- Bo\n- Cy",
    "Where?": "I do not know",
}
GRADES: dict[str, tuple[dict[str, bool], list[str]]] = {
    "Luxembourg": ({"Belgium": True, "France": True, "Germany": False}, ["Italy"]),
    "Which city": ({"Yville": True}, []),
    "Who?": ({"Ann": True, "Bo": True}, ["Cy"]),
    "Where?": ({"Rome": False}, []),
}


def graded(details: dict[str, bool], excessive: list[str]) -> str:
    told = {"Explanation": "x", "Correctness Details": details, "Excessive Answers": excessive}
    return f"```json\n{json.dumps({'Answer Correctness': told})}\n```"


def grader(body: dict[str, Any]) -> str:
    prompt = body["messages"][-1]["content"]
    return next(graded(*grade) for mark, grade in GRADES.items() if mark in prompt)


@pytest.fixture
def dsqa(tmp_path: Path) -> tuple[Path, Path]:
    gold, said = tmp_path / "DSQA-full.csv", tmp_path / "said.jsonl"
    gold.write_text(DSQA)
    said.write_text(
        "\n".join(json.dumps({"problem": one, "response": text}) for one, text in RESPONSES.items())
    )
    return gold, said


def test_deepsearchqa_by_hand(dsqa: tuple[Path, Path]) -> None:
    with ModelServer(grader) as server:
        report = score(*dsqa, profile="deepsearchqa", judges=[Judge(Client(server.url), "m")], by="category",
                       confidence=None)  # fmt: skip
        assert sum(server.asked.values()) == 4
    values = {str(name): figure.value for name, figure in report.figures.items()}
    assert values == pytest.approx({
        "acc": 1 / 4, "FullyWrong": 1 / 4, "Extraneous": 1 / 4,
        "P": (2 / 3 + 1 + 2 / 3 + 0) / 4, "R": (2 / 3 + 1 + 1 + 0) / 4, "F1": (2 / 3 + 1 + 0.8 + 0) / 4,
    })  # fmt: skip
    assert report.reading.startswith("DSQA-full.csv: read as deepsearchqa")
    assert {name: group.n for name, group in report.by["category"].items()} == {"Arts": 2, "Geography": 2}


def test_what_has_no_verdict_is_left_out_as_published(dsqa: tuple[Path, Path]) -> None:
    gold, said = dsqa
    said.write_text(said.read_text().replace("I do not know", ""))

    def answer(body: dict[str, Any]) -> str:
        return "NULL" if "Who?" in body["messages"][-1]["content"] else grader(body)

    with ModelServer(answer) as server:
        judge = Judge(Client(server.url), "m")
        report = score(gold, said, profile="deepsearchqa", judges=[judge], confidence=None)
    assert report["acc"].value == pytest.approx(1 / 2), "two of four count"
    assert report["F1"].value == pytest.approx((2 / 3 + 1) / 2)
    assert any(line.startswith("2 with no response, or no verdict of m") for line in report.warnings)
    assert report.variants[0].counts["m: prompts without a usable reply"] == 1


@pytest.mark.parametrize(
    "reply",
    [
        "", "NULL", "{}", "[]", '{"Answer Correctness": []}', '{"Answer Correctness": {"Explanation": "x"}}',
        '{"Answer Correctness": {"Correctness Details": {"A": true}, "Excessive Answers": []}}',
        graded({"A": True}, []).replace("true", '"yes"'), graded({"A": True}, ["B"]).replace('"B"', "3"),
    ],
)  # fmt: skip
def test_grades_of_another_form_are_no_verdict(reply: str) -> None:
    assert read_grade(reply) is None


def test_grades_may_lack_excessive_answers() -> None:
    told = {"Answer Correctness": {"Explanation": "x", "Correctness Details": {"A": True}}}
    assert read_grade(json.dumps(told)) == ({"A": True}, [])


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        ("x\nfinal answer length: 4\noverlapping answers: A###B", (2 / 4, 2 / 3)),
        ("x\nfinal_answer_length: 4 answers\noverlapping_answers: A###B###", (2 / 4, 2 / 3)),
        ("x\nfinal answer length: 1\noverlapping answers: A###B", (2 / 2, 2 / 3)),  # it miscounted
        ("x\nfinal answer length: 9\noverlapping answers: A###B###C###D", (4 / 9, 1)),
        ("x\nfinal answer length: 4\noverlapping answers: NULL", (0, 0)),
        ("x\nfinal answer length: 0\noverlapping answers: A", (0, 0)),
        ("x\nfinal answer length: None \noverlapping answers: NULL", (0, 0)),
        ("x\nfinal answer length: 4\noverlapping answers:", (1 / 4, 1 / 3)),  # nothing counts as one
        ("x\nfinal answer length: many\noverlapping answers: A", None),
        ("final answer length: 4\noverlapping answers: A", None),  # no line before it, as published
        ("x\noverlapping answers: A", None),
    ],
)
def test_monaco_counts_by_hand(reply: str, wanted: tuple[float, float] | None) -> None:
    found = read_several(reply, ["A", "B", "E"])
    match = None if found is None else MonacoProfile().rate(found)
    assert (match and (match.precision, match.recall)) == (wanted and pytest.approx(wanted))


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        ("final precision: 0.75\nmore", 0.75), ("final_precision: 1", 1), ("final precision: 0.3...", 0.3),
        ("final precision: none", 0), ("final precision: 7", 1), ("final precision: nan", 0),
        ("precision: 1", None),
    ],
)  # fmt: skip
def test_monaco_scores_of_one_answer(reply: str, wanted: float | None) -> None:
    found = read_single(reply, ["12"])
    value = None if found is None else MonacoProfile().rate(found).f1
    assert value == pytest.approx(wanted)


def test_monaco_through_its_file(tmp_path: Path) -> None:
    gold, said = tmp_path / "monaco.json", tmp_path / "said.json"
    examples = {
        "Who and when?": {"ex_num": 1, "question": "Who and when?", "decomposition": ["a", "b"],
                          "validated_answer": [["Ann", 1990], ["Bo", 1991]]},
        "How many?": {"ex_num": 2, "question": "How many?", "validated_answer": [12]},
    }  # fmt: skip
    gold.write_text(json.dumps(examples))
    said.write_text(json.dumps({"Who and when?": ["Ann - 1990", "Cy - 1992"], "How many?": "It is 9."}))

    def answer(body: dict[str, Any]) -> str:
        prompt = body["messages"][-1]["content"]
        if "How many?" in prompt:
            return "final precision: 0.75"
        assert "Ann - 1990\nCy - 1992" in prompt
        return "reasoning: x\nfinal answer length: 2\noverlapping answers: Ann - 1990"

    with ModelServer(answer) as server:
        report = score(
            gold, said, profile="monaco", judges=[Judge(Client(server.url), "m")], by="kind", confidence=None
        )
    assert report["F1"].value == pytest.approx((1 / 2 + 3 / 4) / 2)
    assert report["P"].value == pytest.approx((1 / 2 + 3 / 4) / 2)
    assert set(report.by["kind"]) == {"list", "single"}
    (beside,) = report.variants
    assert beside.counts["m and monaco-match: questions judged by both"] == 2


def other_grader(body: dict[str, Any]) -> str:
    """A second judge, which finds Germany too and accepts Rome."""
    if body["model"] == "strict":
        return grader(body)
    return (
        grader(body).replace('"Germany": false', '"Germany": true').replace('"Rome": false', '"Rome": true')
    )


def test_agreement_of_judges_and_of_the_match(dsqa: tuple[Path, Path]) -> None:
    """By hand: seven answers; the judges differ on two, the match differs from the strict one on France."""
    with ModelServer(other_grader) as server:
        client = Client(server.url)
        judges = [Judge(client, "strict"), Judge(client, "kind")]
        report = score(*dsqa, profile="deepsearchqa", judges=judges, confidence=None)
    (beside,) = report.variants
    assert list(beside.rows) == ["strict", "kind", "deepsearchqa-match"]
    counts = beside.counts
    assert counts["prompts"] == "Rollcall's"
    assert counts["strict and kind: answers compared"] == 7
    assert counts["strict and kind: same verdict, share of answers"] == pytest.approx(5 / 7)
    # Both say yes to 5, only the kind one to 2: chance is 5/7.
    assert counts["strict and kind: Cohen's kappa"] == pytest.approx((5 / 7 - 5 / 7) / (1 - 5 / 7))
    # `France and Italy` is one item between commas, so the match misses France.
    assert counts["strict and deepsearchqa-match: same verdict, share of answers"] == pytest.approx(6 / 7)
    assert counts["strict and deepsearchqa-match: questions judged by both"] == 4


@pytest.mark.parametrize(
    ("decided", "wanted"),
    [
        ([], None), ([(True, True)] * 3, None), ([(True, False), (False, True)], -1.0),
        ([(True, True)] * 20 + [(False, False)] * 15 + [(True, False)] * 5 + [(False, True)] * 10, 0.4),
    ],
)  # fmt: skip
def test_kappa(decided: list[tuple[bool, bool]], wanted: float | None) -> None:
    assert cohen_kappa(decided) == pytest.approx(wanted)


def test_replies_are_asked_for_once(dsqa: tuple[Path, Path], tmp_path: Path) -> None:
    with ModelServer(grader) as server:
        for _ in range(2):
            client = Client(server.url, cache=ReplyCache(tmp_path / "cache"))
            compare(dsqa[0], [dsqa[1], dsqa[1]], profile="deepsearchqa", judges=[Judge(client, "m")])
            client.close()
        assert set(server.asked.values()) == {1}


def test_a_budget_keeps_what_was_judged(dsqa: tuple[Path, Path], tmp_path: Path) -> None:
    with ModelServer(grader) as server:
        client = Client(
            server.url, cache=ReplyCache(tmp_path / "cache"), budget=Budget(tokens=700), concurrency=1
        )
        with pytest.raises(RollcallError, match="budget"):
            score(*dsqa, profile="deepsearchqa", judges=[Judge(client, "m", max_tokens=100)])
        client.close()
        before = sum(server.asked.values())
        assert 0 < before < 4
        client = Client(server.url, cache=ReplyCache(tmp_path / "cache"))
        score(*dsqa, profile="deepsearchqa", judges=[Judge(client, "m", max_tokens=100)])
        client.close()
        assert sum(server.asked.values()) == 4


def test_prompts_may_be_the_published_ones(dsqa: tuple[Path, Path], tmp_path: Path) -> None:
    prompts = tmp_path / "prompts.yaml"
    prompts.write_text('grade: |\n  Rate {response} to {prompt} ({prompt_type}) by {answer}. {{"a": true}}\n')
    with ModelServer(grader) as server:
        report = score(
            *dsqa, profile="deepsearchqa", judges=[Judge(Client(server.url), "m", prompts)], confidence=None
        )
        asked = sorted(server.asked)
    assert any('(Set Answer) by Belgium, France, Germany. {"a": true}' in prompt for prompt in asked)
    assert str(report.variants[0].counts["prompts"]).startswith("given, sha256 ")


JudgeMaker = Callable[[Client], list[Judge]]


@pytest.mark.parametrize(
    ("profile", "judges", "about"),
    [
        ("deepsearchqa", lambda client: [], "--judge MODEL with --base-url ADDRESS"),
        ("monaco", lambda client: [], "--profile monaco-match"),
        ("widesearch", lambda client: [], "asks a language model"),
        ("entity", lambda client: [Judge(client, "m")], "asks no language model"),
        ("monaco", lambda client: [Judge(client, "m", {"grade": "x"})], "has no prompt 'grade'"),
        ("monaco", lambda client: [Judge(client, "m", {"single": "{no}"})], "cannot be filled in"),
        ("deepsearchqa", lambda client: [Judge(client, "m"), Judge(client, "m")], "given twice"),
        ("deepsearchqa", lambda client: ["m"], "give a list of Judge"),
    ],
)
def test_mistakes_are_told_in_one_line(profile: str, judges: JudgeMaker, about: str) -> None:
    gold = [Question("q", "Which city?", answers=[Answer("Yville")])]
    with (
        ModelServer(lambda body: graded({"Yville": True}, [])) as server,
        pytest.raises(RollcallError, match=about) as error,
    ):
        score(gold, {"q": ["Yville"]}, profile=profile, judges=judges(Client(server.url)))
    assert "\n" not in str(error.value)


def test_measures_of_lists_need_answers_one_by_one() -> None:
    gold = [Question("q", "Which city?", answers=[Answer("Yville")])]
    with ModelServer(lambda body: graded({"Yville": True}, [])) as server:
        judges = [Judge(Client(server.url), "m")]
        with pytest.raises(RollcallError, match="one by one"):
            score(gold, {"q": ["Yville"]}, profile="deepsearchqa", judges=judges, measures="Padding")
    with pytest.raises(RollcallError, match="figure of the profile deepsearchqa or deepsearchqa-match"):
        score(gold, {"q": ["Yville"]}, measures="Extraneous")


@pytest.mark.parametrize(
    ("text", "about"), [("- a", "texts by name"), ("a: [", "not a file of prompts"), ("a: 3", "texts")]
)
def test_bad_prompt_files(tmp_path: Path, text: str, about: str) -> None:
    path = tmp_path / "prompts.yaml"
    path.write_text(text)
    with ModelServer() as server, pytest.raises(RollcallError, match=about):
        Judge(Client(server.url), "m", path)
