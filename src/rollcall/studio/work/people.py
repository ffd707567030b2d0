"""People: invited, joined, in groups, and members of projects."""

import hashlib
import secrets
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import delete, exists, or_, select
from sqlalchemy.orm import Session

from rollcall._core.errors import RollcallError
from rollcall.studio.database.tables import (
    AuditEntry,
    Exclusion,
    Invitation,
    ItemRow,
    Member,
    Person,
    PersonGroup,
    Project,
)
from rollcall.studio.tasks.task import QUALIFY
from rollcall.studio.work.assigning import queue_gold

LONGEST_NAME = 100
MOST_GROUPS = 50
DAY = 24 * 3600.0
ROLES = ("annotator", "manager")
BARRED = "barred"
"""Why a person never gets an item: they wrote what is judged, or made it gold. Other items they skipped."""


def login_of(name: str) -> str:
    """A name as it is compared: two people cannot differ in case or in the form of their letters alone."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def add_person(session: Session, name: str, password: str | None, at: float, owner: bool = False) -> Person:
    """A new person; an error where the name is taken or cannot be used."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise RollcallError(f"give a name of 1 to {LONGEST_NAME} printable characters")
    if session.scalar(select(exists().where(Person.login == login_of(name)))):
        raise RollcallError("this name is taken; choose another, or sign in first if it is you")
    person = Person(name=name, login=login_of(name), password=password, owner=owner, created=at)
    session.add(person)
    session.flush()
    return person


@dataclass(frozen=True)
class Invited:
    """What an invitation is for."""

    role: str = "annotator"
    project: Project | None = None
    owner: bool = False
    group: str = ""
    note: str = ""
    days: float = 14.0
    resets: int | None = None
    """The person who gets a new password, where the link is for that alone."""


def invite(session: Session, invited: Invited, by: int | None, at: float) -> tuple[Invitation, str]:
    """A new invitation, and its token, which is shown once and not stored."""
    if invited.role not in ROLES:
        raise RollcallError(f"{invited.role!r:.40} is not a role; choose {' or '.join(ROLES)}")
    if not 0 < invited.days <= 365:
        raise RollcallError("an invitation is valid for 1 to 365 days")
    token = secrets.token_urlsafe(24)
    invitation = Invitation(
        token_hash=token_hash(token),
        project_id=invited.project.id if invited.project else None,
        role=invited.role,
        owner=invited.owner,
        group=group_name(invited.group),
        note=invited.note[:200],
        resets_id=invited.resets,
        created_by=by,
        created=at,
        expires=at + invited.days * DAY,
    )
    session.add(invitation)
    session.flush()
    return invitation, token


def find_invitation(
    session: Session, token: str, at: float, lock: bool = False, reset: bool = False
) -> Invitation | None:
    """The invitation with this token, or the link for a new password, if it can still be used."""
    statement = select(Invitation).where(
        Invitation.token_hash == token_hash(token),
        Invitation.expires > at,
        Invitation.used.is_(None),
        Invitation.withdrawn.is_(False),
        Invitation.resets_id.is_not(None) if reset else Invitation.resets_id.is_(None),
    )
    return session.scalars(statement.with_for_update() if lock else statement).first()


def accept(session: Session, invitation: Invitation, person: Person, at: float) -> None:
    """Let a person in with an invitation, which cannot be used again."""
    invitation.used, invitation.used_by = at, person.id
    if invitation.owner:
        person.owner = True
    if invitation.group and _may_still_group(session, invitation, person):
        session.merge(PersonGroup(person_id=person.id, name=invitation.group))
    elif invitation.group:
        about = f"invitation {invitation.id}: {invitation.group}"
        log(session, at, "not put into a group", about, person=person.id, project=invitation.project_id)
    if invitation.project_id is not None:
        project = session.get_one(Project, invitation.project_id)
        add_member(session, project, person, at, invitation.role)


def _may_still_group(session: Session, invitation: Invitation, person: Person) -> bool:
    """Whether who made an invitation may put this person into its group now: others may have joined it."""
    if invitation.created_by is None:  # from the command line
        return True
    try:
        by = session.get_one(Person, invitation.created_by)
        check_may_group(session, {invitation.group}, by, person.id)
    except RollcallError:
        return False
    return True


