"""What managers decide: checks of what was resolved, and adjudication where people differ."""

import hashlib
import secrets
from collections import defaultdict

from sqlalchemy import delete, exists, func, select
from sqlalchemy.orm import Session

from rollcall._core.errors import RollcallError
from rollcall.studio.database.tables import (
    Exclusion,
    Inspection,
    ItemRow,
    Person,
    Project,
    QuestionState,
    SavedJudgment,
    Slot,
)
from rollcall.studio.records import Verdict
from rollcall.studio.tasks.task import JUDGE, hidden_with_gold, hidden_without_gold
from rollcall.studio.work.assigning import queue_gold
from rollcall.studio.work.loop import Fields, count_time, lock_item
from rollcall.studio.work.people import BARRED, log
from rollcall.studio.work.rows import item_of, number_setting, settings_of, task_of
from rollcall.studio.work.settling import requeue, settle

CHECK, ADJUDICATE = "check", "adjudicate"
_ROLES = {CHECK: "manager", ADJUDICATE: "adjudicator"}


def waiting(session: Session, project: Project, kind: str) -> tuple[ItemRow | None, int]:
    """The next item that waits for a manager, and how many do."""
    conditions = [ItemRow.project_id == project.id, ItemRow.pool.is_(False)]
    if kind == CHECK:
        conditions.append(ItemRow.check == "wanted")
    else:
        conditions += [ItemRow.state == "disputed", ItemRow.injected.is_(False)]
    left = session.scalar(select(func.count()).select_from(ItemRow).where(*conditions)) or 0
    first = select(ItemRow).where(*conditions).order_by(ItemRow.place, ItemRow.id).limit(1)
    return session.scalars(first).first(), left


def find_item(session: Session, project: Project, key: str) -> ItemRow | None:
    """The item of a project with this key."""
    return session.scalar(select(ItemRow).where(ItemRow.project_id == project.id, ItemRow.key == key))


def _locked_item(session: Session, project: Project, key: str) -> ItemRow:
    row = find_item(session, project, key)
    if row is None:
        raise RollcallError("there is no such item; it may have been withdrawn")
    return lock_item(session, row.id)


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
    item = _locked_item(session, project, key)
    verdict = task_of(project).parse(item_of(item), fields)
    role = _ROLES[kind]
    before = select(SavedJudgment).where(
        SavedJudgment.item_id == item.id,
        SavedJudgment.person_id == person_id,
        SavedJudgment.role == role,
        SavedJudgment.withdrawn == "",
    )
    for old in session.scalars(before):
        old.withdrawn = "judged anew"
    session.flush()
    session.add(
        SavedJudgment(
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


# A manager marks items as gold, with their right verdict, and takes that back.


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
    item = _item_for_gold(session, project, key)
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
    """Make an item no longer gold: people are no longer measured by it."""
    item = _item_for_gold(session, project, key)
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


def _item_for_gold(session: Session, project: Project, key: str) -> ItemRow:
    item = _locked_item(session, project, key)
    if not can_be_gold(project, item):
        raise RollcallError(
            "this item cannot be gold: its verdict is known beforehand, or is neither right nor wrong"
        )
    return item


def _measure_again(session: Session, project: Project, item: ItemRow) -> None:
    """Judgments that were made while it was gold are right or wrong by the verdict that it has now."""
    task, record = task_of(project), item_of(item)
    judgments = select(SavedJudgment).where(
        SavedJudgment.item_id == item.id, SavedJudgment.missed.is_not(None)
    )
    for judgment in session.scalars(judgments):
        judgment.missed = task.missed(record, Verdict(judgment.choice, judgment.given, judgment.comment))


# Inspection of batches: a few judgments of every worker are looked at, and where too many are wrong, the
# worker's part of the batch is done again. A batch is so many judgments of the whole project in the order
# in which they came. Which of a worker's are drawn depends on the seed alone.


def draw(session: Session, project: Project) -> None:
    """Draw judgments to inspect from every batch that is complete, or the last there will be."""
    settings = settings_of(project)
    inspected, size = number_setting(settings, "inspected"), number_setting(settings, "batch")
    if not inspected or not size:
        return
    drawn = set(
        session.scalars(select(Inspection.batch).where(Inspection.project_id == project.id).distinct())
    )
    for batch, members in _batches(session, project, size).items():
        if batch in drawn:
            continue
        for person, judgments in members.items():
            order = sorted(judgments, key=lambda number: _chance(settings.seed, number))
            for number in order[:inspected]:
                session.add(
                    Inspection(project_id=project.id, person_id=person, batch=batch, judgment_id=number)
                )
    session.flush()


def _batches(session: Session, project: Project, size: int) -> dict[int, dict[int, list[int]]]:
    """The counted judgments of every finished batch, by batch and person."""
    rows = session.execute(
        select(SavedJudgment.id, SavedJudgment.person_id, SavedJudgment.withdrawn)
        .join(ItemRow, ItemRow.id == SavedJudgment.item_id)
        .where(
            SavedJudgment.project_id == project.id, SavedJudgment.role == "annotator", ItemRow.stage == JUDGE
        )
        .order_by(SavedJudgment.id)
    ).all()
    open_ = select(func.count()).select_from(Slot)
    open_ = open_.where(
        Slot.project_id == project.id, Slot.stage == JUDGE, Slot.state.in_(("free", "leased"))
    )
    finished = len(rows) // size if session.scalar(open_) else -(-len(rows) // size)
    batches: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for rank, (number, person, withdrawn) in enumerate(rows[: finished * size]):
        if not withdrawn:
            batches[rank // size + 1][person].append(number)
    return batches


def inspect(session: Session, project: Project, number: int, wrong: bool, by: int, at: float) -> int:
    """Note what a manager found; returns how many judgments are done again because of it."""
    row = session.scalars(
        select(Inspection)
        .where(Inspection.id == number, Inspection.project_id == project.id)
        .with_for_update()
    ).first()
    if row is None:
        raise RollcallError("this judgment no longer needs inspection")
    row.wrong, row.by = wrong, by
    session.flush()
    same_batch = [
        Inspection.project_id == project.id,
        Inspection.person_id == row.person_id,
        Inspection.batch == row.batch,
    ]
    bad = session.scalar(
        select(func.count()).select_from(Inspection).where(*same_batch, Inspection.wrong.is_(True))
    )
    settings = settings_of(project)
    if (bad or 0) < max(1, number_setting(settings, "inspected_wrong")):
        return 0
    numbers = _batches(session, project, number_setting(settings, "batch"))[row.batch][row.person_id]
    again = requeue(
        session,
        project,
        select(SavedJudgment.id).where(SavedJudgment.id.in_(numbers)).order_by(SavedJudgment.item_id),
        "inspected",
        at,
    )
    session.execute(delete(Inspection).where(*same_batch, Inspection.wrong.is_(None)))
    about = f"batch {row.batch}: {again} judgments of person {row.person_id} are done again"
    log(session, at, "inspected", about, person=by, project=project.id)
    return again


def _chance(seed: int, number: int) -> bytes:
    return hashlib.sha256(f"{seed}\x1f{number}".encode()).digest()
