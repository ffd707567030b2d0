"""The sets that owners may open and managers may read: those of the studio's folder, and of their projects.

Everything is chosen by a name from this list, never by a path that somebody typed.
"""

from collections.abc import Mapping
from pathlib import Path

import msgspec
from sqlalchemy import select

from rollcall.errors import RollcallError
from rollcall.input_files.folder import Kind
from rollcall.questions.question_set import QUESTIONS
from rollcall.studio.database.tables import Member, Person, Project
from rollcall.studio.materials import Materials
from rollcall.studio.web.studio import Studio


class Shelf(msgspec.Struct, frozen=True):
    """What there is, by name."""

    sets: dict[str, str] = {}
    corpora: dict[str, str] = {}
    graphs: dict[str, str] = {}
    runs: dict[str, str] = {}


def shelf(studio: Studio) -> Shelf:
    """What lies in the studio's folder: sets, corpora and graphs as folders, runs as JSONL files."""
    found = Shelf({}, {}, {}, {})
    if studio.sets is None:
        return found
    from rollcall.corpus.layout import CORPUS_FOLDER
    from rollcall.graph.layout import GRAPH_FOLDER

    for path in sorted(studio.sets.iterdir()):
        if path.name.startswith("."):
            continue
        if path.is_file() and path.suffix == ".jsonl":
            found.runs[path.stem] = str(path)
        elif (path / QUESTIONS).is_file():
            found.sets[path.name] = str(path)
        elif path.is_dir():
            for kind, known in ((CORPUS_FOLDER, found.corpora), (GRAPH_FOLDER, found.graphs)):
                if _opens(kind, path):
                    known[path.name] = str(path)
    return found


def _opens(kind: Kind, path: Path) -> bool:
    try:
        kind.open(path)
    except RollcallError:
        return False
    return True


def readable_sets(studio: Studio, person: Person) -> dict[str, Materials]:
    """The sets that somebody who manages may read, with what belongs to them.

    Owners read all of them. Others read those of the folder and of projects that they manage, but no set that
    they judge in another project: its answers would tell which items are injected.
    """
    found = {name: Materials(questions=path) for name, path in shelf(studio).sets.items()}
    with studio.database.read() as session:
        told = session.execute(select(Project.id, Project.materials).order_by(Project.id)).all()
        mine = select(Member.project_id, Member.role).where(Member.person_id == person.id)
        roles = dict(session.execute(mine).all())
    projects = [(number, msgspec.convert(one, Materials)) for number, one in told]
    for number, materials in projects:
        if person.owner or roles.get(number) == "manager":
            found[Path(materials.questions).name] = materials
    judged = {
        Path(materials.questions).resolve()
        for number, materials in projects
        if not person.owner and roles.get(number) == "annotator"
    }
    return {name: one for name, one in found.items() if Path(one.questions).resolve() not in judged}


def chosen(names: Mapping[str, str], name: str, what: str) -> str:
    """The path of something that was chosen by its name."""
    if name not in names:
        raise RollcallError(f"there is no {what} {name!r:.80} in the studio's folder")
    return names[name]
