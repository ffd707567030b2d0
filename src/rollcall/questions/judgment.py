"""The record of a judgment: whether one answer to one question is right, and who says so.

Judgments of counted errors tell how many of them are right, so each says whether its pair was drawn at
random: only drawn pairs are representative of those that were not judged. A file has one JSON line for each.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import msgspec

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall._core.files import open_compressed, replacing
from rollcall.questions.question_set import decode_lines, encode_lines
from rollcall.questions.record import Answer, Evidence, Question

JUDGMENTS = "judgments.jsonl"
"""The name of the file in the folder of an audit."""
PEOPLE = ("person", "truth")
"""What `by` says of judgments that count as true: people, and the truth of a generated world."""
MACHINES = ("model:", "verifier:")
"""What `by` begins with for judgments that may be wrong, followed by a name."""


class Judgment(msgspec.Struct, omit_defaults=True):
    """Whether an answer to a question is right."""

    question: str
    """The question's id."""
    answer: str
    """The answer, as the system gave it."""
    entity: str | None = None
    """The entity that it names, if it is known."""
    right: bool | None = None
    """None if it cannot be decided, or is not decided yet."""
    by: str = ""
    """`person`, `truth` (of a world), `model:NAME` or `verifier:NAME`; empty before anybody has judged."""
    who: str = ""
    score: float | None = None
    """The probability that it is right, where a machine judged."""
    evidence: list[Evidence] = []
    note: str = ""
    asked: str = ""
    """The question's text, for whoever judges."""
    drawn: bool = False
    """Whether the pair was drawn at random among all counted errors, not chosen for how it looked."""

    @property
    def by_people(self) -> bool:
        """Whether the judgment counts as true, as those of people do."""
        return self.by in PEOPLE

    @property
    def chance(self) -> float | None:
        """The probability that it is right, by whoever judged; None if that is not known."""
        if self.score is not None and not self.by_people:
            return self.score
        return None if self.right is None else float(self.right)


def read_judgments(path: Path | str) -> list[Judgment]:
    """The judgments of a file; a bad line is named by its number."""
    path = Path(path)
    with open_compressed(path) as stream:
        judgments = decode_lines(stream.read(), msgspec.json.Decoder(Judgment), path)
    for number, judgment in enumerate(judgments, 1):
        if (fault := judgment_fault(judgment)) is not None:
            raise RollcallError(f"{path}: judgment {number} {fault}")
    return judgments


def write_judgments(judgments: Iterable[Judgment], path: Path | str) -> None:
    """Write judgments as JSON lines."""
    with replacing(Path(path)) as partial, partial.open("wb") as stream:
        stream.writelines(encode_lines(judgments))


def judgment_fault(judgment: object) -> str | None:
    """What is wrong with a judgment, in one line."""
    if not isinstance(judgment, Judgment):
        return f"is a value of type {type(judgment).__name__}, not a Judgment"
    if not isinstance(judgment.question, str) or not isinstance(judgment.answer, str):
        return "has a question or an answer that is not a string"
    if not isinstance(judgment.right, bool | None):
        return f"has a verdict that is neither true, false nor null: {judgment.right!r:.80}"
    named = any(judgment.by.startswith(kind) and judgment.by != kind for kind in MACHINES)
    if not named and judgment.by not in ("", *PEOPLE):
        return (
            f"is by {judgment.by!r:.80}; write {', '.join(PEOPLE)}, "
            f"{' or '.join(f'{kind}NAME' for kind in MACHINES)}"
        )
    if judgment.right is not None and not judgment.by:
        return "has a verdict, but does not say by whom; write `by`, such as person"
    if judgment.score is not None and not 0 <= judgment.score <= 1:
        return f"has a score that is not a probability: {judgment.score!r:.80}"
    return None


# How complete the gold answers of a set are: one figure, and figures for kinds and relations.
# Completeness is the number of gold answers of a group of questions, divided by the number of all their
# right answers. It is a share of answers, not a mean of the questions' shares. A file has one JSON
# object: this record, or only a number for each kind.

COMPLETENESS = "completeness.json"
"""The name of the file in the folder of an audit."""
KIND = "kind"


