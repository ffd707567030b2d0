"""The training sentences of the contrast verifier, as arrays, and the negative examples of each relation.

Negative examples of a relation are sentences of pairs that do not have it: first those of relations between
the same kinds of things, which are easily confused with it, then those of all others. Relations with much the
same meaning give no negative examples.
"""

import hashlib
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from rollcall.evidence.candidate import CandidateSentence, from_table
from rollcall.evidence.verifiers.contrast.features import feature_columns, hashed, without_cues
from rollcall.evidence.verifiers.contrast.fit import FEWEST, FOLDS, Task
from rollcall.evidence.verifiers.contrast.masking import masked
from rollcall.evidence.verifiers.contrast.rivals import akin_relations
from rollcall.evidence.verifiers.contrast.sample import Sample
from rollcall.evidence.verifiers.contrast.sparse import Numbers, Rows, SparseRows, stacked
from rollcall.tables.evidence import Candidates
from rollcall.tables.reader import read
from rollcall.tables.table import columns

if TYPE_CHECKING:
    from rollcall.tables.engine import Engine

NEAR, FAR = 2000, 1500
"""The most negative examples from similar and from other relations; fewer for relations with few sentences.
"""
_NEAR_EACH, _FAR_EACH = 8, 4
_FEWEST = 30
_ALIKE = 0.05
_FACT_AND_PLACE = ["subject", "relation", "object", "literal", "page", "sentence"]
Kinds = tuple[str, str]


@lru_cache(maxsize=1 << 12)
def fold_of(page: str) -> int:
    """A number for a page; its remainder modulo the number of folds is the page's fold."""
    return hashlib.md5(page.encode()).digest()[0]


class Known(msgspec.Struct):
    """What the graph says about relations: labels, and which are easily confused or much the same."""

    labels: dict[str, str]
    akin: dict[str, set[str]]
    kinds: dict[str, list[tuple[str, str, int]]]
    """How often each relation connects things of which two kinds."""
    of_values: set[str] = set()
    """The relations whose objects are values: dates, numbers, texts."""
    names: list[str] = []
    """The relations that have sentences, sorted; arrays have their numbers in this list."""


class Rowed(NamedTuple):
    """Arrays with one element for each sentence."""

    relations: Rows
    """The relation that the sentence was found for, as a number."""
    folds: Rows
    groups: Rows
    """Sentences of one fact on one page have the same number."""
    shares: Numbers
    pool: NDArray[np.bool_]
    """Whether no earlier sentence is the same for the same pair."""
    ranks: NDArray[np.uint64]
    """Random numbers, by which negative examples are drawn."""


class Lessons:
    """All sentences of a sample of facts; `held` are the sentences whose pair has a relation, by relation."""

    def __init__(self, known: Known, matrix: SparseRows, rowed: Rowed, held: Mapping[str, Rows]) -> None:
        self.known, self.matrix, self.rowed, self.held = known, matrix, rowed, held
        self.folds = rowed.folds
        self.own = {
            name: np.flatnonzero(rowed.relations == number) for number, name in enumerate(known.names)
        }

    @cached_property
    def _worded(self) -> SparseRows:
        return without_cues(self.matrix)

    @cached_property
    def _order(self) -> Rows:
        return np.argsort(self.rowed.ranks, kind="stable")

    @cached_property
    def _shares_of(self) -> dict[Kinds, dict[str, float]]:
        return shares_of_kinds(self.known.kinds)

    def tasks(self, relations: Collection[str] | None = None) -> Iterator[Task]:
        """One task for every relation, or for the given ones."""
        for relation, own in self.own.items():
            if relations is not None and relation not in relations:
                continue
            enough = len(own) >= FEWEST
            other = self._opponents(relation, max(_FEWEST, len(own))) if enough else own[:0]
            yield Task(
                relation,
                self._worded.take(own),
                self.folds[own] % FOLDS,
                self.rowed.groups[own],
                self.rowed.shares[own],
                self._worded.take(other),
                self.folds[other] % FOLDS,
            )

    def _opponents(self, relation: str, own: int) -> Rows:
        free = self.rowed.pool.copy()
        free[self.held.get(relation, [])] = False
        for other in self.known.akin.get(relation, ()):
            free[self.own.get(other, [])] = False
        alike = alikeness(self._shares_of, relation)
        near = np.array([alike.get(other, 0.0) > _ALIKE for other in self.own])[self.rowed.relations]
        ordered = self._order[free[self._order]]
        is_near = near[ordered]
        near_most, far_most = min(NEAR, _NEAR_EACH * own), min(FAR, _FAR_EACH * own)
        return np.concatenate([ordered[is_near][:near_most], ordered[~is_near][:far_most]])


