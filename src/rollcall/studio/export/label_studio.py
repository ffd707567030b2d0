"""Exchange with Label Studio: a project's items as its tasks with a labeling configuration, its annotations
back.

Annotations go through the same parsing as the studio's own forms, so they can say nothing that the forms
could not. Tasks have only what annotators may see, and an id that does not reveal what is injected.
"""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from xml.etree import ElementTree

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.studio.figures import SCALE
from rollcall.studio.records import Collected, Item, Json, JudgmentRecord
from rollcall.studio.tasks import find_task
from rollcall.studio.tasks.system_answers import REASONS, SCALES
from rollcall.studio.tasks.task import QUALIFY, Task

_TITLES = {
    "question": "Question",
    "answer": "Answer",
    "aliases": "Also called",
    "prediction": "Prediction",
    "wording": "Wording",
    "canonical": "Question",
    "passages": "Text",
    "conditions": "Conditions",
    "things": "Names",
    "sample": "Some answers",
    "answers": "Answers",
}
"""The texts of an item that are shown, in this order."""
_ITEM = "rollcall_item"
_BETWEEN = "|"


class Unread(NamedTuple):
    """An annotation that could not be taken over, and why."""

    task: str
    why: str


class Annotations(NamedTuple):
    """What a file of Label Studio says: judgments, and what could not be taken over."""

    judged: list[JudgmentRecord]
    unread: list[Unread]
    tasks: int
    """How many of its tasks are of the project."""


def task_items(collected: Collected, stage: str = "judge") -> list[Item]:
    """The items that Label Studio gets: those of one stage that are not kept back."""
    return [item for item in collected.items if item.stage == stage and not item.pool]


def labeling_config(collected: Collected, stage: str = "judge") -> str:
    """The labeling configuration for the tasks of one stage."""
    task = find_task(collected.task).at(stage)
    texts = dict.fromkeys(name for item in task_items(collected, stage) for name in _texts(item))
    if not texts:
        raise RollcallError(f"the project {collected.project} has nothing to judge in the stage {stage}")
    view = ElementTree.Element("View")
    for name in texts:
        ElementTree.SubElement(view, "Header", {"value": _TITLES[name], "size": "5"})
        ElementTree.SubElement(view, "Text", {"name": name, "value": f"${name}"})
    about = next(iter(texts))
    _controls(view, task, about)
    _text_area(view, "comment", about, "Comment")
    ElementTree.indent(view)
    return ElementTree.tostring(view, encoding="unicode")


def tasks_out(collected: Collected, stage: str = "judge", *, judgments: bool = False) -> list[Json]:
    """The tasks for Label Studio's import; with `judgments`, what was judged here as annotations."""
    items = task_items(collected, stage)
    # A task must have every field that the configuration names.
    empty = dict.fromkeys((name for item in items for name in _texts(item)), "–")
    about = next(iter(empty), "question")
    judged: dict[str, list[JudgmentRecord]] = {}
    for judgment in collected.judged:
        if judgments and judgment.counted:
            judged.setdefault(judgment.item, []).append(judgment)
    tasks: list[Json] = []
    for item in items:
        task: Json = {"data": {_ITEM: _public_id(collected, item), **empty, **_texts(item)}}
        if item.key in judged:
            task["annotations"] = [_annotation(judgment, about) for judgment in judged[item.key]]
        tasks.append(task)
    return tasks


def annotations_in(exported: bytes, collected: Collected, name: str = "the file") -> Annotations:
    """The judgments of a JSON file that Label Studio exported; cancelled annotations are left out."""
    try:
        rows = msgspec.json.decode(exported, type=list[dict[str, Any]])
    except (msgspec.DecodeError, RecursionError) as error:
        raise RollcallError(f"{name}: is not a JSON export of Label Studio ({error})") from None
    items = {_public_id(collected, item): item for item in collected.items if item.stage != QUALIFY}
    task = find_task(collected.task)
    judged: list[JudgmentRecord] = []
    unread: list[Unread] = []
    tasks = 0
    for row in rows:
        data = row.get("data")
        named = str(data.get(_ITEM, "")) if isinstance(data, dict) else ""
        if named not in items:
            unread.append(Unread(str(row.get("id", named)), "the task does not belong to this project"))
            continue
        tasks += 1
        for annotation in _annotations(row):
            try:
                judged.append(_read(annotation, items[named], task))
            except (RollcallError, TypeError, ValueError, KeyError, AttributeError) as error:
                unread.append(Unread(str(row.get("id", named)), str(error)))
    return Annotations(
        sorted(judged, key=lambda judgment: (judgment.at, judgment.item, judgment.person)), unread, tasks
    )


def _public_id(collected: Collected, item: Item) -> str:
    text = f"{collected.project}\x1f{collected.set_checksum}\x1f{item.key}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _texts(item: Item) -> dict[str, str]:
    """What an item shows, as plain texts; evidence stands between « and »."""
    texts = {name: _text(name, item.shown[name]) for name in _TITLES if name in item.shown}
    return {name: text for name, text in texts.items() if text}


def _text(name: str, value: object) -> str:
    if not isinstance(value, list):
        return str(value)
    lines = [_line(name, row) if isinstance(row, dict) else str(row) for row in value]
    return ("\n\n" if name == "passages" else "\n").join(lines)


