"""Makes projects and invitations in a database: what the command line and the manager's pages both do."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from rollcall._core.errors import RollcallError
from rollcall._core.registry import read_options
from rollcall.questions.opening import read_questions
from rollcall.studio.database.engine import Database, now, upgrade
from rollcall.studio.database.tables import ItemRow, Member, Person, Project
from rollcall.studio.gold import GoldRow, fit_gold, read_gold
from rollcall.studio.materials import Materials, read_material, set_checksum
from rollcall.studio.records import Item
from rollcall.studio.tasks import find_task
from rollcall.studio.tasks.shown import left_out
from rollcall.studio.tasks.task import QUALIFY, Material, Task, TaskSettings
from rollcall.studio.work.opening import check_name, open_project
from rollcall.studio.work.people import Invited, add_member, add_person, invite, log
from rollcall.studio.work.rows import settings_of, task_of

MOST_AN_HOUR = 1e6


class NewProject(msgspec.Struct, frozen=True, kw_only=True):
    """What a new project is to be."""

    task: str
    materials: Materials
    options: Mapping[str, object] = {}
    name: str = ""
    title: str = ""
    hourly_rate: float = 0.0
    currency: str = ""
    blind: bool = True
    """Whether adjudicators see what people said without their names."""
    gold: str = ""
    """A file of judgments whose verdicts are right, by which people are measured."""


def open_database(place: str | Path, new: bool = True) -> Database:
    """A database, brought to the tables of this version; a file is made where it may be `new`."""
    database = Database(place)
    if not new and database.is_sqlite and not Path(database.url.database or "").is_file():
        raise RollcallError(
            f"{database.url.database}: no such database; `rollcall annotate project` makes one"
        )
    upgrade(database)
    return database


class ReadProject(NamedTuple):
    """A project that was checked, with all that it is made from; nothing is written yet."""

    wanted: NewProject
    task: Task
    settings: TaskSettings
    material: Material
    gold: Sequence[GoldRow] = ()


def read_project(wanted: NewProject) -> ReadProject:
    """Read what a project is made from; an error here leaves no database behind."""
    task = find_task(wanted.task)
    settings = read_options(task.Settings, wanted.options, f"the task {task.name}")
    assert isinstance(settings, TaskSettings)
    if wanted.name:
        check_name(wanted.name)
    if not 0 <= wanted.hourly_rate < MOST_AN_HOUR:
        raise RollcallError("the pay in an hour is not from 0 to a million")
    if wanted.gold and not task.right_or_wrong:
        raise RollcallError(f"in the task {task.name} no verdict is right or wrong, so nothing can be gold")
    gold = read_gold(Path(wanted.gold)) if wanted.gold else ()
    material = read_material(wanted.materials)
    task.check_material(material)
    return ReadProject(wanted, task, settings, material, gold)


def make_project(
    database: Database,
    asked: NewProject | ReadProject,
    by: int | None = None,
    address: str = "",
    not_gold: Callable[[str], None] | None = None,
) -> str:
    """A new project; returns its name. The items are made before anything is written.

    `not_gold` is told which rows of the gold cannot be used, in one line for each reason.
    """
    wanted, task, settings, material, gold = asked if isinstance(asked, ReadProject) else read_project(asked)
    at = now()

    def with_known(items: list[Item]) -> list[Item]:
        fitted = fit_gold(task, items, gold)
        if not_gold is not None:
            for line in fitted.left_out:
                not_gold(line)
        return fitted.items

    with database.write() as session:
        project = open_project(
            session,
            name=wanted.name or _free_name(session, f"{material.name}-{task.name}"),
            task=task,
            material=material,
            settings=settings,
            at=at,
            title=wanted.title,
            materials=msgspec.to_builtins(wanted.materials),
            set_checksum=set_checksum(wanted.materials),
            created_by=by,
            hourly_rate=wanted.hourly_rate,
            currency=wanted.currency,
            blind=wanted.blind,
            with_known=with_known if gold else None,
        )
        log(session, at, "made the project", project.title, person=by, project=project.id, address=address)
        return project.name


def _free_name(session: Session, text: str) -> str:
    base = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:50].strip("-") or "project"
    taken = set(session.scalars(select(Project.name).where(Project.name.like(f"{base}%"))))
    return next(
        name for name in (base, *(f"{base}-{count}" for count in range(2, 10_000))) if name not in taken
    )


def find_project(session: Session, name: str) -> Project:
    """The project with this name."""
    project = session.scalar(select(Project).where(Project.name == name))
    if project is None:
        names = session.scalars(select(Project.name).order_by(Project.name)).all()
        there = f"there are {', '.join(names)}" if names else "there is none yet"
        raise RollcallError(f"no project {name!r:.80} in this database; {there}")
    return project


def not_judged(database: Database, name: str) -> list[str]:
    """What of its set a project does not judge, and why, in lines for people."""
    with database.read() as session:
        project = find_project(session, name)
        task, settings = task_of(project), settings_of(project)
        asked = select(ItemRow.question).where(ItemRow.project_id == project.id, ItemRow.stage != QUALIFY)
        questions = set(session.scalars(asked.distinct()))
    return left_out(task, read_questions(str(project.materials["questions"])), settings, questions)


def make_invitation(database: Database, project: str | None, invited: Invited) -> str:
    """The token of a new invitation, to a project or (without one) to the studio as its owner."""
    at = now()
    with database.write() as session:
        found = find_project(session, project) if project else None
        wanted = Invited(
            role=invited.role,
            project=found,
            owner=invited.owner,
            group=invited.group,
            note=invited.note,
            days=invited.days,
        )
        invitation, token = invite(session, wanted, None, at)
        about = f"invitation {invitation.id} as {'owner' if invited.owner else invited.role}"
        log(session, at, "invited", about, project=found.id if found else None)
    return token


def sole_person(database: Database, project: str, name: str) -> None:
    """Make sure that the one person of a laptop is there, and works in the project."""
    at = now()
    with database.write() as session:
        person = session.scalars(select(Person).where(Person.owner.is_(True)).order_by(Person.id)).first()
        person = person or add_person(session, name, None, at, owner=True)
        found = find_project(session, project)
        if (
            session.scalar(
                select(Member.id).where(Member.project_id == found.id, Member.person_id == person.id)
            )
            is None
        ):
            add_member(session, found, person, at)
