"""What every engine must do alike: tables in and out, order, types, and Python functions over blocks."""

import gc
import math
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import ibis
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import spark_cluster
from rollcall import RollcallError
from rollcall.tables.engine import Engine, Workbench, opened
from rollcall.tables.files import read, write_batches
from rollcall.tables.table import (
    Boolean,
    DeclaredTable,
    Float64,
    Int32,
    Int32s,
    Int64,
    String,
    Strings,
    arrow,
    columns,
    unbound,
)


class Things(DeclaredTable, sorted_by=("class", "name")):
    """A row with every type of column, and columns named like words of SQL."""

    name = String("a name")
    class_ = String("a class; may be null")
    of = Strings("a list; may be null and hold nulls")
    places = Int32s("a list of numbers")
    order = Int32("a small number")
    number = Int64("a large number")
    share = Float64("a share")
    fine = Boolean("whether it is fine")


ROWS: dict[str, list[Any]] = {
    "name": ["b", "a", "Z", "é", "\U0001f600", "\uffff", "", "a\nb", "q\"'`\\", "z%_"],
    "class": ["x", None, "x", "x", "x", "x", None, "y", "y", "x"],
    "of": [["p", None], [], None, ["é"], [None], ["1", "2"], [], ["a,b"], [""], ["\U0001f600"]],
    "places": [[1, None], [], None, [2**31 - 1], [3], [], [-1], [0, 0], None, [4]],
    "order": [1, -1, None, 2**31 - 1, -(2**31), 0, 5, 6, 7, 8],
    "number": [2**63 - 1, -(2**63), None, 0, 1, 2, 3, 4, 5, 6],
    "share": [0.1, math.inf, None, -0.0, 1e-300, 2.5, 1 / 3, -math.inf, 1e300, 0.30000000000000004],
    "fine": [True, False, None, True, True, False, False, True, None, True],
}
LOCAL = "duckdb"
SLOW = ("sail", "spark", "cluster", "connect")


@pytest.fixture(
    scope="module", params=[LOCAL, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]
)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    name, master = request.param, None
    with ExitStack() as stack:
        if name == "cluster":
            folder = tmp_path_factory.mktemp("cluster")
            name, master = "spark", stack.enter_context(spark_cluster.running(folder)).master
        elif name == "connect":
            folder = tmp_path_factory.mktemp("connect")
            name, master = "spark", stack.enter_context(spark_cluster.connect_server(folder))
        elif name != LOCAL:
            spark_cluster.skip_without("pyspark" if name == "spark" else "pysail", java=name == "spark")
        yield stack.enter_context(opened(name, master=master, jobs=2))


@pytest.fixture
def bench(engine: Engine, tmp_path: Path) -> Iterator[Workbench]:
    with engine.workbench(tmp_path / "scratch") as found:
        yield found


@pytest.fixture
def things() -> pa.Table:
    return arrow(Things, ROWS)


def rows_of(
    bench: Workbench, table: type[DeclaredTable] = Things, name: str | None = None
) -> list[dict[str, Any]]:
    return [row for batch in bench.stream(lambda: unbound(table, name)) for row in batch.to_pylist()]


def sorted_rows(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=repr)


@pytest.mark.parametrize("as_reader", [False, True])
def test_what_is_given_comes_back_with_its_types(bench: Workbench, things: pa.Table, as_reader: bool) -> None:
    bench.give(Things, things.to_reader(3) if as_reader else things)
    assert sorted_rows(rows_of(bench)) == sorted_rows(things.to_pylist())
    found = pa.Table.from_batches(bench.stream(lambda: unbound(Things)))
    assert found.schema.types == things.schema.types
    assert bench.count(lambda: unbound(Things)) == 10


