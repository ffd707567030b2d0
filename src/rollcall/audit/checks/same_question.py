"""Questions that say the same as another: the same query or the same words, with equal answers or others."""

from collections import defaultdict
from collections.abc import Iterator

from rollcall.audit.check import QualityCheck
from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.audit.findings import Findings
from rollcall.audit.material import Material
from rollcall.audit.words import folded, wording_key
from rollcall.questions.record import Question

QUERY, WORDS, FURTHER = "same query", "same words", "a further wording has the same words"


@QUALITY_CHECKS.register("repeated-questions")
class RepeatedQuestions(QualityCheck):
    """Questions that say the same as an earlier one and have the same answers."""

    severity = "error"

    def examine(self, material: Material, findings: Findings) -> None:
        for question in material.questions:
            findings.examined(question)
        for sort, earlier, question in _repeats(material):
            if answer_set(earlier) == answer_set(question):
                findings.found(question, f"as {earlier.id}: {earlier.question}", sort)


@QUALITY_CHECKS.register("contradicting-questions")
class ContradictingQuestions(QualityCheck):
    """Questions that say the same as an earlier one and have other answers."""

    severity = "error"

    def examine(self, material: Material, findings: Findings) -> None:
        for question in material.questions:
            findings.examined(question)
        for sort, earlier, question in _repeats(material):
            mine, others = answer_set(question), answer_set(earlier)
            if mine != others:
                shared = len(mine & others)
                told = f"{len(mine)} and {len(others)} answers, {shared} of them shared"
                findings.found(question, f"as {earlier.id}, but {told}: {earlier.question}", sort)


def answer_set(question: Question) -> frozenset[str]:
    """The answers of a question, by id or, without one, by label."""
    return frozenset(answer.id or folded(answer.label) for answer in question.answers)


def _repeats(material: Material) -> Iterator[tuple[str, Question, Question]]:
    """Each question that repeats an earlier one, once, and the earlier one.

    Paraphrases of one query in one cluster are meant to be there, unless their words are the same, too.
    """
    asked: dict[str, Question] = {}
    further: dict[str, Question] = {}
    queries: dict[str, list[Question]] = defaultdict(list)
    for key, question in zip(material.wording_keys, material.questions, strict=True):
        query = material.query(question)
        same = queries[query.text] if query is not None else []
        others = [one for one in same if not _is_paraphrase(one, question)]
        wordings = [wording_key(wording) for wording in question.wordings]
        owners = [further.get(key), *(asked.get(one) or further.get(one) for one in wordings)]
        alike = [one for one in owners if one is not None and not _is_paraphrase(one, question)]
        if key in asked:
            yield WORDS, asked[key], question
        elif others:
            yield QUERY, others[0], question
        elif alike:
            yield FURTHER, alike[0], question
        if key:
            asked.setdefault(key, question)
        for one in filter(None, wordings):
            further.setdefault(one, question)
        if len(same) < 2 and not any(_is_paraphrase(one, question) for one in same):
            same.append(question)  # of two clusters, one is not that of a later question


def _is_paraphrase(one: Question, other: Question) -> bool:
    return one.cluster is not None and one.cluster == other.cluster
