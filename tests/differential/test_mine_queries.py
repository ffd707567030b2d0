"""Mining agrees with trying everything, on small random graphs, and its answers are those of the graph."""

import random
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brute_mining as brute
from engines import ENGINE
from rollcall.errors import RollcallError
from rollcall.evidence.validation import ValidationLimits, validate
from rollcall.filter import Filter
from rollcall.graph import Graph
from rollcall.graph.write import write_graph
from rollcall.mine.composition import mine_composition
from rollcall.mine.facts import write_facts
from rollcall.mine.graph_queries import query_of_row
from rollcall.mine.intersection import mine_intersection
from rollcall.mine.options import (
    Caps,
    CompositionOptions,
    IntersectionOptions,
    SimpleOptions,
    TypeRule,
)
from rollcall.mine.simple import mine_simple
from rollcall.query import Query, parse_value
from rollcall.tables.engines.duckdb import DuckDB
from rollcall.tables.evidence import Evidence
from rollcall.tables.table import columns
from rollcall.tables.writer import write_records

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
        row = dict.fromkeys(columns(Evidence))
        rows.append(row | fact | {"rank": 1, "validated": validated(fact)})
    path = folder / "evidence.parquet"
    write_records(Evidence, path, rows)
    return path


def bases_of(folder: Path, table: str) -> dict[str, brute.Simple]:
    answers = answers_in(folder)
    return {
        row["key"]: brute.Simple(
            row["relations"][0],
            row["directions"][0],
            row["entities"][0],
            row["class"],
            frozenset(answer for answer, _ in answers[row["key"]]),
        )
        for row in read(folder / f"{table}.parquet")
    }


def check_denotations(graph_folder: Path, folder: Path) -> None:
    """The graph's own answers to every query are the proofs' answers, and as many as the table says."""
    with Graph.open(graph_folder) as graph:
        answers, sizes = (
            answers_in(folder),
            {r["key"]: r["answers"] for r in read(folder / "queries.parquet")},
        )
        assert answers.keys() == sizes.keys()
        for row in read(folder / "queries.parquet"):
            key, query = row["key"], query_of_row(row)
            denotation = graph.answers(Query.parse(query.text))
            told = {(one, False) if isinstance(one, str) else (one.text, True) for one in denotation}
            assert told == answers[key], query.text
            assert len(told) == sizes[key]


@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 10**6), directions=st.sampled_from([("subject",), ("subject", "object")]))
def test_simple_queries_are_those_found_by_trying_everything(tmp_path_factory, seed, directions):
    folder = tmp_path_factory.mktemp("mine")
    data = random_graph(seed, folder / "graph")
    listed = {"genre": ["film", "Silent Film", "no such class"]} if seed % 2 else {}
    options = SimpleOptions(
        min_answers=3, max_answers=9, relations=RELATIONS, directions=directions, types=listed, type_rule=RULE
    )
    outcome = mine_simple(folder / "graph", folder / "simple", options, engine=ENGINE)
    found = set(bases_of(folder / "simple", "queries").values())
    by_id = {"genre": ["film", "silent film"]} if listed else {}
    expected = brute.simple(data, RELATIONS, directions, 3, 9, RULE, by_id)
    assert found == expected
    assert outcome.queries == len(found)
    check_denotations(folder / "graph", folder / "simple")


