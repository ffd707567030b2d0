"""Which names mean the same thing, on one page and across pages."""

import pytest

from rollcall.extract.merging import PageFacts, is_short_for, merge
from rollcall.extract.records import PageReading, Statement, Thing


def merged(*pages, links=()):
    """Pages as (title, things); a thing is (name, class, *other names)."""
    readings = [
        PageReading(title, tuple(Thing(name, class_, tuple(others)) for name, class_, *others in things))
        for title, things in pages
    ]
    facts = {
        title: PageFacts(title, tuple(links) if not number else ()) for number, (title, _) in enumerate(pages)
    }
    return merge(readings, facts, lambda one, other: one == other)


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("moss", "ada moss"),
        ("a. moss", "ada moss"),
        ("j. r. pell", "jonas robert pell"),
        ("nordwerk", "nordwerk ag"),
        ("fsf", "free software foundation"),
        ("who", "world health organization"),
        ("ada", "ada moss"),
    ],
)
def test_short_forms(short, full):
    assert is_short_for(short, full)


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("york", "new york"),
        ("london", "university of london"),
        ("university", "university of london"),
        ("b. moss", "ada moss"),
        ("moss", "moss"),
        ("ada moss", "ada pell"),
        ("wales", "prince of wales"),
        ("albany", "albany county"),
    ],
)
def test_no_short_forms(short, full):
    assert not is_short_for(short, full)


def test_case_articles_and_short_forms_of_one_page_are_one():
    found = merged(
        ("Page", [("Ada Moss", "person"), ("Moss", "person"), ("ADA MOSS", "person"), ("A. Moss", "person")]),
        ("Other", [("The Tarn Waterworks", "company"), ("Tarn Waterworks", "company")]),
    )
    assert len(found.entities) == 2
    assert found.entity_of("Page", "Moss") == found.entity_of("Page", "ada moss") == "Ada Moss"
    assert set(found.by_id["Ada Moss"].aliases) == {"A. Moss", "ADA MOSS", "Moss"}


def test_names_between_which_something_is_said_are_two():
    said = Statement("Games", "part of", "Winter Games", 0)
    things = (Thing("Winter Games", "event"), Thing("Games", "event"))
    for statements, expected in (((said,), 2), ((), 1)):
        reading = PageReading("Page", things, statements)
        found = merge([reading], {"Page": PageFacts("Page")}, lambda one, other: one == other)
        assert len(found.entities) == expected


def test_a_short_form_of_two_names_is_neither():
    found = merged(("Page", [("Ada Moss", "person"), ("Ida Moss", "person"), ("Moss", "person")]))
    assert len(found.entities) == 3


def test_full_names_are_one_across_pages_and_family_names_are_not():
    found = merged(
        ("One", [("Ada Moss", "person"), ("Moss", "person")]),
        ("Two", [("ada moss", "person")]),
        ("Three", [("Moss", "person")]),
    )
    assert found.entity_of("One", "Moss") == found.entity_of("Two", "Ada Moss") == "Ada Moss"
    assert found.entity_of("Three", "Moss") != "Ada Moss"


def test_homonyms_of_other_classes_stay_apart():
    found = merged(
        ("One", [("Mercury", "planet")]),
        ("Two", [("Mercury", "element")]),
        ("Three", [("mercury", "planet")]),
    )
    assert found.entity_of("One", "Mercury") == found.entity_of("Three", "Mercury")
    assert found.entity_of("One", "Mercury") != found.entity_of("Two", "Mercury")
    assert {entity.label for entity in found.entities} == {"Mercury"}


def test_titles_tell_namesakes_apart():
    found = merged(
        ("John Pell (priest)", [("John Pell", "person")]),
        ("John Pell (sailor)", [("John Pell", "person")]),
        ("Elsewhere", [("John Pell", "person")]),
    )
    ids = {
        found.entity_of(page, "John Pell")
        for page in ("John Pell (priest)", "John Pell (sailor)", "Elsewhere")
    }
    assert len(ids) == 3
    assert found.topics()["John Pell (sailor)"] == "John Pell (sailor)"
    assert found.by_id["John Pell (sailor)"].label == "John Pell"


def test_a_link_says_who_is_meant():
    found = merged(
        ("Page", [("Pell", "person")]),
        ("Jonas Pell", [("Jonas Pell", "person")]),
        links=[("Pell", "Jonas Pell")],
    )
    assert found.entity_of("Page", "Pell") == "Jonas Pell"


def test_another_name_that_only_one_thing_has_is_known_elsewhere():
    found = merged(
        ("One", [("Free Software Foundation", "company", "FSF")]),
        ("Two", [("FSF", "company")]),
        ("Three", [("FSF", "person")]),
    )
    assert found.entity_of("Two", "FSF") == "Free Software Foundation"
    assert found.entity_of("Three", "FSF") != "Free Software Foundation"


def test_the_order_of_pages_changes_nothing():
    pages = [
        ("One", [("Nordwerk AG", "company"), ("Nordwerk", "company")]),
        ("Two", [("Nordwerk", "company"), ("Veld", "place")]),
        ("Veld", [("Veld", "place"), ("nordwerk ag", "company")]),
    ]
    found, other = merged(*pages), merged(*reversed(pages))
    assert found.entities == other.entities
    assert len(found.entities) == 2
