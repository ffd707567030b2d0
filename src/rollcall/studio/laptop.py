"""The studio for one person on one machine: no password, the loopback address, one project in one file."""

from collections.abc import Callable, Mapping
from pathlib import Path

from sqlalchemy import select

from rollcall.errors import RollcallError
from rollcall.studio.database.tables import Project
from rollcall.studio.materials import Materials, materials_at, set_checksum
from rollcall.studio.projects import (
    NewProject,
    find_project,
    make_project,
    not_judged,
    open_database,
    read_project,
    sole_person,
)
from rollcall.studio.records import Collected
from rollcall.studio.serving import LOCAL_HOSTS, LOOPBACK, bound_socket, serve_studio
from rollcall.studio.web.studio import Studio
from rollcall.studio.work.collecting import collected


class Laptop:
    """One person's project, made at the first call and found again at the next."""

    def __init__(self, place: Path, person: str):
        if not place.parent.is_dir():
            raise RollcallError(f"{place.parent}: no such folder, in which the judgments are to be")
        self._place = place
        self._person = person
        self._project = ""

    def prepare(
        self,
        task: str,
        options: Mapping[str, object],
        questions: Path | str,
        *,
        corpus: Path | str | None = None,
        graph: Path | str | None = None,
        runs: list[Path | str] | None = None,
        beside: list[Path | str] | None = None,
    ) -> str:
        """Make the project, or find it; returns its name."""
        materials = materials_at(questions, corpus, graph, runs, beside)
        wanted = NewProject(task=task, materials=materials, options=options)
        # A mistake in the first call leaves no file behind.
        asked = wanted if self._place.is_file() else read_project(wanted)
        self._database = open_database(self._place)
        known = self._known(task, materials, options)
        self._project = known or make_project(self._database, asked)
        sole_person(self._database, self._project, self._person)
        return self._project

    def _known(self, task: str, materials: Materials, options: Mapping[str, object]) -> str | None:
        with self._database.read() as session:
            projects = session.scalars(select(Project).where(Project.task == task)).all()
        found = [one for one in projects if one.materials.get("questions") == materials.questions]
        if found and options:
            raise RollcallError(
                f"{self._place}: was begun with the settings it has; leave --option out to go on with it, "
                "or name another file with --database"
            )
        if found and set_checksum(materials) != found[-1].set_checksum:
            raise RollcallError(
                f"{materials.questions}: the set was changed since {self._place.name} was begun; bring the "
                "old version back, or name another file with --database"
            )
        return found[-1].name if found else None

    def not_judged(self) -> list[str]:
        """What of the set is not judged, and why, in lines for people."""
        return not_judged(self._database, self._project)

    def serve(self, port: int, ready: Callable[[str], None]) -> Collected:
        """Serve until ended; returns what was judged."""
        bound = bound_socket(LOOPBACK, port)
        studio = Studio(self._database, laptop=True, hosts=LOCAL_HOSTS)
        address = f"http://{LOOPBACK}:{bound.getsockname()[1]}/laptop/{studio.laptop_token}"
        try:
            serve_studio(studio, bound, lambda: ready(address))
            with self._database.snapshot() as session:
                return collected(session, find_project(session, self._project))
        finally:
            self._database.close()
