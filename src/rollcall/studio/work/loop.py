"""The work loop: a person gets an item, judges it, and gets the next.

- `current`, `judge`, `take_back`, `pass_over` and others: each is one transaction, in which a judgment is
  stored before the next item is taken. Whatever goes wrong in between, the database has both or neither.
- `store`: what happens inside the transaction of a judgment.
- `count_time`: the seconds of work. No second counts twice for a person, whatever they have open.

A form carries a key that is valid for one judgment. Sent twice, it is stored once. If it is sent after its
slot went to another person, the judgment takes another free slot of the item. If there is none, it is kept
but not counted: no work is thrown away.
"""

import math
import secrets
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import Select, bindparam, delete, exists, func, select
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session

from rollcall._core.errors import RollcallError
from rollcall.studio.database.engine import Database, DatabaseAwayError
from rollcall.studio.database.tables import (
    Draft,
    Exclusion,
    ItemRow,
    Json,
    Member,
    Person,
    Project,
    Reclaimed,
    SavedJudgment,
    Slot,
)
from rollcall.studio.tasks.task import QUALIFY
from rollcall.studio.work.assigning import (
    LEASE_SECONDS,
    AssignedItem,
    extend_lease,
    held,
    leave,
    lock_member,
    reclaim,
    take,
)
from rollcall.studio.work.people import BARRED
from rollcall.studio.work.rows import item_of, task_of
from rollcall.studio.work.settling import judge_test, reopen, retract_follow_ups, review, settle

T = TypeVar("T")
P = ParamSpec("P")
Step = Callable[[Session, Member], T]
Fields = Mapping[str, list[str]]
_ATTEMPTS = 5


def in_turn(database: Database, member: Member, step: Step[T]) -> T:
    """Do a step in one transaction with the member's row locked; where transactions collide, do it again."""
    for left in reversed(range(_ATTEMPTS)):
        try:
            with database.write() as session:
                return step(session, lock_member(session, member))
        except (IntegrityError, RollcallError, DatabaseAwayError) as error:
            cause = error if isinstance(error, IntegrityError) else error.__cause__
            if not left or not _collided(cause):
                raise
    raise AssertionError


def _collided(error: BaseException | None) -> bool:
    if isinstance(error, IntegrityError):
        return True
    state = getattr(getattr(error, "orig", None), "sqlstate", None)
    return isinstance(error, OperationalError) and state in ("40P01", "40001")


def in_transaction(
    step: Callable[Concatenate[Session, Project, Member, P], T],
) -> Callable[Concatenate[Database, Project, Member, P], T]:
    """A step that is one transaction: it is called with a database in place of a session."""

    @wraps(step)
    def whole(
        database: Database, project: Project, member: Member, /, *arguments: P.args, **named: P.kwargs
    ) -> T:
        return in_turn(
            database, member, lambda session, locked: step(session, project, locked, *arguments, **named)
        )

    return whole


def current(database: Database, project: Project, member: Member, at: float) -> AssignedItem | None:
    """What the person has in hand, or gets now."""
    with database.read() as session:
        known = held(session, project, member, at)
    return known or in_turn(database, member, lambda session, locked: _next(session, project, locked, at))


def judge(
    database: Database, project: Project, member: Member, form_key: str, fields: Fields, at: float
) -> SavedJudgment:
    """Store a judgment, and take the next item; the judgment that a form sent before stored, if it was."""

    def step(session: Session, locked: Member) -> SavedJudgment:
        stored = store(session, project, locked, form_key, fields, at)
        if locked.state == "qualifying":
            judge_test(session, project, locked, at)
        review(session, project, locked, at)
        # What was stored now was in hand, and a person has only one; a form sent again does not show this.
        _next(session, project, locked, at, empty=stored.at == at and stored.slot_id is not None)
        return stored

    return in_turn(database, member, step)


def _next(
    session: Session, project: Project, member: Member, at: float, empty: bool = False
) -> AssignedItem | None:
    taken = take(session, project, member, at, empty)
    if taken is None:
        review(session, project, member, at, last=True)
    return taken


