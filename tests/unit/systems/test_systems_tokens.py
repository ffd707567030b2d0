"""Runs of language models say how many tokens each question took, cached or not."""

from pathlib import Path
from typing import Any

import pytest

from model_server import ModelServer
from rollcall import run
from rollcall.llm import Client, ReplyCache
from rollcall.questions import Answer, Candidate, Question
from rollcall.score import score

QUESTIONS = [
    Question("1", "Who?", answers=[Answer("Ann")], candidates=[Candidate("Ann"), Candidate("Bo")]),
    Question("2", "Whom?", answers=[Answer("Cy")], candidates=[Candidate("Cy", is_answer=True)]),
]


def stubborn(body: dict[str, Any]) -> str:
    """A model that is asked for the second question twice, because it first gives no list."""
    asked = body["messages"]
    return "let me think" if len(asked) == 2 and "Whom?" in asked[-1]["content"] else '["Ann"]'


def test_tokens_are_written_and_scored(tmp_path: Path) -> None:
    with ModelServer(stubborn) as server:
        runs = []
        for _ in range(2):
            client = Client(server.url, cache=ReplyCache(tmp_path / "cache"))
            options = {"mode": "closed-book"}
            runs.append(run(QUESTIONS, "llm", client=client, model="m", options=options))
            client.close()
    assert [[one.tokens for one in made] for made in runs] == [[110, 220]] * 2, "the server counts 100 + 10"
    report = score(QUESTIONS, runs[0], measures="tokens/right tokens", confidence=None)
    assert report["tokens/right"].value == pytest.approx(330 / 1)
    assert report["tokens"].value == pytest.approx(165)


def test_tokens_of_candidates() -> None:
    with ModelServer(lambda body: "Yes") as server:
        made = run(QUESTIONS, "llm", client=Client(server.url), model="m", options={"mode": "closed"})
    assert [one.tokens for one in made] == [220, 110]
