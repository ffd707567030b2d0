"""Browsers in which a person is signed in: kept on the server, and ended after a time.

The cookie holds a random token; the database holds its hash, so that a stolen backup cannot be used to sign
in. A session ends when it was not used for half a day, after two weeks in any case, and when its person signs
out, changes the password or is locked out.
"""

import secrets
import threading
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import bindparam, delete, func, select, update
from sqlalchemy.orm import Session

from rollcall._core.errors import RollcallError
from rollcall.studio.database.tables import Member, Person, Project, SignInFailure, WebSession
from rollcall.studio.work.people import token_hash

IDLE_SECONDS = 12 * 3600.0
LONGEST_SECONDS = 14 * 24 * 3600.0
_TOUCH_SECONDS = 300.0


def begin_session(session: Session, person: Person, at: float) -> str:
    """Sign a person in; returns the token for the cookie."""
    token = secrets.token_urlsafe(32)
    session.execute(delete(WebSession).where(WebSession.expires < at))
    session.add(
        WebSession(
            token_hash=token_hash(token),
            person_id=person.id,
            csrf=secrets.token_urlsafe(32),
            created=at,
            seen=at,
            expires=at + LONGEST_SECONDS,
        )
    )
    return token


_WHO = (
    select(WebSession, Person, Project, Member)
    .join(Person, Person.id == WebSession.person_id)
    .outerjoin(Project, Project.name == bindparam("project"))
    .outerjoin(Member, (Member.project_id == Project.id) & (Member.person_id == Person.id))
    .where(
        WebSession.token_hash == bindparam("token"),
        WebSession.expires > bindparam("at"),
        WebSession.seen > bindparam("seen"),
        Person.active.is_(True),
    )
)
"""Built once, because every request needs it, and building it takes longer than executing it."""


class SignedIn(NamedTuple):
    """Who is signed in, and what the project that they ask for is to them."""

    session: WebSession
    person: Person
    project: Project | None
    member: Member | None


def find_session(session: Session, token: str, project: str | None, at: float) -> SignedIn | None:
    """Who is signed in with this token, if the session is not over."""
    parameters = {"token": token_hash(token), "project": project, "at": at, "seen": at - IDLE_SECONDS}
    row = session.execute(_WHO, parameters).first()
    return None if row is None else SignedIn(*row)


def needs_touch(web_session: WebSession, at: float) -> bool:
    """Whether the last sign of life is old enough to be worth writing a new one."""
    return web_session.seen < at - _TOUCH_SECONDS


def touch(session: Session, web_session: WebSession, at: float) -> None:
    """Note a sign of life."""
    session.execute(update(WebSession).where(WebSession.token_hash == web_session.token_hash).values(seen=at))


def end_session(session: Session, web_session: WebSession) -> None:
    """Sign one browser out."""
    session.execute(delete(WebSession).where(WebSession.token_hash == web_session.token_hash))


def end_sessions(session: Session, person_id: int, but: str = "") -> None:
    """Sign a person out everywhere, except in one browser."""
    session.execute(delete(WebSession).where(WebSession.person_id == person_id, WebSession.token_hash != but))


# Passwords: hashed by argon2, and never hashed by many requests at once, since each takes much memory.

SHORTEST, LONGEST = 10, 500
AT_ONCE = 2


class Passwords:
    """Hashes and verifies; `hasher` is replaced in tests, which sign many people in."""

    def __init__(self, hasher: PasswordHasher | None = None):
        self._hasher = hasher or PasswordHasher()
        self._turn = threading.Semaphore(AT_ONCE)
        # Unknown names are verified against this, so that the time does not reveal which names exist.
        self._unknown = self._hasher.hash("nobody")

    def hash(self, password: str) -> str:
        """The hash to store; a password that is too short is refused."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise RollcallError(f"choose a password of {SHORTEST} characters or more")
        with self._turn:
            return self._hasher.hash(password)

    def verify(self, stored: str | None, password: str) -> bool:
        """Whether this is the password."""
        with self._turn:
            try:
                self._hasher.verify(stored or self._unknown, password[:LONGEST])
            except (VerificationError, InvalidHashError):
                return False
        return stored is not None

    def is_old(self, stored: str) -> bool:
        """Whether the hash was made with weaker parameters than today's."""
        return self._hasher.check_needs_rehash(stored)


# How often signing in may fail within a quarter of an hour. The tightest bound is on a name from one address,
# so that people cannot lock out others by guessing.

WINDOW_SECONDS = 15 * 60.0
BY_NAME_AND_ADDRESS = 10
BY_NAME = 50
BY_ADDRESS = 200


def too_many(session: Session, login: str, address: str, at: float) -> bool:
    """Whether a person must wait before trying again."""
    recent = SignInFailure.at > at - WINDOW_SECONDS
    of_name, of_address = SignInFailure.login == login, SignInFailure.address == address
    bounds = [
        ((of_name, of_address), BY_NAME_AND_ADDRESS),
        ((of_name,), BY_NAME),
        ((of_address,), BY_ADDRESS),
    ]
    for conditions, most in bounds:
        failures = select(func.count()).select_from(SignInFailure).where(recent, *conditions)
        if (session.scalar(failures) or 0) >= most:
            return True
    return False


def note_failure(session: Session, login: str, address: str, at: float) -> None:
    """Count a failure; old ones are forgotten."""
    session.execute(delete(SignInFailure).where(SignInFailure.at < at - WINDOW_SECONDS))
    session.add(SignInFailure(login=login[:200], address=address[:200], at=at))


def forget(session: Session, login: str) -> None:
    """After signing in, the failures of a person no longer count."""
    session.execute(delete(SignInFailure).where(SignInFailure.login == login))
