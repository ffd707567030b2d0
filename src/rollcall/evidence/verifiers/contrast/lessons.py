"""The training sentences of the contrast verifier, as arrays, and the negative examples of each relation.

Negative examples of a relation are sentences of pairs that do not have it: first those of relations between
the same kinds of things, which are easily confused with it, then those of all others. Relations with much the
same meaning give no negative examples.
"""

import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from rollcall.evidence.candidate import CandidateSentence, from_table
from rollcall.evidence.verifiers.contrast.features import feature_columns, hashed, without_cues
from rollcall.evidence.verifiers.contrast.fit import FEWEST, FOLDS, Task
from rollcall.evidence.verifiers.contrast.masking import masked
from rollcall.evidence.verifiers.contrast.rivals import akin_relations
from rollcall.evidence.verifiers.contrast.sample import Sample
from rollcall.evidence.verifiers.contrast.sparse import Rows, SparseRows, stacked
from rollcall.tables.evidence import Candidates
from rollcall.tables.reader import read
from rollcall.tables.table import columns

NEAR, FAR = 2000, 1500
"""The most negative examples from similar and from other relations; fewer for relations with few sentences.
"""
_NEAR_EACH, _FAR_EACH = 8, 4
_FEWEST = 30
_ALIKE = 0.05
Kinds = tuple[str, str]


def fold_of(page: str) -> int:
    """A number for a page; its remainder modulo the number of folds is the page's fold."""
    return hashlib.md5(page.encode()).digest()[0]


class Lessons:
    """All sentences of a sample of facts."""

    def __init__(self, folder: Path, sample: Sample, cues: dict[str, tuple[str, ...]]) -> None:
        self.sample = sample
        self.akin = akin_relations(sample.labels, sample.pairs)
        self.relations: list[str] = []
        self.matrix: SparseRows
        pages, pool, ranks, groups, shares = [], [], [], [], []
        seen_pairs: set[tuple[str, str, str, int]] = set()
        numbers: dict[tuple[str, str, str, str], int] = {}
        parts = []
        self.held: dict[str, list[int]] = {}
        self.of_values: set[str] = set()
        """The relations whose objects are values: dates, numbers, texts."""
        for candidates in read_candidates(folder):
            parts.append(hashed(feature_columns(masked(c), cues.get(c.relation, ())) for c in candidates))
            for candidate in candidates:
                number = len(self.relations)
                held = sample.pairs.get(
                    (candidate.subject, candidate.object), frozenset((candidate.relation,))
                )
                key = (candidate.subject, candidate.object, candidate.page, candidate.sentence)
                pool.append(key not in seen_pairs)
                if key not in seen_pairs:
                    seen_pairs.add(key)
                    for relation in held:
                        self.held.setdefault(relation, []).append(number)
                self.relations.append(candidate.relation)
                if candidate.literal:
                    self.of_values.add(candidate.relation)
                pages.append(fold_of(candidate.page))
                ranks.append(hashlib.md5("\t".join(map(str, key)).encode()).digest()[:8])
                group = (candidate.subject, candidate.relation, candidate.object, candidate.page)
                groups.append(numbers.setdefault(group, len(numbers)))
                shares.append(1.0 / len(held))
        if not parts:
            return
        self.matrix = stacked(parts)
        self.worded = without_cues(self.matrix)
        self.folds, self.groups = np.array(pages), np.array(groups)
        self.shares, self._pool = np.array(shares), np.array(pool)
        self._order = np.argsort(
            np.array([int.from_bytes(rank, "big") for rank in ranks], np.uint64), kind="stable"
        )
        names = sorted(set(self.relations))
        number_of = {name: number for number, name in enumerate(names)}
        self._numbers = np.array([number_of[name] for name in self.relations])
        self.own = {name: np.flatnonzero(self._numbers == number) for name, number in number_of.items()}
        self._shares_of = shares_of_kinds(sample.kinds)

    def tasks(self, relations: Collection[str] | None = None) -> Iterator[Task]:
        """One task for every relation, or for the given ones."""
        for relation, own in self.own.items():
            if relations is not None and relation not in relations:
                continue
            enough = len(own) >= FEWEST
            other = self._opponents(relation, max(_FEWEST, len(own))) if enough else own[:0]
            yield Task(
                relation,
                self.worded.take(own),
                self.folds[own] % FOLDS,
                self.groups[own],
                self.shares[own],
                self.worded.take(other),
                self.folds[other] % FOLDS,
            )

    def _opponents(self, relation: str, own: int) -> Rows:
        free = self._pool.copy()
        free[self.held.get(relation, [])] = False
        for other in self.akin.get(relation, ()):
            free[self.own.get(other, [])] = False
        alike = alikeness(self._shares_of, relation)
        near = np.array([alike.get(other, 0.0) > _ALIKE for other in self.own])[self._numbers]
        ordered = self._order[free[self._order]]
        is_near = near[ordered]
        near_most, far_most = min(NEAR, _NEAR_EACH * own), min(FAR, _FAR_EACH * own)
        return np.concatenate([ordered[is_near][:near_most], ordered[~is_near][:far_most]])


def shares_of_kinds(kinds: Mapping[str, Mapping[Kinds, int]]) -> dict[Kinds, dict[str, float]]:
    """For each two kinds of things, the share of each relation's facts that connect them."""
    found: dict[Kinds, dict[str, float]] = {}
    for relation, counts in kinds.items():
        total = sum(counts.values()) or 1
        for key, count in counts.items():
            found.setdefault(key, {})[relation] = count / total
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


def read_candidates(folder: Path) -> Iterator[Sequence[CandidateSentence]]:
    """The candidates that a search wrote, block by block."""
    needed = [name for name in columns(Candidates) if name != "before"]
    for path in sorted((folder / "candidates").glob("*.parquet")):
        yield from_table(read(Candidates, path, needed))
