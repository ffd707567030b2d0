"""Splits and samples keep their promises whatever the questions are."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from rollcall.mine.kinds import KINDS
from rollcall.questions.splits import (
    Drawable,
    Sampling,
    Worded,
    answer_hash,
    distinct,
    evenly,
    sample,
    side,
    split_relations,
)

NAMES = ["simple", "intersection", "composition", "table-simple", "table-composition"]


@st.composite
def drawables(draw: st.DrawFn) -> list[Drawable]:
    kinds = draw(st.lists(st.sampled_from(NAMES), max_size=60))
    items = []
    for number, kind in enumerate(kinds):
        if kind.startswith("table"):
            relations: tuple[str, ...] = (f"List {draw(st.integers(0, 5))}",)
        elif kind == "simple":
            relations = (f"P{draw(st.integers(0, 7))}",)
        else:
            relations = (f"P{draw(st.integers(0, 7))}", f"P{draw(st.integers(0, 7))}")
        asked = KINDS.find(kind)
        items.append(Drawable(f"key{number}", kind, relations, asked.in_test, asked.of_lists))
    return items


@given(st.sets(st.text(max_size=3)), st.integers(0, 5))
def test_relations_are_split_in_equal_halves(relations: set[str], seed: int) -> None:
    test = split_relations(relations, seed)
    assert test <= relations
    assert abs(len(test) - (len(relations) - len(test))) <= 1


@given(drawables(), st.integers(0, 3))
def test_a_question_is_on_the_side_of_its_relations(items: list[Drawable], seed: int) -> None:
    drawn = sample(items, Sampling(), seed)
    test = drawn.test_relations
    for item in items:
        if item.key not in drawn.splits:
            continue
        in_test = drawn.splits[item.key] != "train"
        inside = [relation in test for relation in item.relations]
        if item.kind == "table-simple":
            assert in_test
        elif item.kind == "intersection":
            assert in_test == all(inside)
        else:
            assert in_test == any(inside)


@given(drawables(), st.integers(0, 3), st.integers(0, 8), st.integers(0, 4))
def test_quotas_and_caps_hold(items: list[Drawable], seed: int, quota: int, cap: int) -> None:
    settings = Sampling(quotas=dict.fromkeys(NAMES, quota), per_relation=cap)
    drawn = sample(items, settings, seed)
    chosen = [item for item in items if item.key in drawn.splits]
    held = Counter(item.kind for item in chosen if drawn.splits[item.key] != "train")
    there = Counter(item.kind for item in items if side(item, drawn.test_relations) == "test")
    assert all(held[kind] == min(quota, there[kind]) for kind in NAMES)
    trained = Counter(
        relation for item in chosen if drawn.splits[item.key] == "train" for relation in set(item.relations)
    )
    assert all(count <= cap for count in trained.values())
    assert len(drawn.splits) + sum(drawn.removed.values()) == len(items)


@given(drawables(), st.integers(0, 3))
def test_development_and_test_are_halves_of_every_kind(items: list[Drawable], seed: int) -> None:
    drawn = sample(items, Sampling(), seed)
    kinds = {item.key: item.kind for item in items}
    counts = Counter((kinds[key], split) for key, split in drawn.splits.items())
    for kind in NAMES:
        assert abs(counts[kind, "dev"] - counts[kind, "test"]) <= 1
    total = Counter(drawn.splits.values())
    assert 0 <= total["test"] - total["dev"] <= 1


@given(drawables(), st.integers(0, 3), st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_nothing(items: list[Drawable], seed: int, random: object) -> None:
    shuffled = list(items)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    settings = Sampling(quotas=dict.fromkeys(NAMES, 3), per_relation=2)
    assert sample(items, settings, seed).splits == sample(shuffled, settings, seed).splits


@given(drawables())
def test_a_beginning_of_an_even_draw_has_every_relation_equally_often(items: list[Drawable]) -> None:
    simple = [item for item in items if item.kind == "simple"]
    there = Counter(item.relations for item in simple)
    drawn = evenly(simple, 1)
    assert sorted(drawn) == sorted(simple)
    for length in range(len(drawn)):
        begun = Counter(item.relations for item in drawn[:length])
        most = max(begun.values(), default=0)
        assert all(begun[relation] >= min(count, most - 1) for relation, count in there.items())


def test_quotas_are_scaled_alike_if_wanted() -> None:
    items = [Drawable(f"s{n}", "table-simple", ("L",), "always", True) for n in range(50)]
    items += [Drawable(f"c{n}", "composition", ("P1", "P2")) for n in range(10)]
    quotas = {"table-simple": 40, "composition": 20}
    drawn = sample(items, Sampling(quotas=quotas, policy="scale", test_share=1), seed=1)
    kinds = Counter("simple" if key.startswith("s") else "composition" for key in drawn.splits)
    assert kinds == {"simple": 20, "composition": 10}


def test_seeds_differ() -> None:
    items = [Drawable(f"k{n}", "simple", (f"P{n % 10}",)) for n in range(100)]
    settings = Sampling(quotas={"simple": 10})
    assert sample(items, settings, 1).splits != sample(items, settings, 2).splits


def test_questions_that_say_the_same() -> None:
    a, b = answer_hash(["x", "y"]), answer_hash(["y", "z"])
    assert answer_hash(["y", "x", "x"]) == a
    found = distinct(
        [
            Worded("1", "Who made X?", "train", a),
            Worded("2", "Who  made x?", "test", a),
            Worded("3", "Who sold X?", "train", a),
            Worded("4", "Who saw X?", "train", a),
            Worded("5", "Who saw X?", "train", b),
        ]
    )
    assert found.kept == ["2", "3"]
    assert sum(found.removed.values()) == 3
    assert found.same_answers == {"2": ["3"], "3": ["2"]}


def test_what_is_located_in_a_place_is_in_it() -> None:
    wordings = ("are in X", "are located in X", "are located on or in X", "are on X")
    asked = [Worded(str(n), f"Which towns {words}?", "test", "same") for n, words in enumerate(wordings)]
    assert distinct(asked).kept == ["0", "3"]
