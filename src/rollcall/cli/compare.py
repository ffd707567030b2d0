"""`rollcall compare`: several systems on the same questions, with tests of their differences."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollcall.cli.options import REPORT_OPTIONS, Gold, VerdictFile, reporting, with_options, writing
from rollcall.cli.system_options import Judging, opened_judges
from rollcall.score.options import CompareOptions

if TYPE_CHECKING:
    from rollcall.report import Rendered


@writing(*REPORT_OPTIONS, "verdicts", reads=["runs", "audit"], asks=["gold"])
@reporting
@with_options
def compare(
    gold: Gold,
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Two or more runs of systems.", show_default=False)
    ],
    options: CompareOptions,
    judging: Judging,
    written: VerdictFile,
) -> "Rendered":
    """Compare runs: figures with intervals, and letters for the runs each one significantly beats."""
    from rollcall.score import verbs

    written.check()
    with opened_judges(judging, judged=runs[0]) as judges:
        comparison = verbs.compare(gold, runs, options, judges=judges)
        if written.verdicts is not None:
            written.write(comparison.verdicts())
    return comparison
