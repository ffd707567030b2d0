"""Whether a Parquet file that stands by itself can be read, told in one line before anything is made of it.

It lies in no folder whose manifest knows it, so all of it is read, with the checksums that its pages have.
"""

from functools import cache
from pathlib import Path

from rollcall.errors import RollcallError


def check_parquet(file: Path, remedy: str) -> None:
    """Refuse a file that is no Parquet file, or not all of one."""
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
