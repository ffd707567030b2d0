"""What one split knows of another: entities, facts, wordings and nearly equal questions.

Splits stand in the order training, validation, test; each is held against those before it, because a system
may learn from these.
"""

from collections.abc import Callable, Iterable

from rollcall.audit.check import QualityCheck
from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.audit.checks.same_question import answer_set
from rollcall.audit.findings import Findings
from rollcall.audit.material import Material
from rollcall.audit.near import near_pairs, sketch
from rollcall.questions.record import Answer, Question

ONE_SPLIT = "the set has only one split"


def _first_seen(
    material: Material, things: Callable[[Question], Iterable[str]]
) -> dict[str, dict[str, Question]]:
    """For each split, the things of its questions, each with the first question that has it."""
    found: dict[str, dict[str, Question]] = {}
    for question in material.questions:
        if question.split:
            seen = found.setdefault(question.split, {})
            for thing in things(question):
                seen.setdefault(thing, question)
    return found


def _earlier_splits(material: Material, findings: Findings) -> dict[str, list[str]]:
    if not material.later_splits:
        findings.skip(ONE_SPLIT)
    return dict(material.later_splits)


@QUALITY_CHECKS.register("leaked-wordings")
class LeakedWordings(QualityCheck):
    """Questions whose words an earlier split (training before validation before test) has, too."""

    severity = "error"

    def examine(self, material: Material, findings: Findings) -> None:
        before = _earlier_splits(material, findings)
        keys = dict(zip(map(id, material.questions), material.wording_keys, strict=True))
        seen = _first_seen(material, lambda question: filter(None, [keys[id(question)]]))
        for question in material.questions:
            earlier = before.get(question.split or "", [])
            if not earlier:
                continue
            findings.examined(question)
            owners = [
                seen[split][keys[id(question)]] for split in earlier if keys[id(question)] in seen[split]
            ]
            if owners:
                findings.found(
                    question,
                    f"as {owners[0].id} of {owners[0].split}",
                    f"{owners[0].split} → {question.split}",
                )


@QUALITY_CHECKS.register("leaked-near-duplicates")
class NearDuplicates(QualityCheck):
    """Questions that are nearly one of an earlier split: the same names, and almost the same words."""

    def examine(self, material: Material, findings: Findings) -> None:
        before = _earlier_splits(material, findings)
        splitted = [
            (question, key)
            for question, key in zip(material.questions, material.wording_keys, strict=True)
            if question.split and key and before
        ]
        for question, _key in splitted:
            findings.examined(question, bool(before.get(question.split or "")))
        sketches = [
            sketch(question, answer_set(question), material.entities(question)) for question, _key in splitted
        ]
        told: set[int] = set()
        for one, other in near_pairs(sketches, [question.split or "" for question, _key in splitted]):
            earlier, later = (
                (one, other) if _precedes(splitted[one][0], splitted[other][0], before) else (other, one)
            )
            if later in told or splitted[one][1] == splitted[other][1]:
                continue  # the same words are another check's
            told.add(later)
            first, question = splitted[earlier][0], splitted[later][0]
            findings.found(
                question,
                f"{first.id} of {first.split}: {first.question}",
                f"{first.split} → {question.split}",
            )


def _precedes(one: Question, other: Question, before: dict[str, list[str]]) -> bool:
    return one.split in before.get(other.split or "", [])


@QUALITY_CHECKS.register("leaked-facts")
class LeakedFacts(QualityCheck):
    """Answers all of whose facts are evidence in an earlier split, too."""

    severity = "note"
    unit = "answers with facts"

    def examine(self, material: Material, findings: Findings) -> None:
        before = _earlier_splits(material, findings)
        seen = _first_seen(
            material, lambda question: (fact for answer in question.answers for fact in _facts(answer))
        )
        for question in material.questions:
            earlier = before.get(question.split or "", [])
            for answer in question.answers if earlier else ():
                facts = _facts(answer)
                if not facts:
                    continue
                findings.examined(question)
                owners = [
                    next((seen[split][fact] for split in earlier if fact in seen[split]), None)
                    for fact in facts
                ]
                first = owners[0]
                if first is not None and all(owners):
                    findings.found(question, f"{answer.label}: {facts[0]} is in {first.id} of {first.split}")


def _facts(answer: Answer) -> list[str]:
    return sorted({piece.fact for piece in answer.evidence if piece.fact})


@QUALITY_CHECKS.register("leaked-entities")
class LeakedEntities(QualityCheck):
    """Questions about entities that questions of an earlier split are about, too."""

    severity = "note"

    def examine(self, material: Material, findings: Findings) -> None:
        before = _earlier_splits(material, findings)
        seen = _first_seen(material, material.entities)
        for question in material.questions:
            asked = material.entities(question)
            earlier = before.get(question.split or "", [])
            if not asked or not earlier:
                continue
            findings.examined(question)
            shared = [(one, seen[split][one]) for one in asked for split in earlier if one in seen[split]]
            if shared:
                entity, first = shared[0]
                name = next(iter(material.names(entity)), entity)
                findings.found(question, f"{name} is asked about in {first.id} of {first.split}")