class Completeness(msgspec.Struct, omit_defaults=True):
    """The share of all right answers that the gold has, with the interval of its estimate."""

    estimate: float | None = None
    """Of all questions; None if only the figures of kinds are known."""
    low: float | None = None
    """The lower end of its interval; None if the estimate counts as exact."""
    high: float | None = None
    method: str = ""
    """How it was estimated, such as `chapman`; empty if it was only given."""
    questions: int = 0
    """The number of questions that it was estimated from."""
    by: "dict[str, dict[str, Completeness]]" = {}
    """The same for groups of questions: by `kind` and by `relation`, each a table by name."""

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest completeness that is considered possible."""
        if self.estimate is None:
            raise RollcallError("the completeness of all questions is not known, only that of some kinds")
        low = self.estimate if self.low is None else self.low
        high = self.estimate if self.high is None else self.high
        return low, high

    def of_kind(self, kind: str | None) -> "Completeness":
        """The completeness of a kind; that of all questions if the kind has no figure of its own."""
        return self.by.get(KIND, {}).get(kind or "", self)

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """Read a file: this record, a number, or a number for each kind."""
        path = Path(path)
        with open_compressed(path) as stream:
            data = stream.read()
        try:
            content = msgspec.json.decode(data)
        except UNREADABLE as error:
            raise RollcallError(f"{path}: is not JSON ({why(error)})") from error
        try:
            return cls.of(content)
        except RollcallError as error:
            raise RollcallError(f"{path}: {error}") from None

    @classmethod
    def of(cls, given: object) -> Self:
        """A checked completeness from a record, a number, or a mapping from kinds to numbers or records."""
        try:
            if isinstance(given, Completeness):
                completeness = msgspec.convert(msgspec.to_builtins(given), cls)
            else:
                record = _record(given) if isinstance(given, Mapping) else {"estimate": given}
                completeness = msgspec.convert(record, cls)
        except msgspec.ValidationError as error:
            raise RollcallError(
                f"completeness: give a share, such as 0.88, or one for each kind ({why(error)})"
            ) from None
        _check(completeness, "completeness")
        return completeness

    def save(self, path: Path | str) -> None:
        """Write it as one JSON file."""
        text = msgspec.json.format(msgspec.json.encode(self), indent=1)
        with replacing(Path(path)) as partial:
            partial.write_bytes(text + b"\n")


def _record(figures: Mapping[Any, object]) -> dict[str, object]:
    """A mapping in the record's form; one without the record's keys leads from kinds to figures."""
    if {"estimate", "by"} & figures.keys():
        return dict(figures)
    return {
        "by": {
            KIND: {
                str(kind): dict(figure) if isinstance(figure, Mapping) else {"estimate": figure}
                for kind, figure in figures.items()
            }
        }
    }


def _check(completeness: Completeness, where: str) -> None:
    if completeness.estimate is None:
        if not completeness.by.get(KIND):
            raise RollcallError(f"{where}: give a share, such as 0.88, or one for each kind")
    else:
        low, high = completeness.ends
        if not 0 < low <= completeness.estimate <= high <= 1:
            within = "" if low == high else f" in [{low!r:.40}, {high!r:.40}], between which it must lie"
            raise RollcallError(
                f"{where}: give a share above 0 and at most 1, such as 0.88; "
                f"not {completeness.estimate!r:.40}{within}"
            )
    for name, groups in completeness.by.items():
        for key, group in groups.items():
            _check(group, f"{where} of {name} {key!r:.80}")


# Which passages prove the answers of a question: what retrieval is measured by, here and in other tools.
# A passage is relevant if it proves an answer. Each answer is a subtopic of its question, as TREC's
# diversity tracks have them: a retriever should find a passage for each. Evidence without the id of a
# passage gets an id from its text, so that it is not lost.


def passage_id(evidence: Evidence) -> str | None:
    """The id of the passage of a piece of evidence; None if it has neither an id nor text."""
    if evidence.passage:
        return evidence.passage
    if not evidence.text:
        return None
    return f"text-{hashlib.sha256(evidence.text.encode()).hexdigest()[:16]}"


def proving(answers: Iterable[Answer]) -> list[str]:
    """The ids of the passages that prove any of these answers, in order and each once."""
    ids = (passage_id(piece) for answer in answers for piece in answer.evidence)
    return list(dict.fromkeys(id_ for id_ in ids if id_ is not None))


def relevant_passages(question: Question) -> list[str]:
    """The ids of the passages that prove an answer of a question."""
    return proving(question.answers)


def by_answer(question: Question) -> list[list[str]]:
    """For each answer that has evidence, the ids of the passages that prove it."""
    return [passages for answer in question.answers if (passages := proving([answer]))]


def evidence_passages(questions: Sequence[Question]) -> dict[str, tuple[str, str]]:
    """The title and text of every passage that is known from evidence alone: its proving sentences, in order.

    This is not the whole passage; a corpus has that.
    """
    pieces: dict[str, dict[tuple[int, str], str]] = {}
    titles: dict[str, str] = {}
    for question in questions:
        for answer in question.answers:
            for piece in answer.evidence:
                id_ = passage_id(piece)
                if id_ is not None and piece.text:
                    pieces.setdefault(id_, {})[piece.start or 0, piece.text] = piece.text
                    titles.setdefault(id_, piece.title or "")
    return {
        id_: (titles[id_], " ".join(dict.fromkeys(dict(sorted(pieces[id_].items())).values())))
        for id_ in pieces
    }
