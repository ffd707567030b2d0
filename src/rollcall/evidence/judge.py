"""Scores candidates and keeps the best of each fact: the second half of the search for evidence.

Input: the candidates that the search wrote, and a verifier. Output: the table of evidence. Scored candidates
are written block by block, like the candidates. The engine then ranks them for each fact and adds the passage
that contains each sentence.
"""

from pathlib import Path
from typing import TYPE_CHECKING

import ibis
import pyarrow as pa
import pyarrow.parquet as pq
from ibis import _

from rollcall.engine import Workbench
from rollcall.evidence.candidate import from_table
from rollcall.evidence.search.run import PRELOADED, WORTHWHILE
from rollcall.evidence.table import EVIDENCE, FACT, with_passages, write_evidence
from rollcall.evidence.verifiers.verifier import Verifier
from rollcall.garbage import collection_paused
from rollcall.input_files.pool import shared, workers
from rollcall.mine.layout import arrow_schema
from rollcall.progress import Progress

if TYPE_CHECKING:
    import ibis.expr.types as ir

_SCORED = {name: kind for name, kind in EVIDENCE.items() if name not in ("rank", "passage")}
_FOUND = [name for name in _SCORED if name not in ("score", "validated")]
DIGITS = 6


def score_all(folder: Path, verifier: Verifier, jobs: int) -> None:
    """Score all candidates of a folder into `folder/scored`."""
    (folder / "scored").mkdir(exist_ok=True)
    paths = sorted((folder / "candidates").glob("*.parquet"))
    worthwhile = len(paths) > 1 and sum(pq.read_metadata(path).num_rows for path in paths) >= WORTHWHILE
    jobs = jobs if verifier.parallel and worthwhile else 1
    with (
        Progress(f"verifying ({verifier.name})", len(paths)) as progress,
        workers(jobs, preload=PRELOADED, shared=verifier) as pool,
    ):
        for path in paths:
            target = folder / "scored" / path.name
            pool.run(_score_shared, path, target, done=lambda _result: progress.advance(1))
        pool.finish()


def _score_shared(path: Path, target: Path) -> None:
    verifier: Verifier = shared()
    table = pq.read_table(path)
    with collection_paused():
        candidates = from_table(table)
        scores = verifier.scores(candidates)
        accepted = verifier.accepts(candidates, scores)
    kept = table.select(_FOUND)
    kept = kept.append_column("score", pa.array(scores.round(DIGITS), pa.float64()))
    kept = kept.append_column("validated", pa.array(accepted, pa.bool_()))
    pq.write_table(kept, target, compression="zstd")


def write_best(
    bench: Workbench, folder: Path, corpus: Path, out: Path, per_fact: int, stated: float | None = None
) -> tuple[int, int]:
    """Rank the scored candidates and write the best; facts with evidence, and with validated evidence.

    With `stated`, that share of the facts of each relation counts as validated, those with the best scores.
    """
    scored = folder / "scored"
    if not any(scored.glob("*.parquet")):
        pq.write_table(arrow_schema(_SCORED).empty_table(), scored / "empty.parquet")
    if stated is None:
        bench.read_parquet("scored", scored, "*.parquet")
    else:
        bench.read_parquet("judged", scored, "*.parquet")
        bench.keep("scored", lambda: _with_best_facts(stated))
    bench.read_parquet("passages", corpus, "passages.parquet")
    bench.give("wanted", pa.table({"per_fact": pa.array([per_fact], pa.int32())}))
    bench.keep("best", _best)
    write_evidence(bench, lambda: with_passages(_kept_best()), out)
    found, validated = next(iter(bench.stream(_counts))).columns
    return int(found[0].as_py()), int(validated[0].as_py() or 0)


def _with_best_facts(stated: float) -> "ir.Table":
    """The scored candidates; validated are also those of a share of each relation's facts, the best."""
    rows = ibis.table(_SCORED, name="judged")
    best = rows.group_by(list(FACT)).agg(best=_.score.max())
    least = best.group_by("relation").agg(least=_.best.quantile(1 - stated))
    joined = rows.join(least, "relation")
    return joined.mutate(validated=_.validated | (_.score >= _.least)).select(*_SCORED)


def _best() -> "ir.Table":
    """The best candidates of each fact, ranked from 1."""
    rows = ibis.table(_SCORED, name="scored")
    order = [rows.validated.desc(), rows.score.desc(), rows.side.desc(), rows.page, rows.sentence]
    place = ibis.row_number().over(group_by=[rows[name] for name in FACT], order_by=order)
    ranked = rows.mutate(rank=(place + 1).cast("int32"))
    wanted = ibis.table({"per_fact": "int32"}, name="wanted")
    return ranked.cross_join(wanted).filter(_["rank"] <= _.per_fact).drop("per_fact")


def _kept_best() -> "ir.Table":
    return ibis.table({**_SCORED, "rank": "int32"}, name="best")


def _counts() -> "ir.Table":
    """How many facts have evidence, and how many have validated evidence."""
    first = _kept_best().filter(_["rank"] == 1)
    return first.agg(found=_.count(), validated=_.validated.cast("int64").sum())
