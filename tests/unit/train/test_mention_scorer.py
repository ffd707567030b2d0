"""The mention scorer: it learns which mentions are answers that a passage proves, in one pass."""

import shutil

import pytest

from rollcall import RollcallError
from rollcall.questions import Answer
from rollcall.systems import Asked, Offered
from rollcall.systems.read.linking import LinkedMention
from rollcall.systems.train.scorers import MentionLabels, drawn_passages
from rollcall.systems.train.training_example import LabelledPassage, TrainingExample

pytest.importorskip("torch", reason="training needs the extra `neural`")
pytest.importorskip("accelerate", reason="training needs the extra `neural`")

from rollcall import run, train
from rollcall.systems.read.scorers import MentionScorerReader, known_mentions
from rollcall.systems.read.trained_reader import PassageScoringOptions
from rollcall.systems.train.base import load_base
from rollcall.systems.train.scorers import MentionScorer, MentionScorerOptions
from rollcall.systems.train.token_inputs import MentionReading
from tiny_checkpoints import tiny_encoder
from toy_examples import saved_examples, toy_examples, toy_texts

OPTIONS = {"learning_rate": 3e-3, "epochs": 8, "batch": 16, "length": 64, "evaluate": 1000}


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return tiny_encoder(tmp_path_factory.mktemp("base"), toy_texts())


@pytest.fixture(scope="module")
def model(base, tmp_path_factory):
    folder = tmp_path_factory.mktemp("trained")
    examples = saved_examples(folder / "exercises", 60, 20)
    return train(
        "mention-scorer", out=folder / "model", exercises=examples, base=base, options=OPTIONS,
        progress=False,
    )  # fmt: skip


def reader(model, examples, **options):
    return MentionScorerReader(PassageScoringOptions(str(model), **options), known_mentions(examples))


def passages(example):
    return [one.passage for one in example.passages]


def test_a_toy_set_is_answered_perfectly(model):
    examples = toy_examples(20, seed=9)
    reading = reader(model, examples, seen=True)
    given = reading.read_many([one.asked for one in examples], [passages(one) for one in examples])
    for example, answers in zip(examples, given, strict=True):
        assert {one.id for one in answers} == {one.id for one in example.answers}


def test_questions_of_the_training_are_refused(model):
    examples = toy_examples(3)
    with pytest.raises(RollcallError, match="was trained on 3 of these 3 questions"):
        reader(model, examples).read_many(
            [one.asked for one in examples], [passages(one) for one in examples]
        )


def test_scores_are_kept_and_do_not_depend_on_what_is_read_together(model, tmp_path):
    examples = toy_examples(5, seed=7)
    file = tmp_path / "scores.jsonl"
    questions, texts = [one.asked for one in examples], [passages(one) for one in examples]
    together = reader(model, examples, scores=str(file)).scored(questions, texts)
    alone = [
        reader(model, examples).scored([question], [these])[0]
        for question, these in zip(questions, texts, strict=True)
    ]
    kept = reader(model, (), scores=str(file)).scored(questions, texts)
    assert kept == together
    for one, other in zip(alone, together, strict=True):
        for first, second in zip(one, other, strict=True):
            assert {a.answer: a.score for a in first} == pytest.approx(
                {a.answer: a.score for a in second}, abs=1e-5
            )


def test_candidates_limit_the_answers(model):
    (example,) = toy_examples(1, seed=5)
    reading = reader(model, [example], seen=True)
    offered = (Offered("other", "Q-other"),)
    assert reading.read(Asked("x", example.question, offered), passages(example)) == []


def mention(entity, start=0):
    return LinkedMention(start, start + 1, "text", (entity,))


def test_labels_are_shares_of_facts_and_unproved_gold_is_left_out():
    example = TrainingExample("q", "?", answers=[Answer("A", "Q1"), Answer("B", "Q2"), Answer("C")])
    passage = LabelledPassage(
        text="A B x c",
        proves={0: 0.5},
        mentions=[mention("Q1"), mention("Q2"), mention("Q9", 4), mention("Q7", 6)],
    )
    assert MentionLabels(example).of(passage) == [0.5, None, 0.0, None]  # the last one by its name


