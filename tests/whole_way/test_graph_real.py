"""Reading real, messy tables, where they are at hand: they load, and their cells become sensible values."""

from collections import Counter
from pathlib import Path

import pytest

from graph_dumps import rows
from places import SHARED
from rollcall.graph import Graph, make_graph

REAL = SHARED / "real"
SOURCES = [REAL / name for name in ("facts.tsv.gz", "values.tsv.gz", "entities.jsonl.gz")]
pytestmark = pytest.mark.skipif(
    not all(map(Path.exists, SOURCES)), reason=f"the real tables are not in {REAL}"
)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return make_graph(SOURCES, tmp_path_factory.mktemp("real") / "graph", jobs=1)


def test_everything_loads(graph: Graph) -> None:
    counts = graph.manifest["counts"]
    assert counts["facts"] == 47_341
    assert counts["entities"] == 86_264
    assert counts["values"] > 31_000
    assert all(source["bad"] == {} for source in graph.manifest["sources"])
    assert graph.manifest["sources"][1]["skipped"] == {"rows with an empty relation": 1395}


def test_cells_become_values(graph: Graph) -> None:
    kinds: dict[str, Counter[str]] = {}
    for relation, kind in rows(graph, "values", "relation", "kind"):
        kinds.setdefault(relation, Counter())[kind] += 1
    assert sum(kind["text"] for kind in kinds.values()) < 50, (
        "nearly every cell of this file is a figure or a date"
    )
    for relation in ("year", "founded", "opened", "release date", "born"):
        assert kinds[relation]["date"] >= 0.95 * kinds[relation].total(), relation
    for relation in ("rank", "capacity", "population", "points", "population 2011"):
        assert kinds[relation]["number"] >= 0.95 * kinds[relation].total(), relation
    for relation in ("area km²", "length km", "height m", "dia"):
        assert kinds[relation]["quantity"] == kinds[relation].total(), relation


def test_homonyms_are_shown(graph: Graph) -> None:
    shared = next(
        name for name in ("Springfield", "Jackson", "Georgia", "Victoria") if len(graph.find(name)) > 1
    )
    assert len({record.id for record in graph.find(shared)}) > 1
