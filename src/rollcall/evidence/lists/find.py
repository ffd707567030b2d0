"""Finds evidence for what lists state; the entry's own page must state it.

Input: `list_facts`, the lists' `proofs`, `related` and its evidence, a graph and a corpus. Output: the table
`evidence`. What a column says is searched for like any fact (`rollcall.evidence.find`); the words of the
cells count as further names of what they link to. That an entity is on a list is proved by the words of the
list's name. If the list or column stands for a relation of the graph (`rollcall.mine.lists.relations`), this
is not enough: the evidence is then the sentence that was found to state the relation.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import ibis
from ibis import _

from rollcall.corpus.lists import MEMBERSHIP
from rollcall.engine import Workbench
from rollcall.evidence.find import find_evidence
from rollcall.evidence.lists.columns import HeadingVerifier
from rollcall.evidence.lists.membership import membership_sentence
from rollcall.evidence.search.wants import NAMES_OF_RELATIONS
from rollcall.evidence.table import EVIDENCE, FACT, evidence_table, with_passages, write_evidence
from rollcall.files import remove, replacing
from rollcall.mine.facts import needed_facts
from rollcall.mine.mining import Mining, SortedFile, mined_table

if TYPE_CHECKING:
    import ibis.expr.types as ir

_TIES = ("sitelink", "item", "title")
_CORPUS = {
    "sentences": {"page": "string", "number": "int32", "text": "string", "start": "int64", "end": "int64"},
    "ties": {"entity": "string", "page": "string", "tie": "string"},
}
_FOUND = {name: kind for name, kind in EVIDENCE.items() if name != "passage"}
_PLACED = {"page": "string", "subject": "string", "object": "string"}
_BATCH = 20_000
_FACT = list(FACT)


def find_list_evidence(
    graph: Path,
    corpus: Path,
    list_facts: Path,
    out: Path,
    *,
    proofs: Path | None = None,
    related: Path | None = None,
    stated: Path | None = None,
    prefix: str = "List of",
    within_sentence: bool = False,
    memory: str = "1GB",
    jobs: int | None = None,
) -> int:
    """Write `evidence` for the list facts that proofs need (or for all), and count the validated facts.

    `related` gives the facts of the graph that mean the same as some list facts; `stated` is the evidence for
    those. With `within_sentence`, the words of a list's name must be in one sentence, not only on the page.
    """
    folder = out / ".lists"
    remove(folder)
    try:
        with Mining(folder, memory=memory, threads=jobs) as mining:
            mining.read("list_facts", list_facts)
            if proofs is not None:
                mining.read("list_proofs", proofs)
            mining.keep("sought", _all_facts if proofs is None else _needed)
            if related is not None:
                mining.read("related", related)
            mining.write("facts", _column_facts if related is None else _unrelated_columns)
            _write(mining, _cell_names, NAMES_OF_RELATIONS, folder / "names.parquet")
            _find_memberships(mining, corpus, folder / "memberships.parquet", prefix, within_sentence)
        find_evidence(
            graph,
            corpus,
            folder / "facts.parquet",
            folder / "columns.parquet",
            verifier=HeadingVerifier(),
            further_names=folder / "names.parquet",
            objects_pages=False,
            jobs=jobs,
            memory=memory,
        )
        with Mining(folder, memory=memory, threads=jobs) as mining:
            mining.read("columns", folder / "columns.parquet")
            mining.read("memberships", folder / "memberships.parquet")
            mining.read("passages", corpus / "passages.parquet")
            mining.keep("on_lists", lambda: with_passages(ibis.table(_FOUND, name="memberships")))
            if related is not None and stated is not None:
                mining.read("related", related)
                mining.read("stated", stated)
            with replacing(out / "evidence.parquet") as partial:
                write_evidence(mining, _by_words if stated is None else _by_words_and_relations, partial)
            mining.read("evidence", out / "evidence.parquet")
            return mining.count(lambda: evidence_table().filter(_.validated, _["rank"] == 1))
    finally:
        remove(folder)


def _all_facts() -> "ir.Table":
    return mined_table("list_facts")


def _needed() -> "ir.Table":
    return _all_facts().semi_join(needed_facts("list_proofs"), _FACT)


def _sought() -> "ir.Table":
    return mined_table("list_facts", "sought")


def _column_facts() -> "ir.Table":
    return _sought().filter(_.relation != MEMBERSHIP).select(*_FACT)


def _unrelated_columns() -> "ir.Table":
    """What columns say that stand for no relation of the graph."""
    return _column_facts().anti_join(mined_table("related"), _FACT)


def _cell_names() -> "ir.Table":
    """The words of cells, as names of what they link to."""
    named = _sought().filter(_.relation != MEMBERSHIP, ~_.literal, _.text != "")
    return named.select("relation", entity="object", words="text").distinct()


def _write(bench: Workbench, query: Any, columns: dict[str, str], path: Path) -> None:
    with SortedFile(path, columns) as file:
        for batch in bench.stream(lambda: query().order_by(*columns)):
            file.append(*batch.columns)


def _find_memberships(mining: Mining, corpus: Path, path: Path, prefix: str, within_sentence: bool) -> None:
    """Read every page once for all lists that contain its topic."""
    for name in _CORPUS:
        mining.read(f"corpus_{name}", corpus / f"{name}.parquet")
    mining.keep("placed", _placed)
    _write(mining, lambda: ibis.table(_PLACED, name="placed"), _PLACED, path.with_suffix(".placed"))
    rows: list[dict[str, Any]] = []
    with SortedFile(path, _FOUND) as file:
        for lines, wanted in _pages(mining, path.with_suffix(".placed")):
            texts = [str(line["text"]) for line in lines]
            for fact in wanted:
                found = membership_sentence(texts, fact["object"], prefix, within_sentence)
                if found is not None:
                    line = lines[found.sentence]
                    evidence = {"name": found.words, "score": found.share, "validated": found.validated}
                    rows.append({**_MEMBERSHIP, **fact, **line, "sentence": line["number"], **evidence})
            if len(rows) >= _BATCH:
                file.append(*([row[name] for row in rows] for name in _FOUND))
                rows = []
        file.append(*([row[name] for row in rows] for name in _FOUND))


_MEMBERSHIP = {"relation": MEMBERSHIP, "literal": False, "rank": 1, "side": "subject"}


def _corpus(name: str) -> "ir.Table":
    return ibis.table(_CORPUS[name], name=f"corpus_{name}")


def _placed() -> "ir.Table":
    """Entries of lists with their page; if there are several pages, the one with the strongest tie."""
    ties = _corpus("ties")
    sure = ibis.cases(*((ties.tie == tie, place) for place, tie in enumerate(_TIES)), else_=len(_TIES))
    best = ties.mutate(
        place=ibis.row_number().over(ibis.window(group_by="entity", order_by=[sure, ties.page]))
    )
    homes = best.filter(_.place == 0).select("page", subject="entity")
    return _sought().filter(_.relation == MEMBERSHIP).join(homes, "subject").select(*_PLACED)


def _sentences() -> "ir.Table":
    pages = ibis.table(_PLACED, name="placed").select("page").distinct()
    return _corpus("sentences").semi_join(pages, "page").order_by(["page", "number"])


def _pages(mining: Mining, placed: Path) -> Iterator[tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
    """The sentences of each page with the list facts to find there: two streams in page order, read in
    parallel.
    """
    import pyarrow.parquet as pq

    wanted = groupby(
        (row for batch in pq.ParquetFile(placed).iter_batches(1 << 13) for row in batch.to_pylist()),
        key=_page,
    )
    sentences = (row for batch in mining.stream(_sentences, rows=1 << 14) for row in batch.to_pylist())
    page, group = next(wanted, (None, iter(())))
    for name, lines in groupby(sentences, key=_page):
        while page is not None and page < name:  # a page without any sentence
            page, group = next(wanted, (None, iter(())))
        if page == name:
            yield list(lines), list(group)


def _page(row: dict[str, Any]) -> str:
    return str(row["page"])


def _by_words() -> "ir.Table":
    return ibis.union(evidence_table("columns"), evidence_table("on_lists"))


def _by_words_and_relations() -> "ir.Table":
    on_lists = evidence_table("on_lists").anti_join(mined_table("related"), _FACT)
    return ibis.union(evidence_table("columns"), on_lists, _stated_columns(), _stated_lists())


def _stated() -> "ir.Table":
    """The sentences that state the relations of lists, as evidence for what the lists state."""
    stated = evidence_table("stated").rename({f"of_{name}": name for name in FACT})
    return mined_table("related").join(stated, [f"of_{name}" for name in FACT]).select(*EVIDENCE)


def _stated_columns() -> "ir.Table":
    return _stated().filter(_.relation != MEMBERSHIP)


def _stated_lists() -> "ir.Table":
    """The words of a list's name must be found as well, because the name may say more than the relation."""
    met = (
        evidence_table("on_lists")
        .filter(_.validated)
        .select(*_FACT)
        .distinct()
        .mutate(met=ibis.literal(True))
    )
    rows = _stated().filter(_.relation == MEMBERSHIP)
    joined = rows.left_join(met, _FACT).select(*EVIDENCE, "met")
    return joined.mutate(validated=joined.validated & joined.met.fill_null(False)).drop("met")
