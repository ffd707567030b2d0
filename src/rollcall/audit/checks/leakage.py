"""What one split knows of another: entities, facts, wordings and nearly equal questions.

Splits stand in the order training, validation, test; each is compared with those before it, because a system
may learn from these.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.audit.findings import Findings, QualityCheck
from rollcall.audit.material import IMPERATIVES, WORD, Material, folded, wording_key
from rollcall.questions.record import Answer, Question
from rollcall.text.words import COMMON, base_form

# Questions that say the same as another: the same query or the same words, with equal answers or others.

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
            own, others = answer_set(question), answer_set(earlier)
            if own != others:
                shared = len(own & others)
                difference = f"{len(own)} and {len(others)} answers, {shared} of them shared"
                findings.found(question, f"as {earlier.id}, but {difference}: {earlier.question}", sort)


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
        same_query = queries[query.text] if query is not None else []
        others = [earlier for earlier in same_query if not _is_paraphrase(earlier, question)]
        wordings = [wording_key(wording) for wording in question.wordings]
        owners = [further.get(key), *(asked.get(wording) or further.get(wording) for wording in wordings)]
        alike = [owner for owner in owners if owner is not None and not _is_paraphrase(owner, question)]
        if key in asked:
            yield WORDS, asked[key], question
        elif others:
            yield QUERY, others[0], question
        elif alike:
            yield FURTHER, alike[0], question
        if key:
            asked.setdefault(key, question)
        for wording in filter(None, wordings):
            further.setdefault(wording, question)
        if len(same_query) < 2 and not any(_is_paraphrase(earlier, question) for earlier in same_query):
            same_query.append(question)  # of two clusters, one is not that of a later question


def _is_paraphrase(first: Question, second: Question) -> bool:
    return first.cluster is not None and first.cluster == second.cluster


# Finds nearly equal questions at bounded cost: MinHash of words and pairs of words, then a comparison. A
# pair counts if most words and pairs of words are the same, all names and numbers are, and the answers
# agree: mostly if no word of content differs, nearly all otherwise. In long questions one other word, or
# another order, may ask for something else, and then the answers tell. Every bucket of the index gives
# each of its members a few others only, so the cost grows with the number of questions and not with its
# square.

ALIKE = 0.7
"""The least Jaccard index of words and pairs of words."""
AGREEING, NEARLY_EQUAL = 0.5, 0.9
"""The least Jaccard index of the answers: where all words of content are the same, and where some differ."""
_BANDS, _ROWS = 16, 4
_COMPARED = 20
"""The most others of one bucket and group that a question is compared with."""
_PRIME = (1 << 31) - 1
_DO = frozenset(("how", "why", "many", "much", "all", "every", "each", *IMPERATIVES))


class Sketch(NamedTuple):
    """What is compared of a question."""

    shingles: frozenset[str]
    names: frozenset[str]
    content: frozenset[str]
    answers: frozenset[str]
    entities: frozenset[str]
    """What its query is about; empty if that is not known."""


def sketch(question: Question, answers: frozenset[str], entities: Iterable[str] = ()) -> Sketch:
    """The words of a question, its names and numbers, and its words of content without their endings."""
    text = question.question
    text_words = WORD.findall(text)
    small = [folded(word) for word in text_words]
    names = frozenset(
        low
        for index, (word, low) in enumerate(zip(text_words, small, strict=True))
        if _is_name(word, low, index)
    )
    content = frozenset(_stem(word) for word in small if word not in COMMON and word not in _DO)
    pairs = (f"{first} {second}" for first, second in pairwise(small))
    return Sketch(frozenset((*small, *pairs)), names, content, answers, frozenset(entities))


def _is_name(word: str, low: str, index: int) -> bool:
    return any(sign.isdigit() for sign in word) or (index > 0 and word[0].isupper() and low not in COMMON)


def _stem(word: str) -> str:
    base = base_form(word)
    for ending in ("ing", "ed", "er"):
        if len(base) > len(ending) + 3 and base.endswith(ending):
            return base.removesuffix(ending)
    return base.removesuffix("e") if len(base) > 4 else base


def are_alike(first: Sketch, second: Sketch) -> bool:
    """Whether two questions are nearly the same."""
    if first.names != second.names or _jaccard(first.shingles, second.shingles) < ALIKE:
        return False
    if first.entities and second.entities and first.entities != second.entities:
        return False  # names in lower case: the flute, and the guitar
    agreement = _jaccard(first.answers, second.answers)
    return agreement >= (AGREEING if first.content == second.content else NEARLY_EQUAL)


def _jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    union = len(first | second)
    return len(first & second) / union if union else 1.0


def near_pairs(sketches: Sequence[Sketch], groups: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Nearly equal questions of different groups, as indices, the earlier first; each pair once."""
    buckets: dict[tuple[str, int, bytes], list[int]] = defaultdict(list)
    known = sorted(set(groups))
    for index, signature in enumerate(_signatures(sketches)):
        keys = [(band, signature[band * _ROWS : (band + 1) * _ROWS].tobytes()) for band in range(_BANDS)]
        others = {
            other
            for group in known
            for band, key in keys
            if group != groups[index] and (group, band, key) in buckets
            for other in buckets[group, band, key][-_COMPARED:]
        }
        for other in sorted(others):
            if are_alike(sketches[other], sketches[index]):
                yield other, index
        for band, key in keys:
            buckets[groups[index], band, key].append(index)


def _signatures(sketches: Sequence[Sketch]) -> Iterator[NDArray[np.uint32]]:
    """For each question, its MinHash signature: the smallest value of each hash of its words and pairs."""
    random = np.random.default_rng(18)
    factors = random.integers(1, _PRIME, size=_BANDS * _ROWS, dtype=np.uint64)
    offsets = random.integers(0, _PRIME, size=_BANDS * _ROWS, dtype=np.uint64)
    for shingles in (compared.shingles for compared in sketches):
        values = np.array([crc32(text.encode()) for text in shingles] or [0], dtype=np.uint64) % _PRIME
        hashed = (values[:, None] * factors[None, :] + offsets[None, :]) % _PRIME
        yield hashed.min(axis=0).astype(np.uint32)


ONE_SPLIT = "the set has only one split"


def _first_seen(
    material: Material, things: Callable[[Question], Iterable[str]]
) -> dict[str, dict[str, Question]]:
    """For each split, the things of its questions, each with the first question that has it."""
    by_split: dict[str, dict[str, Question]] = {}
    for question in material.questions:
        if question.split:
            seen = by_split.setdefault(question.split, {})
            for thing in things(question):
                seen.setdefault(thing, question)
    return by_split


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
        reported: set[int] = set()
        for earlier, later in near_pairs(sketches, [question.split or "" for question, _key in splitted]):
            if not _precedes(splitted[earlier][0], splitted[later][0], before):
                earlier, later = later, earlier
            if later in reported or splitted[earlier][1] == splitted[later][1]:
                continue  # the same words are another check's
            reported.add(later)
            first, question = splitted[earlier][0], splitted[later][0]
            findings.found(
                question,
                f"{first.id} of {first.split}: {first.question}",
                f"{first.split} → {question.split}",
            )


def _precedes(first: Question, second: Question, before: dict[str, list[str]]) -> bool:
    return first.split in before.get(second.split or "", [])


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
            shared = [(id_, seen[split][id_]) for id_ in asked for split in earlier if id_ in seen[split]]
            if shared:
                entity, first = shared[0]
                name = next(iter(material.names(entity)), entity)
                findings.found(question, f"{name} is asked about in {first.id} of {first.split}")
