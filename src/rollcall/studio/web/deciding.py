"""The manager's pages about items: all of them, those to check or adjudicate, and inspections."""

import hashlib
import hmac

from sqlalchemy import Text, cast, func, select
from sqlalchemy.orm import Session
from starlette.responses import Response

from rollcall._core.errors import RollcallError
from rollcall.studio.database.tables import Inspection, ItemRow, Person, Project, SavedJudgment
from rollcall.studio.records import JudgmentRecord
from rollcall.studio.tasks.task import Task, gold_verdict, label_of, labelled
from rollcall.studio.web.visit import Access, NotFoundError, Visit, action, page
from rollcall.studio.work.deciding import (
    ADJUDICATE,
    CHECK,
    can_be_gold,
    decide,
    draw,
    find_item,
    inspect,
    mark_gold,
    unmark_gold,
    waiting,
)
from rollcall.studio.work.rows import item_of, judged_of, resolution_of, summary_of, task_of

_PAGE = 50
_STATES = ("open", "accepted", "rejected", "disputed")


@page("/manage/{project}/items", Access.MANAGER)
def items(visit: Visit) -> Response:
    """All items of a project, by state and words."""
    project = visit.asked_project
    state, words = visit.query.get("state", ""), visit.query.get("query", "").strip()[:200]
    number = max(1, _whole(visit.query.get("page", "1")))
    wanted = [ItemRow.project_id == project.id]
    if state in _STATES:
        wanted.append(ItemRow.state == state)
    for word in words.split():
        wanted.append(func.lower(cast(ItemRow.shown, Text)).contains(word.lower(), autoescape=True))
    with visit.studio.database.read() as session:
        total = session.scalar(select(func.count()).select_from(ItemRow).where(*wanted)) or 0
        rows = session.scalars(
            select(ItemRow)
            .where(*wanted)
            .order_by(ItemRow.place, ItemRow.id)
            .offset((number - 1) * _PAGE)
            .limit(_PAGE)
        ).all()
        counts = dict(
            session.execute(
                select(SavedJudgment.item_id, func.count())
                .where(SavedJudgment.item_id.in_([row.id for row in rows]), SavedJudgment.withdrawn == "")
                .group_by(SavedJudgment.item_id)
            ).all()
        )
    return visit.render(
        "manage/items.html",
        f"Items: {project.title}",
        items=[_listed(row, task_of(project), counts.get(row.id, 0)) for row in rows],
        state=state if state in _STATES else "",
        query=words,
        page_number=number,
        pages=max(1, -(-total // _PAGE)),
    )


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 1


def _listed(row: ItemRow, task: Task, judgments: int) -> dict[str, object]:
    return {
        "key": row.key,
        "question": row.question,
        "text": summary_of(row) or row.question,
        "state": row.state,
        "choice": label_of(task.at(row.stage), row.choice or ""),
        "why": labelled(task.at(row.stage), row.why),
        "check": row.check == "wanted",
        "injected": row.injected,
        "gold": row.gold,
        "judgments": judgments,
    }


@page("/manage/{project}/items/{key}", Access.MANAGER)
def item(visit: Visit) -> Response:
    """One item, with all that was said about it."""
    project = visit.asked_project
    with visit.studio.database.read() as session:
        row = find_item(session, project, str(visit.params["key"]))
        if row is None:
            raise NotFoundError
        judged = _judgments(session, row)
    return visit.render(
        "manage/item.html",
        f"Item: {project.title}",
        item=item_of(row),
        judged=judged,
        resolution=resolution_of(row),
        task=task_of(project).at(row.stage),
        gold=gold_verdict(item_of(row)),
        can_be_gold=can_be_gold(project, row),
    )


@action("/manage/{project}/items/{key}/gold", Access.MANAGER)
def gold(visit: Visit) -> Response:
    """Make an item gold with its right verdict, or take that back."""
    project, key = visit.asked_project, str(visit.params["key"])
    with visit.studio.database.write() as session:
        if find_item(session, project, key) is None:
            raise NotFoundError
        if visit.field("gold") == "no":
            unmark_gold(session, project, key, visit.user.id, visit.at)
            notice = "It is no longer gold, and people are no longer measured by it."
        else:
            more = mark_gold(session, project, key, visit.user.id, visit.form, visit.at)
            notice = _queued(more)
    return visit.redirect(f"/manage/{project.name}/items/{key}", notice)


def _queued(more: int) -> str:
    if not more:
        return "It is gold now, but not handed out yet: all have judged it, or the share of gold is met."
    judgments = "1 more judgment" if more == 1 else f"{more:,} more judgments"
    return f"It is gold now; {judgments} of gold items will be asked for."


def _judgments(session: Session, row: ItemRow, blind: bool = False) -> list[JudgmentRecord]:
    """What was said about an item; blind, without names, and only what counts."""
    statement = (
        select(SavedJudgment, Person.name)
        .join(Person, Person.id == SavedJudgment.person_id)
        .where(SavedJudgment.item_id == row.id)
        .order_by(SavedJudgment.choice if blind else SavedJudgment.id)
    )
    if blind:
        statement = statement.where(SavedJudgment.withdrawn == "")
    return [
        judged_of(judgment, row, f"Person {number}" if blind else name)
        for number, (judgment, name) in enumerate(session.execute(statement), 1)
    ]


@page("/manage/{project}/adjudicate", Access.MANAGER)
def adjudicate_page(visit: Visit) -> Response:
    """The next item on which people differ."""
    return _decide_page(visit, ADJUDICATE)


@page("/manage/{project}/check", Access.MANAGER)
def check_page(visit: Visit) -> Response:
    """The next item that a manager checks."""
    return _decide_page(visit, CHECK)


def _decide_page(visit: Visit, kind: str) -> Response:
    project = visit.asked_project
    with visit.studio.database.read() as session:
        row, left = waiting(session, project, kind)
        judged = _judgments(session, row, project.blind) if row is not None else []
    title = f"{'Check' if kind == CHECK else 'Adjudicate'}: {project.title}"
    if row is None:
        return visit.render("manage/decide.html", title, kind=kind, item=None, left=0)
    task = task_of(project).at(row.stage)
    best = None
    if kind == ADJUDICATE:
        best = visit.studio.overview(project, visit.at).likeliest.get(row.key)
    return visit.render(
        "manage/decide.html",
        title,
        kind=kind,
        item=item_of(row),
        shown=row.shown,
        task=task,
        choices=task.choices,
        judged=judged,
        suggestion=None if best is None else {"choice": best[0], "probability": best[1]},
        left=left,
        key=row.key,
        shown_at=f"{visit.at:.3f}:{_signed(visit, row.key, f'{visit.at:.3f}')}",
        can_be_gold=can_be_gold(project, row),
    )


def _signed(visit: Visit, key: str, at: str) -> str:
    """What shows that the server wrote when it showed an item to a person: time is counted from then."""
    text = f"shown\x1f{visit.user.id}\x1f{key}\x1f{at}"
    return hmac.new(visit.studio.secret.encode(), text.encode(), hashlib.sha256).hexdigest()


def _shown_at(visit: Visit, key: str) -> float | None:
    at, _, signature = visit.field("shown_at").partition(":")
    good = hmac.compare_digest(signature.encode(), _signed(visit, key, at).encode())
    return float(at) if good else None


@action("/manage/{project}/adjudicate", Access.MANAGER)
def adjudicate(visit: Visit) -> Response:
    """Decide an item on which people differ."""
    return _decided(visit, ADJUDICATE)


@action("/manage/{project}/check", Access.MANAGER)
def check(visit: Visit) -> Response:
    """Say what a check found."""
    return _decided(visit, CHECK)


def _decided(visit: Visit, kind: str) -> Response:
    project, key, notice = visit.asked_project, visit.field("key"), ""
    person, since = visit.user.id, _shown_at(visit, key)
    with visit.studio.database.write() as session:
        if visit.field("gold"):
            more = mark_gold(session, project, key, person, visit.form, visit.at, kind, since)
            notice = _queued(more)
        else:
            decide(session, project, kind, key, person, visit.form, visit.at, since)
    return visit.redirect(f"/manage/{project.name}/{kind}", notice)


@page("/manage/{project}/inspect", Access.MANAGER)
def inspect_page(visit: Visit) -> Response:
    """The judgments of one worker's batch to inspect."""
    project = visit.asked_project
    with visit.studio.database.write() as session:
        draw(session, session.get_one(Project, project.id))
        waiting_rows = session.execute(
            select(Person.name, Inspection.batch, func.count())
            .join(Person, Person.id == Inspection.person_id)
            .where(Inspection.project_id == project.id, Inspection.wrong.is_(None))
            .group_by(Person.name, Inspection.batch)
            .order_by(Inspection.batch, Person.name)
        ).all()
        workers = [{"name": name, "batch": batch, "left": left} for name, batch, left in waiting_rows]
        first = workers[0] if workers else {"name": "", "batch": 0}
        worker = visit.query.get("worker", str(first["name"]))
        batch = _whole(visit.query.get("batch", str(first["batch"])))
        rows = session.execute(
            select(Inspection, SavedJudgment, ItemRow)
            .join(SavedJudgment, SavedJudgment.id == Inspection.judgment_id)
            .join(ItemRow, ItemRow.id == SavedJudgment.item_id)
            .join(Person, Person.id == Inspection.person_id)
            .where(Inspection.project_id == project.id, Person.name == worker, Inspection.batch == batch)
            .order_by(Inspection.id)
        ).all()
    shown = [
        {
            "id": inspection.id,
            "shown": item.shown,
            "choice": judgment.choice,
            "task": task_of(project).at(item.stage),
            "values": judgment.given,
            "comment": judgment.comment,
            "wrong": inspection.wrong,
        }
        for inspection, judgment, item in rows
    ]
    return visit.render(
        "manage/inspect.html",
        f"Inspect: {project.title}",
        worker=worker,
        batch=batch,
        rows=shown,
        workers=workers,
    )


@action("/manage/{project}/inspect", Access.MANAGER)
def inspected(visit: Visit) -> Response:
    """Say whether an inspected judgment is right."""
    project = visit.asked_project
    if visit.field("wrong") not in ("yes", "no"):
        raise RollcallError("say whether it is right or wrong")
    with visit.studio.database.write() as session:
        again = inspect(
            session,
            session.get_one(Project, project.id),
            _whole(visit.field("id")),
            visit.field("wrong") == "yes",
            visit.user.id,
            visit.at,
        )
    notice = f"{again:,} judgments of this worker are done again." if again else ""
    return visit.redirect(f"/manage/{project.name}/inspect", notice)
