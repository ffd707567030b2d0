"""Stores lessons in a file, because several stages of a build learn from the same sentences.

The file has the same form as that of a learned verifier: arrays of numbers and a description in JSON, so that
nothing in it can run code. Only the build that wrote it reads it.
"""

from pathlib import Path
from typing import BinaryIO

import msgspec
import numpy as np

from rollcall.decompression import read_arrays
from rollcall.evidence.verifiers.contrast.lessons import Known, Lessons, Rowed
from rollcall.evidence.verifiers.contrast.sparse import SparseRows


class _Content(msgspec.Struct):
    known: Known
    held: list[tuple[str, int]]
    """The relations of `Lessons.held`, with the number of their sentences."""


def write_lessons(path: Path, lessons: Lessons) -> None:
    """Write lessons to a file; the bytes depend only on the lessons."""
    held = sorted(lessons.held.items())
    content = _Content(lessons.known, [(name, len(rows)) for name, rows in held])
    with path.open("wb") as stream:
        np.savez(
            stream,
            content=np.frombuffer(msgspec.json.encode(content, order="deterministic"), np.uint8),
            starts=lessons.matrix.starts,
            columns=lessons.matrix.columns,
            held=np.concatenate([rows for _name, rows in held]),
            **lessons.rowed._asdict(),
        )


def read_lessons(path: Path | BinaryIO) -> Lessons:
    """The lessons of a file."""
    arrays = read_arrays(path)
    content = msgspec.json.decode(arrays["content"].tobytes(), type=_Content)
    parts = np.split(arrays["held"], np.cumsum([count for _name, count in content.held])[:-1])
    held = {name: rows for (name, _count), rows in zip(content.held, parts, strict=True)}
    rowed = Rowed(*(arrays[name] for name in Rowed._fields))
    return Lessons(content.known, SparseRows(arrays["starts"], arrays["columns"]), rowed, held)
