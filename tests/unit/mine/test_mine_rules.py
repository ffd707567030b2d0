"""What is mined of chosen graphs: which intersections and conditions there are, and what is left out."""

from pathlib import Path

import pytest

from engines import ENGINE
from random_mining import (
    RELATIONS,
    RULE,
    answers_in,
    check_denotations,
    evidence_for,
    proved_in,
    random_graph,
    read,
)
from rollcall import RollcallError
from rollcall._core.errors import Filter
from rollcall.evidence.validation import ValidationLimits, validate
from rollcall.graph import write_graph
from rollcall.mine._answer_classes import TypeRule
from rollcall.mine.composition import CompositionOptions, mine_composition
from rollcall.mine.intersection import IntersectionOptions, mine_intersection
from rollcall.mine.joins import Caps, write_facts
from rollcall.mine.simple import SimpleOptions, mine_simple
from rollcall.query import Query, parse_value
from rollcall.tables.engines.duckdb import DuckDB


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


def relations_of(row) -> tuple[str, ...]:
    return tuple(sorted(Query.parse(row["query"]).relations))


def intersect(folder: Path, out: Path, **options):
    simple = folder / "simple"
    return mine_intersection(
        folder / "graph",
        proved_in(simple),
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
        relations_of(row): {answer for answer, _ in answers[row["key"]]}
        for row in read(tmp_path / "out" / "queries.parquet")
        if len(relations_of(row)) == 3
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
            proved_in(simple),
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
    assert [relations_of(row) for row in read(tmp_path / "simple" / "queries.parquet")] == [("director",)]
    simple = tmp_path / "simple"
    mine_composition(
        tmp_path / "graph",
        proved_in(simple, "queries"),
        tmp_path,
        CompositionOptions(),
        engine=ENGINE,
    )
    found = read(tmp_path / "queries.parquet")
    assert [relations_of(row) for row in found] == [("director", "released")]
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
    asked = {(row["relation"], row["entity"]) for row in read(simple / "groups.parquet")}
    assert ("in", "Ostrell") not in asked
    vague = {(row["relation"], row["entity"]): row for row in read(simple / "vague_groups.parquet")}
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
        proved_in(simple, "kept", "vague_"),
        tmp_path / "both",
        IntersectionOptions(min_answers=4),
        engine=ENGINE,
    )
    assert found.queries == 1
    assert {answer for answer, _ in next(iter(answers_in(tmp_path / "both").values()))} == {
        f"x{n}" for n in range(1, 6)
    }
