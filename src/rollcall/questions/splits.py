"""The relation split: training and test questions share only the relations that their kind allows.

As in the QAMPARI paper, half of the relations belong to the test side. A simple question is on the side of
its relation. A composition is on the test side if either relation is; an intersection only if both are. All
questions for the members of a list are test questions. A table composition, which asks for rows of a list, is
on the side of the list: lists are split in halves like relations. `distinct` says which questions are the
same.
"""

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NamedTuple

import msgspec

from rollcall._core.errors import Filter

# A seeded random order that depends only on the things to be ordered. The position of a thing is a hash
# of the seed, the purpose and its key. So the result does not depend on the order of input, the number
# of processes, or the other things in the draw.


def lot(seed: int, purpose: str, key: str) -> str:
    """The position of a key in the random order for one purpose."""
    return hashlib.md5(f"{seed}\x1f{purpose}\x1f{key}".encode(), usedforsecurity=False).hexdigest()


Side = Literal["train", "test"]
TABLES = ("table-simple", "table-composition")


class Drawable(NamedTuple):
    """A question before it is worded, with the fields that splitting and sampling use."""

    key: str
    kind: str
    relations: tuple[str, ...]
    """The items by which questions are split: the relations of the query, or the list of a table question."""
    in_test: Literal["any", "all", "always"] = "any"
    """The question is on the test side if any of its items is, if all are, or always."""
    of_lists: bool = False
    """Whether its items are lists, which are split separately from relations."""


def split_relations(relations: Iterable[str], seed: int, test_share: float = 0.5) -> frozenset[str]:
    """The relations of the test side: a random share of all, rounded to a whole number."""
    drawn = sorted(set(relations), key=lambda relation: lot(seed, "relation", relation))
    return frozenset(drawn[: round(len(drawn) * test_share + 1e-9)])


def relations_of_test(items: Iterable[Drawable], seed: int, test_share: float = 0.5) -> frozenset[str]:
    """The relations and the lists of the test side; lists are split separately from relations."""
    relations: set[str] = set()
    lists: set[str] = set()
    for item in items:
        (lists if item.of_lists else relations).update(item.relations)
    return split_relations(relations, seed, test_share) | split_relations(lists, seed, test_share)


def side(item: Drawable, test: frozenset[str]) -> Side:
    """The side a question belongs to, given the relations of the test side."""
    inside = [relation in test for relation in item.relations]
    in_test = item.in_test == "always" or (all(inside) if item.in_test == "all" else any(inside))
    return "test" if in_test else "train"


# Samples a question set: quotas for development and test, a cap for each relation in training, dev/test
# halves. All draws are random by a hash of the seed and the query, so the same seed gives the same
# sample. Questions that are left out are counted by the rule that excluded them.

Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]


def quotas_of_kinds() -> dict[str, int]:
    """The quotas that the kinds of questions declare, which are those of the QAMPARI paper."""
    from rollcall.mine.kinds import packaged_kinds

    return {kind.name: kind.quota for kind in packaged_kinds() if kind.quota is not None}


class Sampling(msgspec.Struct, frozen=True):
    """How a set is sampled; the defaults are those of the QAMPARI paper."""

    test_share: Share = 0.5
    """The share of relations (and of lists) that belong to the test side."""
    quotas: dict[str, Count] = msgspec.field(default_factory=quotas_of_kinds)
    """The number of questions in development and test together, by kind; a kind without a quota gives all."""
    policy: Literal["take", "scale"] = "take"
    """If a kind has fewer than its quota: take all it has, or scale all quotas down in proportion."""
    uniform: list[str] = msgspec.field(default_factory=lambda: ["simple"])
    """The kinds that are sampled uniformly over relations and not over queries."""
    per_relation: Count = 1000
    """The most training questions a relation may appear in."""
    development: Share = 0.5
    """The share of development questions among development and test."""


class Sample(NamedTuple):
    """The split of every sampled question, and how many questions each rule left out."""

    splits: dict[str, str]
    removed: dict[Filter, int]
    test_relations: frozenset[str]


def sample(items: Sequence[Drawable], settings: Sampling, seed: int) -> Sample:
    """Sample a set from questions; each question is identified by its key."""
    test = relations_of_test(items, seed, settings.test_share)
    pools: dict[str, list[Drawable]] = {"train": [], "test": []}
    for item in items:
        pools[side(item, test)].append(item)
    removed: Counter[Filter] = Counter()
    splits = dict.fromkeys((item.key for item in _capped(pools["train"], settings, seed, removed)), "train")
    held = _by_quota(pools["test"], settings, seed, removed)
    splits.update(_halves(held, settings.development, seed))
    return Sample(splits, dict(removed), test)


def _capped(pool: list[Drawable], settings: Sampling, seed: int, removed: Counter[Filter]) -> list[Drawable]:
    """The training questions, in random order, as long as none of their relations has reached the cap."""
    used: Counter[str] = Counter()
    kept = []
    for item in sorted(pool, key=lambda item: (lot(seed, "training", item.key), item.key)):
        if any(used[relation] >= settings.per_relation for relation in set(item.relations)):
            why = f"over {settings.per_relation:,} training questions a relation"
            removed[Filter(why, "per_relation")] += 1
            continue
        used.update(set(item.relations))
        kept.append(item)
    return kept


