"""Joins evidence with answers and candidates, sorted by question.

Input: `proofs`, `candidate_facts` and `evidence`. Output: `answer_evidence` and `candidate_evidence`. Each is
one file in the order of the queries' keys, so assembling needs only one question at a time in memory. If an
answer has several derivations, the one with the best evidence is used.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import groupby
from pathlib import Path
from typing import Any

import ibis
from ibis import _

from rollcall.build.stage import Work
from rollcall.build.tables_as_one import tables_as_one
from rollcall.evidence.table import evidence_table
from rollcall.mine.layout import TABLES
from rollcall.mine.mining import Mining, SortedFile

_FACT = ["subject", "relation", "object", "object_literal"]
_DERIVATION = ["key", "answer", "literal", "via"]
_PIECE = ["text", "passage", "title", "start", "end", "score"]
_PIECE_TYPES = {
    "text": "string",
    "passage": "string",
    "title": "string",
    "start": "int64",
    "end": "int64",
    "score": "float64",
}
_FACT_TYPES = {"subject": "string", "relation": "string", "object": "string", "object_literal": "boolean"}
ANSWER_EVIDENCE = {"key": "string", "answer": "string", "literal": "boolean", **_FACT_TYPES, **_PIECE_TYPES}
CANDIDATE_EVIDENCE = {"key": "string", "candidate": "string", **_FACT_TYPES, **_PIECE_TYPES}


def write_evidence(
    sources: Sequence[str], clusters: Sequence[str], per_fact: int, corpus: Path, work: Work
) -> None:
    """Write `answer_evidence` and `candidate_evidence`, sorted by key, into the stage's folder."""
    with ExitStack() as stack:
        mining = stack.enter_context(Mining(work.folder, memory=work.limits.memory, threads=work.limits.jobs))
        mining.read("evidence", work.table("evidence", "evidence"))
        mining.read("pages", corpus / "pages.parquet")
        proofs = [work.table(source, "proofs") for source in sources]
        mining.read("proofs", stack.enter_context(tables_as_one(proofs, work.folder, "all_proofs")))
        mining.keep("pieces", lambda: _pieces(per_fact))
        mining.keep("derivations", _derivations)
        _write(mining, work.out("answer_evidence"), ANSWER_EVIDENCE, _answer_evidence)
        for source in clusters:
            mining.read("candidate_facts", work.table(source, "candidate_facts"))
            _write(mining, work.out("candidate_evidence"), CANDIDATE_EVIDENCE, _candidate_evidence)


def _write(mining: Mining, path: Path, columns: dict[str, str], query: Callable[[], Any]) -> None:
    with SortedFile(path, columns) as file:
        for batch in mining.stream(lambda: query().select(*columns).order_by(list(columns))):
            file.append(*batch.columns)


def _pieces(per_fact: int) -> ibis.Table:
    """The sentences that state facts, with the titles of their pages."""
    rows = evidence_table()
    sound = rows.filter(rows.validated & (rows["rank"] <= per_fact)).rename(object_literal="literal")
    titles = ibis.table({"id": "string", "title": "string"}, name="pages").select("title", page="id")
    return sound.join(titles, "page").select(*_FACT, "rank", *_PIECE)


def _kept_pieces() -> ibis.Table:
    return ibis.table({**_FACT_TYPES, "rank": "int32", **_PIECE_TYPES}, name="pieces")


def _proofs() -> ibis.Table:
    return ibis.table(TABLES["proofs"], name="proofs")


def _derivations() -> ibis.Table:
    """For every proved answer, the derivation with the best evidence."""
    best = _kept_pieces().filter(_["rank"] == 1).select(*_FACT, "score")
    facts = _proofs().left_join(best, _FACT)
    derivations = facts.group_by(_DERIVATION).agg(facts=_.count(), found=_.score.count(), worst=_.score.min())
    whole = derivations.filter(_.facts == _.found)
    order = ibis.window(group_by=_DERIVATION[:3], order_by=[ibis.desc(_.worst), _.via])
    return whole.mutate(place=ibis.row_number().over(order)).filter(_.place == 0).select(*_DERIVATION)


def _answer_evidence() -> ibis.Table:
    derivations = ibis.table({name: TABLES["proofs"][name] for name in _DERIVATION}, name="derivations")
    return _proofs().semi_join(derivations, _DERIVATION).join(_kept_pieces(), _FACT)


def _candidate_evidence() -> ibis.Table:
    columns = {
        "key": "string",
        "candidate": "string",
        "subject": "string",
        "relation": "string",
        "object": "string",
    }
    held = ibis.table(columns, name="candidate_facts").mutate(object_literal=ibis.literal(False))
    return held.distinct().join(_kept_pieces(), _FACT)


def by_key(path: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The rows of a file sorted by key, question by question; nothing if there is no such file."""
    import pyarrow.parquet as pq

    if not path.exists():
        return
    rows = (row for batch in pq.ParquetFile(path).iter_batches(20_000) for row in batch.to_pylist())
    for key, members in groupby(rows, lambda row: str(row["key"])):
        yield key, list(members)


class Merged:
    """Groups of rows by key, which must be requested in the order of the keys."""

    def __init__(self, path: Path) -> None:
        self._groups = by_key(path)
        self._next = next(self._groups, None)

    def of(self, key: str) -> list[dict[str, Any]]:
        """The rows of a key; keys before it cannot be requested any more."""
        while self._next is not None and self._next[0] < key:
            self._next = next(self._groups, None)
        if self._next is None or self._next[0] != key:
            return []
        rows = self._next[1]
        self._next = next(self._groups, None)
        return rows
