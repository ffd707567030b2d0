"""`rollcall extract` as a user calls it: proposing, correcting, costs, a kill, and a set built at the end."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

import pump_documents
from model_server import ModelServer
from rollcall.cli.main import app
from rollcall.corpus import make_corpus
from rollcall.questions import QuestionSet

pytest.importorskip("openai", reason="the extra `llm` is not installed")
PROPOSAL = {
    "classes": {"company": "a firm", "person": "somebody"},
    "relations": {"founded by": {"subject": "company", "object": "person"}},
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return make_corpus([pump_documents.write(tmp_path / "texts")], tmp_path / "corpus", jobs=1).folder


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    (tmp_path / "schema.yaml").write_text(pump_documents.SCHEMA)
    return tmp_path / "schema.yaml"


def call(*words: object) -> str:
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.output or done.exception
    return done.output


def model(server: ModelServer) -> list[str]:
    return ["--base-url", server.url, "--model", "m"]


def test_a_schema_is_shown_for_correction_and_then_used(corpus, tmp_path):
    with ModelServer(lambda body: {"text": json.dumps(PROPOSAL)}) as server:
        told = call("extract", corpus, "--propose", tmp_path / "schema.yaml", *model(server))
        assert "founded by:" in told
        assert "2 classes and 1 relation, proposed by the model" in told
        assert f"correct it, then: rollcall extract {corpus} --schema {tmp_path / 'schema.yaml'}" in told
        assert not (tmp_path / "mine").exists()
        again = ["extract", corpus, "--propose", tmp_path / "schema.yaml", *model(server)]
        refused = CliRunner().invoke(app, [str(word) for word in again])
        assert "schema.yaml: exists; name another file, or replace it with --force" in str(refused.exception)
        call(*again, "--force")
        server.answer = pump_documents.read
        out = tmp_path / "mine"
        given = [*model(server), "--out", out, "--schema", tmp_path / "schema.yaml", "--verifier", "none"]
        told = call("extract", corpus, *given, "--price", "1,2")
    assert "10 pages in 10 requests: about " in told
    assert "in money" in told.splitlines()[0]
    assert "5 facts of 10 pages" in told
    assert f"rollcall build qampari --graph {out} --corpus {out}.corpus" in told
    assert "10 asked, 0 cached" in told


def test_without_a_schema_one_is_proposed_once_and_a_corrected_one_stays(corpus, tmp_path):
    def answer(body):
        proposing = "You design the schema" in body["messages"][0]["content"]
        return {"text": json.dumps(PROPOSAL)} if proposing else pump_documents.read(body)

    out = tmp_path / "mine"
    with ModelServer(answer) as server:
        call("extract", corpus, "--out", out, "--verifier", "none", *model(server))
        (tmp_path / "mine.schema.yaml").write_text(pump_documents.SCHEMA)
        told = call("extract", corpus, "--out", out, "--verifier", "none", *model(server))
    assert "read by this schema, which is there" in told
    assert "23 facts of 10 pages" in told


def test_what_it_would_cost_is_told_and_nothing_is_sent(corpus, schema, tmp_path):
    with ModelServer() as server:
        told = call(
            "extract",
            corpus,
            "--schema",
            schema,
            "--out",
            tmp_path / "mine",
            "--dry-run",
            "--json",
            *model(server),
        )
        assert not server.received
    assert json.loads(told.splitlines()[0])["requests"] == 10
    assert not (tmp_path / "mine").exists()


@pytest.mark.slow
def test_a_kill_loses_only_the_replies_in_flight(corpus, schema, tmp_path):
    enough, released = threading.Event(), threading.Event()

    def answer(body):
        if len(server.received) > 5:
            enough.set()
            released.wait(60)
        return pump_documents.read(body)

    words = [sys.executable, "-m", "rollcall", "extract", str(corpus), "--schema", str(schema), "--out"]
    with ModelServer(answer) as server:
        words += [
            str(tmp_path / "mine"),
            "--verifier",
            "none",
            "--concurrency",
            "1",
            "--json",
            *model(server),
        ]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            assert enough.wait(60)
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
        assert not (tmp_path / "mine" / "graph.json").exists()
        released.set()
        server.answer = pump_documents.read
        again = subprocess.run(words, capture_output=True, text=True)
        assert again.returncode == 0, again.stderr
        # Five replies were kept; the sixth was in flight.
        assert len(server.received) == 11
    assert json.loads(again.stdout)["kept"] == len(pump_documents.FACTS)
    assert "5 answered before" in again.stderr


def test_mistakes_are_one_line(corpus, tmp_path):
    for words, said in [
        (["--out", tmp_path / "mine", "--model", "m"], "--base-url and --model belong together"),
        (["--out", tmp_path / "mine", "--propose", tmp_path / "x.yaml"], "are for a language model"),
        (["--out", tmp_path / "mine", "--schema", tmp_path / "x.yaml"], "x.yaml: no such file"),
        ([], "--out GRAPH says where the graph goes"),
    ]:
        done = CliRunner().invoke(app, ["extract", str(corpus), *map(str, words)])
        assert done.exit_code != 0
        assert said in str(done.exception)


@pytest.mark.slow
def test_questions_are_built_from_documents_alone(corpus, schema, tmp_path):
    with ModelServer(pump_documents.read) as server:
        call(
            "extract",
            corpus,
            "--schema",
            schema,
            "--out",
            tmp_path / "mine",
            *model(server),
            "--verifier",
            "none",
        )
    changes = ["answers.least=2", "evidence.verifier=none", "split.quotas.simple=50"]
    call(
        *(
            "build",
            "qampari",
            "--graph",
            tmp_path / "mine",
            "--corpus",
            tmp_path / "mine.corpus",
            "--jobs",
            1,
        ),
        *("--out", tmp_path / "set", *(word for change in changes for word in ("--set", change))),
    )
    questions = QuestionSet.open(tmp_path / "set")
    answers = {frozenset(answer.label for answer in one.answers) for one in questions}
    assert frozenset({"Nordwerk AG", "Brenner GmbH", "Sorell Pumps"}) in answers, (
        "what Lindqvist Holding owns"
    )
    assert frozenset({"Heron Valve", "Otter Pump"}) in answers, "what Jonas Pell designed"
    texts = {piece.text for one in questions for answer in one.answers for piece in answer.evidence}
    assert any("designed by Jonas Pell" in text for text in texts)
