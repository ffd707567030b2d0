"""The work loop: what is stored, taken, taken back, reclaimed and queued again, on both databases."""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import select

from rollcall import RollcallError
from rollcall.studio.database.engine import Database
from rollcall.studio.database.tables import ItemRow, Member, Project, QuestionState, SavedJudgment, Slot
from rollcall.studio.figures import people_figures, progress
from rollcall.studio.papers import paper_figures
from rollcall.studio.records import Collected
from rollcall.studio.work import loop
from rollcall.studio.work.assigning import LEASE_SECONDS
from rollcall.studio.work.loop import skipped
from rollcall.studio.work.rows import collected
from studio_project import saved_set, small_project

NOW = 1_800_000_000.0
Opened = tuple[Database, Project, list[Member]]


def opened(place: str, tmp_path: Path, people: list[str], **options: object) -> Opened:
    options = {"minimum": 0, "check_accepted": 0, "check_rejected": 0, **options}
    return small_project(place, saved_set(tmp_path / "films"), people, **options)


def said(choice: str, **more: str) -> dict[str, list[str]]:
    return {"choice": [choice], **{name: [value] for name, value in more.items()}}


def judge_next(project: Opened, who: int, choice: str = "stated", at: float = NOW) -> bool:
    """Judge what comes next; False where nothing does."""
    database, row, members = project
    taken = loop.current(database, row, members[who], at)
    if taken is not None:
        loop.judge(database, row, members[who], taken.form_key, said(choice), at)
    return taken is not None


def everything(project: Opened) -> Collected:
    with project[0].read() as session:
        return collected(session, project[1])


def fresh(project: Opened, who: int = 0) -> Member:
    with project[0].read() as session:
        return session.get_one(Member, project[2][who].id)


def test_many_people_at_once_judge_each_item_as_often_as_asked(each_place: str, tmp_path: Path) -> None:
    people = [f"person {number}" for number in range(8)]
    project = opened(each_place, tmp_path, people, overlap=3, injected=0.1)

    def work(who: int) -> int:
        done = 0
        while judge_next(project, who, random.Random(done).choice(["stated", "not-stated"])):
            done += 1
        return done

    with ThreadPoolExecutor(len(people)) as threads:
        counts = list(threads.map(work, range(len(people))))
    found = everything(project)
    per_item = Counter(one.item for one in found.judged if one.counted)
    assert set(per_item) == {item.key for item in found.items}
    assert set(per_item.values()) == {3}
    assert sum(counts) == len([one for one in found.judged if one.counted])
    assert len({(one.item, one.person) for one in found.judged}) == len(found.judged)


def test_a_form_that_is_sent_again_is_stored_once(each_place: str, tmp_path: Path) -> None:
    database, row, members = project = opened(each_place, tmp_path, ["ann"])
    taken = loop.current(database, row, members[0], NOW)
    assert taken is not None
    send = lambda _: loop.judge(database, row, members[0], taken.form_key, said("stated"), NOW)  # noqa: E731
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(send, range(8)))
    assert len(everything(project).judged) == 1
    assert fresh(project).done == 1


def test_two_tabs_of_one_person_show_the_same_item(each_place: str, tmp_path: Path) -> None:
    database, row, members = opened(each_place, tmp_path, ["ann"])
    with ThreadPoolExecutor(4) as threads:
        taken = list(threads.map(lambda _: loop.current(database, row, members[0], NOW), range(8)))
    assert len({one.form_key for one in taken if one is not None}) == 1


def test_what_is_abandoned_goes_to_others_and_comes_in_late(each_place: str, tmp_path: Path) -> None:
    database, row, members = project = opened(each_place, tmp_path, ["ann", "ben", "cy"])
    late = loop.current(database, row, members[0], NOW)
    assert late is not None
    later = NOW + LEASE_SECONDS + 1
    assert loop.sweep(database, later) == 1
    taken = loop.current(database, row, members[1], later)
    assert taken is not None
    assert taken.item.id == late.item.id
    loop.judge(database, row, members[1], taken.form_key, said("stated"), later)
    loop.judge(database, row, members[0], late.form_key, said("not-stated"), later)
    mine = [one for one in everything(project).judged if one.item == late.item.key]
    assert [(one.person, one.counted) for one in mine] == [("ben", True), ("ann", False)]


