"""The reranker of `ask`: its training examples, that it learns to rank, and how sure it then is."""

import random

import pytest

from asking_graph import asking_graph
from rollcall import RollcallError
from rollcall.questions import Answer, QueryRecord, Question
from rollcall.systems import Asked, Context, open_reader
from rollcall.systems.ask.asker import Asker
from rollcall.systems.ask.forms import FEATURES
from rollcall.systems.ask.ranking import (
    NETWORK,
    WEIGHTS,
    Reranker,
    RerankerSettings,
    pair_of,
    read_reranker_settings,
)
from rollcall.systems.train.ask import as_typed, mistyped
from rollcall.systems.train.training_example import QueryReading, read_examples

pytest.importorskip("torch", reason="training needs the extra `neural`")
pytest.importorskip("accelerate", reason="training needs the extra `neural`")

from rollcall import train
from rollcall.systems.ask.ranking import trained_reranker
from rollcall.systems.train.ask import fitted
from tiny_checkpoints import tiny_encoder

_PHRASED = {"P57": "Who called the shots on {}?", "P162": "Who put up the money for {}?"}
"""Phrases that no lexicon has."""


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    with asking_graph(tmp_path_factory.mktemp("asking") / "graph") as opened:
        yield opened


@pytest.fixture(scope="module")
def questions(graph):
    """Who directed, and who produced, the films that have both a director and a producer."""
    found = []
    for film in ("Nine Lanterns", "The Long Tide", "Salt Road"):
        id_ = graph.resolve_entity(film)
        for relation, phrase in _PHRASED.items():
            query = f"{{{id_} {relation} ?x}}"
            found.append(
                Question(
                    f"{film} {relation}", phrase.format(film), query=QueryRecord(query),
                    split="dev" if film == "Salt Road" else "train", answers=[Answer("somebody")],
                )
            )  # fmt: skip
    return found


@pytest.fixture(scope="module")
def examples(graph, questions, tmp_path_factory):
    out = tmp_path_factory.mktemp("ask") / "exercises"
    options = {"variants": 6, "typed": 0.0}
    return train("ask", questions, graph=graph, out=out, prepare=True, options=options, progress=False)


@pytest.fixture(scope="module")
def model(examples, tmp_path_factory):
    made = [one for part in ("train", "dev") for one in read_examples(examples / f"{part}.jsonl.gz")]
    texts = [text for one in made for reading in one.readings for text in (reading.question, reading.wording)]
    folder = tmp_path_factory.mktemp("trained")
    return train(
        "ask", out=folder / "model", exercises=examples, base=tiny_encoder(folder / "base", texts),
        options={"learning_rate": 3e-3, "epochs": 12, "batch": 4, "evaluate": 1000}, progress=False,
    )  # fmt: skip


def labels(asker, question):
    return sorted(asker.graph.label(one) for one in asker.answers(asker.understand(question)))


def test_examples_have_readings_with_letters_for_names(examples):
    made = read_examples(examples / "train.jsonl.gz")
    assert len(made) == 4 * 6
    own = [one for one in made if one.id.startswith("Nine Lanterns P57/") and "shots" in one.question.lower()]
    assert own
    for one in own:
        right = [reading for reading in one.readings if reading.is_right]
        wrong = [reading for reading in one.readings if not reading.is_right]
        assert right
        assert wrong
        assert "X" in right[0].question
        assert "lanterns" not in right[0].question.lower()
        assert "Lanterns" not in right[0].wording
        assert len(right[0].features) == len(FEATURES)
        assert {reading.answers for reading in right}.isdisjoint({reading.answers for reading in wrong})


def test_examples_are_the_same_bytes_again(graph, questions, examples, tmp_path):
    options = {"variants": 6, "typed": 0.0}
    again = train("ask", questions, graph=graph, out=tmp_path / "again", prepare=True, options=options)
    for part in ("train", "dev"):
        assert (again / f"{part}.jsonl.gz").read_bytes() == (examples / f"{part}.jsonl.gz").read_bytes()


def test_phrases_that_no_list_has_are_learned(graph, model):
    before = Asker(graph, rerank=False)
    after = Asker(graph, rerank=trained_reranker(model))
    asked = {
        "Who called the shots on Salt Road?": "Tomas Reik",
        "Who put up the money for Salt Road?": "Mira Solt",
    }
    assert any(labels(before, question) != [gold] for question, gold in asked.items())
    for question, gold in asked.items():
        found = after.understand(question)
        assert labels(after, question) == [gold]
        assert NETWORK in found.candidates[0].features
        assert 0.0 < found.surety < 1.0
        assert [one.score for one in found.candidates] == sorted(
            (one.score for one in found.candidates), reverse=True
        )


