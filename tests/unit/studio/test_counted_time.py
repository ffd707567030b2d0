"""The time that people are paid for: counted once, as far as the server saw it, and never lost."""

import random
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import select

from rollcall.studio.database.engine import Database, ServerClock
from rollcall.studio.database.tables import Person, Project, SavedJudgment
from rollcall.studio.projects import find_project, open_database
from rollcall.studio.verbs import project
from rollcall.studio.web.studio import Studio
from rollcall.studio.work import loop
from rollcall.studio.work.assigning import LEASE_SECONDS
from rollcall.studio.work.loop import AWAY_SECONDS
from studio_client import Visitor, studio_of
from studio_project import join, saved_set

HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
PROJECTS = ("films", "more-films")


class Hands:
    """A clock whose hands the test moves."""

    def __init__(self, at: float = 1_800_000_000.0):
        self.at = at

    def __call__(self) -> float:
        return self.at


class World:
    """A studio with two projects, on a clock of the test."""

    def __init__(self, place: str, folder: Path):
        for name in PROJECTS:
            options = {"minimum": 0, "injected": 0, "check_rejected": 0, "check_accepted": 0, "overlap": 2}
            project(place, saved_set(folder / "films"), "validate", name=name, options=options)
        self.database: Database = open_database(place)
        for name in PROJECTS:
            join(self.database, ["ann", "ben"], name=name)
            join(self.database, ["mia"], "manager", name)
        self.hands = Hands()
        self.studio = self.started()

    def started(self) -> Studio:
        """A server that starts now on the database."""
        return studio_of(self.database, clock=self.hands)

    def visitor(self, name: str, studio: Studio | None = None) -> Visitor:
        visitor = Visitor(studio or self.studio)
        visitor.sign_in(name)
        return visitor

    def seconds(self, name: str) -> float:
        """What somebody is paid for, in all projects."""
        with self.database.read() as session:
            mine = select(SavedJudgment.seconds).join(Person, Person.id == SavedJudgment.person_id)
            return sum(session.scalars(mine.where(Person.name == name, SavedJudgment.withdrawn != "undone")))


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(str(tmp_path / "studio.sqlite"), tmp_path)
    yield made
    made.database.close()


def draft(visitor: Visitor, key: str, seconds: str = "", name: str = "films") -> int:
    return visitor.post(f"/work/{name}/draft", {"form_key": key, "seconds": seconds}).status


def judge(visitor: Visitor, key: str, seconds: str = "", name: str = "films") -> int:
    sent = {"form_key": key, "seconds": seconds, "choice": "stated"}
    return visitor.post(f"/work/{name}", sent).status


@pytest.mark.parametrize("told", ["", "99999", "inf", "nan", "-5", "no number"])
def test_drafts_invent_no_time(world: World, told: str) -> None:
    ann = world.visitor("ann")
    key = ann.get("/work/films").form_key
    for _ in range(40):
        world.hands.at += 0.25
        assert draft(ann, key, told) == 204
    assert judge(ann, key, told) == 303
    assert world.seconds("ann") == pytest.approx(0 if told == "-5" else 10)


def test_what_the_page_counted_is_paid_where_the_server_saw_it_pass(world: World) -> None:
    ann = world.visitor("ann")
    key = ann.get("/work/films").form_key
    for told in ("20", "45"):  # 30 seconds passed each time; the rest was a pause
        world.hands.at += 30
        draft(ann, key, told)
    world.hands.at += 30
    judge(ann, key, "75")
    assert world.seconds("ann") == pytest.approx(75)


def test_who_was_away_is_paid_for_a_few_minutes(world: World) -> None:
    ann = world.visitor("ann")
    key = ann.get("/work/films").form_key
    world.hands.at += LEASE_SECONDS - 1
    judge(ann, key, "99999")
    assert world.seconds("ann") == pytest.approx(AWAY_SECONDS)


