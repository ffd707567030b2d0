"""The vocabulary of worlds: its files agree with each other, and mistakes in them are explained."""

from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.world import _vocabulary
from rollcall.world._vocabulary import (
    CLASSES,
    CONCEPTS,
    DECOYS,
    FILLERS,
    GROUPS,
    KIND,
    KINDS,
    LISTS,
    OF_KIND,
    PROFESSIONS,
    RELATIONS,
    UNITS,
    EntityKind,
)

SLOTS = {
    "S",
    "O",
    "S's",
    "O's",
    "a O",
    "on",
    "date",
    "start",
    "end",
    "is",
    "has",
    "he",
    "his",
    "him",
    "himself",
}
VALUES = {"coordinates", "external"}
"""Sources that give values, although their relations name objects."""
NAMED_BY_CODE = {"continent", "country", "language", "position", "human"}


def test_every_file_of_relations_is_read():
    files = sorted(
        path.stem for path in (Path(_vocabulary.__file__).with_name("data") / "relations").iterdir()
    )
    assert files == sorted(_vocabulary._RELATION_FILES)
    assert len({relation.key for relation in RELATIONS}) == len(RELATIONS)


def test_relations_name_kinds_professions_groups_and_units_that_exist():
    professions = {profession.name for profession in PROFESSIONS}
    for relation in RELATIONS:
        literals = [relation.amount, relation.date, relation.words]
        assert sum(map(bool, [relation.objects, *literals])) == 1, relation.key
        assert set(relation.subjects) <= set(KIND), relation.key
        assert set(relation.professions) <= professions, relation.key
        assert relation.section < min(len(KIND[kind].sections) for kind in relation.subjects), relation.key
        if relation.amount is not None:
            units = {relation.amount.unit, *(unit for unit, _ in relation.amount.others)} - {""}
            assert units <= set(UNITS), relation.key
        for option in relation.objects:
            kind, _, between = option.partition(":")
            assert option in VALUES or kind.removeprefix("*") in (GROUPS if kind[0] == "*" else KIND), option
            assert not between or set(between.split("..")) <= professions, option
        for wording in (*relation.wordings, *relation.past_wordings, *relation.decoy_wordings):
            assert all(slot in SLOTS or "/" in slot for slot in wording.slots), wording


def test_kinds_concepts_and_lists_refer_to_each_other():
    works = {kind.name for kind in KINDS if kind.tier == "work"}
    for kind in KINDS:
        assert set(kind.classes) <= set(CLASSES)
        assert kind.tier in DECOYS
        assert kind.fillers in FILLERS
        assert kind.names or kind.name in NAMED_BY_CODE | works
    assert {row.above for row in CLASSES.values()} <= {*CLASSES, None}
    assert {concept.class_id for concept in CONCEPTS} <= set(CLASSES)
    ids = {concept.id for concept in CONCEPTS}
    assert {id_ for profession in PROFESSIONS for id_ in (profession.id, *profession.others)} <= ids
    for listing in LISTS:
        known = {relation.id for relation in OF_KIND[listing.rows]}
        assert {listing.relation, *(id_ for _, id_ in listing.columns)} - known <= {"P17"}, listing.title


def test_a_mistake_in_a_data_file_is_one_line_with_the_place(tmp_path, monkeypatch):
    monkeypatch.setattr(_vocabulary, "_FOLDER", tmp_path)
    good = 'name = "film"\ntier = "work"\nclasses = ["Q11424"]\nshare = 0.1\n'
    (tmp_path / "kind.toml").write_text(good)
    assert _vocabulary.table_of("kind.toml", EntityKind).share == 0.1
    for text, words in (
        (good + "colour = 1\n", "colour is not a known key"),
        (good.replace("0.1", '"many"'), "share must be a number"),
        (good.replace("0.1", ""), "line 4"),
    ):
        (tmp_path / "kind.toml").write_text(text)
        with pytest.raises(RollcallError) as raised:
            _vocabulary.table_of("kind.toml", EntityKind)
        assert "kind.toml" in str(raised.value)
        assert words in str(raised.value)
        assert "\n" not in str(raised.value)
