"""The graph that the corpora of these tests are about."""

from pathlib import Path

import pytest

from corpus_files import write_graph_sources
from rollcall.graph import make_graph


@pytest.fixture(scope="session")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("graph")
    make_graph(write_graph_sources(folder), folder / "out", jobs=1)
    return folder / "out"
