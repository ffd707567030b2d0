"""A world as a graph: which entities, relations, values and names it has."""

import re
from collections import Counter, defaultdict
from typing import Any

from world_reading import ENTITIES, Files, label, shared_world

world = shared_world


def test_has_the_entities_asked_for_and_unique_ids(world: Files) -> None:
    fictional = [id_ for id_ in world.items if int(id_[1:]) > 200_000_000]
    assert len(fictional) == ENTITIES
    assert len({entity["id"] for entity in world.entities}) == len(world.entities)


def test_classes_form_a_hierarchy_three_levels_deep(world: Files) -> None:
    above = {s: o for s, p, o in world.facts if p == "P279"}
    used = {o for s, p, o in world.facts if p == "P31" and int(s[1:]) > 200_000_000}
    assert len(used) >= 25

    def depth(class_id: str) -> int:
        return 1 + depth(above[class_id]) if class_id in above else 0

    assert all(class_id in world.items for class_id in used)
    assert {depth(class_id) > 0 for class_id in used} == {True}
    assert sum(depth(class_id) >= 3 for class_id in used) >= 18


def test_sixty_relations_with_labels_really_occur(world: Files) -> None:
    uses = Counter(row["relation"] for row in world.rows("fact"))
    labels = {e["id"]: e["labels"]["en"]["value"] for e in world.entities if e["type"] == "property"}
    assert sum(count >= 5 for count in uses.values()) >= 90
    assert set(uses) <= set(labels)
    assert labels["P57"] == "director"
    assert labels["P131"] == "located in the administrative territorial entity"


def test_every_property_used_is_described_with_its_datatype(world: Files) -> None:
    datatypes = {e["id"]: e["datatype"] for e in world.entities if e["type"] == "property"}
    for entity in world.items.values():
        for property_, claims in entity["claims"].items():
            for claim in claims:
                assert claim["mainsnak"]["datatype"] == datatypes[property_], property_


def test_values_of_every_kind_ranks_and_qualifiers_occur(world: Files) -> None:
    datatypes, ranks, snaks, precisions, qualifiers = set(), set(), set(), set(), set()
    for item in world.items.values():
        for claims in item["claims"].values():
            for claim in claims:
                snak = claim["mainsnak"]
                datatypes.add(snak["datatype"])
                ranks.add(claim["rank"])
                snaks.add(snak["snaktype"])
                qualifiers.update(claim.get("qualifiers", ()))
                if snak["datatype"] == "time" and snak["snaktype"] == "value":
                    precisions.add(snak["datavalue"]["value"]["precision"])
    assert datatypes >= {
        "wikibase-item", "string", "monolingualtext", "time", "quantity", "globe-coordinate", "external-id"
    }  # fmt: skip
    assert ranks == {"preferred", "normal", "deprecated"}
    assert snaks == {"value", "novalue", "somevalue"}
    assert precisions == {9, 10, 11}
    assert qualifiers >= {"P580", "P582", "P585"}


def test_one_relation_has_several_units_of_one_dimension(world: Files) -> None:
    units = defaultdict(set)
    for item in world.items.values():
        for property_ in ("P2043", "P2044", "P2046", "P2047"):
            for claim in item["claims"].get(property_, ()):
                units[property_].add(claim["mainsnak"]["datavalue"]["value"]["unit"].rpartition("/")[2])
    assert all(len(found) >= 2 for found in units.values()), units
    assert set().union(*units.values()) <= set(world.items), "units are items too"


def test_people_live_in_the_right_order(world: Files) -> None:
    def year(item: dict[str, Any], property_: str) -> int | None:
        for claim in item["claims"].get(property_, ()):
            if claim["rank"] != "deprecated" and claim["mainsnak"]["snaktype"] == "value":
                return int(claim["mainsnak"]["datavalue"]["value"]["time"][:5])
        return None

    children = 0
    for item in world.items.values():
        born, died = year(item, "P569"), year(item, "P570")
        if born is not None and died is not None:
            assert born + 18 < died
        for claim in item["claims"].get("P22", []) + item["claims"].get("P25", []):
            parent = world.items[claim["mainsnak"]["datavalue"]["value"]["id"]]
            assert year(parent, "P569") + 13 < born  # type: ignore[operator]
            assert item["id"] in {
                other["mainsnak"]["datavalue"]["value"]["id"] for other in parent["claims"]["P40"]
            }, "kinship is reciprocal"
            children += 1
    assert children > 50


