"""Joins evidence with answers and candidates, sorted by question.

Input: `proofs`, `candidate_facts` and `evidence`. Output: `answer_evidence` and `candidate_evidence`. Each is
one file in the order of the queries' keys, so assembling needs only one question at a time in memory. If an
answer has several derivations, the one with the best evidence is used.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import ibis
from ibis import _

from rollcall.build.stage import Work
from rollcall.tables.build import AnswerEvidence, CandidateEvidence
from rollcall.tables.corpus import Pages
from rollcall.tables.evidence import Evidence
from rollcall.tables.mining import Answers, CandidateFacts, Proofs
from rollcall.tables.reader import records
from rollcall.tables.table import Rows, Table, columns, shaped, unbound

_FACT = ["subject", "relation", "object", "object_literal"]
_DERIVATION = [*columns(Answers), "via"]


class Pieces(Table):
    """A sentence that states a fact."""

    subject = AnswerEvidence.subject
    relation = AnswerEvidence.relation
    object = AnswerEvidence.object
    object_literal = AnswerEvidence.object_literal
    rank = Evidence.rank
    text = AnswerEvidence.text
    passage = AnswerEvidence.passage
    title = AnswerEvidence.title
    start = AnswerEvidence.start
    end = AnswerEvidence.end
    score = AnswerEvidence.score


class BestDerivations(Answers):
    """The derivation of an answer that has the best evidence."""

    via = Proofs.via


def write_evidence(
    sources: Sequence[str], clusters: Sequence[str], per_fact: int, corpus: Path, work: Work
) -> None:
    """Write `answer_evidence` and `candidate_evidence`, sorted by key, into the stage's folder."""
    with work.engine.workbench(work.folder / ".spill") as bench:
        bench.read(Evidence, work.table("evidence", "evidence"))
        bench.read_folder("corpus", corpus, Pages)
        bench.read(Proofs, [work.table(source, "proofs") for source in sources])
        bench.keep(Pieces, lambda: _pieces(per_fact))
        bench.keep(BestDerivations, _derivations)
        bench.write(AnswerEvidence, _answer_evidence, work.out("answer_evidence"))
        if clusters:
            bench.read(CandidateFacts, [work.table(source, "candidate_facts") for source in clusters])
            bench.write(CandidateEvidence, _candidate_evidence, work.out("candidate_evidence"))


def _pieces(per_fact: int) -> Rows[Pieces]:
    """The sentences that state facts, with the titles of their pages."""
    rows = unbound(Evidence)
    sound = rows.filter(rows.validated & (rows["rank"] <= per_fact)).rename(object_literal="literal")
    titles = unbound(Pages, "corpus_pages").select("title", page="id")
    return shaped(Pieces, sound.join(titles, "page"))


def _derivations() -> Rows[BestDerivations]:
    """For every proved answer, the derivation with the best evidence."""
    best = unbound(Pieces).filter(_["rank"] == 1).select(*_FACT, "rank", "score")
    facts = unbound(Proofs).left_join(best, _FACT)
    # Evidence that is not verified has no score, and none is doubted.
    worst = _.score.fill_null(1.0).min()
    derivations = facts.group_by(_DERIVATION).agg(facts=_.count(), found=_["rank"].count(), worst=worst)
    whole = derivations.filter(_.facts == _.found)
    order = ibis.window(group_by=list(columns(Answers)), order_by=[ibis.desc(_.worst), _.via])
    first = whole.mutate(place=ibis.row_number().over(order)).filter(_.place == 0)
    return shaped(BestDerivations, first)


def _answer_evidence() -> Rows[AnswerEvidence]:
    shown = unbound(Proofs).semi_join(unbound(BestDerivations), _DERIVATION)
    return shaped(AnswerEvidence, shown.join(unbound(Pieces), _FACT))


def _candidate_evidence() -> Rows[CandidateEvidence]:
    held = unbound(CandidateFacts).mutate(object_literal=ibis.literal(False))
    held = held.select("key", "candidate", *_FACT).distinct()
    return shaped(CandidateEvidence, held.join(unbound(Pieces), _FACT))


def by_key(table: type[Table], path: Path) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """The rows of a file sorted by key, question by question; nothing if there is no such file."""
    if path.exists():
        for key, members in groupby(records(table, path), lambda row: str(row["key"])):
            yield key, list(members)


class Merged:
    """Groups of rows by key, which must be requested in the order of the keys."""

    def __init__(self, table: type[Table], path: Path) -> None:
        self._groups = by_key(table, path)
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
