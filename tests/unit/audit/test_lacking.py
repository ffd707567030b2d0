"""An audit with runs: how complete the set is, candidates, judgments, a plan, and scores by it."""

import json

import msgspec
import pytest

import rollcall
from rollcall import RollcallError
from rollcall.audit import audit
from rollcall.audit.lacking import lines_to_judge
from rollcall.audit.missing import accept
from rollcall.cli.main import main
from rollcall.questions import Answer, EntityAnswer, Judgment, Prediction, Question, QuestionSet, Run
from rollcall.questions.judgment import read_judgments, write_judgments

KNOWN, MISSING = 12, 4
QUESTIONS = [
    Question(
        f"q{number}",
        f"Which films did Director {number} make?",
        kind="simple" if number % 2 else "composition",
        answers=[Answer(f"Film {number} {place}") for place in range(KNOWN)],
    )
    for number in range(20)
]
RUN = [
    Prediction(
        one.id,
        [
            *(answer.label for answer in one.answers[::2]),
            *(f"Lost Film {one.id} {place}" for place in range(MISSING // 2)),
            f"No Film {one.id}",
        ],
    )
    for one in QUESTIONS
]
JUDGMENTS = [
    Judgment(one.id, answer, right=answer.startswith("Lost"), by="person", who="ann", drawn=True)
    for one in RUN[:10]
    for answer in map(str, one.answers)
    if not answer.startswith("Film")
]


def code(*arguments):
    """The exit code of a command."""
    with pytest.raises(SystemExit) as ended:
        main([*map(str, arguments)])
    return ended.value.code


def test_two_sources_and_judgments_give_completeness_and_candidates():
    made = audit(QUESTIONS, runs=[Run(RUN, "a")], judgments=JUDGMENTS)
    found = made.lacking
    # The run has half of the gold and half of what is missing, so 240 of 320 answers are gold.
    assert found.report.completeness.low < KNOWN / (KNOWN + MISSING) < found.report.completeness.high
    names = [one.answer for one in found.missing]
    assert set(names[:20]) == {f"Lost Film q{n} {p}" for n in range(10) for p in range(2)}
    assert "completeness:" in repr(made)
    assert "<b>completeness:</b>" in made.to_html()


def test_without_overlap_the_reason_is_told_and_nothing_else_is_lost():
    made = audit(QUESTIONS, completeness=True)
    assert made.lacking.report is None
    assert "needs two sources" in made.lacking.why_not
    assert "completeness not estimated" in repr(made)
    assert made.quality.of("leftovers").examined == 20


def test_the_folder_serves_scoring_and_a_new_audit_keeps_judgments(tmp_path):
    QuestionSet(QUESTIONS).save(tmp_path / "set")
    Run(RUN).save(tmp_path / "run.jsonl")
    (tmp_path / "audit").mkdir()
    write_judgments(JUDGMENTS, tmp_path / "audit" / "judgments.jsonl")
    command = ["audit", str(tmp_path / "set"), str(tmp_path / "run.jsonl"), "--out", str(tmp_path / "audit")]
    assert code(*command, "--plan", "0.05", "--extended", tmp_path / "more") == 0
    assert read_judgments(tmp_path / "audit" / "judgments.jsonl") == JUDGMENTS
    waiting = read_judgments(tmp_path / "audit" / "to_judge.jsonl")
    assert [one for one in waiting if one.drawn]
    assert not {(one.question, one.answer) for one in waiting if one.drawn} & {
        (one.question, one.answer) for one in JUDGMENTS
    }
    whole = json.loads((tmp_path / "audit" / "audit.json").read_bytes())
    assert whole["plan"]["judged"] == len(JUDGMENTS)
    report = rollcall.score(tmp_path / "set", tmp_path / "run.jsonl", audit=tmp_path / "audit")
    figures = report.as_json()["measures"]["F1"]
    true = 2 * (KNOWN / 2 + MISSING / 2) / (len(RUN[0].answers) + KNOWN + MISSING)
    assert figures["bounds"][0] <= true <= figures["bounds"][1]
    assert figures["corrected"]["ci"][0] <= true <= figures["corrected"]["ci"][1]
    more = QuestionSet.open(tmp_path / "more").questions
    assert [one.label for one in more[0].extended] == ["Lost Film q0 0", "Lost Film q0 1"]
    assert more[0].extended[0].provenance.who == "ann"
    assert not more[-1].extended


def test_a_plan_needs_runs_and_a_judge_its_server(tmp_path, capsys):
    with pytest.raises(RollcallError, match="give one run or more"):
        audit(QUESTIONS, plan=0.05)
    QuestionSet(QUESTIONS).save(tmp_path / "set")
    assert code("audit", tmp_path / "set", "--judge", "some-model") == 2
    assert "--judge MODEL and --base-url ADDRESS go together" in capsys.readouterr().err


def test_a_model_judges_candidates_and_its_judgments_are_kept(tmp_path):
    pytest.importorskip("openai", reason="the extra `llm` is not installed")
    from model_server import ModelServer

    QuestionSet(QUESTIONS[:3]).save(tmp_path / "set")
    Run(RUN[:3]).save(tmp_path / "run.jsonl")
    out = tmp_path / "audit"
    with ModelServer(lambda body: "Yes" if "Lost" in body["messages"][-1]["content"] else "No") as server:
        command = ["audit", str(tmp_path / "set"), str(tmp_path / "run.jsonl"), "--out", str(out)]
        for _ in range(2):  # the second audit replaces what the model said, and asks nothing again
            assert code(*command, "--judge", "m", "--base-url", server.url) == 0
        assert len(server.received) == 9
    judged = read_judgments(out / "judgments.jsonl")
    assert len(judged) == 9
    assert all(one.right == one.answer.startswith("Lost") for one in judged)


def test_what_an_audit_does_not_make_again_stays(tmp_path):
    audit(QUESTIONS, runs=[Run(RUN, "a")], judgments=JUDGMENTS, out=tmp_path / "audit")
    before = (tmp_path / "audit" / "completeness.json").read_bytes()
    audit(QUESTIONS, out=tmp_path / "audit")
    assert (tmp_path / "audit" / "completeness.json").read_bytes() == before
    audit(QUESTIONS, runs=[Run(RUN, "a")], judgments=JUDGMENTS, out=tmp_path / "audit")
    assert (tmp_path / "audit" / "completeness.json").read_bytes() == before


def test_drawn_errors_carry_entity_and_question_so_that_accepted_ones_count():
    gold = [
        msgspec.structs.replace(
            one, answers=[Answer(answer.label, f"Q-{answer.label}") for answer in one.answers]
        )
        for one in QUESTIONS
    ]
    given = [
        Prediction(one.id, [EntityAnswer(f"Q-{answer}", str(answer)) for answer in one.answers])
        for one in RUN
    ]
    waiting = lines_to_judge(None, audit(gold, runs=[Run(given)], plan=0.02).errors)
    assert all(one.entity == f"Q-{one.answer}" and one.asked.startswith("Which films") for one in waiting)
    for one in waiting:
        one.right, one.by = one.answer.startswith("Lost"), "person"
    more = accept(QuestionSet(gold), waiting)
    with_more = [msgspec.structs.replace(one, answers=[*one.answers, *one.extended]) for one in more]
    assert any(one.extended for one in more)
    assert rollcall.score(with_more, given)["P"].value > rollcall.score(gold, given)["P"].value


def test_runs_and_judgments_of_other_questions_are_refused_at_once():
    with pytest.raises(RollcallError, match="answers none of the set's questions"):
        audit(QUESTIONS, runs=[Run([Prediction("other", ["Ann"])])])
    with pytest.raises(
        RollcallError, match="judgments of questions that the set does not have: 1, such as x"
    ):
        audit(QUESTIONS, judgments=[Judgment("x", "Ann", right=True, by="person")])
    with pytest.raises(RollcallError, match="none is named"):
        audit(QUESTIONS, checks=[])
