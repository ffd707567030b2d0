"""Evidence that does not name what it should prove, or that a verifier doubts."""

import hashlib
from typing import TYPE_CHECKING

from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.audit.findings import Findings, QualityCheck
from rollcall.audit.material import (
    Material,
    answer_names,
    evidence_of,
    is_of_list,
    parsed_fact,
    resembles,
    words,
)
from rollcall.query.statements import Edge, Entity, Literal
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Evidence, Question
from rollcall.questions.run import Run
from rollcall.text.nouns import counted, demonyms, one_name

if TYPE_CHECKING:
    from rollcall.query.statements import AnyNode


_ADJECTIVES = demonyms()
DOUBTED = 0.5
"""A stored score below this says that the sentence probably does not state its fact."""


@QUALITY_CHECKS.register("unnamed-ends")
class UnnamedEnds(QualityCheck):
    """Evidence that names an end of its fact neither in the sentence nor in the title of its page."""

    severity = "error"
    unit = "pieces of evidence"

    def examine(self, material: Material, findings: Findings) -> None:
        for question in material.questions:
            for answer, piece in evidence_of(question):
                if not piece.text:
                    continue
                findings.examined(question)
                if unnamed := _unnamed(answer, piece, material):
                    findings.found(question, f"{unnamed} is not named: {piece.title or '?'}: {piece.text}")


def _unnamed(answer: Answer, piece: Evidence, material: Material) -> str:
    """The end of the fact that a piece of evidence does not name; without a fact, the answer."""
    text_words = [*words(piece.text), *words(piece.title or "")]
    fact = parsed_fact(piece.fact) if piece.fact is not None else None
    if fact is None:
        if piece.fact is not None or answer.id is None or resembles(answer_names(answer), text_words):
            return ""
        return answer.label
    for end in (fact.subject,) if is_of_list(fact) else (fact.subject, fact.object):
        if isinstance(end, Literal):
            if not _states(end, piece.text):
                return end.text
        elif isinstance(end, Entity):
            own = answer_names(answer) if answer.id == end.id else ()
            names = (*own, *material.names(end.id))
            adjectives = (word for name in names for word in _ADJECTIVES.get(one_name(name), ()))
            if names and not resembles((*names, *adjectives), text_words):
                return names[0]
    return ""


def _states(value: Literal, text: str) -> bool:
    """Whether a text states a value in any form, or has at least a number or a word of it."""
    from rollcall.evidence.values import ValueMatcher
    from rollcall.text.name_forms import plain

    matcher = ValueMatcher()
    matcher.add(value.value, 0)
    if matcher and matcher.find(plain(text)):
        return True
    parts = [part for part in words(str(value.value)) if len(part) > 1] or words(str(value.value))
    return not {*words(text), *words(text.replace(",", ""))}.isdisjoint(parts)


@QUALITY_CHECKS.register("doubted-evidence")
class DoubtedEvidence(QualityCheck):
    """Evidence that the verifier does not accept; without one, evidence whose stored score is below 0.5."""

    unit = "pieces of evidence"

    def examine(self, material: Material, findings: Findings) -> None:
        if material.verifier is None:
            _look_at_scores(material, findings)
        elif material.verifier.has_scores:
            _ask(material, findings)
        else:
            findings.skip(f"the verifier {material.verifier.name} gives no scores; name another one")


def _look_at_scores(material: Material, findings: Findings) -> None:
    verified = unverified = 0
    for question in material.questions:
        for answer, piece in evidence_of(question):
            if piece.score is None or (material.made_unverified and piece.score == 1):
                unverified += 1
                continue
            verified += 1
            findings.examined(question)
            if piece.score < DOUBTED:
                findings.found(question, _doubt(answer, piece, f"score {piece.score:.2f}"))
    if unverified:
        message = f"{counted(unverified, 'piece')} of evidence not verified; name a --verifier to ask"
        (findings.leave_out if verified else findings.skip)(message)


def _ask(material: Material, findings: Findings) -> None:
    """Ask the verifier about a sample of the evidence, drawn by a hash, so that the order does not matter."""
    from rollcall.evidence.labelled import Triple, known_relation, to_candidates

    assert material.verifier is not None
    drawn: list[tuple[str, Question, Answer, Evidence, Edge]] = []
    unknown = 0
    for question in material.questions:
        for answer, piece in evidence_of(question):
            fact = parsed_fact(piece.fact) if piece.fact is not None else None
            if fact is None or not piece.text or is_of_list(fact):
                continue
            if not _is_named(fact, material) or known_relation(fact.relation, material.graph) is None:
                unknown += 1
                continue
            rank = hashlib.sha256(f"{question.id} {piece.fact} {piece.text}".encode()).hexdigest()
            drawn.append((rank, question, answer, piece, fact))
    if unknown:
        message = f"{counted(unknown, 'piece')} of evidence whose facts have no names"
        message += "" if material.graph is not None else "; --graph gives them"
        (findings.leave_out if drawn else findings.skip)(message)
    drawn = sorted(drawn, key=lambda candidate: candidate[0])[: material.verified]
    triples = [
        Triple(piece.text, _end(fact.subject), fact.relation, _end(fact.object), topic=piece.title or "")
        for _rank, _question, _answer, piece, fact in drawn
    ]
    verdicts = material.verifier.verdicts(to_candidates(triples, material.graph, names=material.names))
    for row, (_rank, question, answer, piece, _fact) in enumerate(drawn):
        findings.examined(question)
        if not verdicts.accepted[row]:
            why = verdicts.reasons[row] or f"score {verdicts.scores[row]:.2f}"
            findings.found(question, _doubt(answer, piece, why))


def _is_named(fact: Edge, material: Material) -> bool:
    """Whether names are known of an end of a fact at least."""
    return any(isinstance(end, Literal) or material.names(_end(end)) for end in (fact.subject, fact.object))


def _end(node: "AnyNode") -> str:
    return (
        node.id if isinstance(node, Entity) else node.value.text if isinstance(node, Literal) else str(node)
    )


def _doubt(answer: Answer, piece: Evidence, why: str) -> str:
    return f"{answer.label}, {why}, for {piece.fact or 'it'}: {piece.text}"


# Questions that need no search: answered by one passage, or without any text.

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
    from rollcall.score.options import ScoringOptions
    from rollcall.score.scoring import score_records

    questions = QuestionSet(list(material.by_id.values()))
    report = score_records(questions, run, ScoringOptions(measures="F1", missing="skip", confidence=None))
    column = report.columns[0]
    for (question, _said), value, counts in zip(report.pairs, column.values, column.counts, strict=True):
        if counts:
            findings.examined(question)
            if value >= ANSWERED:
                findings.found(question, f"F1 {100 * value:.0f} by {run.name or 'the run'}")
