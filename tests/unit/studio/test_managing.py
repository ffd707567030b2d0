"""The managers' pages: from a new project to the export, with checks, adjudication and inspection."""

import io
import zipfile
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import func, select

from rollcall.questions import QuestionSet
from rollcall.studio.database.tables import (
    AuditEntry,
    Inspection,
    ItemRow,
    Member,
    Person,
    SavedJudgment,
    Slot,
)
from rollcall.studio.export.version import judgments_of_set
from rollcall.studio.projects import NewProject, make_project, materials_at, open_database
from rollcall.studio.web.studio import Studio
from rollcall.studio.work import loop
from rollcall.studio.work.people import add_person
from studio_client import Visitor, studio_of
from studio_project import PASSWORD, QUICK, join, saved_set, small_project


@pytest.fixture
def studio(tmp_path: Path) -> Studio:
    """A studio with an owner and a folder with one set."""
    saved_set(tmp_path / "sets" / "films")
    database = open_database(tmp_path / "studio.sqlite")
    with database.write() as session:
        add_person(session, "owner", QUICK.hash(PASSWORD), 0.0, owner=True)
    return studio_of(database, sets=tmp_path / "sets")


def signed_in(studio: Studio, name: str) -> Visitor:
    visitor = Visitor(studio)
    assert visitor.sign_in(name).status == 303
    return visitor


NEW = {
    "task": "validate",
    "set": "films",
    "name": "films",
    "title": "Films",
    "hourly_rate": "12,50",
    "currency": "EUR",
    "option.overlap": "2",
    "option.minimum": "0",
    "option.injected": "0",
    "option.check_rejected": "1",
}


def test_a_project_goes_from_its_set_to_the_export(studio: Studio, tmp_path: Path) -> None:
    owner = signed_in(studio, "owner")
    form = owner.get("/manage/new").text
    assert "films" in form
    assert '<option value="validate" selected>' in form
    assert owner.post("/manage/new", NEW).to == "/manage/films"
    owner.get("/manage/films/people")
    invited = owner.post("/manage/films/invite", {"role": "annotator", "count": "2", "group": "team"})
    links = [line for line in invited.text.split() if "/join/" in line]
    people = []
    for number, link in enumerate(links):
        visitor = Visitor(studio)
        path = link[link.index("/join/") :].partition("<")[0]
        visitor.get(path)
        fields = {"name": f"Rosalind {number}", "password": PASSWORD, "password2": PASSWORD}
        assert visitor.post(path, fields).to == "/work/films"
        people.append(visitor)
    people[0].judge("films", "not-stated")
    people[1].judge("films", "not-stated")
    people[0].judge("films", "stated")
    people[1].judge("films", "not-stated")
    while (shown := people[0].get("/work/films")).form_key:
        people[0].post("/work/films", {"form_key": shown.form_key, "choice": "stated", "seconds": "2"})
    while (shown := people[1].get("/work/films")).form_key:
        people[1].post("/work/films", {"form_key": shown.form_key, "choice": "stated", "seconds": "2"})
    overview = owner.get("/manage/films").text
    assert "1 disputed" in overview
    assert "EUR" in overview
    decided = owner.get("/manage/films/adjudicate").text
    assert "Person 1" in decided
    assert "<td>Not stated" in decided, "verdicts are called as on their buttons"
    assert "Rosalind" not in decided, "names are hidden from who adjudicates"
    for kind, choice in (("adjudicate", "stated"), ("check", "not-stated")):
        owner.get(f"/manage/films/{kind}")
        with studio.database.read() as session:
            waiting = ItemRow.state == "disputed" if kind == "adjudicate" else ItemRow.check == "wanted"
            key = session.scalars(select(ItemRow.key).where(waiting)).one()
        assert owner.post(f"/manage/films/{kind}", {"key": key, "choice": choice}).status == 303
        assert "Nothing is waiting" in owner.get(f"/manage/films/{kind}").text
    check_export(owner, tmp_path)
    actions = _actions(studio)
    assert {"made the project", "invited", "joined", "adjudicate", "check", "exported"} <= actions


def test_a_new_project_says_what_of_its_set_is_not_judged(studio: Studio) -> None:
    owner = signed_in(studio, "owner")
    assert owner.post("/manage/new", NEW | {"option.questions": "1"}).to == "/manage/films"
    page = owner.get("/manage/films").text
    assert "3 of 4 questions not judged: 3 questions that were not drawn (option questions)." in page


def _actions(studio: Studio) -> set[str]:
    with studio.database.read() as session:
        return set(session.scalars(select(AuditEntry.action)))


