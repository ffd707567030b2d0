"""Small queries on a large graph: the point evaluator against pyoxigraph, same graph, same queries, one run.

    python benchmarks/bench_queries.py [--facts 5000000] [--queries 1000]

The graph is synthetic: as in Wikidata, some relations lead to a few dozen objects (country, occupation) and
some to very many (place of birth, author), with a few objects far ahead. Written as Parquet edges, it is
read with `make_graph`; the same graph goes into an in-memory pyoxigraph store, with types closed so that
neither side walks the class hierarchy. Queries of two and three edges, each with one of the nine functions,
are grown from random facts, so that they have answers, and both sides must agree on every one. The two
sides take turns in five rounds, and a query's time is the median of its five. Printed: the median time of a
query on each side, their ratio, and the median of the ratios.
"""

import random
import statistics
import tempfile
import time
from argparse import Namespace
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pyoxigraph as ox

from _harness import Arguments, Figures, in_turns, measured, run_benchmark
from rollcall.graph import Graph
from rollcall.graph.graph import values_in
from rollcall.graph.make import make_graph, write_ntriples
from rollcall.query import Edge, Entity, Literal, Query, Typing, Variable, parse_value
from rollcall.query.rdf_terms import id_of, value_of
from rollcall.query.statements import QUESTION, TARGET

RELATIONS, VALUE_RELATIONS, CLASSES = 40, 6, 30


