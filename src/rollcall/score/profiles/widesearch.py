"""WideSearch's scorer: a table is compared row by row and cell by cell.

Precision, recall and F1 are of rows, and a row is right if all its cells are; `ItemP`, `ItemR` and `ItemF1`
are of cells, and `acc` is the success rate: the whole table is right. A language model aligns names of
columns and keys, and judges the columns whose rule says so; `widesearch-match` compares them as strings.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import ClassVar

from rollcall.questions.formats.web_benchmarks import BETWEEN_CELLS, task_of
from rollcall.questions.record import Answer, Question
from rollcall.score.judging import JudgedProfile, response_of
from rollcall.score.match import WRONG, Match, Resolution, harmonic
from rollcall.score.profile import Predicted, Profile
from rollcall.score.profiles import PROFILES
from rollcall.score.wide import CellJudge, ComparedTables, EqualCells, UnreadableTableError, compared

ITEMS = ("ItemP", "ItemR", "ItemF1")
_ROW_P, _ROW_R, _WHOLE = "row precision", "row recall", "whole table"
_MEASURES = ("acc", "F1", "ItemF1", "P", "R", "ItemP", "ItemR")
_TRIALS = ("max(acc)", "max(F1)", "max(ItemF1)")
_FENCED = re.compile(r"```json\s*(\{.*?\})\s*```", re.DOTALL)
_ALIGN = """Two lists of names are given. Find for each name of the first list the name of the second list
that means the same thing and differs only in how it is written. Equal names always belong together; names
without such a partner are left out. Copy both names exactly as they are given.

First list:
{response}

Second list:
{reference}

Reply with a JSON object in a code block, from names of the first list to names of the second:
```json
{{
    "a name of the first list": "its partner in the second list"
}}
```"""
_COLUMN = """Grade the answers in one column of a table. Each has a number, the response, and the target,
which is right.

A response is graded 1 if it satisfies this criterion, compared with its target, and 0 otherwise:
{criterion}

{response}

Consider them one by one, then reply with a JSON object in a code block that has a grade for each number:
```json
{{
    "idx_0": 1,
    "idx_1": 0
}}
```"""


class _TableScores(Profile):
    """What follows from two compared tables."""

    default_measures = _MEASURES
    own_figures = ITEMS
    reads_whole = True

    def measures(self, *, closed: bool, clustered: bool) -> Sequence[str]:
        return (*_MEASURES, *_TRIALS) if clustered else _MEASURES

    def cell_judge(self) -> CellJudge:
        return EqualCells()

    def resolve(
        self, question: Question, gold: Sequence[Answer], predictions: Sequence[Predicted]
    ) -> Resolution:
        labels = [answer.label for answer in gold]
        task = task_of(question)
        if task is None:
            return _nothing(labels, "no gold table: the set is not WideSearch's")
        if not (response := response_of(predictions)):
            return _nothing(labels, "")
        try:
            return _resolution(
                compared(task, response, self.cell_judge()), task.evaluation.unique_columns, labels
            )
        except UnreadableTableError as error:
            return _nothing(labels, f"a response that scores 0, as published: {error}")

    def rate(self, resolution: Resolution) -> Match:
        own = resolution.own
        precision, recall = own.get(_ROW_P, 0.0), own.get(_ROW_R, 0.0)
        return Match(
            precision,
            recall,
            harmonic(precision, recall),
            exact=bool(own.get(_WHOLE)),
            right=any(resolution.found),
            found=resolution.found.count(True),
            gold=len(resolution.gold),
            own=own,
        )

    def warning(self, resolution: Resolution) -> str | None:
        return resolution.note or None


@PROFILES.register("widesearch-match")
class WideSearchMatchProfile(_TableScores):
    """WideSearch without a language model: names, keys and judged columns must be equal."""

    source = "WideSearch (Wong et al.), src/evaluation, without its language model"


@PROFILES.register("widesearch")
class WideSearchProfile(_TableScores, JudgedProfile):
    """WideSearch's tables by row and by cell; a model aligns keys and judges columns (needs --judge).

    From its `src/evaluation`; two of its modules were read in public copies. A response is a text with a
    Markdown table.

    - P, R, F1 are by row, `ItemP`, `ItemR`, `ItemF1` by cell, `acc` is the success rate (all of them 1). A
      row is right if every cell is.
    - The first block marked `markdown` counts, or else the text between the first and last pipe. Both tables
      are read as pandas reads CSV: `007` is `7`, an empty cell, `N/A` and `None` are `nan`, `1990` is
      `1990.0` where its column has an empty cell or the other table's has fractions. A row with more cells
      than the rows before, or an open quote, makes a table unreadable: 0.
    - Columns must be those required; where they are not, the model renames them. Rows with a repeated key are
      dropped, the first stays. The model then aligns key columns compared by `exact_match` or `llm_judge`.
    - Cells are prepared (`norm_str`, `extract_number`, `norm_date`) and compared (`exact_match`, `url_match`:
      the same hosts; `in_match`; `number_near`: within the criterion; `date_near`: within 31 days, two cells
      that are no dates pass; `llm_judge`: the whole column in one request). A reply that cannot be read makes
      its column 0, as published.
    - Dates need the extra `dates`; words such as "today" are read as of 1 January 2025, so that figures do
      not change from day to day.
    - Two rows that the model maps to one key can make the published recall greater than 1; here it is 1, with
      a warning.
    - `widesearch-match` is the part without a model: names and keys must be equal, and judged columns are
      compared by `exact_match`.
    """

    source = "WideSearch (Wong et al.), src/evaluation/evaluation.py"
    prompts: ClassVar[dict[str, str]] = {"align": _ALIGN, "column": _COLUMN}
    counterpart = "widesearch-match"

    def cell_judge(self) -> CellJudge:
        return _ModelCells(self)


class _ModelCells:
    """Asks the profile's judge; a reply that cannot be read decides nothing, as published."""

    def __init__(self, profile: JudgedProfile) -> None:
        self._profile = profile

    def aligned(self, said: Sequence[str], gold: Sequence[str]) -> Mapping[str, str]:
        reply = self._asked("align", response=str(list(said)), reference=str(list(gold)))
        return {name: value for name, value in reply.items() if isinstance(value, str)}

    def scores(self, said: Sequence[str], gold: Sequence[str], criterion: str) -> list[float]:
        shown = {
            f"idx_{index}": {"response": cell, "target": other}
            for index, (cell, other) in enumerate(zip(said, gold, strict=True))
        }
        reply = self._asked("column", criterion=criterion, response=str(shown))
        return [_grade(reply.get(name, 0)) for name in shown]

    def _asked(self, name: str, **fields: str) -> dict[str, object]:
        template = self._profile.template(name)
        reply = self._profile.seat.ask(template, **fields)
        parsed = None if reply is None else fenced_object(reply)
        if parsed is None and reply is not None:
            self._profile.seat.reject(template, "the reply has no JSON object in a code block", **fields)
        return parsed or {}


