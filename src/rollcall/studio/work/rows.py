"""Between rows of the database and the records that tasks, agreement and export read."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import cast

import msgspec
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from rollcall._core.errors import RollcallError
from rollcall.studio.database.tables import (
    ItemRow,
    Member,
    Person,
    PersonGroup,
    Project,
    QuestionState,
    SavedJudgment,
)
from rollcall.studio.records import (
    Collected,
    Item,
    ItemResolution,
    JudgmentRecord,
    MemberState,
    PersonRecord,
    Role,
    State,
)
from rollcall.studio.tasks import find_task
from rollcall.studio.tasks.task import KNOWN, Task, TaskSettings, known_choice


def task_of(project: Project) -> Task:
    """The task of a project."""
    return find_task(project.task)


def settings_of(project: Project) -> TaskSettings:
    """The settings of a project, as its task reads them."""
    return read_settings(task_of(project), project.settings)


def read_settings(task: Task, stored: object) -> TaskSettings:
    """Settings of a task from JSON, checked."""
    try:
        return msgspec.convert(stored, task.Settings, strict=False)
    except msgspec.ValidationError as error:
        raise RollcallError(f"settings of the task {task.name}: {error}") from None


def number_setting(settings: TaskSettings, name: str) -> int:
    """A setting that only some tasks have, 0 where this one has none."""
    return int(getattr(settings, name, 0) or 0)


def item_of(row: ItemRow) -> Item:
    """The item of a row."""
    return Item(
        key=row.key,
        question=row.question,
        shown=row.shown,
        hidden=row.hidden,
        order=row.place,
        pool=row.pool,
        injected=row.injected,
        gold=row.gold,
        overlap=row.needed,
        after=row.after,
        stage=row.stage,
        barred=tuple(row.barred.get("names", ())),
    )


def resolution_of(row: ItemRow) -> ItemResolution:
    """What the judgments of an item came to."""
    return ItemResolution(cast(State, row.state), row.choice, row.why)


def summary_of(row: ItemRow) -> str:
    """What an item is about, in one line."""
    parts = (row.shown.get(name) for name in ("question", "canonical", "wording", "answer", "prediction"))
    return " · ".join(part for part in parts if isinstance(part, str) and part)


def judged_of(row: SavedJudgment, item: ItemRow, person: str) -> JudgmentRecord:
    """A stored judgment as a record."""
    return JudgmentRecord(
        item=item.key,
        question=item.question,
        person=person,
        choice=row.choice,
        values=row.given,
        comment=row.comment,
        seconds=row.seconds,
        at=iso(row.at),
        injected=item.injected,
        missed=row.missed,
        role=cast(Role, row.role),
        stage=item.stage,
        counted=not row.withdrawn,
        undone=row.withdrawn == "undone",
    )


_CHUNK = 500
_COUNTED = (
    select(SavedJudgment, Person.name)
    .join(Person, Person.id == SavedJudgment.person_id)
    .where(SavedJudgment.item_id.in_(bindparam("items", expanding=True)), SavedJudgment.withdrawn == "")
    .order_by(SavedJudgment.id)
)


def judgments_of(session: Session, items: Sequence[ItemRow]) -> dict[int, list[JudgmentRecord]]:
    """The counted judgments of items, oldest first, by the number of the item."""
    by_id = {item.id: item for item in items}
    judgments: dict[int, list[JudgmentRecord]] = {item.id: [] for item in items}
    for chunk in chunks(list(by_id)):
        rows = session.execute(_COUNTED, {"items": chunk})
        for row, name in rows:
            judgments[row.item_id].append(judged_of(row, by_id[row.item_id], name))
    return judgments


def chunks(ids: Sequence[int]) -> Iterable[Sequence[int]]:
    """The numbers in pieces, since databases limit how many one statement may name."""
    return (ids[start : start + _CHUNK] for start in range(0, len(ids), _CHUNK))


def iso(at: float) -> str:
    """A time as ISO 8601 in UTC."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


# All that a project has, in one record: what agreement, figures and export read.

_DROPPED = "its question has too few answers"


def collected(session: Session, project: Project) -> Collected:
    """Everything about a project; judgments oldest first, also those that no longer count."""
    rows = session.scalars(
        select(ItemRow).where(ItemRow.project_id == project.id).order_by(ItemRow.place, ItemRow.id)
    ).all()
    by_id = {row.id: row for row in rows}
    judgments = session.execute(
        select(SavedJudgment, Person.name)
        .join(Person, Person.id == SavedJudgment.person_id)
        .where(SavedJudgment.project_id == project.id)
        .order_by(SavedJudgment.at, SavedJudgment.id)
    )
    dropped = set(
        session.scalars(
            select(QuestionState.question).where(
                QuestionState.project_id == project.id, QuestionState.state == "dropped"
            )
        )
    )
    return Collected(
        project=project.name,
        task=project.task,
        settings=project.settings,
        set_path=str(project.materials.get("questions", "")),
        set_checksum=project.set_checksum,
        items=[item_of(row) for row in rows],
        judged=[judged_of(row, by_id[row.item_id], name) for row, name in judgments],
        resolutions={row.key: _resolution(row, task_of(project), dropped) for row in rows},
        people=_people(session, project),
        hourly_rate=project.hourly_rate,
        currency=project.currency,
    )


def _resolution(row: ItemRow, task: Task, dropped: set[str]) -> ItemResolution:
    """The result of an item; one that needs no more judgments is no longer open."""
    if row.state == "open" and row.question in dropped and not row.injected:
        return ItemResolution("rejected", None, _DROPPED)
    # Older versions stored injected items as disputed, although they need no decision.
    known = known_choice(item_of(row)) if row.state == "disputed" else None
    return resolution_of(row) if known is None else task.at(row.stage).settled(known, KNOWN)


def groups_of_people(session: Session) -> dict[int, list[str]]:
    """The names of the groups that each person is in, by the person's number."""
    groups: dict[int, list[str]] = {}
    rows = session.execute(select(PersonGroup.person_id, PersonGroup.name).order_by(PersonGroup.name))
    for person, name in rows:
        groups.setdefault(person, []).append(name)
    return groups


def _people(session: Session, project: Project) -> list[PersonRecord]:
    members = session.execute(
        select(Member, Person)
        .join(Person, Person.id == Member.person_id)
        .where(Member.project_id == project.id)
        .order_by(Member.id)
    ).all()
    groups = groups_of_people(session)
    return [
        PersonRecord(
            name=person.name,
            role="manager" if member.role == "manager" else "annotator",
            groups=tuple(groups.get(person.id, ())),
            state=cast(MemberState, "stopped" if member.state == "left" else member.state),
        )
        for member, person in members
    ]