@pytest.mark.parametrize(
    "name", ["plain", "a [b] {c,d} *?", 'it\'s "50%" \\ %20', "é #x;y&z=1", ".hidden", "_under"]
)
def test_paths_of_any_characters_are_read(
    engine: Engine, tmp_path: Path, things: pa.Table, name: str
) -> None:
    """The folder of the input, its file and the scratch folder."""
    folder = tmp_path / name
    folder.mkdir()
    for number in range(2):
        write_batches(Things, folder / f"{name}{number}.parquet", things.to_batches())
    with engine.workbench(folder / f"scratch {name}") as bench:
        bench.read(Things, [folder / f"{name}{number}.parquet" for number in range(2)])
        bench.keep(Things, lambda: unbound(Things).distinct(), "once")
        assert bench.count(lambda: unbound(Things)) == 20
        assert sorted_rows(rows_of(bench, Things, "once")) == sorted_rows(things.to_pylist())
        bench.write(Things, lambda: unbound(Things, "once"), folder / "out.parquet")
    assert read(Things, folder / "out.parquet").num_rows == 10
    assert not (folder / f"scratch {name}").exists()


def test_a_file_without_a_column_is_refused(bench: Workbench, tmp_path: Path, things: pa.Table) -> None:
    pq.write_table(things.drop_columns(["share"]), tmp_path / "less.parquet")
    with pytest.raises(Exception, match="share"):
        bench.read(Things, tmp_path / "less.parquet")
        bench.count(lambda: unbound(Things))


def test_empty_tables_are_tables(bench: Workbench, things: pa.Table, tmp_path: Path) -> None:
    empty = things.slice(0, 0)
    bench.give(Things, empty)
    bench.give(Things, empty.to_reader(), "by_reader")
    bench.read(Things, [], "by_files")
    bench.give(Things, things, "full")
    bench.keep(Things, lambda: unbound(Things, "full").filter(ibis._.order == 99), "kept")
    for name in ("things", "by_reader", "by_files", "kept"):
        assert rows_of(bench, Things, name) == []
        assert bench.count(lambda name=name: unbound(Things, name)) == 0
        bench.keep(Things, lambda name=name: unbound(Things, name), "again")
        assert bench.write(Things, lambda: unbound(Things, "again"), tmp_path / "empty.parquet") == 0
    assert read(Things, tmp_path / "empty.parquet").schema.types == things.schema.types


def test_a_table_is_written_in_one_order(bench: Workbench, things: pa.Table, tmp_path: Path) -> None:
    """By code points, null last."""
    bench.give(Things, things)
    bench.write(Things, lambda: unbound(Things), tmp_path / "things.parquet")
    found = read(Things, tmp_path / "things.parquet").to_pylist()
    assert found == sorted(
        things.to_pylist(), key=lambda row: (row["class"] is None, row["class"] or "", row["name"].encode())
    )


class Numbers(DeclaredTable, sorted_by=("number",)):
    """Numbers, as many as several files of an engine hold."""

    number = Int64("a number")
    other = Int32("another")


MANY = 300_000


def test_a_large_sorted_result_comes_in_order(bench: Workbench) -> None:
    numbers = [number * 7_919 % MANY for number in range(MANY)]
    bench.give(Numbers, arrow(Numbers, {"number": numbers, "other": [n % 1000 for n in numbers]}))
    bench.keep(Numbers, lambda: unbound(Numbers).filter(ibis._.number >= 0), "kept")
    order = ["other", "number"]
    found = pa.Table.from_batches(bench.stream(lambda: unbound(Numbers, "kept").order_by(order), 1000))
    assert found["number"].to_pylist() == sorted(range(MANY), key=lambda n: (n % 1000, n))


def test_a_name_can_be_given_again_and_dropped(bench: Workbench, things: pa.Table, tmp_path: Path) -> None:
    bench.give(Things, things)
    bench.keep(Things, lambda: unbound(Things).filter(ibis._.order > 0), "kept")
    assert bench.count(lambda: unbound(Things, "kept")) == 6
    bench.keep(Things, lambda: unbound(Things, "kept").filter(ibis._.order > 5), "kept")
    assert bench.count(lambda: unbound(Things, "kept")) == 4
    bench.drop(Things, "kept")
    bench.drop(Things, "never kept")
    with pytest.raises(Exception, match="kept"):
        bench.count(lambda: unbound(Things, "kept"))


