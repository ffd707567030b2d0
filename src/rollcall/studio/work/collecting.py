"""All that a project has, in one record: what agreement, figures and export read."""

from typing import cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from rollcall.studio.database.tables import (
    ItemRow,
    Judgment,
    Member,
    Person,
    PersonGroup,
    Project,
    QuestionState,
)
from rollcall.studio.records import Collected, MemberState, PersonRecord, Resolution
from rollcall.studio.tasks.gold import known_choice
from rollcall.studio.tasks.task import KNOWN, Task
from rollcall.studio.work.rows import item_of, judged_of, resolution_of, task_of

_DROPPED = "its question has too few answers"


def collected(session: Session, project: Project) -> Collected:
    """Everything about a project; judgments oldest first, also those that no longer count."""
    rows = session.scalars(
        select(ItemRow).where(ItemRow.project_id == project.id).order_by(ItemRow.place, ItemRow.id)
    ).all()
    by_id = {row.id: row for row in rows}
    judgments = session.execute(
        select(Judgment, Person.name)
        .join(Person, Person.id == Judgment.person_id)
        .where(Judgment.project_id == project.id)
        .order_by(Judgment.at, Judgment.id)
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


def _resolution(row: ItemRow, task: Task, dropped: set[str]) -> Resolution:
    """What an item came to; one that nobody needs to judge any more is no longer open."""
    if row.state == "open" and row.question in dropped and not row.injected:
        return Resolution("rejected", None, _DROPPED)
    # Older versions stored injected items as disputed, which nobody needs to decide.
    known = known_choice(item_of(row)) if row.state == "disputed" else None
    return resolution_of(row) if known is None else task.at(row.stage).settled(known, KNOWN)


def _people(session: Session, project: Project) -> list[PersonRecord]:
    members = session.execute(
        select(Member, Person)
        .join(Person, Person.id == Member.person_id)
        .where(Member.project_id == project.id)
        .order_by(Member.id)
    ).all()
    groups: dict[int, list[str]] = {}
    for person, name in session.execute(
        select(PersonGroup.person_id, PersonGroup.name).order_by(PersonGroup.name)
    ):
        groups.setdefault(person, []).append(name)
    return [
        PersonRecord(
            name=person.name,
            role="manager" if member.role == "manager" else "annotator",
            groups=tuple(groups.get(person.id, ())),
            state=cast(MemberState, "stopped" if member.state == "left" else member.state),
        )
        for member, person in members
    ]
