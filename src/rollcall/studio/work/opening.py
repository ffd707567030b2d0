"""Opens a project: the task makes its items, and each item gets as many slots as judgments are wanted.

Rows are inserted in the order of the queue, so that no number that leaks tells how an item was made.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import islice

import msgspec
from sqlalchemy import func, insert, or_, select
from sqlalchemy.orm import Session

from rollcall._core.errors import RollcallError
from rollcall.studio.database.tables import (
    Exclusion,
    ItemRow,
    Person,
    Project,
    QuestionState,
    Slot,
)
from rollcall.studio.records import Item, ItemResolution
from rollcall.studio.tasks.shown import shuffled
from rollcall.studio.tasks.task import QUALIFY, Task, TaskMaterial, TaskSettings
from rollcall.studio.work.assigning import gold_places
from rollcall.studio.work.people import BARRED
from rollcall.studio.work.rows import chunks, number_setting, task_of

_RESERVED = ("log", "new", "people")
"""Words that stand in addresses where names of projects do."""
MOST_JUDGMENTS = 2_000_000
"""More would take years of work, and gigabytes."""
_ROWS_AT_ONCE = 5000
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,60}[a-z0-9])?")


def open_project(
    session: Session,
    *,
    name: str,
    task: Task,
    material: TaskMaterial,
    settings: TaskSettings,
    at: float,
    title: str = "",
    materials: Mapping[str, object] | None = None,
    set_checksum: str = "",
    created_by: int | None = None,
    hourly_rate: float = 0.0,
    currency: str = "",
    blind: bool = True,
    with_known: Callable[[list[Item]], list[Item]] | None = None,
) -> Project:
    """A new project with its items; an error where the task makes none.

    `with_known` makes those gold whose right verdict is known already.
    """
    check_name(name)
    if session.scalar(select(Project.id).where(Project.name == name)) is not None:
        raise RollcallError(f"there is a project {name} already; choose another name")
    task.check_material(material)
    settings = task.fitted(settings, material.questions)
    items = [*task.qualification(material, settings), *task.items(material, settings)]
    items = with_known(items) if with_known is not None else items
    if not any(item.stage != QUALIFY and not item.pool for item in items):
        raise RollcallError(f"the task {task.name} finds nothing to judge in {material.name}")
    judgments = sum(item.overlap or settings.overlap for item in items if item.stage != QUALIFY)
    if judgments > MOST_JUDGMENTS:
        raise RollcallError(
            f"{len(items):,} items make {judgments:,} judgments, and a project has {MOST_JUDGMENTS:,} at "
            "most; give a smaller overlap, or fewer questions"
        )
    project = Project(
        name=name,
        title=title or f"{task.title}: {material.name}",
        task=task.name,
        settings=_as_json(settings),
        materials=dict(materials or {}),
        set_checksum=set_checksum,
        created=at,
        created_by=created_by,
        hourly_rate=hourly_rate,
        currency=currency,
        blind=blind,
    )
    session.add(project)
    session.flush()
    add_items(session, project, items, settings, at)
    return project


def check_name(name: str) -> None:
    """Raise where a project cannot have this name."""
    if name in _RESERVED:
        raise RollcallError(f"{name!r} cannot be the name of a project, since a page has it; choose another")
    if not _NAME.fullmatch(name):
        raise RollcallError(
            f"{name!r:.80} cannot be the name of a project; use at most 62 lower-case letters, digits "
            "and hyphens"
        )


def add_items(
    session: Session, project: Project, items: Iterable[Item], settings: TaskSettings, at: float
) -> int:
    """Add items that the project does not have yet; returns how many."""
    wanted = {item.key: item for item in sorted(items, key=lambda item: (item.order, item.key))}
    known = _known_keys(session, project, list(wanted))
    fresh = [item for key, item in wanted.items() if key not in known]
    if not fresh:
        return 0
    session.execute(insert(ItemRow), [_row(project, item, settings) for item in fresh])
    ids = _known_keys(session, project, [item.key for item in fresh])
    resting = _resting(fresh, settings)
    slots = (
        slot
        for item in fresh
        if item.stage != QUALIFY
        for slot in _slots(
            project, item, ids[item.key], item.overlap or settings.overlap, item.key in resting
        )
    )
    while rows := list(islice(slots, _ROWS_AT_ONCE)):
        session.execute(insert(Slot), rows)
    _bar(session, fresh, ids, at)
    _add_questions(session, project, fresh, settings)
    return len(fresh)


def _row(project: Project, item: Item, settings: TaskSettings) -> dict[str, object]:
    known = task_of(project).resolve(item, [], settings) if item.gold else ItemResolution("open")
    return {
        "project_id": project.id,
        "key": item.key,
        "question": item.question,
        "stage": item.stage,
        "shown": item.shown,
        "hidden": item.hidden,
        "place": item.order,
        "pool": item.pool,
        "injected": item.injected,
        "gold": item.gold,
        "needed": item.overlap or settings.overlap,
        "after": item.after,
        "barred": {"names": list(item.barred)} if item.barred else {},
        "state": known.state,
        "choice": known.choice,
        "why": known.why,
    }


def _resting(items: list[Item], settings: TaskSettings) -> set[str]:
    """Gold beyond the project's share: it has its verdict, and waits until more is wanted (`queue_gold`)."""
    gold = [item for item in items if item.gold and not item.pool]
    if not gold:
        return set()
    ordinary = sum(
        item.overlap or settings.overlap
        for item in items
        if not (item.gold or item.pool or item.stage == QUALIFY)
    )
    handed_out = -(-gold_places(ordinary, settings.gold) // settings.overlap)
    drawn = shuffled(sorted(gold, key=lambda item: item.key), settings.seed, "gold")
    return {item.key for item in drawn[handed_out:]}


def _slots(project: Project, item: Item, row: int, needed: int, rests: bool) -> list[dict[str, object]]:
    state = "closed" if item.pool or rests else "free"
    shared = {"project_id": project.id, "item_id": row, "stage": item.stage, "place": item.order}
    return [{**shared, "number": number, "state": state} for number in range(needed)]


def _known_keys(session: Session, project: Project, keys: list[str]) -> dict[str, int]:
    known: dict[str, int] = {}
    for start in range(0, len(keys), 500):
        chunk = keys[start : start + 500]
        rows = session.execute(
            select(ItemRow.key, ItemRow.id).where(ItemRow.project_id == project.id, ItemRow.key.in_(chunk))
        )
        known.update(rows.all())
    return known


def sizes(session: Session, project: Project) -> tuple[int, int, int]:
    """How many items are handed out, how many of those have a known verdict, and how many judgments."""
    handed_out = ItemRow.project_id == project.id, ItemRow.stage != QUALIFY, ItemRow.pool.is_(False)
    items = session.scalar(select(func.count()).select_from(ItemRow).where(*handed_out)) or 0
    is_known = or_(ItemRow.injected.is_(True), ItemRow.gold.is_(True))
    known = session.scalar(select(func.count()).select_from(ItemRow).where(*handed_out, is_known)) or 0
    asked = Slot.project_id == project.id, Slot.stage != QUALIFY, Slot.state != "closed"
    return items, known, session.scalar(select(func.count()).select_from(Slot).where(*asked)) or 0


def _bar(session: Session, items: list[Item], ids: Mapping[str, int], at: float) -> None:
    names = sorted({name for item in items for name in item.barred})
    if not names:
        return
    rows = session.execute(select(Person.name, Person.id).where(Person.name.in_(names)))
    people = dict(rows.all())
    barred = [
        {"person_id": people[name], "item_id": ids[item.key], "why": BARRED, "at": at}
        for item in items
        for name in item.barred
        if name in people
    ]
    if barred:
        session.execute(insert(Exclusion), barred)


def _add_questions(session: Session, project: Project, items: list[Item], settings: TaskSettings) -> None:
    """Note which questions there are, where the task drops and replaces them."""
    if not number_setting(settings, "minimum"):
        return
    known = set(session.scalars(select(QuestionState.question).where(QuestionState.project_id == project.id)))
    first: dict[str, Item] = {}
    for item in items:
        if item.question not in known and item.stage != QUALIFY:
            first.setdefault(item.question, item)
    rows = [
        {
            "project_id": project.id,
            "question": question,
            "place": item.order,
            "state": "pool" if item.pool else "asked",
        }
        for question, item in first.items()
    ]
    if rows:
        session.execute(insert(QuestionState), rows)


def release(session: Session, items: list[int]) -> None:
    """Hand out items that were kept back in the pool."""
    for chunk in chunks(items):
        for row in session.scalars(select(ItemRow).where(ItemRow.id.in_(chunk))):
            row.pool = False
        for slot in session.scalars(select(Slot).where(Slot.item_id.in_(chunk), Slot.state == "closed")):
            slot.state = "free"


def _as_json(settings: TaskSettings) -> dict[str, object]:
    encoded: dict[str, object] = msgspec.to_builtins(settings)
    return encoded
