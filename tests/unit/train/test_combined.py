"""`rollcall`: our own reader is trained on a set and answers another split of it."""

import json

import pytest

from rollcall import run, train
from rollcall.questions import QuestionSet
from rollcall.score import score
from rollcall.systems.train.combined import fold_of
from rollcall.systems.train.model_folder import read_about
from rollcall.systems.train.training_example import TrainingExample
from tiny_checkpoints import tiny_encoder
from toy_examples import saved_examples, toy_texts

pytest.importorskip("lightgbm", reason="the reader rollcall needs the extra `neural`")


@pytest.fixture(scope="module")
def trained(small_world, small_set, tmp_path_factory):
    """The trees alone, without a model."""
    out = tmp_path_factory.mktemp("combined") / "model"
    return train(
        "rollcall",
        small_set,
        out=out,
        corpus=small_world / "corpus",
        graph=small_world / "graph",
        k=20,
        options={"parts": "none"},
    )


def answered(small_world, small_set, **given):
    return run(
        small_set, corpus=small_world / "corpus", graph=small_world / "graph", k=20, split="test", **given
    )


def test_all_questions_about_a_relation_are_in_one_fold():
    def fold(number, *relations):
        return fold_of(TrainingExample(str(number), f"Question {number}?", relations=[*relations]), 3)

    assert len({fold(number, "P1", "P2") for number in range(20)}) == 1
    assert {fold(0, f"P{number}") for number in range(30)} == {0, 1, 2}
    assert {fold(number) for number in range(30)} == {0, 1, 2}  # by the text, where relations are not known


@pytest.mark.slow
def test_it_answers_better_than_what_it_is_made_of(small_world, small_set, trained):
    ours = answered(small_world, small_set, reader="rollcall", options={"model": str(trained)})
    mentions = answered(small_world, small_set, reader="mentions", options={"tune": False})
    gold = [one for one in QuestionSet.open(small_set) if one.split == "test"]
    figures = [score(gold, one, measures="F1", confidence=None)["F1"].value for one in (ours, mentions)]
    assert figures[0] > figures[1]


@pytest.mark.slow
def test_it_is_trained_to_the_same_bytes_again(small_world, small_set, trained, tmp_path):
    again = train(
        "rollcall",
        small_set,
        out=tmp_path / "again",
        corpus=small_world / "corpus",
        graph=small_world / "graph",
        k=20,
        options={"parts": "none"},
    )
    assert (again / "second.txt.gz").read_bytes() == (trained / "second.txt.gz").read_bytes()
    about = json.loads((again / "rollcall.json").read_bytes())
    assert about["trained_on"]["split"] == "train and dev", "the trees learn from dev"


@pytest.mark.slow
def test_questions_of_its_training_are_refused(small_world, small_set, trained):
    from rollcall import RollcallError

    with pytest.raises(RollcallError, match=r"was trained on .* of these .* questions; choose others"):
        run(
            small_set,
            corpus=small_world / "corpus",
            graph=small_world / "graph",
            reader="rollcall",
            split="train",
            options={"model": str(trained)},
        )


def test_a_part_starts_from_its_own_checkpoint_which_is_checked_first(small_world, small_set, tmp_path):
    from rollcall import RollcallError

    def refused(message: str, **options: object) -> None:
        with pytest.raises(RollcallError, match=message):
            train(
                "rollcall",
                small_set,
                out=tmp_path / "model",
                corpus=small_world / "corpus",
                graph=small_world / "graph",
                options=options,
            )
        assert not list(tmp_path.iterdir())  # no training example was made

    refused("pig starts from a checkpoint: give --option pig.base=CHECKPOINT", parts="mention-scorer+pig")
    refused("gone.gguf: no such folder or file", parts="pig", **{"pig.base": str(tmp_path / "gone.gguf")})


@pytest.mark.parametrize(
    ("told", "options"),
    [
        (
            "rollcall trains mention-scorer here, and does not use pig.steps: leave it out",
            {"parts": "mention-scorer", "pig.steps": 3},
        ),
        (
            "rollcall trains no part here, and does not use mention-scorer.steps: leave it out",
            {"parts": "none", "mention-scorer.steps": 3},
        ),
        (
            "rollcall trains no part here, and does not use mention-scorer.steps: leave it out",
            {"trained": "parts", "mention-scorer.steps": 3},
        ),
        ("the trainable system mention-scorer has no option stepz", {"mention-scorer.stepz": 3}),
        ("ask does not score single passages", {"parts": "ask"}),
    ],
)
def test_options_of_parts_that_are_not_trained_are_refused(tmp_path, told, options):
    from rollcall import RollcallError

    examples = saved_examples(tmp_path / "exercises", 2, 2)
    with pytest.raises(RollcallError, match=told):
        train("rollcall", out=tmp_path / "model", exercises=examples, graph=tmp_path, options=options)
    assert [one.name for one in tmp_path.iterdir()] == ["exercises"]


def test_a_checkpoint_for_no_part_is_refused(tmp_path):
    from rollcall import RollcallError

    with pytest.raises(RollcallError, match="rollcall trains no part here, and does not use --base"):
        train(
            "rollcall",
            [],
            out=tmp_path / "model",
            graph=tmp_path,
            base="minilm",
            options={"parts": "none"},
        )


@pytest.mark.slow
def test_the_packaged_trees_answer_better_than_mentions(small_world, small_set):
    pytest.importorskip("rollcall_models", reason="the packaged trees are in rollcall-models")
    ours = answered(small_world, small_set, reader="rollcall")
    mentions = answered(small_world, small_set, reader="mentions")
    gold = [one for one in QuestionSet.open(small_set) if one.split == "test"]
    figures = [score(gold, one, measures="F1", confidence=None)["F1"].value for one in (ours, mentions)]
    assert figures[0] > figures[1]


def test_trees_need_questions_that_no_part_has_seen(small_world, small_set, tmp_path):
    from rollcall import RollcallError

    with pytest.raises(RollcallError, match="the trees learn from questions that no part was trained on"):
        train(
            "rollcall",
            small_set,
            out=tmp_path / "model",
            corpus=small_world / "corpus",
            graph=small_world / "graph",
            dev=None,
            k=5,
            limit=5,
            options={"parts": "none"},
        )


def test_the_folder_of_a_trained_reader_must_be_named(small_world, small_set):
    from rollcall import RollcallError

    with pytest.raises(RollcallError, match="mention-scorer needs the option model: give --option model=… "):
        answered(small_world, small_set, reader="mention-scorer")


def test_a_part_is_trained_from_its_own_checkpoint(tmp_path):
    base = tiny_encoder(tmp_path / "base", toy_texts())
    out = train(
        "rollcall",
        out=tmp_path / "parts",
        exercises=saved_examples(tmp_path / "exercises", 8, 2),
        options={"only": "parts", "mention-scorer.base": base, "mention-scorer.steps": 1},
        progress=False,
    )
    assert read_about(out / "parts" / "mention-scorer", "mention-scorer").base == base
