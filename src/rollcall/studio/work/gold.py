"""A manager marks items as gold, with their right verdict, and takes that back."""

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from rollcall.errors import RollcallError
from rollcall.studio.database.tables import Exclusion, ItemRow, Judgment, Person, Project, QuestionState, Slot
from rollcall.studio.records import Verdict
from rollcall.studio.tasks.gold import hidden_with_gold, hidden_without_gold
from rollcall.studio.tasks.task import JUDGE
from rollcall.studio.work.audit_log import log
from rollcall.studio.work.deciding import CHECK, decide, find_item
from rollcall.studio.work.gold_queue import queue_gold
from rollcall.studio.work.judging import Fields, lock_item
from rollcall.studio.work.people import BARRED
from rollcall.studio.work.rows import item_of, task_of
from rollcall.studio.work.settling import settle


def can_be_gold(project: Project, item: ItemRow) -> bool:
    """Whether a manager may give an item's right verdict: not if it is known, rated or written."""
    return task_of(project).right_or_wrong and item.stage == JUDGE and not item.injected


def mark_gold(
    session: Session,
    project: Project,
    key: str,
    person_id: int,
    fields: Fields,
    at: float,
    kind: str = CHECK,
    since: float | None = None,
) -> int:
    """Decide an item and make it gold; returns how many more people will get it, or another gold item."""
    item = _item(session, project, key)
    verdict = task_of(project).parse(item_of(item), fields)
    name = session.get_one(Person, person_id).name
    item.gold, item.hidden = True, hidden_with_gold(item.hidden, verdict, name)
    _measure_again(session, project, item)
    # Whoever gave the verdict would only be measured by themselves.
    session.merge(Exclusion(person_id=person_id, item_id=item.id, why=BARRED, at=at))
    session.flush()
    decide(session, project, kind, key, person_id, fields, at, since)
    log(session, at, "marked as gold", f"item {key}: {verdict.choice}", person=person_id, project=project.id)
    return queue_gold(session, project)


def unmark_gold(session: Session, project: Project, key: str, person_id: int, at: float) -> None:
    """Let an item be gold no longer: what people said about it counts in nobody's record."""
    item = _item(session, project, key)
    if not item.gold:
        return
    item.gold, item.hidden = False, hidden_without_gold(item.hidden)
    _measure_again(session, project, item)
    dropped = exists().where(
        QuestionState.project_id == project.id,
        QuestionState.question == item.question,
        QuestionState.state == "dropped",
    )
    is_asked = not item.pool and not session.scalar(select(dropped))
    for slot in session.scalars(select(Slot).where(Slot.item_id == item.id)):
        if slot.state == "free" and slot.number >= item.needed:
            slot.state = "closed"
        elif slot.state == "closed" and slot.number < item.needed and is_asked:
            slot.state = "free"
    session.flush()
    settle(session, project, item, at)
    log(session, at, "no longer gold", f"item {key}", person=person_id, project=project.id)


def _item(session: Session, project: Project, key: str) -> ItemRow:
    found = find_item(session, project, key)
    if found is None:
        raise RollcallError("there is no such item; it may have been withdrawn")
    item = lock_item(session, found.id)
    if not can_be_gold(project, item):
        raise RollcallError(
            "this item cannot be gold: its verdict is known beforehand, or is neither right nor wrong"
        )
    return item


def _measure_again(session: Session, project: Project, item: ItemRow) -> None:
    """Judgments that were made while it was gold are right or wrong by the verdict that it has now."""
    task, record = task_of(project), item_of(item)
    judgments = select(Judgment).where(Judgment.item_id == item.id, Judgment.missed.is_not(None))
    for one in session.scalars(judgments):
        one.missed = task.missed(record, Verdict(one.choice, one.given, one.comment))
