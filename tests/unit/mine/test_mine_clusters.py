"""Clusters, their questions and candidates keep every promise of the paper, on random graphs and brute
force.
"""

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from brute_force import SmallGraph, denotation
from engines import ENGINE
from mined_graphs import mined_graph
from rollcall import RollcallError
from rollcall.graph import EntityRecord, Graph, write_graph
from rollcall.mine.clusters import write_clusters
from rollcall.mine.clusters.drawing import (
    ClusterOptions,
    Constraint,
    Propositions,
    Signed,
    draw_candidates,
    mine_clusters,
    satisfying,
)
from rollcall.mine.neighbourhood import BACKWARD, FORWARD, Neighbourhood, hop
from rollcall.mine.set_operations import OPERATIONS, SetOptions, mine_set_operations, write_set_operations
from rollcall.query import Query
from rollcall.query.query import reductions
from rollcall.tables.build import (
    CandidateFacts,
    ClusterQueries,
    Constraints,
    OfferedCandidates,
    ProvableFacts,
    QueryAnswers,
    SetQueries,
)
from rollcall.tables.engines.duckdb import DuckDB
from rollcall.tables.files import records

OPTIONS = ClusterOptions(
    clusters=12, attempts=600, round_size=100, candidates=10, most_positive=5, excluded=()
)


def stored(seed: int, folder: Path, size: int = 8) -> tuple[Path, object]:
    small = mined_graph(seed, size)
    write_graph(folder, facts=small.facts, values=small.values, types=small.types)
    return folder, small


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return stored(3, tmp_path_factory.mktemp("clusters") / "graph", 14)


def holds(small, text: str, entity: str) -> bool:
    """Whether an entity satisfies a constraint, looked up among the facts themselves."""
    relation, other, direction = text.removeprefix("not ").split("\t")
    return ((entity, relation, other) if direction == "subj" else (other, relation, entity)) in small.facts


@settings(max_examples=6)
@given(st.integers(0, 10_000))
def test_every_promise_holds_on_random_graphs(tmp_path_factory, seed):
    folder, small = stored(seed, tmp_path_factory.mktemp("one") / "graph", 10)
    options = OPTIONS
    try:
        mined = mine_clusters(folder, options, seed=seed, engine=ENGINE)
    except RollcallError as error:
        if "no cluster" not in str(error):  # which such a small graph may lack
            raise
        reject()
    out = tmp_path_factory.mktemp("out")
    with Graph.open(folder) as graph:
        write_clusters(graph, mined.clusters, out)
    check_clusters(small, out, options)
    check_questions(small, out, options)
    check_candidates(small, out, options)


def check_clusters(small, out, options):
    members: dict[str, list[str]] = {}
    for row in records(Constraints, out / "constraints.parquet"):
        members.setdefault(row["cluster"], []).append(row["constraint"])
    assert len({tuple(sorted(constraints)) for constraints in members.values()}) == len(members)
    for constraints in members.values():
        assert options.least_constraints <= len(set(constraints)) <= options.most_constraints
        shared = [e for e in small.entities if all(holds(small, text, e) for text in constraints)]
        assert len(shared) >= options.shared
    for row in records(ClusterQueries, out / "queries.parquet"):
        assert {text.removeprefix("not ") for text in row["constraints"]} <= set(members[row["cluster"]])


def check_questions(small, out, options):
    rows = list(records(ClusterQueries, out / "queries.parquet"))
    assert len({row["key"] for row in rows}) == len(rows)
    sizes = Counter(row["cluster"] for row in rows)
    assert all(options.least_questions <= size <= options.queries for size in sizes.values())
    found = {(row["key"], row["answer"]) for row in records(QueryAnswers, out / "answers.parquet")}
    for row in rows:
        assert options.least_in_question <= len(row["constraints"]) <= options.most_in_question
        assert row["positive"] >= 1
        assert row["positive"] + row["negative"] == len(row["constraints"])
        query = Query.parse(row["query"])
        answers = denotation(small, query)
        assert {answer for key, answer in found if key == row["key"]} == answers
        assert options.least_answers <= len(answers) == row["answers"] < options.most_answers
        assert answers.isdisjoint(query.entities)
        assert all(is_known(small, answer, text) for text in row["constraints"] for answer in answers)
        assert all(denotation(small, less) != answers for less in reductions(query)), "nothing is redundant"


def is_known(small, entity: str, text: str) -> bool:
    """Whether the graph has some fact of the relation of a constraint that a question denies."""
    relation, _, direction = text.removeprefix("not ").split("\t")
    end = 0 if direction == "subj" else 2
    known = any(fact[end] == entity and fact[1] == relation for fact in small.facts)
    return known or not text.startswith("not ")


