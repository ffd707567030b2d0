"""Random queries on random graphs: every evaluator, minimising, every text and rendering.

A case is one graph and many queries, because writing a graph takes longest. `queries` holds the point
evaluator to the second definition (`backtracking`), minimising to the definition of redundance, and texts and
renderings to giving the query back; `queries-ibis` holds Ibis to the definition; `query-shapes` draws large
symmetrical patterns, which have one text however they are written.
"""

import random
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch
from xml.etree import ElementTree

from backtracking import Reference, TooHardError
from brute_force import SmallGraph
from fuzzing.random_graphs import decoded, draw_graph
from fuzzing.random_queries import QueryDrawer, built, written
from fuzzing.target import Target
from rollcall import RollcallError
from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.query import QUESTION, Edge, Pattern, Query, minimise, parse_value
from rollcall.query.notations import from_graph_json
from rollcall.query.statements import TARGET, Node, Statement

MOST_STEPS = 10_000
"""So long does the definition try; a query that takes longer is still asked, but not compared."""


def draw_many(chance: random.Random) -> Any:
    return _drawn(chance, queries=15)


def draw_few(chance: random.Random) -> Any:
    return _drawn(chance, queries=4, most_entities=8)


def _drawn(chance: random.Random, queries: int, most_entities: int = 40) -> Any:
    graph = draw_graph(chance, most_entities)
    drawer = QueryDrawer(chance, decoded(graph))
    return {
        "graph": graph,
        "queries": [drawer.draw() for _ in range(queries)],
        "seed": chance.randrange(2**32),
    }


@contextmanager
def stored(graph: SmallGraph) -> Iterator[Graph]:
    with TemporaryDirectory() as folder:
        write_graph(
            f"{folder}/graph",
            facts=graph.facts,
            values=graph.values,
            types=graph.types,
            subclasses=graph.subclasses,
            entities=[EntityRecord(entity) for entity in graph.entities],
        )
        with Graph.open(f"{folder}/graph") as opened:
            yield opened


def small_searches(seed: int) -> AbstractContextManager[object]:
    """The evaluator with bounds so low that a case stays quick, and that pieces and samples are common."""
    at_once, sample = random.Random(seed).choice([(500_000, 20_000), (20_000, 1_000), (500, 60)])
    return patch.multiple(
        "rollcall.graph.evaluate", _MOST_VISITED=1_000_000, _ROWS_AT_ONCE=at_once, _WORTH_A_SAMPLE=sample
    )


def check_queries(case: Any) -> None:
    graph, chance = decoded(case["graph"]), random.Random(case["seed"])
    reference = Reference(graph, MOST_STEPS)
    with small_searches(case["seed"]), stored(graph) as opened:
        for place, drawn in enumerate(case["queries"]):
            query = built(drawn)
            check_texts(query, written(drawn, chance))
            answers = answered(opened, query)
            if answers is not None:
                check_answers(reference, query, answers)
                if place % 5 == 0:
                    check_minimal(opened, reference, query, answers)


def answered(graph: Graph, query: Query) -> frozenset[Any] | None:
    """The answers, or nothing where the query was refused because it would unfold without bound."""
    try:
        return graph.answers(query)
    except RollcallError as error:
        _expected(error, "partial solutions")
        return None


def _expected(error: RollcallError, words: str) -> None:
    if words not in str(error):
        raise error


def check_answers(reference: Reference, query: Query, answers: frozenset[Any]) -> None:
    try:
        defined = reference.denotation(query)
    except TooHardError:
        return
    assert answers == defined, f"{query.text}: {answers!r} instead of {defined!r}"


def check_texts(query: Query, text: str) -> None:
    """One text however it is written, and no rendering that fails or loses something."""
    assert Query.parse(text) == query, f"{text!r} is not {query.text}"
    assert Query.parse(query.text) == query
    assert Query.parse(query.text).text == query.text
    assert from_graph_json(query.to_graph_json()) == query, query.text
    assert query.to_lambda()
    assert ElementTree.fromstring(query.to_svg()) is not None


