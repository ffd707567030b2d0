"""Bounds without labels hold whatever is missing, and are no wider than they must be."""

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rollcall
from rollcall import RollcallError
from rollcall.questions import Answer, Candidate, Question
from rollcall.score.incomplete.bounds import bounds
from rollcall.score.incomplete.counts import NAMES, Counts, MissingGroup, Name, rated
from rollcall.score.incomplete.differences import SharedErrors, difference_bounds

SMALL = 1e-6
Row = tuple[int, int, int, int, int, int]
"""Of one question: gold answers, how many each system found, errors of the first, of the second, of both."""


@st.composite
def rows(draw: st.DrawFn) -> list[Row]:
    found = []
    for _ in range(draw(st.integers(1, 3))):
        gold = draw(st.integers(0, 3))
        hits = [draw(st.integers(0, gold)) for _ in range(2)]
        found.append((gold, *hits, *(draw(st.integers(0, 2)) for _ in range(3))))
    return found


def counts(found: list[int], gold: list[int], wrong: list[int]) -> Counts:
    def column(values: list[int]) -> np.ndarray:
        return np.array(values, dtype=np.float64)

    said = column(found) + column(wrong)
    quiet = ((said == 0) & (column(gold) == 0)).astype(np.float64)
    n, ids = len(gold), [str(place) for place in range(len(gold))]
    return Counts(
        list(range(n)), ids, [None] * n, column(found), said, column(gold), quiet, [], column(wrong)
    )


def spreads(total: int, places: int) -> Iterator[tuple[int, ...]]:
    """All ways to spread a number over places."""
    if places == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in spreads(total - first, places - 1):
            yield (first, *rest)


def possible(name: Name, row: Row, missing: int) -> list[tuple[float, float]]:
    """The values of both systems in every case where a question lacks so many answers."""
    gold, first, second, alone, other, both = row
    cases = []
    for a, b, c in product(range(alone + 1), range(other + 1), range(both + 1)):
        if a + b + c <= missing:
            values = [
                value(name, hits + right, hits + errors, gold + missing)
                for hits, right, errors in ((first, a + c, alone + both), (second, b + c, other + both))
            ]
            cases.append((values[0], values[1]))
    return cases


def value(name: Name, found: int, given_: int, gold: int) -> float:
    """The measure by the rules of the profile `entity`, written down once more."""
    if not gold:
        return float(not given_)
    precision, recall = found / given_ if found else 0.0, found / gold
    both = precision + recall
    return {"P": precision, "R": recall, "F1": 2 * precision * recall / both if both else 0.0}[name]


@settings(deadline=None)
@given(rows(), st.integers(0, 4), st.sampled_from(NAMES))
def test_no_case_lies_outside_the_bounds_and_some_reach_them(made: list[Row], total: int, name: Name) -> None:
    gold = [row[0] for row in made]
    first = counts([row[1] for row in made], gold, [row[3] + row[5] for row in made])
    second = counts([row[2] for row in made], gold, [row[4] + row[5] for row in made])
    lone, other, both = (np.array([row[at] for row in made], dtype=np.float64) for at in (3, 4, 5))
    group = MissingGroup(np.arange(len(made)), total - 1e-9, total + 1e-9)
    found = bounds(name, first, [group])
    between = difference_bounds(name, first, second, SharedErrors(lone, other, both), [group])
    least = least_difference = np.inf
    most = most_difference = -np.inf
    for spread in spreads(total, len(made)):
        cases = [possible(name, row, missing) for row, missing in zip(made, spread, strict=True)]
        least = min(least, sum(min(a for a, _ in case) for case in cases) / len(made))
        most = max(most, sum(max(a for a, _ in case) for case in cases) / len(made))
        least_difference = min(
            least_difference, sum(min(a - b for a, b in case) for case in cases) / len(made)
        )
        most_difference = max(most_difference, sum(max(a - b for a, b in case) for case in cases) / len(made))
    assert found.low <= least + SMALL
    assert most - SMALL <= found.high
    assert between.low <= least_difference + SMALL
    assert most_difference - SMALL <= between.high
    if len(made) == 1:
        assert (found.low, found.high) == pytest.approx((least, most), abs=SMALL)


def test_rating_is_that_of_the_profile() -> None:
    for gold, wrong in product(range(3), range(3)):
        for found in range(gold + 1):
            one = counts([found], [gold], [wrong])
            for name in NAMES:
                mine = rated(name, one.found, one.given, one.gold, one.silence)[0]
                assert mine == pytest.approx(value(name, found, found + wrong, gold))


# -- as users see them -------------------------------------------------------------------------------


def questions(sizes: dict[str, int], kind: str | None = None) -> list[Question]:
    return [
        Question(one, kind=kind, answers=[Answer(f"{one} {place}") for place in range(size)])
        for one, size in sizes.items()
    ]


