"""The classifier of the closed setting: what it reads of a candidate, and that it learns from evidence."""

import pytest

from rollcall import RollcallError
from rollcall.questions import Candidate, Evidence, Passage
from rollcall.systems import Asked, Context
from rollcall.systems.train.classifier import retrieved_evidence
from rollcall.systems.train.training_example import TrainingExample

pytest.importorskip("torch", reason="training needs the extra `neural`")
pytest.importorskip("accelerate", reason="training needs the extra `neural`")

from rollcall import train
from rollcall.systems.read.trained_readers import ClassifierReader, ClassifierReaderOptions
from rollcall.systems.train.base import load_base
from rollcall.systems.train.classifier import Classifier, ClassifierOptions
from tiny_checkpoints import tiny_encoder, tiny_generator
from toy_examples import saved_examples, toy_examples, toy_texts


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return tiny_encoder(tmp_path_factory.mktemp("base"), [*toy_texts(), "; :"])


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    return saved_examples(tmp_path_factory.mktemp("toy") / "exercises", 60, 10)


def learned(base, examples, out, **options):
    return train(
        "classifier", out=out, exercises=examples, base=base, progress=False,
        options={"learning_rate": 3e-3, "batch": 4, "epochs": 10, "length": 64, "evaluate": 1000, **options},
    )  # fmt: skip


def reader(model, asked):
    options = ClassifierReaderOptions(str(model), seen=True)
    return ClassifierReader.open(options, Context([one.as_question for one in asked]))


@pytest.mark.parametrize("evidence", ["retrieved", pytest.param("gold", marks=pytest.mark.slow)])
def test_a_toy_set_is_answered_perfectly_with_evidence(base, examples, tmp_path, evidence):
    model = learned(base, examples, tmp_path / "model", evidence=evidence)
    asked = toy_examples(15, seed=9)
    found = [[one.passage for one in each.passages] if evidence == "retrieved" else [] for each in asked]
    given = reader(model, asked).read_many([one.asked for one in asked], found)
    for example, answers in zip(asked, given, strict=True):
        assert {one.id for one in answers} == {one.id for one in example.answers}
    assert ClassifierReader.needed(ClassifierReaderOptions(str(model))) == (
        ("passages",) if evidence == "retrieved" else ()
    )


@pytest.mark.parametrize("kind", ["bart", pytest.param("t5", marks=pytest.mark.slow)])
def test_an_encoder_decoder_learns_too(kind, examples, tmp_path):
    base = tiny_generator(tmp_path / "base", kind, [*toy_texts(), "; :"])
    model = learned(base, examples, tmp_path / "model", evidence="gold", epochs=6)
    asked = toy_examples(10, seed=9)
    given = reader(model, asked).read_many([one.asked for one in asked], [[] for _ in asked])
    for example, answers in zip(asked, given, strict=True):
        assert {one.id for one in answers} == {one.id for one in example.answers}


@pytest.mark.parametrize("evidence", ["none", "retrieved"])
def test_what_is_read_tells_neither_the_gold_evidence_nor_which_candidates_are_answers(base, evidence):
    system = Classifier.start(ClassifierOptions(evidence=evidence), load_base(base, ("encoder",), "test"))
    (example,) = toy_examples(1)
    hidden = TrainingExample(
        "hidden",
        example.question,
        candidates=[Candidate(one.label, one.id, [], [Evidence("told")]) for one in example.candidates],
        passages=example.passages,
    )
    assert system._inputs(example) == system._inputs(hidden)


def test_candidates_of_a_question_are_drawn_anew_for_each_epoch(base):
    system = Classifier.start(
        ClassifierOptions(evidence="none", candidates=3), load_base(base, ("encoder",), "test")
    )
    drawn = [
        [one.ids.tolist() for one in system.encode_examples(toy_examples(1), seed)[0].inputs]
        for seed in (1, 1, 2, 3)
    ]
    assert drawn[0] == drawn[1]
    assert drawn[1:] != [drawn[1]] * 3
    assert all(len(one) == 3 for one in drawn)


def test_evidence_is_what_names_the_candidate_or_stands_on_its_page():
    sun, moon = Candidate("Red Sun", aliases=["Sun"]), Candidate("Moon")
    passages = [
        Passage("1", "Ada", "Ada directed Red Sun. Ada was born in Rome."),
        Passage("2", "Moon", "The film is old."),
        Passage("3", "Bel", "Bel likes the sun. Bel saw Moonlight."),
    ]
    assert retrieved_evidence([sun, moon], passages) == [
        "Ada: Ada directed Red Sun. Bel: Bel likes the sun.",
        "Moon: The film is old.",
    ]


def test_the_open_setting_is_refused(base, examples, tmp_path):
    system = Classifier.start(ClassifierOptions(evidence="none"), load_base(base, ("encoder",), "test"))
    with pytest.raises(RollcallError, match="the classifier is for the closed setting"):
        system.encode_examples([TrainingExample("q", "?")], 0)
    model = learned(base, examples, tmp_path / "model", evidence="none", steps=1)
    with pytest.raises(RollcallError, match="the question q offers no candidates"):
        reader(model, []).read(Asked("q", "?"), [])
