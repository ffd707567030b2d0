"""Who gets which item: a person keeps the slot they hold, and otherwise gets the first free one.

A slot is leased for a time. If no judgment was sent by then, it is free for others; a person who comes back
late may still send theirs (`loop.store`). On PostgreSQL, rows that others are taking are skipped, so that
people never wait; on SQLite there is one writer at a time anyway.
"""

import random
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import bindparam, exists, func, select, update
from sqlalchemy.orm import Session, aliased

from rollcall.studio.database.tables import Draft, Exclusion, ItemRow, Json, Member, Project, Reclaimed, Slot
from rollcall.studio.tasks.task import JUDGE, QUALIFY
from rollcall.studio.work.rows import settings_of

LEASE_SECONDS = 30 * 60.0
ACTIVE = ("working", "warned")


@dataclass(frozen=True)
class AssignedItem:
    """An item that is with a person now."""

    item: ItemRow
    slot: Slot
    draft: Json = field(default_factory=dict)
    seconds: float = 0.0
    """The time that was spent on it before."""

    @property
    def form_key(self) -> str:
        """The key that the form carries, valid for one judgment."""
        return self.slot.form_key or ""


_DRAFT = (Draft.item_id == Slot.item_id) & (Draft.person_id == bindparam("person"))
_HELD = (
    select(Slot, ItemRow, Draft)
    .join(ItemRow, ItemRow.id == Slot.item_id)
    .outerjoin(Draft, _DRAFT)
    .where(
        Slot.project_id == bindparam("project"),
        Slot.person_id == bindparam("person"),
        Slot.state == "leased",
    )
    .order_by(Slot.started.desc())
    .limit(1)
)
_Other = aliased(Slot)
_FIRST_FREE = (
    select(Slot, ItemRow, Draft)
    .join(ItemRow, ItemRow.id == Slot.item_id)
    .outerjoin(Draft, _DRAFT)
    .where(
        Slot.project_id == bindparam("project"),
        Slot.state == "free",
        ~exists().where(_Other.item_id == Slot.item_id, _Other.person_id == bindparam("person")),
        ~exists().where(Exclusion.item_id == Slot.item_id, Exclusion.person_id == bindparam("person")),
    )
    .order_by(Slot.place, Slot.id)
    .limit(1)
    .with_for_update(skip_locked=True, of=Slot)
)
_MEMBER = (
    select(Member)
    .where(Member.id == bindparam("member"))
    .with_for_update()
    .execution_options(populate_existing=True)
)
"""Statements of the work loop are made once: making one takes longer than executing it."""


def held(session: Session, project: Project, member: Member, at: float) -> AssignedItem | None:
    """What the person has in hand, if its lease has at least half its time left; nothing is written."""
    if not _may_work(project, member):
        return None
    row = session.execute(_HELD, _whose(project, member)).first()
    if row is None or (row[0].lease_until or 0.0) < at + LEASE_SECONDS / 2:
        return None
    return _assignment(*row)


def take(
    session: Session, project: Project, member: Member, at: float, empty: bool = False
) -> AssignedItem | None:
    """What the person is to judge next; None where there is nothing for them.

    The member's row must be locked (`lock_member`), so that two tabs of one person do not both take one.
    `empty` where it is known that they have nothing in hand.
    """
    if not _may_work(project, member):
        return None
    row = None if empty else session.execute(_HELD, _whose(project, member)).first()
    if row is not None:
        row[0].lease_until = at + LEASE_SECONDS
        return _assignment(*row)
    candidate = _next(session, project, member, at)
    if candidate is None:
        return None
    slot, item, draft = candidate
    slot.state, slot.person_id = "leased", member.person_id
    slot.form_key, slot.started, slot.lease_until = secrets.token_urlsafe(18), at, at + LEASE_SECONDS
    if draft is not None:
        draft.at = at
    session.flush()
    return _assignment(slot, item, draft)


def _next(
    session: Session, project: Project, member: Member, at: float
) -> tuple[Slot, ItemRow, Draft | None] | None:
    if member.state == "qualifying":
        return _next_of_test(session, project, member)
    row = session.execute(_FIRST_FREE, _whose(project, member)).first()
    if row is None and reclaim(session, project, at):
        row = session.execute(_FIRST_FREE, _whose(project, member)).first()
    return None if row is None else (row[0], row[1], row[2])


def _whose(project: Project, member: Member) -> dict[str, int]:
    return {"project": project.id, "person": member.person_id}


def lock_member(session: Session, member: Member) -> Member:
    """The member's row, held until the transaction ends: one person does one thing at a time."""
    return session.scalars(_MEMBER, {"member": member.id}).one()


def reclaim(session: Session, project: Project, at: float) -> int:
    """Free the slots whose lease is over; returns how many."""
    statement = (
        select(Slot)
        .where(Slot.project_id == project.id, Slot.state == "leased", Slot.lease_until < at)
        .with_for_update(skip_locked=True)
    )
    over = session.scalars(statement).all()
    for slot in over:
        free(session, slot, at)
    session.flush()
    return len(over)


def free(session: Session, slot: Slot, at: float) -> None:
    """Let others have a slot; its form may still be sent."""
    if slot.form_key and slot.person_id is not None:
        reclaimed = Reclaimed(
            form_key=slot.form_key,
            person_id=slot.person_id,
            item_id=slot.item_id,
            started=slot.started,
            at=at,
        )
        session.add(reclaimed)
    slot.state, slot.person_id, slot.form_key = "free", None, None
    slot.started = slot.lease_until = None


def leave(session: Session, project: Project, member: Member, at: float) -> None:
    """Give back whatever the person has in hand."""
    slots = select(Slot).where(
        Slot.project_id == project.id, Slot.person_id == member.person_id, Slot.state == "leased"
    )
    for slot in session.scalars(slots):
        free(session, slot, at)
    session.flush()


