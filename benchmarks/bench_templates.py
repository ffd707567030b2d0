"""Templates on a graph: attempts, queries and their rate, and the same growing and grounding through
SPARQL.

python benchmarks/bench_templates.py [--entities 20000 | --graph DIR [--corpus DIR]] [--jobs 2] [--check 60]

First the quotas of GraphQuestions' Table 1 are filled, and what came out is held against them. Some of the
queries are then answered again by others: those with one variable by brute force, which tries every term of
the graph, and all by pyoxigraph, which also answers every query that has one edge less, so that nothing
redundant goes unseen. Last, minimal queries without functions are grown for some seconds on each side, one
process each: by Rollcall, and by a program that walks, grounds, answers and minimises through SPARQL on
pyoxigraph. Printed is the ratio of rates.
"""

import random
import tempfile
import time
from argparse import Namespace
from collections import Counter
from pathlib import Path

import pyoxigraph as ox

from _harness import Arguments, Figures, made_world, measured, run_benchmark
from rollcall._core.errors import RollcallError
from rollcall.graph import Graph
from rollcall.graph.graph import values_in
from rollcall.graph.make import write_ntriples
from rollcall.mine.relations import Ontology, askable_relations
from rollcall.mine.templates import mine_templates
from rollcall.mine.templates.attempt import Goal, Grown, Preparation, attempt
from rollcall.mine.templates.quotas import PUBLISHED_QUOTAS, TemplateOptions
from rollcall.query import QUESTION, Edge, Entity, Query, Typing, Variable
from rollcall.query.query import minimise, reductions
from rollcall.query.rdf_terms import id_of, value_of
from rollcall.tables.engines.duckdb import DuckDB

SCHEMA = "http://www.w3.org/"
RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--entities", type=int, default=20_000, smoke=500)
    parser.add_argument("--graph", type=Path, metavar="DIR", help="instead of that of a new world")
    parser.add_argument("--corpus", type=Path, metavar="DIR", help="that of --graph")
    parser.add_argument("--queries", type=int, default=500, smoke=10, help="in the published shares")
    parser.add_argument("--jobs", type=int, default=2, smoke=1)
    parser.add_argument("--check", type=int, default=60, smoke=3)
    parser.add_argument("--seconds", type=float, default=15, smoke=0.5)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def main(options: Namespace, figures: Figures) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = options.graph or made_world(Path(folder), options.entities, corpus=False) / "graph"
        graph = Graph.open(path)
        counts = graph.manifest["counts"]
        print(
            f"graph: {counts['entities']:,} entities, {counts['facts']:,} facts, {counts['values']:,} values"
        )
        queries = filled_quotas(path, options, figures)
        store = Store(graph, Path(folder) / "graph.nt")
        checked(graph, store, random.Random(1).sample(queries, min(options.check, len(queries))))
        compared(path, store, options, figures)


def filled_quotas(path: Path, options: Namespace, figures: Figures) -> list[Query]:
    scratch = path.parent / "scratch"
    engine = DuckDB(jobs=options.jobs)
    cost, mined = measured(
        lambda: mine_templates(
            path,
            options.corpus,
            TemplateOptions(queries=options.queries),
            engine,
            scratch,
            seed=options.seed,
        )
    )
    figures["queries a second"] = mined.rate
    print(f"{mined.attempts:,} attempts gave {mined.grounded:,} minimal grounded queries, of which")
    print(
        f"{mined.found:,} different, in {mined.seconds:.1f} s with {options.jobs} jobs, their start included:"
    )
    print(f"{mined.rate:.0f} a second; {len(mined.chosen)} chosen, {cost.seconds:.1f} s in all")
    for name, place in (
        ("edges", lambda g: str(g.edges)),
        ("function", lambda g: g.category),
        ("answers", lambda g: "1" if g.answers == 1 else ">1"),
    ):
        print(f"  {name}: wanted {PUBLISHED_QUOTAS[name]}, got {dict(Counter(map(place, mined.chosen)))}")
    for short in mined.unfilled:
        print("  not filled:", short)
    return [Query.parse(grown.query) for grown in mined.chosen]