def add_member(
    session: Session, project: Project, person: Person, at: float, role: str = "annotator"
) -> Member:
    """The person's place in a project; who is there already keeps theirs, and may become a manager."""
    member = session.scalar(
        select(Member).where(Member.project_id == project.id, Member.person_id == person.id)
    )
    if member is not None:
        if role == "manager":
            member.role = role
        return member
    test = exists().where(ItemRow.project_id == project.id, ItemRow.stage == QUALIFY)
    tested = role == "annotator" and session.scalar(select(test))
    member = Member(
        project_id=project.id,
        person_id=person.id,
        role=role,
        state="qualifying" if tested else "working",
        joined=at,
        done=0,
        reviewed=0,
        warned_at=0,
    )
    session.add(member)
    session.flush()
    _bar_newcomer(session, project, person, at)
    if role == "annotator":
        queue_gold(session, project)
    return member


def _bar_newcomer(session: Session, project: Project, person: Person, at: float) -> None:
    """Keep people from judging what they wrote, even if they join later."""
    barred = select(ItemRow).where(ItemRow.project_id == project.id, ItemRow.after != "")
    for item in session.scalars(barred):
        if person.name in item.barred.get("names", ()):
            session.merge(Exclusion(person_id=person.id, item_id=item.id, why=BARRED, at=at))


def group_name(text: str) -> str:
    """A group's name, tidied."""
    name = " ".join(text.split())
    if len(name) > LONGEST_NAME or not (name.isprintable() or not name):
        raise RollcallError(f"give the group a name of at most {LONGEST_NAME} printable characters")
    return name


def set_groups(session: Session, person_id: int, names: list[str], by: Person) -> None:
    """Put a person into these groups and no others."""
    wanted = {group_name(name) for name in names} - {""}
    if len(wanted) > MOST_GROUPS:
        raise RollcallError(f"{len(wanted):,} groups are too many for one person; give {MOST_GROUPS} at most")
    known = set(session.scalars(select(PersonGroup.name).where(PersonGroup.person_id == person_id)))
    check_may_group(session, known ^ wanted, by, person_id)
    session.execute(delete(PersonGroup).where(PersonGroup.person_id == person_id))
    for name in sorted(wanted):
        session.add(PersonGroup(person_id=person_id, name=name))


def check_may_group(
    session: Session, groups: Collection[str], by: Person, person_id: int | None = None
) -> None:
    """Raise if a person may not say who is in these groups.

    Groups are the whole studio's: managers change those whose people all work in their projects alone.
    """
    if by.owner or not groups:
        return
    managed = select(Member.project_id).where(Member.person_id == by.id, Member.role == "manager")
    in_groups = select(PersonGroup.person_id).where(PersonGroup.name.in_(sorted(groups)))
    concerned = or_(Member.person_id.in_(in_groups), Member.person_id == person_id)
    elsewhere = exists().where(concerned, Member.project_id.not_in(managed))
    if session.scalar(select(elsewhere)):
        raise RollcallError(
            f"only an owner can change who is in {' and '.join(sorted(groups))}: somebody in it also works "
            "in a project that you do not manage"
        )


def add_group(session: Session, project: Project, group: str, at: float) -> int:
    """Let all members of a group work in a project; returns how many there are."""
    people = session.scalars(
        select(Person)
        .join(PersonGroup, PersonGroup.person_id == Person.id)
        .where(PersonGroup.name == group_name(group), Person.active.is_(True))
        .order_by(Person.id)
    ).all()
    if not people:
        raise RollcallError(f"the group {group!r:.80} has no active members")
    for person in people:
        add_member(session, project, person, at)
    return len(people)


def token_hash(token: str) -> str:
    """What is stored of a random token."""
    return hashlib.sha256(token.encode()).hexdigest()


# The audit log: who did what, and when. It is written in the transaction that does it.


def log(
    session: Session,
    at: float,
    action: str,
    about: str = "",
    *,
    person: int | None = None,
    project: int | None = None,
    address: str = "",
) -> None:
    """Note an action; `about` says on what, in plain words."""
    session.add(
        AuditEntry(
            at=at,
            person_id=person,
            project_id=project,
            action=action[:200],
            about=about[:2000],
            address=address[:200],
        )
    )
