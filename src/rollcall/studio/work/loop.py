"""The work loop, each step one transaction: a judgment is stored before the next item is taken.

Whatever goes wrong in between, the database has either both or neither; what a crash interrupts is done again
by sending the same form again.
"""

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.orm import Session

from rollcall._core.errors import RollcallError
from rollcall.studio.database.engine import Database, DatabaseAwayError
from rollcall.studio.database.tables import Judgment, Member, Project, Slot
from rollcall.studio.tasks.task import QUALIFY
from rollcall.studio.work.assigning import Assignment, held, lock_member, reclaim, take
from rollcall.studio.work.judging import Fields, keep_unsent, save_draft, show_skipped, skip, store, undo
from rollcall.studio.work.reviewing import judge_test, review

T = TypeVar("T")
Step = Callable[[Session, Member], T]
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


def current(database: Database, project: Project, member: Member, at: float) -> Assignment | None:
    """What the person has in hand, or gets now."""
    with database.read() as session:
        known = held(session, project, member, at)
    return known or in_turn(database, member, lambda session, locked: _next(session, project, locked, at))


def judge(
    database: Database, project: Project, member: Member, form_key: str, fields: Fields, at: float
) -> Judgment:
    """Store a judgment, and take the next item; the judgment that a form sent before stored, if it was."""

    def step(session: Session, locked: Member) -> Judgment:
        stored = store(session, project, locked, form_key, fields, at)
        if locked.state == "qualifying":
            judge_test(session, project, locked, at)
        review(session, project, locked, at)
        # What was stored just now was in hand, and nobody has two; a form that comes again knows nothing.
        _next(session, project, locked, at, empty=stored.at == at and stored.slot_id is not None)
        return stored

    return in_turn(database, member, step)


def take_back(database: Database, project: Project, member: Member, at: float) -> None:
    """Undo the last judgment."""
    in_turn(database, member, lambda session, locked: undo(session, project, locked, at))


def pass_over(
    database: Database, project: Project, member: Member, form_key: str, why: str, at: float
) -> None:
    """Skip the item in hand."""
    in_turn(database, member, lambda session, locked: skip(session, project, locked, form_key, why, at))


def show_skipped_again(database: Database, project: Project, member: Member) -> None:
    """Hand out again what the person skipped and nobody took."""
    in_turn(database, member, lambda session, locked: show_skipped(session, project, locked))


def keep_draft(
    database: Database, project: Project, member: Member, form_key: str, fields: Fields, at: float
) -> bool:
    """Keep a half-filled form; False where it is no longer in hand."""
    return in_turn(
        database, member, lambda session, locked: save_draft(session, project, locked, form_key, fields, at)
    )


def keep_refused(
    database: Database, project: Project, member: Member, form_key: str, fields: Fields, at: float
) -> bool:
    """Keep a form that was refused while the project is not open; False where it is none of theirs."""
    return in_turn(
        database, member, lambda session, locked: keep_unsent(session, project, locked, form_key, fields, at)
    )


def _next(
    session: Session, project: Project, member: Member, at: float, empty: bool = False
) -> Assignment | None:
    taken = take(session, project, member, at, empty)
    if taken is None:
        review(session, project, member, at, last=True)
    return taken


def why_nothing(session: Session, project: Project, member: Member) -> str:
    """Why somebody has nothing to judge now."""
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
