"""The question as a record: what is asked, its answers with their names, and the text that proves them.

Every part of Rollcall hands questions on in this form. Fields a source does not know stay at their
defaults and are left out of the file, so that a record holds only what is known.
"""

from typing import Any

import msgspec

Characteristic = str | int | float | bool | list[str] | None


class Evidence(msgspec.Struct, omit_defaults=True, gc=False):
    """A piece of text that states a fact: the sentence, where it stands, and how sure the verifier is."""

    text: str = ""
    passage: str | None = None
    title: str | None = None
    url: str | None = None
    start: int | None = None
    end: int | None = None
    score: float | None = None
    fact: str | None = None


class AddedAlias(msgspec.Struct, omit_defaults=True, gc=False):
    """Where an alias that was added to a gold answer came from."""

    text: str
    entity: str
    source: str
    lookup: str = "exact"


class Answer(msgspec.Struct, omit_defaults=True):
    """One gold answer: an entity or a value, with every name that counts as naming it."""

    label: str
    id: str | None = None
    aliases: list[str] = []
    evidence: list[Evidence] = []
    added: list[AddedAlias] = []
    """The provenance of those aliases that an expansion added."""


class Candidate(Answer, omit_defaults=True):
    """An entity the closed setting offers; the system says whether it is an answer."""

    is_answer: bool = False


class QueryRecord(msgspec.Struct, omit_defaults=True):
    """The formal query behind a question: its canonical text, and its graph where the source gives one."""

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
    """Other complete answer sets, each by another annotator; a prediction is held against the best."""
    candidates: list[Candidate] = []
    """What the closed setting offers."""
    provenance: dict[str, Any] = {}
