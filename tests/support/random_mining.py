"""Small random graphs to mine, and what was mined of them."""

import random
from pathlib import Path

import pyarrow.parquet as pq

import brute_mining as brute
from rollcall.graph import Graph, write_graph
from rollcall.mine._answer_classes import TypeRule
from rollcall.mine.kinds import Proved
from rollcall.query import Query, parse_value
from rollcall.tables.build import EvidenceRows
from rollcall.tables.files import write_records
from rollcall.tables.table import columns

CLASSES = ["film", "song", "band", "town", "river"]
SUBCLASSES = [
    ("film", "work"),
    ("song", "work"),
    ("silent film", "film"),
    ("town", "place"),
    ("river", "place"),
]
RELATIONS = ["maker", "genre", "home", "rival"]
RULE = TypeRule(widest=0.8, specified=0.9, least_share=0.1, types_per_query=2, types_per_relation=3)


def random_graph(seed: int, folder: Path) -> brute.Data:
    """A graph dense enough for groups, overlaps, round trips and literals."""
    draw = random.Random(seed)
    entities = [f"e{number:02}" for number in range(26)]
    classes = [*CLASSES, "silent film", "work"]
    types = {(entity, draw.choice(classes)) for entity in entities if draw.random() < 0.85}
    types |= {(draw.choice(entities), draw.choice(classes)) for _ in range(8)}
    hubs = entities[:6]
    facts = {(draw.choice(entities), draw.choice(RELATIONS), draw.choice(hubs)) for _ in range(110)}
    facts |= {(draw.choice(entities), draw.choice(RELATIONS), draw.choice(entities)) for _ in range(40)}
    values = {(draw.choice(entities), "height", f"{draw.randrange(100, 130)}[Q11573]") for _ in range(20)}
    write_graph(
        folder,
        facts=facts,
        values=[(subject, relation, parse_value(value)) for subject, relation, value in values],
        types=types,
        subclasses=SUBCLASSES,
    )
    closed = pq.read_table(folder / "types.parquet").to_pylist()
    return brute.Data(facts, values, {(row["entity"], row["class"]): row["direct"] for row in closed})


def read(path: Path):
    return pq.read_table(path).to_pylist()


def answers_in(folder: Path):
    found = {}
    for row in read(folder / "proofs.parquet"):
        found.setdefault(row["key"], set()).add((row["answer"], row["literal"]))
    return found


def evidence_for(folder: Path, validated) -> Path:
    """Evidence of which some facts are validated."""
    rows = []
    for fact in read(folder / "facts.parquet"):
        row = dict.fromkeys(columns(EvidenceRows))
        rows.append(row | fact | {"rank": 1, "validated": validated(fact)})
    path = folder / "evidence.parquet"
    write_records(EvidenceRows, path, rows)
    return path


def proved_in(simple: Path, queries: str = "kept", *prefixes: str) -> Proved:
    """The simple queries of a folder in which they were validated."""
    every = prefixes or ("",)
    return Proved(
        queries=simple / f"{queries}.parquet",
        answers=simple / "validated.parquet",
        groups=[simple / f"{prefix}groups.parquet" for prefix in every],
        proofs=[simple / f"{prefix}proofs.parquet" for prefix in every],
        facts=simple / "facts.parquet",
    )


def check_denotations(graph_folder: Path, folder: Path) -> None:
    """The graph's own answers to every query are the proofs' answers, and as many as the table says."""
    with Graph.open(graph_folder) as graph:
        answers, sizes = (
            answers_in(folder),
            {r["key"]: r["answers"] for r in read(folder / "queries.parquet")},
        )
        assert answers.keys() == sizes.keys()
        for row in read(folder / "queries.parquet"):
            key, query = row["key"], Query.parse(row["query"])
            assert query.text == row["query"], "the text is canonical"
            denotation = graph.answers(query)
            told = {(one, False) if isinstance(one, str) else (one.text, True) for one in denotation}
            assert told == answers[key], query.text
            assert len(told) == sizes[key]
