"""What crosses between tasks, work, web, agreement and export: items, verdicts, judgments and resolutions.

An item is everything that one screen shows. Its `shown` is all that an annotator may see, its `hidden` never
leaves the server to annotators: so what is secret is decided where the item is made, and not on each page.
"""

import hashlib
from typing import Literal

import msgspec

Json = dict[str, object]
Role = Literal["annotator", "manager", "adjudicator"]
MemberState = Literal["qualifying", "working", "warned", "stopped"]
State = Literal["open", "accepted", "rejected", "disputed"]


class Item(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one screen asks a person to judge, made by a task from a set."""

    key: str
    """Stable: `item_key` of the task, the question and what is judged."""
    question: str
    shown: Json
    """All that an annotator may see; it never says whether the item is injected."""
    hidden: Json = {}
    """What only managers and the export see: the expected verdict of injected items, provenance."""
    order: int = 0
    """The place in the queue, shuffled by the task with the project's seed."""
    pool: bool = False
    """Whether it is kept back until a question is replaced."""
    injected: bool = False
    """Whether the right verdict is known beforehand; hidden from annotators like everything in `hidden`."""
    gold: bool = False
    """Whether it is of the set, and its right verdict was given, by which people are measured."""
    overlap: int | None = None
    """How many people judge it, where it is not as many as the project asks for."""
    after: str = ""
    """The key of the item from whose judgment it follows, such as the wording that it verifies."""
    stage: str = "judge"
    """`judge`; `qualify` for the test that every newcomer takes first; tasks have others."""
    barred: tuple[str, ...] = ()
    """People who may not judge it, such as the writer of what it verifies."""


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one person says about one item."""

    choice: str
    values: Json = {}
    """Ratings, written text, evidence: whatever the task asks for beyond the choice."""
    comment: str = ""


class JudgmentRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stored judgment, as agreement, figures and export read it."""

    item: str
    question: str
    person: str
    choice: str
    values: Json = {}
    comment: str = ""
    seconds: float = 0.0
    at: str = ""
    """When it was stored: ISO 8601, UTC."""
    injected: bool = False
    missed: bool | None = None
    """Of an injected item, or one that was gold by then: whether this verdict missed it."""
    role: Role = "annotator"
    stage: str = "judge"
    counted: bool = True
    """False once its person was stopped, or the item was judged again: kept, but no longer counted."""
    undone: bool = False
    """Whether its person took it back: it is not in their record, and its time is in the next judgment."""

    @property
    def as_gold(self) -> bool:
        """Whether the item was gold by then: it counts in its person's record, and in no result."""
        return self.missed is not None and not self.injected


class ItemResolution(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the judgments of an item come to."""

    state: State
    choice: str | None = None
    why: str = ""


class PersonRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A person who works in a project, under the name that judgments carry."""

    name: str
    role: Role = "annotator"
    groups: tuple[str, ...] = ()
    state: MemberState = "working"


class Collected(msgspec.Struct, kw_only=True, omit_defaults=True):
    """All that a project has: what agreement, figures, export and simulation read."""

    project: str
    task: str
    settings: Json = {}
    set_path: str = ""
    """The folder of the question set that the project was made from."""
    set_checksum: str = ""
    items: list[Item] = []
    judged: list[JudgmentRecord] = []
    """Oldest first; also those that no longer count."""
    resolutions: dict[str, ItemResolution] = {}
    """By the key of the item."""
    people: list[PersonRecord] = []
    hourly_rate: float = 0.0
    currency: str = ""


def item_key(task: str, question: str, *judged: str) -> str:
    """The stable key of an item: the same thing judged in the same task has the same key."""
    text = "\x1f".join([task, question, *judged])
    return hashlib.sha256(text.encode()).hexdigest()[:20]
