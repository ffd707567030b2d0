"""A recipe asks for a share lost or a precision, and the stages that verify say what they expect."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

from engines import ENGINE
from evidence_world import write_facts
from rollcall import RollcallError
from rollcall.build import Inputs, Outcome, Work, proving
from rollcall.build.expectation import acceptance
from rollcall.build.pipelines.qampari import ProofKeys, QampariParameters
from rollcall.build.pipelines.structured import ShownEvidenceKeys, StructuredParameters
from rollcall.build.recipe import load
from rollcall.build.releasing import outcome_record
from rollcall.evidence import Acceptance, CandidateSentence, Verifier


class Sure(Verifier):
    """Scores by the sentences' lengths, said to be calibrated."""

    name = "sure"
    prior = 0.3
    parallel = True

    def scores(self, candidates: Sequence[CandidateSentence]) -> NDArray[np.float64]:
        return np.array([(len(candidate.text) * 37 % 101) / 101 for candidate in candidates])


class Unsure(Sure):
    name = "unsure"
    prior = None


def run(
    world: Path, folder: Path, keys: ProofKeys | ShownEvidenceKeys, kind: type[Verifier] = Sure
) -> Outcome:
    """The stage of evidence of the pipeline to which the keys belong, with a verifier that does not learn."""
    source = folder / "simple"
    source.mkdir()
    write_facts(world, source / "all.parquet")
    pq.write_table(pq.read_table(source / "all.parquet").slice(0, 150), source / "facts.parquet")
    work, inputs = Work(folder, {"simple": source}, ENGINE), Inputs(world / "graph", world / "corpus")
    if isinstance(keys, ProofKeys):
        return proving.evidence(QampariParameters(evidence=keys), inputs, kind, "simple", "simple", work)
    return proving.shown_evidence(StructuredParameters(evidence=keys), inputs, kind, ["simple"], work)


def test_a_calibrated_verifier_always_says_what_it_expects(small_world: Path, tmp_path: Path) -> None:
    outcome = run(small_world, tmp_path, ProofKeys())
    figures = outcome_record(outcome)["figures"]
    assert set(figures) == {"expected share true", "expected share lost", "expected precision"}
    note, shared = outcome.notes
    assert "names have several bearers" in shared
    assert f"{figures['expected share lost']:.1%} of those that state it are lost" in note
    assert f"{figures['expected precision']:.1%} of the accepted are right" in note
    assert "uncalibrated" not in note


def test_a_share_lost_sets_the_threshold(small_world: Path, tmp_path: Path) -> None:
    outcome = run(small_world, tmp_path, ShownEvidenceKeys(lose=0.2))
    assert 0.15 < outcome.figures["expected share lost"] <= 0.2
    assert outcome.notes[0] == f"sentences are accepted from a score of {outcome.figures['threshold']:g} on"
    (why,) = outcome.removed
    assert outcome.change[why] == "evidence.lose"


def test_scores_that_are_not_calibrated_give_a_rough_figure(small_world: Path, tmp_path: Path) -> None:
    outcome = run(small_world, tmp_path, ProofKeys(precision=0.999999), Unsure)
    assert outcome.rows == 0
    assert outcome.notes[0] == "no sentence is sure enough for a precision of 0.999999, so none is accepted"
    assert outcome.notes[1].endswith("(roughly: scores of unsure are uncalibrated)")


def test_the_verifier_decides_itself_if_its_scores_are_calibrated(small_world: Path) -> None:
    """One that learned from the graph, and is not, is not trusted where the lexicon knows no relation."""
    unknown = QampariParameters(relations=msgspec.structs.replace(QampariParameters().relations, covered=1.0))
    assert acceptance(Sure(), True, unknown, small_world / "graph") == Acceptance()
    given = QampariParameters(evidence=ProofKeys(threshold=0.3))
    assert acceptance(Sure(), True, given, small_world / "graph") == Acceptance(threshold=0.3)
    asked = QampariParameters(evidence=ProofKeys(precision=0.9))
    assert acceptance(Unsure(), True, asked, small_world / "graph") == Acceptance(precision=0.9)


@pytest.mark.parametrize("name", ["qampari", "romqa"])
def test_a_recipe_asks_for_what_is_expected(name: str) -> None:
    assert load(name, ["evidence.lose=0.05"]).parameters.evidence.lose == 0.05
    assert load(name, ["evidence.precision=0.95"]).parameters.evidence.precision == 0.95


@pytest.mark.parametrize(
    ("recipe", "changes", "message"),
    [
        (
            "romqa",
            ["evidence.lose=0.05", "evidence.precision=0.9"],
            "--set evidence.lose: evidence.lose and evidence.precision both set the threshold; "
            "give only one of them",
        ),
        (
            "qampari",
            ["evidence.threshold=0.3", "evidence.lose=0.05"],
            "--set evidence.threshold: evidence.threshold 0.3 and evidence.lose both say which sentences are "
            "accepted; give only one of them",
        ),
        (
            "qampari",
            ["evidence.verifier=none", "evidence.precision=0.95"],
            "--set evidence.precision: the verifier none gives no scores; choose another evidence.verifier",
        ),
        (
            "qampari",
            ["evidence.verifier=none", "evidence.threshold=0.3"],
            "--set evidence.threshold: the verifier none gives no scores",
        ),
        ("qampari", ["evidence.precision=1"], "evidence.precision"),
        ("romqa", ["evidence.lose=-0.1"], "evidence.lose"),
    ],
)
def test_rules_that_cannot_be_kept_are_refused(recipe: str, changes: list[str], message: str) -> None:
    with pytest.raises(RollcallError) as refused:
        load(recipe, changes)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
