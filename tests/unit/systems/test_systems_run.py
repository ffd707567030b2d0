"""`rollcall retrieve` and `rollcall run`: resumed after kills, failures told and tried again, scored."""

import json
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from model_server import ModelServer
from rollcall import RollcallError
from rollcall._core.checksums import FILES, sealed
from rollcall._core.errors import RollcallWarning
from rollcall.cli.main import app
from rollcall.questions import EntityAnswer, Prediction, Question, Run, read_run
from rollcall.score import score
from rollcall.systems import AnswerCheck, Reader, ReadingError, Retriever
from rollcall.systems.check.verified import Verified
from rollcall.systems.retrieve.dense import Fusion
from rollcall.systems.running import Running


@pytest.fixture(scope="module")
def made(asked_world):
    return asked_world


def command(*arguments):
    result = CliRunner().invoke(app, [str(one) for one in arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


class Echo:
    """A reader that answers with the question, fails where told, and counts."""

    name = "echo"

    def __init__(self, failing=()):
        self.failing, self.asked = set(failing), []

    def read(self, question, passages):
        self.asked.append(question.id)
        if question.id in self.failing:
            raise ReadingError("a bad day")
        return [question.question, EntityAnswer("Q1", "One")]


QUESTIONS = [Question(f"q{n}", f"Who is {n}?") for n in range(9)]


def test_a_run_is_taken_up_and_failures_are_tried_again(tmp_path):
    out = tmp_path / "run.jsonl"
    first = Running(QUESTIONS, None, Echo({"q3", "q5"}), show=False).run(out)
    assert [one.id for one in first if one.failure == "a bad day"] == ["q3", "q5"]
    again = Echo()
    second = Running(QUESTIONS, None, again, show=False).run(out)
    assert again.asked == ["q3", "q5"]
    assert [one.id for one in second] == [one.id for one in QUESTIONS]
    assert all(one.failure is None for one in read_run(out))
    whole = tmp_path / "whole.jsonl"
    Running(QUESTIONS, None, Echo(), show=False).run(whole)
    assert out.read_bytes() == whole.read_bytes()


def test_a_line_that_was_cut_off_is_asked_again(tmp_path):
    out = tmp_path / "run.jsonl"
    Running(QUESTIONS, None, Echo(), show=False).run(out)
    whole = out.read_bytes()
    out.write_bytes(whole[: len(whole) // 2])
    unfinished(out)
    reader = Echo()
    Running(QUESTIONS, None, reader, show=False).run(out)
    assert 0 < len(reader.asked) < len(QUESTIONS)
    assert out.read_bytes() == whole


def unfinished(run: Path) -> None:
    """Let a run look as a kill leaves it: its settings tell no checksum before the end."""
    path = run.with_name(f"{run.name}.settings.json")
    settings = json.loads(path.read_text())
    del settings[FILES]
    path.write_text(json.dumps(sealed(settings)))


def test_a_finished_run_that_was_changed_is_not_gone_on_with(tmp_path):
    out = tmp_path / "run.jsonl"
    Running(QUESTIONS, None, Echo(), show=False).run(out)
    whole, settings = out.read_bytes(), tmp_path / "run.jsonl.settings.json"
    assert b"answers" in whole
    for damaged in (whole.replace(b"answers", b"answerz", 1), whole[: len(whole) // 2], b""):
        out.write_bytes(damaged)
        with pytest.raises(RollcallError, match=r"run\.jsonl: damaged: its content is not what was written"):
            Running(QUESTIONS, None, Echo(), show=False).run(out)
    out.write_bytes(whole.replace(b"answers", b"answerz", 1))
    with pytest.warns(RollcallWarning, match=r"run\.jsonl differs from the checksum in its settings"):
        Run.open(out)
    out.write_bytes(whole)
    told = settings.read_text()
    for damaged in (told.replace('"files"', '"filez"'), told[:20], ""):
        settings.write_text(damaged)
        with pytest.raises(
            RollcallError, match=r"run\.jsonl\.settings\.json beside it is missing or damaged"
        ):
            Running(QUESTIONS, None, Echo(), show=False).run(out)


def test_each_line_is_there_as_soon_as_its_question_is_answered(tmp_path):
    out = tmp_path / "run.jsonl"

    class Looking(Echo):
        def read(self, question, passages):
            assert len(out.read_bytes().splitlines()) == len(self.asked)
            return super().read(question, passages)

    assert len(Running(QUESTIONS, None, Looking(), show=False).run(out)) == len(QUESTIONS)


class Shout(Echo):
    """Another reader, of the same name."""

    def read(self, question, passages):
        return [question.question.upper()]


def test_two_systems_never_share_a_file(tmp_path):
    """What made a run is told by the systems themselves: the answers of one are never taken for another's."""
    out = tmp_path / "run.jsonl"
    Running(QUESTIONS, None, Echo(), k=5, show=False).run(out)
    with pytest.raises(RollcallError, match="k: 5 then, 6 now"):
        Running(QUESTIONS, None, Echo(), k=6, show=False).run(out)
    with pytest.raises(RollcallError, match=r"reader.class: '.*Echo' then, '.*Shout' now"):
        Running(QUESTIONS, None, Shout(), k=5, show=False).run(out)
    warmer = Echo()
    warmer.temperature = 0.7
    with pytest.raises(RollcallError, match=r"reader.temperature: None then, 0.7 now"):
        Running(QUESTIONS, None, warmer, k=5, show=False).run(out)
    with pytest.raises(RollcallError, match=r"covers.questions: 9 then, 3 now"):
        Running(QUESTIONS[:3], None, Echo(), k=5, show=False).run(out)
    (tmp_path / "notes.jsonl").write_text("{}\n")
    with pytest.raises(RollcallError, match="remove it"):
        Running(QUESTIONS, None, Echo(), show=False).run(tmp_path / "notes.jsonl")


class Choosy(Echo):
    """A reader that refuses a question, as one does that has seen it in training."""

    def read(self, question, passages):
        if question.id in self.failing:
            raise RollcallError(f"not {question.id}")
        return super().read(question, passages)


def test_what_is_refused_at_once_leaves_nothing_in_the_way_of_the_next_command(tmp_path):
    out = tmp_path / "run.jsonl"
    with pytest.raises(RollcallError, match="not q0"):
        Running(QUESTIONS, None, Choosy({"q0"}), show=False).run(out)
    assert not list(tmp_path.iterdir())
    with pytest.raises(RollcallError, match="not q4"):
        Running(QUESTIONS, None, Choosy({"q4"}), show=False).run(out)
    assert [one.id for one in read_run(out)] == ["q0", "q1", "q2", "q3"]  # what was answered stays


class Trained(Echo, Reader):
    """A reader that was trained on a question."""

    def check_questions(self, questions):
        count = sum(one.id in self.failing for one in questions)
        if count:
            raise RollcallError(f"was trained on {count} of these {len(questions)} questions")


class TrainedRetriever(Retriever):
    """A retriever that was trained on every question."""

    def check_questions(self, questions):
        raise RollcallError(f"the retriever knows all {len(questions)}")

    def retrieve(self, questions, k):
        return [[] for _ in questions]


def test_questions_of_a_training_are_refused_before_any_is_answered(tmp_path):
    reader, out = Trained({"q4"}), tmp_path / "run.jsonl"
    told = f"was trained on 1 of these {len(QUESTIONS)} questions"
    nothing = Verified(reader, TrainedRetriever(), AnswerCheck())
    for system in (reader, nothing):
        with pytest.raises(RollcallError, match=told):
            Running(QUESTIONS, None, system, show=False).run(out)
    with pytest.raises(RollcallError, match=f"the retriever knows all {len(QUESTIONS)}"):
        Running(QUESTIONS, Fusion(TrainedRetriever()), Echo(), show=False).run(out)
    assert not list(tmp_path.iterdir())


def test_a_run_on_which_everything_failed_says_so(tmp_path):
    with pytest.raises(RollcallError, match=r"every question failed.*a bad day"):
        Running(QUESTIONS, None, Echo({one.id for one in QUESTIONS}), show=False).run(tmp_path / "run.jsonl")


def test_what_failed_is_told_by_the_score_and_not_taken_for_empty(tmp_path, made):
    out = tmp_path / "run.jsonl"
    questions = made.questions.questions[:5]
    Running(questions, None, Echo({questions[2].id}), show=False).run(out)
    report = score(questions, out, confidence=None)
    assert report.unmatched.failed == {questions[2].id: "a bad day"}
    assert "failed" in "\n".join(report.unmatched.lines())


def test_runs_with_entities_empty_answers_or_passages_alone_are_read_back(tmp_path):
    runs = [
        [Prediction("1", [EntityAnswer("Q1", "One")]), Prediction("2")],
        [Prediction("1"), Prediction("2", ["Ann"])],
        [Prediction("1", failure="broke"), Prediction("2")],
    ]
    for number, predictions in enumerate(runs):
        Run(predictions).save(tmp_path / f"{number}.jsonl")
        assert list(read_run(tmp_path / f"{number}.jsonl")) == predictions


def test_retrieved_passages_are_scored_from_the_command_line(made, tmp_path):
    out = tmp_path / "bm25.jsonl"
    told = command("retrieve", made.folder / "set", "--corpus", made.folder / "corpus", "--out", out)
    assert "by bm25" in told
    cuts = (10, 25, 50, 100, 200)
    measures = ",".join(f"{name}@{k}" for name in ("ARecall", "ERecall") for k in cuts)
    report = json.loads(command("score", made.folder / "set", out, "--measures", measures, "--json"))
    for name in ("ARecall", "ERecall"):
        values = [report["measures"][f"{name}@{k}"]["value"] for k in cuts]
        assert values == sorted(values)
        assert values[-1] > 0.8
    oracle = tmp_path / "oracle.jsonl"
    common = (made.folder / "set", "--corpus", made.folder / "corpus", "--no-texts", "--retriever", "oracle")
    command("retrieve", *common, "--out", oracle)
    report = json.loads(command("score", made.folder / "set", oracle, "--measures", "ERecall@200", "--json"))
    assert report["measures"]["ERecall@200"]["value"] == 1.0


def test_mentions_from_the_command_line(made, tmp_path):
    out = tmp_path / "mentions.jsonl"
    common = [
        "run",
        made.folder / "set",
        "--corpus",
        made.folder / "corpus",
        "--graph",
        made.folder / "graph",
    ]
    told = command(*common, "--split", "dev", "--limit", "10", "--k", "30", "--time", "--out", out)
    assert "10 questions by mentions" in told
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert all(line["seconds"] >= 0 for line in lines)
    report = score(made.folder / "set", out, missing="skip", confidence=None)
    assert report["F1"].value > 0.3


def test_a_budget_ends_a_run_cleanly_and_a_higher_one_goes_on(made, tmp_path):
    pytest.importorskip("openai", reason="the extra `llm` is not installed")
    out = tmp_path / "llm.jsonl"
    with ModelServer() as server:
        common = ["run", made.folder / "set", "--reader", "llm", "--way", "closed-book", "--model", "tiny"]
        common += [
            "--base-url",
            server.url,
            "--limit",
            "8",
            "--max-tokens",
            "50",
            "--out",
            out,
            "--concurrency",
            "1",
        ]
        with pytest.raises(RollcallError, match="budget of 700 tokens"):
            command(*common, "--budget-tokens", "700")
        done = len(out.read_text().splitlines())
        assert 0 < done < 8
        told = command(*common, "--budget-tokens", "100000", "--price", "1,2")
        assert "8 questions" in told
        assert "spent" in told
        assert len(server.received) == 8


@pytest.mark.slow
def test_killed_at_random_and_started_again_the_run_is_the_same(made, tmp_path):
    """No question is lost, none is answered twice, and the file is that of a run that nobody killed."""
    pytest.importorskip("openai", reason="the extra `llm` is not installed")
    chance = random.Random(11)
    limit = 16
    reached, killed = threading.Event(), threading.Event()
    kill_at = [0]

    def answer(body):
        prompt = body["messages"][-1]["content"]
        if kill_at[0] and len(server.received) >= kill_at[0] and not killed.is_set():
            reached.set()
            killed.wait(60)
            raise BrokenPipeError
        return [prompt[-20:], "Ann, of Orm"]

    with ModelServer(answer) as server:
        begin = [sys.executable, "-m", "rollcall.cli.main", "run", str(made.folder / "set")]
        begin += ["--corpus", str(made.folder / "corpus"), "--reader", "llm", "--model", "tiny", "--k", "15"]
        begin += [
            "--base-url",
            server.url,
            "--limit",
            str(limit),
            "--concurrency",
            "1",
            "--cache",
            str(tmp_path / "cache"),
        ]
        for _ in range(2):
            reached.clear()
            killed.clear()
            kill_at[0] = len(server.received) + chance.randint(1, 7)
            process = subprocess.Popen(
                [*begin, "--out", str(tmp_path / "run.jsonl")], stdout=subprocess.DEVNULL
            )
            assert reached.wait(60)
            process.kill()
            process.wait()
            killed.set()
        kill_at[0] = 0
        subprocess.run([*begin, "--out", str(tmp_path / "run.jsonl")], check=True, stdout=subprocess.DEVNULL)
        assert len(server.asked) == limit
        assert set(server.asked.values()) == {1}
        whole = Path(tmp_path / "whole.jsonl")
        subprocess.run([*begin, "--out", str(whole)], check=True, stdout=subprocess.DEVNULL)
        assert set(server.asked.values()) == {1}  # the second run was paid for by the first
    assert (tmp_path / "run.jsonl").read_bytes() == whole.read_bytes()
    assert len({one.id for one in read_run(whole)}) == limit
