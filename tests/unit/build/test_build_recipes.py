"""A recipe says what it means, and a mistake in it is found with its line before anything runs."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.build.recipe import load, names
from rollcall.cli.main import main


def written(tmp_path: Path, *lines: str) -> str:
    path = tmp_path / "mine.yaml"
    path.write_text("\n".join(["pipeline: qampari", *lines]))
    return str(path)


def test_the_packaged_recipe_has_the_papers_figures() -> None:
    assert "qampari" in names()
    parameters = load("qampari").parameters
    assert (parameters.answers.least, parameters.answers.most, parameters.answers.validated) == (5, 200, 0.8)
    assert parameters.split.quotas == {
        "simple": 830,
        "table-simple": 170,
        "intersection": 400,
        "composition": 400,
        "table-composition": 200,
    }
    assert (parameters.split.per_relation, parameters.split.test_share) == (1000, 0.5)


def test_keys_that_are_not_given_have_their_defaults(tmp_path: Path) -> None:
    recipe = load(written(tmp_path, "answers: {least: 3}"))
    assert recipe.name == "mine"
    assert (recipe.parameters.answers.least, recipe.parameters.answers.most) == (3, 200)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            ["", "answers:", "  leest: 3"],
            r"mine.yaml:4: unknown key answers.leest; did you mean answers.least\?",
        ),
        (["aswers:", "  least: 3"], r"mine.yaml:2: unknown key aswers; did you mean answers\?"),
        (["answers:", "  least: few"], r"mine.yaml:3: answers.least: must be a whole number, and is text"),
        (["answers:", "  validated: 8"], r"mine.yaml:3: answers.validated: must be a number of at most 1"),
        (["answers: 3"], r"mine.yaml:2: answers needs keys \(least, most, validated, unproved\)"),
        (["answers:", "  least: 3", "  least: 4"], r"mine.yaml:4: answers.least is given twice"),
        (["answers:", "  least: 3", "   most: 4"], r"mine.yaml:4: not YAML"),
        (["answers: {least: 9, most: 8}"], r"mine.yaml:2: answers.least 9 is above answers.most 8"),
        (["relations: {simple: some}"], r"mine.yaml:2: relations.simple is 'some'; write auto, lexicon, all"),
        (
            ["split:", "  quotas:", "    simple: 1", "    simpel: 3"],
            r"mine.yaml:5: split has no kind 'simpel'",
        ),
    ],
)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(RollcallError, match=message):
        load(written(tmp_path, *lines))


def test_a_file_that_is_no_recipe_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    for text, message in (("", "beginning with `pipeline:`"), ("a: 1", "missing key `pipeline`")):
        path.write_text(text)
        with pytest.raises(RollcallError, match=message):
            load(str(path))
    path.write_text("pipeline: kampari")
    with pytest.raises(RollcallError, match=r"x.yaml:1: 'kampari' is not a pipeline; did you mean qampari\?"):
        load(str(path))
    with pytest.raises(RollcallError, match=r"no such recipe; did you mean qampari\?"):
        load("qampary")


def test_changes_of_single_keys() -> None:
    changes = ["answers.least=3", "split.quotas.simple=7", "relations.simple=[P57, P161]", "seed=4"]
    parameters = load("qampari", changes).parameters
    assert parameters.answers.least == 3
    assert parameters.split.quotas["simple"] == 7
    assert parameters.split.quotas["intersection"] == 400
    assert parameters.relations.simple == ["P57", "P161"]
    assert parameters.seed == 4


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("answers.leest=3", r"did you mean answers.least\?"),
        ("answers=3", r"answers.least, answers.most, answers.validated"),
        ("answers.least=x", r"answers.least: must be a whole number, and is text"),
        ("answers.least.more=1", r"answers.least has no keys of its own"),
        ("answers.least", r"write key=value"),
        ("answers.most=2", r"^--set answers.most: answers.least 5 is above answers.most 2"),
        ("split.quotas.simpel=2", r"^--set split.quotas.simpel: split has no kind 'simpel'"),
        ("simple.directions=[]", r"^--set simple.directions: simple.directions is empty"),
        (
            "evidence.verifier=foo",
            r"evidence.verifier: 'foo' is not a verifier; choose one of contrast, learned, llm, nli, none",
        ),
        ("simple.directions=[up]", r"simple.directions: 'up' is not one of auto, subject, object$"),
        ("evidence.threshold=low", r"evidence.threshold: 'low' is not one of auto, own or a number$"),
        ("evidence.where=nowhere", r"evidence.where: 'nowhere' is not one of anywhere, own-pages$"),
        ("intersection.ways=4", r"intersection.ways: 4 is not one of 2, 3$"),
    ],
)
def test_a_mistake_in_a_change_is_named(change: str, message: str) -> None:
    with pytest.raises(RollcallError, match=message):
        load("qampari", [change])


def test_the_command_lists_and_shows_recipes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["build", "--list"])
    assert ended.value.code == 0
    told = capsys.readouterr().out
    assert "qampari: Simple," in told
    assert "  intersection: What two or three" in told
    with pytest.raises(SystemExit):
        main(["build", "qampari", "--show"])
    assert "per_relation: 1000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name a recipe (graphquestions"),
        (["qampari"], "a build needs --graph and --corpus and --out"),
        (["qampari", "--graph", "g", "--out", "o"], "a build needs --corpus"),
        (["qampari", "--graph", "g", "--corpus", "c", "--out", "o"], "g: no such folder"),
    ],
)
def test_what_is_missing_is_named(
    arguments: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main(["build", *arguments])
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


def test_a_kind_may_have_limits_of_its_own() -> None:
    parameters = load("qampari", ["intersection.least=3", "intersection.validated=0.7"]).parameters
    own = parameters.answers_of("intersection")
    assert (own.least, own.validated, own.most) == (3, 0.7, 200)
    assert parameters.answers_of("composition") == parameters.answers
    assert load("qampari").parameters.answers_of("intersection") == parameters.answers


def test_the_threshold_is_a_figure_or_a_word() -> None:
    assert load("qampari", ["evidence.threshold=0.3"]).parameters.evidence.threshold == 0.3
    assert load("qampari", ["evidence.threshold=own"]).parameters.evidence.threshold == "own"
    with pytest.raises(RollcallError, match=r"evidence.threshold"):
        load("qampari", ["evidence.threshold=2"])


@pytest.mark.parametrize("name", ["qampari", "romqa"])
def test_a_verifier_has_what_it_needs_before_anything_runs(name: str) -> None:
    with pytest.raises(RollcallError, match=r"llm needs evidence.base_url and evidence.model"):
        load(name, ["evidence.verifier=llm"])
    with pytest.raises(RollcallError, match=r"nli needs evidence.model"):
        load(name, ["evidence.verifier=nli"])
    load("graphquestions", ["evidence.verifier=llm"])  # which seeks no evidence


@pytest.mark.parametrize("name", ["qampari", "romqa"])
def test_an_address_with_a_password_is_refused(name: str) -> None:
    """The recipe is copied into the manifest."""
    with pytest.raises(RollcallError, match=r"^--set evidence.base_url: .*password or a key") as refused:
        load(
            name, ["evidence.verifier=llm", "evidence.model=m", "evidence.base_url=http://me:secret@host/v1"]
        )
    assert "secret" not in str(refused.value)


def test_a_recipe_and_its_changes_may_be_mappings() -> None:
    made = load({"pipeline": "qampari", "answers": {"least": 4}}, {"relations.simple": ["P57", "a: b"]})
    assert made.parameters.answers.least == 4
    assert made.parameters.relations.simple == ["P57", "a: b"]
    with pytest.raises(RollcallError, match="unknown key answrs; did you mean answers"):
        load({"pipeline": "qampari", "answrs": {}})
    with pytest.raises(RollcallError, match="write a list"):
        load("qampari", "answers.least=3")


@pytest.mark.parametrize("name", ["qampari", "mixed"])
def test_the_manifest_says_where_evidence_was_sought(name: str) -> None:
    assert load(name, []).record()["evidence"]["where"] == "anywhere"
    assert load(name, ["evidence.where=own-pages"]).record()["evidence"]["where"] == "own-pages"


OWN_KIND = """
import msgspec
from rollcall import entity
from rollcall.mine.kinds import QuestionKind


