"""Gold: managers give right verdicts, others are measured by them unknowingly, and results count once."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from sqlalchemy import func, select

from rollcall.studio.database.engine import Database
from rollcall.studio.database.tables import ItemRow, Member, Project, SavedJudgment, Slot
from rollcall.studio.export.judgments import traces
from rollcall.studio.figures import agreement, estimates, people_figures, progress
from rollcall.studio.records import Collected
from rollcall.studio.web.studio import Studio
from rollcall.studio.work.rows import collected
from studio_client import Visitor, studio_of
from studio_project import join, saved_set, small_project

PLAIN = {"injected": 0, "minimum": 0, "check_rejected": 0, "check_accepted": 0}


def studio_with(place: str | Path, folder: Path, people: Sequence[str], **options: object) -> Studio:
    task = str(options.pop("task", "validate"))
    database, _, _ = small_project(place, folder, people, task, **options)
    join(database, ["max"], "manager")
    return studio_of(database)


def signed_in(studio: Studio, name: str) -> Visitor:
    visitor = Visitor(studio)
    assert visitor.sign_in(name).status == 303
    return visitor


def all_of(database: Database) -> Collected:
    with database.read() as session:
        return collected(session, session.scalars(select(Project)).one())


def first_item(database: Database) -> ItemRow:
    with database.read() as session:
        return session.scalars(select(ItemRow).order_by(ItemRow.place, ItemRow.id)).first()  # type: ignore[return-value]


def mark(studio: Studio, key: str, choice: str, notice: str = "gold", **fields: str) -> None:
    manager = signed_in(studio, "max")
    manager.get(f"/manage/films/items/{key}")
    answer = manager.post(f"/manage/films/items/{key}/gold", {"choice": choice, "gold": "yes", **fields})
    assert answer.status == 303, answer.text
    assert notice in manager.get(answer.to).text


def work_off(visitor: Visitor, choice: str) -> int:
    done = 0
    while visitor.get("/work/films").form_key:
        assert visitor.judge("films", choice).status == 303
        done += 1
    return done


def test_gold_is_given_to_others_counts_in_their_record_and_once_in_results(
    place: str, tmp_path: Path
) -> None:
    folder = saved_set(tmp_path / "films", questions=4, answers=6)
    studio = studio_with(place, folder, ["ann", "ben", "cid"], **PLAIN)
    database = studio.database
    ann, ben, cid = (signed_in(studio, name) for name in ("ann", "ben", "cid"))
    gold = first_item(database)
    ann.judge("films", "stated")
    mark(studio, gold.key, "not-stated")
    assert "Gold" in signed_in(studio, "max").get(f"/manage/films/items/{gold.key}").text
    work_off(ben, "stated")
    work_off(cid, "stated")
    work_off(ann, "stated")
    told = all_of(database)
    about = [one for one in told.judged if one.item == gold.key]
    assert [(one.person, one.missed) for one in about if one.role == "annotator"] == [
        ("ann", None),
        ("ben", True),
        *([("cid", True)] if len(about) > 3 else []),
    ]
    records = {one.person: one for one in people_figures(told)}
    assert (records["ben"].found.count, records["ben"].found.of) == (0, 1)
    assert records["ann"].found.of == 0, "what was said before it was gold is an ordinary judgment"
    resolution = told.resolutions[gold.key]
    assert (resolution.state, resolution.choice) == ("rejected", "not-stated")
    (trace,) = [one for listed in traces(told).values() for one in listed if one.key == gold.key]
    assert {one.person for one in trace.counted} == {"ann", "max"}
    assert len(trace.verdicts) == len(about)
    assert progress(told).share == 1
    assert not any(one.coefficients[0].items for one in agreement(told)), "one person judged each item"
    assert {one.item for one in told.judged} == {item.key for item in told.items}
    assert "ben" in estimates(told)["validate"].people


def test_gold_goes_to_no_more_than_the_share_and_to_nobody_twice(place: str, tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=6, answers=6)
    people = ["ann", "ben", "cid", "dan"]
    studio = studio_with(place, folder, people, gold=0.2, **PLAIN)
    visitors = [signed_in(studio, name) for name in people]
    with studio.database.read() as session:
        keys = list(session.scalars(select(ItemRow.key).order_by(ItemRow.place).limit(4)))
    for key in keys:
        visitors[0].judge("films", "stated")
        mark(studio, key, "stated")
    while sum(visitor.judge("films", "stated").status == 303 for visitor in visitors):
        pass
    told = all_of(studio.database)
    as_gold = [one for one in told.judged if one.as_gold]
    assert 4 <= len(as_gold) <= round(0.2 / 0.8 * 36)
    assert len({(one.item, one.person) for one in as_gold}) == len(as_gold)
    assert all(one.missed is False for one in as_gold)
    assert all(one.person != "max" for one in as_gold)


def test_who_joins_later_gets_gold_too(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=4, answers=6)
    studio = studio_with(tmp_path / "studio.sqlite", folder, ["ann"], **PLAIN)
    gold = first_item(studio.database)
    signed_in(studio, "ann").judge("films", "stated")
    mark(studio, gold.key, "stated", notice="not handed out yet")
    with studio.database.read() as session:
        assert not session.scalar(select(func.count()).select_from(Slot).where(Slot.number > 0))
    join(studio.database, ["ben"])
    work_off(signed_in(studio, "ben"), "not-stated")
    (missed,) = [one for one in all_of(studio.database).judged if one.as_gold]
    assert (missed.person, missed.item, missed.missed) == ("ben", gold.key, True)


def test_whoever_misses_gold_is_warned_and_stopped(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=30, answers=6)
    studio = studio_with(tmp_path / "studio.sqlite", folder, ["ann", "ben"], gold=0.3, **PLAIN)
    with studio.database.read() as session:
        keys = list(session.scalars(select(ItemRow.key).order_by(ItemRow.place).limit(40)))
    for key in keys:
        mark(studio, key, "not-stated")
    ben = signed_in(studio, "ben")
    work_off(ben, "stated")
    with studio.database.read() as session:
        members = session.scalars(select(Member).order_by(Member.id)).all()
        assert [one.state for one in members if one.role == "annotator"] == ["working", "stopped"]
    assert "Your work here has ended" in ben.get("/work/films").text


def test_gold_can_be_changed_and_taken_back(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=4, answers=6)
    studio = studio_with(tmp_path / "studio.sqlite", folder, ["ann", "ben"], **PLAIN)
    gold = first_item(studio.database)
    signed_in(studio, "ann").judge("films", "stated")
    mark(studio, gold.key, "not-stated")
    work_off(signed_in(studio, "ben"), "stated")

    def missed() -> set[bool | None]:
        return {one.missed for one in all_of(studio.database).judged if one.person == "ben"}

    assert missed() == {None, True}
    mark(studio, gold.key, "stated")
    assert missed() == {None, False}
    mark(studio, gold.key, "", gold="no")
    told = all_of(studio.database)
    assert missed() == {None}
    assert not any(item.gold or "expected" in item.hidden for item in told.items)
    assert told.resolutions[gold.key].choice == "stated"


def test_an_adjudicator_makes_gold_of_what_is_decided(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=4, answers=6)
    studio = studio_with(tmp_path / "studio.sqlite", folder, ["ann", "ben", "cid"], overlap=2, **PLAIN)
    signed_in(studio, "ann").judge("films", "stated")
    signed_in(studio, "ben").judge("films", "not-stated")
    manager = signed_in(studio, "max")
    assert "1 Stated, 1 Not stated" in manager.get("/manage/films/items").text
    shown = manager.get("/manage/films/adjudicate")
    assert 'name="gold"' in shown.text
    (key,) = re.findall(r'name="key" value="([^"]+)"', shown.text)
    assert (
        manager.post("/manage/films/adjudicate", {"key": key, "choice": "stated", "gold": "yes"}).status
        == 303
    )
    item = next(one for one in all_of(studio.database).items if one.gold)
    assert item.key == key
    work_off(signed_in(studio, "cid"), "not-stated")
    assert [one.missed for one in all_of(studio.database).judged if one.as_gold] == [True]


@pytest.mark.parametrize(("task", "gold"), [("screen", True), ("verify", True), ("naturalness", False)])
def test_tasks_whose_verdicts_are_right_or_wrong_have_gold(task: str, gold: bool, tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=12)
    options = {"injected": 0} if task == "verify" else {}
    studio = studio_with(tmp_path / "studio.sqlite", folder, ["ann", "ben", "cid"], task=task, **options)
    item = first_item(studio.database)
    manager = signed_in(studio, "max")
    assert ("Mark as gold" in manager.get(f"/manage/films/items/{item.key}").text) is gold
    choice = {"screen": "clumsy", "verify": "differs", "naturalness": "rated"}[task]
    sent = manager.post(f"/manage/films/items/{item.key}/gold", {"choice": choice, "gold": "yes"})
    assert sent.status == (303 if gold else 400)
    if gold:
        ann = signed_in(studio, "ann")
        ann.judge("films", "fine" if task == "screen" else "matches")
        assert [one.missed for one in all_of(studio.database).judged if one.as_gold] == [True]


def test_an_injected_item_cannot_be_gold(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=4, answers=6)
    studio = studio_with(tmp_path / "studio.sqlite", folder, ["ann"], **{**PLAIN, "injected": 0.3})
    with studio.database.read() as session:
        key = session.scalars(select(ItemRow.key).where(ItemRow.injected.is_(True))).first()
    manager = signed_in(studio, "max")
    assert "Mark as gold" not in manager.get(f"/manage/films/items/{key}").text
    sent = manager.post(f"/manage/films/items/{key}/gold", {"choice": "stated", "gold": "yes"})
    assert sent.status == 400
    assert "cannot be gold" in sent.text


def test_an_undone_gold_judgment_leaves_the_result_as_it_is(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=4, answers=6)
    studio = studio_with(tmp_path / "studio.sqlite", folder, ["ann"], **PLAIN)
    gold = first_item(studio.database)
    mark(studio, gold.key, "not-stated")
    ann = signed_in(studio, "ann")
    ann.judge("films", "stated")
    ann.post("/work/films/undo")
    told = all_of(studio.database)
    assert told.resolutions[gold.key].choice == "not-stated"
    assert not [one for one in told.judged if one.counted and one.role == "annotator"]
    with studio.database.read() as session:
        assert (
            session.scalar(select(SavedJudgment.withdrawn).where(SavedJudgment.role == "annotator"))
            == "undone"
        )
