"""Every route says who may call it; one without a declaration cannot be made.

`page` and `action` are the only ways to add a route. They need an `Access`, and the application refuses to
start with any endpoint that does not come from here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from starlette.responses import Response

from rollcall.studio.web.visit import Visit

Handler = Callable[[Visit], Response]


class Access(Enum):
    """Who may call a route."""

    ANYBODY = "anybody"
    SIGNED_IN = "signed in"
    MEMBER = "member"
    """Whoever works in the project or manages it."""
    ANNOTATOR = "annotator"
    """Who works in the project."""
    MANAGER = "manager"
    """Who manages the project; owners manage all."""
    MANAGING = "managing"
    """Who manages any project."""
    OWNER = "owner"


@dataclass(frozen=True)
class Declared:
    """A route with its declaration."""

    path: str
    method: str
    access: Access
    handler: Handler
    hashes: bool = False
    """Whether it hashes a password: such requests wait among themselves, and hold up nobody else."""


ROUTES: list[Declared] = []


def page(path: str, access: Access) -> Callable[[Handler], Handler]:
    """A page that is read."""
    return _declare(path, "GET", access)


def action(path: str, access: Access, hashes: bool = False) -> Callable[[Handler], Handler]:
    """A form that is sent; the token against forged forms is checked before the handler is called."""
    return _declare(path, "POST", access, hashes)


def _declare(path: str, method: str, access: Access, hashes: bool = False) -> Callable[[Handler], Handler]:
    about_project = "{project}" in path
    needs_project = access in (Access.MEMBER, Access.ANNOTATOR, Access.MANAGER)
    if about_project != needs_project:
        raise TypeError(f"{method} {path}: a route about a project is for those who belong to it")

    def add(handler: Handler) -> Handler:
        ROUTES.append(Declared(path, method, access, handler, hashes))
        return handler

    return add