def check_minimal(graph: Graph, reference: Reference, query: Query, answers: frozenset[Any]) -> None:
    """Minimising keeps the answer, and nothing more can go."""
    try:
        smaller = minimise(query, graph)
    except RollcallError as error:
        _expected(error, "partial solutions")
        return
    check_answers(reference, smaller, answers)
    for reduced in one_less(smaller):
        assert answered(graph, reduced) != answers, f"{smaller.text} is not minimal: {reduced.text}"


def one_less(query: Query) -> Iterator[Query]:
    """The queries that have an edge less, with what it alone connected, or a pattern less."""
    for pattern in query.patterns:
        others = tuple(other for other in query.patterns if other != pattern)
        if others:
            yield replace(query, patterns=others)
        for edge in pattern.statements:
            if isinstance(edge, Edge):
                try:
                    smaller = Pattern(_still_connected(pattern, edge), pattern.distinct)
                    lost = query.aggregate in ("argmax", "argmin") and TARGET not in smaller.variables
                    yield Query((*others, smaller), None if lost and not others else query.aggregate)
                except RollcallError:  # what is left is no query
                    continue


def _still_connected(pattern: Pattern, gone: Edge) -> tuple[Statement, ...]:
    rest = [statement for statement in pattern.statements if statement != gone]
    reached: set[Node] = {QUESTION}
    for _ in rest:
        for statement in rest:
            if reached & set(statement.nodes):
                reached |= set(statement.nodes)
    return tuple(statement for statement in rest if reached & set(statement.nodes))


def check_ibis(case: Any) -> None:
    graph = decoded(case["graph"])
    reference = Reference(graph, MOST_STEPS)
    with stored(graph) as opened:
        for drawn in case["queries"]:
            query = built(drawn)
            try:
                reference.denotation(query)  # what is too hard for one is slow for the other
            except TooHardError:
                continue
            rows = query.to_ibis(opened.tables).to_pyarrow().to_pylist()
            answers = [parse_value(row["answer"]) if row["literal"] else row["answer"] for row in rows]
            assert len(answers) == len(set(answers)), query.text
            check_answers(reference, query, frozenset(answers))


def draw_shape(chance: random.Random) -> Any:
    """Copies of a small pattern hung on ?x, or a circulant graph around it: as much alike as can be."""
    statements = []
    if chance.random() < 0.5:
        copies, size = chance.randint(2, 8), chance.randint(1, 4)
        part = [_link(chance, size) for _ in range(chance.randint(1, 6))]
        for copy in range(copies):
            statements.append([False, "x", "r", f"c{copy}_0"])
            statements += [[n, f"c{copy}_{a}", r, f"c{copy}_{b}"] for n, a, r, b in part]
    else:
        size, steps = chance.randint(3, 16), chance.sample(range(1, 9), chance.randint(1, 3))
        statements += [[False, f"a{n}", "r", f"a{(n + step) % size}"] for n in range(size) for step in steps]
        statements += [[False, "x", "s", f"a{n}"] for n in range(size)]
        if chance.random() < 0.3:
            del statements[chance.randrange(len(statements))]
    return {"statements": statements, "seed": chance.randrange(2**32)}


def _link(chance: random.Random, size: int) -> tuple[bool, int, str, int]:
    return chance.random() < 0.2, chance.randrange(size), chance.choice("rst"), chance.randrange(size)


def check_shape(case: Any) -> None:
    chance = random.Random(case["seed"])
    text = _text(case["statements"], {})
    try:
        query = Query.parse(text)
    except RollcallError as error:
        _expected(error, "connected to ?x")
        return
    names = sorted({name for _, a, _, b in case["statements"] for name in (a, b)} - {"x"})
    others = dict(zip(names, chance.sample(names, len(names)), strict=True))
    again = chance.sample(case["statements"], len(case["statements"]))
    assert Query.parse(_text(again, others)).text == query.text
    assert Query.parse(query.text).text == query.text


def _text(statements: list[list[Any]], names: dict[str, str]) -> str:
    return "; ".join(
        f"{'not ' if negated else ''}?{names.get(a, a)} {relation} ?{names.get(b, b)}"
        for negated, a, relation, b in statements
    )


TARGETS = [
    Target("queries", draw_many, check_queries, share=5),
    Target("queries-ibis", draw_few, check_ibis, share=2),
    Target("query-shapes", draw_shape, check_shape, share=100),
]
