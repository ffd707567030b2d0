"""`rollcall score`: the figures of one system's predictions."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollcall._core.workers import collection_paused
from rollcall.cli.options import REPORT_OPTIONS, Gold, VerdictFile, reporting, with_options, writing
from rollcall.cli.system_options import Judging, opened_judges
from rollcall.score.options import ScoreOptions

if TYPE_CHECKING:
    from rollcall.report import Rendered


@writing(
    *REPORT_OPTIONS,
    "verdicts",
    "newly_right",
    reads=["predictions", "expand", "extended", "audit"],
    asks=["gold"],
    when={"newly_right": "expand"},
)
@collection_paused()
@reporting
@with_options
def score(
    gold: Gold,
    predictions: Annotated[
        Path | None,
        typer.Argument(
            metavar="[RUN]",
            help="A run, {id: [answers]}, lines, CSV or a result file; not needed if SET has predictions.",
            show_default=False,
        ),
    ] = None,
    *,
    options: ScoreOptions,
    intervals: Annotated[
        bool, typer.Option("--intervals/--no-intervals", help="Whether figures have confidence intervals.")
    ] = True,
    judging: Judging,
    written: VerdictFile,
) -> "Rendered":
    """Score predictions against gold questions, with confidence intervals."""
    from rollcall.score import verbs

    written.check()
    confidence = options.confidence if intervals else None
    with opened_judges(judging, judged=predictions or gold) as judges:
        report = verbs.score(gold, predictions, options, confidence=confidence, judges=judges)
        if written.verdicts is not None:
            written.write(report.verdicts())
    return report
