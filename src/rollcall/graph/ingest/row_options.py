"""The options of the sources that hold rows, and the layout of a file with them."""

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from rollcall.errors import RollcallError
from rollcall.graph.ingest.layouts import Layout, layout_of
from rollcall.graph.ingest.records import RELATION_COLUMNS
from rollcall.input_files.input_file import InputFile

_FOR_ONE_FILE = re.compile(r"\s*(?P<file>[^:=,]+\.\w+)\s*:(?P<columns>.*)")


class RowOptions(msgspec.Struct, frozen=True):
    columns: str = ""
    """Which columns hold what: subject=head,relation=rel,object=tail; or, if the file has no header, the
    names of all columns in order. A quoted word, types="artist", is the same in all rows. What
    follows a file's name and a colon is for that file alone."""


class CsvOptions(RowOptions, frozen=True):
    decimal: Literal["auto", "comma", "point"] = "auto"
    """Whether numbers have a decimal comma (1.234,5) or a decimal point (1,234.5); auto looks at the cells
    where semicolons separate them, and takes a point otherwise."""


def columns_of(name: str, columns: str) -> str:
    """What is said of the columns of the file with this name: its own lines, else the lines for all files."""
    general, own = list[str](), list[str]()
    for line in columns.splitlines():
        found = _FOR_ONE_FILE.match(line)
        if found is None:
            general.append(line)
        elif found["file"] == name:
            own.append(found["columns"])
    return ",".join(own or general)


def check_files(columns: str, names: Sequence[str]) -> None:
    """Refuse columns that are said to be those of a file that is not among the sources."""
    for line in columns.splitlines():
        found = _FOR_ONE_FILE.match(line)
        if found is not None and found["file"] not in names:
            raise RollcallError(f"--columns names {found['file']}, and the files are {', '.join(names)}")


def optional_keys(name: str, columns: str, given: Sequence[str]) -> list[str]:
    """The columns of a table of entities that a record may lack, as JSON leaves out what is unknown."""
    pairs = [part.split("=", 1) for part in columns_of(name, columns).split(",") if "=" in part]
    if not any(ours.strip() == "id" for ours, _ in pairs):
        return []
    present = {key.strip().lower() for key in given}
    named = [theirs.strip() for ours, theirs in pairs if ours.strip() in RELATION_COLUMNS]
    return [key for key in named if key.lower() not in present]


def opened_layout(
    file: InputFile, header: Sequence[str], options: RowOptions, rows: Sequence[Sequence[str]] = ()
) -> Layout:
    """The layout of a file; an error says what its columns are and how to name them."""
    found = layout_of(header, columns_of(file.name, options.columns), rows)
    if isinstance(found, RollcallError):
        raise RollcallError(f"{file}: {found}")
    return found
