"""Explains an error in one line, and decides whether it is the user's, the machine's or Rollcall's.

An error in the call, the input or a plug-in, and a full disk or a missing permission, exit with 2: the line
says what to do. Anything else is a bug in Rollcall, and the line says so.
"""

import errno
from collections.abc import Iterator

from rollcall.errors import RollcallError
from rollcall.registry import failed_plugin
from rollcall.tables.memory import address_space

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_FULL_WORDS = ("no space left on device", "disk is full", "file too large", "disk quota exceeded")
"""Messages of libraries that do not give the number of the error."""
_NO_MEMORY_WORDS = (
    "out of memory",
    "cannot allocate memory",
    "failed to allocate",
    "failed to map segment",  # of a library that is loaded
    "bad_alloc",
    "can't start new thread",
)


def explain(error: Exception) -> tuple[str, int]:
    """One line about an error, empty if all is said, and the exit code."""
    if any(_is_full(one) for one in _chain(error)):
        return (
            "there is no room left on the disk; what was finished is kept: make room, or name another place, "
            "and run the same command again",
            2,
        )
    if isinstance(error, RollcallError):
        return str(error), 2
    if any(_lacks_memory(one) for one in _chain(error)):
        limited = "" if address_space() is None else ", or raise the limit of this process (ulimit -v)"
        return (
            "there is not enough memory for this; give it less to do at once (see --jobs and "
            f"--memory){limited}",
            2,
        )
    if (told := failed_plugin(error)) is not None:
        return told, 2
    if isinstance(error, UnicodeEncodeError):  # texts of files are checked when they are read
        return "an argument or the name of a file is not text in the terminal's encoding; use another", 2
    if isinstance(error, OSError) and error.filename is not None:
        return f"{_named(error.filename)}: {error.strerror}", 2
    if hasattr(error, "format_message"):  # typer reports a wrong option or argument in this way
        said = error.format_message()
        return f"{said} Try --help." if said else "", 2  # without any argument, it has printed the help
    return f"unexpected {type(error).__name__}: {error} (a bug; --debug shows where)", 1


def _is_full(error: BaseException) -> bool:
    if isinstance(error, OSError) and error.errno in _FULL:
        return True
    return not isinstance(error, RollcallError) and any(word in str(error).lower() for word in _FULL_WORDS)


def _lacks_memory(error: BaseException) -> bool:
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    if isinstance(error, SystemError):  # how libraries end that do not expect it
        return address_space() is not None
    return any(word in str(error).lower() for word in _NO_MEMORY_WORDS)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and the errors that caused it."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _named(filename: object) -> str:
    return filename.decode("utf-8", "replace") if isinstance(filename, bytes) else str(filename)
