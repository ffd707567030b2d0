"""The record of a question: its text, its answers with their names, and the text that proves them.

All parts of Rollcall exchange questions in this form. Fields that a source does not know keep their defaults
and are not written to the file.

An answer has a status. `Question.answers` are the answers that **count**: right, and required.
`Question.neutral` are those that are probably right and not required. Whoever reads only `answers`, such as
an older version or a script, requires nothing that text does not say.
"""

import re
from typing import Any, ClassVar, Literal

import msgspec

from rollcall.query.values import UNITS, Date, Number, Text, Value
from rollcall.text.nouns import plural

Characteristic = str | int | float | bool | list[str] | None
AnswerSource = Literal["graph", "text", "list", "people"]
"""What says that an answer is right."""
AnswerStatus = Literal["counts", "neutral"]
"""Whether an answer is required, or neither required nor wrong."""


class Evidence(msgspec.Struct, omit_defaults=True, gc=False):
    """A piece of text that states a fact: the sentence, its place, and the score of the verifier.

    Evidence without a score is not verified.
    """

    text: str = ""
    passage: str | None = None
    title: str | None = None
    url: str | None = None
    start: int | None = None
    end: int | None = None
    score: float | None = None
    fact: str | None = None


class AddedAlias(msgspec.Struct, omit_defaults=True, gc=False):
    """The source of an alias that was added to a gold answer."""

    text: str
    entity: str
    source: str
    lookup: str = "exact"


class AnswerProvenance(msgspec.Struct, omit_defaults=True, gc=False):
    """Where an answer came from that is not of the original gold, and who accepted it."""

    source: str = ""
    """Where it was found: `text`, `list`, `table`, `runs`, or another name."""
    by: str = ""
    """What judged it, as in a `Judgment`: `person`, `truth`, `model:NAME` or `verifier:NAME`."""
    who: str = ""
    right: bool | None = None
    """The verdict; None if it is undecided."""
    score: float | None = None
    """The verifier's score of its evidence."""
    note: str = ""


class Answer(msgspec.Struct, omit_defaults=True):
    """One gold answer: an entity or a value, with every name that counts as naming it."""

    label: str
    id: str | None = None
    aliases: list[str] = []
    evidence: list[Evidence] = []
    added: list[AddedAlias] = []
    """The provenance of those aliases that an expansion added."""
    provenance: AnswerProvenance | None = None
    """Where it came from, if it is not of the original gold."""
    sources: list[AnswerSource] = []
    """What says that it is right; empty if that is not known."""
    status: ClassVar[AnswerStatus] = "counts"


class NeutralAnswer(Answer, omit_defaults=True):
    """An answer that is probably right and not required: giving it is neither rewarded nor penalised."""

    unproved: str = ""
    """The fact that no sentence states, if one is known to be missing."""
    nearest: Evidence | None = None
    """The sentence that comes nearest to stating this fact; None if no sentence names both of its ends."""
    status: ClassVar[AnswerStatus] = "neutral"

    @property
    def reason(self) -> str:
        """Why it does not count, in a few words."""
        if self.nearest is None:
            if self.unproved:
                return "no sentence names both"
            if self.sources == ["graph"] and self.provenance is not None and self.provenance.note:
                return self.provenance.note
            return "the graph lacks it" if self.sources == ["text"] else "no text proves it"
        score = "" if self.nearest.score is None else f" (score {self.nearest.score:.2f})"
        title = f" on {self.nearest.title}" if self.nearest.title else ""
        return f"the nearest sentence does not state it{score}{title}: {self.nearest.text}"


class Candidate(Answer, omit_defaults=True):
    """An entity offered in the closed setting; the system decides whether it is an answer."""

    is_answer: bool = False


def name_order(answer: Answer) -> tuple[str, str, str]:
    """The key by which the answers of a question are sorted."""
    return answer.label.casefold(), answer.label, answer.id or ""


class QueryRecord(msgspec.Struct, omit_defaults=True):
    """The formal query of a question: its canonical text, and its graph if the source gives one."""

    text: str = ""
    graph: Any = None
    sparql: str | None = None


