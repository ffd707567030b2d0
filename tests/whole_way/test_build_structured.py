"""The recipes graphquestions, romqa, setops and mixed: whole sets from a small world, and published
forms of them.
"""

import json
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from model_server import ModelServer
from rollcall import RollcallError
from rollcall.build import build
from rollcall.cli.main import main
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.query.query import without_distinct
from rollcall.questions import Question, QuestionSet, read_questions
from rollcall.questions.exporting import export
from rollcall.questions.statistics import cluster_statistics, template_statistics
from rollcall.score import score

CHANGES = (
    "evidence.use=true", "evidence.verifier=none", "templates.queries=40", "templates.per_template=3",
    "clusters.clusters=8", "clusters.candidates=20", "clusters.most_positive=10", "clusters.attempts=3000",
    "sets.per_operation=4", "evidence.validated=0", "answers.unproved=count",
)  # fmt: skip


@pytest.fixture(scope="module")
def mixed(small_world: Path, tmp_path_factory: pytest.TempPathFactory) -> QuestionSet:
    out = tmp_path_factory.mktemp("built") / "mixed"
    folders = {"graph": small_world / "graph", "corpus": small_world / "corpus", "out": out}
    return build("mixed", changes=CHANGES, jobs=1, **folders)


def test_text_proves_as_much_as_asked_for(small_world: Path, tmp_path: Path) -> None:
    folders = {"graph": small_world / "graph", "corpus": small_world / "corpus", "out": tmp_path / "set"}
    changes = [*CHANGES, "templates.queries=10", "evidence.validated=0.8"]
    found = build("mixed", changes=changes, jobs=1, **folders)
    for question in found:
        things = [answer for answer in question.answers if answer.id]
        assert sum(bool(answer.evidence) for answer in things) >= 0.8 * len(things)
    clusters = Counter(question.cluster for question in of_kind(found, "cluster"))
    assert min(clusters.values(), default=2) >= 2


def test_evidence_of_a_build_without_a_verifier_has_no_score(mixed):
    pieces = [piece for question in mixed for answer in question.answers for piece in answer.evidence]
    assert pieces
    assert {piece.score for piece in pieces} == {None}


def of_kind(mixed: QuestionSet, kind: str) -> list[Question]:
    return [question for question in mixed if question.kind == kind]


def test_one_recipe_mixes_all_kinds(mixed):
    kinds = Counter(question.kind for question in mixed)
    assert set(kinds) == {"template", "cluster", "set-operation"}
    assert len({question.id for question in mixed}) == len(mixed)


def test_answers_are_the_denotations(mixed, small_world):
    with Graph.open(small_world / "graph") as graph:
        for question in mixed:
            found = graph.answers(Query.parse(question.query.text))
            assert len(question.answers) == len(found)
            named = {answer.id for answer in question.answers if answer.id}
            assert named == {answer for answer in found if isinstance(answer, str)}


def test_a_mixed_set_requires_what_text_proves(small_world: Path, tmp_path: Path) -> None:
    folders = {"graph": small_world / "graph", "corpus": small_world / "corpus", "out": tmp_path / "set"}
    changes = [*CHANGES, "templates.queries=10", "answers.unproved=neutral", "answers.least=2"]
    built = build("mixed", changes=changes, jobs=1, **folders)
    assert any(question.neutral for question in built)
    removed = built.manifest["stages"]["assemble"]["removed"]
    assert removed["fewer than 2 answers that count"] > 0
    with Graph.open(small_world / "graph") as graph:
        everything = {one.id: graph.answers(Query.parse(one.query.text)) for one in built}
        every = {
            id_: [answer for answer in answers if isinstance(answer, str)]
            for id_, answers in everything.items()
        }
        things = [one for one in built if len(every[one.id]) == len(everything[one.id])]
        for run in (every, {one.id: [answer.id for answer in one.answers] for one in things}):
            report = score(things, {one.id: run[one.id] for one in things}, confidence=None)
            assert [report[name].value for name in ("P", "R", "F1", "acc")] == [1, 1, 1, 1]
        for question in built:
            assert len(question.answers) >= 2
            assert all(answer.evidence for answer in question.answers)
            repeated = {answer.id for answer in question.neutral if answer.provenance}
            named = {answer.id for answer in (*question.answers, *question.neutral) if answer.id} - repeated
            plain = graph.answers(without_distinct(Query.parse(question.query.text)))
            assert named | repeated == {answer for answer in plain if isinstance(answer, str)}
            found = graph.answers(Query.parse(question.query.text))
            assert named == {answer for answer in found if isinstance(answer, str)}
            neutral = {answer.id for answer in question.neutral}
            assert not any(candidate.id in neutral for candidate in question.candidates)
            assert {candidate.id for candidate in question.candidates if candidate.is_answer} <= {
                answer.id for answer in question.answers
            }


