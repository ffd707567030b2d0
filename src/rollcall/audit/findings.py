"""What a check examined and found: counts by question, sorts of faults, and a few examples of each sort.

Counts are kept by question, because the answers of one question are not independent of each other: the
interval of a share is that of scoring, with the question as its unit. Examples are the first of each sort in
the order of the set, so the same set gives the same bytes.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import ClassVar, Literal

import msgspec

from rollcall._core.registry import Need, lacks_method
from rollcall.audit.material import Material
from rollcall.questions.record import Question
from rollcall.score.figures import Ratio, interval

Severity = Literal["error", "warning", "note"]
"""An error is wrong, a warning doubtful; a note describes the set and is neither."""
CONFIDENCE = 0.95
_LONGEST = 400
"""The most characters of an example's text."""
_MOST_VALUES = 20
"""The most values of a distribution that are kept."""


class Example(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that was found, and the question it belongs to."""

    question: str
    """The question's id."""
    text: str
    sort: str = ""
    wording: str = ""
    """The question's text."""


class Value(msgspec.Struct, frozen=True, omit_defaults=True):
    """One value of a distribution: how often the set has it, and how often it would be expected to."""

    name: str
    count: int
    expected: float = 0.0


class CheckResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of one check: how many were examined and found, with the interval of the share."""

    check: str
    meaning: str
    severity: Severity
    unit: str
    """What is counted, such as `answers`."""
    examined: int = 0
    found: int = 0
    interval: tuple[float, float] | None = None
    sorts: dict[str, int] = {}
    """How many of each sort, if there are several sorts of what was found."""
    examples: list[Example] = []
    values: list[Value] = []
    """The distribution, for a check of balance; the most frequent values."""
    skipped: str = ""
    """Why the check was not made, if it was not."""
    left_out: str = ""
    """What a check that was made could not examine, and why."""

    @property
    def share(self) -> float | None:
        """The share found of what was examined; None if nothing was examined."""
        return self.found / self.examined if self.examined else None


class Findings:
    """Collects what one check examines and finds."""

    def __init__(self, examples: int = 5):
        self._most = examples
        self._examined: Counter[str] = Counter()
        self._found: Counter[str] = Counter()
        self._sorts: Counter[str] = Counter()
        self._examples: dict[str, list[Example]] = {}
        self._values: list[Value] = []
        self._balance: tuple[int, int] | None = None
        self._skipped = self._left_out = ""

    def examined(self, question: Question, count: int = 1) -> None:
        """Count things of a question that are looked at."""
        if count:
            self._examined[question.id] += count

    def found(self, question: Question, text: str, sort: str = "", count: int = 1) -> None:
        """Count things of a question that are at fault; `text` says what, `sort` which sort of fault."""
        self._found[question.id] += count
        self._sorts[sort] += count
        examples = self._examples.setdefault(sort, [])
        if len(examples) < self._most:
            cut = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
            examples.append(Example(question.id, cut, sort, question.question))

    def distribution(self, counts: Mapping[str, int], expected: Mapping[str, float]) -> None:
        """The values that a check of balance counted, and the shares that were expected of them.

        Found are those that would have to have another value for all shares to be as expected.
        """
        total = sum(counts.values())
        excess = sum(max(0.0, count - total * expected.get(name, 0.0)) for name, count in counts.items())
        self._balance = total, round(excess)
        ordered = sorted(
            {*counts, *expected}, key=lambda name: (-counts.get(name, 0), -expected.get(name, 0.0), name)
        )
        self._values = [
            Value(name, counts.get(name, 0), round(total * expected.get(name, 0.0), 1))
            for name in ordered[:_MOST_VALUES]
        ]

    def skip(self, why: str) -> None:
        """The check cannot be made on this set."""
        self._skipped = why

    def leave_out(self, what: str) -> None:
        """Some of the set cannot be examined; `what` says how much, and why."""
        self._left_out = what

    def result(self, check: str, meaning: str, severity: Severity, unit: str) -> CheckResult:
        """Everything as one record."""
        examples = [example for sort in sorted(self._examples) for example in self._examples[sort]]
        return CheckResult(
            check,
            meaning,
            severity,
            unit,
            *(self._balance or (sum(self._examined.values()), sum(self._found.values()))),
            self._interval(),
            {} if set(self._sorts) <= {""} else dict(sorted(self._sorts.items())),
            examples,
            self._values,
            self._skipped,
            self._left_out,
        )

    def _interval(self) -> tuple[float, float] | None:
        below = list(self._examined.values())
        above = [self._found[id_] for id_ in self._examined]
        ends = interval(Ratio([*map(float, above)], [*map(float, below)]), CONFIDENCE)
        return None if ends is None else (round(ends[0], 6), round(ends[1], 6))


def skipped(check: str, meaning: str, severity: Severity, unit: str, why: str) -> CheckResult:
    """The result of a check that was not made."""
    return CheckResult(check, meaning, severity, unit, skipped=why)


def some(names: Iterable[str], most: int = 3) -> str:
    """The first of some names, and how many more there are."""
    listed = list(names)
    more = f" and {len(listed) - most:,} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more


# The interface of quality checks: each looks at one way in which a set may be wrong, doubtful or
# lopsided. A check declares what it needs, how grave a finding is and what it counts; the first line of
# its documentation says what a finding means. It is given the material (`rollcall.audit.material`) and
# reports to `Findings`.

NEEDS = {
    "graph": Need("a graph", "--graph", "graph="),
    "corpus": Need("a corpus", "--corpus", "corpus="),
    "closed-book": Need("a run without any text", "--closed-book", "closed_book="),
    "one-passage": Need("a run with one passage", "--one-passage", "one_passage="),
}
"""Everything that quality checks may need."""


class QualityCheck:
    """Looks at a whole set; the first line of its documentation says what is found."""

    severity: ClassVar[Severity] = "warning"
    unit: ClassVar[str] = "questions"
    """What it counts."""
    needs: ClassVar[tuple[str, ...]] = ()
    """What it cannot work without: `graph`, `corpus`, `closed-book`, `one-passage`."""

    def examine(self, material: Material, findings: Findings) -> None:
        """Count what is examined and what is found."""
        raise NotImplementedError


class QuestionCheck(QualityCheck):
    """Looks at one question at a time."""

    def faults(self, question: Question, material: Material) -> Iterable[str]:
        """What is wrong with a question, in words; nothing if it is in order."""
        raise NotImplementedError

    def examine(self, material: Material, findings: Findings) -> None:
        """Ask for the faults of every question; a question counts once, however many it has."""
        for question in material.questions:
            findings.examined(question)
            if listed := list(self.faults(question, material)):
                findings.found(question, "; ".join(listed))


def lacks(thing: object) -> str | None:
    """What something lacks to be a quality check."""
    if not (isinstance(thing, type) and issubclass(thing, QualityCheck)):
        return "it is not a subclass of rollcall.audit.QualityCheck"
    if issubclass(thing, QuestionCheck) and thing.examine is QuestionCheck.examine:
        return lacks_method(thing, QuestionCheck, "faults", "faults(question, material)")
    return lacks_method(thing, QualityCheck, "examine", "examine(material, findings)")
