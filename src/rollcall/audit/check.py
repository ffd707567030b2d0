"""The interface of quality checks: each looks at one way in which a set may be wrong, doubtful or lopsided.

A check declares what it needs, how grave a finding is and what it counts; the first line of its documentation
says what a finding means. It is given the material (`rollcall.audit.material`) and reports to `Findings`.
"""

from collections.abc import Iterable
from typing import ClassVar

from rollcall.audit.findings import Findings, Severity
from rollcall.audit.material import Material
from rollcall.configurable import Need
from rollcall.questions.record import Question
from rollcall.registry import lacks_method

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
        return "it is no subclass of rollcall.audit.QualityCheck"
    if issubclass(thing, QuestionCheck) and thing.examine is QuestionCheck.examine:
        return lacks_method(thing, QuestionCheck, "faults", "faults(question, material)")
    return lacks_method(thing, QualityCheck, "examine", "examine(material, findings)")
