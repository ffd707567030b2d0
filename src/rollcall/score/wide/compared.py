"""One response compared with a gold table: which rows and cells are right.

The steps are those of the published scorer, in its order: columns are named alike, repeated keys are dropped,
keys are aligned, cells are prepared, rows are joined by their keys, and every other column is compared by its
own rule. A response that the scorer cannot read has no right cell.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from rollcall.questions.formats.widesearch import ColumnRules, WideTask
from rollcall.score.wide.cells import COMPARISONS, JUDGED, PREPARATIONS, exact_match
from rollcall.score.wide.columns import written_alike
from rollcall.score.wide.response import Table, UnreadableTableError, response_table

_ALIGNED = {JUDGED, "exact_match"}
"""Key columns with one of these comparisons are aligned by meaning first."""


class CellJudge(Protocol):
    """What a language model decides; without one, names are alike only if they are equal."""

    def aligned(self, said: Sequence[str], gold: Sequence[str]) -> Mapping[str, str]:
        """Predicted strings with the gold strings that mean the same."""

    def scores(self, said: Sequence[str], gold: Sequence[str], criterion: str) -> list[float]:
        """Whether each predicted cell is right, as 0 or 1."""


class EqualCells:
    """The part of the comparison that needs no language model."""

    def aligned(self, said: Sequence[str], gold: Sequence[str]) -> Mapping[str, str]:
        return {}

    def scores(self, said: Sequence[str], gold: Sequence[str], criterion: str) -> list[float]:
        return [exact_match(one, other, None) for one, other in zip(said, gold, strict=True)]


class Joined(NamedTuple):
    """A predicted row with the gold row of the same key, and the scores of its cells."""

    said: int
    gold: int
    cells: list[float]

    @property
    def row(self) -> float:
        return min(self.cells, default=0.0)


class Compared(NamedTuple):
    """Both tables after all preparations, and the rows that have the same keys."""

    said: Table
    gold: Table
    gold_places: list[int]
    """Which row of the gold file each gold row is."""
    joined: list[Joined]
    same: bool
    """Whether both tables are the same, cell by cell, but for the order of rows."""


def compared(task: WideTask, response: str, judge: CellJudge) -> Compared:
    """Compare the table in a response; `UnreadableTableError` says why there is none to compare."""
    rules = task.evaluation
    found = response_table(response)
    if found is None:
        raise UnreadableTableError("it holds no table")
    found = _with_required(found, rules.required, judge)
    said, gold = _written(found, Table(task.table.columns, task.table.rows), rules.required)
    kept, places = _distinct(said, rules.unique_columns), _distinct(gold, rules.unique_columns)
    said = Table(said.columns, [said.rows[place] for place in kept])
    gold = Table(gold.columns, [gold.rows[place] for place in places])
    was_aligned = False
    for name in rules.unique_columns:
        column = rules.eval_pipeline.get(name)
        if column is not None and _ALIGNED & set(column.metric):
            was_aligned = True
            means = judge.aligned(said.column(name), gold.column(name))
            said = _changed(said, name, [means.get(cell, cell) for cell in said.column(name)])
    said, gold = (_prepared(table, rules.eval_pipeline) for table in (said, gold))
    same = not was_aligned and found.columns == rules.required and sorted(said.rows) == sorted(gold.rows)
    pairs = _same_keys(said, gold, rules.unique_columns)
    cells = _scored(said, gold, pairs, task, judge) if pairs else []
    joined = [Joined(*pair, [column[at] for column in cells]) for at, pair in enumerate(pairs)]
    return Compared(said, gold, places, joined, same)


def _with_required(found: Table, required: list[str], judge: CellJudge) -> Table:
    """The table with its columns named as required, if that is possible."""
    if set(found.columns) != set(required):
        means = judge.aligned(found.columns, required)
        found = Table([means.get(name, name) for name in found.columns], found.rows)
    if set(found.columns) != set(required):
        raise UnreadableTableError("its columns are not those required")
    if len(found.columns) != len(required):
        raise UnreadableTableError("two of its columns have one name")
    return found


def _written(said: Table, gold: Table, required: list[str]) -> tuple[Table, Table]:
    """Both tables with the required columns in their order, every cell as it is compared."""
    columns = [written_alike(gold.column(name), said.column(name)) for name in required]
    rows = [[list(row) for row in zip(*(column[side] for column in columns), strict=True)] for side in (1, 0)]
    return Table(required, rows[0]), Table(required, rows[1])


def _distinct(table: Table, keys: list[str]) -> list[int]:
    """The rows whose keys come for the first time."""
    if not keys or not set(keys) <= set(table.columns):
        raise UnreadableTableError("the task names no key columns, or other ones than it requires")
    first: dict[tuple[str, ...], int] = {}
    for place, key in enumerate(zip(*map(table.column, keys), strict=True)):
        first.setdefault(key, place)
    return list(first.values())


def _changed(table: Table, name: str, cells: Sequence[str]) -> Table:
    place = table.columns.index(name)
    rows = [[*row[:place], cell, *row[place + 1 :]] for row, cell in zip(table.rows, cells, strict=True)]
    return Table(table.columns, rows)


def _prepared(table: Table, pipeline: Mapping[str, ColumnRules]) -> Table:
    for name, rules in pipeline.items():
        if name not in table.columns:
            raise UnreadableTableError(f"the task has a rule for {name!r:.80}, which it does not require")
        for step in rules.preprocess:
            if step not in PREPARATIONS:
                raise UnreadableTableError(f"the task prepares cells by {step!r:.80}, which is not known")
            table = _changed(table, name, [PREPARATIONS[step](cell) for cell in table.column(name)])
    return table


def _same_keys(said: Table, gold: Table, keys: list[str]) -> list[tuple[int, int]]:
    """The rows of both tables with the same keys, in the order of the gold table."""
    named: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for place, key in enumerate(zip(*map(said.column, keys), strict=True)):
        named[key].append(place)
    return [
        (place, at)
        for at, key in enumerate(zip(*map(gold.column, keys), strict=True))
        for place in named.get(key, ())
    ]


def _scored(
    said: Table, gold: Table, pairs: list[tuple[int, int]], task: WideTask, judge: CellJudge
) -> list[list[float]]:
    """For every required column and each of its comparisons, the scores of the joined rows."""
    rules, scores = task.evaluation, []
    for name in rules.required:
        if name in rules.unique_columns:
            scores.append([1.0] * len(pairs))
            continue
        column = rules.eval_pipeline.get(name)
        if column is None:
            raise UnreadableTableError(f"the task has no rule for the column {name!r:.80}")
        ours, theirs = said.column(name), gold.column(name)
        first, second = [ours[place] for place, _ in pairs], [theirs[place] for _, place in pairs]
        for metric in column.metric:
            scores.append(_column_scores(metric, first, second, column, judge))
    return scores


def _column_scores(
    metric: str, said: list[str], gold: list[str], column: ColumnRules, judge: CellJudge
) -> list[float]:
    if metric == JUDGED:
        return judge.scores(said, gold, "" if column.criterion is None else str(column.criterion))
    if metric not in COMPARISONS:
        raise UnreadableTableError(f"the task compares cells by {metric!r:.80}, which is not known")
    compare = COMPARISONS[metric]
    try:
        return [compare(one, other, column.criterion) for one, other in zip(said, gold, strict=True)]
    except ValueError as error:
        raise UnreadableTableError(str(error)) from None
