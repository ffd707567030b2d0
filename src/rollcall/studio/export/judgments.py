"""All judgments of a project as JSON lines or CSV: one row for each, also those that no longer count.

JSON lines have everything as it was stored. CSV is for spreadsheets, so that no cell is a formula.
"""

from collections.abc import Iterable, Iterator
from itertools import chain

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.questions.opening import JUDGED_BY_PEOPLE
from rollcall.questions.record import Question
from rollcall.report.csv import csv_lines
from rollcall.studio.records import Collected, Item, ItemResolution, Json, JudgmentRecord, Role, State
from rollcall.studio.tasks.task import hidden_gold

_FIRST = ("project", "task")


class JudgmentRow(JudgmentRecord, frozen=True, kw_only=True, omit_defaults=True):
    """A judgment with what it is about and what its item came to."""

    project: str
    task: str
    about: Json = msgspec.field(default_factory=dict)
    """What was judged: the texts that were shown, without passages."""
    state: str = "open"
    """What all judgments of the item came to."""
    resolution: str | None = None
    """The choice that was settled on."""
    why: str = ""


def judgment_rows(collected: Collected) -> Iterator[JudgmentRow]:
    """All judgments, oldest first."""
    items = {item.key: item for item in collected.items}
    nothing = ItemResolution("open")
    for judgment in collected.judged:
        item = items.get(judgment.item)
        resolution = collected.resolutions.get(judgment.item, nothing)
        shown = {} if item is None else item.shown
        yield JudgmentRow(
            **msgspec.structs.asdict(judgment),
            project=collected.project,
            task=collected.task,
            about={name: value for name, value in shown.items() if isinstance(value, str | int | float)},
            state=resolution.state,
            resolution=resolution.choice,
            why=resolution.why,
        )


def judgments_jsonl(collected: Collected) -> Iterator[bytes]:
    """The judgments as JSON lines."""
    encoder = msgspec.json.Encoder()
    return (encoder.encode(row) + b"\n" for row in judgment_rows(collected))


def judgments_csv(collected: Collected) -> Iterator[bytes]:
    """The judgments as CSV, with a head; `values` and `about` are JSON."""
    columns = [
        *_FIRST,
        *(field.name for field in msgspec.structs.fields(JudgmentRow) if field.name not in _FIRST),
    ]
    rows = ([_cell(getattr(row, name)) for name in columns] for row in judgment_rows(collected))
    return (line.encode() for line in csv_lines(chain([columns], rows), end="\r\n"))


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return msgspec.json.encode(value).decode() if value else ""
    return str(value)


# Every verdict as it is kept in an exported set, under the key `studio` of a question's provenance. A
# question has one entry for each project that it went through, with all its items, what they came to,
# and everything that anybody said about them, also what no longer counts. Nothing is summed up, so that
# each change of the set can be followed back to people, and everything can be read back.

STUDIO = JUDGED_BY_PEOPLE
"""The key in the provenance of questions, and in the manifest."""


