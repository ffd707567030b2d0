"""Whether the Parquet files a command is given can be read, told in one line before anything is made of them.

Only the footers are read: a file that was cut short has none.
"""

from pathlib import Path

from rollcall.build.inputs import Inputs
from rollcall.corpus.layout import TABLES as CORPUS_TABLES
from rollcall.errors import RollcallError
from rollcall.graph.layout import TABLES as GRAPH_TABLES


def check_tables(inputs: Inputs) -> None:
    """Refuse a graph or corpus of which a table is missing or broken."""
    for folder, tables, command in (
        (inputs.graph, GRAPH_TABLES, "graph"),
        (inputs.corpus, CORPUS_TABLES, "corpus"),
    ):
        for name in tables:
            file = folder / f"{name}.parquet"
            remedy = f"make the {command} again with `rollcall {command}`"
            if not file.is_file():
                raise RollcallError(f"{file}: is missing; {remedy}")
            check_parquet(file, remedy)


def check_parquet(file: Path, remedy: str) -> None:
    """Refuse a file that is no Parquet file, or only a part of one."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        pq.read_metadata(file)
    except (pa.ArrowException, OSError):
        raise RollcallError(f"{file}: is not a whole Parquet file; {remedy}") from None
