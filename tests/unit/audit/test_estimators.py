"""The formulas of capture and recapture, against published figures and formulas written independently."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.audit.completeness.captures import Capture, Captures
from rollcall.audit.completeness.estimating import chao, chao1, chao2, chapman, interval, spread_out, variance

NORMAL = 10**9  # so many clusters that Student's quantile is the normal one


def drawn(counts, sources, per_question=1):
    """Captures from the number of answers that each set of sources gave, each of its own question or not."""
    rows, number = [], 0
    for names, count in counts.items():
        for _ in range(count):
            rows.append(Capture(f"q{number // per_question}", f"a{number}", names, "g" in names))
            number += 1
    return Captures.of(rows, sources)


def histories(sources):
    parts = [itertools.combinations(sources, size) for size in range(1, len(sources) + 1)]
    return [names for part in parts for names in part]


COUNTS = {
    size: st.tuples(*[st.integers(0, 40)] * (2**size - 1)).map(
        lambda numbers, size=size: dict(zip(histories("gtlr"[:size]), numbers, strict=True))
    )
    for size in (2, 3, 4)
}


def test_chapman_is_the_textbook_example():
    # Ten marked, fifteen caught later, five of them marked: Lincoln and Petersen say 30, Chapman 28.33.
    captures = drawn({("g",): 5, ("t",): 10, ("g", "t"): 5}, "gt")
    assert len(captures.question) + chapman(captures).number == pytest.approx(11 * 16 / 6 - 1)


@given(COUNTS[2])
def test_two_sources_are_chapman_with_the_variance_of_its_delta_method(counts):
    captures = drawn(counts, "gt")
    alone, other, both = (counts[names] for names in (("g",), ("t",), ("g", "t")))
    found = chapman(captures)
    n1, n2 = alone + both, other + both
    assert alone + other + both + found.number == pytest.approx((n1 + 1) * (n2 + 1) / (both + 1) - 1)
    expected = (
        alone * (other / (both + 1)) ** 2
        + other * (alone / (both + 1)) ** 2
        + both * (alone * other / (both + 1) ** 2) ** 2
        + found.number
    )
    assert variance(captures, found.pulls, spread_out(captures, found.number)) >= expected * (1 - 1e-9) - 1e-9


@pytest.mark.parametrize(("n1", "n2", "both"), [(400, 300, 150), (900, 120, 100), (2000, 1500, 1200)])
def test_the_variance_for_single_answers_is_close_to_seber_s(n1, n2, both):
    captures = drawn({("g",): n1 - both, ("t",): n2 - both, ("g", "t"): both}, "gt")
    found = chapman(captures)
    seber = (n1 + 1) * (n2 + 1) * (n1 - both) * (n2 - both) / ((both + 1) ** 2 * (both + 2))
    single = float((found.pulls**2).sum()) + found.number
    assert single == pytest.approx(seber, rel=0.02)


@given(COUNTS[3] | COUNTS[4])
def test_chao_for_several_sources_is_his_formula(counts):
    """N = M + (f1^2 - sum Z_i^2) / (2 (f2 + 1)), written from the counts of histories."""
    sources = "".join(sorted({name for names in counts for name in names}, key="gtlr".index))
    once = [counts[(name,)] for name in sources]
    twice = sum(count for names, count in counts.items() if len(names) == 2)
    expected = (sum(once) ** 2 - sum(one**2 for one in once)) / (2 * (twice + 1))
    assert chao(drawn(counts, sources)).number == pytest.approx(expected)


@given(COUNTS[3] | COUNTS[4])
def test_chao2_is_the_bias_corrected_formula_with_its_published_variance(counts):
    sources = "".join(sorted({name for names in counts for name in names}, key="gtlr".index))
    once = sum(counts[(name,)] for name in sources)
    twice = sum(count for names, count in counts.items() if len(names) == 2)
    share = (len(sources) - 1) / len(sources)
    captures = drawn(counts, sources)
    found = chao2(captures)
    assert found.number == pytest.approx(share * once * (once - 1) / (2 * (twice + 1)))
    published = (
        share * once * (once - 1) / (2 * (twice + 1))
        + share**2 * once * (2 * once - 1) ** 2 / (4 * (twice + 1) ** 2)
        + share**2 * once**2 * twice * (once - 1) ** 2 / (4 * (twice + 1) ** 4)
    )
    if once:
        assert float((found.pulls**2).sum()) + found.number == pytest.approx(published)


def test_chao1_of_the_girdled_spiders():
    # 26 species, 12 seen once and 4 twice (Sackett et al. 2011): the bias-corrected estimate is 39.2.
    captures = drawn({("a",): 12, ("a", "b"): 4, ("a", "b", "c", "d", "e"): 10}, "abcde")
    assert 26 + chao1(captures).number == pytest.approx(39.2)


def test_the_interval_is_the_published_one_of_the_girdled_spiders():
    # iNEXT prints 43.893 with a standard error of 14.306 and the interval from 30.511 to 96.971.
    found = interval(26, 17.893, 14.306**2, NORMAL)
    assert found.low == pytest.approx(30.511, abs=2e-3)
    assert found.high == pytest.approx(96.971, abs=2e-2)


@given(COUNTS[3], st.permutations("gtl"))
def test_the_order_of_sources_does_not_matter(counts, order):
    first, second = chao(drawn(counts, "gtl")), chao(drawn(counts, order))
    assert first.number == pytest.approx(second.number)
    assert first.pulls == pytest.approx(second.pulls)


@given(COUNTS[3])
@settings(max_examples=5)
def test_pulls_are_the_derivatives(counts):
    """One more answer of a sort changes the estimate by about its pull."""
    large = {names: 150 + 5 * count for names, count in counts.items()}
    captures = drawn(large, "gtl")
    found = chao(captures)
    row = 0
    for names, count in large.items():
        more = chao(drawn({**large, names: count + 1}, "gtl")).number
        assert more - found.number == pytest.approx(found.pulls[row], rel=0.02, abs=0.02)
        row += count


def test_doubtful_answers_count_by_their_probability():
    certain = drawn({("g",): 40, ("t",): 30, ("g", "t"): 60}, "gt")
    doubtful = drawn({("g",): 40, ("t",): 60, ("g", "t"): 60}, "gt")
    halved = doubtful._replace(chance=np.where(doubtful.given[:, 0], 1.0, 0.5))
    assert chapman(halved).number == pytest.approx(chapman(certain).number)
    assert variance(halved, chapman(halved).pulls, spread_out(halved, chapman(halved).number)) > 0


def test_answers_of_a_question_that_share_their_fate_widen_the_interval():
    together = Captures.of(
        (
            Capture(
                f"q{number}",
                f"a{number}-{place}",
                ("g", "l") if number % 2 else ("g",) if place % 3 else ("t",),
            )
            for number in range(60)
            for place in range(12)
        ),
        "gtl",
    )
    apart = together._replace(question=np.arange(len(together.question)))
    found = chao(together)
    unseen = spread_out(together, found.number)
    assert variance(together, found.pulls, unseen) > 2 * variance(apart, found.pulls, unseen)


def test_chapman_takes_two_sources_only():
    with pytest.raises(RollcallError, match="two sources, not 3"):
        chapman(drawn({("g",): 1}, "gtl"))


def test_an_interval_holds_its_value_and_what_was_seen():
    for unseen, spread in ((0.5, 1.0), (20.0, 400.0), (3.0, 1e6)):
        found = interval(100, unseen, spread, 30)
        assert 100 <= found.low <= found.value <= found.high
        assert math.isfinite(found.high)
