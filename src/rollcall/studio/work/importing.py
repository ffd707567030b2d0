"""Takes in judgments that were made elsewhere, such as in Label Studio, as if they had been sent here.

They fill free slots like any others, so that no item is judged more often than asked; what finds no slot is
kept and not counted. Taking the same file in again changes nothing.
"""

import hashlib
from collections.abc import Iterable

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from rollcall.studio.database.tables import ItemRow, Judgment, Member, Person, Project, Slot
from rollcall.studio.records import Judged, Verdict
from rollcall.studio.work.people import add_member, add_person, login_of
from rollcall.studio.work.rows import item_of, task_of
from rollcall.studio.work.settling import settle


def take_in(session: Session, project: Project, judged: Iterable[Judged], at: float) -> dict[str, int]:
    """Store judgments; returns how many were counted, kept without counting, and known before."""
    counts = {"counted": 0, "kept": 0, "known": 0}
    for one in judged:
        key = hashlib.sha256(f"{project.name}\x1f{one.item}\x1f{one.person}\x1f{one.at}".encode()).hexdigest()
        if session.scalar(select(exists().where(Judgment.form_key == key))):
            counts["known"] += 1
            continue
        item = session.scalars(
            select(ItemRow).where(ItemRow.project_id == project.id, ItemRow.key == one.item).with_for_update()
        ).one()
        member = _member(session, project, one.person, at)
        slot = _slot(session, item, member)
        _add(session, project, item, member, slot, one, key, at)
        counts["kept" if slot is None else "counted"] += 1
    return counts


def _member(session: Session, project: Project, name: str, at: float) -> Member:
    person = session.scalar(select(Person).where(Person.login == login_of(name)))
    person = person or add_person(session, name, None, at)
    return add_member(session, project, person, at)


def _slot(session: Session, item: ItemRow, member: Member) -> Slot | None:
    mine = exists().where(Slot.item_id == item.id, Slot.person_id == member.person_id)
    if session.scalar(select(mine)):
        return None
    free = select(Slot).where(Slot.item_id == item.id, Slot.state == "free").order_by(Slot.number)
    return session.scalars(free.limit(1).with_for_update()).first()


def _add(
    session: Session,
    project: Project,
    item: ItemRow,
    member: Member,
    slot: Slot | None,
    one: Judged,
    key: str,
    at: float,
) -> None:
    task = task_of(project)
    verdict = Verdict(one.choice, one.values, one.comment)
    session.add(
        Judgment(
            project_id=project.id,
            item_id=item.id,
            person_id=member.person_id,
            slot_id=None if slot is None else slot.id,
            form_key=key,
            role="annotator",
            choice=one.choice,
            given=dict(one.values),
            fields={},
            comment=one.comment,
            seconds=one.seconds,
            at=at,
            missed=task.at(item.stage).missed(item_of(item), verdict),
            withdrawn="late" if slot is None else "",
        )
    )
    if slot is not None:
        slot.state, slot.person_id = "judged", member.person_id
        member.done += 1
    session.flush()
    if slot is not None:
        settle(session, project, item, at)
