"""Answers against the denotation of the query: those outside it, and those that the gold lacks."""

from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.audit.findings import Findings, QualityCheck, some
from rollcall.audit.material import DenotationDifference, Material
from rollcall.questions.record import Question


class DenotationCheck(QualityCheck):
    """Looks at the questions whose query the graph can answer."""

    unit = "answers in the graph"
    needs = ("graph",)

    def examine(self, material: Material, findings: Findings) -> None:
        for question, compared in zip(material.questions, material.denotations, strict=True):
            if compared is not None:
                self.count(question, compared, findings)

    def count(self, question: Question, compared: DenotationDifference, findings: Findings) -> None:
        """Count for one question what is examined and found."""
        raise NotImplementedError


@QUALITY_CHECKS.register("outside-denotation")
class OutsideDenotation(DenotationCheck):
    """Answers that are not in the denotation of their question's query."""

    severity = "error"
    unit = "answers"

    def count(self, question: Question, compared: DenotationDifference, findings: Findings) -> None:
        findings.examined(question, len(question.answers))
        for answer in compared.outside:
            findings.found(question, f"{answer.label} ({answer.id or 'a value'})")


@QUALITY_CHECKS.register("missing-answers")
class MissingAnswers(DenotationCheck):
    """Answers in the denotation that the gold lacks, beyond those that the set says it left out."""

    def count(self, question: Question, compared: DenotationDifference, findings: Findings) -> None:
        findings.examined(question, compared.size)
        lost = len(compared.missing) - left_out(question)
        if lost > 0:
            which = "some of " if lost < len(compared.missing) else ""
            findings.found(question, f"lacks {which}{some(compared.missing)}", count=lost)


@QUALITY_CHECKS.register("left-out-answers")
class LeftOutAnswers(DenotationCheck):
    """Answers in the denotation that the set left out on purpose, because no text proves them."""

    severity = "note"

    def count(self, question: Question, compared: DenotationDifference, findings: Findings) -> None:
        findings.examined(question, compared.size)
        known = min(left_out(question), len(compared.missing))
        if known:
            findings.found(question, f"left out {some(compared.missing)}", count=known)


def left_out(question: Question) -> int:
    """How many answers of the graph a set says it left out: those that it counted and did not keep at all."""
    in_graph, kept = question.provenance.get("answers_in_graph"), question.characteristics.get("answers")
    if not isinstance(in_graph, int) or not isinstance(kept, int):
        return 0
    return max(0, in_graph - kept - len(question.neutral))
