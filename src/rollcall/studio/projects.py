"""Makes projects: what the command line and the manager's pages both do.

- **Materials**: the files that a project is made from. Their paths are kept with it.
- **Gold**: judgments whose verdicts are right, read from a file and matched to the items of the project.
- **Projects and invitations**: checked, made and found in a database.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from rollcall._core.checksums import sha256
from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall._core.registry import read_options
from rollcall.input_files.rows import rows_of, separator_of
from rollcall.questions.opening import read_questions, read_run
from rollcall.questions.question_set import QUESTIONS
from rollcall.report.csv import text_of_cell
from rollcall.studio.database.engine import Database, now, upgrade
from rollcall.studio.database.tables import ItemRow, Member, Person, Project
from rollcall.studio.records import Item, Json, Verdict
from rollcall.studio.tasks import find_task
from rollcall.studio.tasks.shown import left_out
from rollcall.studio.tasks.task import (
    DECISIVE,
    JUDGE,
    QUALIFY,
    Task,
    TaskMaterial,
    TaskSettings,
    choice_of,
    with_gold,
)
from rollcall.studio.work.opening import check_name, open_project
from rollcall.studio.work.people import Invited, add_member, add_person, invite, log
from rollcall.studio.work.rows import settings_of, task_of
from rollcall.text.words import fold


class Materials(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where the set is, and whatever a task needs with it."""

    questions: str
    corpus: str | None = None
    graph: str | None = None
    runs: list[str] = []
    beside: list[str] = []
    """Other sets that this one is compared with."""


def materials_at(
    questions: Path | str,
    corpus: Path | str | None = None,
    graph: Path | str | None = None,
    runs: "list[Path | str] | None" = None,
    beside: "list[Path | str] | None" = None,
) -> Materials:
    """The same with absolute paths, so that they are found wherever the server is started."""

    def absolute(path: Path | str) -> str:
        return str(Path(path).resolve())

    return Materials(
        questions=absolute(questions),
        corpus=None if corpus is None else absolute(corpus),
        graph=None if graph is None else absolute(graph),
        runs=[absolute(path) for path in runs or []],
        beside=[absolute(path) for path in beside or []],
    )


def read_material(materials: Materials) -> TaskMaterial:
    """Open everything."""
    others = {_name_of(path): read_questions(path) for path in materials.beside}
    if len(others) < len(materials.beside) or _name_of(materials.questions) in others:
        raise RollcallError("two of the sets have the same name; rename the folder of one")
    from rollcall.corpus import Corpus
    from rollcall.graph import Graph

    return TaskMaterial(
        questions=read_questions(materials.questions),
        name=_name_of(materials.questions),
        runs=[read_run(path) for path in materials.runs],
        corpus=None if materials.corpus is None else Corpus.open(materials.corpus),
        graph=None if materials.graph is None else Graph.open(materials.graph),
        others=others,
    )


def set_checksum(materials: Materials) -> str:
    """The checksum of the questions, by which an export knows whether the set is still the same."""
    path = Path(materials.questions)
    return sha256(path / QUESTIONS if path.is_dir() else path)


def _name_of(path: str) -> str:
    return Path(path).stem


# Reads judgments that become gold in a new project: lines of JSON or rows of CSV. A row written by hand
# has a question, an answer if the task judges answers, and a verdict. Rows that `annotate export` wrote
# are read too: of these the verdict is what all judgments of the item came to.

_JSON_CELLS = ("values", "about")
_VERDICT = ("verdict", "choice")


class GoldRow(msgspec.Struct, frozen=True, kw_only=True):
    """One row: what it is about, and what it says."""

    line: int
    item: str = ""
    """The key of the item, in what was exported."""
    task: str = ""
    question: str = ""
    """The id of the question, or its text."""
    texts: Json = {}
    """What was judged, by the names that items have for it."""
    verdict: str = ""
    """Empty where an exported item was not decided."""
    values: Json = {}
    by: str = ""
    injected: bool = False
    decisive: bool = False


def read_gold(path: Path) -> list[GoldRow]:
    """The rows of a file that count; an error names the line that cannot be read."""
    if not path.is_file():
        raise RollcallError(f"{path}: no such file")
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise RollcallError(f"{path}: is not text in UTF-8") from None
    records = _json_lines(path, text) if text.lstrip().startswith("{") else _csv_rows(path, text)
    rows = [_row(path, line, record) for line, record in records if _counts(record)]
    if not rows:
        raise RollcallError(f"{path}: has no judgment")
    return rows


