"""Several Parquet files as one table: the engine reads all files that match a pattern."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rollcall.files import remove


@contextmanager
def tables_as_one(tables: Sequence[Path], folder: Path, name: str = "all_tables") -> Iterator[Path]:
    """A pattern that matches these files, through links in a folder that is removed afterwards."""
    place = folder / name
    place.mkdir()
    try:
        for number, table in enumerate(tables):
            (place / f"{number}.parquet").symlink_to(table.resolve())
        yield place / "*.parquet"
    finally:
        remove(place)
