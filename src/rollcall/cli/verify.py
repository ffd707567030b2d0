"""`rollcall verify`: score labelled triples with a verifier."""

from itertools import chain
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
    from rollcall.evidence import Verifier
    from rollcall.evidence.labelled import Row
    from rollcall.evidence.verifiers.verifier import Verdicts

_SHOWN = 10
"""How many reasons are printed."""


@writing("out", reads=["file", "graph", "corpus"])
def verify(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="JSON lines with text, subject, relation, object; optional: hypothesis, topic, label.",
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
        typer.Option(
            "--out",
            "-o",
            metavar="FILE",
            help="Write each triple with its score here: CSV if it ends in .csv, else JSON lines.",
        ),
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
    the average precision and the calibration error of the scores, and what the verifier itself accepts. A
    text that does not name both ends of its fact has the score 0, and a reason.
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
    candidates = to_candidates(triples, known)
    given = given_options(option, {"model": model, "base_url": base_url})
    with opened(engine, memory=memory, jobs=jobs, master=master) as running:
        judge = open_verifier(kind, verifier, given, VerifierContext(graph, corpus, engine=running))
    verdicts = judge.verdicts(candidates)
    if out is not None:
        _write(out, triples, verdicts)
    if as_json:
        scores = [verdicts.score(row) for row in range(len(triples))]
        told = {"triples": len(triples), "accepted": int(verdicts.accepted.sum())}
        mean = float(verdicts.scores.mean()) if judge.judges else None
        reasons = [reason or None for reason in verdicts.reasons]
        say_json({"verifier": judge.name, **told, "mean": mean, "scores": scores, "reasons": reasons})
        return
    _print_figures(verdicts, [triple.label for triple in triples], threshold, judge)
    _print_reasons(verdicts.reasons)
    if explain:
        _explain(judge, candidates[:explain], verdicts)


def _write(out: Path, triples: list[Any], verdicts: "Verdicts") -> None:
    import msgspec

    from rollcall._core.files import replacing
    from rollcall.questions.formats.source import csv_lines

    rows = [
        {
            **msgspec.to_builtins(triple),
            "score": verdicts.score(row),
            **({"reason": verdicts.reasons[row]} if verdicts.reasons[row] else {}),
        }
        for row, triple in enumerate(triples)
    ]
    with replacing(out) as partial:
        if out.suffix.lower() == ".csv":
            heads = [*msgspec.structs.asdict(triples[0]), "score", "reason"]
            cells = ([_cell(row.get(head)) for head in heads] for row in rows)
            partial.write_text("".join(csv_lines(chain([heads], cells))), encoding="utf-8", newline="")
        else:
            partial.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


def _cell(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _print_figures(
    verdicts: "Verdicts", labels: list[bool | None], threshold: float | None, judge: "Verifier"
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
    mean = f"mean score {verdicts.scores.mean():.3f}" if judge.judges else "not verified"
    say(f"{judge.name}: {counted(len(labels), 'triple')}, {labelled.sum()} with a label; {mean}")
    if not labelled.any():
        return
    known = np.array([bool(label) for label in labels])[labelled]
    own = figures_of(verdicts.accepted[labelled], known)
    accepts = (
        f"{judge.name} itself accepts {own.kept}: precision {_share(own.precision)}, "
        f"true lost {_share(own.true_lost)}"
    )
    if not judge.judges:
        say(accepts)
        return
    scores = verdicts.scores[labelled]
    steps = tuple(sorted({*THRESHOLDS, *([threshold] if threshold is not None else [])}))
    table = Table(
        "threshold", "kept", "precision", "recall", "false removed", "true lost", box=None, pad_edge=False
    )
    for row in figures_at(scores, known, steps):
        table.add_row(*_cells(row))
    Screen(width=100).print(table)
    say(
        f"average precision {_share(average_precision(scores, known))}, calibration error "
        f"{calibration_error(scores, known):.3f}; {accepts}"
    )


def _print_reasons(reasons: list[str]) -> None:
    """Say which triples do not name both ends, and why."""
    unnamed = [(number, reason) for number, reason in enumerate(reasons, 1) if reason]
    if unnamed:
        one, many = "does not name both ends, so its score is 0", "do not name both ends, so their score is 0"
        say(f"{counted(len(unnamed), f'triple {one}', f'triples {many}')}:")
    for number, reason in unnamed[:_SHOWN]:
        say(f"  triple {number}: {reason}")
    if len(unnamed) > _SHOWN:
        say(f"  and {len(unnamed) - _SHOWN:,} more; --json and --out give all reasons")


def _cells(row: "Row") -> list[str]:
    shares = (row.precision, row.recall, row.false_removed, row.true_lost)
    return [f"{row.threshold:g}", str(row.kept), *map(_share, shares)]


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _explain(judge: "Verifier", candidates: list[Any], verdicts: "Verdicts") -> None:
    for row, candidate in enumerate(candidates):
        say()
        say(f"{verdicts.scores[row]:.3f}  {candidate.relation}: {candidate.text}")
        if verdicts.reasons[row]:
            say(f"  {verdicts.reasons[row]}")
            continue
        for reason in judge.explain(candidate):
            say(f"  {reason.weight:+.2f}  {reason.feature}")