def _json_lines(path: Path, text: str) -> Iterator[tuple[int, Json]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, msgspec.json.decode(line, type=dict[str, object])
            except UNREADABLE as error:
                raise RollcallError(f"{path}, line {number}: not a JSON object ({why(error)})") from None


def _csv_rows(path: Path, text: str) -> Iterator[tuple[int, Json]]:
    head: list[str] = []
    for line, cells, problem in rows_of(text, separator_of(text.encode())):
        if problem:
            raise RollcallError(f"{path}, line {line}: {problem}")
        if not head:
            head = _head(path, cells)
            continue
        record: Json = {
            name: text_of_cell(cell) for name, cell in zip(head, cells, strict=False) if name and cell
        }
        for name in _JSON_CELLS:
            if name in record:
                try:
                    record[name] = msgspec.json.decode(str(record[name]))
                except UNREADABLE as error:
                    raise RollcallError(f"{path}, line {line}: {why(error)}") from None
        if record:
            yield line, record


def _head(path: Path, names: list[str]) -> list[str]:
    if not {*names} & {"question", "item"} or not {*names} & {*_VERDICT}:
        raise RollcallError(
            f"{path}: has no columns `question` and `verdict`; give JSON lines, or CSV with a head, such as "
            "`annotate export` writes"
        )
    return names


def _counts(record: Json) -> bool:
    """Whether a row counts: what was withdrawn, and what only let somebody in, does not."""
    withdrawn = record.get("counted") in (False, "false") or record.get("undone") in (True, "true")
    return not withdrawn and record.get("stage", "judge") == "judge"


def _row(path: Path, line: int, record: Json) -> GoldRow:
    verdict = next((text for name in _VERDICT if (text := _text(record, name))), "")
    exported = "project" in record and "item" in record
    about, values = _mapping(record.get("about")), _mapping(record.get("values"))
    reason = _text(record, "reason")
    settled = _text(record, "resolution")
    agrees = not exported or verdict == settled
    if not exported and not verdict:
        raise RollcallError(f"{path}, line {line}: has no verdict")
    return GoldRow(
        line=line,
        item=_text(record, "item"),
        task=_text(record, "task") if exported else "",
        question=_text(record, "question"),
        texts={**about, **record},
        verdict=settled if exported else verdict,
        values={**({"why": reason} if reason else {}), **values} if agrees else {},
        by=(_text(record, "person") if agrees else "") or path.name,
        injected=record.get("injected") in (True, "true"),
        decisive=agrees and record.get("role") in DECISIVE,
    )


def _text(record: Json, name: str) -> str:
    value = record.get(name)
    return value.strip() if isinstance(value, str) else ""


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


JUDGED = ("wording", "prediction", "answer")
"""What an item judges beyond its question, by the names in which it is shown; the first that it has."""
_LISTED = 5


class ProjectItems(NamedTuple):
    """The items, some of them gold, and why other rows are not."""

    items: list[Item]
    gold: int
    left_out: list[str]
    """One line for each reason."""


class _UnfitError(Exception):
    """Why a row is not gold."""


def fit_gold(task: Task, items: Sequence[Item], rows: Sequence[GoldRow]) -> ProjectItems:
    """Make those items gold that rows give a verdict on; an error if none of them fits."""
    finder = _Finder(items)
    verdicts: dict[str, dict[str, tuple[GoldRow, Verdict]]] = {}
    unfit: dict[str, list[int]] = {}
    lines: dict[str, list[int]] = {}
    # Of several rows on an item, what an adjudicator said tells more than what others did.
    for row in sorted(rows, key=lambda row: (not row.decisive, not row.values, row.line)):
        try:
            item = finder.find(task, row)
            verdict = _verdict(task, item, row)
        except _UnfitError as why:
            unfit.setdefault(str(why), []).append(row.line)
            continue
        verdicts.setdefault(item.key, {}).setdefault(verdict.choice, (row, verdict))
        lines.setdefault(item.key, []).append(row.line)
    for key in [key for key, choices in verdicts.items() if len(choices) > 1]:
        unfit.setdefault("contradict each other", []).extend(lines[key])
        del verdicts[key]
    left_out = [_summary(why, numbers) for why, numbers in unfit.items()]
    if not verdicts:
        raise RollcallError(f"no judgment of the gold can be used: {'; '.join(left_out)}")
    gold = {
        key: with_gold(finder.keys[key], verdict, row.by)
        for key, choices in verdicts.items()
        for row, verdict in choices.values()
    }
    return ProjectItems([gold.get(item.key, item) for item in items], len(verdicts), left_out)


class _Finder:
    """Items by their keys, and by what they are about."""

    def __init__(self, items: Iterable[Item]) -> None:
        self.keys: dict[str, Item] = {}
        self._about: dict[tuple[str, str], list[Item]] = {}
        for item in items:
            if item.stage != JUDGE:
                continue
            self.keys[item.key] = item
            asked = {
                item.question,
                fold(str(item.shown.get("question") or item.shown.get("canonical") or "")),
            }
            for question in asked - {""}:
                for text in _names(item):
                    self._about.setdefault((question, text), []).append(item)

    def find(self, task: Task, row: GoldRow) -> Item:
        """The item that a row is about."""
        if row.task and row.task != task.name:
            raise _UnfitError(f"are of the task {row.task:.40}")
        if row.injected:
            raise _UnfitError("are of injected items, which every project has of its own")
        if not row.verdict:
            raise _UnfitError("are of undecided items")
        known = self.keys.get(row.item)
        matches = [known] if known is not None else self._by_text(row)
        if not matches:
            raise _UnfitError("fit no item of this project")
        if len(matches) > 1:
            raise _UnfitError("fit more than one item of this project")
        if matches[0].injected:
            raise _UnfitError("are of items that are injected here")
        return matches[0]

    def _by_text(self, row: GoldRow) -> list[Item]:
        texts = [fold(text) for name in JUDGED if isinstance(text := row.texts.get(name), str)]
        for text in (*texts, ""):
            for question in (row.question, fold(row.question)):
                matches = {item.key: item for item in self._about.get((question, text), ())}
                if matches:
                    return list(matches.values())
        return []


def _names(item: Item) -> set[str]:
    """How a row may name what an item judges: its text or its id; empty where the question is judged."""
    text = next((shown for name in JUDGED if isinstance(shown := item.shown.get(name), str)), "")
    answer = item.hidden.get("answer")
    entity = answer.get("id") if isinstance(answer, dict) else None
    return {fold(text), *([fold(entity)] if isinstance(entity, str) and entity else [])}


def _verdict(task: Task, item: Item, row: GoldRow) -> Verdict:
    """What a row says, read as a form of the task is."""
    word, _, reason = row.verdict.partition(":")
    named = {fold(choice.label): choice.key for choice in task.choices}
    key = word if choice_of(task, word) is not None else named.get(fold(word), "")
    if not key:
        listed = ", ".join(choice.key for choice in task.choices)
        raise _UnfitError(f"say {row.verdict!r:.40}, and the verdicts are {listed}")
    why, marked = row.values.get("why"), row.values.get("answers")
    reason = reason.strip() or (why if isinstance(why, str) else "")
    form = {
        "choice": [f"{key}:{reason}" if reason else key],
        "marked": [str(label) for label in marked] if isinstance(marked, list) else [],
    }
    try:
        return task.parse(item, form)
    except RollcallError as error:
        raise _UnfitError(f"cannot be read ({error})") from None


def _summary(why: str, lines: list[int]) -> str:
    listed = ", ".join(f"{line:,}" for line in sorted(lines)[:_LISTED])
    more = ", …" if len(lines) > _LISTED else ""
    rows = f"1 row (line {listed})" if len(lines) == 1 else f"{len(lines):,} rows (lines {listed}{more})"
    return f"{rows} {why}"


# Projects and invitations in a database.

MOST_AN_HOUR = 1e6


class NewProject(msgspec.Struct, frozen=True, kw_only=True):
    """What a new project is made from."""

    task: str
    materials: Materials
    options: Mapping[str, object] = {}
    name: str = ""
    title: str = ""
    hourly_rate: float = 0.0
    currency: str = ""
    blind: bool = True
    """Whether adjudicators see what people said without their names."""
    gold: str = ""
    """A file of judgments whose verdicts are right, by which people are measured."""


def open_database(place: str | Path, new: bool = True) -> Database:
    """A database, brought to the tables of this version; a file is made where it may be `new`."""
    database = Database(place)
    if not new and database.is_sqlite and not Path(database.url.database or "").is_file():
        raise RollcallError(
            f"{database.url.database}: no such database; `rollcall annotate project` makes one"
        )
    upgrade(database)
    return database


class ReadProject(NamedTuple):
    """A project that was checked, with all that it is made from; nothing is written yet."""

    wanted: NewProject
    task: Task
    settings: TaskSettings
    material: TaskMaterial
    gold: Sequence[GoldRow] = ()


def read_project(wanted: NewProject) -> ReadProject:
    """Read what a project is made from; an error here leaves no database behind."""
    task = find_task(wanted.task)
    settings = read_options(task.Settings, wanted.options, f"the task {task.name}")
    assert isinstance(settings, TaskSettings)
    if wanted.name:
        check_name(wanted.name)
    if not 0 <= wanted.hourly_rate < MOST_AN_HOUR:
        raise RollcallError("the hourly rate is not from 0 to a million")
    if wanted.gold and not task.right_or_wrong:
        raise RollcallError(f"in the task {task.name} no verdict is right or wrong, so nothing can be gold")
    gold = read_gold(Path(wanted.gold)) if wanted.gold else ()
    material = read_material(wanted.materials)
    task.check_material(material)
    return ReadProject(wanted, task, settings, material, gold)


def make_project(
    database: Database,
    asked: NewProject | ReadProject,
    by: int | None = None,
    address: str = "",
    not_gold: Callable[[str], None] | None = None,
) -> str:
    """A new project; returns its name. The items are made before anything is written.

    `not_gold` is called with one line for each reason why rows of the gold cannot be used.
    """
    wanted, task, settings, material, gold = asked if isinstance(asked, ReadProject) else read_project(asked)
    at = now()

    def with_known(items: list[Item]) -> list[Item]:
        fitted = fit_gold(task, items, gold)
        if not_gold is not None:
            for line in fitted.left_out:
                not_gold(line)
        return fitted.items

    with database.write() as session:
        project = open_project(
            session,
            name=wanted.name or _free_name(session, f"{material.name}-{task.name}"),
            task=task,
            material=material,
            settings=settings,
            at=at,
            title=wanted.title,
            materials=msgspec.to_builtins(wanted.materials),
            set_checksum=set_checksum(wanted.materials),
            created_by=by,
            hourly_rate=wanted.hourly_rate,
            currency=wanted.currency,
            blind=wanted.blind,
            with_known=with_known if gold else None,
        )
        log(session, at, "made the project", project.title, person=by, project=project.id, address=address)
        return project.name


def _free_name(session: Session, text: str) -> str:
    base = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:50].strip("-") or "project"
    taken = set(session.scalars(select(Project.name).where(Project.name.like(f"{base}%"))))
    return next(
        name for name in (base, *(f"{base}-{count}" for count in range(2, 10_000))) if name not in taken
    )


