"""A stage is redone when a file changes that decides what it does, and only then: code, data, named files."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import rollcall
from engines import ENGINE
from places import SUPPORT
from rollcall.build import Declaring, FileName, Inputs, Outcome, Work
from rollcall.build.fingerprint import SourceFiles
from rollcall.build.keys import named_files
from small_build import CHANGES

PLANS = SUPPORT / "plans_after_edits.py"

# Of every stage a module that it uses, however far away, and one that it does not.
USED = {
    "simple": ("mine/simple.py", "mine/intersection.py"),
    "tables": ("graph/ingest/cells.py", "evidence/search/page.py"),
    "tables-relations": ("mine/lists/mine.py", "mine/composition.py"),
    "simple-evidence": ("graph/index.py", "mine/composition.py"),
    "simple-validated": ("evidence/validation.py", "evidence/search/page.py"),
    "intersection-parts": ("evidence/validation.py", "wording/question.py"),
    "intersection": ("mine/intersection.py", "mine/composition.py"),
    "intersection-validated": ("evidence/validation.py", "mine/simple.py"),
    "composition-base": ("evidence/validation.py", "evidence/search/page.py"),
    "composition": ("mine/composition.py", "mine/intersection.py"),
    "composition-evidence": ("evidence/search/page.py", "mine/simple.py"),
    "composition-validated": ("evidence/validation.py", "wording/lexicon.py"),
    "tables-stated": ("text/names.py", "mine/simple.py"),
    "tables-evidence": ("corpus/lists.py", "mine/simple.py"),
    "tables-validated": ("evidence/validation.py", "evidence/search/page.py"),
    "sample": ("questions/splits.py", "evidence/search/page.py"),
    "word": ("wording/question.py", "evidence/search/page.py"),
    "assemble": ("build/assembling.py", "evidence/search/page.py"),
    "release": ("questions/release.py", "mine/simple.py"),
}


@pytest.mark.slow
def test_a_stage_is_redone_when_a_module_changes_that_it_uses(
    small_world: Path, small_set: Path, tmp_path: Path
) -> None:
    """In a copy of the source files are edited one by one; one test, because the plans take a while."""
    source = tmp_path / "src" / "rollcall"
    shutil.copytree(Path(rollcall.__file__).parent, source, ignore=shutil.ignore_patterns("__pycache__"))
    lexicon = next(path for path in (source / "wording").rglob("*.yaml")).relative_to(source).as_posix()
    edited = sorted({lexicon, *(name for pair in USED.values() for name in pair)})
    given = [source, small_world / "graph", small_world / "corpus", small_set, json.dumps(edited), *CHANGES]
    ended = subprocess.run(
        [sys.executable, str(PLANS), *map(str, given)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(tmp_path / "src"), "PATH": ""},
    )
    assert ended.returncode == 0, ended.stderr
    redone = {name: set(stages) for name, stages in json.loads(ended.stdout).items()}
    assert redone[""] == set(), "nothing was edited yet"
    for stage, (used, other) in USED.items():
        assert stage in redone[used], f"{stage} uses {used}"
        assert stage not in redone[other], f"{stage} does not use {other}"
    assert {"simple", "word"} <= redone[lexicon], "a packaged lexicon is part of the code"
    assert "simple-validated" not in redone[lexicon]


def test_no_stage_is_forgotten(small_set: Path) -> None:
    assert {path.parent.name for path in (small_set / ".build").glob("*/stage.json")} == set(USED)


@pytest.mark.slow
def test_a_lexicon_that_was_edited_is_read_again(small_world: Path, tmp_path: Path) -> None:
    """Every stage that looks at wording looks at the user's file again, and nothing else does."""
    from rollcall.build import Build

    lexicon = tmp_path / "mine.yaml"
    lexicon.write_text("P57:\n  label: director\n", encoding="utf-8")
    options = {"graph": small_world / "graph", "corpus": small_world / "corpus", "out": tmp_path / "set"}
    changes = [*CHANGES, f"wording.lexicon=[{lexicon}]"]
    Build("qampari", **options, changes=changes, jobs=1).run()
    assert not any(step.runs for step in Build("qampari", **options, changes=changes).plan())
    lexicon.write_text("P57:\n  label: directed by\n", encoding="utf-8")
    redone = {step.stage: step.why for step in Build("qampari", **options, changes=changes).plan()}
    for stage in ("simple", "simple-evidence", "composition", "word"):
        assert redone[stage] == f"the file {lexicon} changed"
    assert redone["tables"] == "up to date"


