"""`rollcall stats`: the figures of a question set, and against a world's truth how many of it are right."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rollcall.questions.statistics import Statistics

_RELATIONS = 15


def stats(
    source: Annotated[
        Path, typer.Argument(metavar="SET", help="A question set's folder, or a published file.")
    ],
    truth: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The truth.parquet of the world the set was made from."),
    ] = None,
    graph: Annotated[
        Path | None, typer.Option("--graph", "-g", metavar="DIR", help="The graph the set was made from.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Print how many questions of each kind there are, how many answers they have, and how long they are.

    With `--graph` every answer is looked up in the denotation of its query; with `--truth` every piece of evidence is
    looked up among the sentences that state its fact.
    """
    from rollcall.questions import read_questions
    from rollcall.questions.statistics import Statistics

    questions = read_questions(source)
    figures = Statistics(questions)
    checks: dict[str, Any] = {}
    if graph is not None or truth is not None:
        from rollcall.questions.truth import check

        checks = check(questions, graph=graph, truth=truth, work=source if source.is_dir() else None)
    if as_json:
        print(json.dumps({**_record(figures), **checks}, ensure_ascii=False))
    else:
        _print(figures, checks, questions.manifest)


def _record(figures: "Statistics") -> dict[str, Any]:
    rows = [
        {"kind": kind or "all", "split": split or "all", **found._asdict()}
        for kind in (None, *figures.kinds)
        for split in (None, *figures.splits)
        if (found := figures.figures(kind, None if split is None else [split])) is not None
    ]
    return {
        "questions": rows,
        "answers_per_question": dict(figures.bins()),
        "answers": figures.answers,
        "evidence": figures.evidence,
        "relations": dict(sorted(figures.relations.items())),
    }


def _print(figures: "Statistics", checks: dict[str, Any], manifest: dict[str, Any]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    table = Table(title="Questions by kind", title_justify="left")
    for name in ("kind", "split", "questions", "mean answers", "median", "mean words"):
        table.add_column(name, justify="left" if name in ("kind", "split") else "right")
    for kind in (*figures.kinds, None):
        for split in figures.splits:
            found = figures.figures(kind, [split])
            if found is not None:
                table.add_row(
                    kind or "all",
                    split,
                    f"{found.questions:,}",
                    f"{found.mean_answers:.2f}",
                    f"{found.median_answers:.1f}",
                    f"{found.mean_words:.2f}",
                )
        table.add_section()
    console.print(table)
    bins = figures.bins()
    widest = max((count for _, count in bins), default=1)
    console.print("Number of answers")
    for name, count in bins:
        console.print(f"{name:>10} {count:>8,} {'█' * round(40 * count / widest)}")
    proved = figures.with_evidence / figures.answers if figures.answers else 0.0
    console.print(
        f"{figures.answers:,} answers ({figures.literal_answers:,} of them values), {proved:.1%} with evidence; "
        f"{figures.aliases:,} other names; {figures.same_answers:,} questions share their answers with another",
        soft_wrap=True,
    )
    if figures.relations:
        common = figures.relations.most_common(_RELATIONS)
        listed = ", ".join(f"{name} {count:,}" for name, count in common)
        console.print(
            f"{len(figures.relations):,} relations; most used: {listed}", soft_wrap=True, markup=False
        )
    for name, told in manifest.get("stages", {}).items():
        if told.get("removed"):
            removed = "; ".join(f"{count:,} {reason}" for reason, count in told["removed"].items())
            console.print(f"removed by {name}: {removed}", soft_wrap=True, markup=False)
    for name, value in checks.items():
        shown = "\n".join(f"    {line}" for line in value) if isinstance(value, list) else f" {value}"
        console.print(
            f"{name}:{chr(10) if isinstance(value, list) else ''}{shown}", soft_wrap=True, markup=False
        )