def find_project(session: Session, name: str) -> Project:
    """The project with this name."""
    project = session.scalar(select(Project).where(Project.name == name))
    if project is None:
        names = session.scalars(select(Project.name).order_by(Project.name)).all()
        available = f"there are {', '.join(names)}" if names else "there is none yet"
        raise RollcallError(f"no project {name!r:.80} in this database; {available}")
    return project


def not_judged(database: Database, name: str) -> list[str]:
    """What of its set a project does not judge, and why, in lines for people."""
    with database.read() as session:
        project = find_project(session, name)
        task, settings = task_of(project), settings_of(project)
        asked = select(ItemRow.question).where(ItemRow.project_id == project.id, ItemRow.stage != QUALIFY)
        questions = set(session.scalars(asked.distinct()))
    return left_out(task, read_questions(str(project.materials["questions"])), settings, questions)


def make_invitation(database: Database, project: str | None, invited: Invited) -> str:
    """The token of a new invitation, to a project or (without one) to the studio as its owner."""
    at = now()
    with database.write() as session:
        project_row = find_project(session, project) if project else None
        wanted = Invited(
            role=invited.role,
            project=project_row,
            owner=invited.owner,
            group=invited.group,
            note=invited.note,
            days=invited.days,
        )
        invitation, token = invite(session, wanted, None, at)
        about = f"invitation {invitation.id} as {'owner' if invited.owner else invited.role}"
        log(session, at, "invited", about, project=project_row.id if project_row else None)
    return token


def sole_person(database: Database, project: str, name: str) -> None:
    """Make sure that the one person of a laptop is there, and works in the project."""
    at = now()
    with database.write() as session:
        person = session.scalars(select(Person).where(Person.owner.is_(True)).order_by(Person.id)).first()
        person = person or add_person(session, name, None, at, owner=True)
        project_row = find_project(session, project)
        if (
            session.scalar(
                select(Member.id).where(Member.project_id == project_row.id, Member.person_id == person.id)
            )
            is None
        ):
            add_member(session, project_row, person, at)