class Options(msgspec.Struct, frozen=True):
    most: int = 3


class Own(QuestionKind):
    name = "own"
    Options = Options

    @classmethod
    def queries(cls, options, context):
        return [entity("Q1") << "P57"]
"""


@pytest.fixture
def own_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    (tmp_path / "kinds_for_recipes.py").write_text(OWN_KIND)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "kinds_for_recipes:Own"
    sys.modules.pop("kinds_for_recipes", None)


@pytest.mark.parametrize("name", ["qampari", "mixed"])
def test_the_options_of_a_kind_of_ones_own_are_a_section_of_the_recipe(name: str, own_kind: str) -> None:
    loaded = load(name, [f"kinds=[{own_kind}]", "own.most=7"])
    assert loaded.parameters.own.most == 7
    assert loaded.record()["own"] == {"most": 7}
    with pytest.raises(RollcallError, match="unknown key own"):
        load(name, ["own.most=7"])
    with pytest.raises(RollcallError, match=r"--set kinds: kinds: .* has no Other"):
        load(name, ["kinds=[kinds_for_recipes:Other]"])


@pytest.mark.parametrize(
    ("name", "kind"), [("qampari", "template"), ("qampari", "simple"), ("mixed", "composition")]
)
def test_a_kind_that_a_pipeline_cannot_ask_is_refused(name: str, kind: str) -> None:
    with pytest.raises(RollcallError, match=f"--set kinds: kinds: {kind} cannot be one of the kinds"):
        load(name, [f"kinds=[{kind}]"])
