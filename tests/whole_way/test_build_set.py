"""A built set says what is true of the world it was built from, and the commands show it."""

import json
import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from msgspec import structs

from rollcall import RollcallError
from rollcall.build import Build, build
from rollcall.cli.main import main
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.questions import Answer, QuestionSet
from rollcall.questions.statistics import KINDS
from rollcall.score import score


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    return int(ended.value.code or 0)


def test_questions_of_all_kinds_are_in_the_set(small_set: Path) -> None:
    questions = QuestionSet.open(small_set)
    kinds = Counter(question.kind for question in questions)
    assert set(kinds) == set(KINDS)
    assert {question.split for question in questions} == {"train", "dev", "test"}
    assert questions.manifest["counts"]["questions"] == len(questions)
    assert {kind: sum(c.values()) for kind, c in questions.manifest["counts"]["kinds"].items()} == kinds


def test_a_question_is_whole(small_set: Path) -> None:
    for question in QuestionSet.open(small_set):
        assert question.question.endswith("?")
        assert question.query is not None
        query = Query.parse(question.query.text)
        assert (query.text, query.id) == (question.query.text, question.id)
        assert question.query.graph["nodes"]
        assert question.characteristics["edges"] == len(query.edges)
        assert question.characteristics["answers"] == len(question.answers) >= 3
        assert len({(answer.id, answer.label) for answer in question.answers}) == len(question.answers)
        for answer in question.answers:
            assert answer.evidence, "every answer is proved"
            assert all(piece.text and piece.passage and piece.fact for piece in answer.evidence)
            assert answer.label not in answer.aliases


def test_a_composition_has_evidence_for_both_hops(small_set: Path) -> None:
    compositions = [one for one in QuestionSet.open(small_set) if one.kind == "composition"]
    assert compositions
    for question in compositions:
        for answer in question.answers:
            facts = {piece.fact for piece in answer.evidence}
            assert len(facts) == 2 or len(question.characteristics["relations"]) == 1  # type: ignore[arg-type]


