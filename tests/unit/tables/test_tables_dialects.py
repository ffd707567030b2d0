"""Every query that assembles a graph or a corpus can be said in the SQL of each engine.

Compiling needs neither Spark nor Java: Ibis has the dialects itself.
"""

import inspect
import pkgutil
from collections.abc import Callable
from importlib import import_module

import ibis
import ibis.expr.types as ir
import pytest
from ibis.backends.sql.compilers.base import SQLGlotCompiler
from ibis.backends.sql.compilers.duckdb import DuckDBCompiler
from ibis.backends.sql.compilers.pyspark import PySparkCompiler
from ibis.common.exceptions import UnsupportedOperationError
from ibis.config import Config

from rollcall.corpus.assemble import bodies
from rollcall.corpus.assemble.finish import KEPT, WRITTEN
from rollcall.tables.table import declaration, shaped

PACKAGES = ("rollcall.graph.assemble", "rollcall.corpus.assemble")
COMPILERS: dict[str, SQLGlotCompiler] = {"duckdb": DuckDBCompiler(), "spark": PySparkCompiler()}
Query = Callable[[], ir.Table]


def queries() -> dict[str, Query]:
    """The functions of assembly that give an expression and need nothing for it."""
    found = {}
    for package in PACKAGES:
        for module in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
            functions = inspect.getmembers(import_module(module.name), inspect.isfunction)
            for name, function in functions:
                gives = str(inspect.signature(function).return_annotation)
                if not inspect.signature(function).parameters and ("Rows[" in gives or "Table" in gives):
                    found[f"{function.__module__}.{name}"] = function
    return found


class SparkOptions(Config):
    treat_nan_as_null: bool = False


@pytest.fixture(autouse=True)
def spark_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """The option that the dialect asks for, which an opened connection sets."""
    monkeypatch.setattr(ibis.options, "pyspark", SparkOptions())


def sql(query: Query, dialect: str) -> str:
    return COMPILERS[dialect].to_sqlglot(query().as_table()).sql(dialect)


@pytest.mark.parametrize("dialect", COMPILERS)
def test_every_query_of_assembly_compiles(dialect: str) -> None:
    refused = {}
    for name, query in queries().items():
        try:
            assert sql(query, dialect)
        except UnsupportedOperationError as error:
            refused[name] = str(error)
    assert not refused


@pytest.mark.parametrize("dialect", COMPILERS)
def test_what_a_corpus_keeps_and_writes_compiles_in_its_order(dialect: str) -> None:
    for table, query in [*KEPT, *WRITTEN.items()]:
        order = list(declaration(table).sorted_by)
        assert sql(
            lambda table=table, query=query, order=order: shaped(table, query()).order_by(order), dialect
        )


def test_entities_of_a_cell_are_sorted_by_place_and_not_by_the_order_of_aggregation() -> None:
    """Spark has no order within an aggregate, and drops nulls from a list."""
    said = sql(bodies.cells, "spark")
    assert "ARRAY_SORT" in said
    assert "STRUCT" in said
