"""Schemas: what is read, what is refused and where, and what fits what."""

import pytest

from pump_documents import SCHEMA
from rollcall import RollcallError
from rollcall.extract import read_schema
from rollcall.extract.records import schema_text, write_schema


def schema_of(tmp_path, text=SCHEMA):
    path = tmp_path / "schema.yaml"
    path.write_text(text)
    return read_schema(path)


def test_names_are_found_in_any_case_and_by_id(tmp_path):
    schema = schema_of(tmp_path)
    assert schema.class_of("Company") == "company"
    assert schema.relation_of("founded_by") == schema.relation_of("P112") == "founded by"
    assert schema.relation_id("founded by") == "P112"
    assert schema.relation_id("makes") == "makes"
    assert schema.relation_of("sold by") is None
    assert schema.relations["founded in"].is_literal


def test_a_part_of_a_class_stands_for_it_and_other_classes_do_not(tmp_path):
    text = SCHEMA.replace("relations:", "  bank: {meaning: a bank, parent: company}\nrelations:")
    schema = schema_of(tmp_path, text)
    assert schema.fits("bank", "company")
    assert schema.fits("company", "bank")
    assert not schema.fits("bank", "person")


def test_what_is_written_is_read_again(tmp_path):
    schema = schema_of(tmp_path)
    write_schema(schema, tmp_path / "again.yaml")
    assert schema_text(read_schema(tmp_path / "again.yaml")) == schema_text(schema)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("object: product", "object: produkt", ":9: makes: its object produkt is not a class"),
        ("subject: product", "subject: date", ":10: designed by: its subject date is not a class"),
        ("  place: a town", "  place: {parent: region}", ":5: place: its parent region is not a class"),
        ("  place: a town", "  place: a town\n  Place: a site", ":6: Place: appears twice"),
        ("classes:", "kinds:", "kinds is not a known key"),
        ("{subject: company, object: date}", "{subject: company}", "object is missing in relations"),
        (SCHEMA, "- company", "is not a schema"),
        (SCHEMA, "classes: [", "not YAML"),
        (SCHEMA, "classes: {}\nrelations: {}", "at least one class"),
    ],
)
def test_a_mistake_is_named_with_its_place(tmp_path, old, new, said):
    assert old in SCHEMA
    with pytest.raises(RollcallError) as told:
        schema_of(tmp_path, SCHEMA.replace(old, new, 1))
    assert said in str(told.value)
    assert str(tmp_path / "schema.yaml") in str(told.value)
    assert "\n" not in str(told.value)