class Store:
    """A graph in pyoxigraph, with types closed so that it need not walk the class hierarchy."""

    def __init__(self, graph: Graph, path: Path) -> None:
        self.graph = graph
        write_ntriples(graph, path)
        started = time.perf_counter()
        self.store = ox.Store()
        self.store.bulk_load(path=str(path), format=ox.RdfFormat.N_TRIPLES)
        self.store.optimize()
        print(f"pyoxigraph: {len(self.store):,} triples in {time.perf_counter() - started:.0f} s")

    def answers(self, query: Query) -> frozenset:
        text = query.to_sparql(type_path="rdf:type", occurring=values_in(query, self.graph))
        return frozenset(_term(row[0]) for row in self.store.query(text))


def _term(term):
    if isinstance(term, ox.NamedNode):
        return id_of(term.value)
    return value_of(term.value, term.datatype.value, term.language)


def checked(graph: Graph, store: Store, queries: list[Query]) -> None:
    """Compare answers with those of others, and those of every smaller query."""
    lookup, brute = BruteForce(graph), 0
    for query in queries:
        answers = graph.answers(query)
        if store.answers(query) != answers:
            raise SystemExit(f"pyoxigraph has other answers: {query.text}")
        if any(store.answers(less) == answers for less in reductions(query)):
            raise SystemExit(f"an edge is redundant: {query.text}")
        if lookup.can(query):
            brute += 1
            if lookup.answers(query) != {getattr(answer, "text", answer) for answer in answers}:
                raise SystemExit(f"brute force has other answers: {query.text}")
    print(f"{len(queries)} queries: same answers and nothing redundant by pyoxigraph;", end=" ")
    print(f"{brute} of them by brute force, too")


class BruteForce:
    """Queries of one variable without a function, answered by trying every entity and value of the graph."""

    def __init__(self, graph: Graph) -> None:
        tables = graph.tables
        self.facts = {tuple(row.values()) for row in tables.facts.to_pyarrow().to_pylist()}
        values = tables.values.select("subject", "relation", "value").to_pyarrow().to_pylist()
        self.facts |= {tuple(row.values()) for row in values}
        self.types = {(row["entity"], row["class"]) for row in tables.types.to_pyarrow().to_pylist()}
        self.terms = [*graph.index.entity_ids, *graph.index.literals]

    @staticmethod
    def can(query: Query) -> bool:
        nodes = {node for pattern in query.patterns for s in pattern.statements for node in s.nodes}
        return query.function is None and all(node == QUESTION or isinstance(node, Entity) for node in nodes)

    def answers(self, query: Query) -> set[str]:
        """The ids and canonical texts of the answers."""
        (pattern,) = query.patterns
        constants = {entity.id for entity in pattern.entities}
        return {
            term
            for term in self.terms
            if term not in constants and all(self._holds(s, term) for s in pattern.statements)
        }

    def _holds(self, statement, term: str) -> bool:
        if isinstance(statement, Typing):
            return (term, statement.class_id) in self.types
        ends = [term if node == QUESTION else node.id for node in (statement.subject, statement.object)]
        return (ends[0], statement.relation, ends[1]) in self.facts


