"""How often one may fail to sign in within a quarter of an hour.

The tightest bound is on a name from one address, so that nobody can lock out somebody else by guessing.
"""

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from rollcall.studio.database.tables import SignInFailure

WINDOW_SECONDS = 15 * 60.0
BY_NAME_AND_ADDRESS = 10
BY_NAME = 50
BY_ADDRESS = 200


def too_many(session: Session, login: str, address: str, at: float) -> bool:
    """Whether one must wait before trying again."""
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
    """Somebody has signed in: their failures no longer count."""
    session.execute(delete(SignInFailure).where(SignInFailure.login == login))
