"""The default profile's rules, one by one, and the algebra it must keep."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcall.questions import Answer, EntityAnswer, Evidence, Passage, Prediction, Question
from rollcall.score import PROFILES, Match, open_profile, score
from rollcall.score.judging import JudgedProfile

ENTITY = open_profile("entity")
NAMES = st.sampled_from(
    [
        "Paris",
        "paris",
        "PARIS",
        "The Who",
        "Who",
        "São Paulo",
        "Sao Paulo",
        "U.S.A.",
        "USA",
        "C",
        "C++",
        "!!!",
        "Q1",
        "Q2",
        "",
    ]
)
ANSWERS = st.lists(
    st.builds(Answer, NAMES, st.sampled_from([None, None, "Q1", "Q2", "Q3"]), st.lists(NAMES, max_size=3)),
    max_size=5,
)
PREDICTIONS = st.lists(
    st.one_of(NAMES, st.builds(EntityAnswer, st.sampled_from(["Q1", "Q2", "Q9"]), NAMES)), max_size=8
)


def match(gold: list[Answer], said: list[str | EntityAnswer]) -> Match:
    return ENTITY.match(Question("q"), gold, said)


@pytest.mark.parametrize(
    ("gold", "said", "precision", "recall"),
    [
        pytest.param(
            [Answer("Douglas Adams", aliases=["DNA"])],
            ["DNA", "douglas adams"],
            1,
            1,
            id="aliases-count-once",
        ),
        pytest.param(
            [Answer("A1"), Answer("A1"), Answer("B")], ["A1"], 1, 1 / 2, id="gold-repeats-count-once"
        ),
        pytest.param([Answer("X", "Q1"), Answer("X", "Q2")], ["X"], 1, 1 / 2, id="same-label-two-ids"),
        pytest.param([Answer("X", "Q1"), Answer("Y", "Q1")], ["y"], 1, 1, id="same-id-one-entity"),
        pytest.param(
            [Answer("Mercury", aliases=["M"]), Answer("Mars", aliases=["M"])],
            ["M", "Mercury"],
            1,
            1,
            id="assignment",
        ),
        pytest.param([Answer("Paris", "Q90")], ["Q90"], 1, 1, id="id-as-string"),
        pytest.param([Answer("Paris", "Q90")], [EntityAnswer("Q90", "Lutetia")], 1, 1, id="entity-by-id"),
        pytest.param(
            [Answer("Paris", "Q90")], [EntityAnswer("Q8", "Paris")], 0, 0, id="another-entity-of-that-name"
        ),
        pytest.param(
            [Answer("Paris")], [EntityAnswer("Q90", "Paris")], 1, 1, id="label-where-gold-has-no-ids"
        ),
        pytest.param([Answer("Paris", "Q90")], ["Q90", "Paris", "paris"], 1, 1, id="id-and-name-are-one"),
        pytest.param(
            [Answer("/m/0_x", "/m/0_x"), Answer("/m/0x", "/m/0x")],
            ["/m/0_x", "/m/0x"],
            1,
            1,
            id="ids-alike-as-names",
        ),
        pytest.param(
            [Answer("A", "Q1"), Answer("Q1", "Q2")], ["Q1", "Q2", "A"], 1, 1, id="id-that-is-also-a-name"
        ),
        pytest.param(
            [Answer("", aliases=["A", "B"]), Answer("", aliases=["A", "C"]), Answer("D")],
            ["B", "C"],
            1,
            2 / 3,
            id="no-label-no-id-is-like-no-other",
        ),
        pytest.param([Answer("A"), Answer("B")], [], 0, 0, id="silence"),
        pytest.param([Answer("A")], ["", "  ", "\u200b"], 0, 0, id="blank-is-no-answer"),
        pytest.param([], [], 1, 1, id="nothing-asked-nothing-said"),
        pytest.param([], ["A"], 0, 0, id="nothing-asked-something-said"),
        pytest.param([Answer("!!!")], ["!!!"], 1, 1, id="punctuation-is-a-name"),
        pytest.param([Answer("The The")], ["the the"], 1, 1, id="articles-are-a-name"),
        pytest.param([Answer("C"), Answer("C++"), Answer("C#")], ["C++"], 1, 1 / 3, id="symbols-tell-apart"),
        pytest.param([Answer("Vitamin A"), Answer("Vitamin B")], ["Vitamin"], 0, 0, id="inner-article-kept"),
    ],
)
def test_rules(gold: list[Answer], said: list[str | EntityAnswer], precision: float, recall: float) -> None:
    found = match(gold, said)
    assert (found.precision, found.recall) == pytest.approx((precision, recall))
    assert found.exact == (precision == recall == 1)


def values(gold: list[Answer], said: list[str | EntityAnswer], measures: str) -> list[float | None]:
    report = score([Question("q", answers=gold)], [Prediction("q", said)], measures=measures, confidence=None)
    return [figure.value for figure in report.figures.values()]


def test_every_measure_tells_entities_of_one_name_apart() -> None:
    gold = [Answer("Springfield", "Q1"), Answer("Springfield", "Q2")]
    both: list[str | EntityAnswer] = [EntityAnswer("Q1", "Springfield"), EntityAnswer("Q2", "Springfield")]
    assert values(gold, both, "P R F1 acc R-2 P@10 R@10 F1@10 acc@10 EM R@2") == [1.0] * 11
    assert values(gold, both, "R@1 P@1 acc@1") == [0.5, 1.0, 0.0]
    others: list[str | EntityAnswer] = [EntityAnswer("Q8", "Springfield"), EntityAnswer("Q9", "Springfield")]
    assert values(gold, [*others, *both], "P P@2 P@3 P@10 EM") == [0.5, 0.0, pytest.approx(1 / 3), 0.5, 0.0]


def test_a_cut_counts_what_precision_counts() -> None:
    """Another name of an entity already found is no further prediction, with or without a cut."""
    gold = [Answer("Douglas Adams", aliases=["DNA"]), Answer("Bo")]
    said: list[str | EntityAnswer] = ["DNA", "Douglas Adams", "", "dna", "Bo", "x", "X", "y"]
    assert values(gold, said, "P R P@1 R@1 P@2 R@2 P@3 P@4") == [
        0.5,
        1,
        1,
        0.5,
        1,
        1,
        pytest.approx(2 / 3),
        0.5,
    ]
    shared = [Answer("Mercury", aliases=["M"]), Answer("Mars", aliases=["M"])]
    assert values(shared, ["M", "Mercury", "x"], "R@1 R@2 P@2 P@3") == [0.5, 1, 1, pytest.approx(2 / 3)]


def test_a_string_and_an_entity_of_one_id_may_mean_two() -> None:
    gold = [Answer("A", "Q1"), Answer("Q1")]
    assert values(gold, [EntityAnswer("Q1"), "Q1"], "P R R@2") == [1, 1, 1]


def test_an_entity_counts_once_among_the_passages_too() -> None:
    gold = [
        Answer("Ann", evidence=[Evidence("Ann.", "p1")]),
        Answer("ann", aliases=["Anna"], evidence=[Evidence("Ann.", "p1"), Evidence("Anna was.", "p2")]),
        Answer("Bo", evidence=[Evidence("Bo.", "p3")]),
    ]
    run = [Prediction("q", retrieved=[Passage("p1", text="Anna is here.")])]
    for profile, answers, evidence in (
        ("entity", 1 / 2, (1 / 2 + 0) / 2),
        ("romqa", 2 / 3, (1 + 1 / 2 + 0) / 3),
    ):
        report = score(
            [Question("q", answers=gold)],
            run,
            profile=profile,
            measures="ARecall@1 ERecall@1",
            confidence=None,
        )
        assert (report["ARecall@1"].value, report["ERecall@1"].value) == pytest.approx((answers, evidence))


@given(ANSWERS, PREDICTIONS, st.randoms(use_true_random=False))
def test_order_and_repeats_change_nothing(
    gold: list[Answer], said: list[str | EntityAnswer], order: object
) -> None:
    again = [*said, *said[:3]]
    order.shuffle(again)  # type: ignore[attr-defined]
    other_gold = list(gold)
    order.shuffle(other_gold)  # type: ignore[attr-defined]
    assert match(gold, said) == match(gold, again) == match(other_gold, said)


@given(ANSWERS, PREDICTIONS, NAMES, st.integers(0, 4))
def test_another_alias_never_lowers_recall(
    gold: list[Answer], said: list[str | EntityAnswer], alias: str, at: int
) -> None:
    before = match(gold, said).recall
    if gold:
        gold[at % len(gold)].aliases.append(alias)
    assert match(gold, said).recall >= before


UNJUDGED = [entry.name for entry in PROFILES if not issubclass(entry.thing, JudgedProfile)]
"""The profiles that ask no language model."""


@given(ANSWERS, PREDICTIONS, st.sampled_from(UNJUDGED))
def test_scores_lie_between_0_and_1(gold: list[Answer], said: list[str | EntityAnswer], profile: str) -> None:
    found = open_profile(profile).match(Question("q"), gold, said)
    for value in (found.precision, found.recall, found.f1):
        assert 0 <= value <= 1
    assert (
        min(found.precision, found.recall) <= found.f1 + 1e-12 <= max(found.precision, found.recall) + 1e-9
        or not found.f1
    )


@given(ANSWERS, PREDICTIONS)
def test_counting_agrees_with_the_account_of_who_named_whom(
    gold: list[Answer], said: list[str | EntityAnswer]
) -> None:
    assert match(gold, said) == ENTITY.rate(ENTITY.resolve(Question("q"), gold, said))


@given(ANSWERS, PREDICTIONS)
def test_every_prediction_is_accounted_for(gold: list[Answer], said: list[str | EntityAnswer]) -> None:
    resolution = ENTITY.resolve(Question("q"), gold, said)
    shown = {*resolution.predictions, *resolution.repeated}
    assert shown <= {one if isinstance(one, str) else one.label or one.id for one in said}
    assert len(resolution.predictions) == len(resolution.owners)
    assert sorted(owner for owner in resolution.owners if owner >= 0) == [
        i for i, hit in enumerate(resolution.found) if hit
    ]


QUESTIONS = st.lists(
    st.tuples(ANSWERS, PREDICTIONS, st.sampled_from([None, "a", "b", "c"])), min_size=1, max_size=8
)


@settings(max_examples=40)
@given(QUESTIONS, st.randoms(use_true_random=False))
def test_the_order_of_questions_changes_nothing_and_worst_is_below_mean(
    drawn: list[object], order: object
) -> None:
    questions = [Question(str(n), answers=g, cluster=c) for n, (g, _, c) in enumerate(drawn)]  # type: ignore[misc]
    said = {str(n): p for n, (_, p, _) in enumerate(drawn)}  # type: ignore[misc]
    first = score(questions, said, measures="F1 P R min(F1)")
    other = list(questions)
    order.shuffle(other)  # type: ignore[attr-defined]
    assert score(other, said, measures="F1 P R min(F1)").figures == first.figures
    clusters = [[first.columns[0].values[at] for at in cluster] for cluster in first.clusters]
    mean_of_clusters = sum(sum(values) / len(values) for values in clusters) / len(clusters)
    assert first["min(F1)"].value <= mean_of_clusters + 1e-12


def test_hash_seed_changes_nothing() -> None:
    program = (
        "from rollcall.score import score\nfrom rollcall.questions import Answer, Question\n"
        "gold=[Question('q',answers=[Answer('A',aliases=['S','T']),Answer('B',aliases=['S']),Answer('C',aliases=['T','S'])])]\n"
        "r=score(gold,{'q':['S','T','A','x']},confidence=None)\n"
        "from rollcall.score._data import explained\nprint(explained(r))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
