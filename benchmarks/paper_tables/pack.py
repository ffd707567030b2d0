"""What `learn` leaves for `show`, in files that can be carried: everything but weights.

The parts have a size that a transfer may limit; `unpack` joins them.
"""

import io
import tarfile
from pathlib import Path

from paper_tables.place import Place
from paper_tables.rows import PARTS

NAME = "learned.tar.xz"
_HEAVY = (".safetensors", ".pt")


def pack(place: Place, out: Path, part: int = 15 << 20) -> list[Path]:
    """Write the results as parts of at most so many bytes."""
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:xz") as archive:
        for folder in (place.learned, place.models / PARTS):
            for file in sorted(folder.rglob("*")):
                if file.is_file() and file.suffix not in _HEAVY:
                    archive.add(file, file.relative_to(place.folder).as_posix())
    whole = content.getvalue()
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob(f"{NAME}.*"):
        old.unlink()
    files = []
    for number, start in enumerate(range(0, len(whole), part)):
        files.append(out / f"{NAME}.{number:02d}")
        files[-1].write_bytes(whole[start : start + part])
    return files


def unpack(place: Place, source: Path) -> None:
    """Put packed results where `learn` would have left them."""
    whole = b"".join(one.read_bytes() for one in sorted(source.glob(f"{NAME}.*")))
    with tarfile.open(fileobj=io.BytesIO(whole), mode="r:xz") as archive:
        archive.extractall(place.folder, filter="data")
