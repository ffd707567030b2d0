"""Option types that the scoring commands share, so that they have the same meaning and help everywhere."""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, ParamSpec, TypeVar

import typer
from typer.core import TyperCommand

from rollcall._core.console import remark, say_json, say_lines
from rollcall._core.errors import RollcallError
from rollcall._core.files import replacing
from rollcall._core.folders import check_apart
from rollcall._core.locks import sole_writer

if TYPE_CHECKING:
    from rollcall.report import Rendered


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
Neutral = Annotated[
    Literal["count", "ignore", "wrong"] | None,
    typer.Option(
        help="What a prediction of a neutral answer is: ignored, required like all others (count), or wrong.",
        show_default="as the profile says",
    ),
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
Html = Annotated[
    Path | None, typer.Option("--html", metavar="FILE", help="Write one self-contained HTML file.")
]

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


# Declares what a command writes and reads: no output may be an input, and each output has one writer.
# Functions of the library check their own outputs. A command checks them before it starts, so that no
# long work is refused at the end.

SCREEN = "-"

Given = ParamSpec("Given")
Result = TypeVar("Result")


def writing(
    *outputs: str,
    reads: Sequence[str] = (),
    asks: Sequence[str] = (),
    when: Mapping[str, str] | None = None,
    by: Callable[[], bool] = lambda: True,
) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Lock the outputs that these parameters name while the command runs.

    `reads` are the parameters for files and folders that are read. `asks` are those for question sets; a run
    or a report may be in the folder of its question set. `when` gives for an output the parameter without
    which it is not written. Where several processes work together, `by` says whether this one writes.
    """

    def decorate(command: Callable[Given, Result]) -> Callable[Given, Result]:
        signature, needed = inspect.signature(command), when or {}

        @wraps(command)
        def held(*args: Given.args, **kwargs: Given.kwargs) -> Result:
            from rollcall.questions.question_set import CARD, MANIFEST, QUESTIONS

            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = bound.arguments
            written = [name for name in outputs if by() and given[needed.get(name, name)] is not None]
            places = [place for name in written for place in _paths(given[name])]
            sets = [place for name in asks for place in _paths(given[name])]
            files = [one / name for one in sets if one.is_dir() for name in (QUESTIONS, MANIFEST, CARD)]
            inputs = [*(place for name in reads for place in _paths(given[name])), *sets, *files]
            with ExitStack() as locks:
                for place in places:
                    check_apart(place, inputs, shared=sets)
                    if places.count(place) > 1:
                        raise RollcallError(f"{place}: is named for two outputs; name another file for one")
                    locks.enter_context(sole_writer(place))
                return command(*args, **kwargs)

        return held

    return decorate


def _paths(value: Any) -> list[Path]:
    if value is None or value == SCREEN:
        return []
    return [Path(one) for one in (value if isinstance(value, list | tuple) else [value])]


# The options that write a report: all but `--html` print if no file is named. The command-line library
# has no options with an optional value, so a missing value is inserted before it parses the arguments. A
# file that is not a report is never overwritten, because `--json GOLD PRED` is probably a mistake.

ENDINGS = {"json": ".json", "latex": ".tex", "markdown": ".md", "csv": ".csv", "html": ".html"}
SUFFIXES = {f"--{name}": ending for name, ending in ENDINGS.items() if name != "html"}
MARKS = {
    ".json": (
        b'{"profile"',
        b'{"drift"',
        b'{"rollcall"',
        b'{"verifier"',
        b'{"out":',
        b'{"questions":[{"kind":"all","split":"all","questions":',
    ),
    ".tex": (b"% rollcall",),
    ".md": (b"<!-- rollcall",),
    ".csv": (
        b"run,by,group,n,measure,",
        b"kind,split,questions,mean_answers,",
        b"id,question,change,answer,answer_id,",
    ),
    ".html": (b"<!doctype html>\n<!-- rollcall",),
}
"""How a file begins that Rollcall wrote and may replace."""


class ReportCommand(TyperCommand):
    """A command whose `--json`, `--latex`, `--markdown` and `--csv` may be given without a file."""

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        filled: list[str] = []
        for place, word in enumerate(args):
            filled.append(word)
            following = args[place + 1] if place + 1 < len(args) else ""
            if word in SUFFIXES and following != SCREEN and not following.endswith(SUFFIXES[word]):
                filled.append(SCREEN)
        return super().parse_args(ctx, filled)


def check_report_file(place: str | None, suffix: str) -> None:
    """Refuse a place where a report cannot be written, before any work is done for it."""
    if place is None or place == SCREEN:
        return
    path = Path(place)
    if path.suffix != suffix:
        raise RollcallError(f"{path}: such a report goes to a file that ends in {suffix}")
    if path.is_dir():
        raise RollcallError(f"{path}: is a folder; name a file")
    if path.exists():
        with path.open("rb") as stream:
            if not stream.read(64).startswith(MARKS[suffix]):
                raise RollcallError(f"{path}: exists and is no report of Rollcall; name another file")


REPORT_OPTIONS = {"json": Json, "latex": Latex, "markdown": Markdown, "csv": Csv, "html": Html}


def reporting(command: Callable[..., "Rendered | tuple[Rendered, list[str]]"]) -> Callable[..., None]:
    """Add the options that write a report to a command that returns a result.

    The result is printed on the terminal unless one of its renderings is. Beside it a command may return
    remarks, such as what it wrote, which follow on standard error.
    """
    signature = inspect.signature(command)
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=option)
        for name, option in REPORT_OPTIONS.items()
    ]

    @wraps(command)
    def reported(*args: Any, **kwargs: Any) -> None:
        places = {name: kwargs.pop(name, None) for name in REPORT_OPTIONS}
        for name, place in places.items():
            check_report_file(None if place is None else str(place), ENDINGS[name])
        returned = command(*args, **kwargs)
        result, remarks = returned if isinstance(returned, tuple) else (returned, [])
        for name, place in places.items():
            if place is not None:
                write_report(str(place), _rendering(result, name, on_screen=place == SCREEN))
        if not any(place is not None for name, place in places.items() if name != "html"):
            from rollcall.report.terminal import show

            show(result)
        for line in remarks:
            remark(line, error=True)
        if failure := result.failure():
            raise RollcallError(failure)

    # Options of the command line come in any order, so the added ones may follow all others.
    reported.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), *added], return_annotation=None
    )
    reported.__annotations__ = {**command.__annotations__, **REPORT_OPTIONS, "return": None}
    return reported


def _rendering(result: "Rendered", name: str, *, on_screen: bool) -> bytes:
    if name == "json":
        import msgspec

        return msgspec.json.encode(result.as_json())
    mark = "<!-- rollcall -->\n\n" if name == "markdown" and not on_screen else ""
    renderings = {
        "latex": result.to_latex,
        "markdown": result.to_markdown,
        "csv": result.to_csv,
        "html": result.to_html,
    }
    return (mark + renderings[name]()).encode()


def write_report(place: str, content: bytes) -> None:
    """Print or write one rendering of a report; a file written is named on standard error."""
    if place == SCREEN:
        if content.startswith(b"{"):
            say_json(json.loads(content))
        else:
            say_lines(content.decode())
        return
    with replacing(Path(place)) as partial:
        partial.write_bytes(content)
    remark(f"wrote {place}", error=True)
