"""Draws the facts from which the contrast verifier learns, and finds what else holds between their ends.

Input: a graph. Output: `facts.parquet` and a `Sample`. Facts of every relation are drawn by a hash of their
content, so the same graph gives the same sample everywhere.
"""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import ibis
import pyarrow.parquet as pq
from ibis import _

from rollcall.engine import Workbench
from rollcall.mine.layout import TABLES

if TYPE_CHECKING:
    import ibis.expr.types as ir

MOST_FACTS = 240_000
MOST_OF_RELATION = 600
_KNOWN = TABLES["facts"]


class Sample(NamedTuple):
    """A sample of facts on disk, with the relations of each pair and the kinds of each relation's ends."""

    facts: Path
    pairs: dict[tuple[str, str], frozenset[str]]
    kinds: dict[str, list[tuple[str, str, int]]]
    labels: dict[str, str]


def draw_sample(bench: Workbench, graph: Path, folder: Path) -> Sample:
    """Draw facts of a graph and write them to `folder/facts.parquet`."""
    import pyarrow as pa

    for table in ("facts", "values", "types", "relations"):
        bench.read_parquet(f"graph_{table}", graph, f"{table}.parquet")
    relations = [row for batch in bench.stream(relation_labels) for row in batch.to_pylist()]
    labels = {row["id"]: row["label"] or row["id"] for row in relations}
    most = most_of_each([row["facts"] + row["values"] for row in relations])
    bench.give("most", pa.table({"most": pa.array([most], pa.int64())}))
    bench.keep("sample", sample)
    path = folder / "facts.parquet"
    schema = pa.schema([(name, pa.bool_() if name == "literal" else pa.string()) for name in _KNOWN])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in bench.stream(sample_in_order):
            writer.write_batch(batch.cast(schema))
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
    columns = {
        "id": "string",
        "label": "string",
        "description": "string",
        "facts": "int64",
        "values": "int64",
    }
    return ibis.table(columns, name="graph_relations").select("id", "label", "facts", "values").order_by("id")


def known() -> "ir.Table":
    """All facts and values in one table."""
    facts = ibis.table({"subject": "string", "relation": "string", "object": "string"}, name="graph_facts")
    values = ibis.table({"value": "string", "relation": "string", "subject": "string"}, name="graph_values")
    return facts.select("subject", "relation", "object", literal=ibis.literal(False)).union(
        values.select("subject", "relation", object="value", literal=ibis.literal(True))
    )


def sample() -> "ir.Table":
    """A given number of facts of every relation."""
    rows = known()
    key = (rows.relation + "\t" + rows.subject + "\t" + rows.object).hexdigest("md5")
    numbered = rows.mutate(number=ibis.row_number().over(group_by=rows.relation, order_by=key))
    most = ibis.table({"most": "int64"}, name="most")
    return numbered.cross_join(most).filter(_.number < _.most).select(*_KNOWN)


def _sample() -> "ir.Table":
    return ibis.table(_KNOWN, name="sample")


def sample_in_order() -> "ir.Table":
    """The sample, sorted."""
    return _sample().order_by(*_KNOWN)


def pairs() -> "ir.Table":
    """Every pair of ends in the sample with all relations the graph has between them."""
    chosen = _sample().select("subject", "object").distinct()
    held = known().join(chosen, ["subject", "object"])
    return held.group_by("subject", "object").agg(relations=held.relation.collect(distinct=True))


def kinds() -> "ir.Table":
    """How often each relation connects ends of which classes."""
    types = ibis.table({"entity": "string", "class": "string", "direct": "boolean"}, name="graph_types")
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
    return grouped.agg(count=_.count())