def arguments() -> Arguments:
    parser = Arguments(__doc__)
    parser.add_argument("--facts", type=int, default=5_000_000, smoke=5000)
    parser.add_argument("--queries", type=int, default=1000, smoke=10)
    parser.add_argument("--rounds", type=int, default=5, smoke=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def main(options: Namespace, figures: Figures) -> None:
    with tempfile.TemporaryDirectory() as folder:
        graph = synthetic_graph(Path(folder), options.facts, options.seed)
        store = oxigraph_store(graph, Path(folder) / "graph.nt")
        queries = grown_queries(graph, options.queries, options.seed)
        report(graph, store, queries, options.rounds, figures)


def synthetic_sources(folder: Path, facts: int, seed: int) -> list[Path]:
    """Entities e0…, forty relations between them, six to numbers, quantities and dates, as Parquet files."""
    chance = np.random.default_rng(seed)
    entities = max(1000, facts // 6)
    names = np.char.add("e", np.arange(entities).astype(str))
    edges = int(facts * 0.85)
    # Each relation has objects of its own, from a few dozen to a fifth of all entities.
    sizes = np.exp(chance.uniform(np.log(20), np.log(entities / 5), RELATIONS)).astype(int)
    starts = chance.integers(0, entities - sizes)
    number = chance.integers(0, RELATIONS, edges)
    objects = starts[number] + (sizes[number] * chance.random(edges) ** 2).astype(int)
    subjects = names[chance.integers(0, entities, edges)]
    relation = np.char.add("r", number.astype(str))
    _write(folder / "facts.parquet", subjects, relation, "object", names[objects])
    count = facts - edges
    kind = chance.integers(0, VALUE_RELATIONS, count)
    number = chance.integers(1, 5000, count).astype(str)
    year = chance.integers(1800, 2020, count).astype(str)
    month, day = chance.integers(10, 13, count).astype(str), chance.integers(10, 28, count).astype(str)
    day_text = np.char.add(np.char.add(year, "-"), np.char.add(np.char.add(month, "-"), day))
    value = np.where(kind < 2, number, np.where(kind < 4, np.char.add(number, " m"), day_text))
    relation = np.char.add("v", kind.astype(str))
    _write(folder / "values.parquet", names[chance.integers(0, entities, count)], relation, "value", value)
    classes = np.char.add("c", chance.integers(0, CLASSES, entities).astype(str))
    types = pa.table({"entity": names, "class": classes})
    pq.write_table(types, folder / "types.parquet")
    return [folder / f"{table}.parquet" for table in ("facts", "values", "types")]


def synthetic_graph(folder: Path, facts: int, seed: int) -> Graph:
    sources = synthetic_sources(folder, facts, seed)
    started = time.perf_counter()
    graph = make_graph(sources, folder / "graph")
    counts = graph.manifest["counts"]
    print(f"graph: {counts['facts']:,} facts and {counts['values']:,} values", end=" ")
    print(f"of {counts['entities']:,} entities, read in {time.perf_counter() - started:.0f} s")
    return graph


def _write(path: Path, subject, relation, name: str, objects) -> None:
    pq.write_table(pa.table({"subject": subject, "relation": relation, name: objects}), path)


def oxigraph_store(graph: Graph, path: Path) -> ox.Store:
    write_ntriples(graph, path)
    store = ox.Store()
    started = time.perf_counter()
    store.bulk_load(path=str(path), format=ox.RdfFormat.N_TRIPLES)
    store.optimize()
    print(f"pyoxigraph: {len(store):,} triples in {time.perf_counter() - started:.0f} s")
    return store


def grown_queries(graph: Graph, wanted: int, seed: int) -> list[Query]:
    """Queries grown from facts around random entities, each with answers."""
    chance = random.Random(seed)
    found: dict[str, Query] = {}
    while len(found) < wanted:
        query = _grow(graph, chance, chance.choice([2, 3]))
        if query is not None and graph.answers(query):
            found[query.text] = query
    return list(found.values())


def _facts_of(graph: Graph, entity: int) -> list[tuple[str, int]]:
    """The relations and objects of an entity."""
    index, found = graph.index, []
    for relation in range(len(index.relation_ids)):
        subjects, objects = index.forward(relation)
        low, high = np.searchsorted(subjects, [index.dtype.type(entity), index.dtype.type(entity + 1)])
        found += [(index.relation_ids[relation], int(term)) for term in objects[low:high]]
    return found


def _grow(graph: Graph, chance: random.Random, edges: int) -> Query | None:
    index = graph.index
    entity = chance.randrange(index.entity_count)
    facts = _facts_of(graph, entity)
    links = [fact for fact in facts if fact[1] < index.entity_count]
    values = [fact for fact in facts if fact[1] >= index.entity_count]
    function = chance.choice(["count", "argmax", "argmin", "max", "min", "<", "<=", ">", ">="])
    if not links or (function != "count" and not values):
        return None
    statements, asked = [], QUESTION
    if function in ("max", "min"):
        asked = Variable("owner")
        statements.append(Edge(asked, chance.choice(values)[0], QUESTION))
    elif function in ("argmax", "argmin"):
        statements.append(Edge(QUESTION, chance.choice(values)[0], TARGET))
    elif function in ("<", "<=", ">", ">="):
        relation, term = chance.choice(values)
        statements.append(Edge(QUESTION, relation, Literal(parse_value(index.term_text(term)), function)))
    while sum(isinstance(statement, Edge) for statement in statements) < edges:
        relation, term = chance.choice(links)
        onward = [fact for fact in _facts_of(graph, term) if fact[1] < index.entity_count]
        room = edges - len(statements)
        if onward and room >= 2 and chance.random() < 0.5:
            middle = Variable(f"middle{len(statements)}")
            further, end = chance.choice(onward)
            statements += [
                Edge(asked, relation, middle),
                Edge(middle, further, Entity(index.term_text(end))),
            ]
        else:
            statements.append(Edge(asked, relation, Entity(index.term_text(term))))
    if chance.random() < 0.5:
        statements.append(Typing(asked, index.class_ids[int(index.direct_types(entity)[0])]))
    aggregate = function if function in ("count", "max", "min", "argmax", "argmin") else None
    return Query.of(statements, aggregate=aggregate)


def report(graph: Graph, store: ox.Store, queries: list[Query], rounds: int, figures: Figures) -> None:
    """Time all queries on one side, then on the other, as a program that asks many would, in rounds."""
    sparql = [q.to_sparql(type_path="rdf:type", occurring=values_in(q, graph)) for q in queries]
    texts = [query.text for query in queries]
    sides = in_turns(
        {
            "from a Query": partial(_timed, graph.answers, queries),
            "from its text": partial(_timed, lambda text: graph.answers(Query.parse(text)), texts),
            "pyoxigraph": partial(_timed, lambda text: [row[0] for row in store.query(text)], sparql),
        },
        rounds,
    )
    expected, _, rows = ([answers for _, answers in side[-1]] for side in sides.values())
    for query, answers, terms in zip(queries, expected, rows, strict=True):
        if frozenset(map(_term, terms)) != answers:
            raise SystemExit(f"the answers differ: {query.text}")
    medians = {
        name: [
            statistics.median(times)
            for times in zip(*([seconds for seconds, _ in once] for once in side), strict=True)
        ]
        for name, side in sides.items()
    }
    print(f"{len(queries)} queries of 2 and 3 edges, all answers equal; milliseconds a query (median, 90 %):")
    for name, times in medians.items():
        high = statistics.quantiles(times, n=10)[-1]
        figures[f"{name}, milliseconds"] = statistics.median(times) * 1e3
        label = name if name == "pyoxigraph" else f"rollcall, {name}"
        print(f"  {label:<24} {statistics.median(times) * 1e3:8.3f} {high * 1e3:9.3f}")
    theirs = medians.pop("pyoxigraph")
    for name, times in medians.items():
        ratio = statistics.median(theirs) / statistics.median(times)
        each = statistics.median(their / our for their, our in zip(theirs, times, strict=True))
        figures[f"{name}, times faster"] = ratio
        print(f"  {name}: median {ratio:.1f} times faster; median of the ratios {each:.1f}")


def _timed(ask, inputs):
    """For each input the seconds, and what came back."""
    return [(cost.seconds, result) for cost, result in (measured(partial(ask, one)) for one in inputs)]


def _term(term):
    if isinstance(term, ox.NamedNode):
        return id_of(term.value)
    return value_of(term.value, term.datatype.value, term.language)


if __name__ == "__main__":
    run_benchmark(arguments(), main)
