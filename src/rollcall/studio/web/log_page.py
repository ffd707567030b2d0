"""The audit log as a page: of a project for its managers, and of the studio for its owners."""

from sqlalchemy import ColumnElement, func, select
from starlette.responses import Response

from rollcall.studio.database.tables import AuditEntry, Person
from rollcall.studio.web.visit import Visit
from rollcall.studio.work.rows import iso

_PAGE = 100


def log_page(visit: Visit, which: ColumnElement[bool], template: str, title: str) -> Response:
    """A page of entries, the latest first."""
    text = visit.query.get("page", "1")
    number = max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 8 else 1
    with visit.studio.database.read() as session:
        total = session.scalar(select(func.count()).select_from(AuditEntry).where(which)) or 0
        rows = session.execute(
            select(AuditEntry, Person.name)
            .outerjoin(Person, Person.id == AuditEntry.person_id)
            .where(which)
            .order_by(AuditEntry.id.desc())
            .offset((number - 1) * _PAGE)
            .limit(_PAGE)
        ).all()
    entries = [
        {
            "at": iso(entry.at),
            "person": name or "",
            "action": entry.action,
            "about": entry.about,
            "address": entry.address,
        }
        for entry, name in rows
    ]
    pages = max(1, -(-total // _PAGE))
    return visit.render(template, title, entries=entries, page_number=number, pages=pages)
