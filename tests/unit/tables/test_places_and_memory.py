"""Mistakes with places, memory and files that only show when an engine works: each is told in one line."""

import json
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.corpus import Corpus, make_corpus
from rollcall.graph import Graph, make_graph
from rollcall.tables.engine import opened
from rollcall.tables.files import write_scratch
from rollcall.tables.graph import Facts

FACTS = "subject\trelation\tobject\nGraz\tin\tStyria\nLeoben\tin\tStyria\n"


@pytest.fixture
def facts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("facts.tsv").write_text(FACTS)
    return Path("facts.tsv")


@pytest.mark.parametrize("out", ["run:1", "run:2/graph"])
def test_a_colon_in_a_relative_path_is_part_of_the_name(facts: Path, out: str) -> None:
    make_graph([facts], out, jobs=1)
    with Graph.open(out) as graph:
        assert graph.manifest["counts"]["facts"] == 2


def test_a_folder_named_like_a_pattern_is_not_taken_for_another_one(facts: Path) -> None:
    for folder, town in (("c[d]", "Graz"), ("cd", "Linz")):
        Path("facts.tsv").write_text(FACTS.replace("Graz", town))
        Path("page.jsonl").write_text(json.dumps({"id": town, "title": town, "text": f"{town} is a town."}))
        make_graph([facts], f"{folder}/graph", jobs=1)
        make_corpus([Path("page.jsonl")], f"{folder}/corpus", jobs=1)
    with Graph.open("c[d]/graph") as graph, Corpus.open("c[d]/corpus") as corpus:
        assert set(graph.tables.facts.subject.execute()) == {"Graz", "Leoben"}
        assert list(corpus.tables.pages.title.execute()) == ["Graz"]


@pytest.mark.parametrize("folder", ["c[d]*?", "~", "~root", "{a,b}", "subject=x", "%41", "a'b", "a\\b"])
def test_a_folder_may_have_any_name(facts: Path, folder: str) -> None:
    make_graph([facts], Path(folder, "graph"), jobs=1)
    assert {path.name for path in Path().iterdir()} == {"facts.tsv", folder}
    with Graph.open(Path(folder, "graph")) as graph:
        assert set(graph.tables.facts.subject.execute()) == {"Graz", "Leoben"}


def test_a_name_that_the_engine_cannot_read_is_told(facts: Path) -> None:
    with pytest.raises(RollcallError, match=r"DuckDB cannot read a path that has a backslash and one of"):
        make_graph([facts], "a\\[b]", jobs=1)


@pytest.mark.parametrize("out", ["memory://out", "file:///tmp/out", "s3://bucket/out"])
def test_an_output_at_an_address_is_refused_before_anything_is_written(facts: Path, out: str) -> None:
    with pytest.raises(RollcallError, match="is an address; sources may be at one"):
        make_graph([facts], out, jobs=1)
    assert [path.name for path in Path().iterdir()] == ["facts.tsv"]


@pytest.mark.parametrize("name", ["os:path", "json:JSONDecoder"])
def test_what_is_no_engine_is_refused(facts: Path, name: str) -> None:
    with pytest.raises(RollcallError, match="is not an engine; name a subclass of"):
        make_graph([facts], "graph", engine=name)


def test_too_little_memory_is_said_to_be(facts: Path) -> None:
    with pytest.raises(RollcallError, match="of memory is too little to sort in; raise --memory"):
        make_graph([facts], "graph", memory="1KB", jobs=1)


def test_columns_of_other_types_are_refused(tmp_path: Path) -> None:
    import pyarrow as pa

    wrong = tmp_path / "wrong.parquet"
    write_scratch(pa.table({"subject": [1], "relation": ["in"], "object": [3.5]}), wrong)
    with (
        opened("duckdb", jobs=1) as engine,
        engine.workbench(tmp_path / "spill") as bench,
        pytest.raises(RollcallError, match="its column 'subject' has the type int64, not string"),
    ):
        bench.read(Facts, wrong)
