"""The record of an answer that a set may lack, and its file: one JSON line each, best first."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from rollcall.files import open_compressed, replacing
from rollcall.questions.question_set import decode_lines
from rollcall.questions.record import Evidence

CANDIDATES = "candidates.jsonl"
"""The name of the file in the folder of an audit."""


class MissingAnswer(msgspec.Struct, omit_defaults=True):
    """An answer that the gold does not have, how likely it is right, and what speaks for it."""

    question: str
    """The question's id."""
    asked: str
    """The question in words."""
    answer: str
    entity: str | None = None
    chance: float = 0.0
    """How likely it is right, by all sources together."""
    sources: list[str] = []
    """What speaks for it: `text`, `lists`, `runs`, or `graph` if the graph has it and the gold does not."""
    runs: list[str] = []
    """The runs that gave it."""
    score: float | None = None
    """The verifier's score of the evidence; the lowest, if several facts are needed."""
    typed: bool | None = None
    """Whether the graph says that it is of the class that is asked for; None if it does not say."""
    facts: list[str] = []
    """The facts that it needs and the graph lacks."""
    evidence: list[Evidence] = []


def read_candidates(path: Path | str) -> list[MissingAnswer]:
    """The candidates of a file; a bad line is named by its number."""
    path = Path(path)
    with open_compressed(path) as stream:
        return decode_lines(stream.read(), msgspec.json.Decoder(MissingAnswer), path)


def write_candidates(candidates: Iterable[MissingAnswer], path: Path | str) -> None:
    """Write candidates as JSON lines, in the given order."""
    encoder = msgspec.json.Encoder()
    with replacing(Path(path)) as partial, partial.open("wb") as stream:
        for candidate in candidates:
            stream.write(encoder.encode(candidate) + b"\n")
