"""`pig`: what it learns from, that it learns, and how what it writes becomes answers."""

import msgspec
import pytest

from rollcall import RollcallError
from rollcall.questions import Answer
from rollcall.systems import Asked
from rollcall.systems.read.trained_reader import ScoredAnswer
from rollcall.systems.read.trained_readers import PigReader, PigReaderOptions
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.base import load_base
from rollcall.systems.train.lists import Pig, PigOptions, Union, best_union, final_answers, names_in, united
from rollcall.systems.train.training_example import LabelledPassage, TrainingExample
from tiny_checkpoints import tiny_generator
from toy_examples import director_examples, director_texts

torch = pytest.importorskip("torch", reason="training needs the extra `neural`")
pytest.importorskip("accelerate", reason="training needs the extra `neural`")

from rollcall.systems.train.loop import Training  # noqa: E402
from rollcall.systems.train.model_folder import ModelDescription, trained_on, write_about  # noqa: E402

FAST = {
    "learning_rate": 5e-3,
    "batch": 8,
    "epochs": 60,
    "output_tokens": 24,
    "evaluate": 1000,
    "weight_decay": 0.0,
}


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory):
    return {
        kind: tiny_generator(tmp_path_factory.mktemp(kind), kind, director_texts(), 64)
        for kind in ("llama", "t5", "bart")
    }


def started(checkpoint: str, **options: object) -> Pig:
    return Pig.start(PigOptions(**options), load_base(checkpoint, Pig.bases, "pig"))


def learned(pig: Pig, examples, seed: int = 0) -> list[tuple[str, list[str]]]:
    """The examples of an epoch as texts."""
    from rollcall.systems.train.generate.generator import GeneratedTokens

    found = []
    for prompt, target in pig.encode_examples(examples, seed):
        names = pig.generator.targets.decode(GeneratedTokens(target, [1.0] * len(target)))
        text = pig.generator.tokeniser.decode(prompt.pieces[0], skip_special_tokens=True)
        found.append((text.partition("text: ")[2], [one.name for one in names]))
    return found


def test_what_is_proved_is_written_and_what_is_only_named_is_not_learned(checkpoints):
    (example, *_) = director_examples()
    items = learned(started(checkpoints["llama"]), [example])
    assert [one for one in items if one[1]] == [
        ("Bo, Jr. directed Lake.", ["Bo, Jr."]),
        ("Anna Berg directed Lake.", ["Anna Berg"]),  # evidence that was not retrieved
    ]
    without = [text for text, names in items if not names]
    assert len(without) == 2
    assert all(text.endswith("was seen by many.") for text in without)


@pytest.mark.parametrize(("negatives", "number"), [(0.0, 0), (0.5, 1), (1.0, 2), (5.0, 3)])
def test_the_number_of_negatives_is_an_option(checkpoints, negatives, number):
    pig = started(checkpoints["llama"], negatives=negatives)
    assert sum(not names for _, names in learned(pig, director_examples()[:1])) == number