def test_records_are_in_the_order_asked_for(bench: Workbench, things: pa.Table) -> None:
    bench.give(Things, things)
    found = bench.records(lambda: unbound(Things).order_by(ibis.desc("number"), "name").limit(3))
    assert [row["number"] for row in found] == [2**63 - 1, 6, 5], "null is last both ways"
    assert list(found[0]) == list(columns(Things))


def test_one_workbench_may_end_while_another_works(engine: Engine, things: pa.Table, tmp_path: Path) -> None:
    """The session of the first is freed while the result of the second is read."""
    with engine.workbench(tmp_path / "long") as bench:
        bench.give(Things, things)
        batches = bench.stream(lambda: unbound(Things).order_by("name"), 1)
        found = next(batches).num_rows
        with engine.workbench(tmp_path / "short") as other:
            other.give(Things, things)
            assert other.count(lambda: unbound(Things)) == 10
        del other
        gc.collect()
        assert found + sum(batch.num_rows for batch in batches) == 10
        assert bench.count(lambda: unbound(Things)) == 10


def add(prepared: int, block: int) -> int:
    return prepared + block


def one() -> int:
    return 1


def test_results_come_in_the_order_of_the_blocks(engine: Engine) -> None:
    assert list(engine.map_blocks(add, range(100), one)) == list(range(1, 101))
    assert list(engine.map_blocks(add, [], one)) == []
    assert list(engine.map_blocks(add, [4], one)) == [5]


def test_blocks_are_taken_as_they_are_needed(engine: Engine) -> None:
    taken = []

    def blocks() -> Iterator[int]:
        for number in range(10_000):
            taken.append(number)
            yield number

    results = engine.map_blocks(add, blocks(), one)
    assert taken == []
    assert next(results) == 1
    assert len(taken) < 100
    results.close()  # type: ignore[attr-defined]


def large(prepared: int, block: bytes) -> int:
    return len(block) + prepared


def test_large_blocks_pass(engine: Engine) -> None:
    sizes = [1 << 22] * 20
    assert list(engine.map_blocks(large, (bytes(size) for size in sizes), one)) == [(1 << 22) + 1] * 20


def fail(prepared: int, block: int) -> int:
    if block == 7:
        raise RollcallError("line 7: is no line; leave it out")
    if block == 70:
        raise KeyError("seventy")
    return block


def test_what_a_function_raises_is_raised(engine: Engine) -> None:
    results = engine.map_blocks(fail, range(20), one)
    assert [next(results) for _ in range(7)] == list(range(7))
    with pytest.raises(RollcallError) as raised:
        next(results)
    assert str(raised.value) == "line 7: is no line; leave it out"
    with pytest.raises(KeyError, match="seventy"):
        list(engine.map_blocks(fail, range(60, 80), one))
    assert list(engine.map_blocks(add, range(3), one)) == [1, 2, 3], "the engine goes on"


