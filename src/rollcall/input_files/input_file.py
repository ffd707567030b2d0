"""An input file, on this machine or at an address that fsspec reads.

All code that opens, names or measures a source goes through this value, so that no address becomes a path.
Its text is what messages and manifests show: without user name, password and query.
"""

import io
import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import IO, cast
from urllib.parse import unquote, urlsplit

import msgspec

from rollcall.address import without_credentials
from rollcall.decompression import wrap_decompression
from rollcall.errors import RollcallError
from rollcall.files import check_input, open_compressed
from rollcall.input_files.remote import Remote, RemoteStream, fetch, locate

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_SHORTENED = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/[^/]")
_BUFFER = 1 << 20


class InputFile(msgspec.Struct, frozen=True):
    """A file to read."""

    address: str
    """Its path, or its address with everything that is needed to read it."""
    remote: Remote | None = None
    """What the server of an address says of it; None for a path."""
    copy: str = ""
    """The path of the copy on this machine, if there is one."""
    members: tuple[str, ...] = ()
    """If it stands for files of one folder, which is then its address: their paths in it."""

    def __str__(self) -> str:
        return without_credentials(self.address) if self.remote else self.address

    def __repr__(self) -> str:
        return f"InputFile({str(self)!r})"

    def __reduce__(self) -> tuple[type["InputFile"], tuple[str, Remote | None, str]]:
        """Other processes, perhaps on other machines, get no secrets: they never read from an address.

        What they read of several files, they are told file by file.
        """
        return InputFile, (str(self), self.remote, self.copy)

    @property
    def name(self) -> str:
        """How manifests name it: by the name of the file, or by the whole address."""
        return str(self) if self.remote else Path(self.address).absolute().name

    @property
    def file_name(self) -> str:
        """The last part of its path or address, or the name of its copy, by which it is recognised."""
        return PurePosixPath(str(self)).name if self.remote and not self.copy else self._path.name

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.file_name).suffix

    @property
    def size(self) -> int:
        """In bytes; 0 while it is not known."""
        if self.members:
            return sum(size_of(self._path / name) for name in self.members)
        return (self.remote.size or 0) if self.remote and not self.copy else self._path.stat().st_size

    @property
    def path(self) -> Path:
        """Its path on this machine."""
        if self.remote and not self.copy:
            raise RollcallError(f"{self}: is not on this machine")
        return self._path

    @property
    def _path(self) -> Path:
        return Path(self.copy or self.address)

    def open(self) -> io.RawIOBase:
        """Its bytes as they are."""
        if self.remote and not self.copy:
            return RemoteStream(self.address, self.remote)
        return self._path.open("rb", buffering=0)

    def open_decompressed(self) -> IO[bytes]:
        """Its bytes, decompressed by its suffix."""
        if not self.remote or self.copy:
            return open_compressed(self._path)
        stream = cast(IO[bytes], io.BufferedReader(self.open(), _BUFFER))
        return wrap_decompression(stream, self.suffix, self)

    def fetched(self, folder: Path, show: bool | None = None) -> "InputFile":
        """The same file with a copy in a folder; a file of this machine needs none."""
        if self.remote is None or self.copy:
            return self
        copy = fetch(self.address, self.remote, folder, self.file_name, show)
        return msgspec.structs.replace(self, copy=str(copy))


def size_of(document: Path) -> int:
    """The size of a document in bytes; 0 for one that cannot be read, which is told when it is read."""
    try:
        return document.stat().st_size
    except OSError:
        return 0


def is_address(given: Path | str) -> bool:
    """Whether a source is given by an address of another machine, and not by a path."""
    text = str(given)
    return bool(_ADDRESS.match(text)) and not text.lower().startswith("file:///")


def input_file(given: Path | str, expected: str = "file") -> InputFile:
    """The file that a path or an address names; one that cannot be read is refused.

    `expected` is what else the caller would have read, for the message if nothing is there.
    """
    text = str(given)
    if text.lower().startswith("file:///"):
        text = unquote(urlsplit(text).path)
    elif is_address(text):
        return InputFile(text, locate(text))
    if _SHORTENED.match(text) and not Path(text).exists():
        raise RollcallError(f"{text}: no such file; give an address as text: a Path removes a slash from it")
    if not Path(text).exists():
        raise RollcallError(f"{text}: no such {expected}")
    check_input(Path(text))
    if not Path(text).is_file():
        raise RollcallError(
            f"{text}: is a pipe or a device, and sources are read more than once; write its content to a file"
        )
    return InputFile(text)


def paths_of(files: Iterable[InputFile]) -> list[Path]:
    """The paths of the files that are on this machine."""
    return [file.path for file in files if file.remote is None]
