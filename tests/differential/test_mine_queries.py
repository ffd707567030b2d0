"""Mining agrees with trying everything, on small random graphs, and its answers are those of the graph."""

import random
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import brute_mining as brute
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
from rollcall.evidence.validation import ValidationLimits, validate
from rollcall.graph import write_graph
from rollcall.mine.composition import CompositionOptions, mine_composition
from rollcall.mine.intersection import IntersectionOptions, mine_intersection
from rollcall.mine.joins import Caps, write_facts
from rollcall.mine.simple import SimpleOptions, mine_simple


def bases_of(folder: Path, table: str) -> dict[str, brute.Simple]:
    answers = answers_in(folder)
    found = {row["key"] for row in read(folder / f"{table}.parquet")}
    return {
        row["key"]: brute.Simple(
            row["relation"],
            row["direction"],
            row["entity"],
            row["class"],
            frozenset(answer for answer, _ in answers[row["key"]]),
        )
        for row in read(folder / "groups.parquet")
        if row["key"] in found
    }


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


def test_a_group_that_no_listed_type_fits_is_asked_by_its_own_classes(tmp_path):
    towns = {"Norrow": "museum", "Ostrell": "newspaper", "Vell": None}
    facts = [(f"{town} {n}", "location", town) for town in towns for n in range(4)]
    facts += [(f"film {n}", "maker", "Norrow") for n in range(20)]
    types = [(f"{town} {n}", kind) for town, kind in towns.items() if kind for n in range(4)]
    types += [(f"film {n}", "film") for n in range(20)]
    write_graph(tmp_path / "graph", facts=facts, types=types)
    options = SimpleOptions(min_answers=3, relations=["location"], types={"location": ["museum"]})
    mine_simple(tmp_path / "graph", tmp_path / "simple", options, engine=ENGINE)
    asked = {(base.entity, base.class_id) for base in bases_of(tmp_path / "simple", "queries").values()}
    assert asked == set(towns.items())


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
            proved_in(simple),
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
            proved_in(simple),
            out,
            options,
            engine=ENGINE,
        )
        rows = brute.intersections(kept.values(), sound, 2, members)
        expected = brute.intersections_capped(rows, caps)
        assert answers_in(out) == {key: {(a, False) for a in rows[key][2]} for key in expected}
        check_denotations(folder / "graph", out)
