"""Agreement: what must hold of every table, and that intervals hold the truth."""

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.studio.agreement import (
    LEAST_CLUSTERS,
    Rating,
    RatingTable,
    gwet,
    krippendorff,
    observed_agreement,
    rating_table,
)

CATEGORIES = ("stated", "not-stated", "unclear")
ratings = st.lists(
    st.builds(Rating, st.sampled_from("abcdefgh"), st.sampled_from("xyz"), st.sampled_from(CATEGORIES)),
    min_size=1,
)


@given(ratings)
def test_coefficients_do_not_depend_on_order_or_on_names(given_ratings):
    # Of two judgments by one person the last counts, so only one each may be shuffled.
    once = list({(one.item, one.person): one for one in given_ratings}.values())
    renamed = [Rating(f"item {one.item}", f"person {one.person}", one.category) for one in reversed(once)]
    for coefficient in (gwet, krippendorff, observed_agreement):
        first = coefficient(rating_table(once, CATEGORIES))
        again = coefficient(rating_table(renamed, CATEGORIES))
        assert first.value == pytest.approx(again.value) if first.value is not None else again.value is None


@given(st.lists(st.tuples(*[st.sampled_from(CATEGORIES)] * 2), min_size=LEAST_CLUSTERS, max_size=30), ratings)
def test_intervals_hold_their_value(pairs, given_ratings):
    paired = [
        Rating(str(item), *one) for item, pair in enumerate(pairs) for one in zip("xy", pair, strict=True)
    ]
    table = rating_table([*given_ratings, *paired], CATEGORIES)
    for coefficient in (gwet, krippendorff, observed_agreement):
        found = coefficient(table)
        if found.value is None:
            assert found.interval is None
        elif found.interval is not None:
            low, high = found.interval
            assert low <= found.value <= high <= 1 + 1e-12


@given(st.lists(st.sampled_from(CATEGORIES), min_size=2, max_size=20))
def test_full_agreement_is_one_and_leaves_doubt(chosen):
    told = [Rating(str(item), person, one) for item, one in enumerate(chosen) for person in "xy"]
    table = rating_table(told, CATEGORIES)
    assert gwet(table).value == observed_agreement(table).value == 1
    interval = gwet(table).interval
    assert interval is None if len(chosen) < LEAST_CLUSTERS else interval[0] < 1
    assert krippendorff(table).value == (1 if len(set(chosen)) > 1 else None)


@pytest.mark.parametrize("coefficient", [gwet, krippendorff, observed_agreement])
def test_few_questions_give_a_value_without_an_interval(coefficient):
    def told(questions):
        chosen = [("stated", "stated"), ("not-stated", "not-stated"), ("stated", "not-stated")]
        ratings = [
            Rating(f"{question}/{place}", person, one)
            for question in range(questions)
            for place, pair in enumerate(chosen)
            for person, one in zip("xy", pair, strict=True)
        ]
        # Questions that one person judged say nothing about agreement.
        ratings += [Rating(f"alone {number}/0", "x", "stated") for number in range(20)]
        clusters = {one.item: one.item.partition("/")[0] for one in ratings}
        return coefficient(rating_table(ratings, CATEGORIES, clusters))

    few, enough = told(LEAST_CLUSTERS - 1), told(LEAST_CLUSTERS)
    assert few.value is not None
    assert (few.interval, few.clusters, few.has_too_few) == (None, LEAST_CLUSTERS - 1, True)
    assert msgspec.to_builtins(few)["interval"] is None
    assert enough.interval is not None
    assert not enough.has_too_few


@pytest.mark.parametrize(("questions", "least", "most"), [(3, 0.0, 0.8), (LEAST_CLUSTERS, 0.85, 1.0)])
@pytest.mark.parametrize("coefficient", [gwet, krippendorff])
def test_intervals_of_fewer_questions_would_hold_the_truth_too_seldom(
    coefficient, questions, least, most, monkeypatch
):
    monkeypatch.setattr("rollcall.studio.agreement.LEAST_CLUSTERS", 2)
    generator = np.random.default_rng(1)
    truth = coefficient(differing_questions(generator, 3000)).value
    found = [coefficient(differing_questions(generator, questions)).interval for _ in range(300)]
    held = [low <= truth <= high for low, high in filter(None, found)]
    assert least <= np.mean(held) <= most


