"""Scores candidates and keeps the best of each fact: the second half of the search for evidence.

Input: the candidates that the search wrote, and a verifier. Output: the table of evidence. Scored candidates
are written block by block, like the candidates. The engine then decides which are accepted
(`rollcall.evidence.accepting`), ranks them for each fact and adds the passage that contains each sentence.
"""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import ibis
import pyarrow as pa
from ibis import _

from rollcall.evidence.acceptance import Acceptance
from rollcall.evidence.accepting import accept
from rollcall.evidence.candidate import from_table
from rollcall.evidence.expected import Expected
from rollcall.evidence.search.run import WORTHWHILE
from rollcall.evidence.table import FACT, with_passages
from rollcall.evidence.verifiers.verifier import Verifier
from rollcall.garbage import collection_paused
from rollcall.progress import Progress
from rollcall.registry import plugin_failures
from rollcall.tables.corpus import Passages
from rollcall.tables.engine import Engine, Workbench, map_here
from rollcall.tables.evidence import Candidates, Evidence, RankedCandidates, ScoredCandidates
from rollcall.tables.reader import count, read
from rollcall.tables.table import Int64, Rows, Table, arrow, columns, shaped, unbound
from rollcall.tables.writer import write_scratch

if TYPE_CHECKING:
    import ibis.expr.types as ir

_FOUND = [name for name in columns(ScoredCandidates) if name not in ("score", "validated")]
DIGITS = 6


class Judged(NamedTuple):
    """How many facts have evidence and accepted evidence, and what is expected of the accepted sentences."""

    found: int
    validated: int
    expected: Expected | None


class Wanted(Table):
    """How many sentences are kept."""

    per_fact = Int64("for each fact")


def score_all(folder: Path, verifier: Verifier, engine: Engine) -> None:
    """Score all candidates of a folder into `folder/scored`."""
    (folder / "scored").mkdir(exist_ok=True)
    paths = sorted((folder / "candidates").glob("*.parquet"))
    worthwhile = verifier.parallel and sum(count(Candidates, path) for path in paths) >= WORTHWHILE
    run = engine.map_blocks if worthwhile else map_here
    with Progress(f"verifying ({verifier.name})", len(paths)) as progress:
        for _candidates in run(_score, paths, partial(_same, verifier)):
            progress.advance(1)


def _same(verifier: Verifier) -> Verifier:
    return verifier


def _score(verifier: Verifier, path: Path) -> int:
    """Score the candidates of a file into another one; returns their number."""
    table = read(Candidates, path)
    with collection_paused():
        candidates = from_table(table)
        with plugin_failures(f"the verifier {verifier.name}", verifier):
            verdicts = verifier.verdicts(candidates)
    kept = table.select(_FOUND)
    kept = kept.append_column(
        "score", pa.array(verdicts.scores.round(DIGITS), pa.float64(), from_pandas=True)
    )
    kept = kept.append_column("validated", pa.array(verdicts.accepted, pa.bool_()))
    write_scratch(kept, path.parent.parent / "scored" / path.name)
    return kept.num_rows


def write_best(
    bench: Workbench,
    folder: Path,
    corpus: Path,
    out: Path,
    per_fact: int,
    rule: Acceptance,
    prior: float | None,
) -> Judged:
    """Decide by a rule which scored candidates are accepted, rank all, and write the best.

    `prior` is that of the verifier.
    """
    expected = accept(bench, sorted((folder / "scored").glob("*.parquet")), rule, prior)
    bench.read(Passages, corpus / "passages.parquet")
    bench.give(Wanted, arrow(Wanted, {"per_fact": [per_fact]}))
    bench.keep(RankedCandidates, _best)
    bench.write(Evidence, lambda: with_passages(unbound(RankedCandidates)), out)
    (counted,) = bench.records(_counts)
    return Judged(int(counted["found"]), int(counted["validated"] or 0), expected)


def _best() -> Rows[RankedCandidates]:
    """The best candidates of each fact, ranked from 1; sentences on the page of an end come first."""
    rows = unbound(ScoredCandidates)
    elsewhere = rows.side == "neither"
    order = [rows.validated.desc(), elsewhere, rows.score.desc(), rows.side.desc(), rows.page, rows.sentence]
    place = ibis.row_number().over(group_by=[rows[name] for name in FACT], order_by=order)
    ranked = rows.mutate(rank=(place + 1).cast("int32"))
    return shaped(RankedCandidates, ranked.cross_join(unbound(Wanted)).filter(_["rank"] <= _.per_fact))


def _counts() -> "ir.Table":
    """How many facts have evidence, and how many have validated evidence."""
    first = unbound(RankedCandidates).filter(_["rank"] == 1)
    return first.agg(found=_.count(), validated=_.validated.cast("int64").sum())
