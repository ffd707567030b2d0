"""Mines table queries from list pages: facts of lists, queries about them, and the proofs of their answers.

Input: a corpus. Output: `queries`, `proofs`, `list_facts`, `table_facts` and `table_values`. Lists are read
one after the other in Python, because each table needs decisions of its own. Their rows are written to files
at once, and the engine sorts them. `table_facts` and `table_values` have the columns of a graph's tables, so
a graph made with them answers the queries. `list_facts` also has the words of the cells, for the search for
evidence.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import ibis
from ibis import _

from rollcall.corpus.lists import MEMBERSHIP, column_relation
from rollcall.files import remove, replacing
from rollcall.filter import Filter
from rollcall.graph.shards import value_row
from rollcall.mine.keys import row_key
from rollcall.mine.layout import TABLES
from rollcall.mine.lists.cells import list_tables
from rollcall.mine.lists.pages import ListPage, list_pages
from rollcall.mine.lists.queries import ListOptions, ListQuery, list_queries
from rollcall.mine.mining import Mining, MiningResult, SortedFile, mined_table
from rollcall.query import parse_value

_BATCH = 500
"""The number of lists whose rows are collected before they are written to disk."""
_FOUND = ("queries", "proofs", "list_facts")
_UNLINKED = Filter("lists with too few linked rows", "linked")
_SHORT = Filter("lists with too few entries", "min_answers")


def mine_lists(
    corpus: Path, out: Path, options: ListOptions, *, memory: str = "1GB", threads: int | None = None
) -> MiningResult:
    """Write `queries`, `proofs`, `list_facts`, `table_facts` and `table_values` of the lists of a corpus."""
    found = out / ".found"
    remove(found)
    found.mkdir(parents=True)
    removed = {_UNLINKED: 0, _SHORT: 0}
    try:
        tables = list_tables(
            corpus,
            options.prefix,
            options.min_answers,
            spill=found / "spill",
            memory=memory,
            threads=threads,
        )
        queries = _write_found(found, list_pages(tables, options.prefix), options, removed)
        with Mining(out, memory=memory, threads=threads) as mining:
            for table in _FOUND:
                mining.read(f"found_{table}", found / f"{table}.parquet")
                mining.write(table, partial(_once, table))
            mining.write("table_facts", _table_facts)
            mining.keep("values", _literal_facts)
            _write_values(mining)
    finally:
        remove(found)
    return MiningResult(queries, removed)


def _once(table: str) -> ibis.Table:
    """The rows of a table without repetition; a fact stated in several wordings is kept once."""
    rows = mined_table(table, f"found_{table}")
    if table == "list_facts":
        return rows.group_by(["subject", "relation", "object", "literal"]).agg(text=_.text.min())
    return rows


def _write_found(
    folder: Path, pages: Iterable[ListPage], options: ListOptions, removed: dict[Filter, int]
) -> int:
    """Write the rows of all lists in the order of reading; returns the number of queries."""
    count = 0
    files = {name: SortedFile(folder / f"{name}.parquet", TABLES[name]) for name in _FOUND}
    for chosen in _batches(_askable(pages, options, removed)):
        rows: dict[str, list[dict[str, Any]]] = {name: [] for name in files}
        for page in chosen:
            asked = list(list_queries(page, options))
            count += len(asked)
            rows["list_facts"] += _list_facts(page)
            for query in asked:
                key = row_key(query.kind, query.query.text)
                rows["queries"].append(_query_row(key, query))
                rows["proofs"] += _proof_rows(key, query)
        for name, file in files.items():
            file.append(*([row[column] for row in rows[name]] for column in TABLES[name]))
    for file in files.values():
        file.__exit__(None, None, None)
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


def _table_facts() -> ibis.Table:
    return (
        mined_table("list_facts", "found_list_facts")
        .filter(~_.literal)
        .select("subject", "relation", "object")
        .distinct()
    )


def _literal_facts() -> ibis.Table:
    facts = mined_table("list_facts", "found_list_facts").filter(_.literal)
    return facts.select("subject", "relation", value=_.object).distinct()


def _write_values(mining: Mining) -> None:
    """The values as in a graph's table: with kind, dimension and bounds."""
    columns = TABLES["table_values"]
    ordered = ibis.table({"subject": "string", "relation": "string", "value": "string"}, name="values")
    with replacing(mining.out / "table_values.parquet") as path, SortedFile(path, columns) as file:
        for batch in mining.stream(lambda: ordered.order_by(["subject", "relation", "value"])):
            described = [value_row(parse_value(text)) for text in batch.column("value").to_pylist()]
            file.append(*batch.columns, *([row[place] for row in described] for place in range(1, 5)))
