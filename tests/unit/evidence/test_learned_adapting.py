"""New weights of the model of the learned verifier, for relations that it cannot know."""

from pathlib import Path

import numpy as np
import pytest

from rollcall.evidence import CandidateSentence
from rollcall.evidence.verifiers.contrast.model import FeatureWeights
from rollcall.evidence.verifiers.contrast.verifier import ContrastVerifier
from rollcall.evidence.verifiers.learned import learning
from rollcall.evidence.verifiers.learned.learning import LabelledSentence, adapted_model, exchanged
from rollcall.evidence.verifiers.learned.verifier import LearnedParts, LearnedVerifier, StatementModel

WORDINGS = {
    "vorlent": ("{s} has zibbed {o} since the thaw.", "The thaw saw how {s} zibbed {o}."),
    "murrant": ("{s} did quell {o} in the pit.", "In the pit, {s} could quell {o}."),
    "plossic": ("{s} keeps a grum with {o}.", "A grum is kept by {s} for {o}."),
}
"""Invented relations in invented words."""


def example(number: int) -> LabelledSentence:
    relation = list(WORDINGS)[number % len(WORDINGS)]
    subject, object_ = f"Person {number}", f"Thing {number}"
    text = WORDINGS[relation][number % 2].format(s=subject, o=object_)
    start, other = text.index(subject), text.index(object_)
    candidate = CandidateSentence(
        subject, relation, object_, text, subject_name=subject, object_name=object_,
        subject_places=((start, start + len(subject)),), object_places=((other, other + len(object_)),),
        page=f"page {number}",
    )  # fmt: skip
    return LabelledSentence(
        candidate, number, tuple(name for name in WORDINGS if name != relation), number % 4 == 0
    )


@pytest.fixture(scope="module")
def examples() -> list[LabelledSentence]:
    return [example(number) for number in range(260)]


@pytest.fixture(scope="module")
def verifier(packaged_model: Path) -> LearnedVerifier:
    """The model as it comes."""
    model = StatementModel(packaged_model)
    nothing = FeatureWeights(np.zeros(0, np.int32), np.zeros(0, np.float32), 0.0)
    contrast = ContrastVerifier({}, (nothing,) * 3)
    return LearnedVerifier(model, LearnedParts({}, model.calibration, model.fingerprint), contrast)


@pytest.fixture(scope="module")
def adapted(verifier: LearnedVerifier, examples: list[LabelledSentence]) -> LearnedVerifier:
    for name in ("torch", "transformers"):
        pytest.importorskip(name, reason="the extra `neural` is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning, "MOST_READ", 1200)
        return LearnedVerifier(adapted_model(verifier, examples), verifier.about, verifier.contrast)


def removed(verifier: LearnedVerifier, examples: list[LabelledSentence]) -> float:
    """The share of wrong facts of held-out pages below the 5 % of right ones with the lowest scores."""
    unseen = [one for one in examples if one.held_out]
    assert len(unseen) > 30
    right = verifier.model_logits([one.candidate for one in unseen])
    wrong = verifier.model_logits([other for one in unseen for other in one.not_stated()])
    return float((wrong < np.quantile(right, 0.05)).mean())


@pytest.mark.slow
def test_an_adapted_model_knows_relations_that_it_did_not_know(verifier, adapted, examples):
    before, after = removed(verifier, examples), removed(adapted, examples)
    assert after > before + 0.2


@pytest.mark.slow
def test_an_adapted_model_knows_which_end_is_which(adapted, examples):
    turned = [one for one in examples if one.held_out and one.exchanged]
    right = adapted.model_logits([one.candidate for one in turned])
    wrong = adapted.model_logits([exchanged(one.candidate) for one in turned])
    assert (right > wrong).mean() > 0.8


@pytest.mark.slow
def test_an_adapted_model_is_saved_with_the_verifier(adapted, examples, tmp_path):
    some = [one.candidate for one in examples[:20]]
    adapted.save(tmp_path / "verifier")
    loaded = LearnedVerifier.load(tmp_path / "verifier")
    assert loaded.model_logits(some).tolist() == adapted.model_logits(some).tolist()
    assert loaded.scores(some).tolist() == adapted.scores(some).tolist()
    alone = [float(adapted.model_logits([one])[0]) for one in some]
    assert alone == adapted.model_logits(some).tolist()


@pytest.mark.slow
def test_adapting_twice_gives_the_same_weights(verifier, examples, monkeypatch):
    monkeypatch.setattr(learning, "MOST_READ", 64)
    for name in ("torch", "transformers"):
        pytest.importorskip(name, reason="the extra `neural` is not installed")
    some = examples[:90]
    first, second = (adapted_model(verifier, some) for _ in range(2))
    assert first.adapted is not None
    assert first.adapted == second.adapted


@pytest.mark.slow
def test_too_few_examples_do_not_change_the_model(verifier, examples):
    for name in ("torch", "transformers"):
        pytest.importorskip(name, reason="the extra `neural` is not installed")
    assert adapted_model(verifier, examples[:20]) is verifier.model
