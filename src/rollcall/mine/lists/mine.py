"""Mines table queries from list pages: facts of lists, queries about them, and the proofs of their answers.

Input: a corpus. Output: `queries`, `proofs`, `list_facts`, `table_facts` and `table_values`. Lists are read
one after the other in Python, because each table needs decisions of its own. Their rows are written to files
at once, and the engine sorts them. `table_facts` and `table_values` have the columns of a graph's tables, so
a graph made with them answers the queries. `list_facts` also has the words of the cells, for the search for
evidence.
"""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ibis
from ibis import _

from rollcall._core.errors import Filter
from rollcall._core.files import remove
from rollcall.corpus.lists import MEMBERSHIP, column_relation
from rollcall.graph.rows import value_row
from rollcall.mine.joins import MiningResult, graph_table, mining_bench, needed_facts, row_key
from rollcall.mine.lists.columns import ListPage, list_pages, list_tables
from rollcall.mine.lists.queries import ListQuery, ListQueryOptions, list_queries
from rollcall.query import parse_value
from rollcall.tables.build import (
    ListFacts,
    ListQueries,
    Proofs,
    ProvableFacts,
    RelatedFacts,
    TableFacts,
    TableValues,
)
from rollcall.tables.engine import Engine, Workbench
from rollcall.tables.files import TableWriter, write_batches
from rollcall.tables.graph import Aliases, Entities, Facts, Values
from rollcall.tables.table import (
    Boolean,
    DeclaredTable,
    Int64,
    Rows,
    String,
    arrow,
    columns,
    file_name,
    shaped,
    unbound,
)

if TYPE_CHECKING:
    import pyarrow as pa


YEAR_OF_DAY = "@"
"""Stands for the words of a year of which the cell has the day; no cell has only this."""
_BATCH = 500
"""The number of lists whose rows are collected before they are written to disk."""
_FOUND: tuple[type[DeclaredTable], ...] = (ListQueries, Proofs, ListFacts)
_UNLINKED = Filter("lists with too few linked rows", "linked")
_SHORT = Filter("lists with too few entries", "min_answers")


def mine_lists(corpus: Path, out: Path, options: ListQueryOptions, engine: Engine) -> MiningResult:
    """Write `queries`, `proofs`, `list_facts`, `table_facts` and `table_values` of the lists of a corpus."""
    scratch = out / ".found"
    remove(scratch)
    scratch.mkdir(parents=True)
    removed = {_UNLINKED: 0, _SHORT: 0}
    try:
        tables = list_tables(corpus, options.prefix, options.min_answers, engine, scratch / "spill")
        queries = _write_found(scratch, list_pages(tables, options.prefix), options, removed)
        with mining_bench(engine, out) as bench:
            for table in _FOUND:
                bench.read(table, scratch / file_name(table))
            bench.write(ListQueries, lambda: unbound(ListQueries), out / file_name(ListQueries))
            bench.write(Proofs, lambda: unbound(Proofs), out / file_name(Proofs))
            bench.write(ListFacts, _distinct_facts, out / file_name(ListFacts))
            bench.write(TableFacts, _table_facts, out / file_name(TableFacts))
            write_batches(TableValues, out / file_name(TableValues), _table_values(bench))
    finally:
        remove(scratch)
    return MiningResult(queries, removed)


def _distinct_facts() -> Rows[ListFacts]:
    """A fact stated in several wordings is kept once."""
    by = list(columns(ProvableFacts))
    return shaped(ListFacts, unbound(ListFacts).group_by(by).agg(text=_.text.min()))


def _write_found(
    folder: Path, pages: Iterable[ListPage], options: ListQueryOptions, removed: dict[Filter, int]
) -> int:
    """Write the rows of all lists in the order of reading; returns the number of queries."""
    count = 0
    with ExitStack() as stack:
        files = {
            table: stack.enter_context(TableWriter(table, folder / file_name(table))) for table in _FOUND
        }
        for batch in _batches(_askable(pages, options, removed)):
            rows: dict[type[DeclaredTable], list[dict[str, Any]]] = {table: [] for table in files}
            for page in batch:
                queries = list(list_queries(page, options))
                count += len(queries)
                rows[ListFacts] += [*_list_facts(page), *_compared_facts(page, queries)]
                for query in queries:
                    key = row_key(query.kind, query.query.text)
                    rows[ListQueries].append(_query_row(key, page.title, query))
                    rows[Proofs] += _proof_rows(key, query, options.membership)
            for table, file in files.items():
                file.append(*([row[column] for row in rows[table]] for column in columns(table)))
    return count


def _batches(pages: Iterator[ListPage]) -> Iterator[list[ListPage]]:
    while batch := list(islice(pages, _BATCH)):
        yield batch


def _askable(
    pages: Iterable[ListPage], options: ListQueryOptions, removed: dict[Filter, int]
) -> Iterator[ListPage]:
    for page in pages:
        if len(page.members) < options.min_answers:
            removed[_SHORT] += 1
        elif page.linked < options.linked:
            removed[_UNLINKED] += 1
        else:
            yield page


