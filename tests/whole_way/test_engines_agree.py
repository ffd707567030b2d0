"""The same bytes from every engine: on this machine, on a real small cluster, and when a worker is lost."""

import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import fsspec
import pytest

import spark_cluster
from rollcall import retrieve
from rollcall.build import build
from rollcall.build.recipe import names
from rollcall.corpus import make_corpus
from rollcall.graph import make_graph
from rollcall.tables.engine import Engine, opened
from rollcall.tables.engines.spark import Spark

pytestmark = pytest.mark.slow
BLOCK_BYTES = 60_000
"""Small enough for many blocks of a small world."""


def differences(one: Path, other: Path) -> str:
    """What `diff -rq` finds, but for the times that stages took."""
    command = ["diff", "-rq", "--exclude=stage.json", str(one), str(other)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def make(world: Path, out: Path, engine: Engine | str) -> None:
    """A graph and a corpus."""
    settings: dict[str, Any] = {"block_bytes": BLOCK_BYTES, "engine": engine, "show_progress": False}
    make_graph([world / "wikidata.json.gz"], out / "graph", **settings)
    make_corpus([world / "pages.xml.bz2"], out / "corpus", graph=out / "graph", **settings)


@pytest.fixture(scope="module")
def made(small_world: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What DuckDB makes."""
    out = tmp_path_factory.mktemp("duckdb")
    make(small_world / "world", out, "duckdb")
    return out


@pytest.fixture(scope="module", params=["sail", "spark", "cluster"])
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    name, master = request.param, None
    with ExitStack() as stack:
        if name == "cluster":
            folder = tmp_path_factory.mktemp("cluster")
            name, master = "spark", stack.enter_context(spark_cluster.running(folder)).master
        spark_cluster.skip_without("pyspark" if name == "spark" else "pysail", java=name == "spark")
        yield stack.enter_context(opened(name, master=master, jobs=2))


def test_tasks_read_sources_from_addresses(engine: Engine, tmp_path: Path) -> None:
    """The content is in the memory of this process, so no task can read it there."""
    facts = "subject\trelation\tobject\n" + "".join(f"Q{n}\tP1\tQ{n // 3}\n" for n in range(3000))
    turtle = "@prefix e: <http://e/> .\n" + "".join(f"e:a{n} e:knows e:b .\n" for n in range(3000))
    addresses = ["memory://engines/facts.tsv", "memory://engines/more.ttl"]
    for address, text in zip(addresses, (facts, turtle), strict=True):
        with fsspec.open(address, "w") as file:
            file.write(text)
    make_graph(addresses, tmp_path / "here", block_bytes=10_000, jobs=1)
    make_graph(addresses, tmp_path / "there", block_bytes=10_000, engine=engine)
    assert differences(tmp_path / "here", tmp_path / "there") == ""


def test_graph_and_corpus_are_the_same(engine: Engine, small_world: Path, made: Path, tmp_path: Path) -> None:
    make(small_world / "world", tmp_path, engine)
    assert differences(made, tmp_path) == ""


@pytest.fixture(scope="module")
def built(made: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """What DuckDB builds with a recipe, once for all engines."""
    folder = tmp_path_factory.mktemp("built")

    @cache
    def build_here(recipe: str) -> Path:
        _build(recipe, made, folder / recipe, "duckdb")
        return folder / recipe

    return build_here


def _build(recipe: str, made: Path, out: Path, engine: Engine | str) -> None:
    build(recipe, graph=made / "graph", corpus=made / "corpus", out=out, engine=engine, show_progress=False)


BUILDS = [
    *(("sail", recipe) for recipe in names() if recipe not in {"romqa", "setops"}),
    ("spark", "graphquestions"),
    ("spark", "qampari"),
    ("cluster", "graphquestions"),
]
"""`mixed` has all kinds of romqa and setops. Starting jobs takes most of Spark's time on so little data; a
cluster is asked the same, in other processes.
"""


@pytest.mark.parametrize(("engine", "recipe"), BUILDS, indirect=["engine"])
def test_sets_are_the_same(
    engine: Engine,
    made: Path,
    built: Callable[[str], Path],
    tmp_path: Path,
    recipe: str,
) -> None:
    _build(recipe, made, tmp_path / recipe, engine)
    assert differences(built(recipe), tmp_path / recipe) == ""


@pytest.mark.parametrize("engine", ["sail", "spark"], indirect=True)
def test_indexes_and_runs_are_the_same(
    engine: Engine, made: Path, built: Callable[[str], Path], tmp_path: Path
) -> None:
    """With values of its own, bm25 uses postings, which the engine makes block by block."""
    questions = built("graphquestions")
    for name, one in (("here", "duckdb"), ("there", engine)):
        out, settings = tmp_path / name, {"engine": one, "options": {"k1": 1.3}, "progress": False}
        retrieve(questions, corpus=made / "corpus", out=out / "run.jsonl", index=out / "index", **settings)
    assert (tmp_path / "here/index/postings").is_dir()
    assert differences(tmp_path / "here", tmp_path / "there") == ""


class LosingSpark(Spark):
    """Spark on a cluster that loses a worker after the first result of a function over blocks."""

    cluster: spark_cluster.Cluster | None = None

    def map_blocks(
        self, function: Callable[..., Any], blocks: Iterable[Any], prepare: Callable[[], Any]
    ) -> Iterator[Any]:
        for result in super().map_blocks(function, blocks, prepare):
            yield result
            if self.cluster is not None:
                self.cluster.kill_worker(0)
                self.cluster = None


def test_a_lost_worker_costs_nothing_but_time(small_world: Path, made: Path, tmp_path: Path) -> None:
    """It is killed while the second wave of blocks is under way."""
    with (
        spark_cluster.running(tmp_path / "cluster") as cluster,
        LosingSpark(master=cluster.master, jobs=2) as engine,
    ):
        engine.cluster = cluster
        make(small_world / "world", tmp_path / "made", engine)
        assert engine.cluster is None, "the worker was killed"
    assert differences(made, tmp_path / "made") == ""
