"""The engine gives the results that the expressions mean, also where its optimizers are known to fail."""

import ibis
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from ibis import _

from rollcall.tables.engines.duckdb import DuckDBWorkbench, connect
from rollcall.tables.table import DeclaredTable, String, unbound

PAIRS = {"key": [f"k{n:02}" for n in range(40)], "left": [f"b{n % 7}" for n in range(40)]}
PAIRS["right"] = [f"b{7 + n % 5}" for n in range(40)]
BASES = {"base": [f"b{n}" for n in range(12)], "entity": [f"e{n % 6}" for n in range(12)]}


class Pairs(DeclaredTable):
    """A key and two bases."""

    key = String("a key")
    left = String("its first base")
    right = String("its second base")


class Bases(DeclaredTable):
    """A base and its entity."""

    base = String("a base")
    entity = String("its entity")


def within_three_an_entity(pairs, bases):
    """Pairs that are among the first three of both of their entities."""
    parts = pairs
    for side in ("left", "right"):
        parts = parts.join(bases.select(**{side: "base", f"{side}_entity": "entity"}), side)
    sides = [parts.select("key", entity=f"{side}_entity") for side in ("left", "right")]
    standing = ibis.union(*sides, distinct=True)
    place = ibis.row_number().over(ibis.window(group_by="entity", order_by="key"))
    beyond = standing.mutate(place=place).filter(_.place >= 3).select("key").distinct()
    return parts.anti_join(beyond, "key").select("key")


def expected():
    entity = dict(zip(BASES["base"], BASES["entity"], strict=True))
    standing = {}
    for key, left, right in zip(*PAIRS.values(), strict=True):
        for one in {entity[left], entity[right]}:
            standing.setdefault(one, []).append(key)
    beyond = {key for keys in standing.values() for key in sorted(keys)[3:]}
    return set(PAIRS["key"]) - beyond


def test_an_anti_join_with_some_of_a_tables_own_rows_removes_them_all():
    with DuckDBWorkbench("1GB") as bench:
        bench.give(Pairs, pa.table(PAIRS).to_reader())
        bench.give(Bases, pa.table(BASES).to_reader())
        batches = bench.stream(lambda: within_three_an_entity(unbound(Pairs), unbound(Bases)))
        assert {key for batch in batches for key in batch.column("key").to_pylist()} == expected()


def test_a_backend_of_ibis_is_held_to_the_same(tmp_path):
    backend = connect()
    for name, rows in (("pairs", PAIRS), ("bases", BASES)):
        pq.write_table(pa.table(rows), tmp_path / f"{name}.parquet")
    pairs, bases = (backend.read_parquet(tmp_path / f"{name}.parquet") for name in ("pairs", "bases"))
    found = within_three_an_entity(pairs, bases).to_pyarrow()
    assert set(found.column("key").to_pylist()) == expected()
    backend.disconnect()


def test_ctrl_c_in_the_middle_of_a_query_is_an_interruption():
    """DuckDB answers the signal with an error of its own, which would be shown as a defect."""
    with pytest.raises(KeyboardInterrupt), DuckDBWorkbench("1GB"):
        raise RuntimeError("Query interrupted")