def _list_facts(page: ListPage) -> list[dict[str, Any]]:
    """The facts of a list with the words of the cells."""
    rows = [_fact_row(member, MEMBERSHIP, page.title, False, "") for member in page.members]
    for header, (_kind, facts) in page.columns.items():
        relation = column_relation(page.title, header)
        rows += [_fact_row(member, relation, fact.object, fact.literal, fact.text) for member, fact in facts]
    return rows


def _compared_facts(page: ListPage, queries: Iterable[ListQuery]) -> list[dict[str, Any]]:
    """What proofs need besides the words of cells: the years of days, with a mark instead of words."""
    stated = {
        (member, column_relation(page.title, header), fact.object)
        for header, (_kind, facts) in page.columns.items()
        for member, fact in facts
    }
    needed = {
        (member, relation, object_)
        for query in queries
        for member, facts in query.answers.items()
        for relation, object_, literal in facts
        if literal
    }
    return [_fact_row(*fact, True, YEAR_OF_DAY) for fact in sorted(needed - stated)]


def _fact_row(subject: str, relation: str, object_: str, literal: bool, text: str) -> dict[str, Any]:
    return {"subject": subject, "relation": relation, "object": object_, "literal": literal, "text": text}


def _query_row(key: str, title: str, query: ListQuery) -> dict[str, Any]:
    return {
        "key": key,
        "kind": query.kind,
        "query": query.query.text,
        "class": None,
        "answers": len(query.answers),
        "title": title,
        "column": query.column,
    }


def _proof_rows(key: str, query: ListQuery, membership: bool) -> Iterator[dict[str, Any]]:
    for answer, facts in query.answers.items():
        for relation, object_, literal in facts:
            if query.column is not None and relation == MEMBERSHIP and not membership:
                continue  # text need not prove that a row is on the list
            yield {
                "key": key,
                "answer": answer,
                "literal": False,
                "via": "",
                "subject": answer,
                "relation": relation,
                "object": object_,
                "object_literal": literal,
            }


def _table_facts() -> Rows[TableFacts]:
    return shaped(TableFacts, unbound(ListFacts).filter(~_.literal)).distinct()


def _literal_facts() -> Rows[ProvableFacts]:
    facts = shaped(ProvableFacts, unbound(ListFacts).filter(_.literal)).distinct()
    return facts.order_by(["subject", "relation", "object"])


def _table_values(bench: Workbench) -> "Iterator[pa.RecordBatch]":
    """The values as in a graph's table: with kind, dimension and bounds."""
    for batch in bench.stream(_literal_facts):
        rows = [
            (row["subject"], row["relation"], *value_row(parse_value(row["object"])))
            for row in batch.to_pylist()
        ]
        values = [[row[index] for row in rows] for index in range(len(columns(TableValues)))]
        yield from arrow(TableValues, dict(zip(columns(TableValues), values, strict=True))).to_batches()


# Finds the relation of the graph that a list, or a column of a list, stands for. Input: a graph,
# `list_facts` and the lists' `proofs`. Output: `related` and `facts`. "List of films directed by Orla
# Venn" stands for the relation director if the graph has this relation between most entries of the list
# and Orla Venn. Its column Genre stands for the relation genre if the graph has that relation between
# most entries and what the column says about them. A verifier can then decide whether text states the
# relation, as for any fact of the graph; without a relation, evidence can only be found by words. A
# list's name must contain a name of the entity that its entries share.

LEAST = 3
SHARE = 0.5
"""The least number, and the least share, of a column's statements that the graph must have by one relation.
"""
_FACT = list(columns(ProvableFacts))
_SHORTEST_NAME = 4
_LIST_PROOFS = "list_proofs"


class Between(DeclaredTable):
    """A fact of the graph, seen from one of its ends."""

    subject = String("the entity at this end")
    by = String("the relation")
    other = String("the entity at the other end")
    forward = Boolean("whether this end is the subject of the fact")


class HeldFacts(ProvableFacts):
    """What a column says about an entry and the graph also has."""

    by = Between.by
    forward = Between.forward


class SharedEntities(DeclaredTable):
    """A relation and an entity that entries of a list share."""

    title = String("the title of the list")
    by = Between.by
    forward = Between.forward
    other = String("the entity")
    known = Int64("how many entries share it")
    size = Int64("how many entries the list has")


class Stands(DeclaredTable):
    """A list, or a column of a list, with the relation of the graph that it stands for."""

    column = String("the relation of the column, or the title of the list")
    by = Between.by
    forward = Between.forward
    other = String("the entity that all entries of a list share; empty for a column")


def relate_lists(graph: Path, list_facts: Path, proofs: Path | None, out: Path, engine: Engine) -> int:
    """Write `related` (what lists state, with the facts of the graph it means) and `facts` (these facts).

    Only what proofs need is related; without proofs, everything that lists state.
    """
    related, facts = (_related, _facts) if proofs is not None else (_all_related, _all_facts)
    with mining_bench(engine, out, graph) as bench:
        bench.read(ListFacts, list_facts)
        bench.read(Proofs, [] if proofs is None else proofs, _LIST_PROOFS)
        bench.keep(HeldFacts, lambda: ibis.union(_held_columns(), _held_values()))
        bench.keep(SharedEntities, _shared)
        bench.keep(Stands, lambda: ibis.union(_columns(), _lists()))
        bench.write(RelatedFacts, related, out / "related.parquet")
        return bench.write(ProvableFacts, facts, out / "facts.parquet")