def test_paraphrases_and_clusters_stay_on_one_side(mixed):
    splits = defaultdict(set)
    for question in mixed:
        splits[question.kind, question.cluster or question.id].add(question.split)
    assert all(len(parts) == 1 for parts in splits.values())
    assert {part for parts in splits.values() for part in parts} == {"train", "dev", "test"}


def test_template_ids_count_queries_sentences_and_variants(mixed):
    for question in of_kind(mixed, "template"):
        assert int(question.id) // 10**6 == int(question.cluster)
    ids = [int(question.id) for question in of_kind(mixed, "template")]
    assert {id_ // 100 % 10_000 for id_ in ids} >= {0, 1}
    assert max(id_ % 100 for id_ in ids) <= 2


def test_clusters_have_candidates_with_gold_evidence_for_denied_constraints_too(mixed):
    clusters = of_kind(mixed, "cluster")
    assert min(Counter(question.cluster for question in clusters).values()) >= 2
    denied = 0
    for question in clusters:
        assert len(question.candidates) == 20
        answers = {answer.id for answer in question.answers}
        assert all(candidate.is_answer == (candidate.id in answers) for candidate in question.candidates)
        edges = Query.parse(question.query.text).edges
        for candidate in question.candidates:
            for piece in candidate.evidence:
                assert candidate.id in piece.fact
                denied += any(edge.negated and edge.relation in piece.fact.split() for edge in edges)
    assert denied > 0


def test_romqa_export_comes_back(mixed, tmp_path):
    clusters = of_kind(mixed, "cluster")
    export(clusters, "romqa", tmp_path / "all.json")
    back = {question.id: question for question in read_questions(tmp_path / "all.json")}
    first = json.loads((tmp_path / "all.json").read_text())[0]
    assert set(first) == {"id", "cluster_id", "question", "constraints", "candidates", "complete_answer"}
    for question in clusters:
        read = back[question.id]
        assert (read.cluster, read.question) == (question.cluster, question.question)
        assert read.query.text == question.query.text
        assert [a.label for a in read.answers] == [a.label for a in question.answers]
        assert [(c.id, c.is_answer) for c in read.candidates] == [
            (c.id, c.is_answer) for c in question.candidates
        ]
        assert [len(c.evidence) for c in read.candidates] == [len(c.evidence) for c in question.candidates]
        assert read.characteristics["negated"] == question.characteristics["negated"]


def test_what_has_no_romqa_form_is_refused(mixed, tmp_path, capsys):
    export(of_kind(mixed, "set-operation"), "jsonl", tmp_path / "sets.jsonl")
    with pytest.raises(SystemExit):
        main(["export", str(tmp_path / "sets.jsonl"), "--format", "romqa", "--out", str(tmp_path / "x.json")])
    assert "RoMQA's form" in capsys.readouterr().err


def test_graphquestions_export_comes_back(mixed, tmp_path):
    templates = of_kind(mixed, "template")
    files = export(templates, "graphquestions", tmp_path / "published")
    assert {path.name for path, _ in files} <= {"train.json", "dev.json", "test.json"}
    back = {question.id: question for path, _ in files for question in read_questions(path)}
    assert set(back) == {question.id for question in templates}
    for question in templates:
        read = back[question.id]
        assert read.question == question.question.lower()
        assert read.cluster == question.cluster
        assert read.characteristics["edges"] == question.characteristics["edges"]
        assert [a.label for a in read.answers] == [a.label for a in question.answers]
        assert read.query.graph == question.query.graph
        assert read.query.text == question.query.text
        assert "SELECT" in read.query.sparql


def test_figures_of_both_papers(mixed):
    templates = template_statistics(of_kind(mixed, "template"))
    queries = templates["queries"]
    assert 35 <= queries <= 40, "a few of the 40 templates make no sensible question"
    assert sum(counts["queries"] for counts in templates["table_1"]["edges"].values()) == queries
    assert templates["questions"] > templates["sentences"] > templates["queries"]
    assert templates["table_3"]["paraphrase"]
    clusters = cluster_statistics(of_kind(mixed, "cluster"), {"cast member": 7})
    assert (
        sum(int(size) * count for size, count in clusters["questions_per_cluster"].items())
        == clusters["questions"]
    )
    assert sum(clusters["figure_9"].values()) == clusters["questions"]
    assert clusters["figure_10"]["before"] == {"cast member": 7}
    assert clusters["table_2"]["gold evidence"]


def test_quotas_that_cannot_be_met_are_noted(small_world, tmp_path):
    build(
        "graphquestions",
        graph=small_world / "graph",
        corpus=small_world / "corpus",
        out=tmp_path / "set",
        jobs=1,
        changes=[
            "templates.queries=10",
            "templates.attempts=600",
            'templates.quotas={commonness: {"[-40,-39)": 1, other: 1}}',
        ],
    )
    manifest = json.loads((tmp_path / "set" / "manifest.json").read_text())
    assert any(note.startswith("commonness [-40,-39): 0 of 5: 0 candidates") for note in manifest["notes"])


def test_quotas_are_checked_before_a_stage_runs(small_world, tmp_path):
    folders = {"graph": small_world / "graph", "corpus": small_world / "corpus", "out": tmp_path / "set"}
    for quotas, told in (
        ("{edgs: {'1': 1}}", "did you mean edges"),
        ("{class: {flim: 1}}", "did you mean film"),
    ):
        with pytest.raises(RollcallError, match=told):
            build("graphquestions", changes=[f"templates.quotas={quotas}"], jobs=1, **folders)
    assert not (tmp_path / "set").exists()


def test_a_language_model_can_be_the_verifier(small_world, tmp_path):
    pytest.importorskip("openai", reason="the extra `llm` is not installed")
    folders = {"graph": small_world / "graph", "corpus": small_world / "corpus", "out": tmp_path / "set"}
    with ModelServer(lambda body: ["yes"]) as server:
        changes = ("evidence.verifier=llm", f"evidence.base_url={server.url}", "evidence.model=tiny")
        questions = build("setops", changes=[*changes, "sets.per_operation=1"], jobs=1, **folders)
    assert any(answer.evidence for question in questions for answer in question.answers)


def test_a_build_that_seeks_no_evidence_needs_no_corpus(small_world, tmp_path):
    changes = ("evidence.use=false", *CHANGES[1:])
    made = build("mixed", graph=small_world / "graph", out=tmp_path / "set", changes=changes, jobs=1)
    assert {question.kind for question in made} == {"template", "cluster", "set-operation"}
    assert set(made.manifest["inputs"]) == {"graph"}
    with pytest.raises(RollcallError, match="needs --corpus"):
        build("mixed", graph=small_world / "graph", out=tmp_path / "other", changes=CHANGES)
