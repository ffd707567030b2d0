"""The stage that draws the set: all proved questions, split by relations and sampled by quotas.

Input: the tables `kept` of the validating stages. Output: `chosen`, the queries of the set with their splits.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rollcall.build.no_questions import no_questions
from rollcall.build.qampari.parameters import Parameters
from rollcall.build.stage import Outcome, Work, filtered
from rollcall.errors import RollcallError
from rollcall.questions.sampling import sample
from rollcall.questions.splits import TABLES, Drawable
from rollcall.tables.build import ChosenQueries
from rollcall.tables.mining import ValidatedQueries
from rollcall.tables.reader import records
from rollcall.tables.writer import write_records

_KEYS = {"per_relation": "split.per_relation", "quotas": "split.quotas"}
"""The keys of the recipe that set the options of sampling."""


def draw(parameters: Parameters, sources: Sequence[str], work: Work) -> Outcome:
    """Write `chosen`: the queries of the set, each with its split."""
    tables = [work.table(source, "kept") for source in sources]
    items = {item.key: item for table in tables for item in _drawables(table)}
    if not items:
        raise RollcallError(no_questions(work.outcomes))
    drawn = sample(list(items.values()), parameters.split, parameters.seed)
    if not drawn.splits:
        raise RollcallError(no_questions({**work.outcomes, "sample": filtered(0, drawn.removed, _KEYS)}))
    chosen = [
        {**row, "split": drawn.splits[row["key"]]}
        for table in tables
        for row in records(ValidatedQueries, table)
        if row["key"] in drawn.splits
    ]
    write_records(ChosenQueries, work.out("chosen"), chosen)
    kinds: dict[str, int] = {}
    for key in drawn.splits:
        kinds[items[key].kind] = kinds.get(items[key].kind, 0) + 1
    notes = _notes(parameters, kinds)
    return filtered(len(chosen), drawn.removed, _KEYS, notes=notes, counts=dict(sorted(kinds.items())))


def _notes(parameters: Parameters, kinds: dict[str, int]) -> list[str]:
    missing = [kind for kind, quota in parameters.split.quotas.items() if quota and not kinds.get(kind)]
    return [f"no question of kind {kind} was left to draw" for kind in missing]


def _drawables(table: Path) -> Iterator[Drawable]:
    for row in records(ValidatedQueries, table, ("key", "kind", "relations", "entities")):
        by_list = row["kind"] in TABLES
        yield Drawable(row["key"], row["kind"], tuple(row["entities"][:1] if by_list else row["relations"]))
