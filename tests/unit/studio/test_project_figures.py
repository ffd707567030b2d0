"""The figures of a project: agreement, people's records, progress, disputes, and those of the papers."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from rollcall.questions import AddedAlias, Prediction, Run
from rollcall.studio.figures import (
    PersonFigures,
    adjudication_queue,
    agreement,
    compared,
    people_figures,
    progress,
    settled_by_estimate,
)
from rollcall.studio.papers import PaperFigure, paper_figures
from rollcall.studio.records import Collected, Item, Verdict
from rollcall.studio.tasks.task import TaskMaterial
from studio_records import START, film_set, judged_project

WRONG = ("Film 1-0", "Film 2-3")


def reads(item: Item) -> Verdict:
    return Verdict("not-stated" if item.injected or item.shown["answer"] in WRONG else "stated")


def validated(clicks: str = "cid", questions: int = 6, **settings: object) -> Collected:
    """Ann and Bob read, and one of the team clicks."""
    return judged_project(
        "validate",
        TaskMaterial(film_set(questions)),
        ["ann", "bob", "cid"],
        lambda item, person: Verdict("stated") if person == clicks else reads(item),
        {"overlap": 3, "minimum": 5, "injected": 0.2, **settings},
    )


def of_person(collected: Collected, name: str) -> PersonFigures:
    return next(one for one in people_figures(collected) if one.person == name)


def figure(collected: Collected, name: str) -> PaperFigure:
    return next(one for one in paper_figures(collected) if one.name == name)


def test_agreement_is_about_items_that_were_not_injected():
    collected = validated()
    (found,) = agreement(collected)
    observed, alpha, ac1 = found.coefficients
    assert (observed.name, alpha.name, ac1.name) == ("agreement", "alpha", "AC1")
    assert observed.items == 36
    assert observed.value == pytest.approx(1 - 2 / 36 * 2 / 3)
    assert ac1.interval is None, "six questions are too few"
    (of_more,) = agreement(validated(questions=12))
    ac1 = of_more.coefficients[2]
    assert ac1.interval[0] < ac1.value < 1
    withdrawn = [msgspec.structs.replace(one, counted=one.person != "cid") for one in collected.judged]
    (without,) = agreement(msgspec.structs.replace(collected, judged=withdrawn))
    assert without.coefficients[0].value == 1


def test_ratings_are_compared_as_a_scale():
    collected = judged_project(
        "naturalness",
        TaskMaterial(film_set(6)),
        ["ann", "bob", "cid"],
        lambda item, person: Verdict(
            "rated", {"self": 3 + (person == "cid"), "other": 1 + len(item.key) % 5}
        ),
    )
    of_self, of_other = compared(collected)
    assert (of_self.name, of_self.level, of_other.name) == ("self", "ordinal", "other")
    assert [one.name for one in agreement(collected)[0].coefficients] == ["agreement", "alpha", "AC2"]


def test_what_people_write_is_not_compared_but_its_verification_is():
    def says(item: Item, person: str) -> Verdict:
        if item.stage == "verify":
            return Verdict("matches")
        return Verdict("written", {"text": f"What was made by {item.question} and {person}?"})

    collected = judged_project(
        "write", TaskMaterial(film_set(3)), ["ann", "bob", "cid"], says, {"qualify": 0}
    )
    assert [one.name for one in compared(collected)] == ["verify"]


def test_a_record_says_who_clicks():
    collected = validated(injected=0.3)
    ann, cid = of_person(collected, "ann"), of_person(collected, "cid")
    assert (ann.found.count, cid.found.count) == (ann.found.of, 0)
    assert ann.found.of == cid.found.of >= 10
    assert ann.found.interval[0] > cid.found.interval[1]
    assert (ann.standing.state, cid.standing.state) == ("fine", "stopped")
    assert cid.with_others.value == pytest.approx(34 / 36)
    assert ann.estimated > cid.estimated
    assert ann.judged == len(collected.items)


def test_managers_uphold_or_do_not():
    plain = validated()
    keys = [item.key for item in plain.items if not item.injected][:4]
    collected = judged_project(
        "validate",
        TaskMaterial(film_set(6)),
        ["ann"],
        lambda item, person: Verdict("stated"),
        {"overlap": 1},
        {key: Verdict("stated" if place else "not-stated") for place, key in enumerate(keys)},
    )
    ann = of_person(collected, "ann")
    assert (ann.upheld.count, ann.upheld.of) == (3, 4)
    assert figure(collected, "judgments that managers upheld").value == 0.75


def test_disputes_come_with_what_is_likeliest():
    collected = judged_project(
        "validate",
        TaskMaterial(film_set(12)),
        ["ann", "cid"],
        lambda item, person: Verdict("stated") if person == "cid" else reads(item),
        {"overlap": 2, "injected": 0.3},
    )
    queue = adjudication_queue(collected)
    assert {one.item.shown["answer"] for one in queue} == set(WRONG)
    assert [one.probability for one in queue] == sorted(one.probability for one in queue)
    assert all(one.likeliest == "not-stated" and one.votes == {"stated": 1, "not-stated": 1} for one in queue)
    assert not adjudication_queue(settled_by_estimate(collected, 0.5))
    assert len(adjudication_queue(settled_by_estimate(collected, 0.999))) == 2


def test_progress_counts_time_and_money():
    collected = validated()
    half = msgspec.structs.replace(collected, judged=collected.judged[: len(collected.judged) // 2])
    now = START + timedelta(hours=1)
    found = progress(half, now)
    assert found.judgments == len(half.judged)
    assert found.needed == len(collected.judged)
    assert found.share == pytest.approx(len(half.judged) / len(collected.judged))
    assert found.per_hour == pytest.approx(len(half.judged))
    assert found.hours == pytest.approx(sum(one.seconds for one in half.judged) / 3600)
    assert found.cost == pytest.approx(12.5 * found.hours)
    assert found.expected_cost == pytest.approx(found.cost * found.needed / found.judgments)
    left = datetime.fromisoformat(found.expected_end) - now
    assert left / timedelta(hours=1) == pytest.approx(
        (found.needed - found.judgments) / found.per_hour, abs=0.02
    )
    assert progress(collected, now).share == 1


def test_progress_says_nothing_where_nothing_is_known():
    nothing = msgspec.structs.replace(validated(), judged=[], hourly_rate=0.0)
    found = progress(nothing, datetime(2026, 1, 5, tzinfo=UTC))
    assert (found.judgments, found.per_hour, found.expected_end, found.cost) == (0, None, None, None)


def test_what_a_manager_decided_needs_no_more_judgments():
    collected = validated()
    first = next(item for item in collected.items if not item.injected)
    judged = [one for one in collected.judged if one.item != first.key]
    decided = msgspec.structs.replace(
        next(one for one in collected.judged if one.item == first.key), person="boss", role="manager"
    )
    found = progress(
        msgspec.structs.replace(collected, judged=[*judged, decided]), START + timedelta(hours=1)
    )
    assert found.needed == found.judgments


def test_figures_of_qampari():
    collected = validated(clicks="nobody")
    assert figure(collected, "answers validated").count == 34
    assert figure(collected, "answers validated").of == 36
    low, high = figure(collected, "answers validated").interval
    assert low < 34 / 36 < high
    assert figure(collected, "questions kept").value == 1
    assert figure(collected, "known items found").value == 1
    assert figure(collected, "people").value == 3
    assert figure(collected, "cost (USD)").value > 0


def test_figures_of_romqa():
    def says(item: Item, person: str) -> Verdict:
        if item.stage == "verify":
            return Verdict("differs" if item.question == "q1" and person == "cid" else "matches")
        return Verdict("written", {"text": f"What was made by {item.question} and {person}?"})

    collected = judged_project(
        "write", TaskMaterial(film_set(4)), ["ann", "bob", "cid"], says, {"qualify": 0}
    )
    assert figure(collected, "wordings written").value == 4
    kept = figure(collected, "wordings kept after verification")
    assert (kept.count, kept.of) == (3, 4)
    assert figure(collected, "questions with a human wording").count == 3


def test_figures_of_naturalness_by_set():
    other = film_set(4)
    collected = judged_project(
        "naturalness",
        TaskMaterial(film_set(4), "ours", others={"theirs": other}),
        ["ann", "bob", "cid"],
        lambda item, person: Verdict("rated", {"self": 4, "other": 5 if item.hidden["set"] == "ours" else 1}),
    )
    assert figure(collected, "ours, other: mean rating").value == 5
    assert figure(collected, "theirs, other: mean rating").value == 1
    assert figure(collected, "ours, self: rated 4").value == 1


def test_figures_of_equivalences():
    questions = film_set(1)
    names = ("One", "Two", "Three", "Four")
    for name in names:
        questions.questions[0].answers[0].aliases.append(name)
        questions.questions[0].answers[0].added.append(AddedAlias(name, "Q1", "graph"))
    said = {
        "One": Verdict("wrong", {"why": "wrong-alias"}),
        "Two": Verdict("debatable"),
        "Three": Verdict("correct"),
        "Four": Verdict("correct"),
    }
    runs = [Run([Prediction("q1", [name])], name) for name in names]
    collected = judged_project(
        "equivalence",
        TaskMaterial(questions, runs=runs),
        ["ann"],
        lambda item, person: said[item.shown["prediction"]],
    )
    assert [figure(collected, name).count for name in ("correct", "debatable", "wrong", "invalid")] == [
        2,
        1,
        1,
        0,
    ]
    assert figure(collected, "wrong: wrong-alias").value == 1


def test_figures_of_screening():
    collected = judged_project(
        "screen",
        TaskMaterial(film_set(8)),
        ["ann"],
        lambda item, person: Verdict("clumsy" if item.question in ("q1", "q2") else "fine"),
    )
    fine = figure(collected, "fine")
    assert fine.value == 0.75
    assert fine.interval[0] < 0.75 < fine.interval[1]
