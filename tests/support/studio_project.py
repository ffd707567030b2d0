"""A studio with a small project, for tests of work and web: a set of questions with answers and evidence."""

from collections.abc import Sequence
from pathlib import Path

from argon2 import PasswordHasher
from sqlalchemy import select

from rollcall.studio.database.engine import Database
from rollcall.studio.database.tables import Member, Person, Project
from rollcall.studio.projects import NewProject, make_project, materials_at, open_database
from rollcall.studio.web.sessions import Passwords
from rollcall.studio.work.people import add_member, add_person
from studio_records import film_set

QUICK = Passwords(PasswordHasher(time_cost=1, memory_cost=64, parallelism=1))
"""Hashes that cost nothing."""
PASSWORD = "a long password"  # noqa: S105


def saved_set(folder: Path, questions: int = 4, answers: int = 6) -> Path:
    """A question set on disk."""
    film_set(questions, answers).save(folder)
    return folder


def small_project(
    place: str | Path,
    folder: Path,
    people: Sequence[str] = ("ann",),
    task: str = "validate",
    **options: object,
) -> tuple[Database, Project, list[Member]]:
    """A database with one project and people who work in it."""
    database = open_database(place)
    materials = materials_at(folder)
    make_project(database, NewProject(task=task, materials=materials, options=options, name="films"))
    return database, *join(database, people)


def join(
    database: Database, people: Sequence[str], role: str = "annotator", name: str = "films"
) -> tuple[Project, list[Member]]:
    """Let people into a project, with the password `PASSWORD`."""
    hashed = QUICK.hash(PASSWORD)
    with database.write() as session:
        project = session.scalars(select(Project).where(Project.name == name)).one()
        members = []
        for person in people:
            known = session.scalar(select(Person).where(Person.login == person))
            known = known or add_person(session, person, hashed, 0.0)
            members.append(add_member(session, project, known, 0.0, role))
    return project, members
