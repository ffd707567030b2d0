"""The record of a question: its text, its answers with their names, and the text that proves them.

All parts of Rollcall exchange questions in this form. Fields that a source does not know keep their defaults
and are not written to the file.
"""

from typing import Any

import msgspec

Characteristic = str | int | float | bool | list[str] | None


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
    """The verdict; None if nobody has decided."""
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


class Candidate(Answer, omit_defaults=True):
    """An entity offered in the closed setting; the system decides whether it is an answer."""

    is_answer: bool = False


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
    alternatives: list[list[Answer]] = []
    """Other complete answer sets, each by another annotator; a prediction is compared with the best-fitting
    one.
    """
    candidates: list[Candidate] = []
    """The candidates of the closed setting."""
    provenance: dict[str, Any] = {}
    extended: list[Answer] = []
    """Right answers that were found after the set was made. They are no part of `answers`: figures count them
    only in a row of their own.
    """
    searched: bool = False
    """Whether somebody looked for further answers, also if nothing was found. Figures with extended answers
    are means over these questions.
    """

    @property
    def relations(self) -> tuple[str, ...]:
        """The relations that it is about, as its characteristics say."""
        found = self.characteristics.get("relations")
        return tuple(sorted(set(map(str, found)))) if isinstance(found, list) else ()
