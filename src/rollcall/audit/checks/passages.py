"""Questions that need no search: answered by one passage, or without any text."""

from rollcall.audit.check import QualityCheck
from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.audit.findings import Findings
from rollcall.audit.material import Material
from rollcall.english.counting import counted
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.run import Run

ANSWERED = 0.8
"""The least F1 of a question that a system answers."""


@QUALITY_CHECKS.register("one-passage")
class OnePassage(QualityCheck):
    """Questions with several answers, all of which one passage proves."""

    def examine(self, material: Material, findings: Findings) -> None:
        for question in material.questions:
            if len(question.answers) < 2:
                continue
            passages = [
                {piece.passage for piece in answer.evidence if piece.passage} for answer in question.answers
            ]
            if not all(passages):
                continue
            findings.examined(question)
            if shared := set.intersection(*passages):
                findings.found(
                    question, f"{counted(len(question.answers), 'answer')} in passage {min(shared)}"
                )


@QUALITY_CHECKS.register("one-passage-answered")
class OnePassageAnswered(QualityCheck):
    """Questions that a system with one passage answers: an F1 of at least 80 %."""

    needs = ("one-passage",)

    def examine(self, material: Material, findings: Findings) -> None:
        assert material.one_passage is not None
        _answered(material, material.one_passage, findings)


@QUALITY_CHECKS.register("closed-book-answered")
class ClosedBookAnswered(QualityCheck):
    """Questions that a system answers without any text: an F1 of at least 80 %."""

    needs = ("closed-book",)

    def examine(self, material: Material, findings: Findings) -> None:
        assert material.closed_book is not None
        _answered(material, material.closed_book, findings)


def _answered(material: Material, run: Run, findings: Findings) -> None:
    """Score a run, and count the questions it answers; questions that it was not asked are not examined."""
    from rollcall.score.rules import Rules
    from rollcall.score.scoring import score_records

    questions = QuestionSet(list(material.by_id.values()))
    report = score_records(questions, run, Rules(measures="F1", missing="skip", confidence=None))
    column = report.columns[0]
    for (question, _said), value, counts in zip(report.pairs, column.values, column.counts, strict=True):
        if counts:
            findings.examined(question)
            if value >= ANSWERED:
                findings.found(question, f"F1 {100 * value:.0f} by {run.name or 'the run'}")
