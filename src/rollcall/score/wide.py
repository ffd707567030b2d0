"""Comparing tables as WideSearch does: row by row and cell by cell."""

import csv
import io
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, Protocol
from urllib.parse import urlparse

from rollcall._core.errors import RollcallError
from rollcall.questions.formats.web_benchmarks import ColumnRules, WideTask, column_name

# How cells are prepared and compared: the functions that the rules of a WideSearch task name. Dates are
# read by the library that the published scorer uses, with a fixed day in place of today's, so that a
# figure does not depend on when it was computed.

JUDGED = "llm_judge"
"""The comparison that a language model makes."""
_NUMBERS = re.compile(r"[-+]?\d*\.\d+%?|[-+]?\d+\.?\d*%?")
_ADDRESS = re.compile(r"http[s]?://(?:[a-zA-Z]|[0-9]|[$-_@.&+]|[!*\\(\\),]|(?:%[0-9a-fA-F][0-9a-fA-F]))+")
_TODAY = datetime(2025, 1, 1)
_NEAR_DAYS = 31
Criterion = str | float | None


def extract_number(cell: str) -> str:
    """The first number in a cell, or `NULL`."""
    match = _NUMBERS.search(cell.replace(",", ""))
    return match[0] if match else "NULL"


def norm_str(cell: str) -> str:
    """A cell in lower case, without spaces and asterisks."""
    return cell.lower().strip().replace(" ", "").replace("*", "")


def norm_date(cell: str) -> str:
    """A date as 2025-01-31; any other cell as it is."""
    date = _date(cell)
    return cell if date is None else date.strftime("%Y-%m-%d")


def exact_match(said: str, gold: str, criterion: Criterion) -> float:
    return float(said.lower() == gold.lower())


def url_match(said: str, gold: str, criterion: Criterion) -> float:
    """Whether both cells name the same hosts."""
    return float(_hosts(said) == _hosts(gold))


def in_match(said: str, gold: str, criterion: Criterion) -> float:
    """Whether the predicted cell stands in the gold one."""
    return float(said in gold)


def number_near(said: str, gold: str, criterion: Criterion) -> float:
    """Whether a number is within a share of the gold one; cells that are no numbers must be equal."""
    first, second = _number(said), _number(gold)
    if first is None or second is None:
        return float(first is None and second is None and said == gold)
    if not isinstance(criterion, int | float):
        raise ValueError("number_near has no number as its criterion")
    return float(abs(first - second) <= abs(second) * criterion)


def date_near(said: str, gold: str, criterion: Criterion) -> float:
    """Whether dates are at most 31 days apart; two cells that are no dates pass."""
    first, second = _date(said), _date(gold)
    if first is None or second is None:
        return float(first is None and second is None)
    return float(abs((first - second).days) <= _NEAR_DAYS)


PREPARATIONS: dict[str, Callable[[str], str]] = {
    "extract_number": extract_number,
    "norm_str": norm_str,
    "norm_date": norm_date,
}
COMPARISONS: dict[str, Callable[[str, str, Criterion], float]] = {
    "exact_match": exact_match,
    "url_match": url_match,
    "in_match": in_match,
    "number_near": number_near,
    "date_near": date_near,
}


def _number(cell: str) -> float | None:
    try:
        return float(cell.replace("%", "")) / 100 if "%" in cell else float(cell)
    except ValueError:
        return None


def _hosts(cell: str) -> set[str]:
    return {urlparse(address).netloc for address in _ADDRESS.findall(cell)}


def _date(cell: str) -> datetime | None:
    try:
        import dateparser
    except ImportError:
        raise RollcallError(
            "comparing dates needs the extra `dates`: pip install 'rollcall-qa[dates]'"
        ) from None
    settings = {"PREFER_DAY_OF_MONTH": "first", "RELATIVE_BASE": _TODAY, "RETURN_AS_TIMEZONE_AWARE": False}
    try:
        parsed = dateparser.parse(cell, settings=settings)
    except Exception:  # whatever a foreign parser makes of any text: what it cannot read is no date
        return None
    return parsed if isinstance(parsed, datetime) else None


