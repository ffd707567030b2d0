"""Checks that a single Parquet file can be read, before anything is made from it.

No manifest has a checksum for such a file, so it is read completely, with the checksums of its pages.
"""

from functools import cache
from pathlib import Path

from rollcall.errors import RollcallError


def check_parquet(file: Path, remedy: str) -> None:
    """Refuse a file that is not a Parquet file, or that is incomplete."""
    found = file.stat()
    if not _is_whole(file, found.st_size, found.st_mtime_ns, found.st_ctime_ns):
        raise RollcallError(f"{file}: is not a whole Parquet file; {remedy}")


@cache
def _is_whole(file: Path, *stand: int) -> bool:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file, page_checksum_verification=True) as table:
            for _ in table.iter_batches():
                pass
    except (pa.ArrowException, OSError):
        return False
    return True