def check_export(owner: Visitor, tmp_path: Path) -> None:
    packed = owner.get("/manage/films/export/set.zip")
    assert packed.headers["content-disposition"].startswith("attachment")
    with zipfile.ZipFile(io.BytesIO(packed.content)) as archive:
        archive.extractall(tmp_path / "exported")
    exported = QuestionSet.open(tmp_path / "exported" / "films")
    answers = sum(len(question.answers) for question in exported)
    assert answers == 4 * 6 - 1, "what two rejected and a manager confirmed is gone"
    lines = owner.get("/manage/films/export/judgments.jsonl").content.splitlines()
    assert len(lines) == 4 * 6 * 2 + 2
    assert len(judgments_of_set(exported, "films")) == len(lines)
    assert owner.get("/manage/films/export/judgments.csv").status == 200
    figures = msgspec.json.decode(owner.get("/manage/films/export/figures.json").content)
    assert figures["progress"]["judgments"] == 48
    assert owner.get("/manage/films/export/label-studio.json").status == 200
    assert owner.get("/manage/films/export/studio.sqlite").status == 404
    figures_page = owner.get("/manage/films/figures").text
    assert '<th scope="row">judgments</th><td class="figure">48</td>' in figures_page


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"set": "../films"}, "no question set"),
        ({"set": "/etc"}, "no question set"),
        ({"name": "Films!"}, "cannot be the name"),
        ({"name": "new"}, "cannot be the name"),
        ({"option.overlap": "many"}, "overlap"),
        ({"option.nonsense": "1"}, "nonsense"),
        ({"hourly_rate": "much"}, "not a number"),
        ({"task": "extend"}, "needs a corpus"),
        ({"task": "no_such_module:Thing"}, "not a task of this studio"),
    ],
)
def test_a_project_that_cannot_be_is_refused_in_one_line(
    studio: Studio, change: dict[str, str], said: str
) -> None:
    owner = signed_in(studio, "owner")
    owner.get("/manage/new")
    options = {} if change.get("task") == "extend" else NEW
    answer = owner.post("/manage/new", {**options, "set": "films", "name": "films", **change})
    assert answer.status == 400
    assert said in answer.text


@pytest.fixture
def team(tmp_path: Path) -> Studio:
    """A project with an annotator and a manager."""
    folder = saved_set(tmp_path / "films", questions=3, answers=6)
    options = {"minimum": 0, "check_rejected": 0, "injected": 0}
    database, _, _ = small_project(tmp_path / "studio.sqlite", folder, ["ann", "ben"], **options)
    join(database, ["max"], "manager")
    return studio_of(database)


def test_a_manager_stops_somebody_and_lets_them_go_on(team: Studio) -> None:
    ann, manager = signed_in(team, "ann"), signed_in(team, "max")
    for _ in range(3):
        ann.judge("films", "stated")
    with team.database.read() as session:
        number = session.scalars(select(Member.id).join(Person).where(Person.name == "ann")).one()
    manager.get("/manage/films/people")
    manager.post(f"/manage/films/people/{number}/stop", {"why": "in a hurry"})
    assert "form_key" not in ann.get("/work/films").text
    assert "in a hurry" in manager.get("/manage/films/people").text
    with team.database.read() as session:
        states = session.execute(select(Slot.state, func.count()).group_by(Slot.state)).all()
        assert dict(states) == {"free": 18}
        assert set(session.scalars(select(SavedJudgment.withdrawn))) == {"stopped"}
    manager.post(f"/manage/films/people/{number}/resume")
    assert ann.get("/work/films").form_key


def test_a_paused_project_says_so(team: Studio) -> None:
    ann, manager = signed_in(team, "ann"), signed_in(team, "max")
    manager.get("/manage/films")
    manager.post("/manage/films/state", {"state": "paused"})
    assert not ann.get("/work/films").form_key
    assert manager.post("/manage/films/state", {"state": "burning"}).status == 400
    manager.post("/manage/films/state", {"state": "open"})
    assert ann.get("/work/films").form_key


def test_a_verdict_that_comes_while_paused_is_kept_and_not_counted(team: Studio) -> None:
    ann, manager = signed_in(team, "ann"), signed_in(team, "max")
    shown = ann.get("/work/films")
    sent = {"form_key": shown.form_key, "choice": "stated", "comment": "a thought that took long"}
    manager.get("/manage/films")
    manager.post("/manage/films/state", {"state": "paused"})
    refused = ann.post("/work/films", sent)
    assert refused.status == 409
    assert "the project is paused, so this verdict is not counted; what you wrote is kept" in refused.text
    with team.database.read() as session:
        assert not session.scalar(select(func.count()).select_from(SavedJudgment))
    manager.post("/manage/films/state", {"state": "open"})
    again = ann.get("/work/films")
    assert again.form_key == shown.form_key
    assert "a thought that took long" in again.text
    assert ann.post("/work/films", sent).status == 303
    manager.post("/manage/films/state", {"state": "paused"})
    assert ann.post("/work/films", sent).status == 303, "what was stored before is not refused"
    with team.database.read() as session:
        assert session.scalar(select(func.count()).select_from(SavedJudgment)) == 1