def test_every_answer_is_in_the_denotation(
    small_set: Path, small_world: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = small_world / "world" / "truth.parquet"
    assert run("stats", small_set, "--graph", small_world / "graph", "--truth", truth, "--json") == 0
    told = json.loads(capsys.readouterr().out)["checks"]
    assert told["answers in their query's denotation"]["share"] == 1
    assert told["evidence that states its fact, simple"]["share"] > 0.8  # every mention counted
    parts = [told[name] for name in told if name.startswith("evidence that states its fact, ")]
    overall = told["evidence that states its fact"]
    assert overall["right"] == sum(part["right"] for part in parts)
    assert overall["of"] == sum(part["of"] for part in parts) > 0
    assert told["true sentences kept"]["share"] == 1
    assert told["decoys turned away"]["share"] == 0


def test_answers_that_no_text_proves_are_neutral_with_the_reason(small_set: Path, small_world: Path) -> None:
    """Every mention counts there, so what is not proved is named in no sentence."""
    questions = QuestionSet.open(small_set)
    neutral = [answer for question in questions for answer in question.neutral]
    assert neutral
    assert questions.manifest["counts"]["neutral"] == len(neutral)
    assert {answer.reason for answer in neutral} <= {"no sentence names both"}
    assert all(answer.unproved and not answer.evidence for answer in neutral)
    with Graph.open(small_world / "graph") as graph:
        for question in questions:
            of_list = (question.kind or "").startswith("table-")
            sources = {
                source for answer in (*question.answers, *question.neutral) for source in answer.sources
            }
            assert sources <= {"list" if of_list else "graph", "text"}
            assert all("text" in answer.sources for answer in question.answers)
            known = len(question.answers) + len(question.neutral)
            assert known == question.provenance["answers_in_graph"]
            if not of_list and question.query is not None:
                assert known == len(graph.answers(Query.parse(question.query.text)))


def test_a_system_that_gives_all_answers_of_the_graph_loses_no_score(small_set: Path) -> None:
    questions = QuestionSet.open(small_set)
    every = {one.id: _named((*one.answers, *one.neutral)) for one in questions}
    stated = {one.id: _named(one.answers) for one in questions}
    some = {one.id: _named((*one.answers, *one.neutral[::2])) for one in questions}
    for run in (every, stated, some):
        report = score(questions, run, confidence=None)
        assert [report[name].value for name in ("P", "R", "F1", "acc")] == [1, 1, 1, 1]
    lost = score(questions, every, confidence=None, neutral="wrong")
    assert (lost["P"].value or 0) < 1


def _named(answers: Iterable[Answer]) -> list[str]:
    """The ids, since two entities may have one label; values have none."""
    return [answer.id or answer.label for answer in answers]


def test_published_sets_leave_out_what_no_text_proves(
    small_world: Path, small_set: Path, tmp_path: Path
) -> None:
    list(changed(small_world, small_set, tmp_path / "set", "answers.unproved=drop").run())
    published, kept = QuestionSet.open(tmp_path / "set"), QuestionSet.open(small_set)
    assert published.questions == [structs.replace(question, neutral=[]) for question in kept]


def test_the_manifest_says_what_was_removed_and_from_what(small_set: Path) -> None:
    manifest = QuestionSet.open(small_set).manifest
    assert manifest["recipe"]["answers"]["least"] == 3
    assert manifest["inputs"]["graph"]["sources"] == ["wikidata.json.gz"]
    assert len(manifest["inputs"]["graph"]["sha256"]["wikidata.json.gz"]) == 64
    assert manifest["stages"]["simple"]["removed"]["fewer than 3 answers"] > 0
    assert (
        manifest["stages"]["release" if "release" in manifest["stages"] else "assemble"]["rows"]
        == (manifest["counts"]["questions"])
    )


def test_questions_are_shown_with_answers_and_evidence(
    small_set: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    question = next(iter(QuestionSet.open(small_set)))
    assert run("show", small_set) == 0
    assert "simple:" in capsys.readouterr().out
    assert run("show", small_set, question.id) == 0
    shown = capsys.readouterr().out
    assert question.question in shown
    for answer in question.answers:
        assert answer.label in shown
        assert " ".join(answer.evidence[0].text.split()) in shown
    assert run("show", small_set, question.id, "--json") == 0
    assert json.loads(capsys.readouterr().out)["id"] == question.id
    assert run("show", small_set, "no such words") == 2
    assert "no question of" in capsys.readouterr().err


def test_statistics_are_printed(small_set: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("stats", small_set) == 0
    shown = capsys.readouterr().out
    assert "mean answers" in shown
    assert "removed by simple: " in shown


def changed(small_world: Path, small_set: Path, folder: Path, *changes: str) -> Build:
    """A build like that of the small set, with its work at hand and some keys changed."""
    from small_build import CHANGES

    if not folder.exists():
        shutil.copytree(small_set, folder)
    graph, corpus = small_world / "graph", small_world / "corpus"
    return Build("qampari", graph=graph, corpus=corpus, out=folder, changes=[*CHANGES, *changes], jobs=1)


def test_only_what_a_change_concerns_is_planned(small_world: Path, small_set: Path, tmp_path: Path) -> None:
    folder = tmp_path / "set"
    assert not any(step.runs for step in changed(small_world, small_set, folder).plan())
    steps = {step.stage: step for step in changed(small_world, small_set, folder, "seed=9").plan()}
    assert steps["simple"].why == "seed is 9, was 1"
    steps = {
        step.stage: step for step in changed(small_world, small_set, folder, "split.development=0.2").plan()
    }
    run_again = [stage for stage, step in steps.items() if step.runs]
    assert run_again == ["sample", "complete", "word", "assemble", "release"]
    assert steps["sample"].why == "split.development is 0.2, was 0.5"


def test_a_changed_sample_is_drawn_without_mining_again(
    small_world: Path, small_set: Path, tmp_path: Path
) -> None:
    made = changed(
        small_world, small_set, tmp_path / "set", "split.quotas.simple=7", "split.quotas.composition=0"
    )
    finished = {stage.stage: stage.done_now for stage in made.run()}
    assert not finished["simple-evidence"]
    assert finished["sample"]
    held = [one for one in QuestionSet.open(tmp_path / "set") if one.split != "train"]
    assert Counter(one.kind for one in held)["simple"] == 7
    assert "composition" not in {one.kind for one in held}


def test_a_build_that_yields_nothing_says_why(small_world: Path, tmp_path: Path) -> None:
    options = {
        "graph": small_world / "graph",
        "corpus": small_world / "corpus",
        "out": tmp_path / "set",
        "jobs": 1,
    }
    changes = ["answers.least=190", "evidence.verifier=none", "relations.simple=[P57]", "tables.use=false"]
    with pytest.raises(
        RollcallError, match=r"no question is left: .*fewer than 190 answers: answers.least\)"
    ):
        build("qampari", changes=changes, **options)
    assert not (tmp_path / "set" / "questions.jsonl").exists()


def test_folders_that_do_not_fit_are_refused(small_world: Path, tmp_path: Path) -> None:
    graph, corpus = small_world / "graph", small_world / "corpus"
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "one.txt").write_text("dear")
    with pytest.raises(RollcallError, match=r"holds one\.txt, which Rollcall did not write there"):
        Build("qampari", graph=graph, corpus=corpus, out=tmp_path / "letters")
    other = tmp_path / "graph"
    shutil.copytree(graph, other)
    (other / "graph.json").write_text((graph / "graph.json").read_text() + " ")
    with pytest.raises(RollcallError, match="was made for another graph"):
        Build("qampari", graph=other, corpus=corpus, out=tmp_path / "set")
    with pytest.raises(RollcallError, match="the graph has no relation 'P99999'"):
        build(
            "qampari", graph=graph, corpus=corpus, out=tmp_path / "set",
            changes=["relations.simple=[P99999]", "evidence.verifier=none"], jobs=1,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--memory", "lots"], "'lots' is not an amount of memory"),
        (["--set", "wording.lexicon=[missing.yaml]"], "missing.yaml: no such lexicon file"),
        (["--set", "wording.lexicon=[bad.yaml]"], "bad.yaml, line 1: a lexicon file maps"),
        (["--set", "relations.simple=[P57, P0]"], "relations.simple: the graph has no relation 'P0'"),
        (["--set", "relations.composition=[P0]"], "relations.composition: the graph has no relation 'P0'"),
    ],
)
def test_a_dry_run_finds_what_a_stage_would_fail_of(
    arguments: list[str],
    message: str,
    small_world: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.yaml").write_text("- no entries")
    folders = ("--graph", small_world / "graph", "--corpus", small_world / "corpus", "--out", "set")
    assert run("build", "qampari", *folders, "--dry-run", *arguments) == 2
    assert message in capsys.readouterr().err
    assert not Path("set").exists()


@pytest.mark.parametrize(
    ("broken", "command"), [("graph/facts.parquet", "graph"), ("corpus/sentences.parquet", "corpus")]
)
def test_a_broken_table_is_named_before_anything_runs(
    broken: str, command: str, small_world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("graph", "corpus"):
        shutil.copytree(small_world / name, tmp_path / name)
    file = tmp_path / broken
    build = ("build", "qampari", "-g", tmp_path / "graph", "-c", tmp_path / "corpus", "-o", tmp_path / "set")
    file.write_bytes(file.read_bytes()[:-100])
    assert run(*build, "--dry-run") == 2
    told = capsys.readouterr().err
    remedy = f"make the {command} again with `rollcall {command}`"
    assert f"{file}: damaged: its content is not what was written; {remedy}" in told
    file.unlink()
    assert run(*build) == 2
    assert f"{file}: is missing; make the {command} again" in capsys.readouterr().err


def test_a_truth_that_is_no_parquet_file_is_refused(
    small_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "truth.parquet").write_text("not a table")
    assert run("stats", small_set, "--truth", tmp_path / "truth.parquet") == 2
    assert "truth.parquet: is not a whole Parquet file" in capsys.readouterr().err


def test_a_truth_of_another_world_is_noticed(
    small_world: Path, small_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth = pq.read_table(small_world / "world" / "truth.parquet")
    assert run("stats", small_set, "--truth", small_world / "world" / "truth.parquet") == 0
    assert "another world" not in capsys.readouterr().err
    moved = pa.array([f"{one}0" for one in truth["subject"].to_pylist()])
    other = truth.set_column(truth.column_names.index("subject"), "subject", moved)
    pq.write_table(other, tmp_path / "truth.parquet")
    assert run("stats", small_set, "--truth", tmp_path / "truth.parquet") == 0
    assert "is it the truth of another world?" in capsys.readouterr().err


def test_an_interrupted_build_says_what_is_kept(
    small_world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rollcall.build.runner.Runner.run", interrupted)
    folders = ("--graph", small_world / "graph", "--corpus", small_world / "corpus")
    run("build", "qampari", *folders, "--out", tmp_path / "set")
    told = capsys.readouterr().err
    assert "interrupted; what is finished is kept: run the same command again to go on" in told
