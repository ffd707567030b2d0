"""What each page is searched for (its wants): the facts about its topic, and the names to find.

Input: `facts`, and the tables of a graph and a corpus. Output: `wants.arrow` and `topics.arrow`. Each fact is
searched for on the page of its subject and on that of its object. The wants are one table sorted by page, so
that a page is read once for all its facts. The engine makes both tables within its memory limit, for any
number of facts.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import ibis
import pyarrow as pa
from ibis import _

from rollcall.engine import Workbench
from rollcall.evidence.names.common_nouns import keep_common_nouns
from rollcall.evidence.names.demonyms import keep_national_names
from rollcall.evidence.names.forms import BETWEEN
from rollcall.evidence.table import FACT
from rollcall.mine.layout import TABLES, arrow_schema

if TYPE_CHECKING:
    import ibis.expr.types as ir

_FACTS = TABLES["facts"]
NAMES_OF_RELATIONS = {"relation": "string", "entity": "string", "words": "string"}
"""The columns of names that count only for the objects of one relation."""
WANTS_ROWS = 1 << 14
_COMPRESSED = pa.ipc.IpcWriteOptions(compression="lz4")


def write_wants(bench: Workbench, folder: Path, *, objects_pages: bool = True) -> tuple[int, int]:
    """Write `wants.arrow` and `topics.arrow`; returns the number of facts, and of those with a page.

    Without `objects_pages` only the pages of the subjects are searched.
    """
    bench.keep("sought", distinct_facts)
    bench.keep("every_name", every_name)
    keep_common_nouns(bench, _every_name)
    keep_national_names(bench)
    bench.keep("names", names)
    bench.keep("asked", asked if objects_pages else asked_of_subjects)
    for query, name in ((wants_in_order, "wants"), (topics_in_order, "topics")):
        _write(bench, query, folder / f"{name}.arrow")
    (facts, searchable) = next(iter(bench.stream(counts))).columns
    return int(facts[0].as_py()), int(searchable[0].as_py())


def name_inputs(
    bench: Workbench, graph: Path, corpus: Path, facts: Path, further_names: Path | None = None
) -> None:
    """Register the tables that these queries read; `further_names` has the columns `NAMES_OF_RELATIONS`."""
    if further_names is None:
        bench.give("further_names", arrow_schema(NAMES_OF_RELATIONS).empty_table())
    else:
        bench.read_parquet("further_names", further_names.parent, further_names.name)
    bench.read_parquet("facts", facts.parent, facts.name)
    for table in ("entities", "aliases", "relations"):
        bench.read_parquet(f"graph_{table}", graph, f"{table}.parquet")
    for table in ("aliases", "ties", "pages", "sentences"):
        bench.read_parquet(f"corpus_{table}", corpus, f"{table}.parquet")


def _write(bench: Workbench, query: "Callable[[], ir.Table]", path: Path) -> None:
    """Write a result in Arrow's own format: it is read only once, and Parquet takes three times as long."""
    writer = None
    for batch in bench.stream(query, rows=WANTS_ROWS):
        writer = writer or pa.ipc.new_file(str(path), batch.schema, options=_COMPRESSED)
        writer.write_batch(batch)
    if writer is not None:
        writer.close()


def distinct_facts() -> "ir.Table":
    """The facts to find evidence for, each once."""
    # Selected in another order than declared, so that the engine is not asked for all columns.
    return ibis.table(dict(reversed(_FACTS.items())), name="facts").select(*FACT).distinct()


def _sought() -> "ir.Table":
    return ibis.table(_FACTS, name="sought")


def ends() -> "ir.Table":
    """The entities in the facts, at either end."""
    rows = _sought()
    subjects = rows.select(entity="subject")
    return subjects.union(rows.filter(~_.literal).select(entity="object"), distinct=True)


def _entities() -> "ir.Table":
    return ibis.table({"id": "string", "label": "string", "title": "string"}, name="graph_entities")