def test_what_is_late_and_comes_while_paused_is_kept_too(team: Studio) -> None:
    now = [0.0]
    team.clock = lambda: now[0]
    ann, manager = signed_in(team, "ann"), signed_in(team, "max")
    shown = ann.get("/work/films")
    now[0] = 3000.0
    assert loop.sweep(team.database, now[0]) == 1
    manager.get("/manage/films")
    manager.post("/manage/films/state", {"state": "paused"})
    sent = {"form_key": shown.form_key, "choice": "stated", "comment": "a thought that took long"}
    assert "what you wrote is kept" in ann.post("/work/films", sent).text
    manager.post("/manage/films/state", {"state": "open"})
    assert "a thought that took long" in ann.get("/work/films").text


def test_agreement_of_few_questions_has_no_interval_and_says_why(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=3, answers=6)
    options = {"minimum": 0, "check_rejected": 0, "injected": 0, "overlap": 2}
    database, _, _ = small_project(tmp_path / "studio.sqlite", folder, ["ann", "ben"], **options)
    join(database, ["max"], "manager")
    studio = studio_of(database)
    for name in ("ann", "ben"):
        visitor = signed_in(studio, name)
        while visitor.judge("films", "stated").status == 303:
            pass
    page = signed_in(studio, "max").get("/manage/films").text
    assert "No intervals yet: 3 questions were judged by two people or more" in page
    assert "an interval from fewer than 10 would be too narrow" in page
    assert "Intervals are 95 %" not in page


def test_what_is_said_to_wait_for_managers_is_shown_to_them(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=3, answers=6)
    options = {"minimum": 0, "check_rejected": 0, "check_accepted": 0, "injected": 0.3, "overlap": 2}
    database, _, _ = small_project(tmp_path / "studio.sqlite", folder, ["ann", "ben"], **options)
    join(database, ["max"], "manager")
    studio = studio_of(database)
    manager = signed_in(studio, "max")
    for name, choice in (("ann", "stated"), ("ben", "not-stated")):
        visitor = signed_in(studio, name)
        while visitor.judge("films", choice).status == 303:
            pass
    with database.read() as session:
        items = session.scalars(select(ItemRow)).all()
    injected = [item for item in items if item.injected]
    assert len(injected) >= 5
    assert {(item.state, item.choice) for item in injected} == {("rejected", "not-stated")}
    disputed = len(items) - len(injected)
    assert f"{disputed} disputed" in manager.get("/manage/films").text
    for left in range(disputed, 0, -1):
        assert f"{left} to adjudicate" in manager.get("/manage/films").text
        assert f"{left} left" in manager.get("/manage/films/adjudicate").text
        manager.judge_all("/manage/films/adjudicate", most=1)
    assert "to adjudicate" not in manager.get("/manage/films").text
    assert "Nothing is waiting" in manager.get("/manage/films/adjudicate").text
    with database.write() as session:  # as older versions left them
        for item in session.scalars(select(ItemRow).where(ItemRow.injected)):
            item.state, item.choice = "disputed", None
    page = signed_in(studio_of(database), "max").get("/manage/films").text
    assert "to adjudicate" not in page
    assert "0 disputed" in page


def test_groups_are_set_and_let_into_a_project(team: Studio) -> None:
    manager = signed_in(team, "max")
    manager.get("/manage/films/people")
    with team.database.read() as session:
        number = session.scalars(select(Member.id).join(Person).where(Person.name == "ann")).one()
    manager.post(f"/manage/films/people/{number}/groups", {"groups": "night shift, experts"})
    assert "night shift" in manager.get("/manage/films/people").text
    assert manager.post("/manage/films/add-group", {"group": "experts"}).status == 303
    assert manager.post("/manage/films/add-group", {"group": "nobody"}).status == 400
    many = ",".join(f"group {place}" for place in range(51))
    assert manager.post(f"/manage/films/people/{number}/groups", {"groups": many}).status == 400
    assert "night shift" in manager.get("/manage/films/people").text