def _line(name: str, row: Mapping[str, object]) -> str:
    if name == "passages":
        parts = row.get("parts")
        pieces = [_piece(part) for part in parts] if isinstance(parts, list) else []
        return f"{row.get('title', '')}\n{''.join(pieces)}".replace("»«", "")
    if name == "conditions":
        denied = "not: " if row.get("negated") else ""
        return f"{denied}{row.get('subject')} — {row.get('relation')} — {row.get('object')}"
    if name == "answers":
        return str(row.get("answer", ""))
    texts = [str(row.get("name", "")), str(row.get("description", ""))]
    return ": ".join(filter(None, texts))


def _piece(part: Mapping[str, object]) -> str:
    return f"«{part.get('text')}»" if part.get("mark") else str(part.get("text", ""))


def _controls(view: ElementTree.Element, task: Task, about: str) -> None:
    """What a person may say: the same fields, under the same names, as the studio's forms have."""
    if task.name == "naturalness":
        for scale, title in SCALES:
            _choices(view, scale, about, title, [(step, step, "") for step in SCALE])
        return
    _choices(
        view,
        "choice",
        about,
        task.title,
        [(choice.key, choice.label, choice.shortcut) for choice in task.choices],
    )
    if task.name == "equivalence":
        _choices(
            view, "why", about, "Why wrong", [(reason.key, reason.label, "") for reason in REASONS], False
        )
    elif task.name in ("write", "paraphrase"):
        _text_area(view, "text", about, "Your question")
    elif task.name == "extend":
        _text_area(view, "found", about, f"One answer a line: name {_BETWEEN} sentence")


def _choices(
    view: ElementTree.Element,
    name: str,
    about: str,
    title: str,
    values: Sequence[tuple[str, str, str]],
    required: bool = True,
) -> None:
    ElementTree.SubElement(view, "Header", {"value": title, "size": "5"})
    attributes = {"name": name, "toName": about, "choice": "single", "showInline": "true"}
    if required:
        attributes["required"] = "true"
    choices = ElementTree.SubElement(view, "Choices", attributes)
    for key, label, shortcut in values:
        option = {"value": label, "alias": key}
        if len(shortcut) == 1:
            option["hotkey"] = shortcut
        ElementTree.SubElement(choices, "Choice", option)


def _text_area(view: ElementTree.Element, name: str, about: str, title: str) -> None:
    ElementTree.SubElement(view, "Header", {"value": title, "size": "5"})
    attributes = {"name": name, "toName": about, "rows": "3", "maxSubmissions": "1", "editable": "true"}
    ElementTree.SubElement(view, "TextArea", attributes)


def _annotation(judgment: JudgmentRecord, about: str) -> Json:
    """A judgment as Label Studio writes annotations."""
    fields: dict[str, list[str]] = {"choice": [judgment.choice]}
    for name, value in judgment.values.items():
        if name == "answers" and isinstance(value, list):
            rows = [row for row in value if isinstance(row, dict)]
            fields["found"] = ["\n".join(f"{row.get('label')} {_BETWEEN} {_quote(row)}" for row in rows)]
        else:
            fields[name] = [str(value)]
    if judgment.values.keys() >= {"self", "other"}:
        del fields["choice"]
    if judgment.comment:
        fields["comment"] = [judgment.comment]
    texts = ("text", "found", "comment")
    return {
        "result": [
            {
                "from_name": name,
                "to_name": about,
                "type": "textarea" if name in texts else "choices",
                "value": {"text" if name in texts else "choices": values},
            }
            for name, values in fields.items()
        ],
        "completed_by": {"email": judgment.person},
        "lead_time": judgment.seconds,
        "created_at": judgment.at,
        "was_cancelled": False,
    }


def _quote(row: Mapping[str, object]) -> str:
    evidence = row.get("evidence")
    return str(evidence.get("text", "")) if isinstance(evidence, dict) else ""


def _annotations(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    annotations = row.get("annotations")
    listed = annotations if isinstance(annotations, list) else []
    return [
        annotation
        for annotation in listed
        if isinstance(annotation, dict) and not annotation.get("was_cancelled")
    ]


def _read(annotation: Mapping[str, Any], item: Item, task: Task) -> JudgmentRecord:
    form: dict[str, list[str]] = {}
    for result in annotation["result"]:
        value = result["value"]
        texts = value.get("choices") or value.get("text") or []
        form[str(result["from_name"])] = [texts] if isinstance(texts, str) else [str(text) for text in texts]
    if "found" in form:
        rows = [line.partition(_BETWEEN) for text in form.pop("found") for line in text.splitlines() if line]
        form["label"] = [name.strip() for name, _, _ in rows]
        form["quote"] = [sentence.strip() for _, _, sentence in rows]
    shown_by = task.at(item.stage)
    if shown_by.name == "naturalness":
        form["choice"] = [shown_by.choices[0].key]
    verdict = task.parse(item, form)
    return JudgmentRecord(
        item=item.key,
        question=item.question,
        person=_person(annotation.get("completed_by")),
        choice=verdict.choice,
        values=verdict.values,
        comment=verdict.comment,
        seconds=float(annotation.get("lead_time") or 0.0),
        at=str(annotation.get("created_at") or ""),
        injected=item.injected,
        missed=shown_by.missed(item, verdict),
        stage=item.stage,
    )


def _person(annotator: object) -> str:
    """Who annotated: an address if the export has it, else Label Studio's number."""
    if isinstance(annotator, dict):
        annotator = annotator.get("email") or annotator.get("id")
    return annotator if isinstance(annotator, str) and annotator else f"label-studio-{annotator}"
