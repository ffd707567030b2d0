"""All judgments of a project as JSON lines or CSV: one row for each, also those that no longer count.

JSON lines have everything as it was stored. CSV is for spreadsheets, so that no cell is a formula.
"""

from collections.abc import Iterator
from itertools import chain

import msgspec

from rollcall.questions.formats.cells import csv_lines
from rollcall.studio.records import Collected, Json, Judged, Resolution

_FIRST = ("project", "task")


class JudgmentRow(Judged, frozen=True, kw_only=True, omit_defaults=True):
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
    nothing = Resolution("open")
    for one in collected.judged:
        item = items.get(one.item)
        resolution = collected.resolutions.get(one.item, nothing)
        shown = {} if item is None else item.shown
        yield JudgmentRow(
            **msgspec.structs.asdict(one),
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
    columns = [*_FIRST, *(one.name for one in msgspec.structs.fields(JudgmentRow) if one.name not in _FIRST)]
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
