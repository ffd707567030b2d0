"""The stage that draws a set from all proved questions, and the splits of sets of which nothing is left out.

- `draw`: splits proved questions by their relations or lists and samples them by quotas. Input: the tables
  `kept` of the validating stages. Output: `chosen`, the queries of the set with their splits.
- `by_shares`: divides units in proportion to shares. A unit is a cluster, or a query with its paraphrases.
- `whole_clusters`: leaves out clusters that have lost too many questions.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from rollcall.build.stage import Outcome, Work, filtered, no_questions
from rollcall.mine.kinds import QuestionKind
from rollcall.query import Query
from rollcall.questions.splits import Drawable, lot, sample
from rollcall.tables.build import ChosenQueries, ValidatedQueries
from rollcall.tables.files import records, write_records

_KEYS = {"per_relation": "split.per_relation", "quotas": "split.quotas"}
"""The keys of the recipe that set the options of sampling."""

Kinds = dict[str, type[QuestionKind]]


def by_name(*kinds: type[QuestionKind]) -> Kinds:
    """Kinds of questions by their names."""
    return {kind.name: kind for kind in kinds}


def draw(parameters: Any, sources: Sequence[str], kinds: Callable[[], Kinds], work: Work) -> Outcome:
    """Write `chosen`: the queries of the set, each with its split."""
    tables = [work.table(source, "kept") for source in sources]
    items = {item.key: item for table in tables for item in _drawables(table, kinds())}
    if not items:
        raise no_questions(work.outcomes)
    drawn = sample(list(items.values()), _with_quotas(parameters.split, kinds()), parameters.seed)
    if not drawn.splits:
        raise no_questions({**work.outcomes, "sample": filtered(0, drawn.removed, _KEYS)})
    chosen_rows = [
        {**row, "split": drawn.splits[row["key"]]}
        for table in tables
        for row in records(ValidatedQueries, table)
        if row["key"] in drawn.splits
    ]
    write_records(ChosenQueries, work.out("chosen"), chosen_rows)
    counts = Counter(items[key].kind for key in drawn.splits)
    missing = [kind for kind, quota in parameters.split.quotas.items() if quota and not counts[kind]]
    notes = [f"no question of kind {kind} was left to draw" for kind in missing]
    return filtered(len(chosen_rows), drawn.removed, _KEYS, notes=notes, counts=dict(sorted(counts.items())))


def _with_quotas(split: Any, kinds: Kinds) -> Any:
    """The options of sampling, with the quotas of kinds that did not come with Rollcall."""
    quotas = {
        name: kind.quota
        for name, kind in kinds.items()
        if kind.quota is not None and not kind.__module__.startswith("rollcall.")
    }
    return msgspec.structs.replace(split, quotas={**quotas, **split.quotas})


def _drawables(table: Path, kinds: Kinds) -> Iterator[Drawable]:
    for row in records(ValidatedQueries, table, ("key", "kind", "query")):
        kind = kinds[row["kind"]]
        keys = kind.split_keys(Query.parse(row["query"]))
        yield Drawable(row["key"], kind.name, keys, kind.in_test, kind.of_lists)


def by_shares(parameters: Any, units: set[str]) -> dict[str, str]:
    """The split of each unit: units in random order, divided in proportion to the shares."""
    shares = parameters.split.shares
    total, start = sum(shares.values()), 0.0
    drawn = sorted(units, key=lambda name: lot(parameters.seed, "part", name))
    splits: dict[str, str] = {}
    for split, share in shares.items():
        first, last = (round(len(drawn) * edge / total) for edge in (start, start + share))
        splits.update(dict.fromkeys(drawn[first:last], split))
        start += share
    return splits


def unit(row: Mapping[str, Any]) -> str:
    """The unit of a row; all rows of a unit are in one split."""
    return str(row.get("cluster") or row["key"])


def whole_clusters(rows: Mapping[str, dict[str, Any]], least: int) -> dict[str, dict[str, Any]]:
    """The rows, by key, without those of clusters that have too few."""
    sizes = Counter(row["cluster"] for row in rows.values() if row.get("cluster"))
    return {key: row for key, row in rows.items() if not row.get("cluster") or sizes[row["cluster"]] >= least}
