"""What tests share: the modules of `support`, made-up examples, real files beside the project.

`unit` mirrors the packages; `differential` compares with other implementations or with brute force;
`whole_way` runs commands, builds and documents from end to end.
"""

import gc
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

for folder in ("", "support"):
    sys.path.insert(0, str(Path(__file__).parent / folder))

from made_once import made_once  # noqa: E402

# How long an example takes says more about the machine than about the code. A change is judged by the same
# examples each time; `ROLLCALL_RANDOM=1 make test` draws new ones, and more of them.
RANDOM = "ROLLCALL_RANDOM" in os.environ
settings.register_profile(
    "rollcall",
    deadline=None,
    derandomize=not RANDOM,
    max_examples=200 if RANDOM else 60,
    suppress_health_check=[HealthCheck.too_slow],  # a busy machine is no fault
)
settings.load_profile("rollcall")


def pytest_collection_finish() -> None:
    """What was loaded until now stays: searching it for garbage again and again took a tenth of the time."""
    from rollcall._core.workers import collect_rarely

    collect_rarely()
    gc.freeze()


DATA = Path(__file__).parent / "data"
REFERENCE = Path(__file__).parents[2] / "shared" / "reference"


@pytest.fixture(scope="session")
def published() -> Any:
    """The published scorers' figures on made-up examples, by file name."""
    return {path.stem: json.loads(path.read_text()) for path in DATA.glob("*.json")}


@pytest.fixture(scope="session")
def jacana() -> Path:
    """JACANA's real predictions on GraphQuestions, which may not be copied into the project."""
    path = REFERENCE / "graphquestions_jacana.res"
    if not path.exists():
        pytest.skip("JACANA's result file is not beside the project (shared/reference)")
    return path


@pytest.fixture(scope="session")
def small_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small world, its graph and its corpus, made once for all tests that build on it."""
    from rollcall.corpus import make_corpus
    from rollcall.graph import make_graph
    from rollcall.world import write_world

    def make(folder: Path) -> None:
        write_world(folder / "world", entities=500, seed=1, jobs=1)
        make_graph([folder / "world" / "wikidata.json.gz"], folder / "graph", jobs=1)
        make_corpus([folder / "world" / "pages.xml.bz2"], folder / "corpus", graph=folder / "graph", jobs=1)

    return made_once(tmp_path_factory, "small_world", make)


@pytest.fixture(scope="session")
def small_set(small_world: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A question set built from the small world by one process, undisturbed."""
    from small_build import run

    def make(folder: Path) -> None:
        run(small_world, folder / "set", kills=0)

    return made_once(tmp_path_factory, "small_set", make) / "set"


@pytest.fixture(scope="session")
def asked_world(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A world with its graph, its corpus and hand-worded questions, for whoever runs systems on it."""
    import systems_world

    return systems_world.opened(made_once(tmp_path_factory, "asked_world", systems_world.make))


@pytest.fixture(scope="session", autouse=True)
def _contrast_is_the_default() -> Iterator[None]:
    """Builds are verified by `contrast` in tests, whether or not the models are installed."""
    from rollcall.build import keys

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "find_spec", lambda _name: None)
        yield


@pytest.fixture(scope="session")
def packaged_model() -> Path:
    """The folder of the packaged model of the learned verifier."""
    package = pytest.importorskip("rollcall_models", reason="the package rollcall-models is not installed")
    for name in ("onnxruntime", "tokenizers"):
        pytest.importorskip(name)
    return Path(package.statement_model())
