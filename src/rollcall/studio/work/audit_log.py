"""The audit log: who did what, and when. It is written in the transaction that does it."""

from sqlalchemy.orm import Session

from rollcall.studio.database.tables import AuditEntry


def log(
    session: Session,
    at: float,
    action: str,
    about: str = "",
    *,
    person: int | None = None,
    project: int | None = None,
    address: str = "",
) -> None:
    """Note an action; `about` says on what, in plain words."""
    session.add(
        AuditEntry(
            at=at,
            person_id=person,
            project_id=project,
            action=action[:200],
            about=about[:2000],
            address=address[:200],
        )
    )
