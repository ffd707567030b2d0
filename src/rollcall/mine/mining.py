"""What the steps of mining by joins share: a graph's tables in a workbench, lists of ids, and the result."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from rollcall.filter import Filter
from rollcall.tables.engine import Engine, Workbench
from rollcall.tables.graph import GRAPH_TABLES
from rollcall.tables.table import Rows, String, T, Table, arrow, declaration, unbound

_SPILL = ".spill"


class MiningResult(NamedTuple):
    """The number of queries that a mining step wrote, and how many each filter removed."""

    queries: int
    removed: dict[Filter, int]


class Ids(Table):
    """A list of ids, or of other words."""

    id = String("the id")


@contextmanager
def mining_bench(engine: Engine, out: Path, graph: Path | None = None) -> Iterator[Workbench]:
    """A workbench for a step that writes to the folder `out`, with the tables of a graph folder."""
    out.mkdir(parents=True, exist_ok=True)
    with engine.workbench(out / _SPILL) as bench:
        if graph is not None:
            bench.read_folder("graph", graph, *GRAPH_TABLES)
        yield bench


def graph_table(table: type[T]) -> Rows[T]:
    """A table of the graph."""
    return unbound(table, f"graph_{declaration(table).name}")


def give_ids(bench: Workbench, name: str, given: Iterable[str]) -> None:
    """Name a list of ids."""
    bench.give(Ids, arrow(Ids, {"id": sorted(set(given))}), name)


def ids(name: str) -> Rows[Ids]:
    """A list of ids that was given under a name."""
    return unbound(Ids, name)