def why_nothing(session: Session, project: Project, member: Member) -> str:
    """Why a person has nothing to judge now."""
    if member.state == "stopped":
        return "unqualified" if member.stopped_why == "unqualified" else "stopped"
    if member.state == "left" or project.state != "open":
        return "left" if member.state == "left" else project.state
    waiting = select(func.count()).select_from(Slot)
    waiting = waiting.where(Slot.project_id == project.id, Slot.state == "leased", Slot.stage != QUALIFY)
    return "waiting" if session.scalar(waiting) else "done"


def sweep(database: Database, at: float) -> int:
    """Reclaim all that was abandoned, in every open project; returns how many slots are free again."""
    with database.write() as session:
        projects = session.scalars(select(Project).where(Project.state == "open")).all()
        return sum(reclaim(session, project, at) for project in projects)


def totals(session: Session, project: Project) -> tuple[int, int]:
    """How many judgments of a project there are, and how many are asked for."""
    counts = session.execute(
        select(Slot.state, func.count())
        .where(Slot.project_id == project.id, Slot.stage != QUALIFY, Slot.state != "closed")
        .group_by(Slot.state)
    )
    by_state = dict(counts.all())
    return by_state.get("judged", 0), sum(by_state.values())


# What happens inside a transaction.

AWAY_SECONDS = 600.0
"""More is not counted in one piece: a page that is worked on says so every minute."""
_CLOCK_SECONDS = 60.0
"""No request waits longer: what was counted even later was so before the clock was put back."""
_NOT_KEPT = ("csrf", "form_key")


def store(
    session: Session, project: Project, member: Member, form_key: str, fields: Fields, at: float
) -> SavedJudgment:
    """The judgment that a form says; the same form sent again changes nothing.

    The member's row must be locked. An error if the form belongs to another person.
    """
    row = session.execute(
        _IN_HAND, {"project": project.id, "form_key": form_key, "person": member.person_id}
    ).first()
    item: ItemRow
    slot: Slot | None
    draft: Draft | None
    if row is not None:
        slot, item, draft = row[0], row[1], row[2]
        started = row[0].started
        _check_open(project)
    else:
        known = select(SavedJudgment).where(
            SavedJudgment.form_key == form_key, SavedJudgment.person_id == member.person_id
        )
        if (stored := session.scalar(known)) is not None:
            return stored
        _check_open(project)
        was = _reclaimed(session, member, form_key)
        if was is None:
            raise RollcallError("this form is no longer valid; please judge the item that is shown now")
        started = was.at if was.started is None else was.started
        item, slot = _late_place(session, project, member, was)
        draft = session.get(Draft, (member.person_id, item.id))
    record = item_of(item)
    task = task_of(project)
    verdict = task.parse(record, fields)
    judgment = SavedJudgment(
        project_id=project.id,
        item_id=item.id,
        person_id=member.person_id,
        slot_id=slot.id if slot is not None else None,
        form_key=form_key,
        role="annotator",
        choice=verdict.choice,
        given=dict(verdict.values),
        fields=_kept(fields),
        comment=verdict.comment,
        seconds=_counted(session, member, fields, started, draft, at),
        at=at,
        missed=task.at(item.stage).missed(record, verdict),
        withdrawn="" if slot is not None else "late",
    )
    session.add(judgment)
    if draft is not None:
        session.delete(draft)
    if slot is not None:
        slot.state, slot.person_id, slot.lease_until = "judged", member.person_id, None
        member.done += 1
    session.flush()
    if slot is not None and item.stage != QUALIFY:
        settle(session, project, item, at)
    return judgment


_IN_HAND = (
    select(Slot, ItemRow, Draft)
    .join(ItemRow, ItemRow.id == Slot.item_id)
    .outerjoin(Draft, (Draft.item_id == Slot.item_id) & (Draft.person_id == bindparam("person")))
    .where(
        Slot.project_id == bindparam("project"),
        Slot.form_key == bindparam("form_key"),
        Slot.person_id == bindparam("person"),
        Slot.state == "leased",
    )
    # The item is held too: its judgments are counted one after the other.
    .with_for_update(of=[Slot, ItemRow])
)


