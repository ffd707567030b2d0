"""How likely facts are true that the graph lacks and that a sentence may state.

Input: the scored candidates of known and new facts, and the graph. Output: the table `likely_facts`: new
facts with a calibrated probability and their best sentence.

A score alone does not tell enough: of the many entities that stand beside the entity of a question, few have
the relation to it. So a logistic regression weighs the score together with what the graph knows: which
classes the relation connects, how many such facts either end has already, and which other relations connect
the two. It learns from the facts at hand, without labels: known facts are true, and new ones are as likely
true as their rank among the known ones says (`rollcall.audit.sources.stated`). What it learned gives better
ranks, so this is repeated. No pair is judged by a model that learned from it.
"""

from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import ibis
import numpy as np
import pyarrow as pa
from ibis import _

from rollcall.audit.sources.stated import Numbers, chances_of_ranks
from rollcall.evidence.candidate import FACT, with_passages
from rollcall.evidence.find import DIGITS
from rollcall.tables.build import EvidenceRows, ProvableFacts, RankedCandidates, ScoredCandidates
from rollcall.tables.corpus import Passages
from rollcall.tables.engine import Engine, Workbench
from rollcall.tables.files import read
from rollcall.tables.graph import Facts, Types
from rollcall.tables.table import (
    DeclaredTable,
    Float64,
    Int64,
    Rows,
    String,
    arrow,
    columns,
    shaped,
    unbound,
)

if TYPE_CHECKING:
    import ibis.expr.types as ir
    from numpy.typing import NDArray

ENOUGH = 30
"""The fewest known facts, and the fewest new ones, that must have a sentence; with fewer, nothing is learned,
and no new fact is likely."""
_ROUNDS = 5
_FOLDS = 5
_BY_SCORE = 0.25
"""How much the score alone goes on counting. A graph that rarely has two facts of a relation about a subject
would otherwise teach that there are none, whatever text says.
"""
_STEPS = 25
_PENALTY = 1.0
_SUREST = 1e-4
_CLEAR = 0.5
"""The score from which a sentence is counted as one that seems to state its fact."""
_FEW = 0.2
"""Added to how many facts connect two classes, so that none are not impossible."""
_MOST_CERTAIN = 0.999
_ALIKE = 0.05
"""Log-odds that differ by less are taken to be equal."""
_LEAST_DEVIATION = 0.05
"""What hardly differs from fact to fact is not stretched: that a known fact does not count for itself would
tell known facts from new ones.
"""

_FACT = list(FACT)
_KEYS = [name for name in FACT if name != "literal"]


class NamedFacts(ProvableFacts, name="named_facts"):
    """A fact whose ends a sentence names."""

    score = Float64("the best score of its sentences")
    sentences = Int64("how many sentences name both ends")
    clear = Int64("how many of them seem to state it")
    known = Int64("1 if the graph has it, and 0 otherwise")


class RelationSizes(DeclaredTable):
    """A relation, and how many facts and ends it has."""

    relation = Facts.relation
    size = Int64("how many facts it has")
    subjects = Int64("how many subjects they have")
    objects = Int64("how many objects they have")


class ClassPairs(DeclaredTable):
    """Two classes that a relation connects."""

    relation = Facts.relation
    of_subject = String("the class of the subject; empty if it has none")
    of_object = String("the class of the object")
    connected = Int64("how many facts connect them")


class SharedPairs(DeclaredTable):
    """Two relations that connect the same pairs."""

    relation = Facts.relation
    beside = String("the other relation")
    shared = Int64("how many pairs both connect")
    size = Int64("how many facts the other relation has")


class FactFeatures(NamedFacts, name="fact_features", sorted_by=("subject", "relation", "object", "literal")):
    """A fact whose ends a sentence names, with what the graph knows about them."""

    size = RelationSizes.size
    subjects = RelationSizes.subjects
    objects = RelationSizes.objects
    connected = Int64("how many facts of the relation connect the classes of both ends")
    of_subject = Int64("how many facts of the relation the subject has")
    of_object = Int64("how many the object has")
    others = Int64("how many other relations connect both ends")
    shared = Float64("the largest share of pairs with one of these relations that have this relation too")
    inverse = Int64("how many relations lead the other way")


