"""Checks a set against what is known to be true: the graph it was made from, and the truth of a world's text.

Input: the questions of a set, a graph, and a world's `truth.parquet`. Output: `Share` records. An answer is
correct if it is in the denotation of its query. Evidence is correct if the truth says that this sentence of
this page states this fact. Verification is measured on the best candidate of every fact that a build
examined.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from rollcall._core.checksums import DAMAGED
from rollcall._core.errors import RollcallError
from rollcall.audit.material import denotation_difference, parsed_query
from rollcall.build import runner
from rollcall.corpus.lists import is_list_relation
from rollcall.graph import Graph
from rollcall.query.parse import parse_statement
from rollcall.query.statements import Edge, Entity, Literal
from rollcall.questions.record import Question
from rollcall.tables.build import EvidenceRows
from rollcall.tables.engine import Workbench, opened
from rollcall.tables.files import check_whole
from rollcall.tables.graph import Facts, Truth
from rollcall.tables.table import Boolean, DeclaredTable, Int64, Rows, String, arrow, columns, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir

_SHOWN = 5
_FACT = columns(Facts)


class SetEvidence(DeclaredTable):
    """A piece of evidence of a set."""

    kind = String("the kind of the question")
    fact = String("the fact as text")
    subject = Facts.subject
    relation = String("the relation; empty for what a list says")
    object = Truth.object
    page = Truth.page
    text = String("the sentence")
    number = Int64("its place among the pieces")


class FactsWithEvidence(Facts):
    """A fact with evidence."""


class VerifiedCandidates(DeclaredTable):
    """How many best candidates were verified alike."""

    told = Boolean("whether the sentence states the fact, according to the truth")
    validated = EvidenceRows.validated
    facts = Int64("how many")


class Numbers(DeclaredTable):
    """A piece of evidence by its number."""

    number = SetEvidence.number


class Share(NamedTuple):
    """A count and its total, with some examples that fail."""

    right: int
    all: int
    examples: list[str]

    def record(self) -> dict[str, Any]:
        share = self.right / self.all if self.all else None
        return {"right": self.right, "of": self.all, "share": share, "wrong": self.examples}


def in_denotation(questions: Iterable[Question], graph: Path) -> Share:
    """How many answers are in the denotation of their query; questions about lists are not in the graph."""
    right, all_, wrong = 0, 0, list[str]()
    with Graph.open(graph) as opened:
        for question in questions:
            query = parsed_query(question.query.text) if question.query is not None else None
            compared = denotation_difference(question, query, opened)
            if compared is None:
                continue
            all_ += len(question.answers)
            right += len(question.answers) - len(compared.outside)
            for answer in compared.outside[: _SHOWN - len(wrong)]:
                wrong.append(f"{question.id} {question.question} {answer.label} ({answer.id})")
    return Share(right, all_, wrong)


def evidence_states(questions: Iterable[Question], truth: Path) -> dict[str, Share]:
    """How much of the evidence states its fact, by kind of question."""
    rows = list(_evidence_pieces(questions))
    if not rows:
        raise RollcallError("the set has no evidence to compare with the truth")
    with _bench(truth) as bench:
        by_column = {name: [row[name] for row in rows] for name in columns(SetEvidence) if name != "number"}
        bench.give(SetEvidence, arrow(SetEvidence, {**by_column, "number": range(len(rows))}))
        stated = {row["number"] for row in bench.records(_stated)}
    shares: dict[str, Share] = {}
    for kind in sorted({row["kind"] for row in rows}):
        mine = [number for number, row in enumerate(rows) if row["kind"] == kind]
        wrong = [rows[number] for number in mine if number not in stated]
        shown = [f"{row['fact']} | {row['page']}: {row['text']}" for row in wrong[:_SHOWN]]
        shares[kind] = Share(len(mine) - len(wrong), len(mine), shown)
    return shares


def known_facts(questions: Iterable[Question], truth: Path) -> Share:
    """How many of the facts with evidence are in the truth."""
    facts = sorted(
        {tuple(row[name] for name in _FACT) for row in _evidence_pieces(questions) if row["relation"]}
    )
    if not facts:
        return Share(0, 0, [])
    with _bench(truth) as bench:
        bench.give(
            FactsWithEvidence,
            arrow(FactsWithEvidence, dict(zip(_FACT, zip(*facts, strict=True), strict=True))),
        )
        known_count = bench.count(_facts_in_truth)
    return Share(known_count, len(facts), [])


def verification(work: Path, truth: Path) -> dict[str, Share]:
    """For the best candidates of all facts: how many decoys were rejected, how many true ones kept."""
    tables = [work / stage / "evidence.parquet" for stage in ("simple-evidence", "composition-evidence")]
    tables = [table for table in tables if table.exists()]
    if not tables:
        return {}
    rejected = true_kept = decoys = true_count = 0
    for table in tables:
        if runner.read(table.parent) is None:
            raise RollcallError(f"{table}: {DAMAGED}; build the set again, or remove {work}")
        with _bench(truth) as bench:
            bench.read(EvidenceRows, table)
            for row in bench.records(_verified):
                if row["told"]:
                    true_count, true_kept = (
                        true_count + row["facts"],
                        true_kept + row["facts"] * row["validated"],
                    )
                else:
                    decoys, rejected = decoys + row["facts"], rejected + row["facts"] * (not row["validated"])
    return {
        "decoys turned away": Share(rejected, decoys, []),
        "true sentences kept": Share(true_kept, true_count, []),
    }


@contextmanager
def _bench(truth: Path) -> Iterator[Workbench]:
    if not truth.is_file():
        raise RollcallError(f"{truth}: no such file; the truth of a world is its truth.parquet")
    check_whole(truth, "the truth of a world is its truth.parquet")
    with (
        TemporaryDirectory(prefix="rollcall-truth-") as scratch,
        opened() as engine,
        engine.workbench(Path(scratch) / "spill") as bench,
    ):
        bench.read(Truth, truth)
        yield bench


def _evidence_pieces(questions: Iterable[Question]) -> Iterable[dict[str, str]]:
    """Each piece of evidence once: its fact, its page and its sentence."""
    seen = set()
    for question in questions:
        for answer in question.answers:
            for piece in answer.evidence:
                key = (question.kind, piece.fact, piece.title, piece.text)
                if piece.fact is None or key in seen:
                    continue
                seen.add(key)
                edge = parse_statement(piece.fact)
                assert isinstance(edge, Edge)
                yield {
                    "kind": question.kind or "unknown",
                    "fact": piece.fact,
                    "subject": _name(edge.subject),
                    "relation": _plain_relation(edge.relation),
                    "object": _name(edge.object),
                    "page": piece.title or "",
                    "text": piece.text,
                }


def _name(node: Any) -> str:
    if isinstance(node, Entity):
        return node.id
    return node.value.text if isinstance(node, Literal) else str(node)


def _plain_relation(relation: str) -> str:
    """What a list says about its members has no single relation; any relation that the sentence states
    counts.
    """
    return "" if is_list_relation(relation) else relation


def _stated() -> Rows[Numbers]:
    """The pieces of evidence whose sentence states their fact, according to the truth."""
    import ibis
    from ibis import _

    pieces = unbound(SetEvidence)
    facts = unbound(Truth).filter(_.kind == "fact", _.sentence.notnull())
    exact = pieces.filter(_.relation != "").join(facts.drop("kind"), [*_FACT, "page"])
    by_exact = exact.filter(_same_sentence(exact))
    # For a list's fact, the sentence must state something about the entity of the row on its own page.
    loose = pieces.filter(_.relation == "").select("number", "page", "text", "subject")
    loose = loose.join(facts.select("page", "sentence", about="subject"), "page")
    by_list = loose.filter(_same_sentence(loose))
    matches = ibis.union(shaped(Numbers, by_exact), shaped(Numbers, by_list), distinct=True)
    return shaped(Numbers, matches)


def _facts_in_truth() -> Rows[FactsWithEvidence]:
    return unbound(FactsWithEvidence).semi_join(unbound(Truth), list(_FACT))


def _verified() -> Rows[VerifiedCandidates]:
    """The number of best candidates in the truth: true or decoy, validated or not."""
    from ibis import _

    rows = unbound(EvidenceRows).filter(_["rank"] == 1).select(*_FACT, "text", "validated")
    joined = rows.join(unbound(Truth).filter(_.sentence.notnull()), list(_FACT))
    verified = joined.filter(_same_sentence(joined))
    verified = verified.group_by(*_FACT, "text", "validated").agg(told=(_.kind == "fact").any())
    return shaped(VerifiedCandidates, verified.group_by("told", "validated").agg(facts=_.count()))


def _same_sentence(rows: "ir.Table") -> "ir.BooleanValue":
    """Whether sentences are the same, although they may be cut a little differently."""
    return rows.text.contains(rows.sentence) | rows.sentence.contains(rows.text)
