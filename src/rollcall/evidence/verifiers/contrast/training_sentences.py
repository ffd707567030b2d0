"""The training sentences of the contrast verifier, as arrays, and the negative examples of each relation.

Negative examples of a relation are sentences of pairs that do not have it: first those of relations between
the same kinds of things, which are easily confused with it, then those of all others. Relations with much the
same meaning give no negative examples.
"""

import hashlib
import re
from array import array
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import ibis
import msgspec
import numpy as np
from ibis import _
from numpy.typing import NDArray

from rollcall._core.files import read_arrays
from rollcall.evidence.candidate import CandidateSentence, from_table
from rollcall.evidence.verifiers.contrast.features import (
    BITS,
    Numbers,
    Rows,
    SparseRows,
    feature_columns,
    hashed,
    masked,
    stacked,
    without_cues,
)
from rollcall.evidence.verifiers.contrast.model import FEWEST, FOLDS, FeatureWeights, Learned, RelationData
from rollcall.tables.build import Candidates, ProvableFacts
from rollcall.tables.engine import Workbench
from rollcall.tables.files import read
from rollcall.tables.graph import Facts, Relations, Types, Values
from rollcall.tables.table import DeclaredTable, Int64, arrow, columns, shaped, unbound
from rollcall.tables.table import Rows as RowsSample

if TYPE_CHECKING:
    import ibis.expr.types as ir

    from rollcall.tables.engine import Engine


# Which relations a sentence may state instead of a given one: the rivals of a relation. A sentence
# states a relation only if no rival has a clearly higher score. Relations with much the same meaning
# ("author", "authors", "first author") are akin: they are neither rivals nor negative examples of each
# other. Two relations are akin if their labels share the last word, or if the graph often has both
# between the same two things.

MOST_RIVALS = 12
_BELIEVED = 0.5
_ENOUGH = 30
_JOINED = 0.1
_SENTENCES = 60
_WORD = re.compile(r"[^\W\d_]{2,}")


def akin_relations(
    labels: Mapping[str, str], pairs: Mapping[tuple[str, str], frozenset[str]]
) -> dict[str, set[str]]:
    """For each relation, those with much the same meaning."""
    akin: dict[str, set[str]] = {relation: set() for relation in labels}
    heads: dict[str, list[str]] = {}
    for relation, label in labels.items():
        heads.setdefault(_head(label), []).append(relation)
    for head, group in heads.items():
        for relation in group if head else ():
            akin[relation].update(other for other in group if other != relation)
    sizes: Counter[str] = Counter()
    shared_counts: Counter[tuple[str, str]] = Counter()
    for pair_relations, count in Counter(pairs.values()).items():
        for relation in pair_relations:
            sizes[relation] += count
        shared_counts.update(
            {(left, right): count for left in pair_relations for right in pair_relations if left < right}
        )
    for (left, right), count in shared_counts.items():
        if count >= 2 and count > _JOINED * min(sizes[left], sizes[right]):
            akin.setdefault(left, set()).add(right)
            akin.setdefault(right, set()).add(left)
    return akin


def _head(label: str) -> str:
    """The head word of a label in the singular: the last word, or the last one before a preposition."""
    noun = re.split(r" (?:of|in|at|by|for|from|on|to|with)\b", label.lower())[0]
    words = _WORD.findall(noun)
    return words[-1].removesuffix("s") if words else ""


def choose_rivals(
    training: "TrainingSentences", learned: Mapping[str, Learned]
) -> dict[str, tuple[str, ...]]:
    """For each relation, the relations with the highest scores for its accepted sentences, learned on other
    pages.

    A date of birth is not a rival of a place of birth: a sentence that names a place cannot mean a date.
    """
    able = [
        name for name, result in sorted(learned.items()) if result.weights and len(result.labels) >= _ENOUGH
    ]
    if not able:
        return {}
    claims = _claims(training, learned, able)
    column = {relation: number for number, relation in enumerate(able)}
    rivals = {}
    akin, of_values = training.known.akin, training.known.of_values
    for relation, claim in claims.items():
        otherwise = {other for other in able if (other in of_values) != (relation in of_values)}
        for other in {relation, *akin.get(relation, ()), *otherwise} & column.keys():
            claim[column[other]] = -np.inf
        best = np.argsort(-claim, kind="stable")[:MOST_RIVALS]
        rivals[relation] = tuple(able[number] for number in best if np.isfinite(claim[number]))
    return rivals


