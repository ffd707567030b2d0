"""The projects that somebody works in or manages; owners manage all."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from rollcall.studio.database.tables import Member, Person, Project


def own_projects(session: Session, person: Person) -> list[tuple[Project, Member | None]]:
    """The projects with the person's place in them, the newest first."""
    rows = session.execute(
        select(Project, Member)
        .outerjoin(Member, (Member.project_id == Project.id) & (Member.person_id == person.id))
        .order_by(Project.id.desc())
    )
    return [(project, member) for project, member in rows if member is not None or person.owner]
