"""Answers that are given twice, share a name, are given away, or differ from the query's denotation."""

from collections import defaultdict

from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.audit.findings import Findings, QualityCheck, some
from rollcall.audit.material import (
    DenotationDifference,
    Material,
    answer_names,
    folded,
    graph_names,
    name_key,
)
from rollcall.questions.record import Answer, Question
from rollcall.text.names import whole_words
from rollcall.text.words import COMMON


@QUALITY_CHECKS.register("repeated-answers")
class RepeatedAnswers(QualityCheck):
    """Answers that are listed twice in one question: the same id, or the same label without ids to tell."""

    severity = "error"
    unit = "answers"

    def examine(self, material: Material, findings: Findings) -> None:
        for question in material.questions:
            findings.examined(question, len(question.answers))
            ids: set[str] = set()
            labels: dict[str, str | None] = {}
            for answer in question.answers:
                key = folded(answer.label)
                if answer.id is not None and answer.id in ids:
                    findings.found(question, f"{answer.label} ({answer.id}) is an answer twice", "same id")
                elif key in labels and (answer.id is None or labels[key] is None):
                    findings.found(question, f"{answer.label} is an answer twice", "same label")
                ids.update(() if answer.id is None else (answer.id,))
                labels.setdefault(key, answer.id)


@QUALITY_CHECKS.register("colliding-names")
class CollidingNames(QualityCheck):
    """Different answers of one question that share a name, so that nobody can tell which one is meant."""

    unit = "answers"

    def examine(self, material: Material, findings: Findings) -> None:
        for question in material.questions:
            findings.examined(question, len(question.answers))
            bearers: dict[str, list[int]] = defaultdict(list)
            for index, answer in enumerate(question.answers):
                for key in dict.fromkeys(map(name_key, answer_names(answer))):
                    if key:
                        bearers[key].append(index)
            seen: set[int] = set()
            for key, indices in bearers.items():
                different = [index for index in indices if _differs(question, index, indices)]
                if len(different) > 1 and not seen.issuperset(different):
                    shown = [_shown(question.answers[index]) for index in different]
                    findings.found(question, f"“{key}” is {some(shown)}", count=len(set(different) - seen))
                    seen.update(different)


def _differs(question: Question, index: int, indices: list[int]) -> bool:
    """Whether an answer does not repeat an earlier one; another check reports repetitions."""
    ids = [question.answers[other].id for other in indices if other < index]
    own = question.answers[index].id
    return own not in ids if own is not None else all(other is not None for other in ids)


def _shown(answer: Answer) -> str:
    return f"{answer.label} ({answer.id})" if answer.id else answer.label


@QUALITY_CHECKS.register("given-away")
class GivenAway(QualityCheck):
    """Answers whose name stands in the question."""

    unit = "answers"

    def examine(self, material: Material, findings: Findings) -> None:
        for question in material.questions:
            if not question.question:
                continue
            findings.examined(question, len(question.answers))
            text = folded(question.question)
            named = _own_names(question, material, text)
            for answer in question.answers:
                if name := _standing(answer, text, named):
                    findings.found(question, f"{_shown(answer)}, as “{name}”")


def _own_names(question: Question, material: Material, text: str) -> list[tuple[int, int, str]]:
    """Where the question names the entities it asks about, with their ids."""
    query = material.query(question)
    shown = dict(graph_names(question))
    ids = query.entities if query is not None else tuple(shown)
    named = []
    for id_ in ids:
        names = {folded(name) for name in (shown.get(id_, ""), *material.names(id_)) if name}
        named += [(*span, id_) for name in names for span in whole_words(text, name)]
    entities = question.provenance.get("entities")
    for label in entities if isinstance(entities, list) else ():
        named += [(*span, "") for span in whole_words(text, folded(str(label)))]
    return named


def _standing(answer: Answer, text: str, named: list[tuple[int, int, str]]) -> str:
    """The name of an answer that stands in the question, unless it is a part of another's name there."""
    if answer.id is None:
        return ""  # numbers and dates stand in questions as conditions
    for name in answer_names(answer):
        key = folded(name)
        if len(key) < 3 or key in COMMON or key == name:
            continue  # common nouns, in lower case, say what is asked for
        for start, end in whole_words(text, key):
            inside = [id_ for first, last, id_ in named if first <= start and end <= last]
            if not inside or answer.id in inside:
                return name
    return ""


# Answers against the denotation of the query: those outside it, and those that the gold lacks.


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
