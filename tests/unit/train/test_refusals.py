"""What a training would ignore, or could not write, is refused before anything is computed."""

import pytest
from typer.testing import CliRunner

import rollcall
from rollcall import RollcallError
from rollcall.systems.train.example_folder import ExampleFolder
from toy_examples import saved_examples


@pytest.fixture
def examples(tmp_path):
    return saved_examples(tmp_path / "exercises", 2, 2)


def refused(tmp_path, system, **given):
    with pytest.raises(RollcallError) as error:
        rollcall.train(system, out=tmp_path / "model", **given)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "model.training").exists()
    return str(error.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("k", 100),  # also what would be taken anyhow
        ("retriever", "bm25"),
        ("split", "train"),
        ("dev", "test"),
        ("dev", None),
        ("corpus", "text"),
        ("graph", "graph"),
        ("index", "index"),
    ],
)
def test_what_examples_have_already_is_refused_beside_them(tmp_path, examples, name, value):
    told = refused(tmp_path, "mention-scorer", exercises=examples, **{name: value})
    assert told == f"with --exercises, mention-scorer does not use --{name}: leave it out"


def test_all_that_is_ignored_is_told_at_once(tmp_path, examples):
    told = refused(tmp_path, "dpr", exercises=examples, corpus="text", k=5, split="dev")
    assert told == "with --exercises, dpr does not use --corpus, --k and --split: leave them out"


def test_a_system_that_uses_the_graph_beside_examples_may_have_it(tmp_path, examples):
    for system in ("rollcall", "sempre"):
        told = refused(tmp_path, system, exercises=examples)
        assert told == f"training {system} needs a graph: give --graph (graph= in Python)"
        told = refused(tmp_path, system, exercises=examples, graph="graph", index="index")
        assert told == f"with --exercises, {system} does not use --index: leave it out"
    told = refused(tmp_path, "sempre", exercises=examples, graph="graph", corpus="text")
    assert "does not use --corpus" in told
    only = {"only": "parts"}
    told = refused(tmp_path, "rollcall", exercises=examples, graph="graph", options=only)
    assert "does not use --graph" in told
    with_both = {"corpus": "text", "graph": "graph", "index": "index"}
    told = refused(tmp_path, "rollcall", exercises=examples, base="./nowhere", **with_both)
    assert told.startswith("./nowhere: no such folder or file")


@pytest.mark.parametrize("given", [{"split": "dev"}, {"split": "test", "dev": "test"}, {"dev": "train"}])
@pytest.mark.parametrize("prepare", [False, True])
def test_what_is_learned_from_is_not_evaluated_on(tmp_path, monkeypatch, given, prepare):
    monkeypatch.setattr(ExampleFolder, "make", lambda *_: pytest.fail("exercises were made"))
    told = refused(tmp_path, "closed-book", questions=[], base="./nowhere", prepare=prepare, **given)
    split = given.get("split", "train")
    assert told == (
        f"the split {split} cannot be both learned from and evaluated on: give another --split or --dev"
    )


def test_options_of_a_retriever_are_refused_beside_examples(tmp_path, examples):
    told = refused(tmp_path, "mention-scorer", exercises=examples, options={"k1": 0.9})
    assert told.startswith("the trainable system mention-scorer has no option k1")


def test_examples_are_not_made_of_examples(tmp_path, examples):
    assert "leave out --prepare" in refused(tmp_path, "dpr", exercises=examples, prepare=True)


def test_options_of_parts_are_refused_where_there_are_none(tmp_path, examples):
    told = refused(tmp_path, "dpr", exercises=examples, options={"pig.steps": 3})
    assert told == "dpr has no parts, so no option pig.steps: leave it out"
    told = refused(tmp_path, "dpr", exercises=examples, options={"dpr.steps": 3})
    assert told == "dpr has no parts, so no option dpr.steps: its own is written steps"


def test_the_command_refuses_the_same(tmp_path, examples):
    from rollcall.cli.main import app

    words = ["train", "dpr", "--exercises", str(examples), "--out", str(tmp_path / "model"), "--k", "100"]
    found = CliRunner().invoke(app, words)
    assert "with --exercises, dpr does not use --k: leave it out" in str(found.exception or found.output)


def test_an_output_that_is_not_ours_is_refused_before_examples_are_made(tmp_path, monkeypatch):
    monkeypatch.setattr(ExampleFolder, "make", lambda *_: pytest.fail("exercises were made"))
    out = tmp_path / "model"
    out.mkdir()
    (out / "thesis.txt").write_text("mine")
    told = refused(tmp_path, "closed-book", questions=[], base=str(tmp_path))
    assert told.startswith(f"{out}: holds thesis.txt, which Rollcall did not write there; move it away")
    (out / "thesis.txt").unlink()
    out.rmdir()
    out.write_text("a file")
    told = refused(tmp_path, "closed-book", questions=[], base=str(tmp_path))
    assert told == f"{out}: is a file; name a folder"
