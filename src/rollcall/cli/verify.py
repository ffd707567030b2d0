"""`rollcall verify`: score labelled triples with a verifier."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rollcall._core.console import say, say_json
from rollcall._core.errors import RollcallError
from rollcall._core.files import checked_address
from rollcall.cli import system_options
from rollcall.cli.options import AsJson, Force, writing
from rollcall.cli.system_options import Option, given_options
from rollcall.text.nouns import counted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rollcall.evidence import Verifier
    from rollcall.evidence.labelled import Row


@writing("out", reads=["file", "graph", "corpus"])
def verify(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="JSON lines with text, subject, relation, object; optional: hypothesis, label.",
        ),
    ],
    verifier: Annotated[
        str | None,
        typer.Option(
            help="learned (the default with rollcall-models), contrast (otherwise the default), nli, llm, "
            "none, or one of your own as module:name."
        ),
    ] = None,
    option: Option = None,
    graph: Annotated[
        Path | None,
        typer.Option("--graph", "-g", metavar="DIR", help="A graph to learn from; ids get names."),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", "-c", metavar="DIR", help="The corpus to learn from."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Name or path of an NLI checkpoint, or the name of a language model.")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="The server of the language model.")] = None,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="One more threshold, besides those of the table.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Write each triple with its score here."),
    ] = None,
    force: Force = False,
    explain: Annotated[
        int, typer.Option(min=0, help="Explain the scores of this many triples (learned, contrast).")
    ] = 0,
    engine: system_options.EngineName = "duckdb",
    master: system_options.Master = None,
    jobs: system_options.Jobs = 0,
    memory: system_options.Memory = "1GB",
    as_json: AsJson = False,
) -> None:
    """Say how sure a verifier is that each text states its fact, and how well that agrees with the labels.

    Prints precision, recall, the share of false ones removed and of true ones lost at each threshold; then
    the average precision and the calibration error of the scores, and what the verifier itself accepts.
    """
    from rollcall._core.files import check_new
    from rollcall.build.keys import default_verifier
    from rollcall.evidence import VERIFIERS, VerifierContext
    from rollcall.evidence.labelled import read_triples, to_candidates
    from rollcall.evidence.verifiers.verifier import open_verifier
    from rollcall.graph import Graph
    from rollcall.tables.engine import opened

    if out is not None:
        check_new(out, force)
    if base_url is not None:
        checked_address(base_url)
    verifier = verifier or default_verifier()
    triples = read_triples(file)
    kind = VERIFIERS.find(verifier)
    if explain and not kind.explains:
        givers = ", ".join(entry.name for entry in VERIFIERS if entry.thing.explains)
        raise RollcallError(f"--explain: the verifier {verifier} gives no reasons; these do: {givers}")
    known = Graph.open(graph) if graph is not None else None
    given = given_options(option, {"model": model, "base_url": base_url})
    with opened(engine, memory=memory, jobs=jobs, master=master) as running:
        judge = open_verifier(kind, verifier, given, VerifierContext(graph, corpus, engine=running))
    candidates = to_candidates(triples, known)
    scores = judge.scores(candidates)
    if out is not None:
        _write(out, triples, scores)
    labels = [triple.label for triple in triples]
    if as_json:
        accepted = judge.accepts(candidates, scores)
        told = {"triples": len(scores), "accepted": int(accepted.sum()), "mean": float(scores.mean())}
        say_json({"verifier": judge.name, **told, "scores": [round(float(one), 6) for one in scores]})
        return
    _print_figures(scores, judge.accepts(candidates, scores), labels, threshold, judge.name)
    if explain:
        _explain(judge, candidates[:explain], scores)


def _write(out: Path, triples: list[Any], scores: Any) -> None:
    import msgspec

    from rollcall._core.files import replacing

    with replacing(out) as partial, partial.open("wb") as file:
        for triple, score in zip(triples, scores, strict=True):
            file.write(
                msgspec.json.encode({**msgspec.to_builtins(triple), "score": round(float(score), 6)}) + b"\n"
            )


def _print_figures(
    scores: "NDArray[np.float64]",
    accepted: "NDArray[np.bool_]",
    labels: list[bool | None],
    threshold: float | None,
    name: str,
) -> None:
    import numpy as np
    from rich.table import Table

    from rollcall._core.console import Screen
    from rollcall.evidence.labelled import (
        THRESHOLDS,
        average_precision,
        calibration_error,
        figures_at,
        figures_of,
    )

    labelled = np.array([label is not None for label in labels])
    say(
        f"{name}: {counted(len(scores), 'triple')}, {labelled.sum()} with a label; "
        f"mean score {scores.mean():.3f}"
    )
    if not labelled.any():
        return
    known = np.array([bool(label) for label in labels])[labelled]
    steps = tuple(sorted({*THRESHOLDS, *([threshold] if threshold is not None else [])}))
    table = Table(
        "threshold", "kept", "precision", "recall", "false removed", "true lost", box=None, pad_edge=False
    )
    for row in figures_at(scores[labelled], known, steps):
        table.add_row(*_cells(row))
    Screen(width=100).print(table)
    error = calibration_error(scores[labelled], known)
    own = figures_of(accepted[labelled], known)
    say(
        f"average precision {_share(average_precision(scores[labelled], known))}, calibration error "
        f"{error:.3f}; {name} itself accepts {own.kept}: precision {_share(own.precision)}, "
        f"true lost {_share(own.true_lost)}"
    )


def _cells(row: "Row") -> list[str]:
    shares = (row.precision, row.recall, row.false_removed, row.true_lost)
    return [f"{row.threshold:g}", str(row.kept), *map(_share, shares)]


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _explain(judge: "Verifier", candidates: list[Any], scores: Any) -> None:
    for candidate, score in zip(candidates, scores, strict=False):
        say()
        say(f"{score:.3f}  {candidate.relation}: {candidate.text}")
        for reason in judge.explain(candidate):
            say(f"  {reason.weight:+.2f}  {reason.feature}")
