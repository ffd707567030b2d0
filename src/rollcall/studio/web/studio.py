"""What one running studio is: its database, its templates and how it was started."""

import hashlib
import secrets
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from html import escape
from pathlib import Path
from typing import Self, TypeVar, cast

import msgspec
from anyio import CapacityLimiter
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from sqlalchemy import select
from sqlalchemy.orm import Session
from starlette.responses import HTMLResponse, Response

from rollcall._core.errors import RollcallError
from rollcall.input_files.ingestion import Kind
from rollcall.questions.question_set import QUESTIONS
from rollcall.studio.database.engine import CONNECTIONS, Database, ServerClock
from rollcall.studio.database.tables import Installation, Member, Person, Project
from rollcall.studio.explorer import OpenIndexes
from rollcall.studio.figures import (
    Agreement,
    PersonFigures,
    ProjectProgress,
    agreement,
    likeliest,
    people_figures,
    progress,
)
from rollcall.studio.projects import Materials
from rollcall.studio.records import Collected
from rollcall.studio.tasks.extend import answer_rows
from rollcall.studio.tasks.shown import query_picture
from rollcall.studio.tasks.task import label_of, labelled
from rollcall.studio.web.sessions import AT_ONCE, Passwords
from rollcall.studio.work import loop
from rollcall.studio.work.rows import collected

# The projects that a person works in or manages; owners manage all.


def own_projects(session: Session, person: Person) -> list[tuple[Project, Member | None]]:
    """The projects with the person's place in them, the newest first."""
    rows = session.execute(
        select(Project, Member)
        .outerjoin(Member, (Member.project_id == Project.id) & (Member.person_id == person.id))
        .order_by(Project.id.desc())
    )
    return [(project, member) for project, member in rows if member is not None or person.owner]


# Renders templates: everything is escaped, undefined names are errors, static files carry their hash.

