"""The learned verifier on a small world: what it learns, keeps, explains, and how builds choose it."""

import json
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from evidence_world import write_facts
from rollcall import RollcallError
from rollcall.build import Build, keys
from rollcall.build.recipe import load
from rollcall.cli.main import main
from rollcall.corpus import Corpus
from rollcall.evidence import VERIFIERS, CandidateSentence, VerifierContext, find_evidence
from rollcall.evidence.labelled import DECOY, STATES, WorldTruth
from rollcall.evidence.verifiers.learned import LearnedKind, LearnedOptions, learning
from rollcall.evidence.verifiers.learned import verifier as learned_verifier
from rollcall.evidence.verifiers.learned.learning import read_drawn
from rollcall.evidence.verifiers.learned.verifier import LearnedVerifier
from rollcall.evidence.verifiers.verifier import open_verifier
from rollcall.questions import QuestionSet
from rollcall.tables.engines.duckdb import DuckDB

RELATIONS = frozenset({"P19", "P57", "P69", "P161", "P166"})


@pytest.fixture(scope="module", autouse=True)
def _fewer_are_asked(packaged_model):
    """The model judges some hundred sentences of a world, not thousands."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning, "_MOST_ASKED", 150)
        patch.setattr(learning, "_BLOCK", 100)
        yield


def context(world: Path, jobs: int = 1, **further: object) -> VerifierContext:
    engine = DuckDB(jobs=jobs)
    return VerifierContext(world / "graph", world / "corpus", RELATIONS, engine, **further)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def prepared(small_world, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("learned") / "prepared"
    LearnedKind.prepare(LearnedOptions(), context(small_world), path)
    return path


def learned(world: Path, prepared: Path, jobs: int = 1) -> LearnedVerifier:
    given = context(world, jobs, prepared=prepared)
    made = open_verifier(LearnedKind, "learned", {"adapt": "combination"}, given)
    assert isinstance(made, LearnedVerifier)
    return made


@pytest.fixture(scope="module")
def verifier(small_world, prepared) -> LearnedVerifier:
    return learned(small_world, prepared)


@pytest.fixture(scope="module")
def saved(verifier, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("saved") / "verifier"
    verifier.save(path)
    return path


@pytest.fixture(scope="module")
def candidates(prepared) -> list[CandidateSentence]:
    return [one.candidate for one in read_drawn(prepared).examples if one.candidate.relation in RELATIONS]


def test_what_was_saved_judges_in_the_same_way(verifier, saved, candidates):
    some = candidates[::20]
    loaded = VERIFIERS.find("learned").load(saved)
    scores = verifier.scores(some)
    assert loaded.scores(some).tolist() == scores.tolist()
    assert loaded.threshold == verifier.threshold
    assert loaded.prior == 0.3
    assert loaded.accepts(some, scores).tolist() == verifier.accepts(some, scores).tolist()
    loaded.save(again := saved.with_name("again"))
    assert again.read_bytes() == saved.read_bytes()
    assert verifier.scores(some[::-1]).tolist() == scores.tolist()[::-1]


def test_more_decoys_are_removed_than_by_contrast_alone(small_world, verifier, candidates):
    truth = WorldTruth(small_world / "world" / "truth.parquet", Corpus.open(small_world / "corpus"))
    states = truth.states(candidates)
    decoys = np.flatnonzero(states == DECOY)
    true = np.flatnonzero(states == STATES)[::4]
    assert len(decoys) > 30

    def removed(scores: np.ndarray) -> float:
        return float((scores[len(true) :] < np.quantile(scores[: len(true)], 0.05)).mean())

    judged = [candidates[row] for row in (*true, *decoys)]
    assert verifier.contrast is not None
    assert removed(verifier.scores(judged)) >= removed(verifier.contrast.scores(judged))
    scores = verifier.scores(judged)
    accepted = verifier.accepts(judged, scores)
    assert accepted[: len(true)].mean() > 0.9
    assert accepted[len(true) :].mean() < 0.6
    assert ((scores >= 0) & (scores <= 1)).all()


def test_reasons_add_up_to_the_score(verifier, candidates):
    combination = verifier.about.combination
    for one in candidates[::150]:
        model, contrast, *wordings = verifier.explain(one)
        assert (model.feature, contrast.feature) == ("the model", "wordings of this corpus")
        assert wordings
        (score,) = verifier.scores([one])
        logit = np.log(score / (1 - score))
        assert combination.constant + model.weight + contrast.weight == pytest.approx(logit, abs=1e-3)


def test_one_and_two_jobs_learn_the_same_bytes(small_world, prepared, saved, tmp_path):
    LearnedKind.prepare(LearnedOptions(), context(small_world, 2), tmp_path / "prepared")
    assert (tmp_path / "prepared").read_bytes() == prepared.read_bytes()
    learned(small_world, prepared, jobs=2).save(tmp_path / "verifier")
    assert (tmp_path / "verifier").read_bytes() == saved.read_bytes()


@pytest.mark.slow
def test_one_and_two_jobs_find_the_same_evidence(small_world, verifier, tmp_path):
    write_facts(small_world, tmp_path / "every.parquet")
    every = pq.read_table(tmp_path / "every.parquet")
    pq.write_table(
        every.filter(pc.is_in(every["relation"], pa.array(["P19", "P57"]))), tmp_path / "facts.parquet"
    )
    for jobs in (1, 2):
        find_evidence(
            small_world / "graph", small_world / "corpus", tmp_path / "facts.parquet",
            tmp_path / f"{jobs}.parquet", verifier=verifier, jobs=jobs,
        )  # fmt: skip
    assert (tmp_path / "1.parquet").read_bytes() == (tmp_path / "2.parquet").read_bytes()


def test_further_relations_are_learned_with_the_same_combination(small_world, prepared, saved, verifier):
    given = VerifierContext(
        small_world / "graph", small_world / "corpus", {"P19", "P27"}, prepared=prepared, earlier=saved
    )
    further = learning.learn(None, "combination", given)
    assert further.about.combination == verifier.about.combination
    assert further.contrast is not None
    assert further.contrast.models["P27"].weights


def test_with_hardly_any_examples_the_model_judges_alone(small_world, prepared, monkeypatch):
    monkeypatch.setattr(learning, "_FEWEST", 1_000_000)
    alone = learned(small_world, prepared)
    assert alone.about.combination == alone.model.calibration


def test_weights_cannot_be_adapted_without_torch(small_world, prepared, monkeypatch):
    monkeypatch.setattr(learning, "find_spec", lambda name: None)
    with pytest.raises(
        RollcallError, match=r"install torch and transformers: .*or choose the option adapt=comb"
    ):
        open_verifier(LearnedKind, "learned", {"adapt": "weights"}, context(small_world, prepared=prepared))


def asked_to_adapt(monkeypatch, quickly: bool) -> list[int]:
    """Pretends that the relations are unknown, and that there is a GPU or none; what adapting is given."""
    given: list[int] = []

    def adapted(alone, examples):
        given.append(len(examples))
        return alone.model

    monkeypatch.setattr(learning, "ENOUGH", 1.1)
    monkeypatch.setattr(learned_verifier, "ENOUGH", 1.1)
    monkeypatch.setattr(learning, "can_adapt_quickly", lambda: quickly)
    monkeypatch.setattr(learning, "adapted_model", adapted)
    return given


def test_weights_are_adapted_unasked_only_where_that_is_quick(small_world, prepared, monkeypatch):
    given = asked_to_adapt(monkeypatch, quickly=False)
    slow = learning.learn(None, "auto", context(small_world, prepared=prepared))
    assert not given
    assert "evidence.options.adapt=weights" in slow.remark
    slow.save(prepared.with_name("slow"))
    assert LearnedVerifier.load(prepared.with_name("slow")).remark == slow.remark
    given = asked_to_adapt(monkeypatch, quickly=True)
    learning.learn(None, "auto", context(small_world, prepared=prepared))
    assert given


def test_known_relations_need_no_remark(verifier):
    assert verifier.about.removed is not None
    assert verifier.about.removed > 0.7
    assert verifier.remark == ""


def test_an_unknown_way_to_adapt_is_refused():
    with pytest.raises(RollcallError, match="adapt"):
        open_verifier(LearnedKind, "learned", {"adapt": "everything"}, VerifierContext())


def rewritten(saved: Path, out: Path, **changed: bytes | None) -> Path:
    """A saved verifier with some of its members changed, or left out."""
    with zipfile.ZipFile(saved) as file, zipfile.ZipFile(out, "w") as new:
        for name in file.namelist():
            content = changed.get(name.partition(".")[0], file.read(name))
            if content is not None:
                new.writestr(name, content)
    return out


def test_a_verifier_of_another_model_is_refused(saved, tmp_path):
    with zipfile.ZipFile(saved) as file:
        about = json.loads(file.read("about.json"))
    other = rewritten(saved, tmp_path / "other", about=json.dumps(about | {"model": "0" * 16}).encode())
    with pytest.raises(
        RollcallError, match=r"other: was learned with another model than .*; delete .* to learn again$"
    ):
        LearnedVerifier.load(other)
    gone = json.dumps(about | {"folder": str(tmp_path / "gone")}).encode()
    with pytest.raises(RollcallError, match="gone: is not a model of the learned verifier"):
        LearnedVerifier.load(rewritten(saved, tmp_path / "moved", about=gone))


@pytest.mark.parametrize(
    "damage",
    [
        {"about": None},
        {"about": b"{}"},
        {"contrast": None},
        {"contrast": b"nonsense"},
        {"about": b'{"a": "\xff"}'},
    ],
    ids=str,
)
def test_a_damaged_verifier_is_one_clear_line(saved, tmp_path, damage):
    path = rewritten(saved, tmp_path / "damaged", **damage)
    with pytest.raises(RollcallError, match=f"^{path}: is not a learned verifier that was saved$"):
        LearnedVerifier.load(path)


@pytest.mark.parametrize("content", [None, b"", b"nonsense"], ids=str)
def test_another_file_is_one_clear_line(saved, tmp_path, content):
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(RollcallError, match=f"^{path}: is not a learned verifier that was saved$"):
        LearnedVerifier.load(path)
    path.write_bytes(saved.read_bytes()[:-30])
    with pytest.raises(RollcallError, match="is not a learned verifier"):
        LearnedVerifier.load(path)


def test_the_file_of_contrast_is_not_that_of_learned(verifier, tmp_path):
    verifier.contrast.save(tmp_path / "contrast")
    with pytest.raises(RollcallError, match="is not a learned verifier that was saved"):
        LearnedVerifier.load(tmp_path / "contrast")


def found(name: str) -> object:
    """As `find_spec` where the models are installed."""
    return object()


def test_triples_are_judged_by_default_where_the_models_are_installed(tmp_path, monkeypatch, capsys):
    triple = {"text": "Ann Marl was born in Norrow.", "subject": "Ann Marl", "object": "Norrow"}
    file, out = tmp_path / "triples.jsonl", tmp_path / "scores.jsonl"
    rows = [triple | {"relation": "P19", "label": True}, triple | {"relation": "P20", "label": False}]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    monkeypatch.setattr(keys, "find_spec", found)
    with pytest.raises(SystemExit) as ended:
        main(["verify", str(file), "--out", str(out), "--explain", "1"])
    printed, _err = capsys.readouterr()
    assert ended.value.code == 0
    assert printed.startswith("learned: 2 triples, 2 with a label")
    assert "average precision 100.0%" in printed
    assert "the model" in printed
    born, died = (json.loads(line)["score"] for line in out.read_text().splitlines())
    assert born > 0.8 > 0.2 > died


@pytest.mark.parametrize(("finds", "name"), [(found, "learned"), (lambda name: None, "contrast")])
def test_a_recipe_without_a_verifier_has_the_best_one_installed(monkeypatch, finds, name):
    monkeypatch.setattr(keys, "find_spec", finds)
    for recipe in ("qampari", "romqa"):
        assert load(recipe, []).record()["evidence"]["verifier"] == name
    assert load("qampari", ["evidence.verifier=none"]).record()["evidence"]["verifier"] == "none"


@pytest.mark.slow
def test_the_manifest_says_which_verifier_was_used(small_world, tmp_path, monkeypatch):
    monkeypatch.setattr(keys, "find_spec", found)
    changes = [
        "answers.least=3", "split.quotas.simple=20", "relations.simple=[P57, P161]", "tables.use=false",
        "evidence.options.adapt=combination",
    ]  # fmt: skip
    graph, corpus = small_world / "graph", small_world / "corpus"
    Build("qampari", graph=graph, corpus=corpus, out=tmp_path / "set", changes=changes, jobs=1).run()
    evidence = QuestionSet.open(tmp_path / "set").manifest["recipe"]["evidence"]
    assert evidence["verifier"] == "learned"
    assert evidence["options"] == {"adapt": "combination"}