def differing_questions(generator, questions):
    """Five items of each question; questions differ in how hard they are."""
    told = []
    for question in range(questions):
        hard = generator.beta(1, 4)
        for place in range(5):
            truth = CATEGORIES[int(generator.random() > 0.8)]
            for person in "xy":
                said = truth if generator.random() > hard else str(generator.choice(CATEGORIES))
                told.append(Rating(f"{question}/{place}", person, said))
    clusters = {one.item: one.item.partition("/")[0] for one in told}
    return rating_table(told, CATEGORIES, clusters)


def test_nearly_all_right_makes_alpha_fall_and_ac1_not():
    told = [Rating(str(item), person, "stated") for item in range(100) for person in "xy"]
    told += [Rating("100", "x", "not-stated"), Rating("100", "y", "stated")]
    told += [Rating("101", "x", "stated"), Rating("101", "y", "not-stated")]
    table = rating_table(told, CATEGORIES)
    assert observed_agreement(table).value == pytest.approx(100 / 102)
    assert krippendorff(table).value < 0.01
    assert gwet(table).value > 0.97


def test_nobody_agrees_with_one_person_alone():
    found = gwet(rating_table([Rating("a", "x", "stated"), Rating("b", "x", "unclear")], CATEGORIES))
    assert (found.value, found.interval, found.items, found.people) == (None, None, 0, 1)


def test_nothing_judged_has_no_agreement():
    for coefficient in (gwet, krippendorff, observed_agreement):
        found = coefficient(rating_table([], CATEGORIES))
        assert (found.value, found.interval, found.items, found.people) == (None, None, 0, 0)


def test_a_choice_of_another_task_is_refused():
    with pytest.raises(RollcallError, match="expected one of stated, not-stated, unclear"):
        rating_table([Rating("a", "x", "fine")], CATEGORIES)


def test_items_of_one_question_are_drawn_together():
    """Twenty copies of each item are no more evidence than one, if they belong together."""
    rows = [("stated", "stated")] * 8 + [("stated", "unclear")] * 2
    alone = [
        Rating(str(item), person, one)
        for item, row in enumerate(rows)
        for person, one in zip("xy", row, strict=True)
    ]
    copied = [one._replace(item=f"{one.item}/{copy}") for one in alone for copy in range(20)]
    clusters = {one.item: one.item.partition("/")[0] for one in copied}
    once = gwet(rating_table(alone, CATEGORIES))
    together = gwet(rating_table(copied, CATEGORIES, clusters))
    apart = gwet(rating_table(copied, CATEGORIES))
    assert together.interval == pytest.approx(once.interval, abs=0.02)
    assert apart.interval[1] - apart.interval[0] < (once.interval[1] - once.interval[0]) / 2


def simulated(generator: np.random.Generator, items: int) -> RatingTable:
    """Two people who each err in 4 % of items, of which 4 % are wrong."""
    truth = (generator.random(items) < 0.04).astype(int)
    erring = generator.random((items, 2)) < 0.04
    said = np.where(erring, generator.integers(0, 3, (items, 2)), truth[:, None])
    counts = np.stack([(said == one).sum(axis=1) for one in range(3)], axis=1).astype(float)
    return RatingTable(CATEGORIES, tuple(map(str, range(items))), counts, np.arange(items), 2)


@pytest.mark.parametrize("coefficient", [gwet, krippendorff])
def test_intervals_hold_the_truth_as_often_as_they_say(coefficient):
    generator = np.random.default_rng(3)
    truth = coefficient(simulated(generator, 200_000)).value
    found = [coefficient(simulated(generator, 200)).interval for _ in range(60)]
    held = sum(low <= truth <= high for low, high in found) / len(found)
    assert 0.85 <= held <= 1