def test_a_name_of_several_entities_has_the_label_of_the_answer_among_them():
    example = TrainingExample("q", "?", answers=[Answer("A", "Q1")])
    homonym = LinkedMention(0, 1, "text", ("Q5", "Q1"))
    assert MentionLabels(example).of(LabelledPassage(text="A", proves={0: 1.0}, mentions=[homonym])) == [1.0]


def test_an_epoch_has_all_proofs_and_other_negatives_each_time():
    example = TrainingExample(
        "q",
        "?",
        passages=[LabelledPassage(str(n), proves={0: 1.0} if n < 2 else {}) for n in range(40)],
        proofs=[LabelledPassage("proof", proves={0: 1.0})],
    )
    first, again, other = ([one.id for one in drawn_passages(example, 5, seed)] for seed in (1, 1, 2))
    assert first == again != other
    assert first[:3] == other[:3] == ["proof", "0", "1"]
    assert len(first) == 8


def test_mentions_beyond_the_length_are_left_out_and_the_others_are_where_they_stand(base):
    options = MentionScorerOptions(length=16)
    scorer = MentionScorer.start(options, load_base(base, ("encoder",), "test"))
    text = "Ada directed Red Sun . Bel acted in it . Red Sun . Red Sun . Red Sun ."
    spans = [(13, 20), (text.rindex("Red"), text.rindex("Red") + 7)]
    reading = MentionReading(
        "Which films did Ada direct ?",
        "Red Sun",
        text,
        [LinkedMention(*span, "text", ("Q1",)) for span in spans],
    )
    (one,) = scorer._network.encoded([reading])
    assert len(one.tokens.ids) == 16
    assert one.mentions.tolist() == [0]
    words = scorer._network.inputs.of("Red Sun").ids.tolist()
    assert one.tokens.ids[one.first[0] : one.last[0] + 1].tolist() == words


def test_examples_without_mentions_are_refused(base):
    scorer = MentionScorer.start(MentionScorerOptions(), load_base(base, ("encoder",), "test"))
    with pytest.raises(
        RollcallError, match="learns from linked mentions: make the training examples with --graph"
    ):
        scorer.encode_examples(
            [TrainingExample("q", "?", passages=[LabelledPassage(text="x", proves={0: 1.0})])], 0
        )


def test_training_says_that_it_needs_a_graph(tmp_path):
    with pytest.raises(RollcallError, match="training mention-scorer needs a graph: give --graph"):
        train("mention-scorer", [], out=tmp_path / "model", corpus="corpus")


def test_it_answers_from_examples_alone(model, tmp_path):
    examples = saved_examples(tmp_path / "new", 1, 4)
    dev = toy_examples(4, 1, "dev")
    options = {"model": str(model), "passages": str(examples), "mentions": str(examples), "seen": True}
    questions = [one.as_question for one in dev]
    made = run(questions, "mention-scorer", retriever="stored", options=options, progress=False)
    for example, prediction in zip(dev, made, strict=True):
        assert {one.id for one in prediction.answers} == {one.id for one in example.answers}
    with pytest.raises(RollcallError, match="holds no training examples"):
        run(
            [dev[0].as_question], "mention-scorer", retriever="stored", progress=False,
            options={**options, "mentions": str(tmp_path)},
        )  # fmt: skip


def test_kept_scores_are_of_use_without_the_weights(model, tmp_path):
    examples, kept = toy_examples(4, seed=9), str(tmp_path / "scores.jsonl")
    asked, found = [one.asked for one in examples], [passages(one) for one in examples]
    before = reader(model, examples, seen=True, scores=kept).read_many(asked, found)
    light = tmp_path / "light"
    shutil.copytree(model, light, ignore=shutil.ignore_patterns("*.safetensors"))
    assert reader(light, examples, seen=True, scores=kept).read_many(asked, found) == before
    with pytest.raises(RollcallError, match="has no weights"):
        reader(light, examples, seen=True).read_many(asked, found)