def test_who_manages_alone_is_told_how_to_go_on(team: Studio) -> None:
    with team.database.write() as session:
        session.scalars(select(Person).where(Person.name == "ann")).one().owner = True
        for member in session.scalars(select(Member).where(Member.role == "annotator")):
            member.state = "stopped"
    link = 'href="/manage/films/people"'
    assert link in signed_in(team, "ann").get("/work/films").text.partition("<main")[2]
    assert "write to the managers" in signed_in(team, "ben").get("/work/films").text


def test_a_manager_has_no_work_to_be_stopped(team: Studio) -> None:
    manager = signed_in(team, "max")
    manager.get("/manage/films/people")
    with team.database.read() as session:
        number = session.scalars(select(Member.id).where(Member.role == "manager")).one()
    answer = manager.post(f"/manage/films/people/{number}/stop")
    assert (answer.status, "only annotators can be stopped" in answer.text) == (400, True)
    with team.database.read() as session:
        assert session.get_one(Member, number).state == "working"


def test_a_withdrawn_invitation_lets_nobody_in(team: Studio) -> None:
    manager = signed_in(team, "max")
    manager.get("/manage/films/people")
    invited = manager.post("/manage/films/invite", {"role": "annotator"}).text
    path = invited[invited.index("/join/") :].partition("<")[0].split()[0]
    manager.get("/manage/films/people")
    assert manager.post("/manage/films/invitations/1/withdraw").status == 303
    assert Visitor(team).get(path).status == 400


def test_items_are_found_by_state_and_words(team: Studio) -> None:
    ann, manager = signed_in(team, "ann"), signed_in(team, "max")
    ann.judge("films", "stated")
    accepted = manager.get("/manage/films/items?state=accepted").text
    assert accepted.count("/manage/films/items/") == 1
    assert manager.get("/manage/films/items?query=film+1-3").text.count("/manage/films/items/") == 1
    for odd in ("%25", "_", "'%3B+DROP+TABLE+item", "\\"):
        assert manager.get(f"/manage/films/items?query={odd}").status == 200
    key = accepted.partition("/manage/films/items/")[2].partition('"')[0]
    page = manager.get(f"/manage/films/items/{key}").text
    assert "ann" in page


def test_a_batch_with_two_wrong_ones_of_ten_is_done_again(tmp_path: Path) -> None:
    folder = saved_set(tmp_path / "films", questions=4, answers=6)
    options = {"overlap": 1, "injected": 0, "inspected": 3, "batch": 4}
    database, _, _ = small_project(tmp_path / "studio.sqlite", folder, ["ann"], task="verify", **options)
    join(database, ["max"], "manager")
    studio = studio_of(database)
    ann, manager = signed_in(studio, "ann"), signed_in(studio, "max")
    for _ in range(4):
        ann.judge("films", "matches")
    assert "ann, batch 1" in manager.get("/manage/films/inspect").text
    with database.read() as session:
        drawn = session.scalars(select(Inspection.id)).all()
    assert len(drawn) == 3
    for number, wrong in zip(drawn, ("yes", "no", "yes"), strict=True):
        manager.post("/manage/films/inspect", {"id": str(number), "wrong": wrong})
    with database.read() as session:
        assert set(session.scalars(select(SavedJudgment.withdrawn))) == {"inspected"}
        assert session.scalar(select(func.count()).where(ItemRow.state == "accepted")) == 0


def test_the_explorer_reads_sets_of_the_folder_and_no_others(studio: Studio) -> None:
    owner = signed_in(studio, "owner")
    assert "films" in owner.get("/explore").text
    assert "Director 1" in owner.get("/explore/films?q=director+1").text
    assert "Film 1-1" in owner.get("/explore/films/questions/q1").text
    assert owner.get("/explore/films/runs").status == 200
    for name in ("%2e%2e", "..%2ffilms", "studio.sqlite", "no-set"):
        assert owner.get(f"/explore/{name}").status == 404


def test_whoever_judges_a_set_cannot_explore_it_as_a_manager_of_another(tmp_path: Path) -> None:
    """Its answers would tell which items are injected."""
    sets = tmp_path / "sets"
    judged, managed = saved_set(sets / "films"), saved_set(sets / "others")
    database, _, _ = small_project(tmp_path / "studio.sqlite", judged, ["ann"])
    make_project(database, NewProject(task="screen", materials=materials_at(managed), name="others"))
    join(database, ["ann", "max"], "manager", name="others")
    studio = studio_of(database, sets=sets)
    ann, other = signed_in(studio, "ann"), signed_in(studio, "max")
    assert ann.get("/explore/others").status == 200
    assert ann.get("/explore/films").status == 404
    assert ann.get("/explore/films/questions/q1").status == 404
    assert "/explore/films" not in ann.get("/explore").text
    assert other.get("/explore/films").status == 200, "the folder is for those who manage"
