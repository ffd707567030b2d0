"""The options that write a report: all but `--html` print if no file is named.

The command-line library has no options with an optional value, so a missing value is inserted before it
parses the arguments. A file that is not a report is never overwritten, because `--json GOLD PRED` is probably
a mistake.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

from rollcall.cli.outputs import SCREEN
from rollcall.errors import RollcallError
from rollcall.files import replacing
from rollcall.terminal import remark, say_json, say_lines

if TYPE_CHECKING:
    from rollcall.score import Comparison, Report

SUFFIXES = {"--json": ".json", "--latex": ".tex", "--markdown": ".md", "--csv": ".csv"}
MARKS = {
    ".json": (b'{"profile"', b'{"drift"'),
    ".tex": (b"% rollcall",),
    ".md": (b"<!-- rollcall",),
    ".csv": (b"run,by,group,n,measure,",),
    ".html": (b"<!doctype html>\n<!-- rollcall",),
}
"""How a file begins that Rollcall wrote and may replace."""


class ReportCommand(TyperCommand):
    """A command whose `--json`, `--latex`, `--markdown` and `--csv` may be given without a file."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        filled: list[str] = []
        for place, word in enumerate(args):
            filled.append(word)
            following = args[place + 1] if place + 1 < len(args) else ""
            if word in SUFFIXES and following != SCREEN and not following.endswith(SUFFIXES[word]):
                filled.append(SCREEN)
        return super().parse_args(ctx, filled)


def check_report_file(place: str | None, suffix: str) -> None:
    """Refuse a place where a report cannot be written, before any work is done for it."""
    if place is None or place == SCREEN:
        return
    path = Path(place)
    if path.suffix != suffix:
        raise RollcallError(f"{path}: such a report goes to a file that ends in {suffix}")
    if path.is_dir():
        raise RollcallError(f"{path}: is a folder; name a file")
    if path.exists():
        with path.open("rb") as stream:
            if not stream.read(64).startswith(MARKS[suffix]):
                raise RollcallError(f"{path}: exists and is no report of Rollcall; name another file")


def check_report_files(
    json: str | None, latex: str | None, markdown: str | None, csv: str | None, html: Path | None
) -> None:
    """Refuse places where the renderings of a report cannot be written."""
    check_report_file(json, ".json")
    check_report_file(latex, ".tex")
    check_report_file(markdown, ".md")
    check_report_file(csv, ".csv")
    check_report_file(None if html is None else str(html), ".html")


def write_reports(
    shown: "Report | Comparison",
    json: str | None,
    latex: str | None,
    markdown: str | None,
    csv: str | None,
    html: Path | None,
) -> bool:
    """Write the requested renderings; says whether one of them was printed."""
    if json is not None:
        import msgspec

        write_report(json, msgspec.json.encode(shown.as_json()))
    if latex is not None:
        write_report(latex, shown.to_latex().encode())
    if markdown is not None:
        mark = b"" if markdown == SCREEN else b"<!-- rollcall -->\n\n"
        write_report(markdown, mark + shown.to_markdown().encode())
    if csv is not None:
        write_report(csv, shown.to_csv().encode())
    if html is not None:
        write_report(str(html), shown.to_html().encode())
    return SCREEN in (json, latex, markdown, csv)


def write_report(place: str, content: bytes) -> None:
    """Print or write one rendering of a report; a file written is named on standard error."""
    if place == SCREEN:
        if content.startswith(b"{"):
            say_json(json.loads(content))
        else:
            say_lines(content.decode())
        return
    with replacing(Path(place)) as partial:
        partial.write_bytes(content)
    remark(f"wrote {place}", error=True)