class FactChances(ProvableFacts, name="fact_chances"):
    """A fact that the graph lacks, and how likely it is true."""

    chance = Float64("how likely it is true")


class LikelyFacts(EvidenceRows, name="likely_facts", sorted_by=("subject", "relation", "object", "literal")):
    """A fact that the graph lacks, its best sentence, and how likely it is true."""

    chance = FactChances.chance


def write_likely(folder: Path, graph: Path, corpus: Path, least: float, out: Path, engine: Engine) -> int:
    """Write the new facts of the scored candidates in `folder` that are at least so likely; returns how many
    new facts were judged.
    """
    scored = sorted((folder / "scored").glob("*.parquet"))
    with engine.workbench(folder / "spill") as bench:
        bench.read(ScoredCandidates, scored)
        bench.read_folder("graph", graph, Facts, Types)
        _keep_features(bench)
        features = folder / "features.parquet"
        bench.write(FactFeatures, lambda: unbound(FactFeatures), features)
        table = read(FactFeatures, features)
        is_known = table["known"].to_numpy() == 1
        chances = _chances(table, is_known)
        likely = np.flatnonzero(~is_known & (chances >= least))
        rows = table.select(_FACT).take(likely)
        columns_ = {name: rows[name].combine_chunks() for name in _FACT}
        bench.give(FactChances, arrow(FactChances, {**columns_, "chance": pa.array(chances[likely])}))
        bench.read(Passages, corpus / "passages.parquet")
        bench.keep(RankedCandidates, _best_sentences)
        bench.keep(EvidenceRows, lambda: with_passages(unbound(RankedCandidates)))
        bench.write(LikelyFacts, _with_chances, out)
    return int((~is_known).sum())


def _with_chances() -> Rows[LikelyFacts]:
    return shaped(LikelyFacts, unbound(EvidenceRows).join(unbound(FactChances), _FACT))


def _best_sentences() -> Rows[RankedCandidates]:
    """The sentence with the best score of each likely fact."""
    rows = unbound(ScoredCandidates).semi_join(unbound(FactChances), _FACT)
    order = [rows.score.desc(), rows.page, rows.sentence, rows.side]
    position = ibis.row_number().over(group_by=[rows[name] for name in FACT], order_by=order)
    ranked = rows.mutate(rank=(position + 1).cast("int32"))
    return shaped(RankedCandidates, ranked.filter(_["rank"] == 1))


# What the graph knows about the ends of facts. The fact itself never counts, or known facts would stand out.


def _keep_features(bench: Workbench) -> None:
    bench.keep(NamedFacts, _named)
    bench.keep(RelationSizes, _sizes)
    bench.keep(ClassPairs, _class_pairs)
    bench.keep(SharedPairs, _shared_pairs)
    bench.keep(FactFeatures, _features)


def _facts() -> Rows[Facts]:
    return unbound(Facts, "graph_facts")


def _own_facts() -> Rows[Facts]:
    """The facts of the relations that are judged."""
    return _facts().semi_join(unbound(NamedFacts).select("relation").distinct(), "relation")


def _named() -> Rows[NamedFacts]:
    rows = unbound(ScoredCandidates)
    counted = rows.group_by(_FACT).agg(
        score=_.score.max(), sentences=_.count(), clear=(_.score >= _CLEAR).cast("int64").sum()
    )
    held = _facts().select(*_KEYS, held=ibis.literal(1).cast("int64"))
    joined = counted.left_join(held, _KEYS).select(*counted.columns, "held")
    return shaped(NamedFacts, joined.mutate(known=joined.held.fill_null(0)))


def _sizes() -> Rows[RelationSizes]:
    sizes = _own_facts().group_by("relation")
    return shaped(
        RelationSizes, sizes.agg(size=_.count(), subjects=_.subject.nunique(), objects=_.object.nunique())
    )


