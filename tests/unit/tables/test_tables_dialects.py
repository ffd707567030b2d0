"""Every query over whole tables can be said in the SQL of each engine.

Compiling needs neither Spark nor Java: Ibis has the dialects itself.
"""

import inspect
import pkgutil
from collections.abc import Callable
from importlib import import_module

import ibis.expr.types as ir
import pytest
from ibis.common.exceptions import UnsupportedOperationError

from rollcall.corpus import assemble
from rollcall.corpus.assemble import KEPT, WRITTEN
from rollcall.tables.engine import InOrder, compiled

PACKAGES = ("rollcall.graph", "rollcall.corpus", "rollcall.mine", "rollcall.evidence", "rollcall.build")
DIALECTS = ("duckdb", "pyspark")
Query = Callable[[], ir.Table]


def queries() -> dict[str, Query]:
    """The functions that give an expression and need nothing for it."""
    found = {}
    for package in PACKAGES:
        for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
            functions = inspect.getmembers(import_module(module.name), inspect.isfunction)
            for name, function in functions:
                gives = str(inspect.signature(function).return_annotation)
                if not inspect.signature(function).parameters and ("Rows[" in gives or "Table" in gives):
                    found[f"{function.__module__}.{name}"] = function
    return found


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_query_compiles(dialect: str) -> None:
    refused = {}
    for name, query in queries().items():
        try:
            assert compiled(query, None, dialect)
        except UnsupportedOperationError as error:
            refused[name] = str(error)
    assert not refused


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_a_corpus_keeps_and_writes_compiles_in_its_order(dialect: str) -> None:
    for table, query in [*KEPT, *WRITTEN.items()]:
        assert "ORDER BY" in compiled(InOrder(table, query), None, dialect)


def test_entities_of_a_cell_are_sorted_by_place_and_not_by_the_order_of_aggregation() -> None:
    """Spark has no order within an aggregate, and drops nulls from a list."""
    said = compiled(assemble.cells, None, "pyspark")
    assert "ARRAY_SORT" in said
    assert "STRUCT" in said