def test_the_reader_uses_a_trained_model_and_refuses_what_it_has_seen(graph, model, questions):
    def reader(**options):
        return open_reader("ask", Context(graph=graph), options={"model": str(model), **options})

    film = Asked("new", "who called the shots on salt road")
    assert [one.label for one in reader().read(film, [])] == ["Tomas Reik"]
    seen = Asked("old", questions[0].question)
    with pytest.raises(RollcallError, match="was trained on"):
        reader().read(seen, [])
    found = reader(seen=True)
    assert found.read(seen, [])
    assert "P57" in found.query_of("old")
    assert found.query_of("old") is None
    plain = open_reader("ask", Context(graph=graph), options={"rerank": False})
    assert plain.settings() != found.settings()


def test_a_folder_of_something_else_is_refused(graph, model, tmp_path):
    with pytest.raises(RollcallError, match="is not a trained system"):
        trained_reranker(tmp_path)
    (tmp_path / "ask.json").write_text('{"length": 64, "weights": {}, "surety": {}}')
    with pytest.raises(RollcallError, match="another version"):
        read_reranker_settings(tmp_path)
    (tmp_path / "ask.json").write_text("{")
    with pytest.raises(RollcallError, match="train again"):
        read_reranker_settings(tmp_path)


def test_passages_and_a_graph_are_asked_for_as_needed(questions, tmp_path):
    with pytest.raises(RollcallError, match="--graph"):
        train("ask", questions, out=tmp_path / "out", prepare=True)


def test_letters_stand_for_the_names_that_a_candidate_uses(graph):
    asker = Asker(graph, rerank=False)
    reading, candidates = asker.candidates("films with ada moss and ivo kovarik")
    [both] = [one for one in candidates if len(one.query.entities) == 2][:1]
    pair = pair_of(reading, both, asker.words(both.query), asker.name)
    assert pair.question == "films with X and Y"
    assert "X" in pair.wording
    assert "Y" in pair.wording
    assert "Moss" not in pair.wording
    one = next(one for one in candidates if len(one.query.entities) == 1)
    assert "Y" not in pair_of(reading, one, asker.words(one.query), asker.name).question.split()


class Fixed:
    """A cross-encoder that likes one word."""

    fingerprint = "fixed"

    def __init__(self, word):
        self._word = word

    def scores(self, pairs):
        return [float(self._word in pair.wording) for pair in pairs]


def test_the_score_of_the_cross_encoder_is_weighed_against_the_features(graph):
    def understood(weight):
        weights = {**WEIGHTS, NETWORK: weight}
        surety = {"share": 1.0, "left over": -1.0, "unnamed relation": -1.0, "unsure name": 0.0, "alone": 1.0}
        settings = RerankerSettings(64, weights, {**surety, "constant": 0.0})
        return Asker(graph, rerank=Reranker(settings, Fixed("produce"))).understand("who directed salt road")

    assert "P57" in understood(0.0).query.relations
    assert "P162" in understood(50.0).query.relations
    assert understood(0.0).surety > understood(5.0).surety


def reading(right, network, answers=0, **features):
    told = {**dict.fromkeys(FEATURES, 0.0), **features}
    return QueryReading("q", "w", [told[name] for name in FEATURES], answers, right), network


def test_weights_and_surety_follow_from_questions_with_known_readings():
    draw = random.Random(1)
    asked = []
    for _ in range(300):
        trusted = draw.random() < 0.8  # the cross-encoder is right four times of five
        right = reading(True, 1.0 if trusted else -1.0, 0, **{"many answers": draw.random()})
        wrong = reading(False, -1.0 if trusted else 1.0, 1, **{"many answers": draw.random()})
        asked.append([right, wrong])
    settings = fitted(asked, 64)
    # log-odds of 0.8 for a difference of two
    assert settings.weights[NETWORK] == pytest.approx(0.69, abs=0.15)
    assert abs(settings.weights["many answers"]) < 0.6
    without = fitted(asked, 64, network=False)
    assert without.weights[NETWORK] == 0.0
    assert settings.surety["share"] > 0.4


def test_questions_as_typed_keep_their_words():
    draw = random.Random(4)
    typed = [as_typed("Who is the director of Nine Lanterns?", draw) for _ in range(200)]
    assert any(one == one.lower() for one in typed)
    assert any(not one.endswith("?") for one in typed)
    assert any(" the " not in one for one in typed)
    assert all(one.lower().startswith("wh") for one in typed)
    assert "Who is the director of Nine Lanterns?" in typed
    for _ in range(50):
        word = mistyped("director", draw)
        assert word[0] == "d"
        assert 7 <= len(word) <= 9


def test_the_command_line_asks_with_a_trained_model(graph, model):
    from typer.testing import CliRunner

    from rollcall.cli.main import app

    def asked(question):
        return CliRunner().invoke(app, ["ask", str(graph.folder), question, "--model", str(model)])

    told = asked("Who put up the money for Salt Road?")
    assert told.exit_code < 2, told.output  # 1 says that the small model is not sure
    assert "Mira Solt" in told.stdout
    assert "# sure" in told.stdout
    query = asked("?x director [Orla Venn]")
    assert query.exit_code != 0
