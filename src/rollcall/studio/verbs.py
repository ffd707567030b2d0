"""The verb `annotate`: one person judges a set in a browser on this machine.

The database is a file beside the set, so that the same call resumes where the last one ended. For a team,
`serve` runs the same studio with people who sign in.
"""

import getpass
import re
import webbrowser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rollcall._core.errors import RollcallError

if TYPE_CHECKING:
    from rollcall.studio.export.bundle import WrittenExport
    from rollcall.studio.records import Collected

INSTALL = "the studio needs the extra `studio`: pip install 'rollcall-qa[studio]'"


def check_installed() -> None:
    """Raise an error that says what to install, where the studio's libraries are missing."""
    try:
        import alembic
        import argon2
        import jinja2
        import sqlalchemy
        import starlette
        import uvicorn
    except ModuleNotFoundError as error:
        raise RollcallError(f"{INSTALL} ({error.name} is missing)") from None
    del alembic, argon2, jinja2, sqlalchemy, starlette, uvicorn


def annotate(
    questions: Path | str,
    task: str = "validate",
    *,
    options: Mapping[str, object] | None = None,
    corpus: Path | str | None = None,
    graph: Path | str | None = None,
    runs: list[Path | str] | None = None,
    beside: list[Path | str] | None = None,
    database: Path | str | None = None,
    name: str | None = None,
    port: int = 0,
    open_browser: bool = True,
    ready: Callable[[str], None] | None = None,
    not_judged: Callable[[str], None] | None = None,
) -> "Collected":
    """Judge a set in the browser, alone on this machine; returns all judgments when the server is ended.

    `options` are the settings of the task. `database` is a file, by default beside the set; what was judged
    before is kept there. `ready` is called with the single-use address; before that, `not_judged` is called
    with one line for each reason why a part of the set is left out.
    """
    check_installed()
    from rollcall.studio.serving import Laptop

    path = Path(database) if database is not None else beside_set(Path(questions), task)
    laptop = Laptop(path, name or _user())
    laptop.prepare(task, options or {}, questions, corpus=corpus, graph=graph, runs=runs, beside=beside)

    if not_judged is not None:
        for line in laptop.not_judged():
            not_judged(line)

    def announce(address: str) -> None:
        if ready is not None:
            ready(address)
        if open_browser:
            webbrowser.open(address)

    return laptop.serve(port, announce)


