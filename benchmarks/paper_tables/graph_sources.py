"""The graphs of the GraphQuestions tables and the sets built from them, made once and kept."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from paper_tables.graph_sides import with_sides
from rollcall import QuestionSet, build
from rollcall.graph import Graph, make_graph
from rollcall.world import write_world

FILES = ("facts.tsv.gz", "values.tsv.gz", "entities.jsonl.gz", "relations.tsv")


class GraphSource(NamedTuple):
    """A graph and its questions, in the splits train, dev, relations and wordings."""

    name: str
    folder: Path
    graph: Path
    questions: Path


def world(work: Path, entities: int, queries: int) -> GraphSource:
    """A generated world."""
    dumps = _made(
        work / f"world_{entities}", lambda out: write_world(out, entities=entities, seed=21, jobs=1)
    )
    return _source("a world", work / f"of_world_{entities}", [dumps / "wikidata.json.gz"], queries)


def facts(work: Path, folder: Path, queries: int) -> GraphSource:
    """Real facts."""
    return _source("real facts", work / f"of_{folder.name}", [folder / one for one in FILES], queries)


def _source(name: str, folder: Path, files: list[Path], queries: int) -> GraphSource:
    folder.mkdir(parents=True, exist_ok=True)
    graph = _made(folder / "graph", lambda out: make_graph(files, out, jobs=1).close())
    changes = {"templates.queries": queries}
    built = _made(
        folder / f"built_{queries}",
        lambda out: build("graphquestions", graph=graph, out=out, changes=changes),
    )
    questions = _made(folder / f"questions_{queries}", lambda out: _split(built, graph, out))
    return GraphSource(name, folder, graph, questions)


def _split(built: Path, graph: Path, out: Path) -> None:
    with Graph.open(graph) as opened:
        QuestionSet(with_sides(QuestionSet.open(built), opened)).save(out)


def _made(place: Path, make: Callable[[Path], object]) -> Path:
    """A folder, made unless it is there."""
    if not place.exists():
        make(place)
    return place
