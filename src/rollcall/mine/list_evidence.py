"""Evidence for what lists tell: the entry's own page must say it.

For membership all words that make the list's name must be on the page, and the sentence with most of them is
shown; for a column the page must hold the value, in some way of writing it. Where the list or column stands
for a relation of the graph (`rollcall.mine.list_relations`), that is not enough: what counts, and is shown,
is the sentence that was found to state the relation. Facts and sentences both come sorted by page and are
merged as they stream, so that memory does not grow with the number of lists.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import ibis
import pyarrow.parquet as pq
from ibis import _

from rollcall.corpus.lists import MEMBERSHIP, parse_column
from rollcall.files import remove
from rollcall.mine.layout import TABLES
from rollcall.mine.list_search import ListFact, PageText, Sought, found_name, found_value, sought_value
from rollcall.mine.mining import Mining, SortedFile, graph_table, mined_table

_TIES = ("sitelink", "item", "title")
_CORPUS = {
    "sentences": {"page": "string", "number": "int32", "text": "string", "start": "int64", "end": "int64"},
    "ties": {"entity": "string", "page": "string", "tie": "string"},
    "aliases": {"entity": "string", "text": "string"},
    "passages": {"id": "string", "page": "string", "first": "int32", "last": "int32"},
}
_FOUND = {name: kind for name, kind in TABLES["evidence"].items() if name != "passage"}
_FACT = ["subject", "relation", "object", "literal"]
_BATCH = 20_000


def find_list_evidence(
    graph: Path,
    corpus: Path,
    told: Path,
    out: Path,
    *,
    proofs: Path | None = None,
    related: Path | None = None,
    stated: Path | None = None,
    prefix: str = "List of",
    within_sentence: bool = False,
    memory: str = "1GB",
    threads: int | None = None,
) -> int:
    """Write `evidence` for the facts in `told` that proofs need (or all), and count the validated ones.

    `related` says which facts of the graph's relations some of them come to, `stated` is evidence of those.
    With `within_sentence` a list's name must be in one sentence, not only on the page.
    """
    with Mining(out, graph, memory=memory, threads=threads) as mining:
        for name in _CORPUS:
            mining.read_parquet(f"corpus_{name}", corpus, f"{name}.parquet")
        mining.read("told", told)
        if proofs is None:
            mining.keep("sought", lambda: mined_table("told"))
        else:
            mining.read("list_proofs", proofs)
            mining.keep("sought", _needed)
        mining.keep("placed", _placed)
        placed, found = out / ".placed.parquet", out / ".found.parquet"
        try:
            mining.write("placed", lambda: mined_table("placed"), name=placed.stem)
            _write_found(mining, placed, found, prefix, within_sentence)
            mining.read("found", found)
            mining.keep("words_met", _with_passages)
            if related is None or stated is None:
                mining.write("evidence", _words_met)
            else:
                mining.read("related", related)
                mining.read("stated", stated)
                mining.write("evidence", lambda: ibis.union(_unrelated(), _stated_columns(), _stated_lists()))
        finally:
            remove(placed)
            remove(found)
        mining.read("evidence", out / "evidence.parquet")
        return mining.count(lambda: mined_table("evidence").filter(_.validated, _["rank"] == 1))


def _needed() -> Any:
    needed = mined_table("proofs", "list_proofs").select(
        "subject", "relation", "object", literal="object_literal"
    )
    return mined_table("told").semi_join(needed, ["subject", "relation", "object", "literal"])


def _corpus(name: str) -> Any:
    return ibis.table(_CORPUS[name], name=f"corpus_{name}")


def _placed() -> Any:
    """Facts with the page of their subject and the names of their object."""
    ties = _corpus("ties")
    sure = ibis.cases(*((ties.tie == tie, place) for place, tie in enumerate(_TIES)), else_=len(_TIES))
    best = ties.mutate(
        place=ibis.row_number().over(ibis.window(group_by="entity", order_by=[sure, ties.page]))
    )
    homes = best.filter(_.place == 0).select("page", subject="entity")
    sought = mined_table("told", "sought")
    objects = sought.filter(~_.literal).select("object").distinct()
    labels = graph_table("entities").select(object="id", name="label")
    aliases = graph_table("aliases").select(object="entity", name="text")
    called = _corpus("aliases").select(object="entity", name="text")
    names = ibis.union(labels, aliases, called, distinct=True).filter(_.name.notnull())
    names = names.semi_join(objects, "object").group_by("object").agg(names=_.name.collect())
    joined = sought.join(homes, "subject").left_join(names, "object")
    return joined.select("page", "subject", "relation", "object", "literal", "text", "names")


def _sentences() -> Any:
    pages = mined_table("placed").select("page").distinct()
    return _corpus("sentences").semi_join(pages, "page").order_by(["page", "number"])


def _write_found(mining: Mining, facts: Path, path: Path, prefix: str, within_sentence: bool) -> None:
    """Search every page once for all that is to be found on it."""
    rows = list[dict[str, Any]]()
    with SortedFile(path, _FOUND) as file:
        for page, wanted in _pages(mining, facts):
            for fact in wanted:
                row = _evidence(fact, page, prefix, within_sentence)
                if row is not None:
                    rows.append(row)
            if len(rows) >= _BATCH:
                file.append(*([row[name] for row in rows] for name in _FOUND))
                rows = []
        file.append(*([row[name] for row in rows] for name in _FOUND))


def _pages(mining: Mining, facts: Path) -> Iterator[tuple[PageText, list[dict[str, Any]]]]:
    """Pages with what is sought on them: two streams in the order of pages, side by side."""
    wanted = groupby(
        (row for batch in pq.ParquetFile(facts).iter_batches(1 << 13) for row in batch.to_pylist()), key=_page
    )
    sentences = (row for batch in mining.stream(_sentences, rows=1 << 14) for row in batch.to_pylist())
    page, group = next(wanted, (None, iter(())))
    for name, lines in groupby(sentences, key=_page):
        while page is not None and page < name:  # a page without any sentence
            page, group = next(wanted, (None, iter(())))
        if page == name:
            yield PageText(list(lines)), list(group)


def _page(row: dict[str, Any]) -> str:
    return str(row["page"])


def _evidence(
    row: dict[str, Any], text: PageText, prefix: str, within_sentence: bool
) -> dict[str, Any] | None:
    fact = ListFact(row["object"], row["literal"], row["text"], tuple(sorted(row["names"] or ())))
    if row["relation"] == MEMBERSHIP:
        found: Sought | None = found_name(text, fact.object, prefix, within_sentence)
    else:
        column = parse_column(row["relation"])
        found = found_value(text, sought_value(fact), column.header if column else "")
    if found is None:
        return None
    sentence = text.sentences[found.sentence]
    return {
        **{name: row[name] for name in ("subject", "relation", "object", "literal", "page")},
        "rank": 1,
        "sentence": sentence["number"],
        "start": sentence["start"],
        "end": sentence["end"],
        "side": "subject",
        "name": found.name,
        "score": found.score,
        "validated": found.validated,
    }


def _with_passages() -> Any:
    """Each sentence with the passage it stands in."""
    found = ibis.table(_FOUND, name="found")
    passages = _corpus("passages")
    joined = found.join(
        passages,
        [found.page == passages.page, found.sentence >= passages.first, found.sentence <= passages.last],
    )
    return joined.select(*_FOUND, passage="id").select(*TABLES["evidence"])


def _words_met() -> Any:
    return mined_table("evidence", "words_met")


def _unrelated() -> Any:
    """Evidence by words alone, of what stands for no relation of the graph."""
    return _words_met().anti_join(mined_table("related"), _FACT)


def _stated() -> Any:
    """The sentences that state the relations that lists stand for, as evidence of what the lists tell."""
    related = mined_table("related")
    stated = mined_table("evidence", "stated").rename({f"of_{name}": name for name in _FACT})
    return related.join(stated, [f"of_{name}" for name in _FACT]).select(*TABLES["evidence"])


def _stated_columns() -> Any:
    return _stated().filter(_.relation != MEMBERSHIP)


def _stated_lists() -> Any:
    """Of a list's name the words must be met besides: it may say more than the relation."""
    met = _words_met().filter(_.validated).select(*_FACT).distinct().mutate(met=ibis.literal(True))
    rows = _stated().filter(_.relation == MEMBERSHIP)
    joined = rows.left_join(met, _FACT).select(*TABLES["evidence"], "met")
    return joined.mutate(validated=joined.validated & joined.met.fill_null(False)).drop("met")
