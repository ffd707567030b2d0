"""What is carried between machines: prepared data in one file, and results in parts, without weights.

Examples are compressed one by one, and their passages come again and again: in one stream with a long memory
they take a quarter of the space. A transfer may limit the size of a file, so results are cut into parts.
"""

import gzip
import io
import lzma
import tarfile
from pathlib import Path
from typing import IO

from rollcall._core.errors import RollcallError
from rollcall.papers.tables.data import WorkFolder
from rollcall.papers.tables.declared import PARTS

NAME = "learned.tar.xz"
_HEAVY = (".safetensors", ".pt")
_PART = 15 << 20
_MEMORY = 1 << 29
"""Bytes in which repetitions are found."""
_GZIP = ".gz"
_DAMAGED = (OSError, EOFError, lzma.LZMAError, tarfile.TarError)


def pack(work: WorkFolder, out: Path) -> list[Path]:
    """Write the results as parts of at most 15 MiB."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:xz") as archive:
        for folder in (work.learned, work.models / PARTS):
            for file in sorted(folder.rglob("*")):
                if file.is_file() and file.suffix not in _HEAVY:
                    archive.add(file, file.relative_to(work.folder).as_posix())
    whole = content.getvalue()
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob(f"{NAME}.*"):
        old.unlink()
    files = []
    for number, start in enumerate(range(0, len(whole), _PART)):
        files.append(out / f"{NAME}.{number:02d}")
        files[-1].write_bytes(whole[start : start + _PART])
    return files


def unpack(work: WorkFolder, source: Path) -> None:
    """Put packed results where `learn` would have left them."""
    parts = sorted(source.glob(f"{NAME}.*"))
    if not parts:
        raise RollcallError(f"{source}: has no {NAME}.00; name the folder that --pack wrote")
    whole = b"".join(part.read_bytes() for part in parts)
    try:
        with tarfile.open(fileobj=io.BytesIO(whole), mode="r:xz") as archive:
            archive.extractall(work.folder, filter="data")
    except _DAMAGED as error:
        raise RollcallError(f"{source}: is not all that --pack wrote ({error})") from None


def pack_prepared(work: WorkFolder, file: Path) -> None:
    """Write what `learn` needs, and what it has learned already, as one file."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 2, "dict_size": _MEMORY}]
    paths = [*work.prepared.rglob("*"), *work.learned.rglob("*")]
    file.parent.mkdir(parents=True, exist_ok=True)
    with lzma.open(file, "wb", filters=filters) as stream, tarfile.open(fileobj=stream, mode="w|") as archive:
        for path in sorted(path for path in paths if path.is_file()):
            content = path.read_bytes()
            about = archive.gettarinfo(path, path.relative_to(work.folder).as_posix())
            if path.suffix == _GZIP:
                content = gzip.decompress(content)
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))


def unpack_prepared(work: WorkFolder, file: Path) -> None:
    """Put packed data where `prepare` would have left it; nothing that is there is replaced."""
    try:
        with lzma.open(file) as stream, tarfile.open(fileobj=stream, mode="r|") as archive:
            for about in archive:
                _put(work.folder / about.name, archive.extractfile(about))
    except _DAMAGED as error:
        raise RollcallError(f"{file}: is not a whole file that --carry wrote ({error})") from None


def _put(target: Path, content: IO[bytes] | None) -> None:
    if content is None or target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    whole = content.read()
    if target.suffix == _GZIP:
        whole = gzip.compress(whole, compresslevel=1, mtime=0)
    target.write_bytes(whole)