def test_a_form_that_is_sent_again_or_by_many_at_once_counts_once(place: str, tmp_path: Path) -> None:
    world = World(place, tmp_path)
    tabs = [world.visitor("ann") for _ in range(4)]
    key = tabs[0].get("/work/films").form_key
    for tab in tabs:
        tab.get("/work/films")
    world.hands.at += 30

    def send(tab: Visitor) -> None:
        for _ in range(4):
            draft(tab, key, "30")
        judge(tab, key, "30")

    with ThreadPoolExecutor(len(tabs)) as threads:
        list(threads.map(send, tabs))
    assert world.seconds("ann") == pytest.approx(30)
    world.database.close()


def test_tabs_of_one_item_count_each_their_own_time(world: World) -> None:
    first, second = world.visitor("ann"), world.visitor("ann")
    key = first.get("/work/films").form_key
    assert second.get("/work/films").form_key == key
    world.hands.at += 60
    draft(first, key, "60")
    world.hands.at += 15
    judge(second, key, "15")  # its timer stood still while the other tab was looked at
    assert world.seconds("ann") == pytest.approx(75)


def test_two_projects_at_once_are_paid_as_the_time_that_passed(place: str, tmp_path: Path) -> None:
    world = World(place, tmp_path)
    tabs = {name: world.visitor("ann") for name in PROJECTS}
    keys = {name: tab.get(f"/work/{name}").form_key for name, tab in tabs.items()}

    def send(name: str) -> None:
        for _ in range(3):
            draft(tabs[name], keys[name], name=name)
        judge(tabs[name], keys[name], name=name)

    world.hands.at += 50
    with ThreadPoolExecutor(2) as threads:
        list(threads.map(send, PROJECTS))
    assert world.seconds("ann") == pytest.approx(50)
    world.database.close()


def test_work_in_turn_on_two_projects_is_paid_for_both(world: World) -> None:
    tabs = {name: world.visitor("ann") for name in PROJECTS}
    keys = {name: tab.get(f"/work/{name}").form_key for name, tab in tabs.items()}
    world.hands.at += 100
    draft(tabs["films"], keys["films"], "40")  # 60 seconds were spent in the other tab
    judge(tabs["more-films"], keys["more-films"], "60", "more-films")
    judge(tabs["films"], keys["films"], "40")
    assert world.seconds("ann") == pytest.approx(100)


def test_time_between_two_turns_of_one_item_is_not_work(world: World) -> None:
    ann, ben = world.visitor("ann"), world.visitor("ben")
    key = ann.get("/work/films").form_key
    world.hands.at += 20
    draft(ann, key)
    loop.sweep(world.database, world.hands.at + 2 * LEASE_SECONDS)
    world.hands.at += 86_400
    ann, ben = world.visitor("ann"), world.visitor("ben")
    again = ann.get("/work/films").form_key
    assert again != key
    world.hands.at += 10
    judge(ann, again)
    assert world.seconds("ann") == pytest.approx(30)
    assert ben.get("/work/films").form_key


def test_a_form_that_comes_late_is_paid_for_what_was_seen(world: World) -> None:
    ann = world.visitor("ann")
    key = ann.get("/work/films").form_key
    world.hands.at += 100
    draft(ann, key)
    world.hands.at += LEASE_SECONDS + 1
    loop.sweep(world.database, world.hands.at)
    judge(ann, key, "14000")
    assert world.seconds("ann") == pytest.approx(100 + AWAY_SECONDS)


def test_what_was_earned_before_a_pause_of_the_project_is_kept(world: World) -> None:
    ann = world.visitor("ann")
    key = ann.get("/work/films").form_key
    world.hands.at += 50
    draft(ann, key)
    loop.sweep(world.database, world.hands.at + 2 * LEASE_SECONDS)
    set_state(world, "paused")
    world.hands.at += 5
    assert judge(ann, key) == 409
    set_state(world, "open")
    again = ann.get("/work/films").form_key
    judge(ann, again)
    assert world.seconds("ann") == pytest.approx(55)


def set_state(world: World, state: str) -> None:
    with world.database.write() as session:
        session.get_one(Project, find_project(session, "films").id).state = state