def _may_work(project: Project, member: Member) -> bool:
    return project.state == "open" and member.state in (*ACTIVE, "qualifying")


def _next_of_test(
    session: Session, project: Project, member: Member
) -> tuple[Slot, ItemRow, Draft | None] | None:
    """A slot of its own for the next item of the qualification test, which everybody judges."""
    had_before = select(Slot.item_id).where(Slot.project_id == project.id, Slot.person_id == member.person_id)
    statement = (
        select(ItemRow)
        .where(ItemRow.project_id == project.id, ItemRow.stage == QUALIFY, ItemRow.id.not_in(had_before))
        .order_by(ItemRow.place, ItemRow.id)
        .limit(1)
    )
    item = session.scalars(statement.with_for_update()).first()
    if item is None:
        return None
    taken = session.scalar(select(func.max(Slot.number)).where(Slot.item_id == item.id))
    slot = Slot(
        project_id=project.id,
        item_id=item.id,
        number=0 if taken is None else taken + 1,
        stage=QUALIFY,
        place=item.place,
        state="free",
    )
    session.add(slot)
    return slot, item, session.get(Draft, (member.person_id, item.id))


def extend_lease(session: Session, slot: int, at: float) -> None:
    """Who writes a draft is still there."""
    session.execute(update(Slot).where(Slot.id == slot).values(lease_until=at + LEASE_SECONDS))


def _assignment(slot: Slot, item: ItemRow, draft: Draft | None) -> AssignedItem:
    if draft is None:
        return AssignedItem(item, slot)
    return AssignedItem(item, slot, draft.fields, draft.seconds)


# Which places of the queue gold items get, beyond the judgments that they needed for their result. They
# are slots like any others, made when an item is marked or somebody joins and not when they are handed
# out, so that nothing a person sees changes at a gold item, not even the count of what is left.

_GIVEN_WORK = ("qualifying", "working", "warned")


def gold_places(ordinary: int, share: float) -> int:
    """How many judgments go to gold items beside the ordinary ones."""
    return round(ordinary * share / (1 - min(share, 0.9)))


def queue_gold(session: Session, project: Project) -> int:
    """Give gold items places among what is left, up to the project's share; returns how many."""
    of_project = ItemRow.project_id == project.id, ItemRow.pool.is_(False)
    items = session.scalars(
        select(ItemRow).where(*of_project, ItemRow.gold.is_(True)).order_by(ItemRow.id)
    ).all()
    if not items:
        return 0
    session.execute(select(Project.id).where(Project.id == project.id).with_for_update())
    free = select(Slot).join(ItemRow, ItemRow.id == Slot.item_id).where(*of_project, Slot.state == "free")
    places = session.execute(
        free.with_only_columns(Slot.place, ItemRow.question)
        .where(ItemRow.gold.is_(False), Slot.stage == JUDGE)
        .order_by(Slot.place, Slot.id)
    ).all()
    queued = Counter(session.scalars(free.with_only_columns(Slot.item_id).where(ItemRow.gold.is_(True))))
    wanted = gold_places(len(places), settings_of(project).gold) - queued.total()
    if wanted <= 0:
        return 0
    room = {number: count - queued[number] for number, count in _people_left(session, project, items).items()}
    chance = random.SystemRandom()
    ends = _ends_of_questions([(position, question) for position, question in places])
    numbers = _next_numbers(session, items)
    added = 0
    # The items with fewest places first, so that people are measured by many and not by the same few.
    while added < wanted and (available := [item for item in items if room[item.id] > 0]):
        item = min(available, key=lambda candidate: (queued[candidate.id], chance.random()))
        session.add(
            Slot(
                project_id=project.id,
                item_id=item.id,
                number=numbers[item.id],
                stage=item.stage,
                place=chance.choice(ends),
                state="free",
            )
        )
        queued[item.id] += 1
        numbers[item.id] += 1
        room[item.id] -= 1
        added += 1
    session.flush()
    return added


def _people_left(session: Session, project: Project, items: Sequence[ItemRow]) -> dict[int, int]:
    """How many of those who work here never had each item, and may have it."""
    people = set(
        session.scalars(
            select(Member.person_id).where(
                Member.project_id == project.id,
                Member.role == "annotator",
                Member.state.in_(_GIVEN_WORK),
            )
        )
    )
    gold = select(ItemRow.id).where(ItemRow.project_id == project.id, ItemRow.gold.is_(True))
    slots = select(Slot.item_id, Slot.person_id).where(Slot.item_id.in_(gold))
    barred = select(Exclusion.item_id, Exclusion.person_id).where(Exclusion.item_id.in_(gold))
    had = {(item, person) for statement in (slots, barred) for item, person in session.execute(statement)}
    taken = Counter(item for item, person in had if person in people)
    return {item.id: len(people) - taken[item.id] for item in items}


def _ends_of_questions(places: Sequence[tuple[int, str]]) -> list[int]:
    """The places after which another question begins: one between answers of one question would stand out."""
    following = [question for _, question in places[1:]] + [""]
    return [
        position for (position, question), after in zip(places, following, strict=True) if question != after
    ]


def _next_numbers(session: Session, items: Sequence[ItemRow]) -> dict[int, int]:
    gold = select(ItemRow.id).where(ItemRow.project_id == items[0].project_id, ItemRow.gold.is_(True))
    last = session.execute(
        select(Slot.item_id, func.max(Slot.number)).where(Slot.item_id.in_(gold)).group_by(Slot.item_id)
    )
    known = dict(last.all())
    return {item.id: known.get(item.id, -1) + 1 for item in items}
