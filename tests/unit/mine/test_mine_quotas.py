"""Quotas are whole, are met where what was mined allows it, and say what is short where it does not."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.mine.commonness import name_bins, number_bins
from rollcall.mine.templates import unfilled_bins
from rollcall.mine.templates.quotas import Quotas, apportioned

shares = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 50), min_size=1)
pools = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), max_size=60)


@given(st.integers(1, 500), shares)
def test_numbers_add_up_and_follow_the_shares(total, wanted):
    counts = apportioned(total, wanted, "edges")
    assert sum(counts.values()) == total
    for bin_, count in counts.items():
        assert abs(count - total * wanted[bin_] / sum(wanted.values())) < 1


@given(st.integers(1, 30), shares.map(lambda s: {k: v for k, v in s.items() if k in "ab"} or {"a": 1}), pools)
def test_no_bin_overflows_and_nothing_more_fits(total, first, pool):
    quotas = Quotas(total, {"one": first, "two": {"x": 1, "y": 2, "z": 1}})
    chosen = quotas.choose(pool)
    assert len(set(chosen)) == len(chosen) <= total
    for place, dimension in enumerate(quotas.dimensions):
        counts = Counter(pool[number][place] for number in chosen)
        assert all(count <= quotas.wanted[dimension].get(bin_, 0) for bin_, count in counts.items())
    left = [pool[number] for number in range(len(pool)) if number not in chosen]
    have = [Counter(pool[number][place] for number in chosen) for place in range(2)]
    for bins in left:
        places = enumerate(zip(quotas.dimensions, bins, strict=True))
        assert min(quotas.wanted[d].get(b, 0) - have[p][b] for p, (d, b) in places) <= 0


CELLS = [(one, two) for one in "ab" for two in "xyz"]
counts = st.lists(st.integers(0, 8), min_size=len(CELLS), max_size=len(CELLS))


@given(counts, counts)
def test_quotas_taken_from_a_part_of_the_pool_are_met(part, more):
    """Whatever the quotas are the margins of is found again among other members that came before."""
    wanted = [cell for cell, count in zip(CELLS, part, strict=True) for _ in range(count)]
    others = [cell for cell, count in zip(CELLS, more, strict=True) for _ in range(count)]
    if wanted:
        margins = [Counter(bins[place] for bins in wanted) for place in range(2)]
        quotas = Quotas(len(wanted), {"one": margins[0], "two": margins[1]})
        assert len(quotas.choose(others + wanted)) == len(wanted)


def test_a_dead_end_is_left_by_an_exchange():
    """Taking what is plentiful first would leave the rare combination without a place."""
    pool = [("a", "x")] * 3 + [("a", "y"), ("b", "x")]
    quotas = Quotas(2, {"one": {"a": 1, "b": 1}, "two": {"x": 1, "y": 1}})
    assert sorted(pool[number] for number in quotas.choose(pool)) == [("a", "y"), ("b", "x")]
    assert quotas.shortfalls([("a", "y"), ("b", "x")], pool) == []


def test_a_shortfall_says_how_far_it_got():
    quotas = Quotas(4, {"edges": {"1": 1, "2": 1}})
    pool = [("1",)] * 5 + [("2",)]
    (short,) = quotas.shortfalls([pool[number] for number in quotas.choose(pool)], pool)
    assert short == ("edges", "2", 2, 1, 1)


def test_what_is_unfilled_says_which_other_quota_was_full():
    quotas = Quotas(4, {"edges": {"1": 1, "2": 1}, "answers": {"1": 3, ">1": 1}})
    pool = [("1", "1")] * 9 + [("2", "1")] * 3 + [("1", "")]
    chosen = [0, 9, 10]
    repeated = {("answers", ">1"): {"found before": 7}}
    several, one_edge = unfilled_bins(quotas, pool, chosen, repeated, {("edges", "1"): {"no answer": 5}})
    assert str(several) == "answers >1: 0 of 1: 0 candidates fell into it; besides 7 found before"
    told = "9 left over; full were answers 1 (8); in no bin of answers (1)"
    assert str(one_edge) == f"edges 1: 1 of 2: 10 candidates fell into it; {told}"


@pytest.mark.parametrize(
    ("bins", "value", "expected"),
    [
        (["1", ">1"], 1, "1"),
        (["1", ">1"], 7, ">1"),
        (["1-3", "4-9"], 4, "4-9"),
        (["[-40,-30)", "[-30,-20)"], -30, "[-30,-20)"),
        (["[-40,-30)"], -41, None),
        (["2", "other"], 9, "other"),
    ],
)
def test_numbers_fall_into_bins(bins, value, expected):
    assert number_bins(bins, "edges")(value) == expected


def test_names_fall_into_bins_and_mistakes_are_told():
    assert name_bins(["film", "other"])(["Q11424", "film"]) == "film"
    assert name_bins(["film"])(["Q5", "human"]) is None
    with pytest.raises(RollcallError, match="not a bin for edges"):
        number_bins(["many"], "edges")
    with pytest.raises(RollcallError, match="quota for edges"):
        Quotas(5, {"edges": {"1": 0}})
