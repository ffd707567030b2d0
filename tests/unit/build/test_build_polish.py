"""A language model rephrases the questions of a build, and only what still asks for the same is accepted."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from model_server import ModelServer
from rollcall import RollcallError
from rollcall.build import Build
from rollcall.corpus import make_corpus
from rollcall.graph import make_graph
from rollcall.questions import Question, QuestionSet

TOWNS = ("Harrow", "Marlow", "Norrow", "Velda", "Aldmar")
CHANGES = ["evidence.verifier=none", "tables.use=false", "answers.least=2"]
REPLIES = {
    "Which pumps are made in Harrow?": "Sure, here it is:\n“Which pumps does one make in Harrow?”",
    "Which pumps are made in Marlow?": "Which pumps are made in Norrow?",
    "Which pumps are made in Norrow?": "Which pumps are used in Norrow?",
    "Which pumps are made in Velda?": "I would rather not.",
}


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Five towns that make three pumps each, which are used in another town; text states it."""
    folder = tmp_path_factory.mktemp("inputs")
    pumps = [(f"Falcon{letter}", TOWNS[n % 5]) for n, letter in enumerate("ABCDEFGHIJKLMNO")]
    rows = [
        f"{pump},pump,{town},{TOWNS[(TOWNS.index(town) + n) % 5]}\n" for n, (pump, town) in enumerate(pumps)
    ]
    (folder / "pumps.csv").write_text("pump,kind,made in,used in\n" + "".join(rows))
    columns = "id=pump,types=kind,object=made in,object=used in"
    make_graph([folder / "pumps.csv"], folder / "graph", source_options={"columns": columns}, jobs=1)
    pages = [{"title": pump, "text": f"{pump} is made in {town}."} for pump, town in pumps]
    (folder / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in pages))
    make_corpus([folder / "pages.jsonl"], folder / "corpus", graph=folder / "graph", jobs=1)
    return {"graph": folder / "graph", "corpus": folder / "corpus"}


def answer(body: dict[str, Any]) -> str:
    question = body["messages"][-1]["content"]
    return REPLIES.get(question, question)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(answer) as running:
        yield running


def polished(inputs: dict[str, Path], out: Path, url: str) -> Build:
    made = Build("qampari", **inputs, out=out, changes=[*CHANGES, f"wording.polish={url}, small"], jobs=1)
    made.run()
    return made


def by_town(out: Path) -> dict[str, Question]:
    questions = [question for question in QuestionSet.open(out) if "made in" in (question.query or out).text]  # type: ignore[union-attr]
    return {question.provenance["entities"][0]: question for question in questions}


def test_a_new_wording_counts_if_it_asks_for_the_same(
    inputs: dict[str, Path], tmp_path: Path, server: ModelServer
) -> None:
    made = polished(inputs, tmp_path / "set", server.url)
    questions = by_town(tmp_path / "set")
    assert questions["Harrow"].question == "Which pumps does one make in Harrow?"
    assert questions["Harrow"].wordings[0] == "Which pumps are made in Harrow?"
    for town in TOWNS[1:]:
        assert questions[town].question == f"Which pumps are made in {town}?"
    outcome = next(step.outcome for step in made.run() if step.stage == "polish")
    assert outcome.counts == {
        "rephrased": 1,
        "left as it was": 2,
        "not rephrased, a name or figure was lost": 1,
        "not rephrased, ask understands another query": 1,
        "not rephrased, the reply has no question": 1,
    }
    assert outcome.notes == [
        "small rephrased 1 of 6 questions, left 2 as they were; refused are 3: 1 a name or figure was "
        "lost; 1 ask understands another query; 1 the reply has no question"
    ]


def test_replies_are_paid_for_once(inputs: dict[str, Path], tmp_path: Path, server: ModelServer) -> None:
    server.script.extend([None, None, (401, {}, "no key")])
    with pytest.raises(RollcallError, match="no key"):
        polished(inputs, tmp_path / "set", server.url)
    kept = server.asked.total()
    made = polished(inputs, tmp_path / "set", server.url)
    assert max(server.asked.values()) == 1
    assert server.asked.total() == len(QuestionSet.open(tmp_path / "set")) > kept >= 1
    assert not any(step.runs for step in made.plan())
    # Whether questions are rephrased concerns no other stage of the search for evidence.
    plain = Build("qampari", **inputs, out=tmp_path / "set", changes=CHANGES, jobs=1)
    assert [step.stage for step in plain.plan() if step.runs] == ["assemble", "release"]
    plain.run()
    assert by_town(tmp_path / "set")["Harrow"].question == "Which pumps are made in Harrow?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("http://localhost:8000/v1", "wording.polish: .*write it as http://localhost:8000/v1, NAME"),
        ("http://me:secret@localhost/v1, small", "wording.polish: "),
    ],
)
def test_a_server_that_cannot_be_meant_is_refused(
    inputs: dict[str, Path], tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(RollcallError, match=message):
        Build("qampari", **inputs, out=tmp_path / "set", changes=[f"wording.polish={text}"], jobs=1)
