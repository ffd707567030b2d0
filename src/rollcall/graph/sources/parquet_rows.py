"""Rows of a Parquet table with named columns."""

from collections.abc import Iterator
from pathlib import Path
from typing import Self

from rollcall.decompression import DamagedFileError
from rollcall.errors import RollcallError
from rollcall.graph.ingest.layouts import Layout
from rollcall.graph.ingest.records import RecordReader
from rollcall.graph.ingest.row_options import RowOptions, opened_layout
from rollcall.graph.shards import Shard
from rollcall.graph.source import SourceContext, WholeFileSource
from rollcall.graph.sources import GRAPH_SOURCES
from rollcall.input_files.arrow_file import PARQUET, batches, column_names
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
        head = context.head
        if head.is_compressed:
            raise RollcallError(f"{head.file}: a Parquet file is compressed inside; decompress it first")
        return cls(opened_layout(head.file, column_names(head.file.path, head.file), options))

    @classmethod
    def recognises(cls, head: FileHead) -> bool:
        return head.content.startswith(PARQUET)

    def read_file(self, path: Path, rank: int) -> Iterator[tuple[Shard, Tally]]:
        row = 0
        parts = batches(path, path, _ROWS_PER_PART)
        while True:
            shard, tally = Shard(rank), Tally()
            try:
                batch = next(parts)
            except StopIteration:
                break
            except DamagedFileError as error:
                tally.add_bad(0, "damaged", f"{error.reason}; what came before it was read")
                yield shard, tally
                break
            columns = dict(zip(self.columns, (c.to_pylist() for c in batch.columns), strict=True))
            for place in range(batch.num_rows):
                row += 1
                record = {name: column[place] for name, column in columns.items()}
                self._records.read(row, record, shard, tally)
            yield shard, tally