def every_name() -> "ir.Table":
    """The names of every end: its label, its aliases in the graph, and its aliases in the corpus."""
    entities = _entities()
    aliases = {"entity": "string", "text": "string", "source": "string", "count": "int64"}
    labels = entities.filter(_.label.notnull()).select(entity="id", text="label")
    ids = entities.filter(_.label.isnull()).select(entity="id", text="id")
    every = ibis.union(
        labels,
        ids,
        ibis.table(aliases, name="graph_aliases").select("entity", "text"),
        ibis.table(aliases, name="corpus_aliases").select("entity", "text"),
        distinct=True,
    )
    return every.semi_join(ends(), "entity")


def _every_name(name: str = "every_name") -> "ir.Table":
    return ibis.table({"entity": "string", "text": "string"}, name=name)


def names() -> "ir.Table":
    """The names of every end, joined, and its label; common nouns in lower case are included."""
    entities = _entities()
    known = ibis.union(_every_name(), _every_name("common_nouns"), distinct=True)
    joined = known.text.group_concat(BETWEEN, order_by=known.text)
    collected = known.group_by("entity").agg(names=joined)
    labelled = entities.select(entity="id", label=ibis.coalesce(_.label, _.id))
    return collected.left_join(labelled, "entity").select(
        "entity", "names", label=ibis.coalesce(_.label, _.entity)
    )


def _names() -> "ir.Table":
    return ibis.table({"entity": "string", "names": "string", "label": "string"}, name="names")


def _ties() -> "ir.Table":
    return ibis.table({"entity": "string", "page": "string", "tie": "string"}, name="corpus_ties")


def asked_of_subjects() -> "ir.Table":
    """Each fact with the page of its subject, the side it is on, and the other end."""
    rows, ties = _sought(), _ties()
    return rows.join(ties, rows.subject == ties.entity).select(
        "page", *FACT, side=ibis.literal("subject"), topic=_.subject, other=_.object
    )


def asked() -> "ir.Table":
    """The same, and also with the pages of objects."""
    rows, ties = _sought().filter(~_.literal & (_.subject != _.object)), _ties()
    of_object = rows.join(ties, rows.object == ties.entity).select(
        "page", *FACT, side=ibis.literal("object"), topic=_.object, other=_.subject
    )
    return asked_of_subjects().union(of_object)


_ASKED = {"page": "string", **_FACTS, "side": "string", "topic": "string", "other": "string"}


def wants_in_order() -> "ir.Table":
    """The wants, page by page: the names of the other end, or nothing if it is a value."""
    rows = ibis.table(_ASKED, name="asked")
    known = _names()
    joined = rows.left_join(known, (rows.other == known.entity) & ~rows.literal)
    joined = joined.select(
        "page",
        *FACT,
        "side",
        names=ibis.coalesce(_.names, _.other),
        label=ibis.coalesce(_.label, _.other),
    )
    also = _names_of_relations()
    named = joined.left_join(
        also,
        (joined.side == "subject") & (joined.relation == also.relation) & (joined.object == also.entity),
    )
    return named.select(
        "page", *FACT, "side", "label", names=named.names + ibis.coalesce(BETWEEN + named.words, "")
    ).order_by("page", *FACT, "side")


def _names_of_relations() -> "ir.Table":
    """The words that name the objects of one relation only, joined."""
    given = ibis.table(NAMES_OF_RELATIONS, name="further_names")
    every = given.union(ibis.table(NAMES_OF_RELATIONS, name="national_names"), distinct=True)
    return every.group_by("relation", "entity").agg(
        words=every.words.group_concat(BETWEEN, order_by=every.words)
    )


def topics_in_order() -> "ir.Table":
    """The topic of every page that is searched, with its names."""
    rows = ibis.table(_ASKED, name="asked").select("page", "topic").distinct()
    known = _names()
    return rows.left_join(known, rows.topic == known.entity).select(
        "page", "topic", names=ibis.coalesce(_.names, _.topic), label=ibis.coalesce(_.label, _.topic)
    ).order_by("page", "topic")  # fmt: skip


def counts() -> "ir.Table":
    """The number of facts, and of those with a page."""
    found = ibis.table(_ASKED, name="asked").select(*FACT).distinct()
    return _sought().agg(facts=_.count()).cross_join(found.agg(searchable=_.count()))