def test_of_one_question_they_are_the_formula() -> None:
    gold = questions({"q": 22})
    said = [f"q {place}" for place in range(11)] + [f"x{place}" for place in range(5)]
    report = rollcall.score(gold, {"q": said}, completeness=0.88)
    found, errors, given_, size, c = 11, 5, 16, 22, 0.88
    assert report.incomplete is not None
    low, high = report.incomplete.figures[report.measures[2]].bounds or (0, 0)
    share = min(1, (size / c - size) / errors)
    assert low == pytest.approx(2 * found / (given_ + size / c))
    assert high == pytest.approx(2 * (found + share * errors) / (given_ + size / c))
    shown = report.as_json()["measures"]["F1"]["bounds"]  # type: ignore[index]
    assert shown == pytest.approx([low, high])
    precision = report.as_json()["measures"]["P"]["bounds"]  # type: ignore[index]
    assert precision == pytest.approx([11 / 16, 14 / 16])


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_the_score_with_complete_gold_lies_in_them(data: st.DataObject) -> None:
    complete, gold, run, held = [], [], {}, {"a": [0, 0], "b": [0, 0]}
    for number in range(data.draw(st.integers(1, 5))):
        size, kind = data.draw(st.integers(1, 6)), data.draw(st.sampled_from(["a", "b"]))
        names = [f"{number} {place}" for place in range(size)]
        kept = [name for name in names if data.draw(st.booleans())] or names[:1]
        wrong = [f"{number} x{place}" for place in range(data.draw(st.integers(0, 4)))]
        run[str(number)] = [name for name in names if data.draw(st.booleans())] + wrong
        complete.append(Question(str(number), kind=kind, answers=list(map(Answer, names))))
        gold.append(Question(str(number), kind=kind, answers=list(map(Answer, kept))))
        held[kind] = [held[kind][0] + len(kept), held[kind][1] + size]
    shares = {kind: has / of for kind, (has, of) in held.items() if of}
    whole = sum(has for has, _ in held.values()) / sum(of for _, of in held.values())
    true = rollcall.score(complete, run)
    for completeness in (whole, shares, {"estimate": whole, "low": whole / 2, "high": (1 + whole) / 2}):
        known = rollcall.score(gold, run, completeness=completeness).incomplete
        assert known is not None
        for measure, figure in known.figures.items():
            assert figure.bounds is not None
            assert (
                figure.bounds.low - SMALL
                <= (true.figures[measure].value or 0.0)
                <= figure.bounds.high + SMALL
            )


def test_complete_gold_leaves_no_doubt() -> None:
    report = rollcall.score(questions({"1": 3, "2": 2}), {"1": ["1 0", "x"], "2": []}, completeness=1.0)
    assert report.incomplete is not None
    for measure, figure in report.incomplete.figures.items():
        assert figure.bounds == pytest.approx((report.figures[measure].value,) * 2)


def test_a_kind_has_its_own_completeness() -> None:
    gold = [*questions({"1": 10}, "simple"), *questions({"2": 10}, "hard")]
    said = {"1": [f"1 {n}" for n in range(5)], "2": [f"2 {n}" for n in range(5)]}
    known = rollcall.score(gold, said, completeness={"simple": 1.0, "hard": 0.5}).incomplete
    assert known is not None
    recall = known.figures[next(one for one in known.figures if str(one) == "R")]
    assert recall.bounds == pytest.approx(
        ((0.5 + 0.25) / 2, (0.5 + 0.25) / 2)
    )  # no error, so nothing is gained
    with pytest.raises(RollcallError, match="nothing is said of questions of the kind 'hard', such as '2'"):
        rollcall.score(gold, said, completeness={"simple": 0.9})


def test_differences_hold_zero_unless_nothing_can_turn_them() -> None:
    gold = questions({str(n): 10 for n in range(20)})
    good = {one.id: [answer.label for answer in one.answers] for one in gold}
    poor = {identity: labels[:1] for identity, labels in good.items()}
    middling = {identity: [*labels[:9], "x", "y"] for identity, labels in good.items()}
    sure = rollcall.compare(gold, [good, poor], completeness=0.9, measures="F1", test="t")
    assert [one.survival for one in sure.differences] == ["always"]
    open_ = rollcall.compare(gold, [good, middling], completeness=0.5, measures="F1", test="t")
    assert [one.survival for one in open_.differences] == ["open"]
    [listed] = sure.as_json()["differences"]  # type: ignore[misc]
    assert listed["survives"] == "always"
    assert listed["bounds"][0] > 0


# -- what they cannot be given for -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gold", "options", "told"),
    [
        (Question("1", answers=[Answer("A")], alternatives=[[Answer("B")]]), {}, "several answer sets"),
        (
            Question("1", candidates=[Candidate("A", is_answer=True)]),
            {"setting": "closed"},
            "complete by definition",
        ),
        (Question("1", answers=[Answer("A")]), {"measures": "acc"}, "known for P, R, F1"),
        (
            Question("1", answers=[Answer("A")]),
            {"profile": "graphquestions"},
            "graphquestions rates question '1'",
        ),
    ],
)
def test_what_has_no_true_figures_is_refused(gold: Question, options: dict[str, str], told: str) -> None:
    with pytest.raises(RollcallError, match=told):
        rollcall.score([gold], {"1": []}, completeness=0.9, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("profile", ["entity", "qampari", "qampari-pig", "romqa"])
def test_published_profiles_are_bounded_too(profile: str) -> None:
    gold = [Question("1", answers=[Answer("A", aliases=["A"]), Answer("B", aliases=["B"])])]
    known = rollcall.score(
        gold, {"1": ["A", "x"]}, profile=profile, measures="F1", completeness=0.5
    ).incomplete
    assert known is not None
    [figure] = known.figures.values()
    assert figure.bounds == pytest.approx((2 / 6, 4 / 6))
