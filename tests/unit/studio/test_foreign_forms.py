"""Every form of the studio, sent by those whom a project is none of: nothing of it changes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Table, select

from rollcall.studio.database.engine import Database
from rollcall.studio.database.tables import (
    Base,
    Inspection,
    Invitation,
    ItemRow,
    Member,
    Person,
    PersonGroup,
    Project,
    SavedJudgment,
)
from rollcall.studio.projects import NewProject, make_invitation, make_project, materials_at
from rollcall.studio.web.visit import ROUTES, Access, Declared
from rollcall.studio.work.people import Invited
from studio_client import ALLOWED, VISITORS, Visitor, studio_of
from studio_project import join, saved_set, small_project

FORMS = [one for one in ROUTES if one.method == "POST" and one.path != "/sign-out"]
OF_NOBODY = {"web_session", "audit_entry", "sign_in_failure", "alembic_version"}
"""Tables of which no row is about what a project came to."""
ROLES = {
    ("annotator", "films"): "annotator",
    ("worker", "other"): "annotator",
    ("stranger", "other"): "manager",
}
"""Who belongs to which project."""
OF_PROJECTS = (Access.MEMBER, Access.ANNOTATOR, Access.MANAGER)


def is_allowed(declared: Declared, who: str, project: str) -> bool:
    """Whether somebody may send a form to a project, or to the studio."""
    if declared.access in OF_PROJECTS:
        return ROLES.get((who, project), "") in ALLOWED[declared.access]
    return (who if who in VISITORS else "annotator") in ALLOWED[declared.access]


CASES = [
    pytest.param(declared, who, project, id=f"{declared.path} as {who} to {project}")
    for declared in FORMS
    for who in ("nobody", "annotator", "worker", "stranger")
    for project in (("films", "other") if declared.access in OF_PROJECTS else ("films",))
    if declared.access not in OF_PROJECTS
    or (who, project) != ("annotator", "films")
    or not is_allowed(declared, who, project)
]
"""Each form as each of them, but not what annotators may do in their own project."""


class Attacked:
    """A studio with the project films, with work in every state, and another one that stranger manages."""

    def __init__(self, folder: Path) -> None:
        films = saved_set(folder / "films")
        options = {"overlap": 2, "minimum": 0, "injected": 0, "check_rejected": 1}
        self.database, project, _ = small_project(
            folder / "studio.sqlite", films, ["ann", "annotator"], **options
        )
        make_project(self.database, NewProject(task="screen", materials=materials_at(films), name="other"))
        join(self.database, ["manager"], "manager")
        join(self.database, ["stranger"], "manager", "other")
        join(self.database, ["ann", "worker"], name="other")
        make_invitation(self.database, "films", Invited(project=project, group="experts"))
        self.studio = studio_of(self.database)
        ann, other = self.signed_in("ann"), self.signed_in("annotator")
        for visitor, choices in ((ann, ("stated", "not-stated")), (other, ("not-stated", "not-stated"))):
            for choice in choices:
                assert visitor.judge("films", choice).status == 303
        shown = ann.get("/work/films")
        ann.post("/work/films/draft", {"form_key": shown.form_key, "comment": "half of it"})
        with self.database.write() as session:
            self.project = session.scalars(select(Project).where(Project.name == "films")).one().id
            judgment = session.scalars(select(SavedJudgment)).first()
            person = session.scalars(select(Person).where(Person.name == "ann")).one()
            assert judgment is not None
            session.add(PersonGroup(person_id=person.id, name="experts"))
            inspection = Inspection(
                project_id=self.project, person_id=person.id, batch=1, judgment_id=judgment.id
            )
            session.add(inspection)
            session.flush()
            members = session.scalars(select(Member.id).where(Member.person_id == person.id)).all()
            invitation = session.scalars(select(Invitation.id)).one()
            self.numbers = sorted({*members, invitation, person.id})
            items = session.scalars(select(ItemRow).where(ItemRow.project_id == self.project)).all()
            self.keys = [
                next(item.key for item in items if item.state == state) for state in ("disputed", "open")
            ]
            self.fields = {
                "form_key": shown.form_key,
                "id": str(inspection.id),
                "choice": "stated",
                "state": "closed",
                "wrong": "yes",
                "gold": "yes",
                "group": "experts",
                "groups": "experts, spies",
                "role": "manager",
                "active": "no",
                "why": "for no reason",
                "comment": "not mine",
            }

    def signed_in(self, name: str) -> Visitor:
        """Somebody with a browser of their own."""
        visitor = Visitor(self.studio)
        visitor.get("/sign-in")
        assert name == "nobody" or visitor.sign_in(name).status == 303
        return visitor

    def rows(self) -> dict[str, list[object]]:
        """All rows that are about films or its people, by table."""
        return {
            table.name: _rows(self.database, table, self.project)
            for table in Base.metadata.sorted_tables
            if table.name not in OF_NOBODY
        }


def _rows(database: Database, table: Table, project: int) -> list[object]:
    statement = select(table).order_by(*table.primary_key.columns)
    if "project_id" in table.c:
        statement = statement.where(table.c.project_id == project)
    elif "item_id" in table.c:
        statement = statement.where(
            table.c.item_id.in_(select(ItemRow.id).where(ItemRow.project_id == project))
        )
    elif table.name == "project":
        statement = statement.where(table.c.id == project)
    with database.read() as session:
        return [tuple(row) for row in session.execute(statement)]


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attacked]:
    made = Attacked(tmp_path_factory.mktemp("studio"))
    yield made
    made.database.close()


@pytest.fixture(scope="module")
def visitors(attacked: Attacked) -> dict[str, Visitor]:
    return {name: attacked.signed_in(name) for name in ("nobody", "worker", "stranger", "annotator")}


def addresses(declared: Declared, project: str, attacked: Attacked) -> list[str]:
    """The addresses of a form with the project, and everything of films that numbers and keys may name."""
    path = declared.path.replace("{project}", project).replace("{token}", "no-such-token")
    found = [path.replace("{number:int}", str(number)) for number in attacked.numbers]
    found = [one.replace("{key}", key) for one in found for key in attacked.keys]
    assert "{" not in found[0], f"say here what {declared.path} is called with"
    return list(dict.fromkeys(found))


@pytest.mark.parametrize(("declared", "who", "project"), CASES)
def test_a_form_changes_nothing_of_a_project_that_is_not_ones_own(
    declared: Declared, who: str, project: str, attacked: Attacked, visitors: dict[str, Visitor]
) -> None:
    before = attacked.rows()
    for address in addresses(declared, project, attacked):
        for key in attacked.keys:
            answer = visitors[who].post(address, {**attacked.fields, "key": key})
            if is_allowed(declared, who, project):
                assert answer.status < 500, answer.text
                assert "send it again" not in answer.text, "the form itself is a good one"
            else:
                assert answer.status == 404 or answer.to.startswith("/sign-in?")
    assert attacked.rows() == before


def test_a_group_is_changed_by_those_who_manage_all_its_people(tmp_path: Path) -> None:
    made = Attacked(tmp_path)
    manager, stranger = made.signed_in("manager"), made.signed_in("stranger")
    with made.database.read() as session:
        rows = session.execute(
            select(Person.name, Project.name, Member.id)
            .join(Member, Member.person_id == Person.id)
            .join(Project, Project.id == Member.project_id)
        )
        numbers = {(person, project): number for person, project, number in rows}

    def groups(visitor: Visitor, person: str, project: str, names: str) -> int:
        return visitor.post(
            f"/manage/{project}/people/{numbers[person, project]}/groups", {"groups": names}
        ).status

    assert groups(stranger, "ann", "other", "") == 400, "ann works in films, too"
    assert groups(stranger, "worker", "other", "experts") == 400, "so does somebody in this group"
    assert stranger.post("/manage/other/invite", {"group": "experts"}).status == 400
    assert groups(stranger, "worker", "other", "night shift") == 303
    assert stranger.post("/manage/other/invite", {"group": "night shift"}).status == 200
    assert groups(manager, "annotator", "films", "night shift") == 400
    assert groups(manager, "annotator", "films", "day shift") == 303
    assert groups(manager, "annotator", "films", "") == 303
    with made.database.write() as session:
        session.scalars(select(Person).where(Person.name == "manager")).one().owner = True
    assert groups(manager, "ann", "films", "") == 303
    with made.database.read() as session:
        told = session.execute(select(Person.name, PersonGroup.name).join(Person)).all()
    assert [tuple(row) for row in told] == [("worker", "night shift")]
    made.database.close()


def test_an_old_invitation_brings_nobody_into_a_group_of_another_project(tmp_path: Path) -> None:
    made = Attacked(tmp_path)
    manager, stranger, worker = (made.signed_in(name) for name in ("manager", "stranger", "worker"))
    page = stranger.post("/manage/other/invite", {"group": "insiders"}).text
    path = page[page.index("/join/") :].partition("<")[0].split()[0]
    with made.database.read() as session:
        mine = select(Member.id).join(Person).where(Person.name == "annotator")
        number = session.scalars(mine.where(Member.project_id == made.project)).one()
    assert manager.post(f"/manage/films/people/{number}/groups", {"groups": "insiders"}).status == 303
    worker.get(path)
    assert worker.post(path).status == 303
    assert manager.post("/manage/films/add-group", {"group": "insiders"}).status == 303
    assert worker.get("/work/films").status == 404
    with made.database.read() as session:
        members = select(Person.name).join(PersonGroup).where(PersonGroup.name == "insiders")
        assert session.scalars(members).all() == ["annotator"]
    made.database.close()