def _claims(
    training: "TrainingSentences", learned: Mapping[str, Learned], able: list[str]
) -> dict[str, NDArray[np.float32]]:
    """The mean log-odds that each able relation gives to the sentences of each relation."""
    chosen_rows = {}
    for relation, result in learned.items():
        if result.weights:
            rows = training.rows_of_relation[relation][result.labels >= _BELIEVED]
            chosen_rows[relation] = rows[:: len(rows) // _SENTENCES + 1]
    rows = np.unique(np.concatenate(list(chosen_rows.values())))
    logits = np.zeros((len(rows), len(able)), np.float32)
    for fold in range(FOLDS):
        of_fold = training.folds[rows] % FOLDS == fold
        weights = [learned[relation].claims[fold] for relation in able]
        logits[of_fold] = _all_logits(training.matrix.take(rows[of_fold]), weights)
    return {
        relation: logits[np.searchsorted(rows, own_rows)].mean(axis=0)
        for relation, own_rows in chosen_rows.items()
        if len(own_rows)
    }


def _all_logits(matrix: SparseRows, weights: list[FeatureWeights]) -> NDArray[np.float32]:
    """The log-odds that several models give to the rows of a matrix, one column for each model."""
    logits = np.zeros((matrix.height, len(weights)), np.float32)
    buffer = np.zeros(1 << BITS)
    for number, model in enumerate(weights):
        logits[:, number] = model.logits(matrix, buffer)
    return logits


# Draws the facts from which the contrast verifier learns, and finds what else holds between their ends.
# Input: a graph. Output: `facts.parquet` and a `FactSample`. Facts of every relation are drawn by a hash of
# their content, so the same graph gives the same sample everywhere.

MOST_FACTS = 240_000
MOST_OF_RELATION = 600


class MostDrawn(DeclaredTable):
    """How many facts are drawn."""

    most = Int64("of each relation")


class FactSample(NamedTuple):
    """A sample of facts on disk, with the relations of each pair and the kinds of each relation's ends."""

    facts: Path
    pairs: dict[tuple[str, str], frozenset[str]]
    kinds: dict[str, list[tuple[str, str, int]]]
    labels: dict[str, str]


def draw_sample(bench: Workbench, graph: Path, folder: Path) -> FactSample:
    """Draw facts of a graph and write them to `folder/facts.parquet`."""
    bench.read_folder("graph", graph, Facts, Values, Types, Relations)
    relations = bench.records(relation_labels)
    labels = {row["id"]: row["label"] or row["id"] for row in relations}
    most = most_of_each([row["facts"] + row["values"] for row in relations])
    bench.give(MostDrawn, arrow(MostDrawn, {"most": [most]}))
    bench.keep(ProvableFacts, sample, "sample")
    path = folder / "facts.parquet"
    bench.write(ProvableFacts, _sample, path)
    return FactSample(path, _pairs(bench), _kinds(bench), labels)


def most_of_each(counts: list[int]) -> int:
    """How many facts of each relation are drawn, so that the total is at most `MOST_FACTS`."""
    remaining, most = MOST_FACTS, 0
    for number, count in enumerate(sorted(counts)):
        most = remaining // (len(counts) - number)
        if count > most:
            break
        remaining -= count
        most = MOST_OF_RELATION
    return max(20, min(MOST_OF_RELATION, most))


def _pairs(bench: Workbench) -> dict[tuple[str, str], frozenset[str]]:
    by_pair: dict[tuple[str, str], frozenset[str]] = {}
    interned: dict[frozenset[str], frozenset[str]] = {}
    for batch in bench.stream(pairs):
        for subject, object_, relations in zip(
            *(column.to_pylist() for column in batch.columns), strict=True
        ):
            relation_set = frozenset(relations)
            by_pair[(subject, object_)] = interned.setdefault(relation_set, relation_set)
    return by_pair


def _kinds(bench: Workbench) -> dict[str, list[tuple[str, str, int]]]:
    by_relation: dict[str, list[tuple[str, str, int]]] = {}
    for batch in bench.stream(kinds):
        for relation, *counted in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            of_subject, of_object, count = counted
            by_relation.setdefault(relation, []).append((of_subject, of_object, count))
    return {relation: sorted(by_relation[relation]) for relation in sorted(by_relation)}


def relation_labels() -> "ir.Table":
    """The relations of the graph."""
    return unbound(Relations, "graph_relations").select("id", "label", "facts", "values").order_by("id")


def all_facts() -> RowsSample[ProvableFacts]:
    """All facts and values in one table."""
    facts, values = unbound(Facts, "graph_facts"), unbound(Values, "graph_values")
    rows = facts.mutate(literal=ibis.literal(False)).union(
        values.select("subject", "relation", object="value", literal=ibis.literal(True))
    )
    return shaped(ProvableFacts, rows)


def sample() -> RowsSample[ProvableFacts]:
    """A given number of facts of every relation."""
    rows = all_facts()
    key = (rows.relation + "\t" + rows.subject + "\t" + rows.object).hexdigest("md5")
    numbered = rows.mutate(number=ibis.row_number().over(group_by=rows.relation, order_by=key))
    return shaped(ProvableFacts, numbered.cross_join(unbound(MostDrawn)).filter(_.number < _.most))


def _sample() -> RowsSample[ProvableFacts]:
    return unbound(ProvableFacts, "sample")


def pairs() -> "ir.Table":
    """Every pair of ends in the sample with all relations the graph has between them."""
    ends = _sample().select("subject", "object").distinct()
    facts_between = all_facts().join(ends, ["subject", "object"])
    collected = facts_between.group_by("subject", "object").agg(
        relations=facts_between.relation.collect(distinct=True)
    )
    return collected.order_by("subject", "object")


def kinds() -> "ir.Table":
    """How often each relation connects ends of which classes."""
    types = unbound(Types, "graph_types")
    kind_of_entity = types.filter(types.direct).group_by("entity").agg(kind=_["class"].min())
    rows = _sample()
    of_subject = kind_of_entity.select(one_subject="entity", of_subject="kind")
    of_object = kind_of_entity.view().select(one_object="entity", of_object="kind")
    joined = rows.left_join(of_subject, rows.subject == of_subject.one_subject)
    joined = joined.left_join(of_object, joined.object == of_object.one_object)
    grouped = joined.mutate(
        of_subject=joined.of_subject.fill_null(""),
        of_object=ibis.ifelse(joined.literal, ibis.literal("value"), joined.of_object.fill_null("")),
    ).group_by("relation", "of_subject", "of_object")
    return grouped.agg(count=_.count()).order_by("relation", "of_subject", "of_object")


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


class RelationKnowledge(msgspec.Struct):
    """What the graph says about relations: labels, and which are easily confused or much the same."""

    labels: dict[str, str]
    akin: dict[str, set[str]]
    kinds: dict[str, list[tuple[str, str, int]]]
    """How often each relation connects things of which two kinds."""
    of_values: set[str] = set()
    """The relations whose objects are values: dates, numbers, texts."""
    names: list[str] = []
    """The relations that have sentences, sorted; arrays have their numbers in this list."""


class SentenceArrays(NamedTuple):
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


class TrainingSentences:
    """All sentences of a sample of facts; `held` are the sentences whose pair has a relation, by relation."""

    def __init__(
        self, known: RelationKnowledge, matrix: SparseRows, rowed: SentenceArrays, held: Mapping[str, Rows]
    ) -> None:
        self.known, self.matrix, self.rowed, self.held = known, matrix, rowed, held
        self.folds = rowed.folds
        self.rows_of_relation = {
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

    def tasks(self, relations: Collection[str] | None = None) -> Iterator[RelationData]:
        """One task for every relation, or for the given ones."""
        for relation, rows in self.rows_of_relation.items():
            if relations is not None and relation not in relations:
                continue
            enough = len(rows) >= FEWEST
            opponents = self._opponents(relation, max(_FEWEST, len(rows))) if enough else rows[:0]
            yield RelationData(
                relation,
                self._worded.take(rows),
                self.folds[rows] % FOLDS,
                self.rowed.groups[rows],
                self.rowed.shares[rows],
                self._worded.take(opponents),
                self.folds[opponents] % FOLDS,
            )

    def _opponents(self, relation: str, example_count: int) -> Rows:
        free = self.rowed.pool.copy()
        free[self.held.get(relation, [])] = False
        for other in self.known.akin.get(relation, ()):
            free[self.rows_of_relation.get(other, [])] = False
        alike = alikeness(self._shares_of, relation)
        near = np.array([alike.get(other, 0.0) > _ALIKE for other in self.rows_of_relation])[
            self.rowed.relations
        ]
        ordered = self._order[free[self._order]]
        is_near = near[ordered]
        near_most, far_most = min(NEAR, _NEAR_EACH * example_count), min(FAR, _FAR_EACH * example_count)
        return np.concatenate([ordered[is_near][:near_most], ordered[~is_near][:far_most]])


def shares_of_kinds(kinds: Mapping[str, Sequence[tuple[str, str, int]]]) -> dict[Kinds, dict[str, float]]:
    """For each two kinds of things, the share of each relation's facts that connect them."""
    shares: dict[Kinds, dict[str, float]] = {}
    for relation, counts in kinds.items():
        total = sum(count for _subject, _object, count in counts) or 1
        for of_subject, of_object, count in counts:
            shares.setdefault((of_subject, of_object), {})[relation] = count / total
    return shares


def alikeness(shares: Mapping[Kinds, Mapping[str, float]], relation: str) -> dict[str, float]:
    """How similar other relations are in the kinds of things they connect: the overlap of distributions."""
    overlaps: dict[str, float] = {}
    for of_relation in shares.values():
        share = of_relation.get(relation)
        if share is not None:
            for other, its_share in of_relation.items():
                overlaps[other] = overlaps.get(other, 0.0) + min(share, its_share)
    return overlaps


def training_sentences_of(
    folder: Path, sample: FactSample, cues: Mapping[str, tuple[str, ...]], engine: "Engine"
) -> TrainingSentences | None:
    """The sentences that a search for the facts of a sample wrote to a folder; None if there are none."""
    relations: list[str] = []
    folds, pool, ranks, groups, shares = [], [], array("Q"), [], []
    seen: set[tuple[str, str, str, int]] = set()
    numbers: dict[tuple[str, str, str, str], int] = {}
    rows_by_relation: dict[str, list[int]] = {}
    knowledge = RelationKnowledge(sample.labels, akin_relations(sample.labels, sample.pairs), sample.kinds)
    paths = sorted((folder / "candidates").glob("*.parquet"))
    matrices = list(engine.map_blocks(_features_of, paths, partial(dict, cues)))
    for path in paths:
        for candidate in from_table(read(Candidates, path, _FACT_AND_PLACE)):
            subject, relation, object_, page = _fact_and_page(candidate)
            of_pair = sample.pairs.get((subject, object_)) or frozenset((relation,))
            key = (subject, object_, page, candidate.sentence)
            pool.append(key not in seen)
            if key not in seen:
                seen.add(key)
                for pair_relation in of_pair:
                    rows_by_relation.setdefault(pair_relation, []).append(len(relations))
            relations.append(relation)
            if candidate.literal:
                knowledge.of_values.add(relation)
            folds.append(fold_of(page))
            text = f"{subject}\t{object_}\t{page}\t{candidate.sentence}"
            ranks.append(int.from_bytes(hashlib.md5(text.encode()).digest()[:8], "big"))
            groups.append(numbers.setdefault((subject, relation, object_, page), len(numbers)))
            shares.append(1.0 / len(of_pair))
    if not matrices:
        return None
    knowledge.names = sorted(set(relations))
    number_of = {name: number for number, name in enumerate(knowledge.names)}
    rowed = SentenceArrays(
        np.array([number_of[name] for name in relations]),
        np.array(folds),
        np.array(groups),
        np.array(shares),
        np.array(pool),
        np.array(ranks, np.uint64),
    )
    return TrainingSentences(
        knowledge, stacked(matrices), rowed, {name: np.array(rows) for name, rows in rows_by_relation.items()}
    )


def _fact_and_page(candidate: CandidateSentence) -> tuple[str, str, str, str]:
    return candidate.subject, candidate.relation, candidate.object, candidate.page


def _features_of(cues: Mapping[str, tuple[str, ...]], path: Path) -> SparseRows:
    """The features of the candidates in a file."""
    candidates = from_table(
        read(Candidates, path, [name for name in columns(Candidates) if name != "before"])
    )
    return hashed(
        feature_columns(masked(candidate), cues.get(candidate.relation, ())) for candidate in candidates
    )


# Stores training sentences in a file, because several stages of a build learn from the same sentences.
# The file has the same form as that of a learned verifier: arrays of numbers and a description in JSON,
# so that nothing in it can run code. Only the build that wrote it reads it.


class _TrainingFile(msgspec.Struct):
    known: RelationKnowledge
    held: list[tuple[str, int]]
    """The relations of `TrainingSentences.held`, with the number of their sentences."""


def write_training_sentences(path: Path, training: TrainingSentences) -> None:
    """Write the sentences to a file; the bytes depend only on them."""
    held = sorted(training.held.items())
    content = _TrainingFile(training.known, [(name, len(rows)) for name, rows in held])
    with path.open("wb") as stream:
        np.savez(
            stream,
            content=np.frombuffer(msgspec.json.encode(content, order="deterministic"), np.uint8),
            starts=training.matrix.starts,
            columns=training.matrix.columns,
            held=np.concatenate([rows for _name, rows in held]),
            **training.rowed._asdict(),
        )


def read_training_sentences(path: Path | BinaryIO) -> TrainingSentences:
    """The sentences of a file."""
    arrays = read_arrays(path)
    content = msgspec.json.decode(arrays["content"].tobytes(), type=_TrainingFile)
    row_lists = np.split(arrays["held"], np.cumsum([count for _name, count in content.held])[:-1])
    held = {name: rows for (name, _count), rows in zip(content.held, row_lists, strict=True)}
    rowed = SentenceArrays(*(arrays[name] for name in SentenceArrays._fields))
    return TrainingSentences(content.known, SparseRows(arrays["starts"], arrays["columns"]), rowed, held)