def shares_of_kinds(kinds: Mapping[str, Sequence[tuple[str, str, int]]]) -> dict[Kinds, dict[str, float]]:
    """For each two kinds of things, the share of each relation's facts that connect them."""
    found: dict[Kinds, dict[str, float]] = {}
    for relation, counts in kinds.items():
        total = sum(count for _subject, _object, count in counts) or 1
        for of_subject, of_object, count in counts:
            found.setdefault((of_subject, of_object), {})[relation] = count / total
    return found


def alikeness(shares: Mapping[Kinds, Mapping[str, float]], relation: str) -> dict[str, float]:
    """How similar other relations are in the kinds of things they connect: the overlap of distributions."""
    found: dict[str, float] = {}
    for of_relation in shares.values():
        share = of_relation.get(relation)
        if share is not None:
            for other, its_share in of_relation.items():
                found[other] = found.get(other, 0.0) + min(share, its_share)
    return found


def lessons_of(
    folder: Path, sample: Sample, cues: Mapping[str, tuple[str, ...]], engine: "Engine"
) -> Lessons | None:
    """The sentences that a search for the facts of a sample wrote to a folder; None if there are none."""
    relations: list[str] = []
    folds, pool, ranks, groups, shares = [], [], array("Q"), [], []
    seen: set[tuple[str, str, str, int]] = set()
    numbers: dict[tuple[str, str, str, str], int] = {}
    held: dict[str, list[int]] = {}
    known = Known(sample.labels, akin_relations(sample.labels, sample.pairs), sample.kinds)
    found = sorted((folder / "candidates").glob("*.parquet"))
    parts = list(engine.map_blocks(_features_of, found, partial(dict, cues)))
    for path in found:
        for candidate in from_table(read(Candidates, path, _FACT_AND_PLACE)):
            subject, relation, object_, page = _fact_and_page(candidate)
            of_pair = sample.pairs.get((subject, object_)) or frozenset((relation,))
            key = (subject, object_, page, candidate.sentence)
            pool.append(key not in seen)
            if key not in seen:
                seen.add(key)
                for one in of_pair:
                    held.setdefault(one, []).append(len(relations))
            relations.append(relation)
            if candidate.literal:
                known.of_values.add(relation)
            folds.append(fold_of(page))
            text = f"{subject}\t{object_}\t{page}\t{candidate.sentence}"
            ranks.append(int.from_bytes(hashlib.md5(text.encode()).digest()[:8], "big"))
            groups.append(numbers.setdefault((subject, relation, object_, page), len(numbers)))
            shares.append(1.0 / len(of_pair))
    if not parts:
        return None
    known.names = sorted(set(relations))
    number_of = {name: number for number, name in enumerate(known.names)}
    rowed = Rowed(
        np.array([number_of[name] for name in relations]),
        np.array(folds),
        np.array(groups),
        np.array(shares),
        np.array(pool),
        np.array(ranks, np.uint64),
    )
    return Lessons(known, stacked(parts), rowed, {name: np.array(rows) for name, rows in held.items()})


def _fact_and_page(candidate: CandidateSentence) -> tuple[str, str, str, str]:
    return candidate.subject, candidate.relation, candidate.object, candidate.page


def _features_of(cues: Mapping[str, tuple[str, ...]], path: Path) -> SparseRows:
    """The features of the candidates in a file."""
    candidates = from_table(
        read(Candidates, path, [name for name in columns(Candidates) if name != "before"])
    )
    return hashed(feature_columns(masked(c), cues.get(c.relation, ())) for c in candidates)
