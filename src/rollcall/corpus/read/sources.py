"""What a source of text is: told by its first characters and, for lines of JSON, by their keys."""

import re
import tarfile
import zlib
from pathlib import Path
from typing import IO, Any, cast

import msgspec

from rollcall.errors import RollcallError
from rollcall.files import open_compressed
from rollcall.nesting import UNREADABLE
from rollcall.reading.source import Source

_SNIFFED = 1 << 16
KNOWN = (
    "a MediaWiki XML dump, a Wikimedia Enterprise HTML dump, lines of JSON with title and text, or lines of "
    "JSON with page, header and rows"
)


def detect(path: Path) -> Source:
    """Tell what a file of text is; an error says why it cannot be told."""
    head = _head(path)
    if not head.strip():
        raise RollcallError(f"{path}: is empty")
    begin = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if begin.startswith(b"<"):
        if b"<mediawiki" in head or b"<page>" in head:
            return Source(str(path), "mediawiki")
        raise RollcallError(f"{path}: is XML or HTML, but no MediaWiki dump; known are {KNOWN}")
    if begin.startswith(b"{"):
        return Source(str(path), _kind_of_lines(path, begin))
    raise RollcallError(f"{path}: cannot tell what this is; known are {KNOWN}")


def is_tar(path: Path) -> bool:
    """Whether the file is an archive of files."""
    return any(path.name.endswith(end) for end in (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.zst"))


def tar_lines(archive: tarfile.TarFile) -> Any:
    """The files with lines of JSON inside an archive, one after the other."""
    for member in archive:
        if member.isfile() and member.name.endswith((".ndjson", ".jsonl", ".json")):
            yield cast(IO[bytes], archive.extractfile(member))


def _head(path: Path) -> bytes:
    try:
        with open_compressed(path) as stream:
            if not is_tar(path):
                return stream.read(_SNIFFED)
            with tarfile.open(fileobj=stream, mode="r|") as archive:
                for member in tar_lines(archive):
                    return cast(bytes, member.read(_SNIFFED))
    except (EOFError, OSError, zlib.error, tarfile.TarError) as error:
        raise RollcallError(f"{path}: cannot be opened: {error}") from None
    raise RollcallError(f"{path}: the archive has no .ndjson or .jsonl file in it")


def _kind_of_lines(path: Path, begin: bytes) -> str:
    keys = _keys(begin.split(b"\n", 1)[0])
    if "article_body" in keys:
        return "enterprise"
    if "page" in keys and "rows" in keys:
        return "tables"
    if "title" in keys and "text" in keys:
        return "pages"
    found = ", ".join(sorted(keys)[:12]) or "none that can be read"
    raise RollcallError(f"{path}: has the keys {found}; known are {KNOWN}")


def _keys(line: bytes) -> set[str]:
    try:
        decoded = msgspec.json.decode(line)
    except UNREADABLE:  # longer than what was looked at
        return {key.decode() for key in re.findall(rb'"(article_body|page|rows|title|text)"\s*:', line)}
    return set(decoded) if isinstance(decoded, dict) else set()
