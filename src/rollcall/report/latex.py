"""Contents as LaTeX tables for a paper: captions and labels, `booktabs` rules, intervals in small print.

The comment before each table names the package it needs, `booktabs`; no other is needed.
"""

import re
from collections.abc import Iterator, Sequence

from rollcall._core.console import one_line
from rollcall.report.values import (
    Cell,
    Display,
    Figure,
    Heading,
    Measured,
    Note,
    Part,
    Table,
    cell_text,
    interval_text,
)

SPECIAL = {
    "\\": r"\textbackslash{}",
    **{sign: "\\" + sign for sign in "&%$#_{}"},
    "[": "{[}",
    "]": "{]}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
    "−": "$-$",
    "≥": r"$\geq$",
    "±": r"$\pm$",
    "…": r"\ldots{}",
}
_WIDE = 7
"""Tables with more columns are set in smaller print."""
_LABEL = re.compile(r"[^a-z0-9]+")


def display_latex(display: Display) -> str:
    """The tables of a display; notes are comments, for the author and not for readers of the paper."""
    return "\n\n".join(filter(None, map(_part, display.parts)))


def _part(part: Part) -> str:
    if isinstance(part, Note):
        text = f"{part.label}: {part.text}" if part.label else part.text
        return "\n".join([f"% {one_line(text)}", *map(_part, part.lines)])
    return _tabular(_as_table(part) if isinstance(part, Figure) else part)


def _as_table(figure: Figure) -> Table:
    """The marks of a figure as rows."""
    headings = (Heading(figure.x), Heading(figure.y, "count" if figure.kind == "histogram" else "percent"))
    rows = [
        (str(mark.x), round(mark.y) if figure.kind == "histogram" else mark.y)
        for series in figure.series
        for mark in series.marks
    ]
    return Table(figure.title, headings, rows, label=figure.title)


def _tabular(table: Table) -> str:
    columns = "".join("l" if heading.kind == "text" else "r" for heading in table.headings)
    heads = [heading.formula or escaped(heading.name) for heading in table.headings]
    caption = " ".join([table.title if not table.notes else f"{table.title.rstrip('.')}.", *table.notes])
    label = _LABEL.sub("-", (table.label or table.title).lower()).strip("-") or "table"
    lines = [
        r"% rollcall: needs \usepackage{booktabs}",
        r"\begin{table}[t]",
        r"\centering",
        *([r"\small", r"\setlength{\tabcolsep}{3pt}"] if len(heads) > _WIDE else []),
        f"\\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        " & ".join(heads) + r" \\",
        r"\midrule",
        *_rows(table),
        r"\bottomrule",
        r"\end{tabular}",
        f"\\caption{{{escaped(caption)}}}",
        f"\\label{{tab:rollcall-{label}}}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def _rows(table: Table) -> Iterator[str]:
    """The rows; intervals stand below their values."""
    for index, row in enumerate(table.rows):
        if not row:
            yield r"\addlinespace"
            continue
        yield " & ".join(_cell(cell, of) for cell, of in zip(row, table.headings, strict=True)) + r" \\"
        intervals = list(_intervals(row, table.headings))
        if any(intervals):
            yield " & ".join(intervals) + r" \\"
            if index + 1 < len(table.rows):
                yield r"\addlinespace"


def _cell(cell: Cell, heading: Heading) -> str:
    text = escaped(cell_text(cell, heading))
    if not isinstance(cell, Measured):
        return text
    text = f"\\textbf{{{text}}}" if cell.is_best else text
    return text + (f"\\textsuperscript{{{escaped(cell.marks)}}}" if cell.marks else "")


def _intervals(row: Sequence[Cell], headings: Sequence[Heading]) -> Iterator[str]:
    for cell, heading in zip(row, headings, strict=True):
        is_estimate = isinstance(cell, Measured) and heading.kind == "estimate"
        bounds = interval_text(cell) if isinstance(cell, Measured) and is_estimate else ""
        yield f"{{\\scriptsize {escaped(bounds)}}}" if bounds else ""


def escaped(text: str) -> str:
    """A text of one line in LaTeX; control characters are shown as escape sequences."""
    return "".join(SPECIAL.get(sign, sign) for sign in one_line(text))
