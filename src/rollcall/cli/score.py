"""`rollcall score`: the figures of one system's predictions."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from rollcall.cli import options
from rollcall.cli.outputs import writing
from rollcall.errors import RollcallError
from rollcall.garbage import collection_paused


@writing(
    "json",
    "latex",
    "html",
    "turned",
    reads=["predictions", "expand", "extended"],
    asks=["gold"],
    when={"turned": "expand"},
)
@collection_paused()
def score(
    gold: options.Gold,
    predictions: Annotated[
        Path | None,
        typer.Argument(
            metavar="[PRED]",
            help="A run, {id: [answers]}, JSON lines or a result file; not needed where GOLD holds them.",
            show_default=False,
        ),
    ] = None,
    profile: options.Profile = "entity",
    measures: options.Measures = None,
    by: options.By = None,
    split: options.Split = None,
    setting: options.Setting = "complete",
    json: options.Json = None,
    latex: options.Latex = None,
    html: options.Html = None,
    robustness: Annotated[
        bool, typer.Option("--robustness", help="How the score drops inside clusters, and with what.")
    ] = False,
    expand: Annotated[
        Path | None, typer.Option(help="A graph: also score with the names it adds.", show_default=False)
    ] = None,
    lookup: options.Lookup = "exact",
    homonyms: options.Homonyms = "all",
    turned: Annotated[
        Path, typer.Option(help="Where --expand writes predictions that turned right, to be judged.")
    ] = Path("turned.jsonl"),
    extended: Annotated[
        Path | None, typer.Option(help="The same questions with more answers: also score with those.")
    ] = None,
    missing: Annotated[
        Literal["count", "skip"], typer.Option(help="Unanswered questions: count as wrong, or leave out.")
    ] = "count",
    drop_empty: options.DropEmpty = False,
    confidence: options.Confidence = 0.95,
    intervals: Annotated[
        bool, typer.Option("--intervals/--no-intervals", help="Whether figures have confidence intervals.")
    ] = True,
    resamples: options.NoIntervals = None,
    seed: options.UnusedSeed = 0,
) -> None:
    """Score predictions against gold questions, with confidence intervals."""
    from rollcall.cli.report_files import check_report_file
    from rollcall.questions import read_questions, read_run
    from rollcall.questions.formats import holds_predictions
    from rollcall.score.rules import Rules
    from rollcall.score.scoring import score_records

    for place, suffix in ((json, ".json"), (latex, ".tex"), (None if html is None else str(html), ".html")):
        check_report_file(place, suffix)
    if predictions is None and not holds_predictions(gold):
        raise RollcallError(f"{gold}: holds no predictions; give a file of them after it")
    questions, run = read_questions(gold).of_splits(split), read_run(predictions or gold)
    if not len(questions):
        raise RollcallError(f"{gold}: holds no question")
    rules: dict[str, Any] = {
        "profile": profile,
        "measures": measures,
        "setting": setting,
        "missing": missing,
        "drop_empty": drop_empty,
        "confidence": confidence if intervals and resamples != 0 else None,
    }
    report = score_records(questions, run, Rules(by=options.listed(by), **rules))
    if robustness:
        from rollcall.score.robustness import robustness as look_into_clusters

        report.robustness = look_into_clusters(report)
    if expand is not None:
        from rollcall.score.side_by_side import with_expansion

        added = {"lookup": lookup, "homonyms": homonyms}
        report.variants.append(with_expansion(questions, run, expand, turned, rules, added))
    if extended is not None:
        from rollcall.score.side_by_side import with_extended

        report.variants.append(with_extended(questions, extended, run, **rules))
    _show(report, json, latex, html)


def _show(report: Any, json: str | None, latex: str | None, html: Path | None) -> None:
    """Write what was asked for; a table on the screen where nothing was."""
    from rollcall.cli.report_files import write_report

    if json is not None:
        import msgspec

        write_report(json, msgspec.json.encode(report.as_json()))
    if latex is not None:
        from rollcall.score.output.latex import report_latex

        write_report(latex, report_latex(report).encode())
    if html is not None:
        from rollcall.score.output.html import report_html

        write_report(str(html), report_html(report).encode())
    if json is None and latex is None and html is None:
        from rollcall.score.output.terminal import print_report
        from rollcall.screen import Screen

        print_report(report, Screen())
