"""The extractive reader: which passages are positive, which spans are learned, and what it answers."""

import json

import pytest

from rollcall.questions import Answer
from rollcall.systems.train.extractive import count_positives, pattern
from rollcall.systems.train.training_example import LabelledPassage, TrainingExample

pytest.importorskip("torch", reason="training needs the extra `neural`")
pytest.importorskip("accelerate", reason="training needs the extra `neural`")

from rollcall import train
from rollcall.systems.read.trained_reader import ScoredAnswer
from rollcall.systems.read.trained_readers import ExtractiveReader, ExtractiveReaderOptions
from rollcall.systems.train.base import load_base
from rollcall.systems.train.extractive import Extractive, ExtractiveOptions, chosen
from rollcall.systems.train.lists import Union
from tiny_checkpoints import tiny_encoder
from toy_examples import saved_examples, toy_examples, toy_texts


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return tiny_encoder(tmp_path_factory.mktemp("base"), toy_texts())


@pytest.fixture(scope="module")
def model(base, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    return train(
        "extractive", out=folder / "model", exercises=saved_examples(folder / "exercises", 60, 10),
        base=base, progress=False,
        options={"learning_rate": 3e-3, "epochs": 25, "batch": 8, "length": 64, "evaluate": 1000},
    )  # fmt: skip


def answered(model, **options):
    asked = toy_examples(15, seed=9)
    reader = ExtractiveReader(ExtractiveReaderOptions(str(model), seen=True, **options))
    assert reader.settings()["seen"] is True, "a run tells it"
    given = reader.read_many(
        [one.asked for one in asked], [[p.passage for p in one.passages] for one in asked]
    )
    return [
        (set(answers), {one.label for one in example.answers})
        for example, answers in zip(asked, given, strict=True)
    ]


def test_a_toy_set_is_answered_perfectly(model):
    for given, right in answered(model):
        assert given == right


def test_one_answer_is_the_best_span(model):
    for given, right in answered(model, number="one"):
        assert len(given) == 1
        assert given <= right


def test_the_folder_says_which_passages_become_positive_by_expansion(model):
    counts = json.loads((model / "positives.json").read_text())
    assert counts["questions with a positive passage, all names"] == 60


def example(*texts: str, proves=()):
    passages = [
        LabelledPassage(str(n), "", text, proves={0: 1.0} if n in proves else {})
        for n, text in enumerate(texts)
    ]
    return TrainingExample(
        "q",
        "Which films did Ada direct ?",
        answers=[Answer("Red Sun", "Q1", ["Old Moon"])],
        passages=passages,
    )


def test_aliases_make_passages_positive_and_are_counted():
    one = example("Ada directed Red Sun .", "Ada directed old  moon .", "Bel directed New Sea .")
    counts = count_positives([one])
    assert (counts.passages_before, counts.passages_after) == (1, 2)
    assert pattern(one, "single").places("old moon") == []


def test_names_count_in_whole_words():
    one = TrainingExample("q", "?", answers=[Answer("art")])
    assert pattern(one, "single").places("the artist made Art .") == [(16, 19)]


def learner(base, **options):
    return Extractive.start(ExtractiveOptions(length=64, **options), load_base(base, ("encoder",), "test"))


def test_single_answers_leave_other_names_among_the_negatives(base):
    one = example("Ada directed Red Sun .", "Ada directed Old Moon .", "Bel directed New Sea .")
    (single,) = learner(base, answers="single").encode_examples([one], 0)
    (expanded,) = learner(base, answers="expanded").encode_examples([one], 0)
    assert [len(single.passages), len(expanded.passages)] == [3, 2]


def test_a_question_without_a_positive_passage_is_not_learned(base):
    assert learner(base).encode_examples([example("Bel directed New Sea .")], 0) == []


def test_only_passages_with_proof_are_positive_if_so_asked(base):
    one = example("Ada disliked Red Sun .", "Ada directed Red Sun .", "Bel directed New Sea .", proves={1})
    system = learner(base, positive="proved")
    directed = system._encoder.inputs.of("directed").ids[0]
    for seed in range(5):
        (item,) = system.encode_examples([one], seed)
        assert directed in item.passages[0].ids
        assert len(item.passages) == 2  # the one that only names it is no negative


def test_all_spans_or_the_likeliest_are_learned(base):
    one = example("Red Sun . Ada directed Red Sun .", "Bel directed New Sea .")
    everything, likeliest = learner(base), learner(base, spans="hard-em")
    (item,) = everything.encode_examples([one], 0)
    assert len(item.first) == 2
    for system in (everything, likeliest):
        system.network.eval()
    assert everything.loss([item]) < likeliest.loss([item])


def test_the_best_span_of_each_name_counts():
    scores = [[ScoredAnswer("Red Sun", 2.0), ScoredAnswer("New Sea", -9.0)], [ScoredAnswer("red sun", 1.0)]]
    assert chosen(scores, "set", Union("greatest", 0.3)) == ["Red Sun"]
    assert chosen(scores, "one", Union()) == ["Red Sun"]
    assert chosen([[]], "one", Union()) == []