def serve(
    database: Path | str,
    *,
    host: str = "127.0.0.1",
    port: int = 8020,
    sets: Path | str | None = None,
    public_url: str | None = None,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve a studio for a team until interrupted; `ready` is called with the address.

    Where others can reach it, `public_url` must be the https address of a proxy that stands before it.
    `sets` is a folder of question sets from which owners may make projects, and which they can explore.
    """
    check_installed()
    from rollcall.studio import serving

    serving.serve(database, host=host, port=port, sets=sets, public_url=public_url, ready=ready)


def project(
    database: Path | str,
    questions: Path | str,
    task: str = "validate",
    *,
    name: str = "",
    title: str = "",
    options: Mapping[str, object] | None = None,
    corpus: Path | str | None = None,
    graph: Path | str | None = None,
    runs: list[Path | str] | None = None,
    beside: list[Path | str] | None = None,
    hourly_rate: float = 0.0,
    currency: str = "",
    blind: bool = True,
    gold: Path | str | None = None,
    not_gold: Callable[[str], None] | None = None,
    not_judged: Callable[[str], None] | None = None,
) -> str:
    """Make a project for a team from a set and a task; returns its name.

    `gold` is a file of judgments with right verdicts (question, answer if any, verdict), by which people are
    measured; `not_gold` is called with one line for each reason why rows of it cannot be used, and
    `not_judged` with one line for each reason why a part of the set is left out.
    """
    check_installed()
    from rollcall.studio import projects
    from rollcall.studio.projects import NewProject, make_project, materials_at, open_database, read_project

    wanted = NewProject(
        task=task,
        materials=materials_at(questions, corpus, graph, runs, beside),
        options=options or {},
        name=name,
        title=title,
        hourly_rate=hourly_rate,
        currency=currency,
        blind=blind,
        gold="" if gold is None else str(gold),
    )
    read = read_project(wanted)  # first, so that a mistake leaves no database behind
    opened = open_database(database)
    try:
        project_name = make_project(opened, read, not_gold=not_gold)
        if not_judged is not None:
            for line in projects.not_judged(opened, project_name):
                not_judged(line)
        return project_name
    finally:
        opened.close()


class Size(NamedTuple):
    """How much a project asks for."""

    items: int
    """Items that are handed out; the pool waits, and the qualification test is apart."""
    known: int
    """Those of them whose verdict is known beforehand."""
    judgments: int


def project_size(database: Path | str, project: str) -> Size:
    """How many items and judgments a project has, and how many items show who is careless."""
    check_installed()
    from rollcall.studio.projects import find_project, open_database
    from rollcall.studio.work.opening import sizes

    opened = open_database(database, new=False)
    try:
        with opened.read() as session:
            return Size(*sizes(session, find_project(session, project)))
    finally:
        opened.close()


def invite(
    database: Path | str,
    project: str | None = None,
    *,
    role: str = "annotator",
    group: str = "",
    note: str = "",
    days: float = 14.0,
    count: int = 1,
    public_url: str = "http://127.0.0.1:8020",
) -> list[str]:
    """Addresses that each let one person join a project; with the role `owner`, the studio itself."""
    check_installed()
    from rollcall.studio.projects import make_invitation, open_database
    from rollcall.studio.serving import check_public_url
    from rollcall.studio.work.people import ROLES, Invited

    check_public_url(public_url)
    if role not in (*ROLES, "owner"):
        raise RollcallError(f"{role!r:.40} is not a role; choose {', '.join(ROLES)} or owner")
    if (role == "owner") != (project is None):
        raise RollcallError("an owner is invited without a project, everybody else to one")
    invited = Invited(
        role="manager" if role == "owner" else role,
        owner=role == "owner",
        group=group,
        note=note,
        days=days,
    )
    opened = open_database(database, new=False)
    try:
        tokens = [make_invitation(opened, project, invited) for _ in range(count)]
    finally:
        opened.close()
    return [f"{public_url.rstrip('/')}/join/{token}" for token in tokens]


def export(
    database: Path | str,
    project: str,
    out: Path | str,
    *,
    adjudicate: float | None = None,
    undecided: str = "keep",
    pseudonyms: bool = False,
    least_cluster: int = 0,
) -> "WrittenExport":
    """Write the judged set, the judgments and the figures of a project; says what was written."""
    check_installed()
    import msgspec

    from rollcall.studio.export.bundle import write_bundle
    from rollcall.studio.export.version import ExportOptions

    values = {
        "adjudicate": adjudicate,
        "undecided": undecided,
        "pseudonyms": pseudonyms,
        "least_cluster": least_cluster,
    }
    try:
        options = msgspec.convert(values, ExportOptions)
    except msgspec.ValidationError as error:
        if undecided not in ("keep", "leave-out"):
            raise RollcallError(f"undecided={undecided!r:.40}: choose keep or leave-out") from None
        raise RollcallError(f"the export: {error}") from None
    return write_bundle(collect(database, project), Path(out), options)


def collect(database: Path | str, project: str) -> "Collected":
    """All that a project has: items, judgments, and what they come to."""
    check_installed()
    from rollcall.studio.projects import find_project, open_database
    from rollcall.studio.work.rows import collected

    opened = open_database(database, new=False)
    try:
        with opened.snapshot() as session:
            return collected(session, find_project(session, project))
    finally:
        opened.close()


class ImportedAnnotations(NamedTuple):
    """What became of annotations that were taken in."""

    counts: dict[str, int]
    not_taken_in: dict[str, str]
    """Tasks that could not be read, with the reason."""


def import_annotations(database: Path | str, project: str, file: Path | str) -> ImportedAnnotations:
    """Take in annotations that Label Studio exported; says what became of them."""
    check_installed()
    from rollcall.studio.database.engine import now
    from rollcall.studio.export.label_studio import annotations_in
    from rollcall.studio.projects import find_project, open_database
    from rollcall.studio.work.people import log
    from rollcall.studio.work.rows import collected
    from rollcall.studio.work.settling import take_in

    path = Path(file)
    if not path.is_file():
        raise RollcallError(f"{path}: no such file")
    opened = open_database(database, new=False)
    try:
        with opened.write() as session:
            project_row = find_project(session, project)
            read = annotations_in(path.read_bytes(), collected(session, project_row), str(path))
            if read.unread and not read.tasks:
                raise RollcallError(
                    f"{path}: no task in it is of the project {project_row.name}; import the project's "
                    "label-studio-tasks.json into Label Studio, annotate there, and export as JSON"
                )
            counts = take_in(session, project_row, read.judged, now())
            log(session, now(), "took in annotations", path.name, project=project_row.id)
    finally:
        opened.close()
    return ImportedAnnotations(counts, {str(unread.task): unread.why for unread in read.unread})


def beside_set(questions: Path, task: str) -> Path:
    """Where the judgments of a set are kept, if nothing else is said."""
    resolved = questions.resolve()
    if not resolved.name:
        raise RollcallError(f"{resolved}: is not a question set")
    return resolved.with_name(f"{resolved.stem}-{re.sub(r'[^A-Za-z0-9_-]+', '-', task)[:60]}.sqlite")


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a user without a name, as in some containers
        return "annotator"
