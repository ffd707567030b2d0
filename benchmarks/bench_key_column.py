"""How often the key column of a list is found, on the tables of a generated world.

    python benchmarks/bench_key_column.py [--entities 3000] [--world FOLDER]

The truth says of every cell which entity it names; the key column is the one whose cells name their row's
topic. A world's lists all begin with it, so each table is also tried with its columns in a random order, and
compared with taking the first column. FOLDER holds `graph`, `corpus` and `world/truth.parquet`.
"""

import random
import tempfile
from argparse import Namespace
from pathlib import Path

import pyarrow.parquet as pq

from _harness import Arguments, Figures, made_world, run_benchmark
from rollcall.mine.lists.columns import ListTable, key_column, list_name, list_tables
from rollcall.tables.engines.duckdb import DuckDB


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--entities", type=int, default=3000, smoke=500)
    parser.add_argument("--world", type=Path, metavar="FOLDER", help="instead of a new world")
    return parser


def main(options: Namespace, figures: Figures) -> None:
    with tempfile.TemporaryDirectory() as name:
        report(options.world or made_world(Path(name), options.entities), figures)


def report(folder: Path, figures: Figures) -> None:
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
    figures |= {"tables": len(tables), "found": found / len(tables)}
    figures |= {"found, random order": mixed / len(tables), "the first, random order": first / len(tables)}
    print(f"{len(tables):,} tables: key column found in {figures['found']:.1%}")
    print(f"columns in random order: found in {figures['found, random order']:.1%}")
    print(f"the first of them is the key column in {figures['the first, random order']:.1%}")


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
    run_benchmark(arguments(), main)
