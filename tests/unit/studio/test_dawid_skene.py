"""Dawid and Skene's estimate: what must hold of any judgments, and that it beats the majority."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.studio.agreement import Rating, dawid_skene

CATEGORIES = ("stated", "not-stated", "unclear")
ratings = st.lists(
    st.builds(Rating, st.sampled_from("abcdefgh"), st.sampled_from("xyz"), st.sampled_from(CATEGORIES)),
    min_size=1,
)


@given(ratings)
def test_probabilities_are_probabilities_and_the_objective_never_falls(given_ratings):
    found = dawid_skene(given_ratings, CATEGORIES)
    assert np.allclose(found.probabilities.sum(axis=1), 1)
    assert np.allclose(found.confusion.sum(axis=2), 1)
    assert found.shares.sum() == pytest.approx(1)
    assert all(step >= -1e-7 for step in np.diff(found.objective))


@given(ratings)
def test_other_names_of_categories_change_nothing_else(given_ratings):
    names = dict(zip(CATEGORIES, ("2", "0", "1"), strict=True))
    found = dawid_skene(given_ratings, CATEGORIES)
    renamed = dawid_skene(
        [one._replace(category=names[one.category]) for one in given_ratings], ("0", "1", "2")
    )
    places = [("0", "1", "2").index(names[one]) for one in CATEGORIES]
    assert renamed.probabilities[:, places] == pytest.approx(found.probabilities, abs=1e-5)


@given(ratings, st.sampled_from(CATEGORIES))
def test_what_is_known_stays(given_ratings, verdict):
    item = given_ratings[0].item
    found = dawid_skene(given_ratings, CATEGORIES, {item: verdict, "not judged": "stated"})
    assert found.likeliest()[item] == (verdict, 1.0)


def simulated(
    seed: int, right: list[float], items: int = 600, overlap: int = 5
) -> tuple[list[int], list[Rating]]:
    generator = np.random.default_rng(seed)
    truth = generator.integers(0, 2, items)
    told = []
    for item in range(items):
        for person in generator.choice(len(right), overlap, replace=False):
            says = truth[item] if generator.random() < right[person] else 1 - truth[item]
            told.append(Rating(str(item), f"p{person}", str(says)))
    return truth.tolist(), told


@pytest.mark.parametrize("seed", range(3))
def test_it_beats_the_majority_where_people_differ(seed):
    right = [0.95, 0.95, 0.9, 0.55, 0.55, 0.5, 0.6, 0.5]
    truth, told = simulated(seed, right)
    found = dawid_skene(told, ("0", "1"))
    best = found.likeliest()
    votes = np.zeros((len(truth), 2))
    for one in told:
        votes[int(one.item), int(one.category)] += 1
    majority = (votes.argmax(axis=1) == truth).mean()
    estimated = np.mean([int(best[str(item)][0]) == true for item, true in enumerate(truth)])
    assert estimated > majority + 0.05
    assert [found.accuracy(f"p{person}") for person in range(len(right))] == pytest.approx(right, abs=0.1)


def test_injected_items_teach_whose_word_counts():
    """One says yes to everything, one reads; where they differ, injected items decide who is believed."""
    told = [Rating(f"i{place}", "clicks", "0") for place in range(30)]
    told += [Rating(f"i{place}", "reads", "1") for place in range(30)]
    told += [Rating("a", "clicks", "0"), Rating("a", "reads", "1")]
    known = {f"i{place}": "1" for place in range(30)}
    assert dawid_skene(told, ("0", "1"), known).likeliest()["a"][0] == "1"


def test_nothing_judged_is_said():
    with pytest.raises(RollcallError, match="no judgments"):
        dawid_skene([], CATEGORIES)
    with pytest.raises(RollcallError, match="'fine' was chosen"):
        dawid_skene([Rating("a", "x", "fine")], CATEGORIES)