def check_candidates(small, out, options):
    questions = {row["key"]: row for row in records(ClusterQueries, out / "queries.parquet")}
    facts = {
        (row["key"], row["candidate"], row["constraint"])
        for row in records(CandidateFacts, out / "candidate_facts.parquet")
    }
    needed = {
        (row["subject"], row["relation"], row["object"])
        for row in records(ProvableFacts, out / "facts.parquet")
    }
    assert needed <= small.facts
    offered: dict[str, dict[str, bool]] = {}
    for row in records(OfferedCandidates, out / "candidates.parquet"):
        offered.setdefault(row["key"], {})[row["candidate"]] = row["is_answer"]
    for key, row in questions.items():
        answers = denotation(small, Query.parse(row["query"]))
        assert len(offered[key]) == options.candidates
        assert sum(offered[key].values()) == min(len(answers), options.most_positive)
        right = {
            entity: [holds(small, text, entity) != text.startswith("not ") for text in row["constraints"]]
            for entity in small.entities
        }
        assert all((entity in answers) == is_answer for entity, is_answer in offered[key].items())
        near = {e for e, held in right.items() if any(held) and e not in answers and touched(small, row, e)}
        wrong = {entity for entity, is_answer in offered[key].items() if not is_answer}
        assert wrong <= near or near <= wrong, "near misses come before anybody else"
        for place, text in enumerate(row["constraints"]):
            for entity in offered[key]:
                assert ((key, entity, place) in facts) == holds(small, text, entity), "denied ones included"


def touched(small, row, entity: str) -> bool:
    """Near misses stand in a fact of the question: that something denied is not so is no nearness."""
    return any(holds(small, text, entity) for text in row["constraints"])


def test_jobs_change_nothing(made, monkeypatch):
    folder, _ = made
    one = mine_clusters(folder, OPTIONS, engine=ENGINE)
    monkeypatch.setattr("rollcall.mine.attempts.ALONE_SECONDS", 0.0)
    with DuckDB(jobs=2) as processes:
        two = mine_clusters(folder, OPTIONS, engine=processes)
    assert one.clusters
    assert str(one.clusters) == str(two.clusters)
    assert one.outcomes == two.outcomes


def test_frequent_propositions_are_thinned_out(tmp_path):
    facts = [(f"s{n}", "often", f"o{n}") for n in range(90)] + [(f"s{n}", "rare", f"o{n}") for n in range(10)]
    graph = Graph.open(write_graph(tmp_path / "g", facts=facts))
    around = Neighbourhood(graph.index, (0, 1))
    propositions = Propositions.of(around, [0, 1])
    often, rare = (graph.index.relation_number(name) for name in ("often", "rare"))
    assert propositions.average == pytest.approx(0.5)
    assert propositions.kept(often, 0.5) == pytest.approx((0.5 / 0.9) ** 0.5)
    assert propositions.kept(rare, 0.5) == 1.0
    assert propositions.kept(often, 0.0) == 1.0


def test_the_nearest_misses_are_not_the_only_ones(tmp_path):
    facts = [(f"e{n:03}", "r", "A") for n in range(200)] + [(f"e{n:03}", "q", "B") for n in range(195, 300)]
    facts += [(f"e{n:03}", "p", "C") for n in range(150, 199)]
    graph = Graph.open(write_graph(tmp_path / "g", facts=facts))
    index = graph.index
    around = Neighbourhood(index, range(3))
    conditions = tuple(
        Signed(Constraint(hop(index.relation_number(r), FORWARD), index.entity_number(e)))
        for r, e in (("r", "A"), ("q", "B"), ("p", "C"))
    )
    answers = satisfying(around, conditions)
    assert len(answers) == 4
    drawn = draw_candidates(around, conditions, answers, Random(1), ClusterOptions(candidates=40))
    wrong = {index.entity_ids[entity] for entity, right in drawn.items() if not right}
    asked = (("r", "A"), ("q", "B"), ("p", "C"))
    held = Counter(sum((entity, r, o) in set(facts) for r, o in asked) for entity in wrong)
    assert held[2] == held[1] == 18


def test_a_constraint_looks_both_ways(made):
    folder, small = made
    graph = Graph.open(folder)
    index = graph.index
    around = Neighbourhood(index, range(len(index.relation_ids)))
    subject, relation, object_ = min(small.facts)
    forward = Constraint(hop(index.relation_number(relation), FORWARD), index.entity_number(object_))
    backward = Constraint(hop(index.relation_number(relation), BACKWARD), index.entity_number(subject))
    assert (forward.direction, backward.direction) == ("subj", "obj")
    assert index.entity_number(subject) in forward.answers(around)
    assert index.entity_number(object_) in backward.answers(around)


@pytest.mark.parametrize(
    "wrong", [{"remove": 2}, {"least_in_question": 5}, {"least_constraints": 1}, {"most_constraints": 2}]
)
def test_parameters_that_contradict_each_other_are_refused(wrong):
    with pytest.raises(RollcallError):
        ClusterOptions(**wrong)


