"""A new version of a set, with what people decided and every verdict that led to it.

Questions that the project did not touch stay as they are, unless what is undecided is left out. Dropped
questions, and judgments about questions of other sets, are kept in the manifest, so that no verdict is lost
and importing the set again gives the same.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from rollcall import __version__, checksums
from rollcall.errors import RollcallError
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Question
from rollcall.questions.release import save_set
from rollcall.studio.export.effects import DECIDES, EFFECTS, Rules, Undecided, unchanged
from rollcall.studio.export.trace import (
    STUDIO,
    Elsewhere,
    ItemTrace,
    ProjectTrace,
    judgments_in,
    traces,
    with_trace,
)
from rollcall.studio.figures.papers import PaperFigure, paper_figures
from rollcall.studio.figures.truth import settled_by_estimate
from rollcall.studio.records import Collected, Json, Judged, Resolution
from rollcall.studio.tasks.drawing import wording_of
from rollcall.studio.tasks.task import QUALIFY


class ExportOptions(msgspec.Struct, frozen=True):
    """What an export decides about what people did not."""

    undecided: Undecided = "keep"
    """Whether answers and questions that nobody decided stay, or are left out."""
    adjudicate: float | None = None
    """Settle disputes by Dawid and Skene's estimate from this probability on; None to leave them open."""
    pseudonyms: bool = False
    """Whether people are called by numbers, for sets that are published."""
    least_cluster: int = 0
    """Drop questions of clusters that keep fewer questions than this; RoMQA has 2."""


class Dropped(msgspec.Struct, frozen=True):
    """A question that is no longer part of the set, with its trace, and why."""

    why: str
    question: Question


class ProjectEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the manifest of an exported set says about a project."""

    project: str
    task: str
    settings: Json = {}
    set_checksum: str = ""
    """The checksum of the set that was judged."""
    people: int = 0
    judgments: int = 0
    finished: str = ""
    """When the last judgment was made."""
    options: ExportOptions = ExportOptions()
    figures: list[PaperFigure] = []
    dropped: list[Dropped] = []
    reserve: list[str] = []
    """The questions that nobody was asked about: those of the pool that were never needed, and those outside
    the project where what is undecided is left out."""
    elsewhere: list[Elsewhere] = []


class Exported(NamedTuple):
    """A new version of a set, and what the project came to."""

    questions: QuestionSet
    entry: ProjectEntry
    undecided: dict[str, int]
    """How many items of a question nobody decided, by question."""
    outside: int
    """How many questions of the set were no part of the project."""


def new_version(
    questions: QuestionSet, collected: Collected, options: ExportOptions | None = None
) -> Exported:
    """The set with what people decided; the given set is not changed."""
    options = options or ExportOptions()
    if options.pseudonyms:
        collected = with_pseudonyms(collected)
    if options.adjudicate is not None:
        collected = settled_by_estimate(collected, options.adjudicate)
    effect = EFFECTS.get(collected.task, unchanged)
    rules = Rules(options.undecided, _minimum(collected))
    told, foreign = _sorted_traces(questions, collected)
    reserve = _reserve(collected)
    known = {*told, *reserve}
    outside = [one.id for one in questions if one.id not in known]
    leaves_out = options.undecided == "leave-out" and collected.task in DECIDES
    unasked = [one for one in reserve if one not in told] + (outside if leaves_out else [])
    left_out = set(unasked)
    kept: list[Question] = []
    dropped: list[Dropped] = []
    for question in questions:
        items = told.get(question.id)
        if items is None:
            if question.id not in left_out:
                kept.append(question)
            continue
        change = effect(question, items, rules)
        removed = [msgspec.to_builtins(answer) for answer in change.removed]
        judged = [one for one in items if one.verdicts]
        trace = ProjectTrace(collected.project, collected.task, judged, removed, change.before)
        if change.question is None:
            dropped.append(Dropped(change.why, with_trace(question, trace)))
        else:
            kept.append(with_trace(change.question, trace) if judged or removed else question)
    kept, small = _of_large_clusters(kept, options.least_cluster)
    if not kept:
        raise RollcallError(
            f"no question of the project {collected.project} is left to export; "
            f"the first was dropped because of: {dropped[0].why if dropped else 'an empty set'}"
        )
    entry = _entry(collected, options, [*dropped, *small], unasked, foreign)
    version = QuestionSet(kept, _manifest(questions.manifest, entry))
    return Exported(version, entry, _undecided(collected), len(outside))


def write_version(exported: Exported, folder: Path | str) -> None:
    """Write a new version as a folder with its card, replacing an existing set."""
    save_set(Path(folder), exported.questions, exported.questions.manifest)


def entries(questions: QuestionSet) -> list[ProjectEntry]:
    """What the manifest of a set says about the projects that it went through."""
    try:
        return msgspec.convert(questions.manifest.get(STUDIO, []), list[ProjectEntry])
    except msgspec.ValidationError as error:
        raise RollcallError(
            f"the manifest tells of studio projects in a way that cannot be read: {error}"
        ) from error


def judgments_of_set(questions: QuestionSet, project: str) -> list[Judged]:
    """Every judgment of a project that an exported set keeps, oldest first."""
    told = next((one for one in entries(questions) if one.project == project), None)
    if told is None:
        known = ", ".join(one.project for one in entries(questions)) or "none"
        raise RollcallError(f"the set went through no project {project!r:.80}; it knows: {known}")
    everything = [*questions, *(one.question for one in told.dropped)]
    return judgments_in(everything, told.elsewhere, project)


def with_pseudonyms(collected: Collected) -> Collected:
    """The project with numbers for people, in the order of their first judgment."""
    order = dict.fromkeys(
        [*(one.person for one in collected.judged), *(one.name for one in collected.people)]
    )
    names = {person: f"person-{number}" for number, person in enumerate(order, 1)}

    def named(hidden: Json) -> Json:
        by = hidden.get("by")
        return {**hidden, "by": names.get(by, by)} if isinstance(by, str) else hidden

    return msgspec.structs.replace(
        collected,
        judged=[msgspec.structs.replace(one, person=names[one.person]) for one in collected.judged],
        people=[msgspec.structs.replace(one, name=names[one.name], groups=()) for one in collected.people],
        items=[
            msgspec.structs.replace(
                item, hidden=named(item.hidden), barred=tuple(names.get(one, one) for one in item.barred)
            )
            for item in collected.items
        ],
        resolutions={
            key: msgspec.structs.replace(one, why=_without_names(one.why, names))
            for key, one in collected.resolutions.items()
        },
    )


def _without_names(why: str, names: dict[str, str]) -> str:
    """A reason that names who decided, by number."""
    start, by, person = why.rpartition("decided by ")
    return f"{start}{by}{names.get(person, person)}" if by else why


def _minimum(collected: Collected) -> int:
    minimum = collected.settings.get("minimum", 0)
    return minimum if isinstance(minimum, int) else 0


def _sorted_traces(
    questions: QuestionSet, collected: Collected
) -> tuple[dict[str, list[ItemTrace]], list[Elsewhere]]:
    """The items of the set's questions, and those of other sets and of qualification tests."""
    texts = {question.id: question for question in questions}
    own: dict[str, list[ItemTrace]] = {}
    foreign: list[Elsewhere] = []
    for id_, items in traces(collected).items():
        mine = [one for one in items if id_ in texts and _is_about(one, texts[id_])]
        if mine:
            own[id_] = mine
        if others := [one for one in items if one not in mine and one.verdicts]:
            foreign.append(Elsewhere(id_, others))
    return own, foreign


