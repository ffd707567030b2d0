"""Queries as SQL: the only place that turns Ibis expressions into an engine's text."""

from functools import lru_cache
from typing import TYPE_CHECKING

from rollcall.tables.engine import Query
from rollcall.tables.table import Table, shaped

if TYPE_CHECKING:
    import ibis.expr.operations as ops

_known: dict[tuple[Query, type[Table] | None, str], str] = {}
"""The SQL of queries that are functions of a module: compiling one takes longer than running it on little."""


def compiled(query: Query, table: type[Table] | None, dialect: str) -> str:
    """The SQL of a query, with exactly the columns of a table if one is given."""
    if (query, table, dialect) in _known:
        return _known[query, table, dialect]
    sql = _rendered((query() if table is None else shaped(table, query())).op(), dialect)
    if getattr(query, "__name__", "<lambda>") != "<lambda>":
        _known[query, table, dialect] = sql
    return sql


@lru_cache(maxsize=256)
def _rendered(expression: "ops.Node", dialect: str) -> str:
    """The SQL of an expression; one that another function built in the same way is not rendered again."""
    import ibis

    if dialect == "pyspark":
        _set_spark_options()
    return str(ibis.to_sql(expression.to_expr(), dialect=dialect))


def _set_spark_options() -> None:
    """Ibis reads these options when it compiles, but sets them only with its own Spark connection.

    That connection would load pandas and Spark's Python package, which compiling does not need.
    """
    import ibis

    class Options(ibis.config.Config):  # type: ignore[misc]
        treat_nan_as_null: bool = False

    if ibis.options.pyspark is None:
        ibis.options.pyspark = Options()
