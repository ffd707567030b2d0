"""Values in text: the ways of writing that state a value, and near misses that do not."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall.evidence.values import ValueMatcher, find_dates, states_date
from rollcall.query import Date, parse_value
from rollcall.text.name_forms import plain

STATED = [
    ("@1960-05-17", "born on 17 May 1960 in Marl"),
    ("@1960-05-17", "on May 17, 1960, he left"),
    ("@1960-05-17", "the 17th of May 1960"),
    ("@1960-05-17", "1960-05-17"),
    ("@1960-05-17", "from 15 to 17 May 1960"),
    ("@1960-05", "in May 1960"),
    ("@1960-05", "on 3 May 1960"),
    ("@1960", "since 1960."),
    ("@1960", "from 1955–1960"),
    ("@1965", "the season 1964–65"),
    ("@196X", "in the 1960s"),
    ("@196X", "in 1963"),
    ("@18XX", "in the 19th century"),
    ("@18XX", "nineteenth-century art"),
    ("@-0043", "killed in 44 BC"),
    ("@0018", "in AD 18"),
    ("8848[Q11573]", "is 8,848 metres high"),
    ("8848[Q11573]", "is 8.848 km high"),
    ("8848[Q11573]", "is 29,029 ft high"),
    ("120[Q828224]", "is 120 kilometres (75 mi) long"),
    ("120[Q828224]", "a 75-mile road"),
    ("2.01[Q11573]", "he is 6 ft 7 in tall"),
    ("38[Q712226]", "covers 38 km²"),
    ("12[Q11229]", "12 per cent"),
    ("1234567", "1.2 million people"),
    ("1234567", "1,234,567 people"),
    ("7", "seven children"),
    ("21", "twenty-one ships"),
    ("3", "finished 3rd"),
    ("1500000[Q4917]", "$1.5 million"),
    ("@(13.08,-33.99)", "at 13.08° N, 33.99° W"),
]
NOT_STATED = [
    ("@1960-05-17", "born in 1960"),
    ("@1960-05-17", "born in May 1960"),
    ("@1960-05-17", "on 18 May 1960"),
    ("@1960", "1,960 people"),
    ("@1960", "in the 1960s"),
    ("@-0043", "in the year 44"),
    ("8848[Q11573]", "is 8,848 feet high"),
    ("8848[Q11573]", "is 8,849 metres high"),
    ("8848[Q11573]", "8,848 people"),
    ("17", "on 17 May 1960"),
    ("5", "5.3 children"),
    ("5", "15 children"),
    ("5", "5 km"),
    ("5[Q218593]", "he came 5 in all years"),
    ("1900000", "2 million"),
    ("@(13.08,-33.99)", "at 13.08° S, 33.99° W"),
]


def stated(value, text):
    matcher = ValueMatcher()
    matcher.add(parse_value(value), 0)
    return bool(matcher.find(plain(text)))


@pytest.mark.parametrize(("value", "text"), STATED)
def test_stated(value, text):
    assert stated(value, text)


@pytest.mark.parametrize(("value", "text"), NOT_STATED)
def test_not_stated(value, text):
    assert not stated(value, text)


@given(st.dates(min_value=date(1000, 1, 1)))
def test_every_date_is_read_back_from_both_orders(day):
    wanted = Date(day.year, day.month, day.day)
    for text in (
        f"{day.day} {day:%B} {day.year}",
        f"{day:%B} {day.day}, {day.year}",
        f"{day:%b} {day.day}, {day.year}",
    ):
        assert any(states_date(wanted, found.date) for found in find_dates(f"On {text} it began.")), text


@given(st.integers(0, 10**9))
def test_whole_numbers_are_read_back_with_and_without_commas(number):
    assert stated(str(number), f"It counted {number:,} people.")
    assert stated(str(number), f"It counted {number} people.")
    assert not stated(str(number + 1), f"It counted {number:,} people.")