HERE = Path(__file__).parent.parent
STATIC = HERE / "static"
TEMPLATES = HERE / "templates"
_PLAIN = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Rollcall</title><link rel="stylesheet" href="{style}"></head>
<body><main class="narrow"><h1>{title}</h1><p>{text}</p>
<a class="button" href="/">Your projects</a></main></body></html>
"""


def environment() -> Environment:
    """The environment in which all pages are rendered."""
    jinja = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    jinja.globals["static"] = static
    jinja.filters["query_picture"] = query_picture
    jinja.filters["answer_rows"] = answer_rows
    jinja.filters["values_of"] = _values_of
    jinja.filters["label_in"] = lambda choice, task: label_of(task, choice)
    jinja.filters["why_in"] = lambda why, task: labelled(task, why)
    return jinja


@cache
def static(name: str) -> str:
    """The address of a static file; it changes with the content, so browsers may cache it forever."""
    digest = hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]
    return f"/static/{name}?{digest}"


def plain_page(title: str, text: str, code: int) -> Response:
    """A page that needs neither a template nor the database."""
    return HTMLResponse(
        _PLAIN.format(title=escape(title), text=escape(text), style=static("studio.css")), code
    )


def _values_of(record: object) -> object:
    """The `values` of a record or of a mapping, which Jinja would take for its method."""
    return record["values"] if isinstance(record, dict) else getattr(record, "values", {})


T = TypeVar("T")
_TOTALS_SECONDS = 10.0
_KEPT_TIMES = 20
"""Figures are kept this many times as long as it took to compute them."""


@dataclass(frozen=True)
class Overview:
    """The figures of a project for its managers."""

    collected: Collected
    progress: ProjectProgress
    agreement: list[Agreement]
    people: list[PersonFigures]

    @classmethod
    def of(cls, project_data: Collected) -> Self:
        """All figures of a project."""
        return cls(
            project_data, progress(project_data), agreement(project_data), people_figures(project_data)
        )

    @cached_property
    def likeliest(self) -> dict[str, tuple[str, float]]:
        """The likeliest choice of each item, and how likely it is, for adjudication."""
        return likeliest(self.collected)


@dataclass
class Studio:
    """A running studio, from which the web application is made."""

    database: Database
    sets: Path | None = None
    """The folder whose question sets owners may open and explore."""
    laptop: bool = False
    """One person on this machine: no passwords, a one-time address instead."""
    secure: bool = False
    """Whether browsers reach it by https, through a proxy: cookies are then sent by https alone."""
    hosts: tuple[str, ...] = ()
    """The names under which it may be reached; any if none is given."""
    public_url: str = ""
    """The address that people type, where it differs from the one the server listens on."""
    passwords: Passwords = field(default_factory=Passwords)
    clock: Callable[[], float] = field(default_factory=lambda: ServerClock(steady=time.monotonic))
    """The time; a clock that is given may be put back, too."""
    laptop_token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    indexes: OpenIndexes = field(default_factory=OpenIndexes)
    """The sets that are being read."""
    _opened: dict[str, object] = field(default_factory=dict)
    _overviews: dict[int, tuple[float, float, Overview]] = field(default_factory=dict)
    _totals: dict[int, tuple[float, tuple[int, int]]] = field(default_factory=dict)
    _noting: threading.Lock = field(default_factory=threading.Lock)
    _is_away: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.clock, ServerClock):
            self.clock = ServerClock(self.clock)

    def overview(self, project: Project, at: float) -> Overview:
        """The figures of a project; those that take long are not computed at every visit."""
        known = self._overviews.get(project.id)
        if known is not None and known[0] <= at < known[1]:
            return known[2]
        started = time.perf_counter()
        with self.database.snapshot() as session:
            overview = Overview.of(collected(session, session.get_one(Project, project.id)))
        self._overviews[project.id] = at, at + _KEPT_TIMES * (time.perf_counter() - started), overview
        return overview

    def kept(self, key: str | None, make: Callable[[str], T]) -> T | None:
        """What `make` opens at a path, opened once; None without a path."""
        if key is None:
            return None
        if key not in self._opened:
            self._opened[key] = make(key)
        return cast(T, self._opened[key])

    def note_away(self, error: Exception) -> None:
        """Say once in the log that the database is away, or full."""
        with self._noting:
            if not self._is_away:
                print(f"rollcall: {error}", file=sys.stderr, flush=True)
            self._is_away = True

    def note_back(self) -> None:
        """Say in the log that the database stores again, if it did not."""
        with self._noting:
            if self._is_away:
                print("rollcall: the database stores again", file=sys.stderr, flush=True)
            self._is_away = False

    def totals(self, project: Project, at: float) -> tuple[int, int]:
        """How many judgments there are and how many are asked for; for a team as of a few seconds ago."""
        counted = None if self.laptop else self._totals.get(project.id)
        if counted is None or not counted[0] <= at < counted[0] + _TOTALS_SECONDS:
            with self.database.read() as session:
                counted = self._totals[project.id] = at, loop.totals(session, project)
        return counted[1]

    @cached_property
    def limiter(self) -> CapacityLimiter:
        """As many requests are worked on at a time as there are connections to the database."""
        return CapacityLimiter(CONNECTIONS)

    @cached_property
    def hashing(self) -> CapacityLimiter:
        """The same for requests that hash a password, which takes much memory."""
        return CapacityLimiter(AT_ONCE)

    @cached_property
    def templates(self) -> Environment:
        """The templates, compiled as they are used."""
        return environment()

    @cached_property
    def secret(self) -> str:
        """The secret that was made with the database."""
        with self.database.read() as session:
            return session.scalars(select(Installation.secret)).one()


# The sets that owners may open and managers may read: those of the studio's folder, and of their
# projects. Everything is chosen by a name from this list, never by a path that a visitor typed.


class Shelf(msgspec.Struct, frozen=True):
    """What there is, by name."""

    sets: dict[str, str] = {}
    corpora: dict[str, str] = {}
    graphs: dict[str, str] = {}
    runs: dict[str, str] = {}


def shelf(studio: Studio) -> Shelf:
    """What lies in the studio's folder: sets, corpora and graphs as folders, runs as JSONL files."""
    available = Shelf({}, {}, {}, {})
    if studio.sets is None:
        return available
    from rollcall.corpus.corpus import CORPUS_FOLDER
    from rollcall.graph.index import GRAPH_FOLDER

    for path in sorted(studio.sets.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_file() and path.suffix == ".jsonl":
            available.runs[path.stem] = str(path)
        elif (path / QUESTIONS).is_file():
            available.sets[path.name] = str(path)
        elif path.is_dir():
            for kind, known in ((CORPUS_FOLDER, available.corpora), (GRAPH_FOLDER, available.graphs)):
                if _opens(kind, path):
                    known[path.name] = str(path)
    return available


def _opens(kind: Kind, path: Path) -> bool:
    try:
        kind.open(path)
    except RollcallError:
        return False
    return True


def readable_sets(studio: Studio, person: Person) -> dict[str, Materials]:
    """The sets that a manager may read, with what belongs to them.

    Owners read all of them. Others read those of the folder and of projects that they manage, but no set that
    they judge in another project: its answers would tell which items are injected.
    """
    sets = {name: Materials(questions=path) for name, path in shelf(studio).sets.items()}
    with studio.database.read() as session:
        rows = session.execute(select(Project.id, Project.materials).order_by(Project.id)).all()
        own_roles = select(Member.project_id, Member.role).where(Member.person_id == person.id)
        roles = dict(session.execute(own_roles).all())
    projects = [(number, msgspec.convert(materials, Materials)) for number, materials in rows]
    for number, materials in projects:
        if person.owner or roles.get(number) == "manager":
            sets[Path(materials.questions).name] = materials
    judged = {
        Path(materials.questions).resolve()
        for number, materials in projects
        if not person.owner and roles.get(number) == "annotator"
    }
    return {
        name: materials
        for name, materials in sets.items()
        if Path(materials.questions).resolve() not in judged
    }


def chosen(names: Mapping[str, str], name: str, what: str) -> str:
    """The path of something that was chosen by its name."""
    if name not in names:
        raise RollcallError(f"there is no {what} {name!r:.80} in the studio's folder")
    return names[name]


def cookie_name(studio: Studio) -> str:
    """The name of the session's cookie; by https it cannot be set by other hosts of the domain."""
    return "__Host-rollcall" if studio.secure else "rollcall_session"
