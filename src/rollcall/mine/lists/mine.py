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

from ibis import _

from rollcall.corpus.lists import MEMBERSHIP, column_relation
from rollcall.files import remove
from rollcall.filter import Filter
from rollcall.graph.shards import value_row
from rollcall.mine.keys import row_key
from rollcall.mine.lists.cells import list_tables
from rollcall.mine.lists.pages import ListPage, list_pages
from rollcall.mine.lists.queries import ListOptions, ListQuery, list_queries
from rollcall.mine.mining import MiningResult, mining_bench
from rollcall.query import parse_value
from rollcall.tables.engine import Engine, Workbench
from rollcall.tables.mining import ListFacts, Proofs, ProvableFacts, Queries, TableFacts, TableValues
from rollcall.tables.table import Rows, Table, arrow, columns, file_name, shaped, unbound
from rollcall.tables.writer import TableWriter, write_batches

if TYPE_CHECKING:
    import pyarrow as pa

YEAR_OF_DAY = "@"
"""Stands for the words of a year of which the cell has the day; no cell has only this."""
_BATCH = 500
"""The number of lists whose rows are collected before they are written to disk."""
_FOUND: tuple[type[Table], ...] = (Queries, Proofs, ListFacts)
_UNLINKED = Filter("lists with too few linked rows", "linked")
_SHORT = Filter("lists with too few entries", "min_answers")


def mine_lists(corpus: Path, out: Path, options: ListOptions, engine: Engine) -> MiningResult:
    """Write `queries`, `proofs`, `list_facts`, `table_facts` and `table_values` of the lists of a corpus."""
    found = out / ".found"
    remove(found)
    found.mkdir(parents=True)
    removed = {_UNLINKED: 0, _SHORT: 0}
    try:
        tables = list_tables(corpus, options.prefix, options.min_answers, engine, found / "spill")
        queries = _write_found(found, list_pages(tables, options.prefix), options, removed)
        with mining_bench(engine, out) as bench:
            for table in _FOUND:
                bench.read(table, found / file_name(table))
            bench.write(Queries, lambda: unbound(Queries), out / file_name(Queries))
            bench.write(Proofs, lambda: unbound(Proofs), out / file_name(Proofs))
            bench.write(ListFacts, _distinct_facts, out / file_name(ListFacts))
            bench.write(TableFacts, _table_facts, out / file_name(TableFacts))
            write_batches(TableValues, out / file_name(TableValues), _table_values(bench))
    finally:
        remove(found)
    return MiningResult(queries, removed)


def _distinct_facts() -> Rows[ListFacts]:
    """A fact stated in several wordings is kept once."""
    by = list(columns(ProvableFacts))
    return shaped(ListFacts, unbound(ListFacts).group_by(by).agg(text=_.text.min()))


def _write_found(
    folder: Path, pages: Iterable[ListPage], options: ListOptions, removed: dict[Filter, int]
) -> int:
    """Write the rows of all lists in the order of reading; returns the number of queries."""
    count = 0
    with ExitStack() as stack:
        files = {
            table: stack.enter_context(TableWriter(table, folder / file_name(table))) for table in _FOUND
        }
        for chosen in _batches(_askable(pages, options, removed)):
            rows: dict[type[Table], list[dict[str, Any]]] = {table: [] for table in files}
            for page in chosen:
                asked = list(list_queries(page, options))
                count += len(asked)
                rows[ListFacts] += [*_list_facts(page), *_compared_facts(page, asked)]
                for query in asked:
                    key = row_key(query.kind, query.query.text)
                    rows[Queries].append(_query_row(key, query))
                    rows[Proofs] += _proof_rows(key, query)
            for table, file in files.items():
                file.append(*([row[column] for row in rows[table]] for column in columns(table)))
    return count


def _batches(pages: Iterator[ListPage]) -> Iterator[list[ListPage]]:
    while chosen := list(islice(pages, _BATCH)):
        yield chosen


def _askable(
    pages: Iterable[ListPage], options: ListOptions, removed: dict[Filter, int]
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
        rows += [_fact_row(member, relation, one.object, one.literal, one.text) for member, one in facts]
    return rows


def _compared_facts(page: ListPage, asked: Iterable[ListQuery]) -> list[dict[str, Any]]:
    """What proofs need besides the words of cells: the years of days, with a mark instead of words."""
    said = {
        (member, column_relation(page.title, header), one.object)
        for header, (_kind, facts) in page.columns.items()
        for member, one in facts
    }
    needed = {
        (member, relation, object_)
        for query in asked
        for member, facts in query.answers.items()
        for relation, object_, literal in facts
        if literal
    }
    return [_fact_row(*one, True, YEAR_OF_DAY) for one in sorted(needed - said)]


def _fact_row(subject: str, relation: str, object_: str, literal: bool, text: str) -> dict[str, Any]:
    return {"subject": subject, "relation": relation, "object": object_, "literal": literal, "text": text}


def _query_row(key: str, query: ListQuery) -> dict[str, Any]:
    return {
        "key": key,
        "kind": query.kind,
        "relations": list(query.relations),
        "directions": ["subject"] * len(query.relations),
        "entities": list(query.entities),
        "class": None,
        "answers": len(query.answers),
        "query": query.query.text,
    }


def _proof_rows(key: str, query: ListQuery) -> Iterator[dict[str, Any]]:
    for answer, facts in query.answers.items():
        for relation, object_, literal in facts:
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
        values = [[row[place] for row in rows] for place in range(len(columns(TableValues)))]
        yield from arrow(TableValues, dict(zip(columns(TableValues), values, strict=True))).to_batches()
