"""Options of commands: those that several share, and what makes options of the records that verbs declare.

`with_options`  the fields of options records, as options of a command
`writing`       what a command writes and reads: no output is an input, and each has one writer
`reporting`     the options that write a report in other forms, and the report itself
"""

import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ParamSpec, TypeVar, get_args, get_origin

import typer
from typer.core import TyperCommand

from rollcall._core.console import remark, say_json, say_lines
from rollcall._core.errors import RollcallError
from rollcall._core.files import replacing
from rollcall._core.folders import check_apart
from rollcall._core.locks import sole_writer
from rollcall._core.options import PYTHON_ONLY, OnCommandLine, Options, option_types
from rollcall._core.registry import field_meanings

if TYPE_CHECKING:
    from rollcall.report import Rendered, Table


Gold = Annotated[
    Path,
    typer.Argument(
        metavar="SET",
        help="Gold questions: a question set's folder, or a published file.",
        show_default=False,
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]
SourceGraph = Annotated[
    Path | None,
    typer.Option("--graph", "-g", metavar="DIR", help="The graph the set was made from.", show_default=False),
]


# The fields of options records as options of a command: names, types, defaults and help are those that the
# verb declares. The command is called with the records.

Given = ParamSpec("Given")
Result = TypeVar("Result")


class Only:
    """The fields of a record that a command has: `Annotated[GoldOptions, Only("split")]`."""

    def __init__(self, *names: str) -> None:
        self.names = names


def with_options(command: Callable[..., Result]) -> Callable[..., Result]:
    """Give a command the fields of the options records that it takes."""
    records: dict[str, tuple[type[Options], list[str]]] = {}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(command).parameters.values():
        kind, *only = get_args(parameter.annotation) or (parameter.annotation,)
        if isinstance(kind, type) and issubclass(kind, Options):
            fields = option_parameters(kind, only[0].names if only else None)
            records[parameter.name] = kind, [field.name for field in fields]
            parameters += fields
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY))

    @wraps(command)
    def with_records(**given: Any) -> Result:
        for name, (kind, names) in records.items():
            values = {field: given.pop(field) for field in names}
            given[name] = kind(**{field: value for field, value in values.items() if value is not None})
        return command(**given)

    return _with_parameters(with_records, parameters)


def option_parameters(kind: type[Options], only: Sequence[str] | None = None) -> list[inspect.Parameter]:
    """The fields of a record as parameters, in the order in which the help lists them."""
    meanings = field_meanings(kind)
    parameters: list[inspect.Parameter] = []
    position = 0
    for name, default in zip(kind.__struct_fields__, kind.__struct_defaults__, strict=True):
        type_, written = option_types(kind)[name]
        if written is PYTHON_ONLY or (only is not None and name not in only):
            continue
        text = written.kind or type_
        if (
            written.default is not None
            or get_origin(text) is list
            or not isinstance(default, str | int | float)
        ):
            default = written.default
        option = typer.Option(
            *(written.names or ([f"--{name.replace('_', '-')}"] if default is False else [])),
            help=meanings.get(name, ""),
            metavar=written.metavar,
            min=written.least,
            max=written.most,
            show_default=written.shown or default is not None,
            rich_help_panel=written.panel or kind.panel,
            hidden=written.hidden,
        )
        annotation: Any = Annotated[text | None if default is None else text, option]
        if written.after is not None and only is None:
            position = ["", *(parameter.name for parameter in parameters)].index(written.after)
        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters.insert(position, inspect.Parameter(name, keyword, default=default, annotation=annotation))
        position += 1
    return parameters


def _with_parameters(
    function: Callable[..., Result], parameters: list[inspect.Parameter]
) -> Callable[..., Result]:
    """A function with the parameters that the command-line library is to see; it sees no result."""
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return function


# Declares what a command writes and reads: no output may be an input, and each output has one writer.
# Functions of the library check their own outputs. A command checks them before it starts, so that no
# long work is refused at the end.

SCREEN = "-"


_NEEDED = "needed_options"
"""The attribute of a command with the options without which others have no effect; see `ReportCommand`."""


