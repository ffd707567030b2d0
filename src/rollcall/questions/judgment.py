"""The record of a judgment: whether one answer to one question is right, and who says so.

Judgments of counted errors tell how many of them are right, so each says whether its pair was drawn at
random: only drawn pairs speak for those that nobody looked at. A file has one JSON line for each.
"""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from rollcall.errors import RollcallError
from rollcall.files import open_compressed, replacing
from rollcall.questions.question_set import decode_lines
from rollcall.questions.record import Evidence

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
    """None if it cannot be decided, or nobody has decided yet."""
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
    for place, judgment in enumerate(judgments, 1):
        if (fault := judgment_fault(judgment)) is not None:
            raise RollcallError(f"{path}: judgment {place} {fault}")
    return judgments


def write_judgments(judgments: Iterable[Judgment], path: Path | str) -> None:
    """Write judgments as JSON lines."""
    encoder = msgspec.json.Encoder()
    with replacing(Path(path)) as partial, partial.open("wb") as stream:
        for judgment in judgments:
            stream.write(encoder.encode(judgment) + b"\n")


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
        return f"has a score that is no probability: {judgment.score!r:.80}"
    return None
