"""One request, after it is known who sends it and what it is about."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import QueryParams
from starlette.responses import HTMLResponse, RedirectResponse, Response

from rollcall import __version__
from rollcall.studio.database.tables import Member, Person, Project, WebSession
from rollcall.studio.web.studio import Studio


class NotFoundError(Exception):
    """The page does not exist, or not for this person; the answer does not tell which."""


@dataclass
class Visit:
    """Who asks for what; handlers get nothing else."""

    studio: Studio
    path: str
    params: Mapping[str, Any]
    query: QueryParams
    form: dict[str, list[str]]
    address: str
    at: float
    csrf: str
    base_url: str
    person: Person | None = None
    signed_in: WebSession | None = None
    project: Project | None = None
    member: Member | None = None
    manages_any: bool = False
    notice: str = ""
    cookies: list[tuple[str, str, int]] = field(default_factory=list)
    """Cookies to set with the answer: name, value and seconds to live."""

    @property
    def user(self) -> Person:
        """The person, on routes that need signing in."""
        if self.person is None:
            raise NotFoundError
        return self.person

    @property
    def asked_project(self) -> Project:
        """The project, on routes that are about one."""
        if self.project is None:
            raise NotFoundError
        return self.project

    @property
    def membership(self) -> Member:
        """The person's place in the project, on routes for those who work there."""
        if self.member is None:
            raise NotFoundError
        return self.member

    @property
    def manages(self) -> bool:
        """Whether the person manages the project."""
        if self.person is None or self.project is None:
            return False
        return self.person.owner or (self.member is not None and self.member.role == "manager")

    def raw_field(self, name: str) -> str:
        """A field of the form as it was typed, empty where it is missing."""
        return (self.form.get(name) or [""])[-1]

    def field(self, name: str) -> str:
        """A field of the form without white space around it, empty where it is missing."""
        return self.raw_field(name).strip()

    @property
    def page_number(self) -> int:
        """The page of a long list that the address asks for, from 1."""
        text = self.query.get("page", "1")
        return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 8 else 1

    def render(self, template: str, title: str, code: int = 200, **values: object) -> Response:
        """A page."""
        text = self.studio.templates.get_template(template).render(page=self._page(title), **values)
        return HTMLResponse(text, code)

    def refuse(self, code: int, message: str) -> Response:
        """A page that says why something was not done."""
        title = "Not found" if code == 404 else "Not done"
        return self.render("error.html", title, code, status=code, message=message)

    def redirect(self, to: str, notice: str = "") -> Response:
        """Go to another page of this studio, which shows the notice once."""
        if notice:
            self.cookies.append(("notice", notice, 60))
        return RedirectResponse(to, 303)

    def _page(self, title: str) -> dict[str, object]:
        project = self.project
        return {
            "title": title,
            "path": self.path,
            "csrf": self.csrf,
            "person": None if self.person is None else {"name": self.person.name, "owner": self.person.owner},
            "project": None
            if project is None
            else {
                "name": project.name,
                "title": project.title,
                "state": project.state,
                "task": project.task,
                "manages": self.manages,
                "works": self.member is not None and self.member.role == "annotator",
            },
            "notice": self.notice,
            "laptop": self.studio.laptop,
            "version": __version__,
        }


def inside(address: str) -> str:
    """An address to return to, if it is one of this studio, otherwise the first page."""
    parts = urlsplit(address)
    plain = address.startswith("/") and not address.startswith(("//", "/\\")) and "\\" not in address
    printable = address.isprintable() and " " not in address
    return address if plain and printable and not parts.netloc and not parts.scheme else "/"


# Every route says who may call it; one without a declaration cannot be made. `page` and `action` are the
# only ways to add a route. They need an `Access`, and the application refuses to start with any endpoint
# that does not come from here.

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
    """Whether it hashes a password: such requests wait for each other, and do not delay any others."""


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