def _with_classes(rows: "ir.Table") -> "ir.Table":
    """Facts with every pair of classes that their ends have."""
    types = unbound(Types, "graph_types").filter(_.direct)
    kept = list(rows.columns)
    of_subject = types.select(subject="entity", of_subject="class")
    of_object = types.view().select(object="entity", of_object="class")
    joined = rows.left_join(of_subject, "subject").select(*kept, "of_subject")
    joined = joined.left_join(of_object, "object").select(*kept, "of_subject", "of_object")
    return joined.mutate(of_subject=_.of_subject.fill_null(""), of_object=_.of_object.fill_null(""))


def _class_pairs() -> Rows[ClassPairs]:
    typed = _with_classes(_own_facts()).group_by("relation", "of_subject", "of_object")
    return shaped(ClassPairs, typed.agg(connected=_.count()))


def _shared_pairs() -> Rows[SharedPairs]:
    beside = _facts().view().select(*_PAIR, beside="relation")
    pairs = _own_facts().join(beside, _PAIR).filter(_.relation != _.beside)
    counted = pairs.group_by("relation", "beside").agg(shared=_.count())
    sizes = _facts().group_by("relation").agg(size=_.count()).rename(beside="relation")
    return shaped(SharedPairs, counted.join(sizes, "beside"))


_PAIR = ["subject", "object"]


def _features() -> Rows[FactFeatures]:
    rows = unbound(NamedFacts)
    connected = _with_classes(rows.select(*_FACT)).join(
        unbound(ClassPairs), ["relation", "of_subject", "of_object"]
    )
    connected = connected.group_by(_FACT).agg(connected=_.connected.max())
    of_subject = _own_facts().group_by("relation", "subject").agg(of_subject=_.count())
    of_object = _own_facts().group_by("relation", "object").agg(of_object=_.count())
    beside = _facts().select(*_PAIR, beside="relation")
    others = rows.select(*_FACT, "known").join(beside, _PAIR).filter(_.relation != _.beside)
    pairs = unbound(SharedPairs)
    others = others.left_join(pairs, ["relation", "beside"]).select(*_FACT, "known", "shared", "size")
    share = (_.shared.fill_null(0) - _.known + 0.5) / (_["size"].fill_null(0) + 1.0)
    others = others.mutate(share=share).group_by(_FACT).agg(others=_.count(), shared=_.share.max())
    back = _facts().view().select(subject="object", object="subject", inverse="relation")
    inverse = rows.select(*_FACT).join(back, _PAIR).group_by(_FACT).agg(inverse=_.count())
    joined: ir.Table = rows.join(unbound(RelationSizes), "relation")
    for part, keys in (
        (connected, _FACT),
        (of_subject, ["relation", "subject"]),
        (of_object, ["relation", "object"]),
        (others, _FACT),
        (inverse, _FACT),
    ):
        new = [name for name in part.columns if name not in keys]
        joined = joined.left_join(part, keys).select(*joined.columns, *new)
    counts = {name: joined[name].fill_null(0) for name in _COUNTS}
    return shaped(FactFeatures, joined.mutate(**counts, shared=joined.shared.fill_null(0.0)))


_COUNTS = ("connected", "of_subject", "of_object", "others", "inverse")


# Learns from known facts and new ones which new ones are true.


def _chances(table: pa.Table, is_known: "NDArray[np.bool_]") -> Numbers:
    """How likely each new fact is true; known ones, and all where there are too few, have no chance."""
    chances = np.zeros(len(is_known))
    if min(is_known.sum(), (~is_known).sum()) < ENOUGH:
        return chances
    features, folds = _matrix(table), _folds(table)
    labels = is_known.astype(np.float64)
    by_score = chances_of_ranks(_ranks(features[:, 0], is_known))
    labels[~is_known] = by_score
    logits = np.zeros(len(is_known))
    for _round in range(_ROUNDS):
        for fold in range(_FOLDS):
            held = folds == fold
            logits[held] = _logits(_learned(features[~held], labels[~held]), features[held])
        by_rank = chances_of_ranks(_ranks(logits, is_known))
        labels[~is_known] = _BY_SCORE * by_score + (1 - _BY_SCORE) * by_rank
    # A model of all true facts, of which a share is known: of equal ones, the others are new.
    share = float(is_known.sum() / labels.sum())
    true = 1 / (1 + np.exp(-logits[~is_known]))
    chances[~is_known] = np.minimum((1 - share) * true / (1 - share * true), _MOST_CERTAIN)
    return np.asarray(chances.round(DIGITS))


