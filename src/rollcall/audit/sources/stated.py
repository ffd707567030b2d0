"""Which facts text states: finds sentences for known and newly named facts, and has them verified.

Input: facts that the graph has, and facts that it lacks. Output: `StatedFacts`. A new fact is as likely as
its rank among the known ones says (`rollcall.audit.sources.stated`). For known facts the question is only
whether text states them, and the verifier's scores are adjusted to the share of true sentences as for a
build (`rollcall.evidence.expected`).
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import ibis
import msgspec
import numpy as np
from ibis import _
from numpy.typing import NDArray

from rollcall.audit.sources.evaluate import Fact, RelationCondition
from rollcall.evidence.expected import UNCALIBRATED, chances
from rollcall.evidence.find import score_all
from rollcall.evidence.mentions.homonyms import Mentioned, Topics
from rollcall.evidence.names import keep_names, name_inputs
from rollcall.evidence.search.run import find_candidates, keep_mentions
from rollcall.evidence.verifiers.verifier import Verifier
from rollcall.tables.build import ProvableFacts, ScoredCandidates
from rollcall.tables.engine import Engine
from rollcall.tables.files import TableWriter, read, records
from rollcall.tables.graph import Facts, Types
from rollcall.tables.table import DeclaredTable, Int64, Rows, String, arrow, columns, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir


# How likely a fact that the graph lacks is true, from where its score stands among scores of known
# facts. A fact that is true and missing by chance is worded like the facts of its relation that the
# graph has, so the rank of its score among theirs is as likely to be any share from 0 to 1; scores of
# false ones stand below nearly all. So the upper half of ranks shows how many are true, and how many
# more there are in a lower tenth says how likely one of that tenth is. No score need be a probability,
# and a relation that the verifier understands badly is compared with itself.

Numbers = NDArray[np.float64]

TENTHS = 10
LOWEST = 0.1
"""Facts below this rank are not counted as stated, known or not: most that stand there are false."""
_ENOUGH_RANKED = 20
"""The fewest scores of a relation's known facts to rank against; with fewer, those of all relations are."""


def ranks(
    scores: Numbers, relations: Sequence[str], known: Numbers, known_relations: Sequence[str]
) -> Numbers:
    """Where each score stands among those of the known facts of its relation, from 0 to 1; equal scores
    share.
    """
    everything = np.sort(known)
    own: dict[str, list[float]] = {}
    for score, relation in zip(known.tolist(), known_relations, strict=True):
        own.setdefault(relation, []).append(score)
    ordered = {name: np.sort(values) for name, values in own.items() if len(values) >= _ENOUGH_RANKED}
    ranked = np.zeros(len(scores))
    rows: dict[str, list[int]] = {}
    for row, relation in enumerate(relations):
        rows.setdefault(relation if relation in ordered else "", []).append(row)
    for relation, which in rows.items():
        among = ordered.get(relation, everything)
        low, high = (np.searchsorted(among, scores[which], side) for side in ("left", "right"))
        ranked[which] = ((low + high) / 2 + 0.5) / (len(among) + 1)
    return ranked