def _facts_of_lists() -> Rows[ProvableFacts]:
    return shaped(ProvableFacts, unbound(ListFacts))


def _between() -> Rows[Between]:
    """The facts of the graph, in both directions."""
    facts = graph_table(Facts)
    ahead = facts.select(subject="subject", by="relation", other="object", forward=ibis.literal(True))
    back = facts.select(subject="object", by="relation", other="subject", forward=ibis.literal(False))
    return shaped(Between, ibis.union(shaped(Between, ahead), shaped(Between, back)))


def _held_columns() -> Rows[HeldFacts]:
    """What a column says about an entry and the graph also has, with the relation in the graph."""
    stated = _facts_of_lists().filter(~_.literal, _.relation != MEMBERSHIP)
    between = _between()
    joined = stated.join(between, [stated.subject == between.subject, stated.object == between.other])
    return shaped(HeldFacts, joined)


def _held_values() -> Rows[HeldFacts]:
    """The same for values; a year matches if the graph has a day of that year."""
    stated = _facts_of_lists().filter(_.literal)
    values = graph_table(Values).select("subject", "value", by="relation")
    joined = stated.join(values, "subject")
    joined = joined.filter(
        (_.value == _.object) | (_.object.startswith("@") & _.value.startswith(_.object + "-"))
    )
    return shaped(HeldFacts, joined.mutate(forward=ibis.literal(True))).distinct()


def _shared() -> Rows[SharedEntities]:
    members = _facts_of_lists().filter(_.relation == MEMBERSHIP).select("subject", title="object")
    sizes = members.group_by("title").agg(size=_.count())
    joined = members.join(_between(), "subject")
    counted = joined.group_by("title", "by", "forward", "other").agg(known=joined.subject.nunique())
    counted = counted.join(sizes, "title")
    return shaped(SharedEntities, counted.filter(_.known >= LEAST, _.known >= _.size * SHARE))


def _columns() -> Rows[Stands]:
    """Columns, each with the relation that the graph has for most of their statements."""
    held_facts = unbound(HeldFacts)
    totals = _facts_of_lists().group_by("relation").agg(size=_.count())
    counted = held_facts.group_by("relation", "by", "forward").agg(known=_.count()).join(totals, "relation")
    counted = counted.filter(_.known >= LEAST, _.known >= _.size * SHARE)
    best = ibis.window(group_by="relation", order_by=[ibis.desc(_.known), _.by, ibis.desc(_.forward)])
    first = counted.mutate(position=ibis.row_number().over(best)).filter(_.position == 0)
    return shaped(Stands, first.mutate(other=ibis.literal("")).rename(column="relation"))


def _lists() -> Rows[Stands]:
    """Lists, each with the relation and entity that most entries share, if the list's name contains the
    entity.
    """
    labels = graph_table(Entities).select(other="id", name=ibis.coalesce(_.label, _.id))
    names = labels.union(graph_table(Aliases).select(other="entity", name="text"), distinct=True)
    joined = unbound(SharedEntities).join(names.filter(_.name.length() >= _SHORTEST_NAME), "other")
    named = joined.filter((_.title + " ").contains(" " + _.name + " "))
    best = ibis.window(
        group_by="title",
        order_by=[ibis.desc(_.known), ibis.desc(_.name.length()), _.by, ibis.desc(_.forward), _.other],
    )
    first = named.mutate(position=ibis.row_number().over(best)).filter(_.position == 0)
    return shaped(Stands, first.rename(column="title"))


def _related() -> Rows[RelatedFacts]:
    """What lists state and proofs need, as facts of the graph's relations; the graph may lack some."""
    return _meaning(_facts_of_lists().semi_join(needed_facts(_LIST_PROOFS), _FACT))


def _all_related() -> Rows[RelatedFacts]:
    """The same for everything that lists state."""
    return _meaning(_facts_of_lists())


def _meaning(stated: Rows[ProvableFacts]) -> Rows[RelatedFacts]:
    column = ibis.ifelse(stated.relation == MEMBERSHIP, stated.object, stated.relation)
    joined = stated.mutate(column=column).join(unbound(Stands), "column")
    other = ibis.ifelse(joined.other == "", joined.object, joined.other)
    related = joined.mutate(
        of_subject=ibis.ifelse(joined.forward, joined.subject, other),
        of_relation=joined.by,
        of_object=ibis.ifelse(joined.forward, other, joined.subject),
        of_literal=joined.literal,
    )
    return shaped(RelatedFacts, related)


def _facts() -> Rows[ProvableFacts]:
    return _graph_facts(_related())


def _all_facts() -> Rows[ProvableFacts]:
    return _graph_facts(_all_related())


def _graph_facts(related: Rows[RelatedFacts]) -> Rows[ProvableFacts]:
    return shaped(ProvableFacts, related.select(**{name: f"of_{name}" for name in _FACT})).distinct()
