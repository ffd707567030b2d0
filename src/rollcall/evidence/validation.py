"""Keeps the queries of which enough answers are validated, for all kinds of queries.

Input: `queries`, `proofs` and `evidence`. Output: `kept` and `validated`, and how many queries each limit
removed. An answer is validated if, for some `via`, evidence proves all facts that it needs. Other answers
stay in the denominator, so the share says which part of all answers is proved.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import ibis
import msgspec
from ibis import _

from rollcall._core.errors import Filter
from rollcall.evidence.candidate import evidence_table
from rollcall.mine.joins import MiningResult
from rollcall.tables.build import EvidenceRows, Proofs, Queries, ValidatedAnswers, ValidatedQueries
from rollcall.tables.engine import Engine, opened
from rollcall.tables.table import Rows, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir

_ANSWER = ["key", "answer", "literal", "via"]
_FACT = ["subject", "relation", "object", "object_literal"]


class ValidationLimits(msgspec.Struct, frozen=True, kw_only=True):
    """The share and the number of a query's answers that must be validated."""

    share: float = 0.8
    least: int = 5
    most: int = 200


def validate(
    queries: Path | Sequence[Path],
    proofs: Path | Sequence[Path],
    evidence: Path | Sequence[Path],
    out: Path,
    required: ValidationLimits | None = None,
    *,
    engine: Engine | str = "duckdb",
    memory: str = "1GB",
    threads: int | None = None,
) -> MiningResult:
    """Write `kept` (queries with their number of validated answers) and `validated` (their answers).

    Several files are read as one table.
    """
    out.mkdir(parents=True, exist_ok=True)
    with (
        opened(engine, memory=memory, jobs=threads) as running,
        running.workbench(out / ".spill") as bench,
    ):
        bench.read(Queries, queries)
        bench.read(Proofs, proofs)
        bench.read(EvidenceRows, evidence)
        bench.keep(ValidatedAnswers, _validated)
        bench.keep(ValidatedQueries, _counted, "counted")
        removed = {}
        passed = ibis.literal(True)
        for why, passes in _filters(required or ValidationLimits()):
            removed[why] = bench.count(partial(_lost, passed & ~passes))
            passed = passed & passes
        bench.keep(ValidatedQueries, lambda: _lost(passed))
        kept_count = bench.write(ValidatedQueries, lambda: unbound(ValidatedQueries), out / "kept.parquet")
        bench.write(ValidatedAnswers, _kept_answers, out / "validated.parquet")
        return MiningResult(kept_count, removed)


def _validated() -> Rows[ValidatedAnswers]:
    """The answers for which all facts of some derivation are proved."""
    sound = evidence_table().filter(_.validated)
    sound = sound.select("subject", "relation", "object", object_literal="literal").distinct()
    proofs = unbound(Proofs)
    lacking = proofs.anti_join(sound, _FACT).select(*_ANSWER).distinct()
    proved = proofs.select(*_ANSWER).distinct().anti_join(lacking, _ANSWER)
    return shaped(ValidatedAnswers, proved.select("key", "answer", "literal").distinct())


def _counted() -> Rows[ValidatedQueries]:
    counts = unbound(ValidatedAnswers).group_by("key").agg(found=_.count())
    joined = unbound(Queries).left_join(counts, "key").drop("key_right")
    return shaped(ValidatedQueries, joined.mutate(validated=_.found.fill_null(0)))


def _kept_answers() -> Rows[ValidatedAnswers]:
    return shaped(ValidatedAnswers, unbound(ValidatedAnswers).semi_join(unbound(ValidatedQueries), "key"))


def _lost(test: "ir.BooleanValue") -> Rows[ValidatedQueries]:
    return shaped(ValidatedQueries, unbound(ValidatedQueries, "counted").filter(test))


def _filters(required: ValidationLimits) -> "list[tuple[Filter, ir.BooleanValue]]":
    share = f"less than {required.share:.0%} of answers validated"
    return [
        (
            Filter(f"fewer than {required.least} answers validated", "least"),
            _.validated >= required.least,
        ),
        (Filter(share, "share"), _.validated >= _.answers * required.share),
        (Filter(f"more than {required.most} answers validated", "most"), _.validated <= required.most),
    ]
