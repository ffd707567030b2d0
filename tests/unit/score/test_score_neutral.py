"""Neutral answers in scores: ignored by `entity`, unknown to published profiles, named in every report."""

import base64
import json
import re
import zlib
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.questions import (
    Answer,
    EntityAnswer,
    Evidence,
    NeutralAnswer,
    Prediction,
    Question,
    QuestionSet,
)
from rollcall.report.terminal import display_text
from rollcall.score import PROFILES, Predicted, Profile, compare, open_profile, score
from rollcall.score.incomplete.counts import counts_of, missing_groups
from rollcall.score.judging import JudgedProfile
from rollcall.score.viewing import view

NAMES = st.sampled_from(["Paris", "PARIS", "The Who", "Who", "U.S.A.", "USA", "C++", "!!!", "Q1", "Q2", ""])
IDS = st.sampled_from([None, None, "Q1", "Q2", "Q3"])
ALIASES = st.lists(NAMES, max_size=2)
ANSWERS = st.lists(st.builds(Answer, NAMES, IDS, ALIASES), max_size=4)
NEUTRAL = st.lists(st.builds(NeutralAnswer, NAMES, IDS, ALIASES), max_size=4)
PREDICTIONS = st.lists(
    st.one_of(NAMES, st.builds(EntityAnswer, st.sampled_from(["Q1", "Q2", "Q9"]), NAMES)), max_size=6
)
MEASURES = "P R F1 acc EM R>=0.8 F1>=0.5 P@1 P@2 R@2 F1@3 R-2 F1-2 EarlyStop Padding min(F1)"
ENTITY = open_profile("entity")
PUBLISHED = [
    entry.name
    for entry in PROFILES
    if entry.name != "entity" and not issubclass(entry.thing, JudgedProfile) and not entry.thing.reads_whole
]


def figures(questions: Sequence[Question], said: Sequence[Sequence[Predicted]], **options: object) -> dict:
    run = [Prediction(question.id, list(answers)) for question, answers in zip(questions, said, strict=True)]
    report = score(questions, run, confidence=None, **options)  # type: ignore[arg-type]
    return {str(measure): figure.value for measure, figure in report.figures.items()}


def without_neutral(question: Question, said: Sequence[Predicted]) -> list[Predicted]:
    """By brute force: each prediction alone, compared with each list alone."""

    def names(gold: Sequence[Answer], prediction: Predicted) -> bool:
        return any(ENTITY.resolve(question, gold, [prediction]).found)

    golds = [question.answers, *question.alternatives]
    return [
        prediction
        for prediction in said
        if not names(question.neutral, prediction) or any(names(gold, prediction) for gold in golds)
    ]


@given(
    st.lists(st.tuples(ANSWERS, NEUTRAL, st.lists(ANSWERS, max_size=1), PREDICTIONS), min_size=1, max_size=3)
)
@settings(deadline=None)
def test_ignoring_neutral_answers_is_removing_them_from_the_predictions(drawn):
    questions = [
        Question(str(place), cluster="c", answers=gold, alternatives=others, neutral=neutral)
        for place, (gold, neutral, others, _) in enumerate(drawn)
    ]
    said = [predictions for *_, predictions in drawn]
    kept = [without_neutral(question, answers) for question, answers in zip(questions, said, strict=True)]
    plain = [msgspec.structs.replace(question, neutral=[]) for question in questions]
    assert figures(questions, said, measures=MEASURES) == figures(plain, kept, measures=MEASURES)
    # Giving what is neutral beside the rest changes nothing.
    more = [
        [*answers, *without_counting(question)] for question, answers in zip(questions, kept, strict=True)
    ]
    assert figures(questions, more, measures="P R F1 acc") == figures(plain, kept, measures="P R F1 acc")


def without_counting(question: Question) -> list[str]:
    """The labels of neutral answers that name no answer that counts."""
    labels = [answer.label for answer in question.neutral if answer.label]
    counting = [answer for gold in (question.answers, *question.alternatives) for answer in gold]
    return [label for label in labels if not any(ENTITY.resolve(question, counting, [label]).found)]


@given(ANSWERS, PREDICTIONS)
@settings(deadline=None)
def test_names_are_looked_up_as_each_prediction_alone_resolves(gold, said):
    assert ENTITY.names_any(Question("q"), gold, said) == Profile.names_any(ENTITY, Question("q"), gold, said)


@given(ANSWERS, NEUTRAL, PREDICTIONS)
@settings(deadline=None)
def test_wrong_is_as_without_neutral_answers_and_count_as_if_they_were_gold(gold, neutral, said):
    question = Question("q", answers=gold, neutral=neutral)
    plain, all_count = Question("q", answers=gold), Question("q", answers=[*gold, *neutral])
    assert figures([question], [said], neutral="wrong") == figures([plain], [said])
    assert figures([question], [said], neutral="count") == figures([all_count], [said])


@pytest.mark.parametrize("profile", PUBLISHED)
@given(gold=ANSWERS, neutral=NEUTRAL, said=PREDICTIONS)
@settings(deadline=None, max_examples=20)
def test_published_profiles_do_not_know_neutral_answers(profile, gold, neutral, said):
    question = Question("q", answers=gold, neutral=neutral)
    plain = Question("q", answers=gold)
    assert figures([question], [said], profile=profile) == figures([plain], [said], profile=profile)


