"""Signing in and out, joining by invitation, and the person's own account."""

import hmac

from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import PlainTextResponse, Response

from rollcall._core.errors import RollcallError
from rollcall.studio.database.tables import Invitation, Person, PersonGroup, Project
from rollcall.studio.web import sessions
from rollcall.studio.web.sessions import LONGEST_SECONDS, begin_session, end_session, end_sessions
from rollcall.studio.web.studio import cookie_name
from rollcall.studio.web.visit import Access, NotFoundError, Visit, action, inside, page
from rollcall.studio.work.people import accept, add_person, find_invitation, log, login_of

_WRONG = "the name or the password is wrong"
_WAIT = "too many attempts; wait a quarter of an hour, then try again"


@page("/healthz", Access.ANYBODY)
def health(visit: Visit) -> Response:
    """For a proxy or a watchdog: answers once the database does."""
    with visit.studio.database.read() as session:
        session.scalar(select(1))
    return PlainTextResponse("ok")


@page("/sign-in", Access.ANYBODY)
def sign_in_page(visit: Visit) -> Response:
    """The form to sign in."""
    if visit.person is not None:
        return visit.redirect(inside(visit.query.get("next", "/")))
    return _sign_in(visit, visit.query.get("next", "/"))


def _sign_in(visit: Visit, following: str, error: str = "", code: int = 200) -> Response:
    return visit.render(
        "sign_in.html", "Sign in", code, next=inside(following), name=visit.field("name"), error=error
    )


@action("/sign-in", Access.ANYBODY, hashes=True)
def sign_in(visit: Visit) -> Response:
    """Sign in by name and password."""
    name, following = login_of(visit.field("name"))[:200], visit.field("next")
    database, passwords = visit.studio.database, visit.studio.passwords
    with database.read() as session:
        if sessions.too_many(session, name, visit.address, visit.at):
            return _sign_in(visit, following, _WAIT, 429)
        person = session.scalar(select(Person).where(Person.login == name, Person.active.is_(True)))
    password = visit.raw_field("password")
    if not passwords.verify(person.password if person else None, password) or person is None:
        with database.write() as session:
            sessions.note_failure(session, name, visit.address, visit.at)
            log(session, visit.at, "sign-in failed", name, address=visit.address)
        return _sign_in(visit, following, _WRONG, 403)
    with database.write() as session:
        person = session.get_one(Person, person.id)
        sessions.forget(session, name)
        if person.password and passwords.is_old(person.password):
            person.password = passwords.hash(password)
        token = begin_session(session, person, visit.at)
        log(session, visit.at, "signed in", person=person.id, address=visit.address)
    return _with_session(visit, token, inside(following))


@action("/sign-out", Access.SIGNED_IN)
def sign_out(visit: Visit) -> Response:
    """End this browser's session."""
    with visit.studio.database.write() as session:
        if visit.signed_in is not None:
            end_session(session, visit.signed_in)
        log(session, visit.at, "signed out", person=visit.user.id, address=visit.address)
    visit.cookies.append((cookie_name(visit.studio), "", 0))
    return visit.redirect("/sign-in")


@page("/laptop/{token}", Access.ANYBODY)
def laptop(visit: Visit) -> Response:
    """Sign in the one person of this machine, by a single-use link."""
    studio = visit.studio
    laptop_token = str(visit.params["token"])
    if not studio.laptop:
        raise NotFoundError
    if not studio.laptop_token:
        if visit.person is not None:
            return visit.redirect("/")
        raise RollcallError(
            "this single-use link has expired; use the browser that opened it, or stop the command and start "
            "it again for a new link"
        )
    if not hmac.compare_digest(laptop_token.encode(), studio.laptop_token.encode()):
        raise NotFoundError
    studio.laptop_token = ""
    with studio.database.write() as session:
        person = session.scalars(select(Person).where(Person.owner.is_(True)).order_by(Person.id)).first()
        if person is None:
            raise NotFoundError
        token = begin_session(session, person, visit.at)
        log(session, visit.at, "signed in", "by the address of the laptop mode", person=person.id)
        projects = session.scalars(select(Project.name)).all()
    return _with_session(visit, token, f"/work/{projects[0]}" if len(projects) == 1 else "/")


@page("/join/{token}", Access.ANYBODY)
def join_page(visit: Visit) -> Response:
    """What an invitation is for, and the form to accept it."""
    return _join(visit)


def _join(visit: Visit, error: str = "", code: int = 200) -> Response:
    token = str(visit.params["token"])
    with visit.studio.database.read() as session:
        invitation = _good_invitation(find_invitation(session, token, visit.at))
        project = session.get(Project, invitation.project_id) if invitation.project_id else None
    return visit.render(
        "join.html",
        "Join",
        code,
        token=token,
        project_title=project.title if project else "",
        role="owner" if invitation.owner else invitation.role,
        note=invitation.note,
        name=visit.field("name"),
        error=error,
    )


def _good_invitation(invitation: Invitation | None) -> Invitation:
    if invitation is None:
        raise RollcallError("this invitation was used, withdrawn or is too old; ask for a new one")
    return invitation


