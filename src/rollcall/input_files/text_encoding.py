"""The encoding of a text file: all is read as UTF-8, and what is not is named, with the way to read it.

A file of another encoding is not guessed at: its beginning is recognised, and the error names the option that
reads it. With the option, a copy in UTF-8 is made in the folder of unfinished work, and sources read that.
Files of several encodings may be given together: one that is UTF-8 all through, with letters that only then
make sense, stays as it is.
"""

import codecs
import re
import warnings
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec

from rollcall.errors import RollcallError, RollcallWarning
from rollcall.input_files.input_file import InputFile

_CHUNK = 1 << 20
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_IN_A_WORD = re.compile(rb"[A-Za-z][\x80-\xfd]|[\x80-\xfd][A-Za-z]")
_WINDOWS = re.compile(rb"[\x80-\x9f]")
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_NAMES = {"utf-16": "UTF-16", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "utf-32": "UTF-32",
          "latin-1": "Latin-1", "cp1252": "Windows-1252, Microsoft's Latin-1"}  # fmt: skip
_FEW_LINES = 3
"""Fewer lines with letters of another encoding may be damage, and are bad entries."""
_PAIRS = 40
"""So many characters of ASCII in UTF-16 are enough to recognise it without a byte order mark."""


def foreign_encoding(content: bytes, lines: int = 1) -> str | None:
    """The encoding of a text, by its beginning, if at least so many lines show that it is not UTF-8."""
    for mark, encoding in _MARKS.items():
        if content.startswith(mark):
            return encoding
    sample = content[: 2 * _PAIRS]
    if len(sample) > 3 and b"\0" in sample:
        for zeros, letters, encoding in (
            (sample[1::2], sample[::2], "utf-16-le"),
            (sample[::2], sample[1::2], "utf-16-be"),
        ):
            if not zeros.strip(b"\0") and b"\0" not in letters:
                return encoding
    if _BINARY.search(content):
        return None
    text = content.decode("utf-8", "surrogateescape")
    if any("\x7f" < sign < "\udc80" or sign > "\udcff" for sign in text):
        return None  # some of it is UTF-8; what is not is counted as bad entries
    if sum(_IN_A_WORD.search(line) is not None for line in content.split(b"\n")) < lines:
        return None
    return "cp1252" if _WINDOWS.search(content) else "latin-1"


def refuse_foreign(file: InputFile, content: bytes) -> None:
    """Refuse a file that is not UTF-8, with the option that reads it."""
    encoding = foreign_encoding(content, _FEW_LINES)
    if encoding is not None:
        raise RollcallError(
            f"{file}: is text in {_NAMES[encoding]}, not in UTF-8; read it with --encoding {encoding} "
            f"(encoding={encoding!r} in Python)"
        )


def in_utf8(file: InputFile, encoding: str, folder: Path) -> InputFile:
    """The same file with a copy in UTF-8, decompressed; a file that is not text needs none."""
    if file.members:
        return file
    with file.open_decompressed() as stream:
        beginning = stream.read(1 << 12)
    called = _codec(encoding).name
    if _BINARY.search(beginning) and not called.startswith(("utf-16", "utf-32")):
        return file
    if called != "utf-8" and _is_utf8_beyond_ascii(file):
        told = f"{file}: is text in UTF-8, and is read as such, not as {encoding}"
        warnings.warn(told, RollcallWarning, stacklevel=3)
        return file
    name = PurePosixPath(file.file_name)
    if name.suffix in (".gz", ".bz2", ".zst"):
        name = name.with_suffix("")
    place = folder / sha256(f"{file}\n{encoding}".encode()).hexdigest()[:16] / name.name
    place.parent.mkdir(parents=True, exist_ok=True)
    with file.open_decompressed() as stream, place.open("wb") as copy:
        _copy(file, stream, copy, encoding)
    return msgspec.structs.replace(file, copy=str(place))


def _codec(encoding: str) -> codecs.CodecInfo:
    try:
        return codecs.lookup(encoding)
    except LookupError:
        raise RollcallError(
            f"--encoding {encoding}: is no encoding that Python knows, such as latin-1, cp1252 or utf-16"
        ) from None


def _is_utf8_beyond_ascii(file: InputFile) -> bool:
    """Whether a file has letters beyond ASCII, all of them in UTF-8; text in Latin-1 hardly ever looks so."""
    decoder, ascii_alone = codecs.getincrementaldecoder("utf-8")(), True
    with file.open_decompressed() as stream:
        try:
            while chunk := stream.read(_CHUNK):
                decoder.decode(chunk)
                ascii_alone = ascii_alone and chunk.isascii()
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return not ascii_alone


def _copy(file: InputFile, stream: IO[bytes], copy: IO[bytes], encoding: str) -> None:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        while chunk := stream.read(_CHUNK):
            copy.write(decoder.decode(chunk).encode())
        copy.write(decoder.decode(b"", final=True).encode())
    except UnicodeError as error:
        raise RollcallError(f"{file}: is not text in {encoding}: {error}") from None