ASKED = Question(
    "q1",
    "Which packages depend on A?",
    answers=[Answer("Ann", sources=["graph", "text"]), Answer("Bo")],
    neutral=[
        NeutralAnswer(
            "Cy",
            aliases=["Cyrus"],
            sources=["graph"],
            unproved="Cy P1 A",
            nearest=Evidence("Cy came to A.", title="Towns", score=0.25),
        ),
        NeutralAnswer("Di", sources=["graph"], unproved="Di P1 A"),
    ],
)
OTHER = Question("q2", "Which do not?", answers=[Answer("Eve")])


def test_a_system_loses_nothing_by_a_right_answer_that_no_text_proves():
    every = {"q1": ["Ann", "Bo", "Cyrus", "Di"], "q2": ["Eve"]}
    stated = {"q1": ["Ann", "Bo"], "q2": ["Eve"]}
    for run in (every, stated):
        report = score([ASKED, OTHER], run)
        assert [report[name].value for name in ("P", "R", "F1", "acc")] == [1, 1, 1, 1]
    assert score([ASKED, OTHER], every, neutral="wrong")["P"].value == 0.75
    assert score([ASKED, OTHER], stated, neutral="count")["R"].value == 0.75
    # What is wrong stays wrong.
    assert score([ASKED], {"q1": ["Ann", "Cy", "Zoe"]})["P"].value == 0.5


def test_reports_say_how_many_predictions_were_ignored():
    report = score([ASKED, OTHER], {"q1": ["Ann", "Cyrus", "Di", "Zoe"], "q2": ["Eve"]}, confidence=None)
    assert report.as_json()["neutral"] == {"treated": "ignore", "answers": 2, "ignored": 2, "questions": 1}
    line = "2 neutral answers; 2 predictions of them ignored, in 1 question"
    assert line in display_text(report.display())
    assert line in report.to_markdown()
    frame = report.to_frame("questions")
    assert list(frame["neutral"]) == [["Cy ← Cyrus", "Di"], []]
    assert list(frame["wrong"]) == [["Zoe"], []]
    assert "neutral" not in score([OTHER], {"q2": []}).as_json()


def test_a_comparison_says_it_for_each_run():
    runs = [{"q1": ["Ann", "Cy"], "q2": []}, {"q1": ["Bo"], "q2": ["Eve"]}]
    compared = compare([ASKED, OTHER], runs, names=["one", "two"], resamples=50)
    listed = compared.as_json()["runs"]
    assert isinstance(listed, list)
    assert [run["neutral"]["ignored"] for run in listed] == [1, 0]
    assert "one: 2 neutral answers; 1 prediction of them ignored, in 1 question" in display_text(
        compared.display()
    )


def shown_in(page: str) -> tuple[dict, list[dict]]:
    """What a page shows of all questions at first, and of each when it is opened."""
    found = dict(re.findall(r'<script type="application/json" id="(data|details)">(.*?)</script>', page))
    blocks = json.loads(found["details"])["blocks"]
    details = [one for block in blocks for one in json.loads(zlib.decompress(base64.b64decode(block)))]
    return json.loads(found["data"]), details


def test_pages_show_neutral_answers_in_grey_with_the_reason():
    page = view([ASKED, OTHER], [{"q1": ["Ann", "Cyrus"], "q2": ["Eve"]}])
    data, details = shown_in(page)
    first, second = data["runs"][0]["questions"]
    assert (first["neutral"], first["wrong"], second.get("neutral")) == (["Cy ← Cyrus"], [], None)
    assert [(one["label"], one["reason"]) for one in details[0]["neutral"]] == [
        ("Cy", "the nearest sentence does not state it (score 0.25) on Towns: Cy came to A."),
        ("Di", "no sentence names both"),
    ]
    assert re.search(r"\.neutral \.chip \{[^}]*color: var\(--dim\)", page)
    alone, _ = shown_in(view([ASKED, OTHER]))
    assert alone["runs"][0]["questions"][0]["neutral"] == ["Cy", "Di"]
    assert alone["runs"][0]["questions"][0]["found"] == ["Ann", "Bo"]


def test_options_that_make_no_sense_are_refused():
    with pytest.raises(RollcallError, match=r"neutral: 'right' is not one of count, ignore, wrong"):
        score([ASKED], {"q1": []}, neutral="right")  # type: ignore[arg-type]
    with pytest.raises(RollcallError, match="are no candidates of the closed setting"):
        score([ASKED], {"q1": []}, neutral="count", setting="closed")
    table = Question("t", answers=[Answer("a")], neutral=[NeutralAnswer("b")])
    with pytest.raises(RollcallError, match="needs answers one by one"):
        score([table], {"t": ["a"]}, profile="widesearch-match", neutral="ignore")


def test_a_response_of_several_items_is_ignored_only_if_all_are_neutral():
    for response, ignored in ("Cy", 1), ("- Cy\n- Di", 1), ("- Cy\n- Zoe", 0), ("- Ann\n- Cy", 0):
        report = score([ASKED], {"q1": [response]}, profile="monaco-match", neutral="ignore", confidence=None)
        assert report.neutral is not None
        assert sum(map(len, report.neutral.ignored)) == ignored


def test_answers_that_a_set_knows_are_not_missing_from_it():
    """Half of all right answers are known: four beyond those that are required or neutral."""
    from rollcall.score.incomplete.estimate import given_knowledge

    knowledge = given_knowledge(0.5, None)
    assert knowledge is not None
    assert knowledge.completeness is not None
    for treated, missing in (("ignore", 4), ("wrong", 6), ("count", 4)):
        report = score(QuestionSet([ASKED]), {"q1": ["Ann", "Zoe"]}, neutral=treated)  # type: ignore[arg-type]
        (group,) = missing_groups(counts_of(report), knowledge.completeness)
        assert (group.least, group.most) == pytest.approx((missing, missing))
