"""How weights are learned: gradients against differences, AdaGrad against a second writing of it, rewards."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rollcall.papers.semantic_parsers.alignment import (
    AlignedWords,
    Alignment,
    Gold,
    GraphReading,
    TrainingQuestion,
)
from rollcall.papers.semantic_parsers.jacana import Labelled, chances
from rollcall.papers.semantic_parsers.learning import AdaGrad, FeatureRows, gradient, objective, pulls, shares
from rollcall.papers.semantic_parsers.parasempre import CanonicalUtterances
from rollcall.query import parse_value
from rollcall.questions import Answer
from rollcall.systems.ask.forms import ComparisonForm, Constant, Function, Hop, JoinedForms, Members
from toy_asking import toy_asking_graph, toy_questions

FEATURES = [{"a": 1.0, "b": -0.5}, {"b": 2.0}, {"a": 0.3, "c": 1.0}, {}]
REWARDS = np.array([0.0, 1.0, 0.4, 0.0])


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    with toy_asking_graph(tmp_path_factory.mktemp("toy") / "graph") as opened:
        yield opened


def scores_at(weights: dict[str, float]) -> np.ndarray:
    return np.array([sum(weights[name] * value for name, value in one.items()) for one in FEATURES])


def test_the_gradient_of_the_expected_reward_is_that_of_finite_differences():
    weights, little = {"a": 0.7, "b": -0.2, "c": 0.1}, 1e-6
    found = gradient(FEATURES, scores_at(weights), REWARDS)
    for name in weights:
        ends = [
            objective(scores_at({**weights, name: weights[name] + sign * little}), REWARDS)
            for sign in (1, -1)
        ]
        assert found[name] == pytest.approx((ends[0] - ends[1]) / (2 * little), abs=1e-6)


def test_without_a_reward_nothing_is_pulled():
    assert not pulls(np.array([1.0, 2.0]), np.zeros(2)).any()
    assert shares(np.array([1000.0, 1000.0])).tolist() == [0.5, 0.5]


def test_rows_give_the_same_scores_and_step_as_features_by_name():
    by_name, by_row = AdaGrad(0.1, 0.01), AdaGrad(0.1, 0.01)
    rows = FeatureRows.of(FEATURES, by_row)
    for _ in range(5):
        named = by_name.named()
        scores = np.array([sum(named.get(n, 0.0) * v for n, v in one.items()) for one in FEATURES])
        assert rows.scores(by_row.values) == pytest.approx(scores, abs=1e-6)
        by_name.step(gradient(FEATURES, scores, REWARDS))
        rows.step(by_row, pulls(rows.scores(by_row.values), REWARDS))
    assert by_row.named() == pytest.approx(by_name.named(), abs=1e-6)


def test_the_gradient_of_the_logistic_regression_is_that_of_finite_differences():
    optimiser = AdaGrad(0.1, 0.0)
    one = Labelled(FeatureRows.of(FEATURES, optimiser), np.array([1.0, 0, 2, 0]), np.array([1.0, 3, 4, 2]), 3)
    up, down = one.right / 3, (one.sizes - one.right) / 7

    def likelihood(sums: np.ndarray) -> float:
        found = chances(sums)
        return float((up * np.log(found) + down * np.log(1 - found)).sum())

    sums, little = np.array([0.3, -0.4, 0.1, 0.9]), 1e-6
    for place, pull in enumerate(one.pulls(chances(sums)).tolist()):
        step = little * np.eye(4)[place]
        difference = (likelihood(sums + step) - likelihood(sums - step)) / (2 * little)
        assert pull == pytest.approx(difference, abs=1e-6)


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.floats(-3, 3), max_size=3), max_size=12))
def test_adagrad_is_the_formula_one_weight_at_a_time(steps):
    rate, penalty = 0.2, 0.05
    weights, squares = dict.fromkeys("abc", 0.0), dict.fromkeys("abc", 0.0)
    optimiser = AdaGrad(rate, penalty)
    for step in steps:
        optimiser.step(step)
        for name in weights:
            slope = step.get(name, 0.0)
            squares[name] += slope**2
            if squares[name] > 0:
                pace = rate / math.sqrt(squares[name])
                moved = weights[name] + pace * slope
                weights[name] = math.copysign(max(abs(moved) - pace * penalty, 0.0), moved)
    found = optimiser.named()
    for name, weight in weights.items():
        assert found.get(name, 0.0) == pytest.approx(weight, abs=1e-9)


def test_a_penalty_makes_weights_zero_that_are_not_needed():
    optimiser = AdaGrad(0.1, 0.5)
    optimiser.step({"rare": 1.0})
    for _ in range(20):
        optimiser.step({"needed": 1.0})
    assert set(optimiser.named()) == {"needed"}


def test_more_features_than_there_is_room_for_find_room():
    optimiser = AdaGrad(0.1, 0.0)
    optimiser.step({f"feature {one}": 1.0 for one in range(5000)})
    assert len(optimiser.named()) == 5000


def test_a_reward_is_the_f1_of_the_answers(graph):
    index = graph.index
    people = [index.entity_number(f"X{name}") for name in ("UllaVarn", "PetrVarn", "ImreVarn")]
    gold = Gold(index, [Answer("Ulla Varn", "XUllaVarn"), Answer("Petr Varn", "XPetrVarn")])
    assert gold.reward(np.array(sorted(people), dtype=index.dtype)) == pytest.approx(0.8)
    assert gold.reward(np.array(sorted(people[:2]), dtype=index.dtype)) == 1.0
    assert gold.reward(np.array(sorted(people[2:]), dtype=index.dtype)) == 0.0
    assert Gold(index, [Answer("ulla varn")]).reward(np.array(people[:1], dtype=index.dtype)) == 1.0
    year = index.literal_number(parse_value("@1950").text)
    assert Gold(index, [Answer("1950")]).reward(np.array([year], dtype=index.dtype)) == 1.0
    count = Gold(index, [Answer("1,200")])
    assert (count.reward_of_count(1200), count.reward_of_count(12)) == (1.0, 0.0)


def test_words_align_with_relations_that_lead_to_answers_but_not_by_their_own_cluster(graph):
    parts = GraphReading(graph, "labels")
    training_set = [
        TrainingQuestion(
            one.id, parts.questions.read(one.question), Gold(graph.index, one.answers), one.cluster
        )
        for one in toy_questions()
    ]
    director, producer = (2 * graph.index.relation_number(one) for one in ("P1", "P2"))
    alignment = Alignment.learned(training_set, parts.hops)
    funded = next(w.root for w in training_set[1].reading.words if w.folded == "funded")
    assert alignment.whole.lift(funded, producer) > 2 * alignment.whole.lift(funded, director)
    alone = Alignment.learned(training_set[:1], parts.hops)
    shot = next(w.root for w in training_set[0].reading.words if w.folded == "shot")
    assert alone.whole.lift(shot, director) > 0.0
    assert alone.without(training_set[0].group).lift(shot, director) == 0.0
    assert alone.without(training_set[0].group).seen_with(shot) == []
    stored = Alignment.opened(alignment.table(graph.index), graph.index)
    assert stored.whole.lift(funded, producer) == pytest.approx(alignment.whole.lift(funded, producer))


def test_what_never_came_together_has_no_lift():
    assert AlignedWords({"": {1: 2.0}, "a": {1: 2.0}}).lift("b", 1) == 0.0


def test_queries_are_said_by_the_labels_of_their_relations(graph):
    index = graph.index
    said = CanonicalUtterances(index, GraphReading(graph, "labels").phrases)
    person = Constant(index.entity_number("XUllaVarn"))
    director, birth, release = (index.relation_number(one) for one in ("P1", "P3", "P4"))
    films, shot = Members(index.class_number("Q1")), Hop(person, director, 1)
    assert said.of(Hop(person, birth, 0)) == "what is the place of birth of X"
    assert said.of(JoinedForms("and", films, shot)) == "what film has director X"
    assert (
        said.of(Hop(Hop(person, director, 1), director, 0)) == "what is the director of what has director X"
    )
    assert said.of(Function("count", JoinedForms("and", films, shot))) == "how many film has director X"
    assert said.of(Function("argmax", films, release)) == "what film has the greatest release date"
    early = ComparisonForm(release, "<", parse_value("@1960"))
    assert said.of(JoinedForms("and", films, early)) == "what film has release date less than X"