class VerdictTrace(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one person said."""

    person: str
    choice: str
    at: str = ""
    seconds: float = 0.0
    values: Json = {}
    comment: str = ""
    role: Role = "annotator"
    missed: bool | None = None
    counted: bool = True
    undone: bool = False


class ItemTrace(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was judged, what it came to, and by whom."""

    key: str
    state: State = "open"
    choice: str | None = None
    why: str = ""
    stage: str = "judge"
    injected: bool = False
    after: str = ""
    shown: Json = {}
    """The texts that were judged, without the passages around them."""
    hidden: Json = {}
    verdicts: list[VerdictTrace] = []
    gold: bool = False

    @property
    def counted(self) -> list[VerdictTrace]:
        """What its result is made of; of gold, not what people were measured by, but the verdict given."""
        counted = [
            verdict
            for verdict in self.verdicts
            if verdict.counted and (self.injected or verdict.missed is None)
        ]
        gold = hidden_gold(self.hidden) if self.gold and not counted else None
        return counted if gold is None else [VerdictTrace(gold.by, gold.choice, values=gold.values)]


class ProjectTrace(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one project did to a question."""

    project: str
    task: str
    items: list[ItemTrace] = []
    removed: list[Json] = []
    """The records of answers that were taken out."""
    before: Json = {}
    """What the question said where it was changed."""


class Elsewhere(msgspec.Struct, frozen=True, omit_defaults=True):
    """Judgments about questions of other sets, or of a qualification test."""

    question: str
    items: list[ItemTrace]


def traces(collected: Collected) -> dict[str, list[ItemTrace]]:
    """All items that were handed out, by question, in the order of the queue, judged or not."""
    judged: dict[str, list[JudgmentRecord]] = {}
    for judgment in collected.judged:
        judged.setdefault(judgment.item, []).append(judgment)
    traced: dict[str, list[ItemTrace]] = {}
    for item in collected.items:
        if item.key in judged or not item.pool:
            resolution = collected.resolutions.get(item.key, ItemResolution("open"))
            traced.setdefault(item.question, []).append(
                _item_trace(item, resolution, judged.get(item.key, []))
            )
    return traced


def _item_trace(item: Item, resolution: ItemResolution, judged: list[JudgmentRecord]) -> ItemTrace:
    texts: Json = {name: value for name, value in item.shown.items() if isinstance(value, str | int | float)}
    return ItemTrace(
        item.key,
        resolution.state,
        resolution.choice,
        resolution.why,
        item.stage,
        item.injected,
        item.after,
        texts,
        item.hidden,
        [
            VerdictTrace(
                judgment.person,
                judgment.choice,
                judgment.at,
                judgment.seconds,
                judgment.values,
                judgment.comment,
                judgment.role,
                judgment.missed,
                judgment.counted,
                judgment.undone,
            )
            for judgment in judged
        ],
        item.gold,
    )


def with_trace(question: Question, trace: ProjectTrace) -> Question:
    """The question with one more project in its provenance, in place of the same project's earlier entry."""
    earlier = question.provenance.get(STUDIO, [])
    others = (
        [entry for entry in earlier if entry.get("project") != trace.project]
        if isinstance(earlier, list)
        else []
    )
    entries = [*others, msgspec.to_builtins(trace)]
    return msgspec.structs.replace(question, provenance={**question.provenance, STUDIO: entries})


def projects_of(question: Question) -> list[ProjectTrace]:
    """The projects that a question went through."""
    try:
        return msgspec.convert(question.provenance.get(STUDIO, []), list[ProjectTrace])
    except msgspec.ValidationError as error:
        raise RollcallError(
            f"the question {question.id} has judgments in its provenance that cannot be read: {error}"
        ) from error


def judgments_in(
    questions: Iterable[Question], elsewhere: Iterable[Elsewhere], project: str
) -> list[JudgmentRecord]:
    """All judgments of a project that a set keeps, oldest first."""
    judgments = []
    for question in questions:
        for trace in projects_of(question):
            if trace.project == project:
                judgments += [judgment for item in trace.items for judgment in _judged(question.id, item)]
    for foreign in elsewhere:
        judgments += [judgment for item in foreign.items for judgment in _judged(foreign.question, item)]
    return sorted(judgments, key=lambda judgment: (judgment.at, judgment.item, judgment.person))


def _judged(question: str, item: ItemTrace) -> list[JudgmentRecord]:
    return [
        JudgmentRecord(
            item=item.key,
            question=question,
            person=verdict.person,
            choice=verdict.choice,
            values=verdict.values,
            comment=verdict.comment,
            seconds=verdict.seconds,
            at=verdict.at,
            injected=item.injected,
            missed=verdict.missed,
            role=verdict.role,
            stage=item.stage,
            counted=verdict.counted,
            undone=verdict.undone,
        )
        for verdict in item.verdicts
    ]
