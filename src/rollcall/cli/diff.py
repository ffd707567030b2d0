"""`rollcall diff`: what changed between two sets, or between a set and a newer graph and corpus."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rollcall.cli.options import REPORT_OPTIONS, Only, reporting, with_options, writing
from rollcall.score.options import ScoringOptions
from rollcall.tables.engine import WorkOptions

if TYPE_CHECKING:
    from rollcall.report import Rendered


@writing(
    *REPORT_OPTIONS,
    reads=["graph", "corpus", "old_graph", "old_corpus", "dump", "rescore"],
    asks=["old", "new"],
    when=dict.fromkeys(("profile", "measures", "confidence"), "rescore"),
)
@reporting
@with_options
def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="A question set's folder, or a published file.")],
    new: Annotated[
        Path | None,
        typer.Argument(metavar="[NEW]", help="The newer set; without it, --graph is needed."),
    ] = None,
    graph: Annotated[
        Path | None, typer.Option("--graph", "-g", metavar="DIR", help="The newer graph.")
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option("--corpus", "-c", metavar="DIR", help="The newer corpus.")
    ] = None,
    old_graph: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The graph of OLD: explains changes by statements.")
    ] = None,
    old_corpus: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="The corpus of OLD: shows what only the newer text says."),
    ] = None,
    dump: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The newer Wikidata dump: tells ended from deprecated statements."),
    ] = None,
    rescore: Annotated[
        list[Path] | None,
        typer.Option(metavar="RUN", help="How much the score of a run changes with the gold; repeatable."),
    ] = None,
    *,
    scoring: Annotated[ScoringOptions, Only("split", "profile", "measures", "confidence")],
    verifier: Annotated[
        str | None,
        typer.Option(help="Judges whether text states what is new.", show_default="that of the recipe"),
    ] = None,
    most: Annotated[int, typer.Option(min=0, help="The most questions of each sort to print.")] = 10,
    work: Annotated[WorkOptions, Only("jobs")],
) -> "Rendered":
    """What changed: questions added, gone and reworded; answers that came, went or were renamed, and why.

    OLD and NEW are two sets. With OLD alone, its queries are answered again in a newer graph, and the newer
    corpus is searched for text that states what is new.
    """
    from rollcall.audit.drift import verbs

    drift = verbs.diff(
        old,
        new,
        graph=graph,
        corpus=corpus,
        old_graph=old_graph,
        old_corpus=old_corpus,
        dump=dump,
        rescore=list(rescore) if rescore else None,
        split=scoring.split,
        profile=scoring.profile,
        measures=scoring.measures,
        confidence=scoring.confidence,
        verifier=verifier,
        jobs=work.jobs or None,
    )
    drift.shown = most
    return drift
