"""Random declared tables with random rows, for hypothesis."""

from types import new_class
from typing import Any, NamedTuple

from hypothesis import strategies as st

from rollcall.tables.table import Boolean, Column, DeclaredTable, Float64, Int32, Int64, String, Strings

_TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
_VALUES: dict[type[Column], st.SearchStrategy[Any]] = {
    String: st.none() | _TEXTS,
    Strings: st.none() | st.lists(st.none() | _TEXTS, max_size=3),
    Boolean: st.none() | st.booleans(),
    Int32: st.none() | st.integers(-(1 << 31), (1 << 31) - 1),
    Int64: st.none() | st.integers(-(1 << 63), (1 << 63) - 1),
    Float64: st.none() | st.floats(allow_nan=False),
}


class Filled(NamedTuple):
    """A table and some rows of it."""

    table: type[DeclaredTable]
    rows: list[dict[str, Any]]


@st.composite
def filled_tables(draw: st.DrawFn, max_rows: int = 30) -> Filled:
    kinds = draw(st.lists(st.sampled_from(sorted(_VALUES, key=repr)), min_size=1, max_size=4))
    columns = {f"c{number}": kind(f"column {number}") for number, kind in enumerate(kinds)}
    scalars = [name for name, column in columns.items() if not column.is_list]
    key = draw(st.lists(st.sampled_from(scalars), unique=True)) if scalars else []
    options = {"rows_per_group": draw(st.integers(1, 8)), "sorted_by": tuple(key)}
    table = new_class("Random", (DeclaredTable,), options, lambda body: body.update(columns))
    row = st.fixed_dictionaries({name: _VALUES[type(column)] for name, column in columns.items()})
    return Filled(table, draw(st.lists(row, max_size=max_rows)))