# Columns of a table read as pandas reads CSV, which decides how a number or an empty cell is written.
# The published scorer compares what pandas made of both tables: `007` is `7`, an empty cell and `N/A`
# are `nan`, and whole numbers become `1990.0` where a cell of their column is empty. Columns of whole
# numbers are also written so where the other table's column has fractions.

Kind = Literal["int", "float", "bool", "text"]

MISSING = frozenset(
    ("", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>")
) | {"N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"}
_WHOLE = re.compile(r"[+-]?[0-9]+")
_NUMBER = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?(?:inf|infinity)", re.IGNORECASE
)
_TRUTH = {
    "True": "True",
    "TRUE": "True",
    "true": "True",
    "False": "False",
    "FALSE": "False",
    "false": "False",
}
_MOST, _LEAST = 2**63 - 1, -(2**63)


def kind_of(cells: list[str]) -> Kind:
    """What a column holds, by all its cells."""
    known = [cell for cell in cells if cell not in MISSING]
    if not cells:
        return "text"
    if all(map(_WHOLE.fullmatch, known)) and all(_LEAST <= int(cell) <= _MOST for cell in known):
        return "int" if len(known) == len(cells) else "float"
    if all(map(_NUMBER.fullmatch, known)):
        return "float"
    return "bool" if all(cell in _TRUTH for cell in known) else "text"


def written(cells: list[str], kind: Kind) -> list[str]:
    """The cells as pandas writes them as strings."""
    return [_written(cell, kind) for cell in cells]


def _written(cell: str, kind: Kind) -> str:
    if cell in MISSING:
        return "nan"
    if kind == "int":
        return str(int(cell))
    if kind == "float":
        return str(float(cell))
    return _TRUTH[cell] if kind == "bool" else cell


def written_alike(first: list[str], second: list[str]) -> tuple[list[str], list[str]]:
    """Two columns as strings; whole numbers are written as fractions if the other column has fractions.

    >>> written_alike(["1990", "2001"], ["1990", ""])
    (['1990.0', '2001.0'], ['1990.0', 'nan'])
    """
    kinds = kind_of(first), kind_of(second)
    if set(kinds) == {"int", "float"}:
        kinds = ("float", "float")
    return written(first, kinds[0]), written(second, kinds[1])


# The table in a response: the first block marked as Markdown, or else what stands between the first and
# last pipe. Lines are cut at their pipes and read as pandas reads CSV with pipes: a first row that is
# longer than the head shifts the columns, a shorter row is filled up, and a longer row later makes the
# table unreadable.

_BLOCK = re.compile(r"```markdown(.*?)```", re.DOTALL)
_LINES = re.compile(r"((?:\|.*\n?)+)")
_RULE = frozenset("|- :")
_LEAST_PIPES = 4
_END = "\x00end"


class UnreadableTableError(ValueError):
    """A response whose table the published scorer cannot read either."""


class CellTable(NamedTuple):
    """A table as strings; no cell is read as a number yet."""

    columns: list[str]
    rows: list[list[str]]

    def column(self, name: str) -> list[str]:
        index = self.columns.index(name)
        return [row[index] for row in self.rows]


def response_table(response: str) -> CellTable | None:
    """The table in a response; None if there is none."""
    blocks = _BLOCK.findall(response) or _LINES.findall(_between_pipes(response))
    if not blocks:
        return None
    lines = blocks[0].strip().split("\n")
    lines[0] = lines[0].replace(" ", "").lower()
    cut = [
        "|".join(cell.strip() for cell in line.strip().split("|"))
        for line in lines
        if "|" in line and not set(line.strip()) <= _RULE
    ]
    return _parsed("\n".join(cut))


