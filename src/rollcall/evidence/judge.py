"""Scores candidates and keeps the best of each fact: the second half of the search for evidence.

Scored candidates are written block by block like the candidates themselves; the engine then ranks them fact
by fact and adds the passage each sentence stands in.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import ibis
import pyarrow as pa
import pyarrow.parquet as pq
from ibis import _

from rollcall.engine import Workbench
from rollcall.evidence.candidate import from_batch
from rollcall.evidence.verifier import Verifier
from rollcall.progress import Progress
from rollcall.reading.pool import shared, workers

_FACT = ("subject", "relation", "object", "literal")
_PLACE = ("page", "sentence", "start", "end", "side", "name", "text")
_SCORED = {
    "subject": "string", "relation": "string", "object": "string", "literal": "boolean", "page": "string",
    "sentence": "int32", "start": "int64", "end": "int64", "side": "string", "name": "string",
    "text": "string", "score": "float64", "validated": "boolean",
}  # fmt: skip
DIGITS = 6


def score_all(folder: Path, verifier: Verifier, jobs: int) -> None:
    """Score all candidates of a folder into `folder/scored`."""
    (folder / "scored").mkdir(exist_ok=True)
    paths = sorted((folder / "candidates").glob("*.parquet"))
    with Progress(f"verifying ({verifier.name})", len(paths)) as progress:
        if not verifier.parallel or jobs == 1:
            for path in paths:
                _score(path, folder / "scored" / path.name, verifier)
                progress.advance(1)
            return
        with workers(jobs, shared=verifier) as pool:
            for path in paths:
                target = folder / "scored" / path.name
                pool.run(_score_shared, path, target, done=lambda _result: progress.advance(1))
            pool.finish()


def _score_shared(path: Path, target: Path) -> None:
    _score(path, target, shared())


def _score(path: Path, target: Path, verifier: Verifier) -> None:
    table = pq.read_table(path)
    candidates = from_batch(table)
    scores = verifier.scores(candidates)
    accepted = verifier.accepts(candidates, scores)
    kept = table.select([*_FACT, *_PLACE])
    kept = kept.append_column("score", pa.array(scores.round(DIGITS), pa.float64()))
    kept = kept.append_column("validated", pa.array(accepted, pa.bool_()))
    pq.write_table(kept, target, compression="zstd")


def write_best(bench: Workbench, folder: Path, corpus: Path, out: Path, per_fact: int) -> tuple[int, int]:
    """Rank the scored candidates and write the best; facts with evidence, and with validated evidence."""
    scored = folder / "scored"
    if not any(scored.glob("*.parquet")):
        empty = pa.schema([(name, _arrow(kind)) for name, kind in _SCORED.items()]).empty_table()
        pq.write_table(empty, scored / "empty.parquet")
    bench.read_parquet("scored", scored, "*.parquet")
    bench.read_parquet("passages", corpus, "passages.parquet")
    bench.give("wanted", pa.table({"per_fact": pa.array([per_fact], pa.int64())}))
    bench.keep("best", best)
    writer = None
    for batch in bench.stream(evidence_in_order):
        writer = writer or pq.ParquetWriter(out, batch.schema, compression="zstd")
        writer.write_batch(batch)
    if writer is None:
        pq.write_table(evidence_schema().empty_table(), out, compression="zstd")
    else:
        writer.close()
    found, validated = next(iter(bench.stream(counts))).columns
    return int(found[0].as_py()), int(validated[0].as_py() or 0)


def _arrow(kind: str) -> Any:
    kinds: dict[str, Callable[[], Any]] = {
        "string": pa.string, "boolean": pa.bool_, "int32": pa.int32, "int64": pa.int64, "float64": pa.float64,
    }  # fmt: skip
    return kinds[kind]()


def evidence_schema() -> Any:
    """The columns of the evidence that is handed on."""
    columns = {**{name: _SCORED[name] for name in _FACT}, "rank": "int64"}
    columns |= {name: _SCORED[name] for name in ("page", "sentence", "start", "end")} | {"passage": "string"}
    columns |= {name: _SCORED[name] for name in ("side", "name", "text", "score", "validated")}
    return pa.schema([(name, _arrow(kind)) for name, kind in columns.items()])


def best() -> Any:
    """The best candidates of each fact, ranked from 1."""
    rows = ibis.table(_SCORED, name="scored")
    order = [
        rows.validated.desc(), rows.score.desc(), rows.side.desc(), rows.page, rows.sentence,
    ]  # fmt: skip
    ranked = rows.mutate(
        rank=ibis.row_number().over(group_by=[rows[name] for name in _FACT], order_by=order) + 1
    )
    wanted = ibis.table({"per_fact": "int64"}, name="wanted")
    return ranked.cross_join(wanted).filter(_["rank"] <= _.per_fact).drop("per_fact")


def evidence_in_order() -> Any:
    """The best candidates with the passages they stand in."""
    rows = ibis.table({**_SCORED, "rank": "int64"}, name="best")
    passages = ibis.table(
        {
            "id": "string", "page": "string", "number": "int32", "first": "int32", "last": "int32",
            "words": "int32", "text": "string",
        },
        name="passages",
    ).select("id", "first", "last", at="page")  # fmt: skip
    inside = (rows.page == passages.at) & (passages.first <= rows.sentence) & (rows.sentence <= passages.last)
    return rows.left_join(passages, inside).select(
        *_FACT, "rank", "page", "sentence", "start", "end", passage="id",
        **{name: _[name] for name in ("side", "name", "text", "score", "validated")},
    ).order_by(*_FACT, "rank")  # fmt: skip


def counts() -> Any:
    """How many facts have evidence, and how many have validated evidence."""
    first = ibis.table({**_SCORED, "rank": "int64"}, name="best").filter(_["rank"] == 1)
    return first.agg(found=_.count(), validated=_.validated.cast("int64").sum())
