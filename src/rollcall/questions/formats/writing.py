"""Writes records to files: as lines, or as one array."""

from collections.abc import Iterable
from pathlib import Path

import msgspec


def write_lines(records: Iterable[object], path: Path) -> None:
    """Write one record on each line."""
    encoder = msgspec.json.Encoder()
    with path.open("wb") as stream:
        for record in records:
            stream.write(encoder.encode(record) + b"\n")


def write_array(records: list[dict[str, object]], path: Path) -> None:
    """Write all records in one array."""
    path.write_bytes(msgspec.json.encode(records) + b"\n")
