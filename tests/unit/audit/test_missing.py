"""Candidates become judgments, and judgments become extended answers."""

import msgspec
import pytest

from model_server import ModelServer
from rollcall import RollcallError
from rollcall.audit.missing import (
    MissingAnswer,
    accept,
    either,
    judge_by_model,
    named_ratio,
    read_candidates,
    run_chances,
    to_judge,
    weighed,
    write_candidates,
)
from rollcall.audit.sources.evaluate import RunSize
from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.llm import Budget, Client, ReplyCache
from rollcall.questions import Answer, Evidence, Judgment, Question, QuestionSet
from rollcall.questions.judgment import read_judgments, write_judgments

SENTENCE = Evidence(text="Ann Dorn directed Late Rain.", title="Late Rain", score=0.9)
CANDIDATES = [
    MissingAnswer(
        "q1",
        "Which films did Ann Dorn direct?",
        "Late Rain",
        "Q7",
        0.9,
        ["text"],
        score=0.9,
        evidence=[SENTENCE],
    ),
    MissingAnswer("q1", "Which films did Ann Dorn direct?", "Old Snow", None, 0.4, ["runs"], ["a", "b"]),
]


@pytest.fixture
def asked():
    return QuestionSet(
        [
            Question(
                "q1", "Which films did Ann Dorn direct?", answers=[Answer("First Frost", "Q1", ["Frost"])]
            ),
            Question("q2", "Which films did Bo Elm direct?", answers=[Answer("Hail", "Q2")]),
        ],
        {"format": "1"},
    )


def judged(answer, right=True, by="person", **more):
    return Judgment("q1", answer, right=right, by=by, **more)


def test_candidates_survive_their_file(tmp_path):
    write_candidates(CANDIDATES, tmp_path / "candidates.jsonl")
    assert read_candidates(tmp_path / "candidates.jsonl") == CANDIDATES


def test_a_bad_line_of_candidates_is_named(tmp_path):
    (tmp_path / "candidates.jsonl").write_text(
        '{"question": "q1", "asked": "?", "answer": "x"}\n{"question": 1}\n'
    )
    with pytest.raises(RollcallError, match=r"candidates.jsonl:2: "):
        read_candidates(tmp_path / "candidates.jsonl")


def test_lines_to_fill_in_decide_nothing_until_they_are(asked, tmp_path):
    write_judgments(to_judge(CANDIDATES), tmp_path / "judgments.jsonl")
    lines = read_judgments(tmp_path / "judgments.jsonl")
    assert [line.right for line in lines] == [None, None]
    assert lines[0].evidence == [SENTENCE]
    assert accept(asked, lines).questions == asked.questions


def test_accepted_answers_are_extended_and_the_gold_stays(asked):
    made = accept(asked, [judged("Late Rain", entity="Q7", who="Eve")], candidates=CANDIDATES)
    first, second = made.questions
    assert [answer.label for answer in first.answers] == ["First Frost"]
    (answer,) = first.extended
    assert (answer.label, answer.id, answer.evidence) == ("Late Rain", "Q7", [SENTENCE])
    provenance = answer.provenance
    assert (provenance.source, provenance.by, provenance.who, provenance.right) == (
        "text",
        "person",
        "Eve",
        True,
    )
    assert provenance.score == 0.9
    assert second == asked.questions[1]
    assert not asked.questions[0].extended


def test_a_question_was_searched_if_something_was_judged_that_its_gold_lacks(asked):
    def searched(*lines):
        return [question.searched for question in accept(asked, lines)]

    assert searched(judged("Late Rain")) == [True, False]
    assert searched(judged("Late Rain", right=False)) == [True, False]
    assert searched(judged("Late Rain", right=None), judged("First Frost")) == [False, False]


def test_accepting_twice_changes_nothing(asked):
    judgments = [judged("Late Rain", entity="Q7"), judged("Old Snow")]
    once = accept(asked, judgments)
    assert accept(once, judgments).questions == once.questions
    assert len(once.questions[0].extended) == 2