class Prepare:
    """Notes in a folder each time that it prepares."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self) -> int:
        (self.folder / f"{os.getpid()}-{os.urandom(4).hex()}").touch()
        return 1


def test_each_process_prepares_once(engine: Engine, tmp_path: Path) -> None:
    assert list(engine.map_blocks(add, range(200), Prepare(tmp_path))) == list(range(1, 201))
    prepared = [path.name.split("-")[0] for path in tmp_path.iterdir()]
    assert prepared
    assert len(set(prepared)) == len(prepared)


def broken() -> int:
    raise RollcallError("the model is missing")


def test_what_prepare_raises_is_raised(engine: Engine) -> None:
    with pytest.raises(RollcallError) as raised:
        list(engine.map_blocks(add, range(3), broken))
    assert str(raised.value) == "the model is missing"


class Words(DeclaredTable, sorted_by=("number",)):
    """What functions of expressions are tried on."""

    number = Int64("its place")
    group = String("rows that are aggregated together")
    text = String("a text")
    size = Int32("a whole number")
    share = Float64("a share")


WORDS: list[tuple[str, str | None, int | None, float | None]] = [
    ("x", "Straße (Ort)", 7, 0.1),
    ("x", "ÉCOLE (a) (b)", -7, 0.2),
    ("x", None, 2, 0.3),
    ("y", "42", 1234567890, 0.7),
    ("y", "\U0001f600 ΣΑ", None, 0.1),
    ("y", "", 0, None),
    ("z", "a\nb\tc\\d", 3, 1e-9),
]
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "md5": lambda t: t.text.hexdigest("md5"),
    "length": lambda t: t.text.length(),
    "padded": lambda t: t["size"].cast("string").lpad(9, "0"),
    "found": lambda t: t.text.re_search(r"^.+ \([^()]+\)$"),
    "digits": lambda t: t.text.re_search(r"^[0-9]{1,2}\z"),
    "replaced": lambda t: t.text.re_replace(r" \([^()]+\)$", ""),
    "lower": lambda t: t.text.lower(),
    "starts": lambda t: t.text.startswith("42"),
    "contains": lambda t: t.text.contains("(a)"),
    "joined": lambda t: t.group + "\t" + t.text,
    "filled": lambda t: t.text.fill_null("none"),
    "either": lambda t: ibis.coalesce(t.text, t.group),
    "less": lambda t: t.text < "a",
    "array": lambda t: ibis.array([t.group, t.text]),
    "sum": lambda t: t["size"] + 1,
    "divided": lambda t: t["size"] / 2,
    "share_of": lambda t: t["size"].cast("float64") / 3,
    "as_text": lambda t: t["size"].cast("string"),
    "truth": lambda t: (t["size"] > 1).cast("int64"),
    "cases": lambda t: ibis.cases((t["size"] > 5, "large"), (t["size"] < 0, "negative"), else_="small"),
    "is_in": lambda t: t.text.isin(["42", ""]),
    "place": lambda t: ibis.row_number().over(group_by=t.group, order_by=[ibis.desc(t.text), t.number]),
}
AGGREGATES: dict[str, Callable[[Any], Any]] = {
    "first": lambda t: t.text.argmin(t["size"]),
    "least": lambda t: t.text.min(),
    "distinct": lambda t: t.text.nunique(),
    "count": lambda t: t.count(),
    "large": lambda t: t["size"].count(where=t["size"] > 1),
    "sum": lambda t: t["size"].sum(),
    "listed": lambda t: t.text.collect().sort().join("|"),
    "once": lambda t: t.group.collect(distinct=True),
    "any": lambda t: (t["size"] > 5).any(),
}


def words() -> pa.Table:
    rows = [(number, *row) for number, row in enumerate(WORDS)]
    return arrow(Words, dict(zip(columns(Words), zip(*rows, strict=True), strict=True)))


def test_functions_of_expressions_agree(bench: Workbench, tmp_path: Path) -> None:
    """Each is compared with what DuckDB gives; one that differs may not be used."""
    t = unbound(Words)
    queries: dict[str, Callable[[], Any]] = {
        name: lambda make=make: t.select("number", value=make(t)).order_by("number")
        for name, make in FUNCTIONS.items()
    } | {
        f"group {name}": lambda make=make: t.group_by("group").agg(value=make(t)).order_by("group")
        for name, make in AGGREGATES.items()
    }
    with opened("duckdb", jobs=1) as reference, reference.workbench(tmp_path / "reference") as expected:
        expected.give(Words, words())
        bench.give(Words, words())
        differ = {}
        for name, query in queries.items():
            wanted = expected.records(query)
            try:
                found = bench.records(query)
            except Exception as error:
                differ[name] = str(error)[:300]
                continue
            if found != wanted:
                differ[name] = f"{[row['value'] for row in found]} is not {[row['value'] for row in wanted]}"
    assert not differ
