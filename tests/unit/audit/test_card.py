"""The card as a whole: thresholds, what is missing, its folder, its page, and checks of users."""

import json

import pytest

import audit_docs
from rollcall import RollcallError
from rollcall.audit import Audit, CheckResult, Findings, Material, QualityCard, QualityCheck, audit
from rollcall.cli.main import main
from rollcall.questions import Answer, Question, QuestionSet

TWO = [
    Question("a", "Who made Salt?", answers=[Answer("Ann", "e1")]),
    Question("b", "Who made <b>Salt</b>?", answers=[Answer("Ann", "e1"), Answer("Ann", "e1")]),
]


def test_thresholds_are_shares_and_only_what_is_above_fails():
    made = audit(TWO, fail_above={"repeated-answers": 0.5, "leftovers": 0.1, "too-long": 0})
    assert made.failures == ["leftovers: 1 of 2 questions (50 %), above 10 %"]
    assert audit(TWO, fail_above={"repeated-answers": 0.33}).failures
    assert not audit(TWO, fail_above={"repeated-answers": 1 / 3}).failures


def test_a_threshold_for_what_cannot_be_checked_is_refused_at_once():
    with pytest.raises(
        RollcallError, match=r"outside-denotation has a threshold, but it needs a graph \(--graph\)"
    ):
        audit(TWO, fail_above={"outside-denotation": 0.1})
    with pytest.raises(RollcallError, match="a share between 0 and 1"):
        audit(TWO, fail_above={"too-long": 2})


def test_what_was_not_checked_says_what_it_needs():
    card = audit(TWO).quality
    assert card.of("unknown-ids").skipped == "needs a graph (--graph)"
    assert card.of("unknown-ids").share is None


def test_the_interval_takes_answers_of_one_question_together():
    findings = Findings()
    for number in range(20):
        question = Question(str(number))
        findings.examined(question, 10)
        if number < 4:
            findings.found(question, "all of them", count=10)
    together = findings.result("a", "", "error", "answers")
    assert (together.examined, together.found) == (200, 40)
    low, high = together.interval
    assert low < 0.1, "twenty questions tell less than two hundred answers"
    assert high > 0.38


def test_the_folder_is_replaced_as_a_whole_and_judgments_stay(tmp_path):
    out = tmp_path / "audit"
    audit(TWO, out=out)
    first = {path.name: path.read_bytes() for path in out.iterdir()}
    assert set(first) == {"audit.json", "quality.json", "index.html"}
    (out / "judgments.jsonl").write_text('{"question": "a"}\n')
    audit(TWO, out=out)
    assert (out / "judgments.jsonl").read_text() == '{"question": "a"}\n'
    assert {name: (out / name).read_bytes() for name in first} == first, "the same set gives the same bytes"
    (out / "mine.txt").write_text("keep me")
    with pytest.raises(RollcallError, match=r"holds mine\.txt"):
        audit(TWO, out=out)
    whole = json.loads((out / "audit.json").read_bytes())
    assert whole["quality"] == json.loads((out / "quality.json").read_bytes())
    assert whole["quality"]["checks"]["leftovers"]["found"] == 1


def test_questions_cannot_put_anything_into_the_page():
    page = audit(TWO).to_html()
    assert "<b>Salt</b>" not in page
    assert "&lt;b&gt;Salt&lt;/b&gt;" in page
    assert "http" not in page.replace("http-equiv", ""), "the page needs no other file"


def test_the_object_prints_and_shows_itself():
    made = audit(TWO, checks=["leftovers", "too-long"])
    assert isinstance(made, Audit)
    assert "leftovers" in repr(made)
    assert "nothing found by too-long" in repr(made)
    assert "leftovers" in made._repr_html_()
    assert list(made.to_frame()["check"]) == ["leftovers", "too-long"]


def test_alarms_are_errors_first_and_never_notes():
    results = [
        CheckResult(name, "", severity, "", 9, 1)
        for name, severity in zip("nwe", ("note", "warning", "error"), strict=True)
    ]
    assert [one.check for one in QualityCard(9, results).alarms()] == ["e", "w"]


def test_what_is_no_check_is_refused(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(
        "from rollcall.audit import QuestionCheck\nclass Idle(QuestionCheck):\n    'Nothing.'\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(
        RollcallError, match=r"is not a quality check: it has no method faults\(question, material\)"
    ):
        audit(TWO, checks=["mine:Idle"])
    with pytest.raises(RollcallError, match="it is not a subclass"):
        audit(TWO, checks=["json:JSONDecoder"])


def test_a_check_of_the_whole_set_reports_by_question():
    class Late(QualityCheck):
        """The last question."""

        def examine(self, material: Material, findings: Findings) -> None:
            for question in material.questions:
                findings.examined(question)
            findings.found(material.questions[-1], "is the last")

    findings = Findings()
    Late().examine(Material(TWO), findings)
    assert findings.result("late", "", "note", "questions").examples[0].question == "b"


def test_the_command_prints_writes_and_then_fails(tmp_path, capsys):
    QuestionSet(TWO).save(tmp_path / "set")
    words = ["audit", str(tmp_path / "set"), "--out", str(tmp_path / "out"), "--json"]
    with pytest.raises(SystemExit) as ended:
        main([*words, "--fail-above", "leftovers=0.1"])
    assert ended.value.code == 2
    printed = capsys.readouterr()
    assert json.loads(printed.out)["failures"] == ["leftovers: 1 of 2 questions (50 %), above 10 %"]
    assert "fails its audit: leftovers: 1 of 2 questions (50 %), above 10 %" in printed.err
    assert (tmp_path / "out" / "index.html").exists()
    with pytest.raises(SystemExit) as ended:
        main([*words, "--fail-above", "leftovers=0.5"])
    assert ended.value.code == 0


def test_a_failure_is_told_once(tmp_path, capsys):
    QuestionSet(TWO).save(tmp_path / "set")
    with pytest.raises(SystemExit):
        main(["audit", str(tmp_path / "set"), "--fail-above", "leftovers=0.1"])
    printed = capsys.readouterr()
    assert (printed.out + printed.err).count("above 10 %") == 1


@pytest.mark.parametrize("wrong", ["leftovers", "leftovers=much", "=0.1"])
def test_a_threshold_that_is_none_is_refused(wrong, tmp_path, capsys):
    QuestionSet(TWO).save(tmp_path / "set")
    with pytest.raises(SystemExit) as ended:
        main(["audit", str(tmp_path / "set"), "--fail-above", wrong])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith("rollcall: ")


def test_the_document_lists_every_check():
    assert audit_docs.written(text := audit_docs.DOCUMENT.read_text("utf-8")) == text, (
        "run python tests/support/audit_docs.py"
    )