def test_what_the_gold_has_is_not_added(asked):
    assert (
        accept(asked, [judged("frost"), judged("First Frost"), judged("x", entity="Q1")]).questions
        == asked.questions
    )


def test_people_decide_before_machines(asked):
    model = judged("Late Rain", by="model:m", score=0.99)
    assert not accept(asked, [model, judged("Late Rain", right=False)]).questions[0].extended
    assert accept(asked, [model]).questions[0].extended
    assert not accept(asked, [model], least=0.995).questions[0].extended
    split = [judged("Late Rain"), judged("Late Rain", right=False)]
    assert not accept(asked, split).questions[0].extended
    assert accept(asked, [*split, judged("Late Rain")]).questions[0].extended


def test_judgments_of_another_set_are_refused(asked):
    with pytest.raises(
        RollcallError, match="2 judgments are about questions that the set does not have, such as q8"
    ):
        accept(
            asked,
            [Judgment("q8", "x", right=True, by="person"), Judgment("q9", "x", right=True, by="person")],
        )


def test_a_graph_gives_extended_answers_their_names(asked, tmp_path):
    write_graph(tmp_path / "graph", entities=[EntityRecord("Q7", "Late Rain", aliases=("Rain, Late",))])
    with Graph.open(tmp_path / "graph") as graph:
        made = accept(asked, [judged("late rain (film)", entity="Q7")], graph=graph)
    (answer,) = made.questions[0].extended
    assert answer.label == "Late Rain"
    assert answer.aliases == ["Rain, Late", "late rain (film)"]


def test_a_set_with_extended_answers_survives_its_folder(asked, tmp_path):
    made = accept(asked, [judged("Late Rain", entity="Q7")], candidates=CANDIDATES)
    made.save(tmp_path / "set")
    assert QuestionSet.open(tmp_path / "set").questions == made.questions


def test_a_language_model_judges_with_the_evidence_before_it_and_is_asked_once(tmp_path):
    pytest.importorskip("openai", reason="the extra `llm` is not installed")

    def answer(body):
        return "Yes" if "Late Rain" in body["messages"][-1]["content"] else "No"

    with ModelServer(answer) as server:
        for _ in range(2):
            client = Client(server.url, cache=ReplyCache(tmp_path / "replies.sqlite"))
            judgments = judge_by_model(CANDIDATES, client, "m")
            client.close()
            assert [one.right for one in judgments] == [True, False]
            assert {one.by for one in judgments} == {"model:m"}
        prompts = [body["messages"][-1]["content"] for body in server.received]
    assert len(prompts) == 2
    assert any(SENTENCE.text in prompt for prompt in prompts)


def test_a_spent_budget_leaves_the_rest_undecided():
    pytest.importorskip("openai", reason="the extra `llm` is not installed")
    with ModelServer(lambda body: "Yes") as server:
        client = Client(server.url, budget=Budget(tokens=1))
        judgments = judge_by_model(CANDIDATES, client, "m")
        client.close()
    assert [(one.right, one.by) for one in judgments] == [(None, ""), (None, "")]
    assert all("budget" in one.note for one in judgments)


def test_chances_of_runs_follow_from_what_is_missing():
    # Recall of a half, 25 answers missing beside 100: about 12 of its 50 errors are right.
    found = run_chances({"a": RunSize(50, 50, 100), "b": RunSize(0, 10, 100)}, 0.8)
    assert found["a"] == pytest.approx(51 * 0.25 / 51)
    assert 0 < found["b"] < 0.05


def test_several_reports_and_what_is_seen_beside_them():
    assert either(0.5, 0.5) == pytest.approx(0.75)
    assert either() == 0
    assert weighed(0.5, 3) == pytest.approx(0.75)
    assert named_ratio(True, 0.8, 0.3, 0.1) > 1 > named_ratio(False, 0.8, 0.3, 0.1)


def test_candidates_are_written_in_their_order_and_without_defaults(tmp_path):
    write_candidates(CANDIDATES, tmp_path / "file")
    first = msgspec.json.decode((tmp_path / "file").read_bytes().split(b"\n")[0])
    assert set(first) == {"question", "asked", "answer", "entity", "chance", "sources", "score", "evidence"}
