"""Reviews people's work: who misses injected items is warned, then stopped, and their work is queued again.

A review comes after every twenty judgments, not after each: a warning that came at once would tell which item
was injected. What was reviewed can no longer be undone, for the same reason. One's own agreement with others
is told only as of the last review.
"""

import hashlib
from collections import defaultdict

from sqlalchemy import Integer, Select, cast, delete, func, select
from sqlalchemy.orm import Session, aliased

from rollcall._core.errors import RollcallError
from rollcall.studio.agreement.carelessness import DEFAULT_RULE, START, Place
from rollcall.studio.database.tables import Inspection, ItemRow, Judgment, Member, Project, Slot
from rollcall.studio.tasks.task import JUDGE, QUALIFY
from rollcall.studio.work.assigning import leave
from rollcall.studio.work.people import log
from rollcall.studio.work.rows import number_setting, settings_of
from rollcall.studio.work.settling import reopen, retract_follow_ups

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
    found = _standing(member, record[member.warned_at :])
    worse = found != ("warned" if member.state == "warned" else "fine")
    if due or worse:
        member.reviewed = member.done
        member.agreement = agreement_with_others(session, project, member)
    if worse and member.state == "working":
        member.state, member.warned_at = "warned", len(record)
        log(session, at, "warned", _STOPPED, person=member.person_id, project=project.id)
    elif found == "stopped":
        stop(session, project, member, _STOPPED, at)


def _standing(member: Member, misses_since: list[bool]) -> str:
    """Where somebody stands since the last warning: nobody is stopped before they were warned."""
    place = Place("warned", 0.0) if member.state == "warned" else START
    for missed in misses_since:
        place = DEFAULT_RULE.after(place, missed)
    return place.state


def misses(session: Session, project: Project, member: Member) -> list[bool]:
    """Which of the injected and gold items that a person judged they missed, in this order."""
    rows = session.scalars(
        select(Judgment.missed)
        .join(ItemRow, ItemRow.id == Judgment.item_id)
        .where(
            Judgment.project_id == project.id,
            Judgment.person_id == member.person_id,
            Judgment.role == "annotator",
            Judgment.withdrawn == "",
            Judgment.missed.is_not(None),
            ItemRow.stage != QUALIFY,
        )
        .order_by(Judgment.id)
    )
    return [bool(missed) for missed in rows]


def agreement_with_others(session: Session, project: Project, member: Member) -> float | None:
    """The share of others' judgments of the same items that say the same; known items are left out."""
    other = aliased(Judgment)
    same = func.sum(cast(Judgment.choice == other.choice, Integer))
    row = session.execute(
        select(func.count(), same)
        .select_from(Judgment)
        .join(other, other.item_id == Judgment.item_id)
        .join(ItemRow, ItemRow.id == Judgment.item_id)
        .where(
            Judgment.project_id == project.id,
            Judgment.person_id == member.person_id,
            other.person_id != member.person_id,
            Judgment.withdrawn == "",
            other.withdrawn == "",
            other.role == "annotator",
            Judgment.missed.is_(None),
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
        select(Judgment.id)
        .where(
            Judgment.project_id == project.id,
            Judgment.person_id == person_id,
            Judgment.role == "annotator",
            Judgment.withdrawn == "",
        )
        .order_by(Judgment.item_id)
    )


def requeue(session: Session, project: Project, judgments: Select[int], why: str, at: float) -> int:
    """Withdraw judgments: they are kept and no longer count, and their slots are free for others."""
    numbers = list(session.scalars(judgments))
    for number in numbers:
        judgment = session.get_one(Judgment, number)
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
    """Let somebody who was stopped go on; only injected items from now on count for the next decision."""
    member.warned_at = len(misses(session, project, member))
    member.state, member.stopped_why = "working", ""
    member.reviewed = member.done
    log(session, at, "let go on", f"person {member.person_id}", person=by, project=project.id)


def judge_test(session: Session, project: Project, member: Member, at: float) -> None:
    """Let somebody in who has passed the qualification test, once all of it is judged."""
    test = select(func.count()).select_from(ItemRow)
    asked = session.scalar(test.where(ItemRow.project_id == project.id, ItemRow.stage == QUALIFY)) or 0
    results = session.scalars(
        select(Judgment.missed)
        .join(ItemRow, ItemRow.id == Judgment.item_id)
        .where(
            Judgment.project_id == project.id,
            Judgment.person_id == member.person_id,
            Judgment.withdrawn == "",
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


# Inspection of batches: a few judgments of every worker are looked at, and where too many are wrong, the
# worker's part of the batch is done again. A batch is so many judgments of the whole project in the
# order in which they came. Which of a worker's are drawn depends on the seed alone.


def draw(session: Session, project: Project) -> None:
    """Draw what is to be inspected from every batch that is whole, or the last there will be."""
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
        select(Judgment.id, Judgment.person_id, Judgment.withdrawn)
        .join(ItemRow, ItemRow.id == Judgment.item_id)
        .where(Judgment.project_id == project.id, Judgment.role == "annotator", ItemRow.stage == JUDGE)
        .order_by(Judgment.id)
    ).all()
    open_ = select(func.count()).select_from(Slot)
    open_ = open_.where(
        Slot.project_id == project.id, Slot.stage == JUDGE, Slot.state.in_(("free", "leased"))
    )
    finished = len(rows) // size if session.scalar(open_) else -(-len(rows) // size)
    found: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for rank, (number, person, withdrawn) in enumerate(rows[: finished * size]):
        if not withdrawn:
            found[rank // size + 1][person].append(number)
    return found


def inspect(session: Session, project: Project, number: int, wrong: bool, by: int, at: float) -> int:
    """Note what a manager found; returns how many judgments are done again because of it."""
    row = session.scalars(
        select(Inspection)
        .where(Inspection.id == number, Inspection.project_id == project.id)
        .with_for_update()
    ).first()
    if row is None:
        raise RollcallError("this judgment is no longer to be inspected")
    row.wrong, row.by = wrong, by
    session.flush()
    mine = [
        Inspection.project_id == project.id,
        Inspection.person_id == row.person_id,
        Inspection.batch == row.batch,
    ]
    bad = session.scalar(
        select(func.count()).select_from(Inspection).where(*mine, Inspection.wrong.is_(True))
    )
    settings = settings_of(project)
    if (bad or 0) < max(1, number_setting(settings, "inspected_wrong")):
        return 0
    numbers = _batches(session, project, number_setting(settings, "batch"))[row.batch][row.person_id]
    again = requeue(
        session,
        project,
        select(Judgment.id).where(Judgment.id.in_(numbers)).order_by(Judgment.item_id),
        "inspected",
        at,
    )
    session.execute(delete(Inspection).where(*mine, Inspection.wrong.is_(None)))
    about = f"batch {row.batch}: {again} judgments of person {row.person_id} are done again"
    log(session, at, "inspected", about, person=by, project=project.id)
    return again


def _chance(seed: int, number: int) -> bytes:
    return hashlib.sha256(f"{seed}\x1f{number}".encode()).digest()
