"""The manager's pages about people: members, invitations, groups."""

from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import Response

from rollcall._core.errors import RollcallError
from rollcall.studio.database.tables import AuditEntry, Invitation, Member, Person
from rollcall.studio.web.managing import log_page
from rollcall.studio.web.sessions import end_sessions
from rollcall.studio.web.visit import Access, NotFoundError, Visit, action, page
from rollcall.studio.work import loop
from rollcall.studio.work.people import (
    Invited,
    add_group,
    check_may_group,
    group_name,
    invite,
    log,
    set_groups,
)
from rollcall.studio.work.rows import groups_of_people, iso
from rollcall.studio.work.settling import resume, stop

_MOST_AT_ONCE = 100


@page("/manage/{project}/people", Access.MANAGER)
def people(visit: Visit) -> Response:
    """Who works in a project, and who is invited."""
    return _people(visit)


def _people(visit: Visit, links: list[str] | None = None) -> Response:
    project = visit.asked_project
    with visit.studio.database.read() as session:
        groups = groups_of_people(session)
        members = [
            {
                "id": member.id,
                "name": person.name,
                "role": member.role,
                "state": member.state,
                "groups": groups.get(person.id, []),
                "done": member.done,
                "why": member.stopped_why,
            }
            for member, person in session.execute(
                select(Member, Person)
                .join(Person, Person.id == Member.person_id)
                .where(Member.project_id == project.id)
                .order_by(Person.login)
            )
        ]
        invitations = _invitations(session, project.id)
    names = sorted({name for several in groups.values() for name in several})
    return visit.render(
        "manage/people.html",
        f"People: {project.title}",
        members=members,
        invitations=invitations,
        link=links or "",
        groups=names,
    )


def _invitations(session: Session, project_id: int | None) -> list[dict[str, object]]:
    of_project = (
        Invitation.project_id.is_(None) if project_id is None else Invitation.project_id == project_id
    )
    rows = session.scalars(
        select(Invitation)
        .where(of_project, Invitation.resets_id.is_(None))
        .order_by(Invitation.id.desc())
        .limit(200)
    )
    return [
        {
            "id": invitation.id,
            "note": invitation.note,
            "role": "owner" if invitation.owner else invitation.role,
            "group": invitation.group,
            "expires": iso(invitation.expires),
            "used": invitation.used is not None,
            "withdrawn": invitation.withdrawn,
        }
        for invitation in rows
    ]


@action("/manage/{project}/invite", Access.MANAGER)
def make_invitations(visit: Visit) -> Response:
    """Make invitations to a project; their addresses are shown once."""
    invited = Invited(
        role=visit.field("role") or "annotator",
        project=visit.asked_project,
        group=visit.field("group"),
        note=visit.field("note"),
        days=_number(visit, "days", 14, 365),
    )
    links = _invite(visit, invited, visit.asked_project.id)
    return _people(visit, links)


def _invite(visit: Visit, invited: Invited, project_id: int | None) -> list[str]:
    links = []
    with visit.studio.database.write() as session:
        check_may_group(session, {group_name(invited.group)} - {""}, visit.user)
        for _ in range(int(_number(visit, "count", 1, _MOST_AT_ONCE))):
            invitation, token = invite(session, invited, visit.user.id, visit.at)
            links.append(f"{visit.base_url}/join/{token}")
            about = f"invitation {invitation.id} as {'owner' if invited.owner else invited.role}"
            log(
                session,
                visit.at,
                "invited",
                about,
                person=visit.user.id,
                project=project_id,
                address=visit.address,
            )
    return links


def _number(visit: Visit, name: str, default: float, most: float) -> float:
    text = visit.field(name)
    try:
        number = float(text) if text else default
    except ValueError:
        number = 0.0
    if not 1 <= number <= most:
        raise RollcallError(f"{name}: give a number from 1 to {most:g}")
    return number


@action("/manage/{project}/invitations/{number:int}/withdraw", Access.MANAGER)
def withdraw(visit: Visit) -> Response:
    """Withdraw an invitation."""
    _withdraw(visit, visit.asked_project.id)
    return visit.redirect(f"/manage/{visit.asked_project.name}/people", "The invitation is withdrawn.")


def _withdraw(visit: Visit, project_id: int | None) -> None:
    with visit.studio.database.write() as session:
        invitation = session.get(Invitation, visit.params["number"])
        if invitation is None or invitation.project_id != project_id:
            raise NotFoundError
        invitation.withdrawn = True
        about = f"invitation {invitation.id}"
        log(session, visit.at, "withdrew", about, person=visit.user.id, project=project_id)


def _member(visit: Visit) -> Member:
    with visit.studio.database.read() as session:
        member = session.get(Member, visit.params["number"])
    if member is None or member.project_id != visit.asked_project.id:
        raise NotFoundError
    return member


def _worker(visit: Visit) -> Member:
    """A member who judges: managers have no work that could be stopped."""
    member = _member(visit)
    if member.role != "annotator":
        raise RollcallError("only annotators can be stopped; an owner can lock a manager out of the studio")
    return member


