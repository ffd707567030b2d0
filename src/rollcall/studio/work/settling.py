"""What follows from judgments, in the transaction that stores them.

- **Items** (`settle`, `reopen`): what the judgments of an item come to, and what follows: checks, follow-ups,
  dropped and new questions. The item's row is locked, so that the last of several judgments sees all others.
- **People** (`review`, `stop`): who misses known items is warned, then stopped; others get their work.
- **Annotations from elsewhere** (`take_in`) are stored as if they had been sent here.
"""

import hashlib
from collections.abc import Iterable

from sqlalchemy import Integer, Select, cast, delete, exists, func, select
from sqlalchemy.orm import Session, aliased

from rollcall.studio.database.tables import (
    Draft,
    Exclusion,
    ItemRow,
    Member,
    Person,
    Project,
    QuestionState,
    SavedJudgment,
    Slot,
)
from rollcall.studio.figures import DEFAULT_RULE, START, ChainState
from rollcall.studio.records import JudgmentRecord, Verdict
from rollcall.studio.tasks.task import QUALIFY, TaskSettings
from rollcall.studio.work.assigning import leave
from rollcall.studio.work.opening import add_items, release
from rollcall.studio.work.people import add_member, add_person, log, login_of
from rollcall.studio.work.rows import item_of, judgments_of, number_setting, settings_of, task_of


def settle(session: Session, project: Project, item: ItemRow, at: float) -> None:
    """Resolve an item after a judgment, and do what follows from it."""
    task, settings = task_of(project), settings_of(project)
    record = item_of(item)
    judged = judgments_of(session, [item])[item.id]
    resolution = task.resolve(record, judged, settings)
    item.state, item.choice, item.why = resolution.state, resolution.choice, resolution.why
    if not (item.check or item.injected or item.gold) and _is_checked(project, item, settings):
        item.check = "wanted"
    session.flush()
    add_items(session, project, task.follow_up(record, judged, settings), settings, at)
    _watch_question(session, project, item.question, settings)


def reopen(session: Session, project: Project, item: ItemRow) -> None:
    """An item that lost a judgment is open again, unless a manager has decided it, or it is gold."""
    decided = exists().where(
        SavedJudgment.item_id == item.id, SavedJudgment.role != "annotator", SavedJudgment.withdrawn == ""
    )
    if item.gold or session.scalar(select(decided)):
        return
    item.state, item.choice, item.why = "open", None, ""
    if item.check == "wanted":
        item.check = ""
    session.flush()
    _watch_question(session, project, item.question, settings_of(project))


def retract_follow_ups(session: Session, item: ItemRow, force: bool = False) -> bool:
    """Remove what followed from an item; False if others have started to work on it.

    With `force`, what others work on is closed, and what they said is kept.
    """
    following = session.scalars(
        select(ItemRow).where(ItemRow.project_id == item.project_id, ItemRow.after == item.key)
    ).all()
    if not following:
        return True
    ids = [follow_up.id for follow_up in following]
    touched = set(
        session.scalars(select(Slot.item_id).where(Slot.item_id.in_(ids), Slot.person_id.is_not(None)))
    ) | set(session.scalars(select(SavedJudgment.item_id).where(SavedJudgment.item_id.in_(ids))))
    if touched and not force:
        return False
    untouched = [number for number in ids if number not in touched]
    for table in (Slot, Draft, Exclusion):
        session.execute(delete(table).where(table.item_id.in_(untouched)))
    session.execute(delete(ItemRow).where(ItemRow.id.in_(untouched)))
    for follow_up in following:
        if follow_up.id in touched:
            follow_up.state, follow_up.choice, follow_up.why = (
                "rejected",
                None,
                "what it followed from was withdrawn",
            )
            for slot in session.scalars(
                select(Slot).where(Slot.item_id == follow_up.id, Slot.state != "judged")
            ):
                slot.state, slot.person_id, slot.form_key = "closed", None, None
    session.flush()
    return True


def _is_checked(project: Project, item: ItemRow, settings: TaskSettings) -> bool:
    """Whether a manager looks at it: the same items are drawn whenever it is asked."""
    shares = {"accepted": settings.check_accepted, "rejected": settings.check_rejected}
    share = shares.get(item.state, 0.0)
    drawn = hashlib.sha256(f"{settings.seed}\x1f{project.name}\x1f{item.key}".encode()).digest()
    return int.from_bytes(drawn[:8]) < share * 2**64


def _watch_question(session: Session, project: Project, question: str, settings: TaskSettings) -> None:
    """Drop a question that can no longer have answers enough, and ask another from the pool."""
    minimum = number_setting(settings, "minimum")
    if not minimum:
        return
    of_project = QuestionState.project_id == project.id
    statement = select(QuestionState).where(of_project, QuestionState.question == question).with_for_update()
    state = session.scalars(statement.execution_options(populate_existing=True)).first()
    if state is None or state.state == "pool":
        return
    possible = session.scalar(
        select(func.count())
        .select_from(ItemRow)
        .where(
            ItemRow.project_id == project.id,
            ItemRow.question == question,
            ItemRow.injected.is_(False),
            ItemRow.state != "rejected",
        )
    )
    enough = (possible or 0) >= minimum
    if enough and state.state == "dropped":
        state.state = "asked"
        _set_slots(session, project, question, "closed", "free")
    elif not enough and state.state == "asked":
        state.state = "dropped"
        _set_slots(session, project, question, "free", "closed")
        _replace(session, project)
    session.flush()