@settings(max_examples=2, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_later_kinds_are_those_found_by_trying_everything(tmp_path_factory, seed):
    folder = tmp_path_factory.mktemp("mine")
    data = random_graph(seed, folder / "graph")
    simple = folder / "simple"
    mine_simple(
        folder / "graph",
        simple,
        SimpleOptions(min_answers=3, relations=RELATIONS, directions=("subject", "object"), type_rule=RULE),
        engine=ENGINE,
    )
    write_facts([simple / "proofs.parquet"], simple, engine=ENGINE)
    lost = {fact for fact in sorted(data.facts) if random.Random(str((seed, fact))).random() < 0.08}
    evidence = evidence_for(
        simple, lambda fact: (fact["subject"], fact["relation"], fact["object"]) not in lost
    )
    threshold = ValidationLimits(share=0.8, least=3, most=8)
    outcome = validate(simple / "queries.parquet", simple / "proofs.parquet", evidence, simple, threshold)

    everything, kept = bases_of(simple, "queries"), bases_of(simple, "kept")
    sound = {base: validated_answers(base, lost) for base in everything.values()}
    passing = {
        key
        for key, base in everything.items()
        if 3 <= len(sound[base]) <= 8 and len(sound[base]) >= 0.8 * len(base.answers)
    }
    assert kept.keys() == passing
    assert len(everything) == outcome.queries + sum(outcome.removed.values())
    assert {(row["key"], row["answer"]) for row in read(simple / "validated.parquet")} == {
        (key, answer) for key in kept for answer in sound[kept[key]]
    }

    check_compositions(folder, data, kept)
    check_intersections(folder, data, kept, sound)


def validated_answers(base, lost):
    if base.direction == "subject":
        return frozenset(a for a in base.answers if (a, base.relation, base.entity) not in lost)
    return frozenset(a for a in base.answers if (base.entity, base.relation, a) not in lost)


def check_compositions(folder, data, kept):
    simple = folder / "simple"
    for caps in (Caps(per_pair=10**6, per_entity=10**6), Caps(per_pair=2, per_entity=3, seed=5)):
        options = CompositionOptions(
            min_answers=3,
            max_answers=12,
            relations=[*RELATIONS, "height"],
            directions=("object", "subject"),
            same_relation=caps.seed == 5,
            caps=caps,
        )
        out = folder / f"composition-{caps.seed}"
        outcome = mine_composition(
            folder / "graph",
            simple / "kept.parquet",
            simple / "proofs.parquet",
            out,
            options,
            engine=ENGINE,
        )
        expected = brute.capped(brute.compositions(data, kept.values(), 3, 12, options), caps)
        assert answers_in(out) == {key: set(row[2]) for key, row in expected.items()}
        assert outcome.queries == len(expected)
        check_denotations(folder / "graph", out)


def check_intersections(folder, data, kept, sound):
    simple, members = folder / "simple", brute.members_of(data)
    for caps in (Caps(per_pair=10**6, per_entity=10**6), Caps(per_pair=2, per_entity=3, seed=5)):
        options = IntersectionOptions(min_answers=2, caps=caps)
        out = folder / f"intersection-{caps.seed}"
        mine_intersection(
            folder / "graph",
            simple / "kept.parquet",
            simple / "proofs.parquet",
            simple / "validated.parquet",
            out,
            options,
            engine=ENGINE,
        )
        rows = brute.intersections(kept.values(), sound, 2, members)
        expected = brute.intersections_capped(rows, caps)
        assert answers_in(out) == {key: {(a, False) for a in rows[key][2]} for key in expected}
        check_denotations(folder / "graph", out)


@pytest.fixture(scope="module")
def mined(tmp_path_factory):
    """One graph with its simple queries, all of whose facts are validated."""
    folder = tmp_path_factory.mktemp("mined")
    random_graph(11, folder / "graph")
    simple = folder / "simple"
    mine_simple(
        folder / "graph",
        simple,
        SimpleOptions(min_answers=3, relations=RELATIONS, type_rule=RULE),
        engine=ENGINE,
    )
    write_facts([simple / "proofs.parquet"], simple, engine=ENGINE)
    evidence = evidence_for(simple, lambda fact: True)
    validate(
        simple / "queries.parquet", simple / "proofs.parquet", evidence, simple, ValidationLimits(least=3)
    )
    return folder


def intersect(folder: Path, out: Path, **options):
    simple = folder / "simple"
    return mine_intersection(
        folder / "graph",
        simple / "kept.parquet",
        simple / "proofs.parquet",
        simple / "validated.parquet",
        out,
        IntersectionOptions(min_answers=2, **options),
        engine=ENGINE,
    )


def test_three_queries_intersect_in_fewer_answers_than_any_two(tmp_path):
    lacking = {"genre": {0}, "home": {1}, "maker": {2}, "rival": {2, 3}}  # all rivals are among the makers
    films = {relation: {f"film {n:02}" for n in range(12) if n not in no} for relation, no in lacking.items()}
    facts = [(film, relation, "Orla Venn") for relation, own in films.items() for film in own]
    write_graph(tmp_path / "graph", facts=facts)
    simple = tmp_path / "simple"
    mine_simple(tmp_path / "graph", simple, SimpleOptions(relations=RELATIONS), engine=ENGINE)
    write_facts([simple / "proofs.parquet"], simple, engine=ENGINE)
    evidence = evidence_for(simple, lambda fact: True)
    validate(simple / "queries.parquet", simple / "proofs.parquet", evidence, simple)
    intersect(tmp_path, tmp_path / "out", ways=3)
    check_denotations(tmp_path / "graph", tmp_path / "out")
    answers = answers_in(tmp_path / "out")
    triples = {
        tuple(row["relations"]): {answer for answer, _ in answers[row["key"]]}
        for row in read(tmp_path / "out" / "queries.parquet")
        if len(row["relations"]) == 3
    }
    expected = [("genre", "home", "maker"), ("genre", "home", "rival")]
    assert triples == {three: set.intersection(*(films[one] for one in three)) for three in expected}


def test_an_answer_of_very_many_queries_discovers_no_pair(mined, tmp_path):
    assert intersect(mined, tmp_path / "all").queries > 0
    assert intersect(mined, tmp_path / "none", per_answer=1).queries == 0


def test_the_same_bytes_come_from_any_number_of_threads(mined, tmp_path):
    for engine in (ENGINE, DuckDB(jobs=2)):
        out = tmp_path / str(engine.jobs)
        options = SimpleOptions(min_answers=3, relations=RELATIONS, type_rule=RULE)
        mine_simple(mined / "graph", out / "simple", options, engine=engine)
        simple = mined / "simple"
        mine_composition(
            mined / "graph",
            simple / "kept.parquet",
            simple / "proofs.parquet",
            out / "composition",
            CompositionOptions(min_answers=3, caps=Caps(per_pair=3)),
            engine=engine,
        )
    for name in ("simple/queries", "simple/proofs", "composition/queries", "composition/proofs"):
        assert (tmp_path / "1" / f"{name}.parquet").read_bytes() == (
            tmp_path / "2" / f"{name}.parquet"
        ).read_bytes()


def test_facts_already_sought_are_not_sought_again(mined, tmp_path):
    simple = mined / "simple"
    again = write_facts(
        [simple / "proofs.parquet"], tmp_path, known=[simple / "facts.parquet"], engine=ENGINE
    )
    assert again == 0


KEPT_AND_NOT = ("director", "notes", "x1", "working name")


def test_record_keeping_is_left_out_and_counts_are_no_answers(tmp_path):
    films = [f"film {number}" for number in range(6)]
    facts = [(film, relation, "Orla Venn") for film in films for relation in KEPT_AND_NOT]
    values = [(film, "chart peak", parse_value(str(place + 1))) for place, film in enumerate(films)]
    values += [(film, "released", parse_value(f"@{1980 + place}")) for place, film in enumerate(films)]
    write_graph(tmp_path / "graph", facts=facts, values=values)
    mine_simple(tmp_path / "graph", tmp_path / "simple", SimpleOptions(), engine=ENGINE)
    assert [row["relations"] for row in read(tmp_path / "simple" / "queries.parquet")] == [["director"]]
    simple = tmp_path / "simple"
    mine_composition(
        tmp_path / "graph",
        simple / "queries.parquet",
        simple / "proofs.parquet",
        tmp_path,
        CompositionOptions(),
        engine=ENGINE,
    )
    found = read(tmp_path / "queries.parquet")
    assert [row["relations"] for row in found] == [["director", "released"]]
    assert {row["answer"] for row in read(tmp_path / "proofs.parquet")} == {f"@{1980 + n}" for n in range(6)}


def test_relations_that_the_graph_does_not_have_are_refused(mined, tmp_path):
    with pytest.raises(RollcallError, match="none of the 1 relations asked for is in the graph"):
        mine_simple(mined / "graph", tmp_path, SimpleOptions(relations=["P57"]), engine=ENGINE)
    with pytest.raises(RollcallError, match="'sideways' is not a direction"):
        SimpleOptions(directions=["sideways"])


def test_a_graph_without_any_label_that_can_be_worded_is_told_so(tmp_path):
    write_graph(tmp_path / "graph", facts=[("a", "r0", "b")])
    with pytest.raises(RollcallError, match="none of the graph's 1 relations has a label that can be worded"):
        mine_simple(tmp_path / "graph", tmp_path, SimpleOptions(), engine=ENGINE)


def test_groups_too_vague_to_be_asked_alone_are_conditions_of_intersections(tmp_path):
    """Six things in Ostrell, three films and three songs; five of them, and one elsewhere, are by Venn."""
    kinds = ["film", "song"]
    facts = [(f"x{n}", "in", "Ostrell") for n in range(6)] + [(f"x{n}", "by", "Venn") for n in range(1, 7)]
    facts += [(f"y{n}", relation, f"Town {n % 2}") for n in range(8) for relation in ("in", "by")]
    types = [(f"x{n}", kinds[n % 2]) for n in range(7)] + [(f"y{n}", kinds[n % 2]) for n in range(8)]
    write_graph(tmp_path / "graph", facts=facts, types=types)
    simple = tmp_path / "simple"
    rule = TypeRule(widest=1.0)
    options = SimpleOptions(min_answers=4, relations=["in", "by"], type_rule=rule)
    outcome = mine_simple(tmp_path / "graph", simple, options, engine=ENGINE)
    assert outcome.removed[Filter("no type with enough answers", "type_rule")] == 2
    asked = {(row["relations"][0], row["entities"][0]) for row in read(simple / "queries.parquet")}
    assert ("in", "Ostrell") not in asked
    vague = {(row["relations"][0], row["entities"][0]): row for row in read(simple / "vague.parquet")}
    assert vague.keys() == {("in", "Ostrell"), ("by", "Venn")}
    assert vague["in", "Ostrell"]["class"] is None
    assert vague["in", "Ostrell"]["answers"] == 6
    proved = [row["answer"] for row in read(simple / "vague_proofs.parquet") if row["object"] == "Ostrell"]
    assert sorted(proved) == [f"x{n}" for n in range(6)]
    write_facts([simple / "vague_proofs.parquet"], simple, engine=ENGINE)
    evidence = evidence_for(simple, lambda fact: True)
    validate(
        simple / "vague.parquet", simple / "vague_proofs.parquet", evidence, simple, ValidationLimits(least=4)
    )
    found = mine_intersection(
        tmp_path / "graph",
        simple / "kept.parquet",
        simple / "vague_proofs.parquet",
        simple / "validated.parquet",
        tmp_path / "both",
        IntersectionOptions(min_answers=4),
        engine=ENGINE,
    )
    assert found.queries == 1
    assert {answer for answer, _ in next(iter(answers_in(tmp_path / "both").values()))} == {
        f"x{n}" for n in range(1, 6)
    }