class Question(msgspec.Struct, omit_defaults=True):
    """A question with its complete answer set and everything known about it."""

    id: str
    question: str = ""
    wordings: list[str] = []
    kind: str | None = None
    query: QueryRecord | None = None
    characteristics: dict[str, Characteristic] = {}
    cluster: str | None = None
    split: str | None = None
    answers: list[Answer] = []
    """The answers that count."""
    alternatives: list[list[Answer]] = []
    """Other complete answer sets, each by another annotator; a prediction is compared with the best-fitting
    one.
    """
    candidates: list[Candidate] = []
    """The candidates of the closed setting."""
    provenance: dict[str, Any] = {}
    extended: list[Answer] = []
    """Right answers that were found after the set was made. They are not part of `answers`: figures count
    them only in a row of their own.
    """
    searched: bool = False
    """Whether people searched for further answers, even if they found none. Figures with extended answers
    are means over these questions.
    """
    neutral: list[NeutralAnswer] = []
    """The answers that are probably right and not required."""

    @property
    def relations(self) -> tuple[str, ...]:
        """The relations that it is about, as its characteristics say."""
        relations = self.characteristics.get("relations")
        return tuple(sorted(set(map(str, relations)))) if isinstance(relations, list) else ()


# The names of a value that is an answer: the ways in which text and people write numbers and dates.


def value_names(value: Value, unit_label: str = "") -> list[str]:
    """The written forms of a value, the usual one first; `unit_label` names a unit that is not built in."""
    names = [str(value), *_others(value)]
    if unit_label and isinstance(value, Number) and value.unit not in UNITS:
        units = (unit_label,) if value.amount == 1 else (plural(unit_label), unit_label)
        amounts = names[1:]  # the first name ends with the id of the unit
        names = [f"{amount} {unit}" for unit in units for amount in amounts] + amounts
    return list(dict.fromkeys(names))


def _others(value: Value) -> list[str]:
    if isinstance(value, Number):
        plain = f"{value.amount:f}" if abs(value.amount.adjusted()) < 30 else str(value.amount)
        grouped = f"{value.amount:,f}" if abs(value.amount.adjusted()) < 30 else plain
        if value.unit is None:
            return [plain]
        names = UNITS[value.unit].names if value.unit in UNITS else ()
        return [f"{amount} {name}" for name in names for amount in (grouped, plain)] + [grouped, plain]
    if isinstance(value, Date) and value.day is not None and value.year > 0:
        day, month, year = str(value).split()
        return [f"{month} {day}, {year}", f"{value.year:04}-{value.month:02}-{value.day:02}"]
    if isinstance(value, Text):
        return [value.content]
    return []


# The items of a list that is written as text, such as `Belgium, France; Italy`. One rule serves gold
# answers and responses alike: lines, or else parts between semicolons, or else between commas that stand
# neither inside brackets nor between digits.

_BULLET = re.compile(r"^\s*(?:[-*•–]|\(?\d{1,3}[.):])\s+")
_OPENING, _CLOSING = "([{“", ")]}”"


def text_items(text: str) -> list[str]:
    """The items of a list as text, each once.

    >>> text_items("Belgium, France (with Corsica, too), 1,200")
    ['Belgium', 'France (with Corsica, too)', '1,200']
    """
    lines = [_BULLET.sub("", line).strip() for line in text.splitlines()]
    parts = [line for line in lines if line]
    if len(parts) == 1:
        parts = parts[0].split(";") if ";" in parts[0] else _between_commas(parts[0])
    return list(dict.fromkeys(part.strip() for part in parts if part.strip()))


def _between_commas(text: str) -> list[str]:
    parts, start, depth = [], 0, 0
    for index, character in enumerate(text):
        depth += (character in _OPENING) - (character in _CLOSING)
        around = text[index - 1 : index] + text[index + 1 : index + 2]
        if character == "," and depth <= 0 and not (len(around) == 2 and around.isdigit()):
            parts.append(text[start:index])
            start = index + 1
    return [*parts, text[start:]]
