"""What each page is searched for (its wants): the facts about its topic, and the names to find.

Input: `facts`, and the tables of a graph and a corpus. Output: `wants.arrow` and `topics.arrow`. Each fact is
searched for on the page of its subject and on that of its object. The wants are one table sorted by page, so
that a page is read once for all its facts. The engine makes both tables within its memory limit, for any
number of facts.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import ibis
import pyarrow as pa
from ibis import _

from rollcall.evidence.names.common_nouns import CommonNouns, keep_common_nouns
from rollcall.evidence.names.demonyms import NationalNames, keep_national_names
from rollcall.evidence.names.forms import BETWEEN
from rollcall.evidence.table import FACT
from rollcall.tables.corpus import Pages, Sentences, TextAliases, Ties
from rollcall.tables.engine import Query, Workbench
from rollcall.tables.evidence import PageTopics, PageWants, RelationNames
from rollcall.tables.graph import Aliases, Entities, Relations
from rollcall.tables.mining import ProvableFacts
from rollcall.tables.table import Rows, String, Table, declaration, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir

WANTS_ROWS = 1 << 14
_COMPRESSED = pa.ipc.IpcWriteOptions(compression="lz4")


class EveryName(Table):
    """A name of an entity that a fact has at either end."""

    entity = String("the entity's id")
    text = String("the name")


class JoinedNames(Table, name="names"):
    """All names of an entity."""

    entity = String("the entity's id")
    names = PageTopics.names
    label = PageTopics.label


class Asked(Table):
    """A fact with a page to search for it."""

    page = PageWants.page
    subject = PageWants.subject
    relation = PageWants.relation
    object = PageWants.object
    literal = PageWants.literal
    side = PageWants.side
    topic = String("the end of the fact that the page is about")
    other = String("the other end")


def write_wants(bench: Workbench, folder: Path, *, objects_pages: bool = True) -> tuple[int, int]:
    """Write `wants.arrow` and `topics.arrow`; returns the number of facts, and of those with a page.

    Without `objects_pages` only the pages of the subjects are searched.
    """
    bench.keep(ProvableFacts, distinct_facts, "sought")
    bench.keep(EveryName, every_name)
    keep_common_nouns(bench, every_name_kept)
    keep_national_names(bench)
    bench.keep(JoinedNames, names)
    bench.keep(Asked, asked if objects_pages else asked_of_subjects)
    _write(bench, PageWants, wants, folder / "wants.arrow")
    _write(bench, PageTopics, topics, folder / "topics.arrow")
    (counted,) = bench.records(counts)
    return int(counted["facts"]), int(counted["searchable"])


def name_inputs(
    bench: Workbench, graph: Path, corpus: Path, facts: Path, further_names: Path | None = None
) -> None:
    """Register the tables that these queries read; `further_names` is a file of `RelationNames`."""
    bench.read(RelationNames, [] if further_names is None else further_names)
    bench.read(ProvableFacts, facts)
    bench.read_folder("graph", graph, Entities, Aliases, Relations)
    bench.read_folder("corpus", corpus, TextAliases, Ties, Pages, Sentences)


def _write(bench: Workbench, table: type[Table], query: Query, path: Path) -> None:
    """Write a result in Arrow's own format: it is read only once, and Parquet takes three times as long."""
    order = list(declaration(table).sorted_by)
    writer = None
    for batch in bench.stream(lambda: shaped(table, query()).order_by(order), rows=WANTS_ROWS):
        writer = writer or pa.ipc.new_file(str(path), batch.schema, options=_COMPRESSED)
        writer.write_batch(batch)
    if writer is not None:
        writer.close()


def distinct_facts() -> Rows[ProvableFacts]:
    """The facts to find evidence for, each once."""
    return shaped(ProvableFacts, unbound(ProvableFacts).distinct())


def _sought() -> Rows[ProvableFacts]:
    return unbound(ProvableFacts, "sought")


def ends() -> "ir.Table":
    """The entities in the facts, at either end."""
    rows = _sought()
    subjects = rows.select(entity="subject")
    return subjects.union(rows.filter(~_.literal).select(entity="object"), distinct=True)


def _entities() -> Rows[Entities]:
    return unbound(Entities, "graph_entities")


def every_name() -> Rows[EveryName]:
    """The names of every end: its label, its aliases in the graph, and its aliases in the corpus."""
    entities = _entities()
    every = ibis.union(
        entities.filter(_.label.notnull()).select(entity="id", text="label"),
        entities.filter(_.label.isnull()).select(entity="id", text="id"),
        unbound(Aliases, "graph_aliases").select("entity", "text"),
        unbound(TextAliases, "corpus_aliases").select("entity", "text"),
        distinct=True,
    )
    return shaped(EveryName, every.semi_join(ends(), "entity"))


def every_name_kept() -> Rows[EveryName]:
    """The names of every end, once they are kept."""
    return unbound(EveryName)


def names() -> Rows[JoinedNames]:
    """The names of every end, joined, and its label; common nouns in lower case are included."""
    known = ibis.union(every_name_kept(), unbound(CommonNouns), distinct=True)
    collected = known.group_by("entity").agg(names=_joined(known.text))
    labelled = _entities().select(entity="id", label=ibis.coalesce(_.label, _.id))
    joined = collected.left_join(labelled, "entity")
    return shaped(JoinedNames, joined.select("entity", "names", label=ibis.coalesce(_.label, _.entity)))


def _joined(words: "ir.StringValue") -> "ir.StringValue":
    """Words in order, with a separator between them; not all engines concatenate in an order."""
    return words.collect().sort().join(BETWEEN)


def asked_of_subjects() -> Rows[Asked]:
    """Each fact with the page of its subject, the side it is on, and the other end."""
    rows, ties = _sought(), unbound(Ties, "corpus_ties")
    found = rows.join(ties, rows.subject == ties.entity).select(
        "page", *FACT, side=ibis.literal("subject"), topic=_.subject, other=_.object
    )
    return shaped(Asked, found)


def asked() -> Rows[Asked]:
    """The same, and also with the pages of objects."""
    rows, ties = _sought().filter(~_.literal & (_.subject != _.object)), unbound(Ties, "corpus_ties")
    of_object = rows.join(ties, rows.object == ties.entity).select(
        "page", *FACT, side=ibis.literal("object"), topic=_.object, other=_.subject
    )
    return shaped(Asked, asked_of_subjects().union(of_object))


def wants() -> Rows[PageWants]:
    """What each page is searched for: the names of the other end, or nothing if it is a value."""
    rows, known = unbound(Asked), unbound(JoinedNames)
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
    names = named.names + ibis.coalesce(BETWEEN + named.words, "")
    return shaped(PageWants, named.select("page", *FACT, "side", "label", names=names))


def _names_of_relations() -> "ir.Table":
    """The words that name the objects of one relation only, joined."""
    every = unbound(RelationNames).union(unbound(NationalNames), distinct=True)
    return every.group_by("relation", "entity").agg(words=_joined(every.words))


def topics() -> Rows[PageTopics]:
    """The topic of every page that is searched, with its names."""
    rows, known = unbound(Asked).select("page", "topic").distinct(), unbound(JoinedNames)
    named = rows.left_join(known, rows.topic == known.entity).select(
        "page", "topic", names=ibis.coalesce(_.names, _.topic), label=ibis.coalesce(_.label, _.topic)
    )
    return shaped(PageTopics, named)


def counts() -> "ir.Table":
    """The number of facts, and of those with a page."""
    found = unbound(Asked).select(*FACT).distinct()
    return _sought().agg(facts=_.count()).cross_join(found.agg(searchable=_.count()))
