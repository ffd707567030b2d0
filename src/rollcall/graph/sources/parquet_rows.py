"""Rows of a Parquet table with named columns."""

from collections.abc import Iterator
from pathlib import Path
from typing import Self

from rollcall.errors import RollcallError
from rollcall.graph.ingest.layouts import Layout
from rollcall.graph.ingest.records import RecordReader
from rollcall.graph.ingest.row_options import RowOptions, opened_layout
from rollcall.graph.shards import Shard
from rollcall.graph.source import SourceContext, WholeFileSource
from rollcall.graph.sources import GRAPH_SOURCES
from rollcall.input_files.file_source import FileHead
from rollcall.input_files.tally import Tally

_ROWS_PER_PART = 200_000


@GRAPH_SOURCES.register("parquet")
class ParquetTable(WholeFileSource):
    """A Parquet table with named columns."""

    Options = RowOptions
    suffixes = (".parquet",)
    expects = "the same as .parquet"

    def __init__(self, layout: Layout) -> None:
        self.columns = layout.columns
        self.remark = layout.remark
        self.shared = layout.shared
        self._records = RecordReader(layout.shape, layout.shared)

    @classmethod
    def open(cls, options: RowOptions, context: SourceContext) -> Self:
        import pyarrow as pa
        import pyarrow.parquet as pq

        head = context.head
        if head.is_compressed:
            raise RollcallError(f"{head.file}: a Parquet file is compressed inside; decompress it first")
        try:
            names = list(pq.read_schema(head.file.path.absolute()).names)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise RollcallError(f"{head.file}: is not a readable Parquet file: {error}") from None
        return cls(opened_layout(head.file, names, options))

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return head.content.startswith(b"PAR1")

    def read_file(self, path: Path, rank: int) -> Iterator[tuple[Shard, Tally]]:
        import pyarrow as pa
        import pyarrow.parquet as pq

        row = 0
        batches = pq.ParquetFile(path.absolute()).iter_batches(_ROWS_PER_PART)
        while True:
            shard, tally = Shard(rank), Tally()
            try:
                batch = next(batches)
            except StopIteration:
                break
            except (pa.ArrowException, OSError) as error:
                tally.add_bad(0, "damaged", f"{error}; what came before it was read")
                yield shard, tally
                break
            columns = dict(zip(self.columns, (c.to_pylist() for c in batch.columns), strict=True))
            for place in range(batch.num_rows):
                row += 1
                record = {name: column[place] for name, column in columns.items()}
                self._records.read(row, record, shard, tally)
            yield shard, tally
