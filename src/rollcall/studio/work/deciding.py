"""What managers decide: checks of what was resolved, and adjudication where people differ."""

import secrets

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from rollcall.errors import RollcallError
from rollcall.studio.database.tables import ItemRow, Judgment, Project
from rollcall.studio.work.audit_log import log
from rollcall.studio.work.judging import Fields, count_time, lock_item
from rollcall.studio.work.rows import item_of, task_of
from rollcall.studio.work.settling import settle

CHECK, ADJUDICATE = "check", "adjudicate"
_ROLES = {CHECK: "manager", ADJUDICATE: "adjudicator"}


def waiting(session: Session, project: Project, kind: str) -> tuple[ItemRow | None, int]:
    """The next item that waits for a manager, and how many do."""
    mine = [ItemRow.project_id == project.id, ItemRow.pool.is_(False)]
    if kind == CHECK:
        mine.append(ItemRow.check == "wanted")
    else:
        mine += [ItemRow.state == "disputed", ItemRow.injected.is_(False)]
    left = session.scalar(select(func.count()).select_from(ItemRow).where(*mine)) or 0
    first = select(ItemRow).where(*mine).order_by(ItemRow.place, ItemRow.id).limit(1)
    return session.scalars(first).first(), left


def find_item(session: Session, project: Project, key: str) -> ItemRow | None:
    """The item of a project with this key."""
    return session.scalar(select(ItemRow).where(ItemRow.project_id == project.id, ItemRow.key == key))


def decide(
    session: Session,
    project: Project,
    kind: str,
    key: str,
    person_id: int,
    fields: Fields,
    at: float,
    since: float | None = None,
) -> None:
    """Store what a manager says about an item; it decides, whatever others said.

    Time is counted since the item was shown, if that is known.
    """
    found = find_item(session, project, key)
    if found is None:
        raise RollcallError("there is no such item; it may have been withdrawn")
    item = lock_item(session, found.id)
    verdict = task_of(project).parse(item_of(item), fields)
    role = _ROLES[kind]
    before = select(Judgment).where(
        Judgment.item_id == item.id,
        Judgment.person_id == person_id,
        Judgment.role == role,
        Judgment.withdrawn == "",
    )
    for old in session.scalars(before):
        old.withdrawn = "judged anew"
    session.flush()
    session.add(
        Judgment(
            project_id=project.id,
            item_id=item.id,
            person_id=person_id,
            form_key=secrets.token_urlsafe(18),
            role=role,
            choice=verdict.choice,
            given=dict(verdict.values),
            fields={},
            comment=verdict.comment,
            seconds=count_time(session, person_id, fields, since, at),
            at=at,
            withdrawn="",
        )
    )
    if item.check == "wanted":
        item.check = "done"
    session.flush()
    settle(session, project, item, at)
    log(session, at, kind, f"item {key}: {verdict.choice}", person=person_id, project=project.id)
