"""Inspection of batches: a few judgments of every worker are looked at, and where too many are wrong, the
worker's part of the batch is done again.

A batch is so many judgments of the whole project in the order in which they came. Which of a worker's are
drawn depends on the seed alone.
"""

import hashlib
from collections import defaultdict

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from rollcall.errors import RollcallError
from rollcall.studio.database.tables import Inspection, ItemRow, Judgment, Project, Slot
from rollcall.studio.tasks.task import JUDGE
from rollcall.studio.work.audit_log import log
from rollcall.studio.work.reviewing import requeue
from rollcall.studio.work.rows import number_setting, settings_of


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
