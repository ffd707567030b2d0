"""Exercises where there is neither set, corpus nor graph: several folders, a choice, other passages."""

import pytest

from rollcall import RollcallError, train
from rollcall._core.errors import RollcallWarning
from rollcall.questions import Answer, Evidence, Passage, Question
from rollcall.score import open_profile
from rollcall.systems import Asked
from rollcall.systems.retrieve.given import Stored
from rollcall.systems.train.example_folder import ExampleFolder, labelled, learned_from, with_passages
from rollcall.systems.train.selection import chosen
from rollcall.systems.train.training_example import TrainingExample
from tiny_checkpoints import tiny_generator
from toy_examples import saved_examples, toy_examples


def test_stored_gives_the_passages_of_examples(tmp_path):
    folder = saved_examples(tmp_path / "made", 3, 2)
    stored = Stored(folder)
    for example in (*toy_examples(3), *toy_examples(2, 1, "dev")):
        (found,) = stored.retrieve([example.asked], 4)
        assert found == [one.passage for one in example.passages][:4]
    with pytest.raises(RollcallError, match="has no passages for the question another"):
        stored.retrieve([Asked("another", "Who?")], 4)


def test_several_folders_are_learned_together_and_the_first_has_the_dev_examples(tmp_path):
    first = ExampleFolder(saved_examples(tmp_path / "first", 3, 2))
    second = ExampleFolder(saved_examples(tmp_path / "second", 5, 4))
    both = learned_from([first, second])
    assert (len(both.train), len(both.dev), both.about.name) == (8, 2, "toy+toy")
    marks = {learned_from(these).fingerprint for these in ([first], [second], [first, second])}
    assert len(marks) == 3
    with pytest.raises(RollcallError, match="no folder of training examples"):
        learned_from([])


def test_a_choice_of_examples_is_that_of_the_questions_and_another_training(tmp_path):
    folder = ExampleFolder(saved_examples(tmp_path / "made", 9, 2))
    some = learned_from([folder], limit=4)
    assert [one.id for one in some.train] == [one.id for one in chosen(toy_examples(9), 4, None)]
    assert some.fingerprint != learned_from([folder]).fingerprint


def test_a_choice_by_clusters_takes_whole_ones_or_one_question_of_each():
    every = [TrainingExample(f"{cluster}{n}", "?", cluster=cluster) for cluster in "abc" for n in range(3)]
    assert len({one.cluster for one in chosen(every, 3, "few")}) == 1
    assert len({one.cluster for one in chosen(every, 3, "many")}) == 3


def asked(prefix, number, split, text=None):
    return [
        Question(f"{prefix}{n}", text or f"Who is {prefix} {n}?", split=split, answers=[Answer("Ann")])
        for n in range(number)
    ]


def learned(tmp_path, others, **given):
    """The questions that training examples are made of, beside twelve of a set with dev questions."""
    folder = train(
        "closed-book",
        [*asked("own", 12, "train"), *asked("held", 2, "dev"), *asked("last", 2, "test")],
        others=others,
        out=tmp_path / "made",
        prepare=True,
        progress=False,
        **given,
    )
    every = ExampleFolder(folder).read("train")
    return {one.id for one in every if not one.id.startswith("own")}


def test_of_a_set_without_splits_every_fifth_question_is_held_out(tmp_path):
    with pytest.warns(RollcallWarning, match="8 questions are learned from, and 2 held out"):
        made = train("closed-book", asked("q", 10, None), out=tmp_path / "made", prepare=True, progress=False)
    folder = ExampleFolder(made)
    parts = [{example.id for example in folder.read(part)} for part in ("train", "dev")]
    assert [len(part) for part in parts] == [8, 2]
    assert parts[0] | parts[1] == {f"q{number}" for number in range(10)}
    with pytest.raises(RollcallError, match="no question is of the split other"):
        train(
            "closed-book",
            asked("q", 10, None),
            out=tmp_path / "no",
            split="other",
            prepare=True,
            progress=False,
        )


def test_of_another_set_only_questions_to_learn_from_are_taken(tmp_path):
    others = [*asked("a", 2, "train"), *asked("b", 2, "dev"), *asked("c", 2, "test"), *asked("d", 2, None)]
    assert learned(tmp_path, others) == {"a0", "a1"}
    assert learned(tmp_path / "whole", asked("a", 3, None)) == {"a0", "a1", "a2"}


def test_questions_that_are_learned_or_evaluated_on_are_not_taken_from_another_set(tmp_path):
    same = [*asked("x", 1, None, "who is  HELD 1?"), *asked("y", 1, None, "Who is own 3?")]
    reworded = Question("z", "Who?", wordings=["Who is held 0?"], answers=[Answer("Ann")])
    assert learned(tmp_path, [*same, reworded, *asked("a", 1, None)]) == {"a0"}


@pytest.mark.parametrize(
    ("others", "told"),
    [
        (asked("a", 1, "test"), "no question is of the split train, which is learned from; there are: test"),
        ([Question("a", "Who?", split="train")], "no question of the split train has answers to learn from"),
        ([Question("a", "Who?")], "no question has answers to learn from"),
        (asked("x", 1, "train", "Who is held 1?"), "nothing is left to learn from"),
    ],
)
def test_another_set_of_which_nothing_can_be_learned_is_refused(tmp_path, others, told):
    with pytest.raises(RollcallError) as refused:
        learned(tmp_path, others)
    assert str(refused.value).startswith(f"the other questions: {told}")


def content(folder):
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_refused_training_leaves_the_examples_of_an_unfinished_one(tmp_path):
    base = tiny_generator(tmp_path / "base", "llama", ["Who is it?"])
    learned(tmp_path, asked("a", 2, None))
    work = tmp_path / "model.training"
    work.mkdir()
    (tmp_path / "made").rename(work / "exercises")
    (work / "state.pt").write_bytes(b"")
    made = content(work / "exercises")
    with pytest.raises(RollcallError) as refused:
        train("closed-book", asked("own", 3, "train"), base=base, out=tmp_path / "model", dev=None)
    assert str(refused.value).startswith(f"{work}: holds an unfinished training with other options")
    assert content(work / "exercises") == made


def test_other_passages_get_the_labels_that_the_set_would_give_them():
    facts = [Evidence("Ada made Sun.", "p1", fact="f1"), Evidence("Sun is a film.", "p2", fact="f2")]
    question = Question(
        "q", "What did Ada make?", answers=[Answer("Sun", aliases=["the Star"], evidence=facts)]
    )
    p1, p2 = Passage("p1", "Ada", "Ada made Sun."), Passage("p2", "Sun", "Sun is a film.")
    other, plain = Passage("p3", "Sky", "Here is the Star."), Passage("p4", "Sea", "Nothing.")
    profile = open_profile("entity")
    first = labelled(question, [p1, plain], [p1, p2], profile)
    found = with_passages(first, [other, p2])
    assert found == labelled(question, [other, p2], [p1, p2], profile)
    assert with_passages(found, [p1, plain]) == first