def _matrix(table: pa.Table) -> Numbers:
    """What the regression weighs, in columns of mean 0 and deviation 1; the first is the score."""
    column = {name: table[name].to_numpy().astype(np.float64) for name in columns(FactFeatures)[4:]}
    known, size = column["known"], np.maximum(column["size"], 1)
    score = np.clip(column["score"], _SUREST, 1 - _SUREST)
    of_subject = np.maximum(column["of_subject"] - known, 0)
    of_object = np.maximum(column["of_object"] - known, 0)
    by_subject, by_object = column["subjects"] / size, column["objects"] / size
    features = [
        np.log(score / (1 - score)),
        np.log1p(column["sentences"]),
        np.log1p(column["clear"]),
        np.log((column["connected"] - known + _FEW) / (column["size"] - known + 1)),
        of_subject > 0,
        np.log1p(of_subject),
        (of_subject > 0) * by_subject,
        (of_object > 0) * by_object,
        by_subject,
        by_object,
        column["others"] > 0,
        column["shared"],
        column["inverse"] > 0,
    ]
    matrix = np.column_stack([feature.astype(np.float64) for feature in features])
    deviation = matrix.std(axis=0)
    matrix = (matrix - matrix.mean(axis=0)) / np.maximum(deviation, _LEAST_DEVIATION)
    return np.asarray(matrix.round(DIGITS))


def _folds(table: pa.Table) -> "NDArray[np.int64]":
    """The fold of each fact; all facts of the same two ends share one."""
    ends = ([str(end) for end in table[name].to_pylist()] for name in _PAIR)
    pairs = zip(*ends, strict=True)
    digests = (
        blake2b("\t".join(sorted(pair)).encode(errors="surrogatepass"), digest_size=4) for pair in pairs
    )
    return np.array([int.from_bytes(digest.digest(), "big") % _FOLDS for digest in digests], np.int64)


def _ranks(scores: Numbers, is_known: "NDArray[np.bool_]") -> Numbers:
    """Where each new fact stands among the known ones, from 0 to 1.

    New facts that score like several known ones are spread over the ranks of these, in the order of rows.
    """
    steps = (scores / _ALIKE).round()
    known, new = np.sort(steps[is_known]), steps[~is_known]
    low, high = (np.searchsorted(known, new, side) for side in ("left", "right"))
    _different, first, group, counts = np.unique(
        np.sort(new), return_index=True, return_inverse=True, return_counts=True
    )
    within = np.empty(len(new))
    within[np.argsort(new, kind="stable")] = (np.arange(len(new)) - first[group] + 0.5) / counts[group]
    return np.asarray((low + within * (high - low) + 0.5) / (len(known) + 1))


def _learned(features: Numbers, labels: Numbers) -> Numbers:
    """The weights of a logistic regression, by Newton's method; the last one is the constant."""
    rows = np.column_stack([features, np.ones(len(features))])
    weights, penalty = np.zeros(rows.shape[1]), np.full(rows.shape[1], _PENALTY)
    penalty[-1] = 0.0
    for _step in range(_STEPS):
        likely = 1 / (1 + np.exp(-_logits(weights, features)))
        # Not as products of matrices, which add up in an order that depends on the number of threads.
        gradient = np.einsum("ij,i->j", rows, likely - labels) + penalty * weights
        curve = np.einsum("ij,i,ik->jk", rows, likely * (1 - likely), rows) + np.diag(penalty + 1e-9)
        step = np.linalg.solve(curve, gradient)
        weights = weights - step
        if np.abs(step).max() < 1e-8:
            break
    return weights.round(DIGITS)


def _logits(weights: Numbers, features: Numbers) -> Numbers:
    return np.asarray(np.einsum("ij,j->i", features, weights[:-1]) + weights[-1])
