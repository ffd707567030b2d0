"""Graph-shaped queries with given characteristics, as in GraphQuestions.

Input: a graph, and a corpus if there is one. Output: the tables `queries`, `answers`, `proofs` and `facts`.

- `Template`: the kind. `quotas`: the options, and the choice that comes closest to the quotas.
- `mine_templates`: runs attempts in rounds until the quotas are met. `write_templates`: writes the tables.
- `attempt`: one attempt, which adds a function and minimises the query. `sketch`: grows a template, and
  decides which of its nodes are named.
- `paraphrase`: the other names that the corpus uses for an entity in a question.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

import msgspec

from rollcall._core.console import Progress
from rollcall._core.errors import RollcallError
from rollcall.graph import Graph
from rollcall.mine.attempts import Rounds, chance_of
from rollcall.mine.commonness import name_bins, number_bins
from rollcall.mine.kinds import KINDS, Mined, MiningContext, QuestionKind
from rollcall.mine.proving import query_row, write_answers
from rollcall.mine.relations import Ontology, askable_relations
from rollcall.mine.templates.attempt import Goal, Grown, Missed, Preparation, attempt
from rollcall.mine.templates.quotas import Bins, Quotas, Shortfall, TemplateOptions, check_classes
from rollcall.query import Query
from rollcall.query.query import FUNCTIONS
from rollcall.tables.build import TemplateQueries
from rollcall.tables.engine import Engine
from rollcall.tables.files import write_records
from rollcall.wording import Lexicon


@KINDS.register("template")
class Template(QuestionKind):
    """Graph-shaped queries with asked-for characteristics and functions, as in the GraphQuestions paper."""

    name = "template"
    section = "templates"
    Options = TemplateOptions
    Rows = TemplateQueries
    variants = True
    proved = False
    reads = ("graph", "corpus")

    @classmethod
    def check(cls, options: TemplateOptions, graph: "Graph") -> None:
        """Refuse quotas for classes that the graph does not have."""
        check_classes(options.quotas, graph)

    @classmethod
    def mine(cls, options: TemplateOptions, context: MiningContext) -> Mined:
        """Grow templates until the quotas are met; quotas that could not be met become notes."""
        with Progress("templates", options.attempts, show=context.show_progress) as progress:
            mined = mine_templates(
                context.graph,
                context.corpus,
                options,
                context.engine,
                context.folder,
                seed=context.seed,
                lexicon=context.lexicon,
                progress=progress,
            )
        with Graph.open(context.graph) as graph:
            query_count = write_templates(graph, mined.chosen, context.folder)
        counts = {
            "attempts": mined.attempts,
            "grounded queries": mined.grounded,
            "different ones": mined.found,
        }
        return Mined(query_count, notes=[str(unfilled) for unfilled in mined.unfilled], counts=counts)


# Explains why a quota was not met: what was found for its bin, and why it was not used. Input: quotas,
# the pool of candidates and the choice. Output: `Unfilled` records. A candidate that was not chosen is
# in a bin of another characteristic that is full or that has no quota. A query that repeats a query or a
# template does not become a candidate.

Cell = tuple[str, str]
"""A characteristic and one of its bins."""

_SHOWN = 3


class Unfilled(msgspec.Struct, frozen=True):
    """A bin that is not full: its number of candidates, and the reasons why the others were not chosen.

    `full` counts the candidates that were not chosen by the other bins that were full, `unasked` by the
    characteristics of which no bin contains them. `repeated` counts queries of the bin that did not become
    candidates. `missed` counts the attempts at the bin that gave no query, for bins that attempts can aim at.
    """

    dimension: str
    bin: str
    wanted: int
    chosen: int
    available: int
    full: dict[str, int]
    unasked: dict[str, int]
    repeated: dict[str, int]
    missed: dict[str, int]

    def __str__(self) -> str:
        candidates = "candidate" if self.available == 1 else "candidates"
        phrases = [f"{self.available:,} {candidates} fell into it"]
        if left_over := self.available - self.chosen:
            phrases.append(f"{left_over:,} left over")
            if self.full:
                phrases.append(f"full were {_in_words(self.full)}")
            if self.unasked:
                phrases.append(f"in no bin of {_in_words(self.unasked)}")
        if self.available < self.wanted:
            phrases += [f"besides {count:,} {fate}" for fate, count in _most(self.repeated)]
            if self.missed:
                fates = ", ".join(f"{count:,} {fate}" for fate, count in _most(self.missed))
                phrases.append(f"attempts at it that failed: {fates}")
        return f"{self.dimension} {self.bin}: {self.chosen} of {self.wanted}: {'; '.join(phrases)}"


def _in_words(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} ({count:,})" for name, count in _most(counts))


def _most(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return Counter(counts).most_common(_SHOWN)


def unfilled_bins(
    quotas: Quotas,
    pool: Sequence[Bins],
    chosen: Sequence[int],
    repeated: Mapping[Cell, Mapping[str, int]],
    missed: Mapping[Cell, Mapping[str, int]],
) -> list[Unfilled]:
    """The bins that the choice does not fill; causes come before their consequences."""
    have = [pool[number] for number in chosen]
    short = quotas.shortfalls(have, pool)
    lacking = {(shortfall.dimension, shortfall.bin) for shortfall in short}
    chosen_numbers = set(chosen)
    remaining = [bins for number, bins in enumerate(pool) if number not in chosen_numbers]
    unfilled = [_unfilled(quotas, shortfall, remaining, lacking, repeated, missed) for shortfall in short]
    return sorted(unfilled, key=lambda unfilled_bin: unfilled_bin.available >= unfilled_bin.wanted)


def _unfilled(
    quotas: Quotas,
    short: Shortfall,
    remaining: Sequence[Bins],
    lacking: set[Cell],
    repeated: Mapping[Cell, Mapping[str, int]],
    missed: Mapping[Cell, Mapping[str, int]],
) -> Unfilled:
    full: Counter[str] = Counter()
    unasked: Counter[str] = Counter()
    cell = (short.dimension, short.bin)
    for bins in remaining:
        cells = list(zip(quotas.dimensions, bins, strict=True))
        if cell not in cells:
            continue
        for dimension, bin_ in cells:
            if bin_ not in quotas.wanted[dimension]:
                unasked[dimension] += 1
            elif (dimension, bin_) not in lacking:
                full[f"{dimension} {bin_}"] += 1
    return Unfilled(
        *short, dict(full), dict(unasked), dict(repeated.get(cell, {})), dict(missed.get(cell, {}))
    )


Attempted = Grown | Missed
Binning = Callable[[Grown], "str | None"]

_PATIENCE = 12
"""Mining ends after this number of rounds without a better choice."""


class MinedTemplates(msgspec.Struct, frozen=True):
    """The chosen queries, statistics of the search, and the bins that are not full."""

    chosen: list[Grown]
    attempts: int
    found: int
    grounded: int
    seconds: float
    unfilled: list[Unfilled]

    @property
    def rate(self) -> float:
        """Grounded queries per second, before the choice."""
        return self.grounded / self.seconds if self.seconds else 0.0


def mine_templates(
    graph: Path,
    corpus: Path | None,
    options: TemplateOptions,
    engine: Engine,
    scratch: Path,
    *,
    seed: int = 1,
    lexicon: Lexicon | None = None,
    progress: Progress | None = None,
) -> MinedTemplates:
    """Grow, ground, minimise and choose queries of a graph; `scratch` is a folder for temporary files."""
    with Graph.open(graph) as opened:
        check_classes(options.quotas, opened)
        relations = askable_relations(opened, options.excluded, lexicon)
    ontology = Ontology.of(graph, engine, scratch)
    search = _TemplateSearch(graph, ontology, options, seed)
    started = perf_counter()
    rounds = Rounds(engine, Preparation(graph, corpus, ontology, relations, options, seed), attempt)
    while not search.is_over:
        goals = search.goals()
        search.take(goals, rounds.run(goals))
        if progress is not None:
            progress.advance(len(goals), f"{len(search.chosen):,} of {options.queries:,} queries")
    mined = search.result(perf_counter() - started)
    if not mined.chosen:
        reasons = ", ".join(f"{count} {reason}" for reason, count in search.reasons.most_common(4))
        raise RollcallError(f"{graph}: no template query in {mined.attempts} attempts: {reasons}")
    return mined


class _TemplateSearch:
    """The queries found so far, and the goals to try next."""

    def __init__(self, graph: Path, ontology: Ontology, options: TemplateOptions, seed: int) -> None:
        self.options = options
        self.seed = seed
        self.quotas = Quotas(options.queries, options.quotas)
        opened = Graph.open(graph)
        self._binnings = binnings(options.quotas, opened)
        self._classes = _class_bins(options.quotas.get("class", {}), opened, ontology)
        self.pool: list[Grown] = []
        self.pool_bins: list[Bins] = []
        self.chosen: list[int] = []
        self.attempts = self.found = 0
        self.reasons: Counter[str] = Counter()
        self._repeated: defaultdict[Cell, Counter[str]] = defaultdict(Counter)
        self._missed: defaultdict[Cell, Counter[str]] = defaultdict(Counter)
        self._queries: set[str] = set()
        self._templates: Counter[str] = Counter()
        self._idle = 0

    @property
    def is_over(self) -> bool:
        full = len(self.chosen) >= self.options.queries
        return full or self.attempts >= self.options.attempts or self._idle >= _PATIENCE

    # -- goals ---------------------------------------------------------------------------------------

    def goals(self) -> list[Goal]:
        """The goals of the next round: imitations of scarce queries, bins that lack queries, and the rest by
        quotas.
        """
        lacking, scarce = self._lacking(), self._scarce()
        size = min(self.options.round_size, self.options.attempts - self.attempts)
        numbers = range(self.attempts, self.attempts + size)
        return [self._goal(number, lacking, scarce) for number in numbers]

    def _goal(self, number: int, lacking: Mapping[str, Mapping[str, int]], scarce: list[Grown]) -> Goal:
        chance = chance_of(self.seed, number, "goal")
        if scarce and chance.random() < _IMITATED:
            model = chance.choice(scarce)
            return Goal(number, model.edges, model.category, model.class_id or None)
        counts = lacking if chance.random() < _AIMED else self.quotas.wanted
        edges, function = (_drawn(chance, counts.get(name, {})) for name in ("edges", "function"))
        classes = self._classes.get(_drawn(chance, counts.get("class", {})) or "")
        functions = [name for name, members in FUNCTIONS.items() if function == name or function in members]
        return Goal(
            number,
            self._edges(chance, edges),
            functions[0] if functions else chance.choice(list(FUNCTIONS)),
            chance.choice(classes) if classes else None,
        )

    def _scarce(self) -> list[Grown]:
        """Queries in bins with too few candidates; attempts that imitate them can fill these bins."""
        have = [self.pool_bins[number] for number in self.chosen]
        short = self.quotas.shortfalls(have, self.pool_bins)
        bins = {
            (shortfall.dimension, shortfall.bin)
            for shortfall in short
            if shortfall.available < _PLENTY * shortfall.wanted
        }
        return [
            grown
            for grown, own_bins in zip(self.pool, self.pool_bins, strict=True)
            if not bins.isdisjoint(zip(self.quotas.dimensions, own_bins, strict=True))
        ]

    def _edges(self, chance: Random, bin_: str | None) -> int:
        """A number of edges in the bin, or one more, because minimising removes some."""
        sizes = range(1, self.options.max_edges + 1)
        fits = number_bins([bin_], "edges") if bin_ else lambda _: ""
        fitting = [edges for edges in sizes if fits(edges) is not None] or list(sizes)
        return min(chance.choice(fitting) + (chance.random() < _ONE_MORE), self.options.max_edges)

    def _lacking(self) -> dict[str, dict[str, int]]:
        have = [self.pool_bins[number] for number in self.chosen]
        lacking: dict[str, dict[str, int]] = {dimension: {} for dimension in self.quotas.dimensions}
        for short in self.quotas.shortfalls(have, self.pool_bins):
            lacking[short.dimension][short.bin] = short.wanted - short.chosen
        # If a dimension lacks nothing, the other dimensions are drawn by their quotas.
        return {
            dimension: lacking[dimension] or self.quotas.wanted[dimension]
            for dimension in self.quotas.dimensions
        }

    # -- results -------------------------------------------------------------------------------------

    def take(self, goals: list[Goal], outcomes: list[Attempted]) -> None:
        """Record the results of a round, and choose again."""
        for goal, outcome in zip(goals, outcomes, strict=True):
            self.attempts += 1
            rejection = self._rejection(outcome)
            if rejection:
                self.reasons[rejection] += 1
            if isinstance(outcome, Missed):
                self._missed["edges", str(goal.edges)][outcome.reason] += 1
                self._missed["function", goal.function][outcome.reason] += 1
        count_before = len(self.chosen)
        self.chosen = self.quotas.choose(self.pool_bins)
        self._idle = 0 if len(self.chosen) > count_before else self._idle + 1

    def _rejection(self, outcome: Attempted) -> str | None:
        """Why an outcome cannot be used; None if it joins the pool."""
        if isinstance(outcome, Missed):
            return outcome.reason
        self.found += 1
        bins = tuple(binning(outcome) or "" for binning in self._binnings)
        if outcome.query in self._queries:
            return self._repeats(bins, "found before")
        if self._templates[outcome.template] >= self.options.per_template:
            return self._repeats(bins, "of a template used before")
        self._queries.add(outcome.query)
        self._templates[outcome.template] += 1
        self.pool.append(outcome)
        self.pool_bins.append(bins)
        return None

    def _repeats(self, bins: Bins, rejection: str) -> str:
        for cell in zip(self.quotas.dimensions, bins, strict=True):
            self._repeated[cell][rejection] += 1
        return rejection

    def result(self, seconds: float) -> MinedTemplates:
        chosen = [self.pool[number] for number in self.chosen]
        unfilled = unfilled_bins(self.quotas, self.pool_bins, self.chosen, self._repeated, self._missed)
        return MinedTemplates(chosen, self.attempts, len(self.pool), self.found, seconds, unfilled)


_ONE_MORE = 0.3
_IMITATED, _AIMED = 0.5, 0.5
"""The share of attempts that imitate scarce queries, and the share of the others that aim at lacking bins."""
_PLENTY = 2
"""A bin has enough candidates if it has this many times the wanted number."""


def _drawn(chance: Random, weights: Mapping[str, int]) -> str | None:
    return chance.choices(list(weights), list(weights.values()))[0] if any(weights.values()) else None


def binnings(quotas: Mapping[str, Mapping[str, float]], graph: Graph) -> list[Binning]:
    """For each quota, the function that puts a query into one of its bins."""
    return [_binning(dimension, list(bins), graph) for dimension, bins in quotas.items()]


def _binning(dimension: str, bins: list[str], graph: Graph) -> Binning:
    if dimension == "function":
        bin_of = name_bins(bins)
        return lambda grown: bin_of([grown.function, grown.category])
    if dimension == "class":
        bin_of = name_bins(bins)
        return lambda grown: bin_of([grown.class_id, graph.class_label(grown.class_id)])
    number = number_bins(bins, dimension)
    return lambda grown: number(getattr(grown, dimension))


def _class_bins(bins: Mapping[str, float], graph: Graph, ontology: Ontology) -> dict[str, list[str]]:
    """The ids of the classes that each bin of the class quota names."""
    names = {class_id: {class_id, graph.class_label(class_id)} for class_id in sorted(ontology.classes)}
    return {
        bin_: [class_id for class_id, names_of_class in names.items() if bin_ in names_of_class]
        for bin_ in bins
    }


# Writes mined templates as tables: `queries` with their characteristics, `answers`, `proofs` and
# `facts`.

KIND = "template"


def write_templates(graph: Graph, grown: Iterable[Grown], out: Path) -> int:
    """Write `queries`, `answers`, `proofs` and `facts`; returns the number of queries."""
    members = {Query.parse(member.query): member for member in grown}
    write_answers(graph.index, members, out)
    rows = (_query_row(query, member) for query, member in members.items())
    return write_records(TemplateQueries, out / "queries.parquet", rows)


def _query_row(query: Query, member: Grown) -> dict[str, Any]:
    return query_row(query, KIND, member.answers, member.class_id) | {
        "template": member.template,
        "edges": member.edges,
        "nodes": member.nodes,
        "function": member.function,
        "category": member.category,
        "commonness": member.commonness,
        "redundant": member.redundant,
    }