def _check_open(project: Project) -> None:
    """While a project is paused or closed, what it came to stays as its managers see it."""
    if project.state != "open":
        raise RollcallError(f"the project is {project.state}, so this verdict is not counted")


def _late_place(
    session: Session, project: Project, member: Member, was: Reclaimed
) -> tuple[ItemRow, Slot | None]:
    """The item that a form is about whose slot went to others, and another slot of it, if one is free."""
    item = lock_item(session, was.item_id)
    own = exists().where(Slot.item_id == item.id, Slot.person_id == member.person_id)
    if item.project_id != project.id or session.scalar(select(own)):
        return item, None
    another = select(Slot).where(Slot.item_id == item.id, Slot.state == "free").order_by(Slot.number)
    return item, session.scalars(another.limit(1).with_for_update()).first()


def lock_item(session: Session, number: int) -> ItemRow:
    """An item's row, held until the transaction ends: its judgments are counted one after the other."""
    statement = select(ItemRow).where(ItemRow.id == number).with_for_update()
    return session.scalars(statement.execution_options(populate_existing=True)).one()


@in_transaction
def take_back(session: Session, project: Project, member: Member, at: float) -> None:
    """Take back the person's last judgment; its screen comes again as it was sent."""
    last = session.scalars(
        select(SavedJudgment)
        .where(
            SavedJudgment.project_id == project.id,
            SavedJudgment.person_id == member.person_id,
            SavedJudgment.role == "annotator",
            SavedJudgment.withdrawn == "",
        )
        .order_by(SavedJudgment.id.desc())
        .limit(1)
    ).first()
    if last is None or member.done <= member.reviewed:
        raise RollcallError("there is nothing to undo: what was reviewed stays as it is")
    item = lock_item(session, last.item_id)
    if item.stage == QUALIFY or item.check == "done":
        raise RollcallError("this judgment cannot be undone any more")
    if not retract_follow_ups(session, item):
        raise RollcallError("this judgment cannot be undone: others already work on what followed from it")
    leave(session, project, member, at)
    slot = session.get_one(Slot, last.slot_id)
    slot.state, slot.form_key, slot.started = "leased", secrets.token_urlsafe(18), at
    slot.lease_until = at + LEASE_SECONDS
    last.slot_id, last.withdrawn = None, "undone"
    member.done -= 1
    session.merge(
        Draft(person_id=member.person_id, item_id=item.id, fields=last.fields, seconds=last.seconds, at=at)
    )
    session.flush()
    reopen(session, project, item)


@in_transaction
def pass_over(session: Session, project: Project, member: Member, form_key: str, why: str, at: float) -> None:
    """Pass an item over: this person does not get it again, others do."""
    slot = _held_slot(session, project, member, form_key)
    if slot is None:
        return
    if slot.stage == QUALIFY:
        raise RollcallError("an item of the qualification test cannot be skipped")
    reason = why[:500] if why != BARRED else ""
    session.merge(Exclusion(person_id=member.person_id, item_id=slot.item_id, why=reason, at=at))
    session.execute(delete(Draft).where(Draft.person_id == member.person_id, Draft.item_id == slot.item_id))
    slot.state, slot.person_id, slot.form_key = "free", None, None
    slot.started = slot.lease_until = None
    session.flush()


def skipped(session: Session, project: Project, member: Member) -> int:
    """How many items that the person skipped are still free."""
    open_slots = select(func.count(Slot.item_id.distinct())).where(
        Slot.item_id.in_(_skipped(project, member))
    )
    return session.scalar(open_slots.where(Slot.state == "free")) or 0


@in_transaction
def show_skipped_again(session: Session, project: Project, member: Member) -> None:
    """Hand a person what they skipped again: if no one else takes it, it would stay open forever."""
    session.execute(
        delete(Exclusion)
        .where(Exclusion.person_id == member.person_id, Exclusion.item_id.in_(_skipped(project, member)))
        .execution_options(synchronize_session=False)
    )


