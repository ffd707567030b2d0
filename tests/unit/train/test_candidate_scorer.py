"""The candidate scorer: it judges one candidate at a time, and those that a mention scorer leaves."""

import pytest

from rollcall.systems.read.linking import LinkedMention

pytest.importorskip("torch", reason="training needs the extra `neural`")
pytest.importorskip("accelerate", reason="training needs the extra `neural`")

from rollcall import train
from rollcall.systems.read.scorers import CandidateScorerReader
from rollcall.systems.train.base import load_base
from rollcall.systems.train.scorers import CandidateScorer, CandidateScorerOptions, candidates_of
from rollcall.systems.train.token_inputs import MentionReading
from tiny_checkpoints import tiny_encoder
from toy_examples import saved_examples, toy_examples, toy_texts


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    return tiny_encoder(tmp_path_factory.mktemp("base"), [*toy_texts(), "*"])


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    return saved_examples(tmp_path_factory.mktemp("toy") / "exercises", 40, 10)


def learned(system, base, examples, out, **options):
    return train(
        system, out=out, exercises=examples, base=base, progress=False,
        options={"learning_rate": 3e-3, "batch": 16, "length": 64, "evaluate": 1000, **options},
    )  # fmt: skip


@pytest.mark.slow
def test_a_toy_set_is_answered_perfectly(base, examples, tmp_path):
    model = learned("candidate-scorer", base, examples, tmp_path / "model", epochs=16, negatives=6)
    asked = toy_examples(15, seed=9)
    reader = CandidateScorerReader.for_examples(str(model), asked)
    given = reader.read_many(
        [one.asked for one in asked], [[p.passage for p in one.passages] for one in asked]
    )
    for example, answers in zip(asked, given, strict=True):
        assert {one.id for one in answers} == {one.id for one in example.answers}


def test_only_what_the_mention_scorer_leaves_is_judged(base, examples, tmp_path):
    first = learned("mention-scorer", base, examples, tmp_path / "first", steps=30)
    model = learned(
        "candidate-scorer", base, examples, tmp_path / "model", steps=2, first=str(first), least=0.2
    )
    (asked,) = toy_examples(1, seed=9)
    passages = [one.passage for one in asked.passages]
    (scores,) = CandidateScorerReader.for_examples(str(model), [asked]).scored([asked.asked], [passages])
    judged = {one.answer for these in scores for one in these}
    every = {entity for one in asked.passages for mention in one.mentions for entity in mention.entities}
    assert judged < every
    assert judged >= {one.id for one in asked.answers}


def test_all_mentions_of_the_candidate_are_marked(base):
    scorer = CandidateScorer.start(CandidateScorerOptions(length=64), load_base(base, ("encoder",), "test"))
    text = "Red Sun directed Ada ."
    spans = [(0, 7, "Q1", "film"), (17, 20, "Q2", "")]
    mentions = [LinkedMention(start, end, "text", (entity,), (kind,)) for start, end, entity, kind in spans]
    reading = MentionReading(
        "Which ?", "Red Sun", text, [LinkedMention(0, 7, "title", ("Q1",), ("film",)), *mentions]
    )
    film, person = candidates_of(reading)
    assert (film.name, film.kind, film.mentions) == ("Red Sun", "film", (0, 1))
    read = scorer._network.inputs
    for candidate, marked in ((film, "* Red Sun *"), (person, "* Ada *")):
        (one,) = scorer._network.encoded([(reading, candidate)])
        ids, wanted = one.ids.tolist(), read.of(marked).ids.tolist()
        found = [place for place in range(len(ids)) if ids[place : place + len(wanted)] == wanted]
        assert len(found) == len(candidate.mentions)


def test_labels_follow_the_candidate_and_not_its_homonyms(base):
    scorer = CandidateScorer.start(CandidateScorerOptions(length=64), load_base(base, ("encoder",), "test"))
    (example,) = toy_examples(1, seed=3)
    passage = next(one for one in example.passages if one.proves)
    place = next(place for place, one in enumerate(passage.mentions) if one.where == "text")
    one = passage.mentions[place]
    passage.mentions[place] = LinkedMention(one.start, one.end, one.where, (*one.entities, "Q-homonym"))
    labels = {c.entity: label for r, c, label in scorer._labelled(example) if r.title == passage.title}
    assert labels[one.entities[0]] == 1.0
    assert labels["Q-homonym"] == 0.0