def _set_slots(session: Session, project: Project, question: str, before: str, after: str) -> None:
    """Close or open the slots of a question's answers; known ones are still judged, to know the people."""
    items = select(ItemRow.id).where(
        ItemRow.project_id == project.id,
        ItemRow.question == question,
        ItemRow.injected.is_(False),
        ItemRow.gold.is_(False),
    )
    for slot in session.scalars(select(Slot).where(Slot.item_id.in_(items), Slot.state == before)):
        slot.state = after


def _replace(session: Session, project: Project) -> None:
    statement = (
        select(QuestionState)
        .where(QuestionState.project_id == project.id, QuestionState.state == "pool")
        .order_by(QuestionState.place, QuestionState.id)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    following = session.scalars(statement).first()
    if following is None:
        return
    following.state = "asked"
    items = select(ItemRow.id).where(ItemRow.project_id == project.id, ItemRow.question == following.question)
    release(session, list(session.scalars(items)))


# Takes in judgments that were made elsewhere, such as in Label Studio, as if they had been sent here.
# They fill free slots like any others, so that no item is judged more often than asked; what finds no
# slot is kept and not counted. Taking the same file in again changes nothing.


def take_in(
    session: Session, project: Project, judged: Iterable[JudgmentRecord], at: float
) -> dict[str, int]:
    """Store judgments; returns how many were counted, kept without counting, and known before."""
    counts = {"counted": 0, "kept": 0, "known": 0}
    for judgment in judged:
        key = hashlib.sha256(
            f"{project.name}\x1f{judgment.item}\x1f{judgment.person}\x1f{judgment.at}".encode()
        ).hexdigest()
        if session.scalar(select(exists().where(SavedJudgment.form_key == key))):
            counts["known"] += 1
            continue
        item = session.scalars(
            select(ItemRow)
            .where(ItemRow.project_id == project.id, ItemRow.key == judgment.item)
            .with_for_update()
        ).one()
        member = _member(session, project, judgment.person, at)
        slot = _slot(session, item, member)
        _add(session, project, item, member, slot, judgment, key, at)
        counts["kept" if slot is None else "counted"] += 1
    return counts


def _member(session: Session, project: Project, name: str, at: float) -> Member:
    person = session.scalar(select(Person).where(Person.login == login_of(name)))
    person = person or add_person(session, name, None, at)
    return add_member(session, project, person, at)


def _slot(session: Session, item: ItemRow, member: Member) -> Slot | None:
    had_before = exists().where(Slot.item_id == item.id, Slot.person_id == member.person_id)
    if session.scalar(select(had_before)):
        return None
    free = select(Slot).where(Slot.item_id == item.id, Slot.state == "free").order_by(Slot.number)
    return session.scalars(free.limit(1).with_for_update()).first()


def _add(
    session: Session,
    project: Project,
    item: ItemRow,
    member: Member,
    slot: Slot | None,
    judgment: JudgmentRecord,
    key: str,
    at: float,
) -> None:
    task = task_of(project)
    verdict = Verdict(judgment.choice, judgment.values, judgment.comment)
    session.add(
        SavedJudgment(
            project_id=project.id,
            item_id=item.id,
            person_id=member.person_id,
            slot_id=None if slot is None else slot.id,
            form_key=key,
            role="annotator",
            choice=judgment.choice,
            given=dict(judgment.values),
            fields={},
            comment=judgment.comment,
            seconds=judgment.seconds,
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


# Reviews people's work: who misses injected items is warned, then stopped, and their work is queued again.
#
# A review comes after every twenty judgments, not after each: a warning that came at once would tell which
# item was injected. What was reviewed can no longer be undone, for the same reason. A person's agreement
# with others is shown only as of the last review.

REVIEW_EVERY = 20
_STOPPED = "too many verdicts on items whose right verdict is known were wrong"


def review(session: Session, project: Project, member: Member, at: float, last: bool = False) -> None:
    """Look at a person's record where a review is due; `last` where nothing is left for them to do."""
    if member.state not in ("working", "warned"):
        return
    due = member.done - member.reviewed >= REVIEW_EVERY
    if not due and not (last and member.done > member.reviewed):
        return
    record = misses(session, project, member)
    state = _standing(member, record[member.warned_at :])
    worse = state != ("warned" if member.state == "warned" else "fine")
    if due or worse:
        member.reviewed = member.done
        member.agreement = agreement_with_others(session, project, member)
    if worse and member.state == "working":
        member.state, member.warned_at = "warned", len(record)
        log(session, at, "warned", _STOPPED, person=member.person_id, project=project.id)
    elif state == "stopped":
        stop(session, project, member, _STOPPED, at)


def _standing(member: Member, misses_since: list[bool]) -> str:
    """Where a person stands since the last warning: people are warned before they are stopped."""
    current = ChainState("warned", 0.0) if member.state == "warned" else START
    for missed in misses_since:
        current = DEFAULT_RULE.after(current, missed)
    return current.state


def misses(session: Session, project: Project, member: Member) -> list[bool]:
    """Which of the injected and gold items that a person judged they missed, in this order."""
    rows = session.scalars(
        select(SavedJudgment.missed)
        .join(ItemRow, ItemRow.id == SavedJudgment.item_id)
        .where(
            SavedJudgment.project_id == project.id,
            SavedJudgment.person_id == member.person_id,
            SavedJudgment.role == "annotator",
            SavedJudgment.withdrawn == "",
            SavedJudgment.missed.is_not(None),
            ItemRow.stage != QUALIFY,
        )
        .order_by(SavedJudgment.id)
    )
    return [bool(missed) for missed in rows]


def agreement_with_others(session: Session, project: Project, member: Member) -> float | None:
    """The share of others' judgments of the same items that say the same; known items are left out."""
    other = aliased(SavedJudgment)
    same = func.sum(cast(SavedJudgment.choice == other.choice, Integer))
    row = session.execute(
        select(func.count(), same)
        .select_from(SavedJudgment)
        .join(other, other.item_id == SavedJudgment.item_id)
        .join(ItemRow, ItemRow.id == SavedJudgment.item_id)
        .where(
            SavedJudgment.project_id == project.id,
            SavedJudgment.person_id == member.person_id,
            other.person_id != member.person_id,
            SavedJudgment.withdrawn == "",
            other.withdrawn == "",
            other.role == "annotator",
            SavedJudgment.missed.is_(None),
            other.missed.is_(None),
            ItemRow.injected.is_(False),
            ItemRow.stage != QUALIFY,
        )
    ).one()
    return float(row[1]) / row[0] if row[0] else None


def stop(session: Session, project: Project, member: Member, why: str, at: float) -> None:
    """Stop a person, and queue all their work again."""
    member.state, member.stopped_why = "stopped", why
    leave(session, project, member, at)
    requeue(session, project, _counted(project, member.person_id), "stopped", at)
    log(session, at, "stopped", why, person=member.person_id, project=project.id)


def _counted(project: Project, person_id: int) -> Select[int]:
    return (
        select(SavedJudgment.id)
        .where(
            SavedJudgment.project_id == project.id,
            SavedJudgment.person_id == person_id,
            SavedJudgment.role == "annotator",
            SavedJudgment.withdrawn == "",
        )
        .order_by(SavedJudgment.item_id)
    )


def requeue(session: Session, project: Project, judgments: Select[int], why: str, at: float) -> int:
    """Withdraw judgments: they are kept and no longer count, and their slots are free for others."""
    numbers = list(session.scalars(judgments))
    for number in numbers:
        judgment = session.get_one(SavedJudgment, number)
        item = session.scalars(select(ItemRow).where(ItemRow.id == judgment.item_id).with_for_update()).one()
        slot = session.get(Slot, judgment.slot_id) if judgment.slot_id is not None else None
        judgment.withdrawn, judgment.slot_id = why, None
        if slot is not None:
            slot.state = "closed" if slot.stage == QUALIFY else "free"
            slot.person_id = slot.form_key = slot.started = slot.lease_until = None
        session.flush()
        if item.stage != QUALIFY:
            retract_follow_ups(session, item, force=True)
            reopen(session, project, item)
    return len(numbers)


def resume(session: Session, project: Project, member: Member, at: float, by: int) -> None:
    """Let a person who was stopped continue; only injected items from now on count for the next decision."""
    member.warned_at = len(misses(session, project, member))
    member.state, member.stopped_why = "working", ""
    member.reviewed = member.done
    log(session, at, "let go on", f"person {member.person_id}", person=by, project=project.id)


def judge_test(session: Session, project: Project, member: Member, at: float) -> None:
    """Let a person in who has passed the qualification test, once all of it is judged."""
    test = select(func.count()).select_from(ItemRow)
    asked = session.scalar(test.where(ItemRow.project_id == project.id, ItemRow.stage == QUALIFY)) or 0
    results = session.scalars(
        select(SavedJudgment.missed)
        .join(ItemRow, ItemRow.id == SavedJudgment.item_id)
        .where(
            SavedJudgment.project_id == project.id,
            SavedJudgment.person_id == member.person_id,
            SavedJudgment.withdrawn == "",
            ItemRow.stage == QUALIFY,
        )
    ).all()
    if len(results) < asked:
        return
    right = sum(missed is False for missed in results)
    passed = right >= settings_of(project).pass_mark * asked
    member.state = "working" if passed else "stopped"
    member.stopped_why = "" if passed else "unqualified"
    member.done = member.reviewed = 0
    about = f"{right} of {asked} right"
    log(
        session,
        at,
        "qualified" if passed else "not qualified",
        about,
        person=member.person_id,
        project=project.id,
    )