def _skipped(project: Project, member: Member) -> Select[int]:
    """The items that the person passed over, without those that they may never judge."""
    return (
        select(Exclusion.item_id)
        .join(ItemRow, ItemRow.id == Exclusion.item_id)
        .where(
            ItemRow.project_id == project.id,
            Exclusion.person_id == member.person_id,
            Exclusion.why != BARRED,
        )
    )


@in_transaction
def keep_draft(
    session: Session, project: Project, member: Member, form_key: str, fields: Fields, at: float
) -> bool:
    """Keep a half-filled form; False where the form is no longer in hand."""
    return _keep_in_hand(session, project, member, form_key, fields, at)


@in_transaction
def keep_refused(
    session: Session, project: Project, member: Member, form_key: str, fields: Fields, at: float
) -> bool:
    """Keep a form that was refused while the project is not open, also where its lease is over.

    False if it belongs to another person.
    """
    if _keep_in_hand(session, project, member, form_key, fields, at):
        return True
    was = _reclaimed(session, member, form_key)
    if was is None:
        return False
    _keep(session, member, was.item_id, was.at if was.started is None else was.started, fields, at)
    return True


def _keep_in_hand(
    session: Session, project: Project, member: Member, form_key: str, fields: Fields, at: float
) -> bool:
    slot = _held_slot(session, project, member, form_key)
    if slot is None:
        return False
    extend_lease(session, slot.id, at)
    _keep(session, member, slot.item_id, slot.started, fields, at)
    return True


def _reclaimed(session: Session, member: Member, form_key: str) -> Reclaimed | None:
    """What is known of a form of this person whose slot went to others."""
    was = session.get(Reclaimed, form_key)
    return was if was is not None and was.person_id == member.person_id else None


def _keep(
    session: Session, member: Member, item: int, started: float | None, fields: Fields, at: float
) -> None:
    draft = session.get(Draft, (member.person_id, item))
    seconds = _counted(session, member, fields, started, draft, at)
    kept = _kept(fields)
    session.merge(Draft(person_id=member.person_id, item_id=item, fields=kept, seconds=seconds, at=at))


def _held_slot(session: Session, project: Project, member: Member, form_key: str) -> Slot | None:
    statement = select(Slot).where(
        Slot.project_id == project.id,
        Slot.person_id == member.person_id,
        Slot.form_key == form_key,
        Slot.state == "leased",
    )
    return session.scalars(statement.with_for_update()).first()


def _kept(fields: Fields) -> Json:
    return {name: values for name, values in fields.items() if name not in _NOT_KEPT}


def _counted(
    session: Session, member: Member, fields: Fields, started: float | None, draft: Draft | None, at: float
) -> float:
    before, since = (draft.seconds, draft.at) if draft is not None else (0.0, started)
    return before + count_time(session, member.person_id, fields, since, at, before)


def count_time(
    session: Session, person_id: int, fields: Fields, since: float | None, at: float, before: float = 0.0
) -> float:
    """The seconds of work since the server last heard of it, or handed it out; no second counts twice.

    They are at most what passed and was not counted yet, `AWAY_SECONDS`, and what the page says beyond what
    was known `before`. A page that says less than that is another tab, which counted on its own.
    """
    person = session.get_one(Person, person_id, with_for_update={"key_share": True}, populate_existing=True)
    until = person.counted_until if person.counted_until < at + _CLOCK_SECONDS else 0.0
    start = max(until, at if since is None else since)
    passed = max(0.0, at - start)
    on_page = _page_seconds(fields)
    beyond = on_page if on_page < before - 1 else on_page - before
    counted = max(0.0, min(passed, AWAY_SECONDS, beyond))
    if passed:
        person.counted_until = at if passed > AWAY_SECONDS else start + counted
    return counted


def _page_seconds(fields: Fields) -> float:
    """The seconds that a page counted, without pauses; one without scripts counts none: all may be work."""
    try:
        seconds = float((fields.get("seconds") or [""])[-1])
    except ValueError:
        return math.inf
    return seconds if seconds == seconds else math.inf