def _is_about(item: ItemTrace, question: Question) -> bool:
    """Questions of compared sets may have the same id; the text tells them apart."""
    return "set" not in item.hidden or item.shown.get("question") == wording_of(question)


def _undecided(collected: Collected) -> dict[str, int]:
    """How many items of each question are open or disputed."""
    live = [item for item in collected.items if not item.pool and item.stage != QUALIFY]
    states = [(item.question, collected.resolutions.get(item.key, Resolution("open")).state) for item in live]
    return dict(Counter(question for question, state in states if state in ("open", "disputed")))


def _reserve(collected: Collected) -> list[str]:
    """The questions that waited in the pool to the end."""
    asked = {item.question for item in collected.items if not item.pool}
    return [one for one in dict.fromkeys(item.question for item in collected.items) if one not in asked]


def _of_large_clusters(questions: Sequence[Question], least: int) -> tuple[list[Question], list[Dropped]]:
    sizes = Counter(question.cluster for question in questions)
    kept, dropped = [], []
    for question in questions:
        if question.cluster is not None and sizes[question.cluster] < least:
            why = f"its cluster keeps {sizes[question.cluster]} questions, and {least} are needed"
            dropped.append(Dropped(why, question))
        else:
            kept.append(question)
    return kept, dropped


def _entry(
    collected: Collected,
    options: ExportOptions,
    dropped: list[Dropped],
    reserve: list[str],
    foreign: list[Elsewhere],
) -> ProjectEntry:
    return ProjectEntry(
        project=collected.project,
        task=collected.task,
        settings=collected.settings,
        set_checksum=collected.set_checksum,
        people=len({one.person for one in collected.judged}),
        judgments=len(collected.judged),
        finished=max((one.at for one in collected.judged), default=""),
        options=options,
        figures=paper_figures(collected),
        dropped=dropped,
        reserve=reserve,
        elsewhere=foreign,
    )


def _manifest(old: dict[str, Any], entry: ProjectEntry) -> dict[str, Any]:
    kept = {key: value for key, value in old.items() if key not in (checksums.FILES, checksums.SEAL)}
    earlier = [one for one in old.get(STUDIO, []) if one.get("project") != entry.project]
    note = (
        f"{entry.people:,} people made {entry.judgments:,} judgments in the project {entry.project} "
        f"({entry.task}){_in_words(entry.figures)}; every verdict is in the provenance of its question"
    )
    notes = [one for one in old.get("notes", []) if f"in the project {entry.project} (" not in one]
    return {
        "version": __version__,
        **kept,
        "notes": [*notes, note],
        STUDIO: [*earlier, msgspec.to_builtins(entry)],
    }


def _in_words(figures: Sequence[PaperFigure]) -> str:
    """The first figure of a project, as the card says it."""
    first = next(iter(figures), None)
    if first is None or first.value is None or first.count is None or not first.of:
        return ""
    return f"; {first.name}: {100 * first.value:.1f} % of {first.of:,.0f}"
