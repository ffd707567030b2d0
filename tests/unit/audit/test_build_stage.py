"""The audit as the last stage of a build: thresholds of a recipe, what they refuse, and what is kept."""

import json
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.build import Build, Recipe, build
from rollcall.build.recipe import load
from rollcall.cli.main import main
from rollcall.questions import QuestionSet

SMALL = ["templates.queries=6", "evidence.use=false"]


def built(world: Path, out: Path, *changes: str) -> QuestionSet:
    return build("graphquestions", graph=world / "graph", out=out, changes=[*SMALL, *changes], jobs=1)


@pytest.fixture(scope="module")
def plain(small_world: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("plain") / "set"
    built(small_world, out)
    return out


def test_a_set_that_fails_is_built_and_the_error_names_check_count_and_threshold(
    small_world, plain, tmp_path
):
    out = tmp_path / "set"
    said = r"fails its audit: skew-relations: \d+ of \d+ relations of questions \(.* %\), above 0 %"
    for _call in range(2):
        with pytest.raises(RollcallError, match=said):
            built(small_world, out, "audit.fail_above.skew-relations=0")
    assert (out / "questions.jsonl").read_bytes() == (plain / "questions.jsonl").read_bytes()
    assert (out / "manifest.json").read_bytes() == (plain / "manifest.json").read_bytes(), (
        "an audit is no part of the set"
    )
    audited = json.loads((out / ".build" / "audit" / "audit.json").read_bytes())
    assert audited["quality"]["checks"]["skew-relations"]["found"] > 0
    assert (out / ".build" / "audit" / "index.html").exists()
    assert len(built(small_world, out, "audit.fail_above.skew-relations=1")) == len(QuestionSet.open(plain))


def test_only_the_audit_runs_again_when_its_keys_change(small_world, plain, tmp_path):
    def made(*changes: str) -> Build:
        return Build(
            "graphquestions", graph=small_world / "graph", out=tmp_path / "set", changes=[*SMALL, *changes]
        )

    made("audit.use=true").run()
    assert not any(step.runs for step in made("audit.use=true").plan())
    again = [step.stage for step in made("audit.use=true", "audit.examples=1").plan() if step.runs]
    assert again == ["audit"]


def test_the_command_ends_with_2_and_its_summary_counts_the_questions(small_world, tmp_path, capsys):
    words = ["build", "graphquestions", "--graph", str(small_world / "graph"), "--out", str(tmp_path / "set")]
    words += [word for change in SMALL for word in ("--set", change)]
    with pytest.raises(SystemExit) as ended:
        main([*words, "--set", "audit.fail_above.skew-relations=0"])
    assert ended.value.code == 2
    assert "the set is built, but fails its audit: skew-relations" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        main([*words, "--set", "audit.use=true"])
    assert ended.value.code == 0
    assert f"{len(QuestionSet.open(tmp_path / 'set'))} questions" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (["audit.fail_above.leftover=0"], "--set audit.fail_above.leftover: .*did you mean leftovers"),
        (["audit.checks=[nothing]"], "audit.checks: 'nothing' is not a quality check"),
        (["audit.fail_above.leftovers=2"], "audit.fail_above: .*at most 1"),
        (["audit.fial_above.leftovers=0"], "unknown key audit.fial_above; did you mean audit.fail_above"),
        (["audit=true"], "audit has keys of its own"),
    ],
)
def test_mistakes_in_the_keys_are_found_before_anything_runs(changes, said):
    with pytest.raises(RollcallError, match=said):
        load("qampari", changes)


def test_every_pipeline_has_the_keys_and_none_has_them_among_its_parameters():
    for name in ("qampari", "romqa"):
        recipe = load(name, ["audit.fail_above.too-long=0.1"])
        assert isinstance(recipe, Recipe)
        assert recipe.audit.fail_above == {"too-long": 0.1}
        assert "audit" not in recipe.record()


def test_a_threshold_that_needs_a_corpus_is_refused_without_one(small_world, tmp_path):
    with pytest.raises(RollcallError, match="misplaced-evidence has a threshold, but it needs a corpus"):
        built(small_world, tmp_path / "set", "audit.fail_above.misplaced-evidence=0")
    assert not (tmp_path / "set").exists()
