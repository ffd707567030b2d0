"""How often the key column of a list is found, on the tables of a generated world.

    python benchmarks/bench_key_column.py [--entities 3000] [--world FOLDER]

The truth says of every cell which entity it names; the key column is the one whose cells name their row's
topic. A world's lists all begin with it, so each table is also tried with its columns in a random order, and
compared with taking the first column. FOLDER holds `graph`, `corpus` and `world/truth.parquet`.
"""

import argparse
import random
import tempfile
from pathlib import Path

import pyarrow.parquet as pq

from bench_mine import made_world
from rollcall.mine.lists.columns import ListTable, key_column, list_name, list_tables
from rollcall.tables.engines.duckdb import DuckDB


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--entities", type=int, default=3000)
    arguments.add_argument("--world", type=Path)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        report(options.world or made_world(Path(name), options.entities))


def report(folder: Path) -> None:
    keys = true_keys(folder / "world" / "truth.parquet")
    tables = list(list_tables(folder / "corpus", "List of", 5, DuckDB(), folder / "spill"))
    found = sum(
        key_column(table, list_name(table.title)) == keys[table.title, table.number] for table in tables
    )
    mixed = first = 0
    for table in tables:
        order = list(range(len(table.header)))
        random.Random(f"{table.title} {table.number}").shuffle(order)
        shuffled = ListTable(
            table.title,
            table.number,
            table.section,
            tuple(table.header[place] for place in order),
            tuple(tuple(row[place] for place in order) for row in table.rows),
        )
        true = order.index(keys[table.title, table.number])
        mixed += key_column(shuffled, list_name(table.title)) == true
        first += true == 0
    print(f"{len(tables):,} tables: key column found in {found / len(tables):.1%}")
    print(f"columns in random order: found in {mixed / len(tables):.1%}")
    print(f"the first of them is the key column in {first / len(tables):.1%}")


def true_keys(truth: Path) -> dict[tuple[str, int], int]:
    """The column whose cells name their row's topic, for every table."""
    columns = ["page", "table", "row", "column", "object", "relation"]
    cells = pq.read_table(
        truth, columns=columns, filters=[("kind", "=", "cell"), ("row", ">", 0)]
    ).to_pylist()
    return {
        (row["page"], row["table"]): row["column"] for row in cells if row["object"] and not row["relation"]
    }


if __name__ == "__main__":
    main()
