"""What the check of a table costs: reading every table of a world's graph and corpus, with and without it.

    python benchmarks/bench_checksums.py [--entities 20000]

A process checks a file once. Here each file's time stamp is changed before each reading, so that every one
checks. The files are in the system's cache, which makes the check look as expensive as it can. Both ways
take turns in eleven rounds. Printed for each table: its size, the median milliseconds of processor time of
both ways, and the ratio; and the same for finding one page, where only the check reads the whole file.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from rollcall.corpus import make_corpus
from rollcall.graph import make_graph
from rollcall.tables.corpus import CORPUS_TABLES, Sentences
from rollcall.tables.files import SortedFile, opened_file
from rollcall.tables.graph import GRAPH_TABLES
from rollcall.tables.table import Table, file_name
from rollcall.world import write_world

ROUNDS = 11


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--entities", type=int, default=20_000)
    entities = parser.parse_args().entities
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_world(folder / "world", entities=entities, seed=1)
        make_graph([folder / "world" / "wikidata.json.gz"], folder / "graph")
        make_corpus([folder / "world" / "pages.xml.bz2"], folder / "corpus", graph=folder / "graph")
        print(f"{'table':24}{'MB':>8}{'unchecked':>12}{'checked':>12}{'ratio':>8}")
        totals = [0.0, 0.0]
        for kind, tables in (("graph", GRAPH_TABLES), ("corpus", CORPUS_TABLES)):
            for table in tables:
                path = folder / kind / file_name(table)
                times = measured(path, lambda check, table=table, path=path: whole(table, path, check))
                totals = [total + spent for total, spent in zip(totals, times, strict=True)]
                show(f"{kind}/{path.stem}", path.stat().st_size, times)
        show("all", 0, totals)
        path = folder / "corpus" / file_name(Sentences)
        show("one page's sentences", path.stat().st_size, measured(path, lambda check: one_page(path, check)))


def whole(table: type[Table], path: Path, check: bool) -> None:
    with opened_file(table, path, check=check) as file:
        file.read()


def one_page(path: Path, check: bool) -> None:
    SortedFile(Sentences, path, check=check).rows("100042")


def measured(path: Path, read: Callable[[bool], None]) -> list[float]:
    """The median milliseconds of processor time without and with the check."""
    spent: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(ROUNDS):
        for check, times in spent.items():
            os.utime(path)
            began = time.process_time()
            read(check)
            times.append(1000 * (time.process_time() - began))
    return [statistics.median(times) for times in spent.values()]


def show(name: str, size: int, times: list[float]) -> None:
    unchecked, checked = times
    megabytes = f"{size / 1e6:8.2f}" if size else " " * 8
    print(f"{name:24}{megabytes}{unchecked:12.2f}{checked:12.2f}{checked / unchecked:8.2f}")


if __name__ == "__main__":
    main()
