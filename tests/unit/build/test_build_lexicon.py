"""A user's lexicon reaches all that words relations or hints at them: evidence as well as questions."""

from pathlib import Path

import msgspec
import pytest

from engines import ENGINE
from rollcall._core.registry import NoOptions
from rollcall.build import Inputs, Work
from rollcall.build.chosen_verifier import chosen_verifier
from rollcall.build.keys import VerifierKeys
from rollcall.build.lexicon import LexiconFiles, build_lexicon
from rollcall.build.pipelines import PIPELINES
from rollcall.build.pipelines.qampari import QampariParameters
from rollcall.build.recipe import load
from rollcall.evidence import CandidateSentence, Verifier, VerifierContext
from rollcall.evidence.verifiers.contrast import Contrast
from rollcall.evidence.verifiers.contrast.features import relation_cues
from rollcall.evidence.verifiers.verifier import Hypotheses
from rollcall.tables.build import ProvableFacts
from rollcall.tables.files import write_records
from rollcall.wording import Lexicon

ENTRY = """
X1:
  label: keeper
  forward: "is watched over by {object}"
  cues: [warden]
"""
CANDIDATE = CandidateSentence(
    "Q1", "X1", "Q2", "Ann is the warden of Marl.", subject_name="Marl", object_name="Ann"
)


@pytest.fixture
def files(tmp_path: Path) -> LexiconFiles:
    path = tmp_path / "mine.yaml"
    path.write_text(ENTRY, encoding="utf-8")
    return LexiconFiles([str(path)])


def is_mine(lexicon: Lexicon | None) -> bool:
    return "warden" in relation_cues({"X1": "keeper"}, lexicon)["X1"]


def test_hypotheses_and_cues_are_those_of_the_users_entry(files: LexiconFiles) -> None:
    lexicon = build_lexicon(files)
    assert Hypotheses(lexicon, {"X1": "keeper"}).of(CANDIDATE) == "Marl is watched over by Ann."
    assert "watched" not in Hypotheses(labels={"X1": "keeper"}).of(CANDIDATE)
    assert is_mine(lexicon)
    assert not is_mine(None)


def test_the_verifier_of_a_recipe_states_facts_in_the_users_words(
    files: LexiconFiles, small_world: Path, tmp_path: Path
) -> None:
    stated: list[str] = []

    class Stating(Verifier):
        @classmethod
        def open(cls, options: msgspec.Struct, context: VerifierContext) -> Verifier:
            stated.append(context.hypotheses().of(CANDIDATE))
            return cls()

    inputs = Inputs(small_world / "graph", small_world / "corpus")
    chosen_verifier(Stating, VerifierKeys(), files, inputs, Work(tmp_path, {}, ENGINE))
    assert stated == ["Marl is watched over by Ann."]


def test_what_contrast_learns_it_learns_by_the_users_lexicon(files: LexiconFiles, tmp_path: Path) -> None:
    from rollcall.build import proving

    given: list[Lexicon | None] = []

    class Learning(Contrast):
        @classmethod
        def prepare(cls, options: NoOptions, context: VerifierContext, path: Path) -> None:
            given.append(context.lexicon)

        @classmethod
        def open(cls, options: NoOptions, context: VerifierContext) -> Verifier:
            given.append(context.lexicon)
            return Learned()

    class Learned(Verifier):
        def save(self, path: Path) -> None:
            path.write_bytes(b"")

    (tmp_path / "simple").mkdir()
    fact = {"subject": "Q1", "relation": "X1", "object": "Q2", "literal": False}
    write_records(ProvableFacts, tmp_path / "simple" / "facts.parquet", [fact])
    work = Work(tmp_path, {"simple": tmp_path / "simple"}, ENGINE)
    inputs = Inputs(tmp_path, tmp_path)
    proving.learn(QampariParameters(wording=files), inputs, Learning, VerifierKeys(), ["simple"], None, work)
    assert [lexicon is not None and is_mine(lexicon) for lexicon in given] == [True, True]


@pytest.mark.parametrize(
    ("recipe", "stages"),
    [
        (
            "qampari",
            {"simple-verifier", "simple-evidence", "composition-verifier", "composition-evidence"}
            | {"tables-stated"},
        ),
        ("romqa", {"evidence"}),
    ],
)
def test_stages_that_verify_are_redone_when_the_lexicon_changes(
    recipe: str, stages: set[str], files: LexiconFiles, small_world: Path
) -> None:
    made = load(recipe, [f"wording.lexicon=[{files.lexicon[0]}]"])
    inputs = Inputs(small_world / "graph", small_world / "corpus")
    every = {
        stage.name: stage
        for stage in PIPELINES.find(made.pipeline).stages(made.parameters, inputs, made.record())
    }
    for name in stages:
        assert Path(files.lexicon[0]) in every[name].inputs.values(), name
