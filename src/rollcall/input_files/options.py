"""The options of everything that reads files into a folder, for Python and the command line."""

from typing import TYPE_CHECKING, Annotated

from rollcall._core.options import NamedValues, OnCommandLine
from rollcall.tables.engine import WorkOptions

if TYPE_CHECKING:
    from rollcall.input_files.file_source import Formats


class FilesOptions(WorkOptions, frozen=True, kw_only=True):
    """How files are read, and where the work runs."""

    encoding: Annotated[str | None, OnCommandLine(metavar="NAME", shown="UTF-8", after="")] = None
    """The encoding of the files, such as latin-1, cp1252 or utf-16."""
    formats: Annotated["Formats", OnCommandLine(list[str], ("--format", "-f"), metavar="NAME")] = "auto"
    """The format of the files, if it should not be recognised: a source of `rollcall plugins`, or
    module:name. Given once for all files, or once for each."""
    source_options: Annotated[
        NamedValues,
        OnCommandLine(list[str], names=("--option",), metavar="NAME=VALUE"),
    ] = None
    """An option of the source."""
    force: bool = False
    """Replace what is in the output folder, even if it is of other files."""
    max_bad: Annotated[float, OnCommandLine(least=0, most=1, panel="Limits")] = 0.01
    """Stop when more than this share of entries is bad."""
    block_bytes: Annotated[int | None, OnCommandLine(int, default=0, hidden=True, after="memory")] = None
