"""Declarations: names, orders, types, expressions of the declared shape, and the document made from them."""

import ibis
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import table_docs
from rollcall import RollcallError
from rollcall.tables.table import (
    Boolean,
    DeclaredTable,
    Float64,
    Int32,
    Int64,
    Records,
    String,
    Strings,
    arrow,
    columns,
    declaration,
    file_name,
    schema,
    shaped,
    unbound,
)


class Parts(DeclaredTable, sorted_by=None):
    """A part."""

    name = String("its name")


class Things(DeclaredTable, name="things_of_all_kinds", sorted_by=("class", "small")):
    """A thing with a column of each type."""

    class_ = String("its class")
    names = Strings("its names")
    known = Boolean("whether it is known")
    small = Int32("a small number")
    large = Int64("a large number")
    share = Float64("a share")


class MoreThings(Things):
    """A thing that has parts."""

    parts = Records("its parts", Parts)


GOOD = {"class": "string", "names": "array<string>", "known": "boolean", "small": "int32", "large": "int64"}


def test_a_declaration_says_everything_of_a_table() -> None:
    assert columns(Things) == ("class", "names", "known", "small", "large", "share")
    assert declaration(Things).sorted_by == ("class", "small")
    assert declaration(Things).meaning == "A thing with a column of each type."
    assert file_name(Things) == "things_of_all_kinds.parquet"
    assert str(unbound(Things).schema()["names"]) == "array<string>"
    assert unbound(Things).get_name() == "things_of_all_kinds"
    assert unbound(Things, "others").get_name() == "others"


def test_the_columns_of_a_parent_come_first() -> None:
    assert columns(MoreThings) == (*columns(Things), "parts")
    assert declaration(MoreThings).name == "more_things"
    assert schema(MoreThings).field("parts").type == pa.list_(pa.struct([("name", pa.string())]))


def test_without_a_key_rows_are_sorted_by_all_columns_that_are_not_lists() -> None:
    assert declaration(MoreThings).sorted_by == ("class", "known", "small", "large", "share")
    assert declaration(Parts).sorted_by == ()


def test_a_key_must_be_a_column() -> None:
    with pytest.raises(TypeError, match="Wrong is sorted by colour, which is not one of its columns"):
        type("Wrong", (DeclaredTable,), {"name": String("a name")}, sorted_by=("colour",))  # type: ignore[call-overload]


def test_arrow_rows_have_the_declared_types() -> None:
    rows = arrow(Parts, {"name": ["a", None]})
    assert rows.schema.equals(schema(Parts))
    with pytest.raises(pa.ArrowTypeError):
        arrow(Parts, {"name": [1]})


@given(st.sampled_from(["int8", "int16", "int32", "int64", "uint8"]), st.permutations([*GOOD, "share"]))
def test_whole_numbers_are_widened_and_columns_ordered(kind: str, order: list[str]) -> None:
    kinds = {**GOOD, "small": kind, "large": kind, "share": "float64", "extra": "string"}
    rows = shaped(Things, ibis.table({name: kinds[name] for name in [*order, "extra"]}, name="given"))
    assert rows.columns == columns(Things)
    assert str(rows.schema()["small"]) == "int32"
    assert str(rows.schema()["large"]) == "int64"


def test_a_literal_null_may_be_any_type() -> None:
    rows = ibis.table(GOOD, name="given").mutate(share=ibis.null())
    assert str(shaped(Things, rows).schema()["share"]) == "float64"


@pytest.mark.parametrize(
    ("column", "kind", "message"),
    [
        ("share", None, r"Things: the expression has no column 'share'"),
        ("share", "int64", r"Things\.share: the expression gives int64, not float64"),
        ("share", "decimal(10, 2)", r"Things\.share: the expression gives decimal\(10, 2\), not float64"),
        ("small", "float64", r"Things\.small: the expression gives float64, not int32"),
        ("small", "boolean", r"Things\.small: the expression gives boolean, not int32"),
        ("class", "int64", r"Things\.class: the expression gives int64, not string"),
        ("names", "string", r"Things\.names: the expression gives string, not array<string>"),
        ("known", "string", r"Things\.known: the expression gives string, not boolean"),
    ],
)
def test_other_types_are_refused(column: str, kind: str | None, message: str) -> None:
    kinds = {**GOOD, "share": "float64", column: kind}
    given_rows = ibis.table({name: one for name, one in kinds.items() if one is not None}, name="given")
    with pytest.raises(RollcallError, match=message):
        shaped(Things, given_rows)


# -- the document ---------------------------------------------------------------------------------------


def test_the_document_lists_every_stored_table() -> None:
    written = table_docs.DOCUMENT.read_text(encoding="utf-8")
    assert written == table_docs.rendered(), "run python tests/support/table_docs.py"


def test_every_table_and_column_says_what_it_means() -> None:
    for tables in table_docs.declared().values():
        for table in tables:
            known = declaration(table)
            assert known.meaning, table
            assert all(column.meaning for column in known.columns.values()), table
