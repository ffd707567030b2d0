"""Dates, numbers and comparisons in questions: every value that can be written is read back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall.query import Date, number
from rollcall.systems.ask.values_in_text import values_in
from rollcall.text.words import MONTHS

_DATES = st.builds(
    Date,
    st.integers(1000, 2999),
    st.integers(1, 12),
    st.integers(1, 28),
    st.sampled_from(["day", "month", "year"]),
)


def read(text: str) -> list[tuple[str, str]]:
    return [(one.value.text, one.comparator) for one in values_in(text)]


@given(_DATES)
def test_a_date_is_read_as_people_write_it(date):
    assert (date.text, "=") in read(f"who was born on {date} in Ostrell")
    assert (date.text, "<") in read(f"films before {date}?")


@given(st.integers(1, 28), st.integers(1, 12), st.integers(1000, 2999))
def test_a_day_is_read_with_its_month_first_too(day, month, year):
    expected = Date(year, month, day).text
    assert read(f"on {MONTHS[month - 1]} {day}, {year}") == [(expected, "=")]
    assert read(f"on {MONTHS[month - 1][:3].lower()} {day} {year}") == [(expected, "=")]


@given(st.integers(0, 10**12), st.sampled_from(["", "metres", "km", "feet", "minutes", "kg"]))
def test_a_number_is_read_with_its_unit_and_its_commas(amount, unit):
    expected = number(amount, unit or None).text
    for written in (f"{amount:,}", str(amount)):
        assert (expected, ">") in read(f"mountains over {written} {unit}".strip())


@given(st.text())
def test_any_text_has_values_or_none(text):
    for one in values_in(text):
        assert 0 <= one.start < one.end <= len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("born in the 1960s", [("@196X", "=")]),
        ("in the 19th century", [("@18XX", "=")]),
        ("in 44 BC", [("@-0043", "=")]),
        ("more than 3 million people", [("3000000", ">")]),
        ("at least five children", [("5", ">=")]),
        ("no more than 12 floors", [("12", "<=")]),
        ("films made before 1990", [("@1990", "<")]),
        ("since the year 1990", [("@1990", ">=")]),
        ("over 1990", [("1990", ">"), ("@1990", ">")]),
        ("in or after May 1960", [("@1960-05", ">=")]),
        ("2001-05-17 or later", [("@2001-05-17", ">=")]),
        ("taller than 8848m", [("8848[Q11573]", ">")]),
        ("before 1990", [("@1990", "<")]),
        ("a house in Pell", []),
    ],
)
def test_comparisons(text, expected):
    assert read(text) == expected
