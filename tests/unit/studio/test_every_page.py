"""Every page of every task, as everybody who may see it, before, during and after real judgments."""

import re
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser
from sqlalchemy import select

from rollcall.studio.database.tables import Person, Project
from rollcall.studio.projects import open_database
from rollcall.studio.tasks import TASKS, find_task
from rollcall.studio.tasks.task import JUDGE
from rollcall.studio.web.studio import Studio
from rollcall.studio.web.visit import ROUTES
from rollcall.studio.work.people import Invited, invite
from rollcall.studio.work.rows import collected
from studio_client import ALLOWED, Answer, Visitor, filled_form, route_of, studio_of
from studio_project import join
from studio_server import project_of

PEOPLE = ("ann", "ben", "cem", "dan")
OPTIONS = {"overlap": 4, "pass_mark": 0, "check_accepted": 0.5, "check_rejected": 0.5}
NO_VALUE = re.compile(r"\b(None|nan|NaN|inf|Undefined)\b")
"""How a value that is missing looks where nobody thought of it."""
ELSEWHERE = {"/laptop/{token}"}
"""Pages that only somebody alone on a laptop has; `test_annotate_command` opens them."""


@pytest.fixture(params=list(TASKS.names))
def task(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def studio(task: str, tmp_path: Path) -> Studio:
    """A studio with one project of the task, in which several people work."""
    place = tmp_path / "studio.sqlite"
    project_of(task, tmp_path / "sets", place, **OPTIONS)
    database = open_database(place)
    with database.write() as session:
        session.scalars(select(Project)).one().hourly_rate = 12.5
    join(database, PEOPLE, name=task)
    join(database, ["manager"], "manager", name=task)
    join(database, ["owner"], "manager", name=task)
    with database.write() as session:
        session.scalars(select(Person).where(Person.login == "owner")).one().owner = True
    return studio_of(database, sets=tmp_path / "sets")


def test_no_form_answers_for_people(task: str, studio: Studio) -> None:
    """Whoever sends a form as it comes has said nothing: no verdict, no rating, no sentence."""
    ann, manager = Visitor(studio), Visitor(studio)
    assert ann.sign_in("ann").status == manager.sign_in("manager").status == 303
    shown = ann.get(f"/work/{task}").text
    if search := "search" in filled_form(shown):
        ann.post(f"/work/{task}/search", {**filled_form(shown), "search": "Kessen"})
        shown = ann.get(f"/work/{task}").text
    assert preselected(shown, "form#judgment") == []
    assert not search or "<option" in shown, "sentences are shown to choose from"
    ann.judge_all(f"/work/{task}")
    items = manager.crawl([f"/manage/{task}/items", f"/manage/{task}/check", f"/manage/{task}/adjudicate"])
    for path, page in items.items():
        assert preselected(page.text, "form#judgment, form[action$='/gold']") == [], path


def preselected(text: str, forms: str) -> list[str]:
    """What a browser would send of a form's fields that are choices, without anybody having chosen."""
    found = []
    for form in LexborHTMLParser(text).css(forms):
        for select_ in form.css("select"):
            options = select_.css("option[selected]") or select_.css("option")
            found += [one.attributes.get("value") or "" for one in options[:1]]
        found += [box.attributes.get("name") or "" for box in form.css("input[checked]")]
        if len(form.css("[name=choice]")) > 1:
            first = form.css("button:not([type=button])")[0]  # which Enter in a field presses
            found.append(first.attributes.get("value") or "")
    return [one for one in found if one]


def test_every_page_can_be_read_whatever_was_judged(task: str, studio: Studio) -> None:
    visitors = {name: Visitor(studio) for name in (*PEOPLE, "manager", "owner", "nobody")}
    for name, visitor in visitors.items():
        assert name == "nobody" or visitor.sign_in(name).status == 303
    look_at_everything(task, studio, visitors)
    assert visitors["ann"].judge_all(f"/work/{task}", most=1) == 1
    look_at_everything(task, studio, visitors)
    for number, name in enumerate(PEOPLE):
        visitors[name].judge_all(f"/work/{task}", 3 * number)
    check_judged(studio)
    look_at_everything(task, studio, visitors)
    for kind in ("adjudicate", "check"):
        visitors["manager"].judge_all(f"/manage/{task}/{kind}")
        assert "Nothing is waiting" in visitors["manager"].get(f"/manage/{task}/{kind}").text
    look_at_everything(task, studio, visitors)


def check_judged(studio: Studio) -> None:
    """What can be said in a task was said: every verdict, and a value in every field."""
    with studio.database.read() as session:
        told = collected(session, session.scalars(select(Project)).one())
    task = find_task(told.task)
    assert {one.choice for one in told.judged if one.stage == JUDGE} == {one.key for one in task.choices}
    values = [value for one in told.judged for value in one.values.values()]
    assert all(values)
    assert values or task.right_or_wrong


def look_at_everything(task: str, studio: Studio, visitors: dict[str, Visitor]) -> None:
    """Follow every link as an annotator, a manager, an owner, and as nobody."""
    with studio.database.write() as session:
        project, ann = session.scalars(select(Project)).one(), session.scalars(select(Person)).first()
        assert ann is not None
        _, joining = invite(session, Invited(project=project), None, studio.clock())
        _, resetting = invite(session, Invited(resets=ann.id), None, studio.clock())
    everybody = [f"/join/{joining}", f"/reset/{resetting}", "/healthz"]
    members = [f"/work/{task}/instructions?stage={stage}" for stage in ("", *find_task(task).stages)]
    managing = ["/explore", "/explore/lives/runs", "/manage", f"/manage/{task}/items?state=disputed"]
    owning = [f"/manage/new?task={name}" for name in TASKS.names]
    seeds = {
        "nobody": ["/sign-in", *everybody],
        "annotator": ["/", *everybody, *members],
        "manager": ["/", *everybody, *members, *managing],
        "owner": ["/", *everybody, *members, *managing, *owning],
    }
    for role, addresses in seeds.items():
        found = visitors["ann" if role == "annotator" else role].crawl(addresses)
        for path, answer in found.items():
            check_page(role, path, answer)
        visited = {route.path for path in found if (route := route_of(path)) is not None}
        wanted = {one.path for one in ROUTES if one.method == "GET" and role in ALLOWED[one.access]}
        for_others = {"/"} if role == "nobody" else {"/sign-in"}
        assert wanted - visited <= ELSEWHERE | for_others, f"no link leads the {role} there"


def check_page(role: str, path: str, answer: Answer) -> None:
    if role == "nobody" and answer.to.startswith("/sign-in"):
        return
    assert answer.status == 200, f"{role} {path}: {answer.status} {answer.text[-600:]}"
    if "zip" not in answer.headers["content-type"]:
        found = NO_VALUE.search(answer.text)
        assert found is None, f"{role} {path}: …{answer.text[max(0, found.start() - 200) : found.end() + 50]}"