def fenced_object(reply: str) -> dict[str, object] | None:
    """The last JSON object in a code block; None if there is none that can be read."""
    blocks = _FENCED.findall(reply)
    try:
        parsed = json.loads(blocks[-1]) if blocks else None
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict) else None


def _grade(given: object) -> float:
    return min(1.0, max(0.0, float(given))) if isinstance(given, int | float) and given == given else 0.0


def _nothing(labels: list[str], note: str) -> Resolution:
    return Resolution([], [], labels, [False] * len(labels), own=dict.fromkeys(ITEMS, 0.0), note=note)


def _resolution(tables: ComparedTables, keys: list[str], labels: list[str]) -> Resolution:
    """Rows as answers, named by their keys, with the figures of rows and cells."""
    right = {joined.said: joined.gold for joined in tables.joined if joined.row == 1}
    names = [BETWEEN_CELLS.join(row) for row in zip(*map(tables.said.column, keys), strict=True)]
    shown = [labels[index] if index < len(labels) else "" for index in tables.gold_places]
    hit = set(right.values())
    return Resolution(
        names,
        [right.get(index, WRONG) for index in range(len(names))],
        shown,
        [index in hit for index in range(len(shown))],
        own=_figures(tables),
        note="" if _fits(tables) else "two rows of one key: the published recall is above 1; counted as 1",
    )


def _fits(tables: ComparedTables) -> bool:
    rows = sum(joined.row for joined in tables.joined)
    cells = sum(sum(joined.cells) for joined in tables.joined)
    return rows <= len(tables.gold.rows) and cells <= len(tables.gold.rows) * len(tables.gold.columns)


def _figures(tables: ComparedTables) -> dict[str, float]:
    rows = sum(joined.row for joined in tables.joined)
    cells = sum(sum(joined.cells) for joined in tables.joined)
    given, gold, width = len(tables.said.rows), len(tables.gold.rows), len(tables.gold.columns)
    row_p, row_r = _share(rows, given), _share(rows, gold)
    item_p, item_r = _share(cells, given * width), _share(cells, gold * width)
    whole = tables.same or min(row_p, row_r, item_p, item_r) == 1
    return {
        _ROW_P: row_p,
        _ROW_R: row_r,
        _WHOLE: float(whole),
        **dict(zip(ITEMS, (item_p, item_r, harmonic(item_p, item_r)), strict=True)),
    }


def _share(part: float, whole: int) -> float:
    return min(1.0, part / whole) if whole else 0.0