def test_capitals_lie_in_their_country(world: Files) -> None:
    country = {s: o for s, p, o in world.facts if p == "P17"}
    countries = {s for s, p, o in world.facts if p == "P31" and o == "Q6256"}
    capitals = [(s, o) for s, p, o in world.facts if p == "P36" and s in countries]
    assert len(capitals) == len(countries) >= 9
    assert all(country[city] == land for land, city in capitals)


def test_many_queries_have_five_to_two_hundred_answers(world: Files) -> None:
    answers: dict[tuple[str, str], set[str]] = defaultdict(set)
    for subject, property_, object_ in world.facts:
        answers[property_, object_].add(subject)
    good = {query: found for query, found in answers.items() if 5 <= len(found) <= 200}
    assert len(good) >= 400
    assert len({property_ for property_, _ in good}) >= 50
    films = {query: found for query, found in good.items() if query[0] in ("P57", "P161", "P162", "P58")}
    shared = sum(
        len(first & second) >= 5
        for number, first in enumerate(films.values())
        for second in list(films.values())[:number]
        if not first <= second and not second <= first
    )
    assert shared >= 15, "sets of films intersect"


def test_popularity_is_skewed(world: Files) -> None:
    uses = Counter(o for _, p, o in world.facts if int(o[1:]) > 200_000_000)
    counts = sorted(uses.values(), reverse=True)
    assert sum(counts[: len(counts) // 100]) > 0.08 * sum(counts)
    assert counts[0] > 40 * counts[len(counts) // 2]


def test_compositions_have_enough_answers(world: Files) -> None:
    birthplace = {s: o for s, p, o in world.facts if p == "P19"}
    towns: dict[str, set[str]] = defaultdict(set)
    for _, property_, object_ in world.facts:
        if property_ == "P161" and object_ in birthplace:
            towns[birthplace[object_]].add(object_)
    assert sum(len(actors) >= 5 for actors in towns.values()) >= 3


def test_aliases_are_of_many_kinds(world: Files) -> None:
    kinds: Counter[str] = Counter()
    for item in world.items.values():
        name = label(item)
        for alias in (entry["value"] for entry in item["aliases"].get("en", ())):
            assert alias != name
            kinds["initials"] += bool(re.match(r"([A-ZČŠŽ]\. )+\w", alias))
            kinds["surname"] += " " not in alias and name.endswith(" " + alias)
            kinds["abbreviation"] += alias.isupper() and 2 <= len(alias) <= 6
            kinds["letters"] += not name.isascii() and alias.isascii()
            kinds["former"] += name[:3] != alias[:3] and item["id"] in world.items
    assert all(kinds[kind] >= 10 for kind in ("initials", "surname", "abbreviation", "letters", "former")), (
        kinds
    )


def test_names_read_like_names(world: Files) -> None:
    labels = [label(i) for i in world.items.values() if int(i["id"][1:]) > 200_000_000]
    assert len(set(labels)) > 0.93 * len(labels)
    for name in labels:
        assert not re.search(r"_|([^\d])\1\1", name), name
        assert re.match(r"[A-ZÀ-Ž0-9]", name), name


def test_qualifiers_have_hashes_that_tell_them_apart(world: Files) -> None:
    hashes: dict[str, set[str]] = defaultdict(set)
    for item in world.items.values():
        for claims in item["claims"].values():
            for snaks in (snaks for claim in claims for snaks in claim.get("qualifiers", {}).values()):
                for snak in snaks:
                    assert re.fullmatch("[0-9a-f]{40}", snak["hash"])
                    hashes[snak["hash"]].add(snak["property"] + snak["datavalue"]["value"]["time"])
    assert len(hashes) > 50
    assert {len(values) for values in hashes.values()} == {1}


def test_a_few_items_have_no_english_label_but_one_that_stands_in(world: Files) -> None:
    without = [item for item in world.items.values() if "en" not in item["labels"]]
    assert 2 <= len(without) < ENTITIES / 80
    for item in without:
        assert label(item) in world.pages[item["sitelinks"]["enwiki"]["title"]].text
