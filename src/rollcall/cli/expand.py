"""`rollcall expand`: add names to gold answers from a graph."""

from pathlib import Path
from typing import Annotated

import typer

from rollcall.cli import options
from rollcall.cli.outputs import writing
from rollcall.terminal import say


@writing("out", "positives", reads=["graph", "passages"], asks=["gold"], when={"positives": "passages"})
def expand(
    gold: options.Gold,
    graph: Annotated[Path, typer.Argument(help="A graph's folder.", show_default=False)],
    out: Annotated[Path, typer.Option(help="Where the expanded question set goes.", show_default=False)],
    lookup: options.Lookup = "exact",
    homonyms: options.Homonyms = "all",
    sources: Annotated[
        str | None, typer.Option(help="Only names of these sources, by commas: label,alias,redirect,anchor.")
    ] = None,
    least: Annotated[int, typer.Option(min=0, help="Only names used at least so often, where counted.")] = 0,
    passages: Annotated[
        Path | None, typer.Option(help="A run with retrieved passages: which become positive for training.")
    ] = None,
    positives: Annotated[Path, typer.Option(help="Where --passages writes the positive passages.")] = Path(
        "positives.jsonl"
    ),
) -> None:
    """Add a graph's names to gold answers, keeping where each name came from."""
    import msgspec

    from rollcall.files import replacing
    from rollcall.questions import read_run
    from rollcall.score import expansion
    from rollcall.score.positives import positive_passages

    wanted = [name.strip() for name in sources.split(",")] if sources else None
    run = None if passages is None else read_run(passages)
    expanded, counts = expansion.expand(
        gold, graph, lookup=lookup, homonyms=homonyms, sources=wanted, least=least
    )
    expanded.save(out)
    rows = counts.rows()
    if run is not None:
        found, after = positive_passages(expanded, run)
        with replacing(positives) as partial:
            partial.write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in found))
        rows |= {
            "questions with a positive passage, own names": after.questions_before,
            "questions with a positive passage, all names": after.questions_after,
            "positive passages, own names": after.passages_before,
            "positive passages, all names": after.passages_after,
        }
    for name, value in rows.items():
        say(f"{name:<46} {value:>10.2f}" if isinstance(value, float) else f"{name:<46} {value:>10}")
    say(f"wrote {out}" + (f" and {positives}" if run is not None else ""))
