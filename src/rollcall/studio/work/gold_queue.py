"""Which places of the queue gold items get, beyond the judgments that they needed for their result.

They are slots like any others, made when an item is marked or somebody joins and not when they are handed
out, so that nothing a person sees changes at a gold item, not even the count of what is left.
"""

import random
from collections import Counter
from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from rollcall.studio.database.tables import Exclusion, ItemRow, Member, Project, Slot
from rollcall.studio.tasks.task import JUDGE
from rollcall.studio.work.rows import settings_of

_GIVEN_WORK = ("qualifying", "working", "warned")


def gold_places(others: int, share: float) -> int:
    """How many judgments go to gold items beside so many others."""
    return round(others * share / (1 - min(share, 0.9)))


def queue_gold(session: Session, project: Project) -> int:
    """Give gold items places among what is left, up to the project's share; returns how many."""
    mine = ItemRow.project_id == project.id, ItemRow.pool.is_(False)
    items = session.scalars(select(ItemRow).where(*mine, ItemRow.gold.is_(True)).order_by(ItemRow.id)).all()
    if not items:
        return 0
    session.execute(select(Project.id).where(Project.id == project.id).with_for_update())
    free = select(Slot).join(ItemRow, ItemRow.id == Slot.item_id).where(*mine, Slot.state == "free")
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
    ends = _ends_of_questions([(place, question) for place, question in places])
    numbers = _next_numbers(session, items)
    added = 0
    # The items with fewest places first, so that people are measured by many and not by the same few.
    while added < wanted and (open_ones := [item for item in items if room[item.id] > 0]):
        item = min(open_ones, key=lambda one: (queued[one.id], chance.random()))
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
    had = {(item, person) for one in (slots, barred) for item, person in session.execute(one)}
    taken = Counter(item for item, person in had if person in people)
    return {item.id: len(people) - taken[item.id] for item in items}


def _ends_of_questions(places: Sequence[tuple[int, str]]) -> list[int]:
    """The places after which another question begins: one between answers of one question would stand out."""
    following = [question for _, question in places[1:]] + [""]
    return [place for (place, question), after in zip(places, following, strict=True) if question != after]


def _next_numbers(session: Session, items: Sequence[ItemRow]) -> dict[int, int]:
    gold = select(ItemRow.id).where(ItemRow.project_id == items[0].project_id, ItemRow.gold.is_(True))
    last = session.execute(
        select(Slot.item_id, func.max(Slot.number)).where(Slot.item_id.in_(gold)).group_by(Slot.item_id)
    )
    known = dict(last.all())
    return {item.id: known.get(item.id, -1) + 1 for item in items}
