"""What the check of a table costs: reading every table of a world's graph and corpus, with and without it.

    python benchmarks/bench_checksums.py [--entities 20000]

A process checks a file once. Here each file's time stamp is changed before each reading, so that every one
checks. The files are in the system's cache, which makes the check look as expensive as it can. Both ways
take turns in eleven rounds. Printed for each table: its size, the median milliseconds of processor time of
both ways, and the ratio; and the same for finding one page, where only the check reads the whole file.
"""

import os
import tempfile
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq

from _harness import Arguments, Cost, Figures, in_turns, made_world, measured, median_cost, run_benchmark
from rollcall.tables.corpus import CORPUS_TABLES, Sentences
from rollcall.tables.files import SortedFile, opened_file
from rollcall.tables.graph import GRAPH_TABLES
from rollcall.tables.table import DeclaredTable, file_name


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--entities", type=int, default=20_000, smoke=500)
    parser.add_argument("--rounds", type=int, default=11, smoke=1)
    return parser


def main(options: Namespace, figures: Figures) -> None:
    rounds = options.rounds
    with tempfile.TemporaryDirectory() as name:
        folder = made_world(Path(name), options.entities)
        print(f"{'table':24}{'MB':>8}{'unchecked':>12}{'checked':>12}{'ratio':>8}")
        totals = [0.0, 0.0]
        for kind, tables in (("graph", GRAPH_TABLES), ("corpus", CORPUS_TABLES)):
            for table in tables:
                path = folder / kind / file_name(table)
                times = both_ways(path, partial(whole, table, path), rounds)
                totals = [total + spent for total, spent in zip(totals, times, strict=True)]
                show(f"{kind}/{path.stem}", path.stat().st_size, times)
        show("all", 0, totals)
        figures["checked by unchecked, all tables"] = totals[1] / totals[0]
        path = folder / "corpus" / file_name(Sentences)
        times = both_ways(path, partial(one_page, path, page_of(path)), rounds)
        show("one page's sentences", path.stat().st_size, times)


def whole(table: type[DeclaredTable], path: Path, check: bool) -> None:
    with opened_file(table, path, check=check) as file:
        file.read()


def page_of(path: Path) -> str:
    """A page in the middle of the file."""
    pages = pq.read_table(path, columns=["page"])["page"]
    return str(pages[len(pages) // 2])


def one_page(path: Path, page: str, check: bool) -> None:
    assert SortedFile(Sentences, path, check=check).rows(page)


def both_ways(path: Path, read: Callable[[bool], None], rounds: int) -> list[float]:
    """The median milliseconds of processor time without and with the check."""

    def once(check: bool) -> Cost:
        os.utime(path)
        return measured(partial(read, check))[0]

    ways = {str(check): partial(once, check) for check in (False, True)}
    return [1000 * median_cost(costs).core_seconds for costs in in_turns(ways, rounds).values()]


def show(name: str, size: int, times: list[float]) -> None:
    unchecked, checked = times
    megabytes = f"{size / 1e6:8.2f}" if size else " " * 8
    print(f"{name:24}{megabytes}{unchecked:12.2f}{checked:12.2f}{checked / unchecked:8.2f}")


if __name__ == "__main__":
    run_benchmark(arguments(), main)