def _by_quota(
    pool: list[Drawable], settings: Sampling, seed: int, removed: Counter[Filter]
) -> list[Drawable]:
    kinds: dict[str, list[Drawable]] = defaultdict(list)
    for item in sorted(pool, key=lambda item: (lot(seed, "test", item.key), item.key)):
        kinds[item.kind].append(item)
    quotas = scaled(settings, {kind: len(members) for kind, members in kinds.items()})
    held = []
    for kind, members in sorted(kinds.items()):
        quota = quotas.get(kind, len(members))
        drawn = evenly(members, seed) if kind in settings.uniform else members
        held += drawn[:quota]
        if len(members) > quota:
            removed[Filter(f"beyond the quota of {kind}", "quotas")] += len(members) - quota
    return held


def scaled(settings: Sampling, available: dict[str, int]) -> dict[str, int]:
    """The quotas, scaled down in proportion if that is the policy and some kind has too few."""
    quotas = settings.quotas
    if settings.policy == "take":
        return quotas
    factor = min((available.get(kind, 0) / quota for kind, quota in quotas.items() if quota), default=1.0)
    return {kind: int(quota * min(1.0, factor)) for kind, quota in quotas.items()}


def evenly(items: Iterable[Drawable], seed: int) -> list[Drawable]:
    """Items in rounds: one of each relation, then a second one, so that any prefix is roughly uniform."""
    waiting: dict[tuple[str, ...], list[Drawable]] = defaultdict(list)
    for item in items:
        waiting[item.relations].append(item)
    order = sorted(waiting, key=lambda relations: lot(seed, "round", "\x1f".join(relations)))
    rounds = max((len(queue) for queue in waiting.values()), default=0)
    return [
        waiting[relations][turn]
        for turn in range(rounds)
        for relations in order
        if turn < len(waiting[relations])
    ]


def _halves(held: list[Drawable], development: float, seed: int) -> dict[str, str]:
    """Development and test, in the same shares in every kind as far as whole numbers allow."""
    splits = {}
    due = 0.0
    for item in sorted(held, key=lambda item: (item.kind, lot(seed, "half", item.key), item.key)):
        due += development
        splits[item.key] = "dev" if due >= 1 - 1e-9 else "test"
        due -= splits[item.key] == "dev"
    return splits


# Removes duplicate questions: equal texts with equal answers are kept once, with different answers not
# at all. Two queries may have the same wording because names are ambiguous, or because relations are:
# what is `located in A` is `in A`. If their answers are equal, one of them is enough. If the answers
# differ, no reader could know which one is meant, and all of them are removed. Questions with different
# texts and equal answers are kept, each with the keys of the others.

_SAME = Filter("the same question and answers as another")
_AMBIGUOUS = Filter("the same question with other answers")
_LOCATED = re.compile(r"\b(?:located (?:on or )?|on or )(?=in\b)")
"""What may stand before `in` and changes nothing."""
_FIRST = {"test": 0, "dev": 1, "train": 2}


class Worded(NamedTuple):
    """A worded question, with the fields that the search for duplicates needs."""

    key: str
    text: str
    split: str
    answers: str
    """A hash of the answer set; see `answer_hash`."""


class Distinct(NamedTuple):
    """The kept keys in order, how many were removed and why, and for each key those with the same answers."""

    kept: list[str]
    removed: dict[Filter, int]
    same_answers: dict[str, list[str]]


def answer_hash(answers: Iterable[str]) -> str:
    """One string for a set of answers, independent of their order."""
    joined = "\x1f".join(sorted(set(answers)))
    return hashlib.md5(joined.encode(), usedforsecurity=False).hexdigest()


def distinct(questions: Iterable[Worded]) -> Distinct:
    """Find which questions to keep; of questions with equal texts, one of the test set is preferred."""
    by_text: dict[str, list[Worded]] = defaultdict(list)
    for question in questions:
        by_text[_LOCATED.sub("", " ".join(question.text.casefold().split()))].append(question)
    kept: list[Worded] = []
    removed = {_SAME: 0, _AMBIGUOUS: 0}
    for members in by_text.values():
        if len({member.answers for member in members}) > 1:
            removed[_AMBIGUOUS] += len(members)
            continue
        removed[_SAME] += len(members) - 1
        kept.append(min(members, key=lambda member: (_FIRST.get(member.split, 3), member.key)))
    by_answers: dict[str, list[str]] = defaultdict(list)
    for question in kept:
        by_answers[question.answers].append(question.key)
    same = {key: sorted({*keys} - {key}) for keys in by_answers.values() if len(keys) > 1 for key in keys}
    counts = {reason: count for reason, count in removed.items() if count}
    return Distinct(sorted(question.key for question in kept), counts, same)