def test_who_comes_back_late_keeps_the_item_if_nobody_took_it(place: str, tmp_path: Path) -> None:
    database, row, members = project = opened(place, tmp_path, ["ann"])
    late = loop.current(database, row, members[0], NOW)
    assert late is not None
    loop.sweep(database, NOW + LEASE_SECONDS + 1)
    loop.judge(database, row, members[0], late.form_key, said("stated"), NOW + LEASE_SECONDS + 2)
    assert [one.counted for one in everything(project).judged] == [True]


def test_a_draft_is_kept_and_undo_brings_the_screen_back(place: str, tmp_path: Path) -> None:
    database, row, members = project = opened(place, tmp_path, ["ann"])
    taken = loop.current(database, row, members[0], NOW)
    assert taken is not None
    assert loop.keep_draft(database, row, members[0], taken.form_key, said("stated", comment="half"), NOW + 5)
    again = loop.current(database, row, members[0], NOW + 9)
    assert again is not None
    assert again.draft["comment"] == ["half"]
    assert again.seconds == pytest.approx(5)
    loop.judge(database, row, members[0], taken.form_key, said("stated", comment="whole"), NOW + 10)
    loop.take_back(database, row, members[0], NOW + 11)
    back = loop.current(database, row, members[0], NOW + 12)
    assert back is not None
    assert back.item.id == taken.item.id
    assert back.draft["comment"] == ["whole"]
    assert back.form_key != taken.form_key
    loop.judge(database, row, members[0], back.form_key, said("not-stated"), NOW + 13)
    counted = [(one.choice, one.counted) for one in everything(project).judged]
    assert counted == [("stated", False), ("not-stated", True)]


