"""Keeps the queries of which enough answers are validated, for all kinds of queries.

Input: `queries`, `proofs` and `evidence`. Output: `kept` and `validated`, and how many queries each limit
removed. An answer is validated if, for some `via`, evidence proves all facts that it needs. Other answers
stay in the denominator, so the share says which part of all answers is proved.
"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import ibis
import msgspec
from ibis import _

from rollcall.evidence.table import evidence_table
from rollcall.filter import Filter
from rollcall.mine.mining import Mining, MiningResult, mined_table

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
    queries: Path,
    proofs: Path,
    evidence: Path,
    out: Path,
    required: ValidationLimits | None = None,
    *,
    memory: str = "1GB",
    threads: int | None = None,
) -> MiningResult:
    """Write `kept` (queries with their number of validated answers) and `validated` (their answers)."""
    with Mining(out, memory=memory, threads=threads) as mining:
        mining.read("queries", queries)
        mining.read("proofs", proofs)
        mining.read("evidence", evidence)
        mining.keep("validated", _validated)
        mining.keep("counted", _counted)
        removed = {}
        passed = ibis.literal(True)
        for why, passes in _filters(required or ValidationLimits()):
            removed[why] = mining.count(partial(_lost, passed & ~passes))
            passed = passed & passes
        mining.keep("kept", lambda: _kept_counted().filter(passed))
        mining.write("kept", lambda: mined_table("kept"))
        mining.write("validated", lambda: mined_table("validated").semi_join(mined_table("kept"), "key"))
        return MiningResult(mining.count(lambda: mined_table("kept")), removed)


def _validated() -> "ir.Table":
    """The answers for which all facts of some derivation are proved."""
    sound = evidence_table().filter(_.validated)
    sound = sound.select("subject", "relation", "object", object_literal="literal").distinct()
    proofs = mined_table("proofs")
    lacking = proofs.anti_join(sound, _FACT).select(*_ANSWER).distinct()
    proved = proofs.select(*_ANSWER).distinct().anti_join(lacking, _ANSWER)
    return proved.select("key", "answer", "literal").distinct()


def _counted() -> "ir.Table":
    counts = mined_table("validated").group_by("key").agg(found=_.count())
    joined = mined_table("queries").left_join(counts, "key").drop("key_right")
    return joined.mutate(validated=_.found.fill_null(0)).drop("found")


def _kept_counted() -> "ir.Table":
    return mined_table("kept", "counted")


def _lost(test: "ir.BooleanValue") -> "ir.Table":
    return _kept_counted().filter(test)


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