def writing(
    *outputs: str,
    reads: Sequence[str] = (),
    asks: Sequence[str] = (),
    when: Mapping[str, str] | None = None,
    by: Callable[[], bool] = lambda: True,
) -> Callable[[Callable[Given, Result]], Callable[Given, Result]]:
    """Lock the outputs that these parameters name while the command runs.

    `reads` are the parameters for files and folders that are read. `asks` are those for question sets; a run
    or a report may be in the folder of its question set. `when` gives for an option the one without which it
    has no effect: a `ReportCommand` refuses it, and an output is not written. Where several processes work
    together, `by` says whether this one writes.
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
            places = [path for name in written for path in _paths(given[name])]
            sets = [path for name in asks for path in _paths(given[name])]
            files = [
                folder / name for folder in sets if folder.is_dir() for name in (QUESTIONS, MANIFEST, CARD)
            ]
            inputs = [*(path for name in reads for path in _paths(given[name])), *sets, *files]
            with ExitStack() as locks:
                for path in places:
                    check_apart(path, inputs, shared=sets)
                    if places.count(path) > 1:
                        raise RollcallError(f"{path}: is named for two outputs; name another file for one")
                    locks.enter_context(sole_writer(path))
                return command(*args, **kwargs)

        setattr(held, _NEEDED, needed)
        return held

    return decorate


def _typed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _paths(value: Any) -> list[Path]:
    if value is None or value == SCREEN:
        return []
    return [Path(item) for item in (value if isinstance(value, list | tuple) else [value])]


# The options that write a report: all but `--html` print if no file is named. The command-line library
# has no options with an optional value, so a missing value is inserted before it parses the arguments. A
# file that is not a report is never overwritten, because `--json GOLD PRED` is probably a mistake.

VERDICT_ENDINGS = (".csv", ".xlsx")
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
        b"run,id,question,kind,split,verdict,",
    ),
    ".html": (b"<!doctype html>\n<!-- rollcall",),
}
"""How a file begins that Rollcall wrote and may replace."""


class ReportCommand(TyperCommand):
    """A command whose `--json`, `--latex`, `--markdown` and `--csv` may be given without a file.

    Options that have no effect without another one are refused; see `writing`.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        filled: list[str] = []
        for index, word in enumerate(args):
            filled.append(word)
            following = args[index + 1] if index + 1 < len(args) else ""
            if word in SUFFIXES and following != SCREEN and not following.endswith(SUFFIXES[word]):
                filled.append(SCREEN)
        rest = super().parse_args(ctx, filled)
        for name, other in getattr(self.callback, _NEEDED, {}).items():
            source = ctx.get_parameter_source(name)
            if not ctx.params.get(other) and source is not None and source.name == "COMMANDLINE":
                raise RollcallError(f"{_typed(name)} has no effect without {_typed(other)}: give it, too")
        return rest


def check_report_file(place: str | None, *suffixes: str) -> None:
    """Refuse a place where a report cannot be written, before any work is done for it."""
    if place is None or place == SCREEN:
        return
    path = Path(place)
    if path.suffix not in suffixes:
        raise RollcallError(f"{path}: such a report goes to a file that ends in {' or '.join(suffixes)}")
    if path.is_dir():
        raise RollcallError(f"{path}: is a folder; name a file")
    if path.exists():
        with path.open("rb") as stream:
            if not stream.read(64).startswith(_marks(path.suffix)):
                raise RollcallError(f"{path}: exists and is no report of Rollcall; name another file")


def _marks(suffix: str) -> tuple[bytes, ...]:
    if suffix in MARKS:
        return MARKS[suffix]
    from rollcall.report.xlsx import workbook_start

    return (workbook_start(),)


class VerdictFile(Options, frozen=True, kw_only=True):
    """Where the verdicts on answers are written."""

    verdicts: Annotated[Path | None, OnCommandLine(metavar="FILE")] = None
    """Write every answer of every question as found, missed, wrong, repeated or neutral; to .csv or .xlsx."""

    def check(self) -> None:
        """Refuse a place where they cannot be written."""
        check_report_file(None if self.verdicts is None else str(self.verdicts), *VERDICT_ENDINGS)

    def write(self, table: "Table") -> None:
        """Write them, if they are wanted."""
        if self.verdicts is None:
            return
        if self.verdicts.suffix == ".xlsx":
            from rollcall.report.xlsx import table_xlsx

            content = table_xlsx(table)
        else:
            from rollcall.report.csv import table_csv

            content = table_csv(table).encode()
        write_report(str(self.verdicts), content)


class ReportFiles(Options, frozen=True, kw_only=True):
    """Where a report is written."""

    json: Annotated[str | None, OnCommandLine(metavar="[FILE]")] = None
    """Write JSON; without a file, to the screen."""
    latex: Annotated[str | None, OnCommandLine(metavar="[FILE]")] = None
    """Write LaTeX tables; without a file, to the screen."""
    markdown: Annotated[str | None, OnCommandLine(metavar="[FILE]")] = None
    """Write Markdown tables; without a file, to the screen."""
    csv: Annotated[str | None, OnCommandLine(metavar="[FILE]")] = None
    """Write all figures as CSV; without a file, to the screen."""
    html: Annotated[Path | None, OnCommandLine(metavar="FILE")] = None
    """Write one self-contained HTML file."""


REPORT_OPTIONS = ReportFiles.__struct_fields__


def reporting(command: Callable[..., "Rendered | tuple[Rendered, list[str]]"]) -> Callable[..., None]:
    """Add the options that write a report to a command that returns a result.

    The result is printed on the terminal unless one of its renderings is printed there. Beside it a command
    may return remarks, such as what it wrote, which follow on standard error.
    """
    parameters = [*inspect.signature(command).parameters.values(), *option_parameters(ReportFiles)]

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
        if SCREEN not in places.values():
            from rollcall.report.terminal import show

            show(result)
        for line in remarks:
            remark(line, error=True)
        if failure := result.failure():
            raise RollcallError(failure)

    # Options of the command line come in any order, so the added ones may follow all others.
    return _with_parameters(reported, parameters)


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
