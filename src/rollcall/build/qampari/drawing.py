"""The stage that draws the set: all proved questions, split by relations and sampled by quotas.

Input: the tables `kept` of the validating stages. Output: `chosen`, the queries of the set with their splits.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rollcall.build.no_questions import no_questions
from rollcall.build.qampari.parameters import Parameters
from rollcall.build.stage import Outcome, Work, filtered
from rollcall.errors import RollcallError
from rollcall.questions.sampling import sample
from rollcall.questions.splits import TABLES, Drawable

_ROWS = 20_000
_KEYS = {"per_relation": "split.per_relation", "quotas": "split.quotas"}
"""The keys of the recipe that set the options of sampling."""


def draw(parameters: Parameters, sources: Sequence[str], work: Work) -> Outcome:
    """Write `chosen`: the queries of the set, each with its split."""
    import pyarrow as pa

    from rollcall.mine.layout import TABLES as MINED
    from rollcall.mine.layout import arrow_schema
    from rollcall.mine.mining import SortedFile

    tables = [work.table(source, "kept") for source in sources]
    items = {item.key: item for table in tables for item in _drawables(table)}
    if not items:
        raise RollcallError(no_questions(work.outcomes))
    drawn = sample(list(items.values()), parameters.split, parameters.seed)
    if not drawn.splits:
        raise RollcallError(no_questions({**work.outcomes, "sample": filtered(0, drawn.removed, _KEYS)}))
    columns = {**MINED["kept"], "split": "string"}
    chosen = [
        {**row, "split": drawn.splits[row["key"]]}
        for table in tables
        for batch in _batches(table)
        for row in batch.to_pylist()
        if row["key"] in drawn.splits
    ]
    chosen.sort(key=lambda row: row["key"])
    with SortedFile(work.out("chosen"), columns) as file:
        for part in pa.Table.from_pylist(chosen, schema=arrow_schema(columns)).to_batches():
            file.append(*part.columns)
    kinds: dict[str, int] = {}
    for key in drawn.splits:
        kinds[items[key].kind] = kinds.get(items[key].kind, 0) + 1
    notes = _notes(parameters, kinds)
    return filtered(len(chosen), drawn.removed, _KEYS, notes=notes, counts=dict(sorted(kinds.items())))


def _notes(parameters: Parameters, kinds: dict[str, int]) -> list[str]:
    missing = [kind for kind, quota in parameters.split.quotas.items() if quota and not kinds.get(kind)]
    return [f"no question of kind {kind} was left to draw" for kind in missing]


def _drawables(table: Path) -> Iterator[Drawable]:
    for batch in _batches(table):
        for row in batch.select(["key", "kind", "relations", "entities"]).to_pylist():
            by_list = row["kind"] in TABLES
            yield Drawable(
                row["key"], row["kind"], tuple(row["entities"][:1] if by_list else row["relations"])
            )


def _batches(table: Path) -> Iterator[Any]:
    import pyarrow.parquet as pq

    yield from pq.ParquetFile(table).iter_batches(_ROWS)
