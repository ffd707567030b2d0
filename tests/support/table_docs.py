"""Every stored table with its file, order and columns, as docs/tables.md lists them.

python tests/support/table_docs.py writes the document anew.
"""

import inspect
import pkgutil
from importlib import import_module
from pathlib import Path
from types import ModuleType

from rollcall import tables
from rollcall.tables.table import Column, DeclaredTable, Records, declaration, file_name

DOCUMENT = Path(__file__).parents[2] / "docs" / "tables.md"
FIRST = ("graph", "corpus", "mining", "evidence", "build", "questions", "world")
"""The order of the sections; others follow by name."""
_HEAD = """# Tables

Every table that Rollcall stores, as it is declared in `rollcall.tables`; a declaration is the only place
where the columns of a table are written. All tables are Parquet files, written by one writer: rows are sorted
by the columns given here, in row groups of a fixed size, so that the bytes of a file depend on its rows
alone. One reader checks a file before it is used: its content against the manifest of its folder, and its
columns against the declaration. A process checks a file once; for all tables of a world of 10,000 entities,
in the system's cache, that took 16 % of the processor time of reading them (`benchmarks/bench_checksums.py`).

Strings are sorted by the bytes of UTF-8. The tables can be read by any tool that reads Parquet, and as Ibis
tables with `graph.tables` and `corpus.tables`.
"""
_TYPES = {"array<string>": "list of strings", "array<int32>": "list of int32"}
_FILES = {"Questions": "One file for each split, such as `train.parquet`"}
"""What is not named after the table."""


def declared() -> dict[str, list[type[DeclaredTable]]]:
    """The stored tables of each module, in the order of the module."""
    names = [module.name for module in pkgutil.iter_modules(tables.__path__)]
    found = {name: _stored(import_module(f"rollcall.tables.{name}")) for name in names}
    order = [*FIRST, *sorted(set(names) - set(FIRST))]
    return {name: found[name] for name in order if found.get(name)}


def _stored(module: ModuleType) -> list[type[DeclaredTable]]:
    """Tables that stay: not those of shards, which only the next step of a command reads."""
    passing = set(getattr(module, "SHARD_TABLES", {}).values())
    return [
        thing
        for name, thing in vars(module).items()
        if inspect.isclass(thing)
        and issubclass(thing, DeclaredTable)
        and thing.__module__ == module.__name__
        and not name.startswith("_")
        and thing not in (*passing, DeclaredTable)
    ]


def rendered() -> str:
    """The document."""
    parts = [_HEAD]
    for name, found in declared().items():
        inner = {
            column.of
            for table in found
            for column in declaration(table).columns.values()
            if isinstance(column, Records)
        }
        about = inspect.getdoc(import_module(f"rollcall.tables.{name}")) or ""
        parts.append(f"\n## {name.capitalize()}\n\n{about}\n")
        whole = [table for table in found if table not in inner]
        parts += [_section(table, is_file=True) for table in whole]
        parts += [_section(table, is_file=False) for table in found if table in inner]
    return "".join(parts)


def _section(table: type[DeclaredTable], *, is_file: bool) -> str:
    known = declaration(table)
    lines = [f"\n### {table.__name__}\n\n{' '.join(known.meaning.split())}"]
    if is_file:
        lines.append(f" {_FILES.get(table.__name__, f'File `{file_name(table)}`')}")
        order = ", ".join(f"`{column}`" for column in known.sorted_by)
        lines.append(f", sorted by {order}." if order else ".")
    lines.append("\n\n| column | type | meaning |\n|---|---|---|\n")
    lines += [
        f"| `{name}` | {_type(column)} | {column.meaning.replace('|', chr(92) + '|')} |\n"
        for name, column in known.columns.items()
    ]
    return "".join(lines)


def _type(column: Column) -> str:
    if isinstance(column, Records):
        name = column.of.__name__
        return f"list of [{name}](#{name.lower()})"
    return _TYPES.get(column.type, column.type)


if __name__ == "__main__":
    DOCUMENT.write_text(rendered(), encoding="utf-8")
