"""`rollcall compare`, `expand` and `measures`: what belongs to scoring besides `score` itself."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollcall._core.console import Screen, say_json, styled
from rollcall.cli.options import REPORT_OPTIONS, AsJson, Gold, VerdictFile, reporting, with_options, writing
from rollcall.cli.system_options import Judging, opened_judges
from rollcall.report import Summary
from rollcall.score.options import CompareOptions, ExpandOptions

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


@writing(
    "out",
    "positives",
    *REPORT_OPTIONS,
    reads=["graph", "passages"],
    asks=["gold"],
    when={"positives": "passages"},
)
@reporting
@with_options
def expand(
    gold: Gold,
    graph: Annotated[Path, typer.Argument(metavar="GRAPH", help="A graph's folder.", show_default=False)],
    out: Annotated[
        Path,
        typer.Option(
            "--out", "-o", metavar="DIR", help="The folder for the expanded question set.", show_default=False
        ),
    ],
    options: ExpandOptions,
) -> tuple[Summary, list[str]]:
    """Add a graph's names to gold answers, and keep the source of each name."""
    from rollcall.score import verbs

    expanded = verbs.expand(gold, graph, options, out=out)
    wrote = f"wrote {out}" + (f" and {options.positives}" if options.passages is not None else "")
    return Summary("Names added to the gold answers", expanded.rows(), out=out), [wrote]


def measures(as_json: AsJson = False) -> None:
    """List the measures and profiles, with their meaning and their source."""
    from rich.console import Group
    from rich.table import Table

    from rollcall.score.measures import MEASURES
    from rollcall.score.profiles import PROFILES, open_profile

    if as_json:
        say_json(
            {
                "measures": {entry.name: entry.summary for entry in MEASURES},
                "profiles": {entry.name: open_profile(entry.name).summary for entry in PROFILES},
            }
        )
        return
    console = Screen()
    table = Table("measure", "meaning", "source", title="Measures", title_justify="left")
    for entry in MEASURES:
        forms = entry.thing.forms(entry.name)
        table.add_row(", ".join(forms), entry.summary, entry.thing.source or entry.origin)
    table.add_row("M>=t", "share of questions whose M is at least t, as in R>=0.8", "QAMPARI §4.2")
    table.add_row("min(M)", "worst case of M in a cluster, averaged over clusters", "RoMQA §3.1")
    table.add_row("max(M)", "best case of M in a cluster: Pass@N, Max@N of trials", "WideSearch")
    console.print(table)
    table = Table("profile", "how it matches", title="Profiles", title_justify="left")
    for profile_entry in PROFILES:
        profile = open_profile(profile_entry.name)
        shown = " ".join(profile.measures(closed=False, clustered=False))
        about = (f"source: {profile.source or profile_entry.origin}", f"default measures: {shown}")
        dim = [styled((line, "dim")) for line in about]
        table.add_row(profile.name, Group(profile.summary, *dim), end_section=True)
    console.print(table)
