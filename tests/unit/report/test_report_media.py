"""One display in every medium: nothing in its texts can be taken for markup, and no digit is lost in CSV."""

import csv
import io
from xml.etree import ElementTree

import pytest
from rich.console import Console

from rollcall.report import BREAK, Display, Figure, Heading, Mark, Measured, Note, Rendered, Series, Table
from rollcall.report.html import figure_svg
from rollcall.report.terminal import print_display
from rollcall.report.values import FigureKind, Medium

EVIL = "=a_b <i>&[red]50%$x$|\n\x1b[2J"


class Result(Rendered):
    """A table with every kind of cell, a chart and notes."""

    def display(self, medium: Medium = "terminal") -> Display:
        headings = (
            Heading(EVIL),
            Heading("n", "count"),
            Heading("mean", "number", 1),
            Heading("share", "percent", 0),
            Heading("F1", "estimate", formula="$F_{1}$"),
            Heading("ends", "interval"),
        )
        measured = Measured(0.51234, (0.4, 0.6), marks="b", is_best=True)
        rows = [(EVIL, 1234, 2.25, 0.5, measured, measured), BREAK, ("empty", None, None, None, None, None)]
        marks = (Mark(EVIL, 3, 3, 3), Mark("few", 1, 1, 1))
        return Display(
            EVIL,
            (
                Table(EVIL, headings, rows, (EVIL,), "figures"),
                Figure("sizes", "histogram", (Series("", marks),), "size", "count"),
                Note(EVIL, "warning", "doubtful", "an id", (Note(EVIL, "+", "good"),)),
            ),
        )


def shown_on_terminal() -> str:
    stream = io.StringIO()
    print_display(Result().display(), Console(file=stream, width=200))
    return stream.getvalue()


def test_the_terminal_shows_texts_literally() -> None:
    shown = shown_on_terminal()
    assert "[red]" in shown
    for word in ("1,234", "2.2", "50%", "51.23 b ±10.0", "[40.0, 60.0]", "–"):
        assert word in shown


def test_markdown_has_no_markup_of_the_texts() -> None:
    shown = Result().to_markdown()
    words, _, rest = shown.partition("sizes:")
    for word in ("<i>", "[red]", "$x$", "\x1b", "a_b"):
        assert word not in words
    assert f"\n    {EVIL[:12]}" in rest, "bars are code, which is shown as it is"
    row = next(line for line in shown.splitlines() if "1,234" in line)
    assert row.endswith("| 1,234 | 2.2 | 50% | **51.23** [40.0, 60.0] <sup>b</sup> | [40.0, 60.0] |")
    assert "| --- | ---: | ---: | ---: | ---: | ---: |" in shown
    assert r"  - \+ \=a" in shown, "lines of a note are a list inside"


def test_latex_escapes_texts_and_sets_intervals_below() -> None:
    shown = Result().to_latex()
    assert r"& $F_{1}$ &" in shown
    assert r"\textbf{51.23}\textsuperscript{b}" in shown
    assert r"{\scriptsize {[}40.0, 60.0{]}}" in shown
    assert r"\$x\$" in shown
    assert all(line.startswith("%") for line in shown.splitlines() if "warning: " in line)
    assert "\x1b" not in shown


def test_html_escapes_texts_and_needs_no_script() -> None:
    page = Result().to_html()
    assert page.startswith("<!doctype html>\n<!-- rollcall ")
    assert "<i>" not in page
    assert "<script" not in page
    assert "script-src" not in page
    assert '<td class="number">51.23 b<small>[40.0, 60.0]</small></td>' in page
    assert "\x1b" not in page
    assert "\\x1b[2J" in page
    assert "<i>" not in Result()._repr_html_()


def test_csv_has_all_digits_and_no_formula() -> None:
    heads, first, second = csv.reader(io.StringIO(Result().to_csv(), newline=""))
    assert heads[1:] == ["n", "mean", "share", "F1", "F1_low", "F1_high", "ends"]
    assert first[0].startswith("'=")
    assert first[1:7] == ["1234", "2.25", "0.5", "0.51234", "0.4", "0.6"]
    assert second[1:] == [""] * 7


@pytest.mark.parametrize("kind", ["bar", "line", "scatter", "histogram"])
def test_a_figure_is_xml_that_says_what_it_shows(kind: FigureKind) -> None:
    marks = (Mark(EVIL.partition("\n")[0], 0.5, 0.4, 0.6, "a note", 9), Mark("b", 0.25, 0.2, 0.3, "another"))
    svg = ElementTree.fromstring(figure_svg(Figure("A & B", kind, (Series("", marks),), "x", "y")))
    assert svg.attrib["aria-label"] == "A & B"
    assert len(list(svg.iter("title"))) == 2
    assert (svg.find("polyline") is not None) == (kind == "line")