def test_set_operations_mean_what_they_say_and_need_every_set(tmp_path):
    chance, things = Random(5), [f"thing {number}" for number in range(40)]
    facts = {
        (one, f"relation {r}", f"object {chance.randint(0, 2)}") for one in things for r in ("a", "b", "c")
    }
    small = SmallGraph(
        [*things, *(f"object {n}" for n in range(3))], facts, types={(one, "thing") for one in things}
    )
    folder = write_graph(tmp_path / "graph", facts=facts, types=small.types)
    options = SetOptions(per_operation=6, excluded=(), round_size=64, attempts=4000)
    found, _ = mine_set_operations(folder, options, engine=ENGINE)
    assert {combined.operation for combined in found} == set(OPERATIONS)
    for combined in found:
        said = [denotation(small, Query.parse(text)) for text in combined.sets]
        of_class = {e for e in small.entities if combined.class_id in (None, *small.classes_of(e))}
        members = [answers & of_class for answers in said]
        answers = denotation(small, combined.query)
        assert answers == meaning(combined.operation, members), combined.query.text
        assert options.least_answers <= len(answers) == combined.answers
        for place in range(len(members)):
            assert answers != meaning_without(combined.operation, members, place)
    with Graph.open(folder) as graph:
        assert write_set_operations(graph, found, tmp_path) == len(found)
    assert {row["operation"] for row in records(SetQueries, tmp_path / "queries.parquet")} == set(OPERATIONS)


def half_known(tmp_path) -> Path:
    """Players of three clubs. The citizenship of every second one is not known; their positions are."""
    chance = Random(7)
    facts = set()
    for number in range(60):
        player = f"player {number}"
        facts.add((player, "club", f"club {chance.randint(0, 2)}"))
        facts.add((player, "position", f"position {chance.randint(0, 2)}"))
        if number % 2:
            facts.add((player, "citizenship", f"country {chance.randint(0, 2)}"))
    return write_graph(tmp_path / "graph", facts=facts)


def test_nothing_is_denied_that_is_not_known(tmp_path):
    """“Played for A but is not Indian” needs players whose citizenship the graph knows."""
    folder = half_known(tmp_path)
    sets = SetOptions(per_operation=8, excluded=(), round_size=64, attempts=2000)
    clusters = ClusterOptions(clusters=30, attempts=600, round_size=100, least_constraints=2, negate=0.5)

    def denied(known: bool) -> set[str]:
        found, _ = mine_set_operations(folder, replace(sets, known=known), ENGINE)
        mined = mine_clusters(folder, replace(clusters, known=known), ENGINE)
        with Graph.open(folder) as graph:
            write_clusters(graph, mined.clusters, tmp_path / f"out {known}")
        rows = records(ClusterQueries, tmp_path / f"out {known}" / "queries.parquet")
        asked = [*(one.query for one in found), *(Query.parse(row["query"]) for row in rows)]
        return {edge.relation for query in asked for edge in query.edges if edge.negated}

    assert denied(known=True) == {"club", "position"}
    assert "citizenship" in denied(known=False), "as published: what the graph lacks is false"


def test_no_list_is_an_answer_of_a_cluster(tmp_path):
    chance, films = Random(4), [f"film {number}" for number in range(30)]
    relations = ("writer", "producer", "owner", "designer")
    facts = {(film, relation, f"person {chance.randint(0, 1)}") for film in films for relation in relations}
    films_only = write_graph(tmp_path / "films", facts=facts)
    lists = [EntityRecord(film, f"List of films about {film}") for film in films]
    lists_only = write_graph(tmp_path / "lists", facts=facts, entities=lists)
    assert mine_clusters(films_only, OPTIONS, engine=ENGINE).clusters
    with pytest.raises(RollcallError, match="no cluster"):
        mine_clusters(lists_only, OPTIONS, engine=ENGINE)


def test_no_question_is_answered_by_what_it_names(tmp_path):
    """Few countries with many relations: most differences of two sets hold one of the two countries."""
    chance, countries = Random(2), [f"country {number}" for number in range(9)]
    facts = {
        (one, relation, other)
        for one in countries
        for other in countries
        for relation in ("ally", "neighbour", "partner")
        if one != other and chance.random() < 0.5
    }
    folder = write_graph(tmp_path / "graph", facts=facts)
    options = SetOptions(per_operation=10, excluded=(), round_size=64, attempts=2000)
    combined, outcomes = mine_set_operations(folder, options, engine=ENGINE)
    assert outcomes["an answer is named in the question"]
    clusters = tmp_path / "clusters"
    with Graph.open(folder) as graph:
        write_clusters(graph, mine_clusters(folder, OPTIONS, engine=ENGINE).clusters, clusters)
        asked = [Query.parse(row["query"]) for row in records(ClusterQueries, clusters / "queries.parquet")]
        for query in [*asked, *(member.query for member in combined)]:
            assert set(graph.answers(query)).isdisjoint(query.entities), query.text


def meaning(operation, members):
    a, b, *rest = members
    c = rest[0] if rest else set()
    return {"A ∪ B": a | b, "A ∩ B ∩ C": a & b & c, "A \\ B": a - b, "A ∩ B \\ C": (a & b) - c}[operation]


def meaning_without(operation, members, place):
    """The same operation without one of its sets; what is subtracted from is never left out of sight."""
    rest = [one for number, one in enumerate(members) if number != place]
    if len(rest) == 1:
        return rest[0]
    return rest[0] - rest[1] if operation == "A ∩ B \\ C" and place < 2 else rest[0] & rest[1]
