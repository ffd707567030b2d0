"""The manager's pages about projects: the list, a new one, how one is going, figures and files, the log."""

import msgspec
from sqlalchemy import ColumnElement, func, select
from starlette.responses import Response

from rollcall._core.errors import RollcallError
from rollcall._core.registry import described_options
from rollcall.studio.agreement import LEAST_CLUSTERS
from rollcall.studio.database.tables import AuditEntry, Inspection, Member, Person, Project, QuestionState
from rollcall.studio.export.bundle import figures_json, set_zip
from rollcall.studio.export.judgments import judgments_csv, judgments_jsonl
from rollcall.studio.export.label_studio import labeling_config, tasks_out
from rollcall.studio.export.version import ExportOptions
from rollcall.studio.figures import PersonFigures
from rollcall.studio.papers import paper_figures
from rollcall.studio.projects import NewProject, make_project, materials_at, not_judged
from rollcall.studio.records import Collected
from rollcall.studio.tasks import TASKS, find_task
from rollcall.studio.web.studio import Overview, chosen, own_projects, shelf
from rollcall.studio.web.visit import Access, NotFoundError, Visit, action, page
from rollcall.studio.work import loop
from rollcall.studio.work.deciding import ADJUDICATE, CHECK, draw, waiting
from rollcall.studio.work.people import log
from rollcall.studio.work.rows import collected, iso

_OPTION = "option."


@page("/manage", Access.MANAGING)
def projects(visit: Visit) -> Response:
    """The projects that the person manages."""
    person = visit.user
    with visit.studio.database.read() as session:
        managed = [
            project
            for project, member in own_projects(session, person)
            if person.owner or (member is not None and member.role == "manager")
        ]
        people = dict(
            session.execute(
                select(Member.project_id, func.count())
                .where(Member.role == "annotator")
                .group_by(Member.project_id)
            ).all()
        )
        rows = []
        for project in managed:
            done, total = loop.totals(session, project)
            rows.append(
                {
                    "name": project.name,
                    "title": project.title,
                    "task_title": find_task(project.task).title,
                    "state": project.state,
                    "done": done,
                    "total": total,
                    "people": people.get(project.id, 0),
                }
            )
    return visit.render("manage/projects.html", "Projects", projects=rows)


@page("/manage/new", Access.OWNER)
def new_page(visit: Visit) -> Response:
    """The form for a new project."""
    return _new(visit, {"task": visit.query.get("task", "")})


def _new(visit: Visit, values: dict[str, str], error: str = "", code: int = 200) -> Response:
    available = shelf(visit.studio)
    tasks = [
        {
            "name": entry.name,
            "title": entry.thing.title,
            "summary": entry.summary,
            "options": described_options(entry.thing.Settings),
            "needs": entry.thing.needs,
        }
        for entry in TASKS
    ]
    return visit.render(
        "manage/new.html",
        "New project",
        code,
        tasks=tasks,
        sets=list(available.sets),
        corpora=list(available.corpora),
        graphs=list(available.graphs),
        runs=list(available.runs),
        values=values,
        error=error,
    )


@action("/manage/new", Access.OWNER)
def new(visit: Visit) -> Response:
    """Make a project from a set of the studio's folder."""
    try:
        name = make_project(visit.studio.database, _wanted(visit), visit.user.id, visit.address)
    except RollcallError as error:
        values = {name: visit.field(name) for name in visit.form if name != "csrf"}
        return _new(visit, values, str(error), 400)
    left_out = "".join(f" {line}." for line in not_judged(visit.studio.database, name))
    return visit.redirect(f"/manage/{name}", f"The project is made; now invite people.{left_out}")


def _wanted(visit: Visit) -> NewProject:
    available = shelf(visit.studio)
    corpus, graph = visit.field("corpus"), visit.field("graph")
    options = {
        name.removeprefix(_OPTION): visit.field(name)
        for name in visit.form
        if name.startswith(_OPTION) and visit.field(name)
    }
    task = visit.field("task")
    if task not in TASKS.names:  # module:name would import whatever a visitor names
        raise RollcallError(
            f"{task!r:.40} is not a task of this studio; expected one of {', '.join(TASKS.names)}"
        )
    try:
        rate = float(visit.field("hourly_rate").replace(",", ".") or 0)
    except ValueError:
        raise RollcallError("the hourly rate is not a number") from None
    return NewProject(
        task=task,
        materials=materials_at(
            chosen(available.sets, visit.field("set"), "question set"),
            chosen(available.corpora, corpus, "corpus") if corpus else None,
            chosen(available.graphs, graph, "graph") if graph else None,
            [chosen(available.runs, name, "run") for name in visit.form.get("run", []) if name],
            [chosen(available.sets, name, "question set") for name in visit.form.get("beside", []) if name],
        ),
        options=options,
        name=visit.field("name"),
        title=visit.field("title")[:200],
        hourly_rate=rate,
        currency=visit.field("currency")[:8],
    )


