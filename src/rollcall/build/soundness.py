"""Whether a Parquet file a command is given can be read, told in one line before anything is made of it.

Only the footer is read: a file that was cut short has none.
"""

from pathlib import Path

from rollcall.errors import RollcallError


def check_parquet(file: Path, remedy: str) -> None:
    """Refuse a file that is no Parquet file, or only a part of one."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        pq.read_metadata(file)
    except (pa.ArrowException, OSError):
        raise RollcallError(f"{file}: is not a whole Parquet file; {remedy}") from None