def test_what_was_undone_is_no_part_of_the_record(place: str, tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films")
    database, row, members = project = small_project(place, folder, ["ann"], injected=0.5, minimum=0)
    known = {item.key for item in everything(project).items if item.injected}
    at = NOW
    while (taken := loop.current(database, row, members[0], at)) and taken.item.key not in known:
        at += 10
        loop.judge(database, row, members[0], taken.form_key, said("stated"), at)
    before = sum(one.seconds for one in everything(project).judged)
    assert taken is not None
    loop.judge(database, row, members[0], taken.form_key, said("stated"), at + 10)
    loop.take_back(database, row, members[0], at + 10)
    back = loop.current(database, row, members[0], at + 10)
    assert back is not None
    loop.judge(database, row, members[0], back.form_key, said("not-stated"), at + 12)
    collected = everything(project)
    (ann,) = people_figures(collected)
    assert (ann.found.count, ann.found.of) == (1, 1), "the slip of the finger was mended"
    assert ann.hours * 3600 == pytest.approx(before + 12), "ten seconds are not counted twice"
    assert progress(collected).hours == pytest.approx(ann.hours)
    assert progress(collected).withdrawn == 1
    figures = {one.name: one.value for one in paper_figures(collected)}
    assert figures["hours"] == pytest.approx(ann.hours, abs=0.01)
    assert figures["judgments"] == ann.judged


def test_what_is_skipped_goes_to_others(place: str, tmp_path: Path) -> None:
    database, row, members = project = opened(place, tmp_path, ["ann", "ben"])
    taken = loop.current(database, row, members[0], NOW)
    assert taken is not None
    loop.pass_over(database, row, members[0], taken.form_key, "too hard", NOW)
    while judge_next(project, 0):
        pass
    left = loop.current(database, row, members[1], NOW)
    assert left is not None
    assert left.item.id == taken.item.id


def test_what_one_skipped_can_be_had_again_while_it_is_open(place: str, tmp_path: Path) -> None:
    database, row, members = project = opened(place, tmp_path, ["ann", "ben"])
    passed_over = []
    for _ in range(3):
        taken = loop.current(database, row, members[0], NOW)
        assert taken is not None
        loop.pass_over(database, row, members[0], taken.form_key, "", NOW)
        passed_over.append(taken.item.id)
    assert judge_next(project, 1), "somebody else judges the first of them, and has the second in hand"
    while judge_next(project, 0):
        pass
    with database.read() as session:
        assert [skipped(session, row, member) for member in members] == [1, 0]
    loop.show_skipped_again(database, row, members[1])
    assert loop.current(database, row, members[0], NOW) is None, "nobody brings back what others skipped"
    loop.show_skipped_again(database, row, members[0])
    again = loop.current(database, row, members[0], NOW)
    assert again is not None
    assert again.item.id == passed_over[2]
    assert judge_next(project, 0)
    assert judge_next(project, 1)
    assert progress(everything(project)).undecided == 0


def test_the_form_of_somebody_else_is_refused(place: str, tmp_path: Path) -> None:
    database, row, members = project = opened(place, tmp_path, ["ann", "ben"])
    taken = loop.current(database, row, members[0], NOW)
    assert taken is not None
    with pytest.raises(RollcallError, match="no longer valid"):
        loop.judge(database, row, members[1], taken.form_key, said("stated"), NOW)
    assert everything(project).judged == []


def test_who_accepts_everything_is_warned_stopped_and_their_work_is_done_again(
    place: str, tmp_path: Path
) -> None:
    folder = saved_set(tmp_path / "films", questions=24, answers=6)
    options = {"injected": 0.3, "minimum": 0, "check_rejected": 0}
    database, row, members = project = small_project(place, folder, ["careless", "careful"], **options)
    states = []
    while judge_next(project, 0, "stated"):
        states.append(fresh(project).state)
    assert list(dict.fromkeys(states)) == ["working", "warned", "stopped"]
    found = everything(project)
    assert found.judged
    assert not any(one.counted for one in found.judged)
    with pytest.raises(RollcallError, match="nothing to undo"):
        loop.take_back(database, row, members[0], NOW)
    expected = {item.key: "not-stated" if item.injected else "stated" for item in found.items}
    while (taken := loop.current(database, row, members[1], NOW)) is not None:
        choice = expected[taken.item.key]
        loop.judge(database, row, members[1], taken.form_key, said(choice), NOW)
    assert fresh(project, 1).state == "working"
    resolutions = everything(project).resolutions
    assert {key: resolution.choice for key, resolution in resolutions.items()} == expected


def test_a_question_with_too_few_answers_is_dropped_and_replaced(place: str, tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=3, answers=6)
    options = {"minimum": 5, "quota": 1, "injected": 0, "check_rejected": 0}
    project = small_project(place, folder, ["ann"], **options)
    judged = 0
    while judge_next(project, 0, "not-stated"):
        judged += 1
    with project[0].read() as session:
        states = Counter(session.scalars(select(QuestionState.state)))
    assert states == {"dropped": 3}
    assert judged == 6, "after the second rejection a question is lost, and nobody judges the rest of it"


def test_a_question_comes_back_when_its_judge_is_stopped(place: str, tmp_path: Path) -> None:
    from rollcall.studio.work.settling import stop

    options = {"minimum": 5, "quota": 1, "injected": 0, "check_rejected": 0}
    database, row, members = project = small_project(
        place, saved_set(tmp_path / "films", questions=2), ["ann", "ben"], **options
    )
    for _ in range(2):
        judge_next(project, 0, "not-stated")
    loop.in_turn(database, members[0], lambda session, one: stop(session, row, one, "a manager's", NOW))
    with database.read() as session:
        assert set(session.scalars(select(QuestionState.state))) == {"asked"}
        states = Counter(session.scalars(select(Slot.state)))
    assert states == {"free": 12}


def test_a_manager_checks_what_was_rejected(place: str, tmp_path: Path) -> None:
    project = opened(place, tmp_path, ["ann"], check_rejected=1.0, injected=0)
    judge_next(project, 0, "not-stated")
    judge_next(project, 0, "stated")
    with project[0].read() as session:
        wanted = session.scalars(select(ItemRow.state).where(ItemRow.check == "wanted")).all()
    assert wanted == ["rejected"]


def test_a_paused_project_hands_nothing_out(place: str, tmp_path: Path) -> None:
    database, row, members = opened(place, tmp_path, ["ann"])
    with database.write() as session:
        session.get_one(Project, row.id).state = "paused"
    row.state = "paused"
    assert loop.current(database, row, members[0], NOW) is None


def test_the_database_itself_refuses_a_second_judgment_of_a_slot(each_place: str, tmp_path: Path) -> None:
    from sqlalchemy.exc import IntegrityError

    project = opened(each_place, tmp_path, ["ann"])
    database = project[0]
    judge_next(project, 0)
    with database.read() as session:
        stored = session.scalars(select(SavedJudgment)).one()
    copied = {
        column.name: getattr(stored, column.name)
        for column in SavedJudgment.__table__.columns
        if column.name != "id"
    }
    with pytest.raises(IntegrityError), database.write() as session:
        session.add(SavedJudgment(**{**copied, "form_key": "another"}))
