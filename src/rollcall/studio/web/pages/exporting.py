"""The manager's pages about results: figures, files to download, and the log."""

from sqlalchemy import ColumnElement, func, select
from starlette.responses import Response

from rollcall.studio.bundle import figures_json, set_zip
from rollcall.studio.database.tables import AuditEntry, Person
from rollcall.studio.export.judgments import judgments_csv, judgments_jsonl
from rollcall.studio.export.label_studio import labeling_config, tasks_out
from rollcall.studio.export.version import ExportOptions
from rollcall.studio.figures.papers import paper_figures
from rollcall.studio.records import Collected
from rollcall.studio.web.visit import Access, NotFoundError, Visit, page
from rollcall.studio.work.opening import collected
from rollcall.studio.work.people import log
from rollcall.studio.work.rows import iso

# The audit log as a page: of a project for its managers, and of the studio for its owners.

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


@page("/manage/{project}/figures", Access.MANAGER)
def figures(visit: Visit) -> Response:
    """The papers' figures, and what can be downloaded."""
    told = visit.studio.overview(visit.asked_project, visit.at).collected
    title = f"Figures: {visit.asked_project.title}"
    return visit.render("manage/figures.html", title, figures=paper_figures(told))


@page("/manage/{project}/export/{file}", Access.MANAGER)
def export(visit: Visit) -> Response:
    """One file of the export."""
    project, file = visit.asked_project, str(visit.params["file"])
    if file not in _KINDS:
        raise NotFoundError
    with visit.studio.database.snapshot() as session:
        told = collected(session, project)
    content = _content(told, file)
    with visit.studio.database.write() as session:
        log(session, visit.at, "exported", file, person=visit.somebody.id, project=project.id)
    headers = {"content-disposition": f'attachment; filename="{project.name}-{file}"'}
    return Response(content, media_type=_KINDS[file], headers=headers)


_KINDS = {
    "judgments.jsonl": "application/jsonl",
    "judgments.csv": "text/csv; charset=utf-8",
    "figures.json": "application/json",
    "set.zip": "application/zip",
    "label-studio.json": "application/json",
    "label-studio.xml": "application/xml",
}


def _content(told: Collected, file: str) -> bytes:
    import msgspec

    if file == "judgments.jsonl":
        return b"".join(judgments_jsonl(told))
    if file == "judgments.csv":
        return b"".join(judgments_csv(told))
    if file == "figures.json":
        return figures_json(told)
    if file == "label-studio.json":
        return msgspec.json.encode(tasks_out(told))
    if file == "label-studio.xml":
        return labeling_config(told).encode()
    return set_zip(told, ExportOptions())


@page("/manage/{project}/log", Access.MANAGER)
def project_log(visit: Visit) -> Response:
    """Who did what in a project."""
    project = visit.asked_project
    mine = AuditEntry.project_id == project.id
    return log_page(visit, mine, "manage/log.html", f"Log: {project.title}")