def _between_pipes(response: str) -> str:
    first, last = response.find("|"), response.rfind("|")
    if response.count("|") < _LEAST_PIPES:
        return ""
    start, end = response.rfind("\n", 0, first), response.find("\n", last)
    return response[max(start, 0) : len(response) if end == -1 else end]


def _parsed(text: str) -> CellTable:
    rows = [row for row in _rows(text) if row]
    if not rows:
        raise UnreadableTableError("its table has no line with a pipe")
    head, body = _named(rows[0]), rows[1:]
    width = max(len(head), len(body[0]) if body else 0)
    if any(len(row) > width for row in body[1:]):
        raise UnreadableTableError("a row of its table has more cells than the rows before")
    shift = width - len(head)
    padded = [[*row, *[""] * (width - len(row))][shift:] for row in body]
    kept = [index for index, name in enumerate(head) if not name.startswith("Unnamed")]
    return CellTable(
        [column_name(head[index]) for index in kept], [[row[index] for index in kept] for row in padded]
    )


def _rows(text: str) -> list[list[str]]:
    """The rows of pipe-separated lines; quotes that are never closed make them unreadable."""
    try:
        rows = list(csv.reader(io.StringIO(f"{text}\n{_END}\n", newline=""), delimiter="|"))
    except csv.Error as error:
        raise UnreadableTableError(f"its table cannot be read ({error})") from None
    if rows[-1] != [_END]:
        raise UnreadableTableError("a quote in its table is never closed")
    return rows[:-1]


def _named(head: list[str]) -> list[str]:
    """The names of columns, as pandas makes them: none is empty, and none comes twice."""
    names: list[str] = []
    seen: dict[str, int] = {}
    for index, name in enumerate(head):
        name = name or f"Unnamed: {index}"
        count = seen.get(name, 0)
        seen[name] = count + 1
        names.append(f"{name}.{count}" if count else name)
    return names


# One response compared with a gold table: which rows and cells are right. The steps are those of the
# published scorer, in its order: columns are named alike, repeated keys are dropped, keys are aligned,
# cells are prepared, rows are joined by their keys, and every other column is compared by its own rule.
# A response that the scorer cannot read has no right cell.

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
        return [exact_match(cell, other, None) for cell, other in zip(said, gold, strict=True)]


class JoinedRow(NamedTuple):
    """A predicted row with the gold row of the same key, and the scores of its cells."""

    said: int
    gold: int
    cells: list[float]

    @property
    def row(self) -> float:
        return min(self.cells, default=0.0)


class ComparedTables(NamedTuple):
    """Both tables after all preparations, and the rows that have the same keys."""

    said: CellTable
    gold: CellTable
    gold_places: list[int]
    """Which row of the gold file each gold row is."""
    joined: list[JoinedRow]
    same: bool
    """Whether both tables are the same, cell by cell, but for the order of rows."""


def compared(task: WideTask, response: str, judge: CellJudge) -> ComparedTables:
    """Compare the table in a response; `UnreadableTableError` says why there is none to compare."""
    rules = task.evaluation
    raw = response_table(response)
    if raw is None:
        raise UnreadableTableError("it holds no table")
    raw = _with_required(raw, rules.required, judge)
    given, gold = _write_cell(raw, CellTable(task.table.columns, task.table.rows), rules.required)
    kept, places = _distinct(given, rules.unique_columns), _distinct(gold, rules.unique_columns)
    given = CellTable(given.columns, [given.rows[index] for index in kept])
    gold = CellTable(gold.columns, [gold.rows[index] for index in places])
    was_aligned = False
    for name in rules.unique_columns:
        column = rules.eval_pipeline.get(name)
        if column is not None and _ALIGNED & set(column.metric):
            was_aligned = True
            means = judge.aligned(given.column(name), gold.column(name))
            given = _changed(given, name, [means.get(cell, cell) for cell in given.column(name)])
    given, gold = (_prepared(table, rules.eval_pipeline) for table in (given, gold))
    same = not was_aligned and raw.columns == rules.required and sorted(given.rows) == sorted(gold.rows)
    pairs = _same_keys(given, gold, rules.unique_columns)
    cells = _scored(given, gold, pairs, task, judge) if pairs else []
    joined = [JoinedRow(*pair, [column[at] for column in cells]) for at, pair in enumerate(pairs)]
    return ComparedTables(given, gold, places, joined, same)


