"""`sempre`, `parasempre` and `jacana`: trained on questions and answers alone, they answer others."""

import json
from pathlib import Path

import pytest

import rollcall
from rollcall import RollcallError
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.questions import Question
from rollcall.score import score
from rollcall.systems import Asked, Context, ReadingError, open_reader
from toy_asking import toy_asking_graph, toy_questions

SYSTEMS = ("sempre", "parasempre", "jacana")
OPTIONS = {"sempre": {}, "parasempre": {"vectors": False}, "jacana": {}}


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    with toy_asking_graph(tmp_path_factory.mktemp("toy") / "graph") as opened:
        yield opened


def questions(system: str) -> list[Question]:
    """The toy questions; `jacana` cannot count."""
    return toy_questions(counts=system != "jacana")


@pytest.fixture(scope="module")
def trained(graph, tmp_path_factory):
    """The folders of all three, each trained when it is first asked for."""
    folder, made = tmp_path_factory.mktemp("trained"), {}

    def of(system: str) -> Path:
        if system not in made:
            made[system] = rollcall.train(
                system, questions(system), out=folder / system, graph=graph, options=OPTIONS[system]
            )
        return made[system]

    return of


def reader_of(system: str, folder: Path, graph: Graph, **options: object):
    return open_reader(system, Context(graph=graph), {"model": str(folder), **options})


@pytest.mark.parametrize("system", SYSTEMS)
def test_words_that_no_label_has_are_learned_from_answers(system, graph, trained):
    run = rollcall.run(
        questions(system), system, graph=graph, split="test", options={"model": str(trained(system))}
    )
    test = [one for one in questions(system) if one.split == "test"]
    assert len(run) == len(test) > 20
    report = score(test, run, measures="F1", confidence=None)
    assert report["F1"].value == 1.0


@pytest.mark.parametrize("system", ["sempre", "parasempre"])
def test_every_answer_comes_with_the_query_that_gave_it(system, graph, trained):
    test = [one for one in questions(system) if one.split == "test"]
    run = rollcall.run(test, system, graph=graph, options={"model": str(trained(system))})
    for question, prediction in zip(test, run, strict=True):
        found = graph.answers(Query.parse(prediction.query))
        ids = {one.id or one.label for one in question.answers}
        assert {one if isinstance(one, str) else str(one) for one in found} == ids
    reader = reader_of(system, trained(system), graph)
    found = reader.understand("How many films did Saba Varn shoot?")
    assert found.query.text.startswith("count")
    assert 0.2 < found.score <= 1.0
    assert not found.not_understood


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_question_that_names_nothing_is_not_understood_and_the_words_are_told(system, graph, trained):
    reader = reader_of(system, trained(system), graph)
    with pytest.raises(ReadingError, match=r"not understood: .*zebra"):
        reader.read(Asked("1", "Why is the zebra striped?"), ())


def test_a_question_that_it_is_not_sure_of_is_not_answered(graph, trained):
    reader = reader_of("sempre", trained("sempre"), graph, least=1.1)
    with pytest.raises(ReadingError, match="not understood"):
        reader.read(Asked("1", "Who shot Amber Meadow?"), ())


@pytest.mark.parametrize("system", SYSTEMS)
def test_questions_of_the_training_are_refused_unless_allowed(system, graph, trained):
    seen = next(one for one in questions(system) if one.split == "train")
    asked = Asked(seen.id, seen.question)
    with pytest.raises(RollcallError, match="was trained on 1 of these 1 questions; choose others"):
        reader_of(system, trained(system), graph).read(asked, ())
    allowing = reader_of(system, trained(system), graph, seen=True)
    assert allowing.read(asked, ())
    assert allowing.settings()["seen"] is True, "a run tells it"


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_missing_is_said_in_one_line(system, graph, tmp_path):
    with pytest.raises(RollcallError, match=f"the reader {system} needs the option model: give --option"):
        open_reader(system, Context(graph=graph))
    with pytest.raises(RollcallError, match=f"make one with `rollcall train {system}`"):
        reader_of(system, tmp_path / "none", graph)
    with pytest.raises(RollcallError, match=f"training {system} needs a graph: give --graph"):
        rollcall.train(system, toy_questions(), out=tmp_path / "model")
    with pytest.raises(RollcallError, match=f"{system} does not start from a checkpoint"):
        rollcall.train(system, toy_questions(), out=tmp_path / "model", graph=graph, base="any")
    with pytest.raises(RollcallError, match="has no option passs; did you mean passes"):
        rollcall.train(system, toy_questions(), out=tmp_path / "model", graph=graph, options={"passs": 1})
    with pytest.raises(RollcallError, match="has no parts"):
        rollcall.train(
            system, toy_questions(), out=tmp_path / "model", graph=graph, options={"pig.base": "any"}
        )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("system", SYSTEMS)
def test_questions_about_another_graph_are_refused(system, graph, tmp_path):
    from rollcall.questions import Answer

    other = [Question("1", "Who wrote Nothing Here?", split="train", answers=[Answer("Nobody", "Q99")])]
    with pytest.raises(RollcallError, match="nothing can be learned; is it the graph that they are about"):
        rollcall.train(system, other, out=tmp_path / "model", graph=graph, options=OPTIONS[system])


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_same_training_gives_the_same_bytes_also_when_it_was_interrupted(
    system, graph, trained, tmp_path, monkeypatch
):
    from rollcall.papers.semantic_parsers import learning

    kept, calls = learning._keep, []

    def interrupted(*given):
        kept(*given)
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt

    def again() -> Path:
        return rollcall.train(
            system, questions(system), out=tmp_path / "again", graph=graph, options=OPTIONS[system]
        )

    monkeypatch.setattr(learning, "_keep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        again()
    monkeypatch.setattr(learning, "_keep", kept)
    made = again()
    for file in sorted(trained(system).iterdir()):
        assert (made / file.name).read_bytes() == file.read_bytes()
    with pytest.raises(RollcallError, match=f"again: already holds a trained {system}; remove it"):
        again()


def test_what_would_have_no_effect_on_a_training_is_refused(graph, tmp_path):
    def refused(told: str, system: str = "sempre", **given: object) -> None:
        with pytest.raises(RollcallError, match=told):
            rollcall.train(system, questions("sempre"), out=tmp_path / "new", graph=graph, **given)

    refused("no question is of the split nosuch", dev="nosuch")
    refused("a share needs other questions", share=0.3)
    refused("leave out the set", exercises=tmp_path)
    refused("the trainable system pig has no option stepz", "pig", corpus=tmp_path, options={"stepz": 3})
    assert not list(tmp_path.iterdir())


def test_a_training_says_what_it_was(graph, trained):
    about = json.loads((trained("sempre") / "rollcall.json").read_bytes())
    assert about["system"] == "sempre"
    assert about["options"]["beam"] == 50
    assert [sorted(one) for one in about["history"]] == [["F1 before learning", "reached"]] * 3
    assert about["history"][0]["F1 before learning"] < about["history"][-1]["F1 before learning"]


def test_dev_decides_the_threshold_and_is_reported(graph, tmp_path):
    every = toy_questions(counts=False)
    renamed = [one for one in every if one.split == "train"]
    for one in (other for other in every if other.split == "test"):
        one.split = "dev"
        renamed.append(one)
    folder = rollcall.train("jacana", renamed, out=tmp_path / "model", graph=graph)
    assert json.loads((folder / "rollcall.json").read_bytes())["best"] == 1.0
