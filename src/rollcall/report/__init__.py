"""What verbs show: tables, figures and notes, and one renderer for each medium.

A verb gives a `Display`; `terminal`, `html`, `markdown`, `latex` and `csv` write it, and `svg` draws its
figures. Tables alone are written by `csv` and `xlsx`. Escaping exists once for each medium, in its renderer.
"""

from typing import TYPE_CHECKING

from rollcall._core.packages import names_on_first_use

if TYPE_CHECKING:
    from rollcall.report.values import BREAK as BREAK
    from rollcall.report.values import Display as Display
    from rollcall.report.values import Figure as Figure
    from rollcall.report.values import Heading as Heading
    from rollcall.report.values import Mark as Mark
    from rollcall.report.values import Measured as Measured
    from rollcall.report.values import Note as Note
    from rollcall.report.values import Rendered as Rendered
    from rollcall.report.values import Series as Series
    from rollcall.report.values import Summary as Summary
    from rollcall.report.values import Table as Table

_NAMES = "BREAK Display Figure Heading Mark Note Measured Rendered Series Summary Table"
__all__ = sorted(_NAMES.split())

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, dict.fromkeys(__all__, "values"))