def chances_of_ranks(ranks_of_facts: Numbers) -> Numbers:
    """How likely each of some facts that the graph lacks is true, by the tenth that its rank is in.

    It rises with the rank and is at least what the tenths above leave over; one true and one false are
    added to the upper half, so that few facts do not seem certain.
    """
    if not len(ranks_of_facts):
        return ranks_of_facts
    tenth = np.minimum((ranks_of_facts * TENTHS).astype(np.int64), TENTHS - 1)
    counts = np.bincount(tenth, minlength=TENTHS).astype(np.float64)
    expected = counts[TENTHS // 2 :].mean()
    share = np.minimum(1.0, expected / np.maximum(counts, 1.0))
    rising = np.maximum.accumulate(share)
    most = (counts[TENTHS // 2 :].sum() + 1) / (counts[TENTHS // 2 :].sum() + 2)
    chances: Numbers = np.minimum(rising, most)[tenth]
    return chances


_ENOUGH = 200
"""The fewest sentences of a relation that are adjusted by themselves; fewer are adjusted together."""


class SupportingSentence(NamedTuple):
    """The best sentence for a fact."""

    page: str
    start: int
    end: int
    text: str


class FactInText(NamedTuple):
    """What text says about a fact."""

    known: bool
    """Whether the graph has the fact."""
    stated: bool
    """Whether it counts as stated: its score is not among the lowest of its relation's known facts."""
    score: float | None
    """The verifier's score of the best sentence, if it gives any; 0 if no sentence names both ends."""
    chance: float
    """How likely the fact is true, if the graph lacks it; how likely its sentence states it, if it is
    known.
    """
    sentence: SupportingSentence | None


StatedFacts = dict[Fact, FactInText]


def facts_of(pairs: Iterable[dict[str, str]]) -> Iterator[Fact]:
    """Pairs of conditions as facts."""
    for pair in pairs:
        entity, other = pair["entity"], pair["other"]
        yield (
            Fact(other, pair["relation"], entity)
            if pair["sought"] == "subject"
            else Fact(entity, pair["relation"], other)
        )


def find_stated(
    folder: Path,
    graph: Path,
    corpus: Path,
    known: Iterable[Fact],
    new: Iterable[Fact],
    verifier: Verifier,
    engine: Engine,
) -> StatedFacts:
    """Find sentences for facts that the graph has and for facts that it lacks, and verify them."""
    is_known = {**dict.fromkeys(new, False), **dict.fromkeys(known, True)}
    facts = sorted(is_known)
    path = folder / "facts.parquet"
    with TableWriter(ProvableFacts, path) as file:
        if facts:
            file.append(*(list(column) for column in zip(*facts, strict=True)), [False] * len(facts))
    find_candidates(folder, graph, corpus, path, engine, name="seeking missing answers")
    score_all(folder, verifier, engine)
    return stated_facts(is_known, best_sentences(folder), verifier.prior or UNCALIBRATED)


def stated_facts(is_known: Mapping[Fact, bool], best: Mapping[Fact, "Scored"], prior: float) -> StatedFacts:
    """What the best sentences of facts say about each fact; `prior` is that of the verifier's scores."""
    groups = [[fact for fact in best if is_known[fact] is known] for known in (True, False)]
    scores = [np.array([best[fact].certainty for fact in group], np.float64) for group in groups]
    relations = [[fact.relation for fact in group] for group in groups]
    facts = {fact: FactInText(known, False, 0.0, 0.0, None) for fact, known in is_known.items()}
    for group, own, of, known in zip(groups, scores, relations, (True, False), strict=True):
        placed = ranks(own, of, scores[0], relations[0]) if len(scores[0]) else np.zeros(len(own))
        likely = adjusted(own, of, prior) if known else chances_of_ranks(placed)
        for fact, rank, chance in zip(group, placed.tolist(), likely.tolist(), strict=True):
            row = best[fact]
            facts[fact] = FactInText(known, rank >= LOWEST, row.score, chance, row.sentence)
    return facts


class Scored(NamedTuple):
    """A sentence with the verifier's score."""

    score: float | None
    sentence: SupportingSentence

    @property
    def certainty(self) -> float:
        """The score; without one, the sentence counts fully."""
        return 1.0 if self.score is None else self.score


def best_sentences(folder: Path) -> dict[Fact, Scored]:
    """The best sentence of each fact; of equal ones the first, in an order that no process changes."""
    names = ("subject", "relation", "object", "score", "page", "start", "end", "text")
    best: dict[Fact, Scored] = {}
    for path in sorted((folder / "scored").glob("*.parquet")):
        table = read(ScoredCandidates, path, names)
        for subject, relation, object_, score, *position in zip(
            *(table.column(name).to_pylist() for name in names), strict=True
        ):
            fact, row = Fact(subject, relation, object_), Scored(score, SupportingSentence(*position))
            if fact not in best or row.certainty > best[fact].certainty:
                best[fact] = row
    return best


def adjusted(scores: Numbers, relations: Sequence[str], prior: float) -> Numbers:
    """Scores as probabilities, adjusted to the share of true sentences of each relation that has enough."""
    counted = Counter(relations)
    of_group: dict[str, list[int]] = {}
    for row, relation in enumerate(relations):
        of_group.setdefault(relation if counted[relation] >= _ENOUGH else "", []).append(row)
    probabilities = np.zeros(len(scores))
    for rows in of_group.values():
        own, inverse, counts = np.unique(scores[rows], return_inverse=True, return_counts=True)
        probabilities[rows] = chances(own, counts.astype(np.int64), prior).chances[inverse]
    return probabilities


# Finds which entities text names together with the entity of a condition, and that the graph does not
# relate. Input: conditions, a graph and a corpus. Output: a table of pairs, each a fact that might be
# missing. An entity with a common class of a relation's ends may be an end of it. The corpus is read once
# for all conditions (the index of mentions of `rollcall.evidence`), and the engine joins what is named
# in one sentence, or on the page of one end; so the cost grows with the text and with the conditions,
# not with their product.

_SHARE = 0.002
"""A class with this share of a relation's ends is one whose members may be ends of it."""
_MOST_ENDS = 40
"""Of a sentence; one that names more is a list, and is left out."""
_SENTENCE = ["page", "sentence"]
_PAIR = ["relation", "entity", "sought", "other"]


class Conditions(DeclaredTable):
    """A relation and an entity at one of its ends."""

    relation = String("the relation")
    entity = String("the entity at one end")
    sought = String("the end that is sought: `subject` or `object`")


class EndsOfRelations(DeclaredTable):
    """An entity that the graph has at the sought end of a relation."""

    relation = Conditions.relation
    sought = Conditions.sought
    other = String("the entity")


class FittingClasses(DeclaredTable):
    """A class whose members may be the sought end of a relation."""

    relation = Conditions.relation
    sought = Conditions.sought
    class_ = Types.class_


class KnownPairs(Conditions):
    """A condition with an entity that the graph has at the sought end."""

    other = EndsOfRelations.other


class NamedPairs(KnownPairs, sorted_by=("relation", "entity", "sought", "other")):
    """A condition with an entity that text names together with it, and that the graph does not relate."""

    sentences = Int64("how many sentences name both, or name one on the page of the other")


def find_pairs(
    folder: Path, graph: Path, corpus: Path, conditions: Sequence[RelationCondition], engine: Engine
) -> tuple[Path, Path]:
    """Write the known and the newly named pairs of conditions into a folder; returns both paths."""
    known, named = folder / "known_pairs.parquet", folder / "named_pairs.parquet"
    rows = dict(zip(columns(Conditions), zip(*conditions, strict=True), strict=True))
    with engine.workbench(folder / "spill") as bench:
        bench.give(Conditions, arrow(Conditions, rows))
        bench.read_folder("graph", graph, Facts, Types)
        bench.keep(EndsOfRelations, _ends)
        bench.keep(FittingClasses, _fitting)
        bench.keep(KnownPairs, _known)
        bench.write(KnownPairs, lambda: unbound(KnownPairs), known)
        bench.write(ProvableFacts, _named_facts, folder / "facts.parquet")
        name_inputs(bench, graph, corpus, folder / "facts.parquet")
        keep_names(bench)
        keep_mentions(bench, folder, graph, corpus, engine)
        bench.write(NamedPairs, _new_pairs, named)
    return known, named


def _facts() -> Rows[Facts]:
    return unbound(Facts, "graph_facts")


def _both_ways() -> "ir.Table":
    """The facts of the graph as conditions, seen from either end."""
    facts = _facts()
    return ibis.union(
        facts.select("relation", entity="object", sought=ibis.literal("subject"), other="subject"),
        facts.select("relation", entity="subject", sought=ibis.literal("object"), other="object"),
    )


def _ends() -> Rows[EndsOfRelations]:
    wanted = unbound(Conditions).select("relation", "sought").distinct()
    return shaped(EndsOfRelations, _both_ways().semi_join(wanted, ["relation", "sought"])).distinct()


def _direct_types() -> "ir.Table":
    return unbound(Types, "graph_types").filter(_.direct).select("class", other="entity")


def _fitting() -> Rows[FittingClasses]:
    """The classes of a relation's ends, without rare ones."""
    ends = unbound(EndsOfRelations)
    counted = ends.join(_direct_types(), "other").group_by("relation", "sought", "class").agg(size=_.count())
    totals = counted.group_by("relation", "sought").agg(total=_["size"].sum())
    joined = counted.join(totals, ["relation", "sought"])
    return shaped(FittingClasses, joined.filter(_["size"] >= _.total * _SHARE))


def _known() -> Rows[KnownPairs]:
    return shaped(KnownPairs, _both_ways().semi_join(unbound(Conditions), ["relation", "entity", "sought"]))


def _possible() -> "ir.Table":
    """Every entity that may be the sought end of a wanted relation."""
    classes = unbound(FittingClasses).select("class").distinct()
    members = _direct_types().semi_join(classes, "class").select("other")
    return members.union(unbound(EndsOfRelations).select("other"), distinct=True)


def _named_facts() -> Rows[ProvableFacts]:
    """What the index of mentions has names for: known facts, with the relations that give names, and all
    others who may be meant, as facts of no relation.
    """
    known = unbound(KnownPairs)
    forward = known.filter(_.sought == "subject").select("relation", subject="other", object="entity")
    back = known.filter(_.sought == "object").select("relation", subject="entity", object="other")
    entities = unbound(Conditions).select(other="entity").union(_possible(), distinct=True)
    alone = entities.select(relation=ibis.literal(""), subject="other", object="other")
    parts = [part.select("subject", "relation", "object") for part in (forward, back, alone)]
    return shaped(ProvableFacts, ibis.union(*parts).mutate(literal=ibis.literal(False))).distinct()


def _mentions() -> "ir.Table":
    """The entities that each sentence names, each once; crowded sentences are left out."""
    rows = unbound(Mentioned).filter(~_.literal).select(*_SENTENCE, "end", only="relation").distinct()
    crowded = rows.group_by(_SENTENCE).agg(count=_.count()).filter(_["count"] > _MOST_ENDS)
    return rows.anti_join(crowded, _SENTENCE)


def _together() -> "ir.Table":
    """Conditions with what a sentence names besides their entity, or names on the page about it."""
    wanted = unbound(Conditions)
    mentions = _mentions()
    asked = wanted.join(mentions, wanted.entity == mentions.end)
    # A name that counts for objects of one relation only says nothing where the entity is a subject.
    as_object = (asked.sought == "subject") & (asked.only == asked.relation)
    asked = asked.filter((asked.only == "") | as_object).select(*columns(Conditions), *_SENTENCE).distinct()
    others = mentions.view().filter(_.only == "").select(*_SENTENCE, other="end")
    topics = unbound(Topics)
    by_sentence = asked.join(others, _SENTENCE)
    on_page_of_other = asked.join(topics.select("page", other="entity"), "page")
    pages = wanted.view().join(topics.view().select("page", entity="entity"), "entity")
    on_own_page = pages.join(others.view(), "page")
    kept = [*columns(Conditions), "other", *_SENTENCE]
    pairs = ibis.union(*(part.select(*kept) for part in (by_sentence, on_page_of_other, on_own_page)))
    return pairs.filter(_.entity != _.other).distinct()


def _new_pairs() -> Rows[NamedPairs]:
    """The pairs that the graph does not have, of entities that may have the relation."""
    counted = _together().group_by(_PAIR).agg(sentences=_.count())
    new = counted.anti_join(unbound(KnownPairs), _PAIR)
    by_class = new.join(_direct_types(), "other").join(
        unbound(FittingClasses), ["relation", "sought", "class"]
    )
    by_use = new.join(unbound(EndsOfRelations), ["relation", "sought", "other"])
    return shaped(
        NamedPairs, ibis.union(*(shaped(NamedPairs, part) for part in (by_class, by_use)))
    ).distinct()


# Chooses which questions are searched for in text, and has their facts found and verified. A verifier
# reads every sentence that names both ends of a fact, so the number of facts decides how long an audit
# takes. Questions are taken in an order that a hash of their ids gives, each with all its facts or not
# at all: a part of a question's facts would bias every estimate. One with very many facts about one
# entity (all people of a country) is skipped.


class SearchLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How much text is searched."""

    questions: int = 2_000
    """The most questions that are searched for in text; the others count by graph, lists and runs alone."""
    facts: int = 60_000
    """The most facts for which sentences are found and verified."""
    per_condition: int = 300
    """A question with more facts, known and possible, about one of its entities is skipped."""


class Searched(NamedTuple):
    """What text says, and for which questions it was asked."""

    questions: set[str]
    stated: StatedFacts
    wide: int
    """How many drawn questions were skipped because they have too many facts about one entity."""


def search(
    folder: Path,
    graph: Path,
    corpus: Path,
    asked: Mapping[str, Sequence[RelationCondition]],
    make_verifier: Callable[[set[str]], Verifier],
    engine: Engine,
    limits: SearchLimits,
) -> Searched:
    """Search text for the facts of some questions; the verifier is made for their relations."""
    drawn = sorted((id_ for id_, own in asked.items() if own), key=_order)[: limits.questions]
    conditions = list(dict.fromkeys(condition for id_ in drawn for condition in asked[id_]))
    if not conditions:
        return Searched(set(), {}, 0)
    pairs = folder / "pairs"
    pairs.mkdir(parents=True)
    known, named = find_pairs(pairs, graph, corpus, conditions, engine)
    chosen, wide = _chosen(drawn, asked, _sizes(known, named), limits)
    wanted = {condition for id_ in chosen for condition in asked[id_]}
    stated = folder / "stated"
    stated.mkdir()
    verifier = make_verifier({condition.relation for condition in wanted})
    had, new = (
        list(facts_of(row for row in records(table, path) if _condition(row) in wanted))
        for table, path in ((KnownPairs, known), (NamedPairs, named))
    )
    return Searched(set(chosen), find_stated(stated, graph, corpus, had, new, verifier, engine), wide)


def _order(id_: str) -> bytes:
    return hashlib.blake2b(id_.encode(errors="surrogatepass"), digest_size=8).digest()


def _condition(row: Mapping[str, str]) -> RelationCondition:
    return RelationCondition(row["relation"], row["entity"], row["sought"])


def _sizes(known: Path, named: Path) -> Counter[RelationCondition]:
    """The number of facts of each condition, known and possible."""
    tables = ((KnownPairs, known), (NamedPairs, named))
    return Counter(_condition(row) for table, path in tables for row in records(table, path))


def _chosen(
    drawn: Sequence[str],
    asked: Mapping[str, Sequence[RelationCondition]],
    sizes: Mapping[RelationCondition, int],
    limits: SearchLimits,
) -> tuple[list[str], int]:
    """The questions that fit, and how many are too wide; a fact of several questions counts once."""
    chosen: list[str] = []
    taken: set[RelationCondition] = set()
    left, wide = limits.facts, 0
    for id_ in drawn:
        if max(sizes[condition] for condition in asked[id_]) > limits.per_condition:
            wide += 1
            continue
        new = {condition for condition in asked[id_] if condition not in taken}
        cost = sum(sizes[condition] for condition in new)
        if cost > left:
            continue
        left -= cost
        taken |= new
        chosen.append(id_)
    return chosen, wide
