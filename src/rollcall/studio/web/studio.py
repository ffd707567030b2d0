"""What one running studio is: its database, its templates and how it was started."""

import secrets
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Self, TypeVar, cast

from anyio import CapacityLimiter
from jinja2 import Environment
from sqlalchemy import select

from rollcall.studio.database.engine import CONNECTIONS, Clock, Database
from rollcall.studio.database.tables import Installation, Project
from rollcall.studio.explorer.index import OpenIndexes
from rollcall.studio.figures.comparing import Agreement, agreement
from rollcall.studio.figures.people import PersonFigures, people_figures
from rollcall.studio.figures.progress import Progress, progress
from rollcall.studio.figures.truth import likeliest
from rollcall.studio.records import Collected
from rollcall.studio.web.passwords import AT_ONCE, Passwords
from rollcall.studio.web.rendering import environment
from rollcall.studio.work import loop
from rollcall.studio.work.collecting import collected

T = TypeVar("T")
_TOTALS_SECONDS = 10.0
_KEPT_TIMES = 20
"""Figures are kept so many times as long as it took to make them."""


@dataclass(frozen=True)
class Overview:
    """The figures of a project for its managers."""

    collected: Collected
    progress: Progress
    agreement: list[Agreement]
    people: list[PersonFigures]

    @classmethod
    def of(cls, told: Collected) -> Self:
        """All figures of a project."""
        return cls(told, progress(told), agreement(told), people_figures(told))

    @cached_property
    def likeliest(self) -> dict[str, tuple[str, float]]:
        """The likeliest choice of each item, and how likely it is, for whoever adjudicates."""
        return likeliest(self.collected)


@dataclass
class Studio:
    """A studio that can be asked; the web application is made from it."""

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
    clock: Callable[[], float] = field(default_factory=lambda: Clock(steady=time.monotonic))
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
        if not isinstance(self.clock, Clock):
            self.clock = Clock(self.clock)

    def overview(self, project: Project, at: float) -> Overview:
        """The figures of a project; where they take long, they are not made anew at every visit."""
        known = self._overviews.get(project.id)
        if known is not None and known[0] <= at < known[1]:
            return known[2]
        begun = time.perf_counter()
        with self.database.snapshot() as session:
            made = Overview.of(collected(session, session.get_one(Project, project.id)))
        self._overviews[project.id] = at, at + _KEPT_TIMES * (time.perf_counter() - begun), made
        return made

    def kept(self, key: str | None, make: Callable[[str], T]) -> T | None:
        """What `make` opens at a path, opened once; None where there is no path."""
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
