"""Tables declared once: a class with typed, documented columns, its sort key and what a row means.

A declaration is the only place where the columns of a table are written. From it come the Arrow schema of its
files, the Ibis table that expressions start from, the checks of readers and writers, and docs/tables.md.

    class Facts(Table, sorted_by=("relation", "subject", "object")):
        "A fact between two entities."

        subject = String("the entity that the fact is about")
        relation = String("the relation")
        object = String("the other entity")

Everything about a table is asked through functions (`schema(Facts)`, `unbound(Facts)`), so that a column may
have any name. A column named like a Python keyword is written with an underscore: `class_`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from rollcall._core.errors import RollcallError

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa

    T = TypeVar("T", bound="DeclaredTable")

    class Rows(ir.Table, Generic[T]):  # type: ignore[misc]
        """An Ibis expression whose rows are those of a declared table; these methods keep the columns."""

        def filter(self, *predicates: Any) -> Self: ...
        def order_by(self, *by: Any) -> Self: ...
        def distinct(self) -> Self: ...
        def view(self) -> Self: ...
        def semi_join(self, right: ir.Table, predicates: Any) -> Self: ...
        def anti_join(self, right: ir.Table, predicates: Any) -> Self: ...

else:
    T = TypeVar("T")

    class Rows(Generic[T]):
        """An Ibis expression whose rows are those of a declared table; a type for checkers only."""


ROWS_PER_GROUP = 1 << 16


@dataclass(frozen=True)
class Column:
    """A column: its meaning; each subclass is a type, named as Ibis names it."""

    meaning: str
    type: ClassVar[str]
    is_list: ClassVar[bool] = False


class String(Column):
    type = "string"


class Strings(Column):
    """A list of strings."""

    type = "array<string>"
    is_list = True


@dataclass(frozen=True)
class Records(Column):
    """A list of records, each with the columns of a table."""

    of: "type[DeclaredTable]"
    type = "array<struct>"
    is_list = True


class Int32s(Column):
    """A list of whole numbers."""

    type = "array<int32>"
    is_list = True


class Boolean(Column):
    type = "boolean"


class Int32(Column):
    type = "int32"


class Int64(Column):
    type = "int64"


class Float64(Column):
    type = "float64"


@dataclass(frozen=True)
class Declaration:
    """What is declared of a table."""

    name: str
    meaning: str
    columns: Mapping[str, Column]
    sorted_by: tuple[str, ...]
    """The columns that identify a row, or all columns that are not lists; none where rows stay as given."""
    rows_per_group: int


class DeclaredTable:
    """The base of all declarations; the columns of a parent class come first."""

    __table__: ClassVar[Declaration]

    def __init_subclass__(
        cls,
        *,
        name: str = "",
        sorted_by: tuple[str, ...] | None = (),
        rows_per_group: int = ROWS_PER_GROUP,
    ) -> None:
        """`name` is that of the file and of the table in an engine, by default the name of the class.

        Rows that are sorted by `None` stay in the order in which they are given.
        """
        columns: dict[str, Column] = {}
        for class_ in reversed(cls.__mro__):
            columns |= {
                attribute.removesuffix("_"): value
                for attribute, value in vars(class_).items()
                if isinstance(value, Column)
            }
        unknown = [column for column in sorted_by or () if column not in columns]
        if unknown:
            raise TypeError(f"{cls.__name__} is sorted by {unknown[0]}, which is not one of its columns")
        scalars = tuple(column for column, kind in columns.items() if not kind.is_list)
        order = () if sorted_by is None else sorted_by or scalars
        cls.__table__ = Declaration(
            name or _lower(cls.__name__), cls.__doc__ or "", columns, order, rows_per_group
        )


def _lower(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("_")


def declaration(table: type[DeclaredTable]) -> Declaration:
    """What is declared of a table."""
    return table.__table__


def file_name(table: type[DeclaredTable]) -> str:
    """The name of a table's file in its folder."""
    return f"{table.__table__.name}.parquet"


def columns(table: type[DeclaredTable]) -> tuple[str, ...]:
    """The names of a table's columns, in order."""
    return tuple(table.__table__.columns)


def schema(table: type[DeclaredTable]) -> "pa.Schema":
    """The Arrow schema of a table's files."""
    import pyarrow as pa

    return pa.schema(_fields(table))


def _fields(table: type[DeclaredTable]) -> "list[pa.Field[Any]]":
    import pyarrow as pa

    kinds: dict[str, pa.DataType] = {
        "string": pa.string(),
        "array<string>": pa.list_(pa.string()),
        "array<int32>": pa.list_(pa.int32()),
        "boolean": pa.bool_(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "float64": pa.float64(),
    }
    return [
        pa.field(
            name,
            pa.list_(pa.struct(_fields(column.of))) if isinstance(column, Records) else kinds[column.type],
        )
        for name, column in table.__table__.columns.items()
    ]


def empty(table: type[DeclaredTable]) -> "pa.Table":
    """An Arrow table without rows."""
    return schema(table).empty_table()


def arrow(table: "type[DeclaredTable]", values: Mapping[str, Any]) -> "pa.Table":
    """An Arrow table from a list, or an array, for each column."""
    import pyarrow as pa

    declared = schema(table)
    arrays = [pa.array(values[field.name], field.type) for field in declared]
    return pa.Table.from_arrays(arrays, schema=declared)


def unbound(table: "type[T]", name: str | None = None) -> "Rows[T]":
    """The table in an Ibis expression; an engine knows its rows by this name."""
    import ibis

    expression: Rows[T] = ibis.table(
        {column: kind.type for column, kind in table.__table__.columns.items()},
        name=name or table.__table__.name,
    )
    return expression


def shaped(table: "type[T]", rows: "ir.Table") -> "Rows[T]":
    """An expression with exactly the columns of a table, in their order; other types are refused.

    Whole numbers may be widened, and a literal null may become any type.
    """
    row_schema = rows.schema()
    cast: dict[str, str] = {}
    for name, column in table.__table__.columns.items():
        if name not in row_schema:
            raise RollcallError(
                f"{table.__name__}: the expression has no column {name!r}; it has {row_schema.names}"
            )
        type_ = row_schema[name]
        if type_.is_null() or (type_.is_integer() and column.type in ("int32", "int64")):
            if str(type_).lstrip("!") != column.type:
                cast[name] = column.type
        elif str(type_).lstrip("!").replace("<!", "<") != column.type:
            raise RollcallError(f"{table.__name__}.{name}: the expression gives {type_}, not {column.type}")
    shaped_rows: Rows[T] = (rows.cast(cast) if cast else rows).select(*table.__table__.columns)
    return shaped_rows
