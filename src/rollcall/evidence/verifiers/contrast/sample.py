"""Draws the facts from which the contrast verifier learns, and finds what else holds between their ends.

Input: a graph. Output: `facts.parquet` and a `Sample`. Facts of every relation are drawn by a hash of their
content, so the same graph gives the same sample everywhere.
"""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import ibis
from ibis import _

from rollcall.tables.engine import Workbench
from rollcall.tables.graph import Facts, Relations, Types, Values
from rollcall.tables.mining import ProvableFacts
from rollcall.tables.table import Int64, Rows, Table, arrow, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir

MOST_FACTS = 240_000
MOST_OF_RELATION = 600


class MostDrawn(Table):
    """How many facts are drawn."""

    most = Int64("of each relation")


class Sample(NamedTuple):
    """A sample of facts on disk, with the relations of each pair and the kinds of each relation's ends."""

    facts: Path
    pairs: dict[tuple[str, str], frozenset[str]]
    kinds: dict[str, list[tuple[str, str, int]]]
    labels: dict[str, str]


def draw_sample(bench: Workbench, graph: Path, folder: Path) -> Sample:
    """Draw facts of a graph and write them to `folder/facts.parquet`."""
    bench.read_folder("graph", graph, Facts, Values, Types, Relations)
    relations = bench.records(relation_labels)
    labels = {row["id"]: row["label"] or row["id"] for row in relations}
    most = most_of_each([row["facts"] + row["values"] for row in relations])
    bench.give(MostDrawn, arrow(MostDrawn, {"most": [most]}))
    bench.keep(ProvableFacts, sample, "sample")
    path = folder / "facts.parquet"
    bench.write(ProvableFacts, _sample, path)
    return Sample(path, _pairs(bench), _kinds(bench), labels)


def most_of_each(counts: list[int]) -> int:
    """How many facts of each relation are drawn, so that the total is at most `MOST_FACTS`."""
    left, most = MOST_FACTS, 0
    for number, count in enumerate(sorted(counts)):
        most = left // (len(counts) - number)
        if count > most:
            break
        left -= count
        most = MOST_OF_RELATION
    return max(20, min(MOST_OF_RELATION, most))


def _pairs(bench: Workbench) -> dict[tuple[str, str], frozenset[str]]:
    found: dict[tuple[str, str], frozenset[str]] = {}
    same: dict[frozenset[str], frozenset[str]] = {}
    for batch in bench.stream(pairs):
        for subject, object_, relations in zip(
            *(column.to_pylist() for column in batch.columns), strict=True
        ):
            held = frozenset(relations)
            found[(subject, object_)] = same.setdefault(held, held)
    return found


def _kinds(bench: Workbench) -> dict[str, list[tuple[str, str, int]]]:
    found: dict[str, list[tuple[str, str, int]]] = {}
    for batch in bench.stream(kinds):
        for relation, *counted in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            of_subject, of_object, count = counted
            found.setdefault(relation, []).append((of_subject, of_object, count))
    return {relation: sorted(found[relation]) for relation in sorted(found)}


def relation_labels() -> "ir.Table":
    """The relations of the graph."""
    return unbound(Relations, "graph_relations").select("id", "label", "facts", "values").order_by("id")


def known() -> Rows[ProvableFacts]:
    """All facts and values in one table."""
    facts, values = unbound(Facts, "graph_facts"), unbound(Values, "graph_values")
    every = facts.mutate(literal=ibis.literal(False)).union(
        values.select("subject", "relation", object="value", literal=ibis.literal(True))
    )
    return shaped(ProvableFacts, every)


def sample() -> Rows[ProvableFacts]:
    """A given number of facts of every relation."""
    rows = known()
    key = (rows.relation + "\t" + rows.subject + "\t" + rows.object).hexdigest("md5")
    numbered = rows.mutate(number=ibis.row_number().over(group_by=rows.relation, order_by=key))
    return shaped(ProvableFacts, numbered.cross_join(unbound(MostDrawn)).filter(_.number < _.most))


def _sample() -> Rows[ProvableFacts]:
    return unbound(ProvableFacts, "sample")


def pairs() -> "ir.Table":
    """Every pair of ends in the sample with all relations the graph has between them."""
    chosen = _sample().select("subject", "object").distinct()
    held = known().join(chosen, ["subject", "object"])
    collected = held.group_by("subject", "object").agg(relations=held.relation.collect(distinct=True))
    return collected.order_by("subject", "object")


def kinds() -> "ir.Table":
    """How often each relation connects ends of which classes."""
    types = unbound(Types, "graph_types")
    one = types.filter(types.direct).group_by("entity").agg(kind=_["class"].min())
    rows = _sample()
    of_subject = one.select(one_subject="entity", of_subject="kind")
    of_object = one.view().select(one_object="entity", of_object="kind")
    joined = rows.left_join(of_subject, rows.subject == of_subject.one_subject)
    joined = joined.left_join(of_object, joined.object == of_object.one_object)
    grouped = joined.mutate(
        of_subject=joined.of_subject.fill_null(""),
        of_object=ibis.ifelse(joined.literal, ibis.literal("value"), joined.of_object.fill_null("")),
    ).group_by("relation", "of_subject", "of_object")
    return grouped.agg(count=_.count()).order_by("relation", "of_subject", "of_object")
