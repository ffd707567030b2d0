"""The kinds of questions that a build can ask: one class in one module for each, or one of a user's own.

A kind declares the keys of its section of a recipe (`Options`), how its queries are mined (`mine`, or
`queries` if it can simply list them), how its questions are split and how many of them the test side gets.
Everything else is the same for all kinds: proving, wording, splitting, releasing.

- `QuestionKind`: the base class. `KINDS`: the registry.
- `MiningContext`: what a kind is given to mine. `Mined`: what it reports.
- `write_queries`: writes given queries with their answers, proofs and facts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, NamedTuple

import msgspec

from rollcall._core.errors import Filter
from rollcall._core.registry import Configurable, Registry, lacks_method
from rollcall.tables.build import Queries
from rollcall.tables.engine import Engine
from rollcall.tables.table import DeclaredTable

if TYPE_CHECKING:
    from rollcall.graph import Graph
    from rollcall.query import Query
    from rollcall.wording import Lexicon


__all__ = ["KINDS", "Mined", "MiningContext", "Proved", "QuestionKind", "write_queries"]

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Direction = Literal["subject", "object"]
LIMITS = {"min_answers": "answers.least", "max_answers": "answers.most"}
"""The keys of the recipe for the limits of all kinds."""


@dataclass(frozen=True)
class Proved:
    """The simple queries that a kind starts from, with enough of their answers proved by text."""

    queries: Path
    answers: Path
    """Their proved answers."""
    groups: Sequence[Path]
    """The parts of all simple queries: relation, direction, entity and class."""
    proofs: Sequence[Path]
    """The facts that the answers of all simple queries need."""
    facts: Path
    """Each of these facts once."""


@dataclass(frozen=True)
class MiningContext:
    """What a kind is given to mine: where to read and write, and what the rest of the recipe says."""

    graph: Path
    folder: Path
    """The folder to write `queries`, `answers`, `proofs` and `facts` to."""
    engine: Engine
    corpus: Path | None = None
    seed: int = 1
    lexicon: "Lexicon | None" = None
    show_progress: bool | None = None
    least: int = 1
    """The fewest answers of a query in the graph, if the recipe has limits for all kinds."""
    most: int = 1 << 31
    """The most answers of a query in the graph."""
    relations: Sequence[str] | str = "all"
    """The relations that may be asked about, for kinds that say so in `relations`."""
    excluded: Sequence[str] = ()
    lexicon_knows_graph: bool = False
    """Whether the packaged lexicon knows the relations of most facts, so that the graph is Wikidata's."""
    types: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The classes that split a relation."""
    proved: Proved | None = None
    """For kinds that start from simple queries."""

    @property
    def given_corpus(self) -> Path:
        """The corpus, for kinds that cannot do without."""
        assert self.corpus is not None, "this build has no corpus"
        return self.corpus

    @property
    def given_proved(self) -> Proved:
        """The simple queries, for kinds that start from them."""
        assert self.proved is not None, "this kind does not start from simple queries"
        return self.proved


class Mined(NamedTuple):
    """What a kind reports: how many queries it wrote, and how many were removed by which filter."""

    queries: int
    removed: Mapping[Filter, int] = {}
    change: Mapping[str, str] = {}
    """For options of filters: the key of the recipe that sets them."""
    notes: Sequence[str] = ()
    counts: Mapping[str, int] = {}


class QuestionKind(Configurable):
    """A kind of question; one of your own has a `name`, and `queries` or `mine`."""

    name: ClassVar[str]
    """The kind as questions state it, such as `composition`."""
    section: ClassVar[str] = ""
    """The section of the recipe with its options, and the stage that mines it; by default its name."""
    quota: ClassVar[int | None] = None
    """How many of its questions are in development and test together by default; None for all."""
    in_test: ClassVar[Literal["any", "all", "always"]] = "any"
    """A question is a test question if any of its split keys is on the test side, if all are, or always."""
    of_lists: ClassVar[bool] = False
    """Whether questions are about lists in the corpus: the graph alone cannot answer them, and the lists
    are their split keys instead of relations."""
    variants: ClassVar[bool] = False
    """Whether every wording of a query becomes a question of its own."""
    proved: ClassVar[bool] = True
    """Whether text can prove its answers one by one, as recipes of the pipeline `qampari` ask for."""
    reads: ClassVar[tuple[str, ...]] = ("graph",)
    """The folders that `mine` reads: `graph`, `corpus`."""
    sections: ClassVar[tuple[str, ...]] = ("wording",)
    """The other parts of the recipe that `mine` uses."""
    relations: ClassVar[str] = ""
    """The key under `relations` that chooses its relations, if there is one."""
    Rows: ClassVar[type[DeclaredTable]] = Queries
    """The table of its queries; with the columns `cluster`, `operation` or `commonness`, if it has them."""

    @classmethod
    def place(cls) -> str:
        """The section of the recipe with its options, and the stage that mines it."""
        return cls.section or cls.name

    @classmethod
    def check(cls, options: Any, graph: "Graph") -> None:
        """Refuse options that name something that the graph does not have."""

    @classmethod
    def split_keys(cls, query: "Query") -> tuple[str, ...]:
        """What decides on which side of the split a question is: its relations, or its list."""
        return query.relations

    @classmethod
    def queries(cls, options: Any, context: MiningContext) -> "Iterable[Query]":
        """The queries, for a kind that leaves the writing to `mine`."""
        raise NotImplementedError

    @classmethod
    def mine(cls, options: Any, context: MiningContext) -> Mined:
        """Write `queries`, `answers`, `proofs` and `facts` into the folder of the context."""
        return Mined(write_queries(cls, cls.queries(options, context), context))


def write_queries(kind: type[QuestionKind], queries: "Iterable[Query]", context: MiningContext) -> int:
    """Write queries, each once, with their answers in the graph, proofs and facts; returns the number."""
    from rollcall.graph import Graph
    from rollcall.graph.evaluate import answer_terms
    from rollcall.mine.proving import query_row, write_answers
    from rollcall.tables.files import write_records

    with Graph.open(context.graph) as graph:
        counts = {query: len(answer_terms(graph.index, query)) for query in dict.fromkeys(queries)}
        within_limits = {
            query: count for query, count in counts.items() if context.least <= count <= context.most
        }
        write_answers(graph.index, within_limits, context.folder)
    rows = [query_row(query, kind.name, count, None) for query, count in within_limits.items()]
    return write_records(Queries, context.folder / "queries.parquet", rows)


def _lacks(candidate: object) -> str | None:
    if not (isinstance(candidate, type) and issubclass(candidate, QuestionKind)):
        return "it is not a subclass of rollcall.mine.kinds.QuestionKind"
    if not getattr(candidate, "name", ""):
        return "it has no name"
    if lacks_method(candidate, QuestionKind, "mine", "mine(options, context)") is None:
        return None
    return lacks_method(candidate, QuestionKind, "queries", "queries(options, context)")


KINDS: Registry[type[QuestionKind]] = Registry(
    "question kind", "question_kinds", __name__.rpartition(".")[0], _lacks
)


def kinds_of(names: Iterable[str]) -> list[type[QuestionKind]]:
    """The kinds with these names, each once."""
    return list(dict.fromkeys(KINDS.find(name) for name in names))


def packaged_kinds() -> list[type[QuestionKind]]:
    """The kinds that come with Rollcall."""
    return [entry.thing for entry in KINDS if entry.origin.startswith("rollcall.")]


def keys_of(kinds: Iterable[type[QuestionKind]]) -> dict[str, type[msgspec.Struct]]:
    """The sections of a recipe for some kinds, with their options."""
    return {kind.place(): kind.Options for kind in kinds}
