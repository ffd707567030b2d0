"""Option types that the scoring commands share, so that they have the same meaning and help everywhere."""

from pathlib import Path
from typing import Annotated, Literal

import typer

Gold = Annotated[
    Path,
    typer.Argument(
        metavar="SET",
        help="Gold questions: a question set's folder, or a published file.",
        show_default=False,
    ),
]
Profile = Annotated[
    str, typer.Option(help="How predictions are matched; `rollcall measures` lists profiles; or module:name.")
]
Measures = Annotated[
    str | None,
    typer.Option(
        help="Measures, separated by commas: F1,R>=0.8,P@10,min(F1), or module:name.",
        show_default="the profile's",
    ),
]
Setting = Annotated[
    Literal["complete", "closed"],
    typer.Option("--gold", help="RoMQA: the complete answers, or the candidates."),
]
Missing = Annotated[
    Literal["count", "skip"], typer.Option(help="Unanswered questions: count as wrong, or leave out.")
]
DropEmpty = Annotated[
    bool, typer.Option("--drop-empty", help="Leave out questions without any complete answer.")
]
Resamples = Annotated[
    int | None,
    typer.Option(
        min=0,
        help="Random draws of the tests; 0 for none.",
        show_default="as many as the correction needs, 10000 at least",
    ),
]
Confidence = Annotated[float, typer.Option(min=0.5, max=0.999, help="The confidence of the intervals.")]
Answers = Annotated[
    Literal["set", "names"] | None,
    typer.Option(
        help="What a list of strings is: a set of answers, or names of one answer.",
        show_default="as the keys say",
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        "-f",
        metavar="NAME",
        help="Format of a gold file; `rollcall plugins --kind formats` lists them, or module:name.",
        show_default="recognised",
    ),
]
LARGEST_SEED = (1 << 63) - 1
Seed = Annotated[int, typer.Option(min=0, max=LARGEST_SEED, help="The seed of the random draws.")]
Json = Annotated[
    str | None, typer.Option("--json", metavar="[FILE]", help="Write JSON; without a file, to the screen.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]
SourceGraph = Annotated[
    Path | None,
    typer.Option("--graph", "-g", metavar="DIR", help="The graph the set was made from.", show_default=False),
]
Latex = Annotated[
    str | None,
    typer.Option("--latex", metavar="[FILE]", help="Write LaTeX tables; without a file, to the screen."),
]
Markdown = Annotated[
    str | None,
    typer.Option(
        "--markdown", metavar="[FILE]", help="Write Markdown tables; without a file, to the screen."
    ),
]
Csv = Annotated[
    str | None,
    typer.Option("--csv", metavar="[FILE]", help="Write all figures as CSV; without a file, to the screen."),
]
Lookup = Annotated[
    Literal["exact", "normalised"], typer.Option(help="How a gold string is found among the graph's names.")
]
Homonyms = Annotated[
    Literal["all", "commonest", "skip"],
    typer.Option(help="What to do if a string means several entities."),
]
By = Annotated[str | None, typer.Option(help="Break down by characteristics, separated by commas, or `all`.")]
Html = Annotated[Path | None, typer.Option(metavar="FILE", help="Write one self-contained HTML file.")]

Completeness = Annotated[
    str | None,
    typer.Option(
        metavar="SHARE|FILE",
        help="The share of all right answers that gold has, or a file with one for each kind: bounds of the "
        "true P, R and F1.",
        show_default=False,
    ),
]
Audit = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR",
        help="The folder of an audit: true figures by its completeness and judgments.",
        show_default=False,
    ),
]

Split = Annotated[
    list[str] | None, typer.Option(help="Only questions of this split; may be repeated.", show_default=False)
]


def listed(names: str | None) -> list[str]:
    """Names that are separated by commas."""
    return [name.strip() for name in (names or "").split(",") if name.strip()]