@page("/manage/{project}", Access.MANAGER)
def overview(visit: Visit) -> Response:
    """How a project is going."""
    project, studio = visit.asked_project, visit.studio
    with studio.database.write() as session:
        draw(session, session.get_one(Project, project.id))
    seen = studio.overview(project, visit.at)
    states = {person.name: person.state for person in seen.collected.people}
    return visit.render(
        "manage/project.html",
        project.title,
        live=_live(visit, seen),
        agreement=seen.agreement,
        least_questions=LEAST_CLUSTERS,
        people=[_person_row(person, states.get(person.person, "")) for person in seen.people],
    )


def _live(visit: Visit, seen: Overview) -> dict[str, object]:
    project, figures = visit.asked_project, seen.progress
    with visit.studio.database.read() as session:
        to_inspect = select(func.count()).select_from(Inspection)
        to_inspect = to_inspect.where(Inspection.project_id == project.id, Inspection.wrong.is_(None))
        questions = dict(
            session.execute(
                select(QuestionState.state, func.count())
                .where(QuestionState.project_id == project.id)
                .group_by(QuestionState.state)
            ).all()
        )
        to_do = {
            "adjudications": waiting(session, project, ADJUDICATE)[1],
            "checks": waiting(session, project, CHECK)[1],
            "inspections": session.scalar(to_inspect),
        }
    items = [item for item in seen.collected.items if not item.pool and item.stage != "qualify"]
    states = [seen.collected.resolutions[item.key].state for item in items]
    return {
        "done": figures.settled,
        "total": figures.items,
        "share": figures.share,
        "pace_per_hour": figures.per_hour or 0.0,
        "expected_end": figures.expected_end,
        "hours": figures.hours,
        "cost": figures.cost,
        "expected_cost": figures.expected_cost,
        "currency": figures.currency,
        "judgments": figures.judgments,
        "needed": figures.needed,
        **{state: states.count(state) for state in ("open", "accepted", "rejected", "disputed")},
        **to_do,
        "dropped": questions.get("dropped", 0),
        "pool": questions.get("pool", 0),
        "asked": questions.get("asked", 0),
    }


def _person_row(person: PersonFigures, state: str) -> dict[str, object]:
    low, high = person.found.interval or (0.0, 1.0)
    return {
        "name": person.person,
        "state": state,
        "done": person.counted,
        "pace": person.judged / person.hours if person.hours else 0.0,
        "minutes": person.hours * 60,
        "injected_seen": person.found.of,
        "injected_missed": person.found.of - person.found.count,
        "wilson_low": 1 - high,
        "wilson_high": 1 - low,
        "with_others": person.with_others.value,
        "upheld": person.upheld.value,
    }


@action("/manage/{project}/state", Access.MANAGER)
def set_state(visit: Visit) -> Response:
    """Open, pause or close a project."""
    state = visit.field("state")
    if state not in ("open", "paused", "closed"):
        raise RollcallError("a project can be open, paused or closed")
    with visit.studio.database.write() as session:
        project = session.get_one(Project, visit.asked_project.id)
        project.state = state
        log(session, visit.at, f"set the project {state}", person=visit.user.id, project=project.id)
    return visit.redirect(f"/manage/{visit.asked_project.name}")


# Figures, files to download, and the audit log: of a project for its managers, of the studio for its owners.

_PAGE = 100


def log_page(visit: Visit, condition: ColumnElement[bool], template: str, title: str) -> Response:
    """A page of entries, the latest first."""
    number = visit.page_number
    with visit.studio.database.read() as session:
        total = session.scalar(select(func.count()).select_from(AuditEntry).where(condition)) or 0
        rows = session.execute(
            select(AuditEntry, Person.name)
            .outerjoin(Person, Person.id == AuditEntry.person_id)
            .where(condition)
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
    project_data = visit.studio.overview(visit.asked_project, visit.at).collected
    title = f"Figures: {visit.asked_project.title}"
    return visit.render("manage/figures.html", title, figures=paper_figures(project_data))


@page("/manage/{project}/export/{file}", Access.MANAGER)
def export(visit: Visit) -> Response:
    """One file of the export."""
    project, file = visit.asked_project, str(visit.params["file"])
    if file not in _KINDS:
        raise NotFoundError
    with visit.studio.database.snapshot() as session:
        project_data = collected(session, project)
    content = _content(project_data, file)
    with visit.studio.database.write() as session:
        log(session, visit.at, "exported", file, person=visit.user.id, project=project.id)
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


def _content(project_data: Collected, file: str) -> bytes:
    if file == "judgments.jsonl":
        return b"".join(judgments_jsonl(project_data))
    if file == "judgments.csv":
        return b"".join(judgments_csv(project_data))
    if file == "figures.json":
        return figures_json(project_data)
    if file == "label-studio.json":
        return msgspec.json.encode(tasks_out(project_data))
    if file == "label-studio.xml":
        return labeling_config(project_data).encode()
    return set_zip(project_data, ExportOptions())


@page("/manage/{project}/log", Access.MANAGER)
def project_log(visit: Visit) -> Response:
    """Who did what in a project."""
    project = visit.asked_project
    of_project = AuditEntry.project_id == project.id
    return log_page(visit, of_project, "manage/log.html", f"Log: {project.title}")