def _with_required(table: CellTable, required: list[str], judge: CellJudge) -> CellTable:
    """The table with its columns named as required, if that is possible."""
    if set(table.columns) != set(required):
        means = judge.aligned(table.columns, required)
        table = CellTable([means.get(name, name) for name in table.columns], table.rows)
    if set(table.columns) != set(required):
        raise UnreadableTableError("its columns are not those required")
    if len(table.columns) != len(required):
        raise UnreadableTableError("two of its columns have one name")
    return table


def _write_cell(given: CellTable, gold: CellTable, required: list[str]) -> tuple[CellTable, CellTable]:
    """Both tables with the required columns in their order, every cell as it is compared."""
    columns = [written_alike(gold.column(name), given.column(name)) for name in required]
    rows = [[list(row) for row in zip(*(column[side] for column in columns), strict=True)] for side in (1, 0)]
    return CellTable(required, rows[0]), CellTable(required, rows[1])


def _distinct(table: CellTable, keys: list[str]) -> list[int]:
    """The rows whose keys come for the first time."""
    if not keys or not set(keys) <= set(table.columns):
        raise UnreadableTableError("the task names no key columns, or other ones than it requires")
    first: dict[tuple[str, ...], int] = {}
    for index, key in enumerate(zip(*map(table.column, keys), strict=True)):
        first.setdefault(key, index)
    return list(first.values())


def _changed(table: CellTable, name: str, cells: Sequence[str]) -> CellTable:
    index = table.columns.index(name)
    rows = [[*row[:index], cell, *row[index + 1 :]] for row, cell in zip(table.rows, cells, strict=True)]
    return CellTable(table.columns, rows)


def _prepared(table: CellTable, pipeline: Mapping[str, ColumnRules]) -> CellTable:
    for name, rules in pipeline.items():
        if name not in table.columns:
            raise UnreadableTableError(f"the task has a rule for {name!r:.80}, which it does not require")
        for step in rules.preprocess:
            if step not in PREPARATIONS:
                raise UnreadableTableError(f"the task prepares cells by {step!r:.80}, which is not known")
            table = _changed(table, name, [PREPARATIONS[step](cell) for cell in table.column(name)])
    return table


def _same_keys(given: CellTable, gold: CellTable, keys: list[str]) -> list[tuple[int, int]]:
    """The rows of both tables with the same keys, in the order of the gold table."""
    named: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for row, key in enumerate(zip(*map(given.column, keys), strict=True)):
        named[key].append(row)
    return [
        (row, at)
        for at, key in enumerate(zip(*map(gold.column, keys), strict=True))
        for row in named.get(key, ())
    ]


def _scored(
    given: CellTable, gold: CellTable, pairs: list[tuple[int, int]], task: WideTask, judge: CellJudge
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
        ours, theirs = given.column(name), gold.column(name)
        first, second = [ours[index] for index, _ in pairs], [theirs[index] for _, index in pairs]
        for metric in column.metric:
            scores.append(_column_scores(metric, first, second, column, judge))
    return scores


def _column_scores(
    metric: str, given: list[str], gold: list[str], column: ColumnRules, judge: CellJudge
) -> list[float]:
    if metric == JUDGED:
        return judge.scores(given, gold, "" if column.criterion is None else str(column.criterion))
    if metric not in COMPARISONS:
        raise UnreadableTableError(f"the task compares cells by {metric!r:.80}, which is not known")
    compare = COMPARISONS[metric]
    try:
        return [compare(cell, other, column.criterion) for cell, other in zip(given, gold, strict=True)]
    except ValueError as error:
        raise UnreadableTableError(str(error)) from None