def test_negatives_are_drawn_for_each_epoch_by_the_seed(checkpoints):
    pig = started(checkpoints["llama"])
    drawn = [learned(pig, director_examples(), seed) for seed in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


@pytest.mark.parametrize(("partial", "expected"), [("answer", [["Anna"]]), ("skip", []), ("none", [[]])])
def test_what_is_learned_from_half_of_an_answers_facts_is_an_option(checkpoints, partial, expected):
    half = LabelledPassage("1", "A", "Anna directed it.", None, {0: 0.5}, [0])
    example = TrainingExample("q", "Who?", answers=[Answer("Anna")], passages=[half])
    pig = started(checkpoints["llama"], partial=partial)
    assert [names for _, names in learned(pig, [example])] == expected


def test_answers_are_named_as_the_passage_names_them_in_its_order():
    example = TrainingExample(
        "q",
        "Who?",
        answers=[Answer("Barack Obama", aliases=["Obama", "Mr Obama"]), Answer("Bo"), Answer("Cy Li")],
    )
    passage = LabelledPassage("1", "Cy Li", "A bobcat; then Mr Obama.", None, {})
    assert names_in(example, passage, [0, 2]) == ["Cy Li", "Mr Obama"]


def folder_of(pig: Pig, folder, dev) -> str:
    folder.mkdir()
    pig.save(folder, dev)
    options = msgspec.to_builtins(pig.options)
    write_about(
        folder, ModelDescription("pig", "tiny", options, trained_on("toy", "train", ["Who directed Rain?"]))
    )
    return str(folder)


def reader(model: str, **options: object) -> PigReader:
    return PigReader.open(PigReaderOptions(model, **options), None)


@pytest.mark.parametrize("kind", ["llama", "t5", pytest.param("bart", marks=pytest.mark.slow)])
def test_it_learns_a_toy_set_and_reads_it_from_its_folder(checkpoints, tmp_path, kind):
    examples = director_examples()
    pig = started(checkpoints[kind], **FAST)
    before = float(pig.loss(pig.encode_examples(examples, 0)).detach())
    (tmp_path / "work").mkdir()
    place = Training(pig, pig.options, examples, examples, tmp_path / "work", "", show=False).run()
    assert place.loss < before / 10
    model = folder_of(pig, tmp_path / "model", examples)
    asked = [Asked(one.id, one.question) for one in examples]
    passages = [[passage.passage for passage in (*one.passages, *one.proofs)] for one in examples]
    opened = reader(model, seen=True, scores=str(tmp_path / "scores"))
    assert opened.settings()["seen"] is True, "a run tells it"
    answers = opened.read_many(asked, passages)
    assert [set(one) for one in answers] == [{answer.label for answer in one.answers} for one in examples]
    again = reader(model, seen=True, scores=str(tmp_path / "scores"), threshold=0.0)
    again.score = lambda readings: [[] for _ in readings] if not readings else pytest.fail("scored again")
    assert [set(one) >= set(few) for one, few in zip(again.read_many(asked, passages), answers, strict=True)]
    assert "model" not in str(opened.settings())  # a folder may be moved
    with pytest.raises(RollcallError, match="was trained on 1 of these 4 questions"):
        reader(model).read_many(asked, passages)
    published = reader(model, seen=True, published=True)
    twice = published.read(asked[0], [passages[0][-1]] * 2)
    assert twice == ["Anna Berg", "Anna Berg"]  # neither united nor cut


def test_the_chance_that_a_passage_answers_is_part_of_the_score(checkpoints, tmp_path):
    pig = started(checkpoints["llama"], floor=0.0)
    (example, *_) = director_examples()
    opened = reader(folder_of(pig, tmp_path / "model", []))
    passages = [one.passage for one in example.passages]
    from rollcall.systems.read.trained_reader import PassageQuestion

    asked = Asked("1", example.question)
    scored = opened.score([PassageQuestion(asked, passage) for passage in passages])
    assert all(0.0 <= one.score <= 1.0 for these in scored for one in these)
    refused = started(checkpoints["llama"], floor=1.0)
    quiet = reader(folder_of(refused, tmp_path / "quiet", []))
    assert quiet.score([PassageQuestion(asked, passage) for passage in passages]) == [[] for _ in passages]


def test_names_that_are_the_same_are_united():
    scores = [
        [ScoredAnswer("The Beatles", 0.5), ScoredAnswer("Abba", 0.4)],
        [ScoredAnswer("beatles", 0.6), ScoredAnswer("Queen", 0.1)],
    ]
    assert united(scores, "greatest") == [
        ScoredAnswer("beatles", 0.6), ScoredAnswer("Abba", 0.4), ScoredAnswer("Queen", 0.1)
    ]  # fmt: skip
    assert united(scores, "noisy-or")[0].score == pytest.approx(0.8)
    assert final_answers(scores, Union("greatest", 0.4)) == ["beatles", "Abba"]


def test_the_threshold_and_the_combination_are_those_that_are_best_on_dev():
    examples = [TrainingExample(str(n), "?", answers=[Answer("a"), Answer("b")]) for n in range(3)]
    scores = [
        [[ScoredAnswer("a", 0.5), ScoredAnswer("x", 0.6)], [ScoredAnswer("a", 0.5), ScoredAnswer("b", 0.5)],
         [ScoredAnswer("b", 0.5)]]
    ] * 3  # fmt: skip
    union = best_union(examples, scores)
    assert union.combination == "noisy-or"
    assert 0.6 < union.threshold <= 0.75
    assert best_union([], []) == Union()


def test_the_publications_hyperparameters_are_a_preset():
    options = TRAINABLES.find("pig").presets["qampari"]
    assert (options["learning_rate"], options["steps"], options["output_tokens"]) == (1e-6, 60_000, 30)
    PigOptions(**options)


def test_an_encoder_is_refused(tmp_path, checkpoints):
    transformers = pytest.importorskip("transformers")
    transformers.BertConfig(architectures=["BertModel"]).save_pretrained(tmp_path)
    with pytest.raises(RollcallError, match="is an encoder; pig needs an encoder–decoder"):
        load_base(str(tmp_path), Pig.bases, "pig")
