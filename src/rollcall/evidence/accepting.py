"""Decides which scored candidates count as evidence: as the verifier says, or over all of them together.

Input: the scored candidates of a search, an `Acceptance`, and the prior of the verifier. Output: the same
candidates with `validated` decided anew, and what is expected to be lost. Every rule ends in a least score,
for all candidates or for each relation, so that the ranking afterwards is the same.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import ibis
import numpy as np
from ibis import _

from rollcall.evidence.acceptance import Acceptance
from rollcall.evidence.expected import (
    UNCALIBRATED,
    Chances,
    Counts,
    Expected,
    Numbers,
    chances,
    expected,
    expected_from,
    losing_at_most,
    precise_from,
)
from rollcall.evidence.table import FACT
from rollcall.tables.engine import Workbench
from rollcall.tables.evidence import ScoredCandidates
from rollcall.tables.table import Float64, Rows, Table, arrow, shaped, unbound

if TYPE_CHECKING:
    import ibis.expr.types as ir

_PARTS = 1_000_000
"""In which parts of the whole a share of facts is counted."""
_NONE = 2.0
"""A least score that no candidate has."""


class Least(Table):
    """The score from which candidates are accepted."""

    least = Float64("from 0 to 1, or above 1 if none is accepted")


def accept(
    bench: Workbench, scored: Sequence[Path], rule: Acceptance, prior: float | None
) -> Expected | None:
    """Name the scored candidates, with `validated` by a rule, and say what is expected of the accepted.

    Without a prior, nothing is expected unless the rule asks for it.
    """
    if rule.threshold is not None or rule.is_expectation:
        return _accept_from_score(bench, scored, rule, prior)
    if rule.stated is None:
        bench.read(ScoredCandidates, scored)
    else:
        bench.read(ScoredCandidates, scored, "judged")
        bench.keep(ScoredCandidates, partial(_with_best_facts, rule.stated))
    return None if prior is None else expected(*_counted(bench, "scored", prior))


def _accept_from_score(
    bench: Workbench, scored: Sequence[Path], rule: Acceptance, prior: float | None
) -> Expected | None:
    bench.read(ScoredCandidates, scored, "judged")
    threshold, figures = rule.threshold, None
    if prior is not None or rule.is_expectation:
        found, _accepted = _counted(bench, "judged", prior or UNCALIBRATED)
        if rule.lose is not None:
            threshold = losing_at_most(found, rule.lose)
        elif rule.precision is not None:
            threshold = precise_from(found, rule.precision)
        figures = expected_from(found, threshold)
    bench.give(Least, arrow(Least, {"least": [_NONE if threshold is None else threshold]}))
    bench.keep(ScoredCandidates, _from_least)
    return figures


def _counted(bench: Workbench, name: str, prior: float) -> tuple[Chances, Counts]:
    """How likely candidates are true, and how many of each score are accepted."""
    columns: dict[str, list[Numbers]] = {"score": [], "counted": [], "accepted": []}
    for batch in bench.stream(partial(_scores, name)):
        for column, parts in columns.items():
            parts.append(batch.column(column).to_numpy(zero_copy_only=False))
    scores, counts, accepted = (np.concatenate([np.zeros(0), *parts]) for parts in columns.values())
    # Engines give rows in any order, and the sum of floating-point numbers depends on it.
    order = np.argsort(scores)
    found = chances(scores[order], counts[order].astype(np.int64), prior)
    return found, accepted[order].astype(np.int64)


def _scores(name: str) -> "ir.Table":
    """How many candidates, and how many accepted ones, have each score; rounded scores are not too many."""
    rows = unbound(ScoredCandidates, name)
    return rows.group_by("score").agg(counted=_.count(), accepted=_.validated.cast("int64").sum())


def _from_least() -> Rows[ScoredCandidates]:
    """The scored candidates; validated are those from the least score on."""
    rows = unbound(ScoredCandidates, "judged").cross_join(unbound(Least))
    return shaped(ScoredCandidates, rows.mutate(validated=_.score >= _.least))


def _with_best_facts(stated: float) -> Rows[ScoredCandidates]:
    """The scored candidates; validated are also those of a share of each relation's facts, the best."""
    rows = unbound(ScoredCandidates, "judged")
    best = rows.group_by(list(FACT)).agg(best=_.score.max())
    # Ranks in whole numbers, since engines interpolate quantiles in different ways.
    ascending = ibis.window(group_by="relation", order_by=["best", *FACT])
    placed = best.mutate(
        place=ibis.row_number().over(ascending), last=_.count().over(group_by="relation") - 1
    )
    above = placed.filter(_.place * _PARTS >= _["last"] * round((1 - stated) * _PARTS))
    least = above.group_by("relation").agg(least=_.best.min())
    joined = rows.join(least, "relation")
    return shaped(ScoredCandidates, joined.mutate(validated=_.validated | (_.score >= _.least)))