@pytest.fixture
def own_verifier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module with a verifier of a user's own, which learns."""
    file = tmp_path / "verifier_for_code.py"
    file.write_text(
        "import msgspec\nfrom rollcall.evidence import Verifier\n\n\n"
        "class Own(Verifier):\n    learns = True\n\n"
        "    class Options(msgspec.Struct, frozen=True):\n        words: str = ''\n"
        "\n    def scores(self, candidates):\n        return [0.0] * len(candidates)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield file
    sys.modules.pop("verifier_for_code", None)


@pytest.mark.parametrize("name", ["qampari", "romqa"])
def test_a_verifier_of_ones_own_is_part_of_the_code_and_its_files_of_the_inputs(
    name: str, own_verifier: Path, tmp_path: Path
) -> None:
    from rollcall.build.pipelines import PIPELINES
    from rollcall.build.recipe import load

    words = tmp_path / "words.txt"
    words.write_text("born")
    changes = ["evidence.verifier=verifier_for_code:Own", f"evidence.options.words={words}"]
    recipe = load(name, [*changes, "evidence.per_fact=3"])
    inputs = Inputs(tmp_path / "graph", tmp_path / "corpus")
    stages = PIPELINES.find(recipe.pipeline).stages(recipe.parameters, inputs, recipe.record())
    files = SourceFiles()
    using = {stage.name for stage in stages if "verifier_for_code" in files.of(stage.work)}
    learning = {stage.name for stage in stages if stage.name.endswith("-verifier")}
    assert using == learning | {
        stage.name for stage in stages if stage.name.endswith(("evidence", "-stated"))
    } - {"tables-evidence"}
    assert all(f"the file {words}" in stage.inputs for stage in stages if stage.name in using)
    for stage in stages:
        if stage.name in learning:
            assert "per_fact" not in str(stage.parameters), "what is learned does not depend on it"


class Dish(msgspec.Struct, frozen=True):
    """Parameters of one section."""

    recipe: FileName | None = None
    spices: list[FileName] = []
    name: str = "soup"


class Menu(msgspec.Struct, frozen=True):
    seed: int = 1
    dish: Dish = Dish()
    drink: Dish = Dish()


def test_files_that_parameters_name_are_inputs(tmp_path: Path) -> None:
    (tmp_path / "recipe.txt").write_text("boil")
    (tmp_path / "salt").mkdir()
    dish = Dish(str(tmp_path / "recipe.txt"), [str(tmp_path / "salt"), "not there"], str(tmp_path))
    assert list(named_files(dish)) == [tmp_path / "recipe.txt", tmp_path / "salt"]
    declaring = Declaring(Menu(1, dish), Inputs(tmp_path / "graph", tmp_path / "corpus"))
    cooked = declaring.stage("cook", cook, sections=("dish",), reads=("graph",))
    assert set(cooked.inputs) == {"the graph", f"the file {dish.recipe}", f"the file {dish.spices[0]}"}
    assert not declaring.stage("cook", cook, sections=("drink",)).inputs


def cook(parameters: Menu, inputs: Inputs, work: Work) -> Outcome:
    return Outcome(parameters.seed + len(parameters.dish.name) + len(str(inputs.corpus)))


def test_a_stage_cannot_look_at_what_it_does_not_declare(tmp_path: Path) -> None:
    declaring = Declaring(Menu(), Inputs(tmp_path / "graph", tmp_path / "corpus"))
    work = Work(tmp_path, {}, ENGINE)
    declared = {"sections": ("seed", "dish"), "reads": ("corpus",)}
    assert declaring.stage("cook", cook, **declared).work(work).rows > 5
    for missing, message in (
        ({"sections": ("seed",)}, "stage cook looks at dish and does not declare it"),
        ({"reads": ("graph",)}, "stage cook reads the corpus and does not declare it"),
    ):
        with pytest.raises(AssertionError, match=message):
            declaring.stage("cook", cook, **{**declared, **missing}).work(work)


def test_all_engines_are_part_of_a_stages_code_whichever_runs_it(tmp_path: Path) -> None:
    """A registry names its package, so choosing another engine changes nothing that a stage depends on."""
    from rollcall.build.pipelines import PIPELINES
    from rollcall.build.recipe import load

    recipe = load("qampari", ["evidence.verifier=none"])
    inputs = Inputs(tmp_path / "graph", tmp_path / "corpus")
    stages = PIPELINES.find(recipe.pipeline).stages(recipe.parameters, inputs, recipe.record())
    files = SourceFiles()
    for stage in stages:
        used = files.of(stage.work)
        assert {f"rollcall.tables.engines.{name}" for name in ("duckdb", "spark", "sail")} <= set(used)
        assert "engine" not in stage.parameters


def test_a_build_that_was_begun_on_one_engine_is_finished_on_another(
    small_world: Path, small_set: Path, tmp_path: Path
) -> None:
    from rollcall.build import Build
    from rollcall.tables.engines.duckdb import DuckDB

    folders = {"graph": small_world / "graph", "corpus": small_world / "corpus"}

    class Another(DuckDB):
        """An engine that no stage knows of."""

    shutil.copytree(small_set, tmp_path / "set")
    with Another(jobs=1) as engine:
        build = Build("qampari", **folders, out=tmp_path / "set", changes=CHANGES, engine=engine)
        assert not any(step.runs for step in build.plan())
        done = {finished.stage: finished.done_now for finished in build.run("sample")}
    assert {stage for stage, now in done.items() if now} == {"sample", "word", "assemble", "release"}
    for name in ("questions.jsonl", "manifest.json"):
        assert (tmp_path / "set" / name).read_bytes() == (small_set / name).read_bytes()
