"""Files at addresses such as `s3://bucket/dump.json.gz`, read through fsspec.

Only the main process reads from an address: workers get blocks, or a copy in the folder of unfinished work.
Every failure becomes one line that contains no password, and is never taken for the end of the file: what
was read before it is kept, and the same command continues.
"""

import hashlib
import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol
from urllib.parse import urlsplit

import msgspec

from rollcall.address import without_credentials
from rollcall.errors import RollcallError
from rollcall.progress import Progress

_CHUNK = 1 << 20
_NAMES = frozenset({"name", "url", "Key"})
"""What fsspec says of a file that is not about its content."""
_REFUSED, _MISSING = (401, 403), 404
_AGAIN = "run the same command again to continue"


class _FileSystem(Protocol):
    """What is used of a file system of fsspec."""

    def info(self, path: str) -> Mapping[str, object]: ...
    def open(self, path: str, mode: str) -> IO[bytes]: ...
    def invalidate_cache(self) -> None: ...


class Remote(msgspec.Struct, frozen=True):
    """What a server says of a file."""

    size: int | None
    """Its size in bytes; some servers do not say it."""
    version: str
    """A hash of everything else, such as its time and its ETag: another version has another hash."""


def locate(address: str) -> Remote:
    """Ask the server about a file; an address that cannot be read is refused."""
    with _in_one_line(address):
        system, path = _file_system(address)
        system.invalidate_cache()
        info = system.info(path)
    if info.get("type") == "directory":
        raise RollcallError(f"{without_credentials(address)}: is a folder, not a file")
    told = sorted((key, str(value)) for key, value in info.items() if key not in _NAMES)
    size = info.get("size")
    return Remote(size if isinstance(size, int) else None, hashlib.sha256(repr(told).encode()).hexdigest())


class RemoteStream(io.RawIOBase):
    """The bytes of a file at an address. It ends only where the file ends."""

    def __init__(self, address: str, remote: Remote) -> None:
        self._address, self._remote = address, remote
        self._position, self._is_whole = 0, False
        with _in_one_line(address):
            system, path = _file_system(address)
            self._stream = system.open(path, "rb")

    def readable(self) -> bool:
        return True

    def skip_to(self, position: int) -> int:
        """Go to a position if the server allows it; returns the position reached."""
        try:
            self._position = self._stream.seek(position)
        except (ValueError, OSError, NotImplementedError):
            self._position = self._stream.tell()
        return self._position

    def readinto(self, buffer: Any) -> int:
        with _in_one_line(self._address):
            chunk = self._stream.read(len(buffer))
        if not chunk and len(buffer):
            self._check_whole()
        buffer[: len(chunk)] = chunk
        self._position += len(chunk)
        return len(chunk)

    def _check_whole(self) -> None:
        if self._is_whole:
            return
        if locate(self._address) != self._remote:
            raise RollcallError(
                f"{without_credentials(self._address)}: was changed while it was read; {_AGAIN}"
            )
        if self._remote.size not in (None, self._position):
            raise RollcallError(
                f"{without_credentials(self._address)}: the connection ended after {self._position:,} of "
                f"{self._remote.size:,} bytes; {_AGAIN}"
            )
        self._is_whole = True

    def close(self) -> None:
        self._stream.close()
        super().close()


def fetch(address: str, remote: Remote, folder: Path, name: str, show: bool | None) -> Path:
    """The copy of a file in a folder; a copy that an interrupted run began is completed."""
    key = hashlib.sha256(f"{address}\n{remote.version}".encode()).hexdigest()[:16]
    place = folder / key / name
    if place.exists():
        return place
    part = place.with_name(f"{name}.part")
    part.parent.mkdir(parents=True, exist_ok=True)
    with RemoteStream(address, remote) as stream, Progress("fetching", remote.size, show=show) as progress:
        begun = stream.skip_to(part.stat().st_size) if part.exists() else 0
        progress.advance(begun, name)
        with part.open("ab" if begun else "wb") as copy:
            while chunk := stream.read(_CHUNK):
                copy.write(chunk)
                progress.advance(len(chunk))
    part.rename(place)
    return place


def _file_system(address: str) -> tuple[_FileSystem, str]:
    """The file system of an address, and the path in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise RollcallError(
            f"{without_credentials(address)}: reading from addresses needs the extra `remote`: "
            "pip install 'rollcall-qa[remote]'"
        ) from None
    found: tuple[_FileSystem, str] = url_to_fs(address)
    return found


@contextmanager
def _in_one_line(address: str) -> Iterator[None]:
    """Raise whatever a file system raises as an error of one line that says what to do."""
    shown, scheme = without_credentials(address), address.partition("://")[0]
    try:
        yield
    except RollcallError:
        raise
    except ImportError as error:
        raise RollcallError(
            f"{shown}: a package for {scheme}:// is not installed: {_safe(error, address)}"
        ) from None
    except Exception as raised:  # each file system has its own exceptions
        failure = _cause(raised)
        reason = _safe(failure, address)
        if isinstance(failure, FileNotFoundError):
            raise RollcallError(f"{shown}: no such file; check the address") from None
        if reason.startswith("Protocol not known"):
            raise RollcallError(f"{shown}: fsspec knows no addresses that begin with {scheme}://") from None
        if isinstance(failure, PermissionError) or getattr(failure, "status", None) in _REFUSED:
            raise RollcallError(f"{shown}: no permission to read it ({reason}); check your keys") from None
        raise RollcallError(
            f"{shown}: cannot be read ({reason}); check the connection and your keys, and {_AGAIN}"
        ) from None


def _cause(error: Exception) -> Exception:
    """What went wrong: over HTTP, every failure is called a missing file at first."""
    cause = error.__cause__
    if isinstance(error, FileNotFoundError) and isinstance(cause, Exception):
        status = getattr(cause, "status", _MISSING)
        if status != _MISSING or isinstance(cause, OSError):
            return cause
    return error


def _safe(error: Exception, address: str) -> str:
    """The message of an error in one line, without the secrets of the address."""
    text = str(error) or type(error).__name__
    parts = urlsplit(address)
    user = parts.netloc.rpartition("@")[0]
    for secret in (parts.query, user, user.partition(":")[2]):
        text = text.replace(secret, "…") if secret else text
    return " ".join(without_credentials(text).split())