def test_undo_and_again_adds_the_second_look_alone(world: World) -> None:
    ann = world.visitor("ann")
    for _ in range(3):
        key = ann.get("/work/films").form_key
        world.hands.at += 10
        judge(ann, key)
        ann.get("/work/films")
        assert ann.post("/work/films/undo").status == 303
    judge(ann, ann.get("/work/films").form_key)
    assert world.seconds("ann") == pytest.approx(30)


def test_a_manager_is_paid_from_when_the_item_was_shown(world: World) -> None:
    for name, choice in (("ann", "stated"), ("ben", "not-stated")):
        for _ in range(3):
            world.visitor(name).judge("films", choice)
    mia = world.visitor("mia")
    world.hands.at += 1000
    for forged, paid in (("", 0), ("1:of nobody", 0), (None, 20)):
        fields = dict(HIDDEN.findall(mia.get("/manage/films/adjudicate").text))
        world.hands.at += 20
        shown_at = fields["shown_at"] if forged is None else forged
        sent = {"key": fields["key"], "shown_at": shown_at, "seconds": "3600", "choice": "stated"}
        assert mia.post("/manage/films/adjudicate", sent).status == 303
        assert world.seconds("mia") == pytest.approx(paid)


@pytest.mark.parametrize("back", [5.0, 90.0, 3600.0, 86_400.0 * 365])
def test_a_clock_that_is_put_back_loses_and_invents_nothing(world: World, back: float) -> None:
    ann = world.visitor("ann")
    key = ann.get("/work/films").form_key
    world.hands.at += 60
    draft(ann, key, "60")
    world.hands.at -= back
    draft(ann, key, "60")
    for told in ("80", "100"):
        world.hands.at += 20
        draft(ann, key, told)
    judge(ann, key, "100")
    assert world.seconds("ann") == pytest.approx(100)


@pytest.mark.parametrize("back", [90.0, 3600.0, 86_400.0 * 365])
def test_a_server_that_starts_with_an_earlier_clock_goes_on_counting(world: World, back: float) -> None:
    ann = world.visitor("ann")
    key = ann.get("/work/films").form_key
    world.hands.at += 60
    draft(ann, key, "60")
    world.hands.at -= back
    ann = world.visitor("ann", world.started())
    draft(ann, key, "60")
    world.hands.at += 20
    judge(ann, key, "80")
    assert world.seconds("ann") == pytest.approx(80)


def test_the_clock_of_a_server_goes_on_while_that_of_the_machine_is_put_back() -> None:
    wall, steady = Hands(), Hands(5.0)
    clock = ServerClock(wall, steady)
    before = clock()
    wall.at, steady.at = wall.at - 3600, steady.at + 30
    assert clock() == before + 30, "put back by an hour, while half a minute passed"
    wall.at, steady.at = wall.at + 7, steady.at + 7
    assert clock() == before + 37
    wall.at, steady.at = wall.at + 9000, steady.at + 1
    assert clock() == before + 37 + 9000, "a machine that slept, whose other clock stood still"


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_sent_no_more_is_paid_than_passed(world: World, seed: int) -> None:
    numbers = random.Random(seed)
    begun = world.hands.at
    tabs = [world.visitor("ann") for _ in range(3)]
    keys: list[tuple[str, str]] = []
    for _ in range(100):
        world.hands.at += numbers.choice([0, 0, 1, 30, 400])
        tab, name = numbers.choice(tabs), numbers.choice(PROJECTS)
        told = numbers.choice(["", "1", "100", "100000"])
        step = numbers.choice(["look", "look", "draft", "draft", "judge", "judge", "skip", "undo", "sweep"])
        if step == "look" and (key := tab.get(f"/work/{name}").form_key):
            keys.append((name, key))
        elif step == "undo":
            tab.post(f"/work/{name}/undo")
        elif step == "sweep":
            loop.sweep(world.database, world.hands.at + numbers.choice([0, LEASE_SECONDS + 1]))
        elif keys:
            name, key = numbers.choice(keys[-3:])
            if step == "skip":
                tab.post(f"/work/{name}/skip", {"form_key": key})
            else:
                {"draft": draft, "judge": judge}[step](tab, key, told, name)
    assert 0 < world.seconds("ann") <= world.hands.at - begun
