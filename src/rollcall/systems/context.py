"""Everything that a system may need when it is opened; each item is opened when it is first used.

The context closes what it opened. Objects that were given to it stay open.
"""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from rollcall._core.errors import RollcallError
from rollcall._core.registry import Need, check_needs
from rollcall.questions.record import Question
from rollcall.systems.interfaces import Reader, Retriever
from rollcall.tables.engine import Engine

if TYPE_CHECKING:
    from rollcall.corpus import Corpus
    from rollcall.graph import Graph
    from rollcall.llm import Client
    from rollcall.systems.retrieve.store import IndexFolder, PassageStore

T = TypeVar("T")

NEEDS = {
    "corpus": Need("a corpus", "--corpus", "corpus="),
    "graph": Need("a graph", "--graph", "graph="),
    "names": Need("a graph or a corpus", "--graph or --corpus", "graph= or corpus="),
    "passages": Need("passages", "--retriever", "retriever="),
    "model": Need("a language model", "--base-url and --model", "client= and model="),
}
"""Everything that systems may need."""


class Context:
    """What systems are opened with; if something was not given, an error says how to give it."""

    def __init__(
        self,
        questions: Sequence[Question] = (),
        *,
        corpus: "Corpus | Path | str | None" = None,
        graph: "Graph | Path | str | None" = None,
        retriever: Callable[["Context"], Retriever] | Retriever | None = None,
        client: "Client | str | None" = None,
        model: str | None = None,
        cache: Path | None = None,
        index: Path | str | None = None,
        k: int = 100,
        progress: bool | None = None,
        engine: Engine | str = "duckdb",
        jobs: int | None = None,
        master: str | None = None,
    ) -> None:
        """`questions` are all questions of a set, for systems that learn from its training split.

        `retriever` is a retriever, or a function that opens one. `client` is a client, or the address of a
        server, whose replies are then stored in `cache`. `index` is the folder of the indexes of the corpus,
        which `engine` makes in `jobs` processes, or on the cluster at `master`. `k` is the number of passages
        for a question.
        """
        self.questions = questions
        self.reader: Reader | None = None
        """The reader of a run, for checks of its answers."""
        self.k = k
        self.progress = progress
        self._available = {
            "corpus": corpus is not None,
            "graph": graph is not None,
            "names": graph is not None or corpus is not None,
            "passages": retriever is not None,
            "model": client is not None and model is not None,
        }
        self._corpus = Path(corpus) if isinstance(corpus, str) else corpus
        self._graph = Path(graph) if isinstance(graph, str) else graph
        self._client, self._model = client, model
        self._retriever, self._cache, self._index = retriever, cache, index
        self._engine, self._jobs, self._master = engine, jobs, master
        self._opened = ExitStack()

    def has(self, need: str) -> bool:
        """Whether an item that systems may need was given."""
        if need not in self._available:
            raise RollcallError(f"a system cannot need {need!r}; choose one of {', '.join(self._available)}")
        return self._available[need]

    @cached_property
    def corpus(self) -> "Corpus":
        from rollcall.corpus import Corpus

        if isinstance(self._corpus, Corpus):
            return self._corpus
        return self._opened.enter_context(Corpus.open(self._required("corpus", self._corpus)))

    @cached_property
    def graph(self) -> "Graph":
        from rollcall.graph import Graph

        if isinstance(self._graph, Graph):
            return self._graph
        return self._opened.enter_context(Graph.open(self._required("graph", self._graph)))

    @cached_property
    def indexes(self) -> "IndexFolder":
        """The indexes of the corpus."""
        from rollcall.systems.retrieve.store import IndexFolder

        return IndexFolder(
            self.corpus,
            Path(self._index) if self._index is not None else None,
            engine=self._engine,
            jobs=self._jobs,
            master=self._master,
        )

    @cached_property
    def store(self) -> "PassageStore":
        """All passages of the corpus."""
        from rollcall.systems.retrieve.store import PassageStore

        return PassageStore.of(self.indexes, self.progress)

    @cached_property
    def retriever(self) -> Retriever:
        if isinstance(self._retriever, Retriever):
            return self._retriever
        return self._required("passages", self._retriever)(self)

    @cached_property
    def client(self) -> "Client":
        """The client of the language model's server."""
        from rollcall.llm import Client, ReplyCache

        if isinstance(self._client, Client):
            return self._client
        address = self._required("model", self._client)
        opened = Client(address, cache=ReplyCache(self._cache) if self._cache is not None else None)
        self._opened.callback(opened.close)
        return opened

    @property
    def model(self) -> str:
        """The name of the language model."""
        return self._required("model", self._model)

    def spent(self) -> str:
        """The cost of the language model so far; empty if none was asked."""
        return str(self.client.spending) if "client" in vars(self) else ""

    def close(self) -> None:
        self._opened.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _required(self, need: str, value: T | None) -> T:
        if value is None:
            check_needs("this", [need], self.has, NEEDS)
            raise AssertionError(f"{need} was given, and it is None")
        return value