def compared(path: Path, store: Store, options: Namespace, figures: Figures) -> None:
    """Minimal queries of one to three edges, without functions, on each side for so many seconds."""
    chosen = TemplateOptions()
    ontology = Ontology.of(path, DuckDB(), path.parent / "scratch")
    relations = askable_relations(store.graph, chosen.excluded)
    prepared = Preparation(path, None, ontology, relations, chosen, options.seed)()
    ours = _rate(options.seconds, lambda n: isinstance(attempt(prepared, Goal(n, 1 + n % 3, "none")), Grown))
    walker = SparqlWalker(store, options.seed)
    theirs = _rate(options.seconds, lambda n: walker.attempt(1 + n % 3))
    print("growing, grounding and minimising without functions, one process each:")
    for name, (attempts, found, seconds) in (("Rollcall", ours), ("SPARQL on pyoxigraph", theirs)):
        rate = found / seconds
        print(
            f"  {name:<21} {attempts:,} attempts, {found:,} queries in {seconds:.1f} s: {rate:.1f} a second"
        )
    figures["times SPARQL"] = ours[1] / ours[2] / max(theirs[1] / theirs[2], 1e-9)
    print(f"  ratio {figures['times SPARQL']:.1f}")


def _rate(seconds: float, attempt_) -> tuple[int, int, float]:
    started, attempts, found = time.perf_counter(), 0, 0
    while time.perf_counter() - started < seconds:
        found += bool(attempt_(attempts))
        attempts += 1
    return attempts, found, time.perf_counter() - started


class SparqlWalker:
    """Grows and grounds queries as Rollcall does, but every look at the graph is a SPARQL query."""

    def __init__(self, store: Store, seed: int) -> None:
        self.ask = store
        self.store = store.store
        self.chance = random.Random(seed)
        rows = self.store.query(f"SELECT ?c (COUNT(*) AS ?n) {{ ?x <{RDF_TYPE}> ?c }} GROUP BY ?c")
        self.classes = {row[0].value: int(row[1].value) for row in rows}

    def attempt(self, edges: int) -> bool:
        """One query from a random member of a random class."""
        class_iri = self.chance.choice(list(self.classes))
        offset = self.chance.randrange(self.classes[class_iri])
        members = self.store.query(f"SELECT ?x {{ ?x <{RDF_TYPE}> <{class_iri}> }} OFFSET {offset} LIMIT 1")
        nodes = [next(iter(members))[0].value]
        facts: list[tuple[int, str, int]] = []
        for _ in range(4 * edges):
            if len(facts) == edges:
                break
            self._grow(nodes, facts)
        return len(facts) == edges and self._ground(class_iri, nodes, facts)

    def _grow(self, nodes: list[str], facts: list[tuple[int, str, int]]) -> None:
        place = self.chance.randrange(len(nodes))
        forward = self.chance.random() < 0.5
        ends = f"<{nodes[place]}> ?r ?o" if forward else f"?o ?r <{nodes[place]}>"
        rows = [row for row in self.store.query(f"SELECT ?r ?o {{ {ends} }}") if _is_fact(row)]
        if not rows:
            return
        row = self.chance.choice(rows)
        if row[1].value not in nodes:
            nodes.append(row[1].value)
        other = nodes.index(row[1].value)
        fact = (place, row[0].value, other) if forward else (other, row[0].value, place)
        if other != place and fact not in facts:
            facts.append(fact)

    def _ground(self, class_iri: str, nodes: list[str], facts: list[tuple[int, str, int]]) -> bool:
        degree = Counter(end for fact in facts for end in (fact[0], fact[2]))
        made = [QUESTION]
        for place, node in enumerate(nodes[1:], start=1):
            grounded = self.chance.random() < (0.98 if degree[place] == 1 else 0.08)
            made.append(Entity(id_of(node)) if grounded else Variable(f"n{place}"))
        edges = [Edge(made[start], id_of(relation), made[end]) for start, relation, end in facts]
        try:
            query = Query.of([Typing(QUESTION, id_of(class_iri)), *edges], distinct=True)
        except RollcallError:
            return False
        found = self.ask.answers(query)
        if not 1 <= len(found) <= TemplateOptions().most_answers:
            return False
        return bool(minimise(query, self.ask).entities)


def _is_fact(row) -> bool:
    return isinstance(row[1], ox.NamedNode) and not row[0].value.startswith(SCHEMA)


if __name__ == "__main__":
    run_benchmark(arguments(), main)