@action("/join/{token}", Access.ANYBODY, hashes=True)
def join(visit: Visit) -> Response:
    """Accept an invitation: as whoever is signed in, or as a new person."""
    token = str(visit.params["token"])
    with visit.studio.database.read() as session:  # before a password is hashed for nothing
        _good_invitation(find_invitation(session, token, visit.at))
    try:
        hashed = None if visit.person is not None else _new_password(visit)
    except RollcallError as error:
        return _join(visit, str(error), 400)
    try:
        with visit.studio.database.write() as session:
            invitation = _good_invitation(find_invitation(session, token, visit.at, lock=True))
            if visit.person is not None:
                person = session.get_one(Person, visit.person.id)
            else:
                person = add_person(session, visit.field("name"), hashed, visit.at)
            accept(session, invitation, person, visit.at)
            project = session.get(Project, invitation.project_id) if invitation.project_id else None
            log(
                session,
                visit.at,
                "joined",
                f"invitation {invitation.id} as {invitation.role}",
                person=person.id,
                project=invitation.project_id,
                address=visit.address,
            )
            session_token = "" if visit.person is not None else begin_session(session, person, visit.at)
    except RollcallError as error:
        return _join(visit, str(error), 400)
    to = "/" if project is None or invitation.role != "annotator" else f"/work/{project.name}"
    return _with_session(visit, session_token, to) if session_token else visit.redirect(to)


@page("/reset/{token}", Access.ANYBODY)
def reset_page(visit: Visit) -> Response:
    """The form for a new password, for who has a link from an owner."""
    return _reset(visit)


def _reset(visit: Visit, error: str = "", code: int = 200) -> Response:
    token = str(visit.params["token"])
    with visit.studio.database.read() as session:
        _good_invitation(find_invitation(session, token, visit.at, reset=True))
    return visit.render("reset.html", "New password", code, token=token, error=error)


@action("/reset/{token}", Access.ANYBODY, hashes=True)
def reset(visit: Visit) -> Response:
    """Set a new password by a link; whoever is signed in as this person is signed out."""
    token = str(visit.params["token"])
    with visit.studio.database.read() as session:  # before a password is hashed for nothing
        _good_invitation(find_invitation(session, token, visit.at, reset=True))
    try:
        hashed = _new_password(visit)
    except RollcallError as error:
        return _reset(visit, str(error), 400)
    with visit.studio.database.write() as session:
        link = _good_invitation(find_invitation(session, token, visit.at, lock=True, reset=True))
        person = session.get_one(Person, link.resets_id)
        person.password = hashed
        link.used, link.used_by = visit.at, person.id
        end_sessions(session, person.id)
        log(
            session,
            visit.at,
            "set a new password",
            f"link {link.id}",
            person=person.id,
            address=visit.address,
        )
    return visit.redirect("/sign-in", "The password is changed; sign in with it.")


@page("/account", Access.SIGNED_IN)
def account(visit: Visit) -> Response:
    """The person's own account."""
    return _account(visit)


def _account(visit: Visit, error: str = "", code: int = 200) -> Response:
    with visit.studio.database.read() as session:
        own = PersonGroup.person_id == visit.user.id
        groups = session.scalars(select(PersonGroup.name).where(own).order_by(PersonGroup.name)).all()
    return visit.render("account.html", "Your account", code, error=error, groups=groups)


@action("/account", Access.SIGNED_IN, hashes=True)
def change_password(visit: Visit) -> Response:
    """Change the password; all other browsers are signed out."""
    person = visit.user
    old = visit.raw_field("old")
    with visit.studio.database.read() as session:
        if sessions.too_many(session, person.login, visit.address, visit.at):
            return _account(visit, _WAIT, 429)
    if person.password and not visit.studio.passwords.verify(person.password, old):
        with visit.studio.database.write() as session:
            sessions.note_failure(session, person.login, visit.address, visit.at)
        return _account(visit, "the old password is wrong", 403)
    try:
        hashed = _new_password(visit)
    except RollcallError as error:
        return _account(visit, str(error), 400)
    with visit.studio.database.write() as session:
        session.get_one(Person, person.id).password = hashed
        _end_others(visit, session)
        log(session, visit.at, "changed the password", person=person.id, address=visit.address)
    return visit.redirect("/account", "The password is changed.")


@action("/account/sessions", Access.SIGNED_IN)
def end_other_sessions(visit: Visit) -> Response:
    """Sign out everywhere else."""
    with visit.studio.database.write() as session:
        _end_others(visit, session)
        log(session, visit.at, "ended other sessions", person=visit.user.id, address=visit.address)
    return visit.redirect("/account", "You are signed out everywhere else.")


def _end_others(visit: Visit, session: Session) -> None:
    kept = visit.signed_in.token_hash if visit.signed_in is not None else ""
    end_sessions(session, visit.user.id, but=kept)


def _new_password(visit: Visit) -> str:
    first, second = (visit.raw_field(name) for name in ("password", "password2"))
    if first != second:
        raise RollcallError("the two passwords differ; type the same one twice")
    return visit.studio.passwords.hash(first)


def _with_session(visit: Visit, token: str, to: str) -> Response:
    visit.cookies.append((cookie_name(visit.studio), token, int(LONGEST_SECONDS)))
    return visit.redirect(to)