@action("/manage/{project}/people/{number:int}/stop", Access.MANAGER)
def stop_person(visit: Visit) -> Response:
    """Stop a person; their work is queued again."""
    project, member = visit.asked_project, _worker(visit)
    why = visit.field("why")[:300] or "stopped by a manager"

    def step(session: Session, locked: Member) -> None:
        stop(session, project, locked, why, visit.at)
        log(
            session,
            visit.at,
            "stopped somebody",
            f"person {locked.person_id}: {why}",
            person=visit.user.id,
            project=project.id,
        )

    loop.in_turn(visit.studio.database, member, step)
    return visit.redirect(f"/manage/{project.name}/people")


@action("/manage/{project}/people/{number:int}/resume", Access.MANAGER)
def resume_person(visit: Visit) -> Response:
    """Let a person who was stopped continue."""
    project, member = visit.asked_project, _worker(visit)
    by = visit.user.id
    loop.in_turn(
        visit.studio.database,
        member,
        lambda session, locked: resume(session, project, locked, visit.at, by),
    )
    return visit.redirect(f"/manage/{project.name}/people")


@action("/manage/{project}/people/{number:int}/groups", Access.MANAGER)
def regroup(visit: Visit) -> Response:
    """Put a person into groups."""
    member = _member(visit)
    names = visit.field("groups").split(",")
    with visit.studio.database.write() as session:
        set_groups(session, member.person_id, names, visit.user)
        about = f"person {member.person_id}: {', '.join(names)}"
        log(session, visit.at, "set groups", about, person=visit.user.id, project=visit.asked_project.id)
    return visit.redirect(f"/manage/{visit.asked_project.name}/people")


@action("/manage/{project}/add-group", Access.MANAGER)
def add_whole_group(visit: Visit) -> Response:
    """Let a whole group work in the project."""
    project = visit.asked_project
    with visit.studio.database.write() as session:
        count = add_group(session, project, visit.field("group"), visit.at)
        about = f"{visit.field('group')}: {count} people"
        log(session, visit.at, "added a group", about, person=visit.user.id, project=project.id)
    return visit.redirect(f"/manage/{project.name}/people", f"{count} people of the group can work here.")


@page("/manage/people", Access.OWNER)
def site(visit: Visit) -> Response:
    """Everybody in this studio."""
    return _site(visit)


def _site(visit: Visit, links: list[str] | None = None) -> Response:
    with visit.studio.database.read() as session:
        groups = groups_of_people(session)
        rows = [
            {
                "id": person.id,
                "name": person.name,
                "owner": person.owner,
                "active": person.active,
                "groups": groups.get(person.id, []),
            }
            for person in session.scalars(select(Person).order_by(Person.login))
        ]
        invitations = _invitations(session, None)
    return visit.render(
        "manage/site.html",
        "People of this studio",
        people=rows,
        groups=sorted({name for several in groups.values() for name in several}),
        invitations=invitations,
        link=links or "",
    )


@action("/manage/people/invite", Access.OWNER)
def invite_owner(visit: Visit) -> Response:
    """Invite another owner."""
    days = _number(visit, "days", 14, 365)
    invited = Invited(role="manager", owner=True, note=visit.field("note"), days=days)
    return _site(visit, _invite(visit, invited, None))


@action("/manage/people/invitations/{number:int}/withdraw", Access.OWNER)
def withdraw_owner(visit: Visit) -> Response:
    """Withdraw an owner's invitation."""
    _withdraw(visit, None)
    return visit.redirect("/manage/people", "The invitation is withdrawn.")


@action("/manage/people/{number:int}/active", Access.OWNER)
def set_active(visit: Visit) -> Response:
    """Lock a person out, or let them in again; what they judged stays."""
    wanted = visit.field("active") == "yes"
    with visit.studio.database.write() as session:
        person = session.get(Person, visit.params["number"])
        if person is None:
            raise NotFoundError
        if person.id == visit.user.id:
            raise RollcallError("you cannot lock yourself out; ask another owner")
        person.active = wanted
        end_sessions(session, person.id)
        action_ = "let in again" if wanted else "locked out"
        log(session, visit.at, action_, person.name, person=visit.user.id, address=visit.address)
    return visit.redirect("/manage/people")


@action("/manage/people/{number:int}/reset", Access.OWNER)
def reset_password(visit: Visit) -> Response:
    """A link by which a person who forgot their password sets a new one."""
    with visit.studio.database.read() as session:
        person = session.get(Person, visit.params["number"])
    if person is None:
        raise NotFoundError
    invited = Invited(resets=person.id, days=2.0, note=f"new password for {person.name}")
    with visit.studio.database.write() as session:
        invitation, token = invite(session, invited, visit.user.id, visit.at)
        log(
            session,
            visit.at,
            "let somebody set a new password",
            f"{person.name}, link {invitation.id}",
            person=visit.user.id,
            address=visit.address,
        )
    return _site(visit, [f"{visit.base_url}/reset/{token}"])


@page("/manage/log", Access.OWNER)
def site_log(visit: Visit) -> Response:
    """Who did what outside projects: signing in, invitations of owners, passwords."""
    return log_page(visit, AuditEntry.project_id.is_(None), "manage/site_log.html", "Log of this studio")
