"""What changed in an aged world: every changed answer has its fact; without a change, nothing is told."""

from pathlib import Path

import pytest

import rollcall
from aged_world import told_questions, unexplained
from made_once import made_once
from rollcall.audit.drift.changes import CAME, RENAMED, WENT
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.questions import EntityAnswer, Prediction, QuestionSet, Run


@pytest.fixture(scope="module")
def aged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A world of two ages, with the graphs and corpora of both, and a set made from the first."""
    from rollcall.corpus import make_corpus
    from rollcall.graph import make_graph
    from rollcall.world import write_world

    def make(folder: Path) -> None:
        world = folder / "world"
        write_world(world, 700, seed=7, ages=2, jobs=1)
        for age, place in ((1, world), (2, world / "age-2")):
            graph = folder / f"graph-{age}"
            make_graph([place / "wikidata.json.gz"], graph, jobs=1)
            make_corpus([place / "pages.xml.bz2"], folder / f"corpus-{age}", graph=graph, jobs=1)
        told_questions(folder).save(folder / "set")

    return made_once(tmp_path_factory, "aged_world", make)


def test_every_changed_answer_is_explained_by_its_fact(aged: Path) -> None:
    found = rollcall.diff(
        aged / "set",
        graph=aged / "graph-2",
        corpus=aged / "corpus-2",
        old_graph=aged / "graph-1",
        old_corpus=aged / "corpus-1",
        dump=aged / "world" / "age-2" / "wikidata.json.gz",
        verifier="none",
        jobs=1,
    )
    counts = found.counts()
    assert min(counts[CAME], counts[WENT], counts[RENAMED]) > 0
    assert unexplained(found, aged / "world") == []
    assert found.old == found.same + len(found.changed) + len(found.gone)


def test_an_unchanged_graph_gives_an_empty_difference(aged: Path) -> None:
    both = {"graph": aged / "graph-1", "corpus": aged / "corpus-1"}
    found = rollcall.diff(aged / "set", **both, old_graph=aged / "graph-1", verifier="none", jobs=1)
    assert found.is_empty
    assert not found.notes
    assert found.same == found.old == len(QuestionSet.open(aged / "set"))
    without = rollcall.diff(aged / "set", **both, verifier="none", jobs=1)
    assert without.is_empty
    assert any("--old-graph" in note for note in without.notes)
    assert rollcall.diff(aged / "set", aged / "set").is_empty


def test_the_graph_alone_tells_what_statements_did(aged: Path) -> None:
    found = rollcall.diff(aged / "set", graph=aged / "graph-2", old_graph=aged / "graph-1")
    assert set(found.causes()) == {"statement added", "statement gone", "label changed"}


def test_a_run_that_was_right_loses_what_the_gold_gained(aged: Path) -> None:
    questions = QuestionSet.open(aged / "set")
    perfect = Run(
        Prediction(one.id, [EntityAnswer(answer.id or "", answer.label) for answer in one.answers])
        for one in questions
    )
    found = rollcall.diff(
        aged / "set",
        graph=aged / "graph-2",
        old_graph=aged / "graph-1",
        rescore=perfect,
        measures="P,R,F1",
    )
    (scored,) = found.rescored
    for change in scored.figures.values():
        assert change.before == 1.0
        assert change.after < 1.0
        assert sum(part.value for part in change.by_cause.values()) == pytest.approx(change.drift.value)
        assert change.after - change.before == pytest.approx(change.drift.value)
        assert change.drift.interval is not None
        assert change.drift.interval[0] < change.drift.value < change.drift.interval[1] < 0
    recall = scored.figures["R"].by_cause
    assert recall["statement added"].value < 0
    # What went lowers recall only where something came too: what is left of the gold then weighs less.
    assert recall["statement added"].value / 10 < recall["statement gone"].value <= 0
    assert recall["label changed"].value == 0
    assert scored.figures["P"].by_cause["statement added"].value == 0


@pytest.mark.slow
def test_a_built_set_is_carried_forward(aged: Path, tmp_path: Path) -> None:
    options = {"changes": ["answers.least=3", "evidence.verifier=none"], "jobs": 1}
    first = {"graph": aged / "graph-1", "corpus": aged / "corpus-1"}
    second = {"graph": aged / "graph-2", "corpus": aged / "corpus-2"}
    old = rollcall.build("qampari", **first, out=tmp_path / "old", **options)
    same = rollcall.build("qampari", **first, out=tmp_path / "same", update=tmp_path / "old", **options)
    assert [(one.id, one.split, one.question) for one in same] == [
        (one.id, one.split, one.question) for one in old
    ]
    assert rollcall.diff(old, same).is_empty
    new = rollcall.build("qampari", **second, out=tmp_path / "new", update=tmp_path / "old", **options)
    counts = new.manifest["stages"]["update"]["counts"]
    kept = {one.id: one for one in new}
    assert len(new) == counts["kept"] + counts["added"]
    assert len(old) == counts["kept"] + counts["dropped"]
    assert counts["dropped"] > 0
    assert counts["added"] > 0
    assert all(kept[one.id].split == one.split for one in old if one.id in kept)
    with Graph.open(aged / "graph-2") as graph:
        for question in new:
            if question.query is not None and not (question.kind or "").startswith("table"):
                known = {answer.id for answer in (*question.answers, *question.neutral) if answer.id}
                found_in_graph = graph.answers(Query.parse(question.query.text))
                assert known == {answer for answer in found_in_graph if isinstance(answer, str)}
    found = rollcall.diff(
        old,
        new,
        **second,
        old_graph=aged / "graph-1",
        old_corpus=aged / "corpus-1",
        dump=aged / "world" / "age-2" / "wikidata.json.gz",
    )
    assert len(found.gone) == counts["dropped"]
    assert len(found.added) == counts["added"]
    graph_kinds = [one for one in found.changed if not (one.kind or "").startswith("table")]
    found.changed = graph_kinds
    assert unexplained(found, aged / "world") == []
