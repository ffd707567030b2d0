"""Mistakes with places, memory and files that only show when an engine works: each is told in one line."""

from pathlib import Path

import pytest

from rollcall._core.errors import RollcallError
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


@pytest.mark.parametrize("out", ["memory://out", "file:///tmp/out", "s3://bucket/out"])
def test_an_output_at_an_address_is_refused_before_anything_is_written(facts: Path, out: str) -> None:
    with pytest.raises(RollcallError, match="is an address; sources may be at one"):
        make_graph([facts], out, jobs=1)
    assert [path.name for path in Path().iterdir()] == ["facts.tsv"]


@pytest.mark.parametrize("name", ["os:path", "json:JSONDecoder"])
def test_what_is_no_engine_is_refused(facts: Path, name: str) -> None:
    with pytest.raises(RollcallError, match="is no engine; name a subclass of"):
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
