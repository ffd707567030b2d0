"""Estimates of completeness from captures that are drawn from known truth."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.audit.completeness import Captures, estimate
from rollcall.audit.completeness.captures import Capture, dependences
from rollcall.questions import Question

TRUE = 40


def drawn(seed, questions=60, chances=(0.8, 0.7, 0.5), ratio=1.0, relations=("P1", "P2")):
    """Questions with so many true answers each, and which of three sources has each; the graph is the gold.

    `ratio` is the odds ratio between the first two sources.
    """
    chance = np.random.default_rng(seed)
    rows, asked = [], []
    odds = ratio * chances[1] / (1 - chances[1])
    for number in range(questions):
        relation = relations[number % len(relations)]
        asked.append(Question(f"q{number}", kind="simple", characteristics={"relations": [relation]}))
        for place in range(TRUE):
            graph = chance.random() < chances[0]
            text = chance.random() < (odds / (1 + odds) if graph else chances[1])
            lists = chance.random() < chances[2]
            given = [name for name, has in (("graph", graph), ("text", text), ("lists", lists)) if has]
            rows.append(Capture(f"q{number}", f"{number}-{place}", given, graph))
    return asked, Captures.of(rows, ("graph", "text", "lists"))


@pytest.mark.parametrize("sources", [("graph", "text"), ("graph", "lists"), ("graph", "text", "lists")])
def test_intervals_of_independent_sources_hold_the_truth(sources):
    held = []
    for seed in range(100):
        asked, captures = drawn(seed, questions=20)
        report = estimate(asked, captures.with_sources(sources))
        low, high = report.completeness.ends
        held.append(low <= captures.gold.sum() / (20 * TRUE) <= high)
    assert sum(held) >= 90


def test_a_list_that_has_all_answers_of_a_question_or_none_is_no_reason_for_confidence():
    """Captures by whole questions: an interval that took answers for independent would hold in under half."""
    held = []
    for seed in range(100):
        asked, captures = drawn(seed, questions=30)
        has = np.random.default_rng(1000 + seed).random(30) < 0.5
        given = captures.given.copy()
        given[:, 2] = has[captures.question]
        report = estimate(asked, captures._replace(given=given).with_sources(("graph", "lists")))
        low, high = report.completeness.ends
        held.append(low <= captures.gold.sum() / (30 * TRUE) <= high)
    assert sum(held) >= 90


def test_sources_that_depend_make_too_few_look_missing_and_a_third_source_shows_it():
    asked, captures = drawn(1, questions=200, ratio=4.0)
    gold = captures.gold.sum() / (200 * TRUE)
    two = estimate(asked, captures.with_sources(("graph", "text")))
    assert two.completeness.low > gold
    (shown,) = [one for one in dependences(captures) if one.sources == ("graph", "text")]
    assert 2 < shown.odds_ratio < 6
    assert shown.low > 1
    assert "too few" in shown.text
    independent = dependences(drawn(2, questions=200)[1])
    assert all("do not visibly depend" in one.text for one in independent)


def test_relations_and_kinds_have_figures_of_their_own():
    asked, captures = drawn(3)
    weak = np.array([number % 2 == 1 for number in range(60)])[captures.question]
    chance = np.random.default_rng(5).random(len(weak))
    given = captures.given.copy()
    given[:, 0] &= ~(weak & (chance < 0.5))
    report = estimate(asked, captures._replace(given=given, gold=given[:, 0]))
    by = report.completeness.by
    assert by["relation"]["P2"].high < by["relation"]["P1"].low
    assert by["kind"]["simple"].estimate == pytest.approx(report.completeness.estimate)
    assert by["relation"]["P1"].questions == 30


@given(st.permutations(range(12)))
@settings(max_examples=10)
def test_the_order_of_rows_and_questions_does_not_matter(order):
    asked, captures = drawn(4, questions=12)
    rows = np.concatenate([np.flatnonzero(captures.question == number) for number in order])
    moved = captures._replace(
        question=captures.question[rows],
        answer=captures.answer[rows],
        given=captures.given[rows],
        gold=captures.gold[rows],
        chance=captures.chance[rows],
    )
    first, second = estimate(asked, captures), estimate([asked[number] for number in order], moved)
    assert first.total == pytest.approx(second.total)
    assert first.completeness.low == pytest.approx(second.completeness.low)


def test_a_complete_set_is_said_to_be_complete_with_room_for_chance():
    rows = [Capture(f"q{number}", f"a{number}", ("graph", "text"), True) for number in range(50)]
    report = estimate([], Captures.of(rows, ("graph", "text")))
    assert report.completeness.estimate == 1
    assert 0.7 < report.completeness.low < 1


def test_sources_that_never_meet_are_an_error_that_says_what_to_do():
    rows = [Capture("q", "a", ("graph",), True), Capture("q", "b", ("text",))]
    with pytest.raises(RollcallError, match="two sources that overlap"):
        estimate([], Captures.of(rows, ("graph", "text")))


def test_an_unknown_method_is_an_error_that_names_all():
    asked, captures = drawn(6, questions=2)
    with pytest.raises(RollcallError, match="auto, chapman, chao, chao2, chao1"):
        estimate(asked, captures, method="petersen")


def test_relations_that_sources_know_unequally_well_are_no_dependence():
    """A relation that graph and text know well beside one that both know badly: estimated apart, no bias."""
    good, bad = (
        drawn(7, 50, (0.95, 0.95, 0.5), relations=("P1",)),
        drawn(8, 50, (0.5, 0.5, 0.5), relations=("P2",)),
    )
    rows = [
        Capture(
            f"{name}{asked[number].id}",
            f"{name}{answer}",
            [one for one, has in zip("gt", given, strict=True) if has],
            gold,
        )
        for name, (asked, captures) in (("a", good), ("b", bad))
        for number, answer, given, gold in zip(
            captures.question.tolist(),
            captures.answer.tolist(),
            captures.given[:, :2].tolist(),
            captures.gold.tolist(),
            strict=True,
        )
    ]
    questions = [
        Question(f"{name}{one.id}", characteristics=one.characteristics)
        for name, (asked, _captures) in (("a", good), ("b", bad))
        for one in asked
    ]
    report = estimate(questions, Captures.of(rows, "gt"))
    assert report.total_low <= 100 * TRUE <= report.total_high
    assert estimate([], Captures.of(rows, "gt")).total_high < 100 * TRUE  # all in one
