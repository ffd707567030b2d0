"""The engine on many machines: Apache Spark, which runs the same expressions, and functions as its tasks."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from rollcall._core.errors import RollcallError
from rollcall._core.workers import in_bytes
from rollcall.tables.engine import ENGINES, Block, Engine, Prepared, Result, Workbench, nothing
from rollcall.tables.spark_sessions import (
    Sessions,
    SparkBlocks,
    SparkWorkbench,
    check_master,
    needs,
    not_shared,
)


@ENGINES.register("spark")
class Spark(Engine):
    """Apache Spark: a cluster (`spark://…`, `sc://…` for Spark Connect) or this machine (`local[2]`)."""

    def __init__(self, *, memory: str = "1GB", jobs: int | None = None, master: str | None = None) -> None:
        super().__init__(memory=memory, jobs=jobs, master=master)
        in_bytes(memory)
        needs("pyspark")
        self._master = f"local[{self.jobs}]" if master is None else master
        check_master(self._master)
        self._sessions: Sessions | None = None
        self._blocks: SparkBlocks | None = None
        self._shared: set[Path] = set()

    @property
    def _opened(self) -> Sessions:
        """The sessions, started when they are first needed: that takes seconds."""
        if self._sessions is None:
            self._sessions = Sessions(self._master, self.memory, self.jobs)
        return self._sessions

    def workbench(self, scratch: Path) -> Workbench:
        self._check_shared(scratch.absolute())
        return SparkWorkbench(self._opened.new(), scratch)

    def _check_shared(self, scratch: Path) -> None:
        """Raise an error if a task finds a folder missing: what its machine writes there would be lost."""
        if self._master.startswith("local") or scratch.parent in self._shared:
            return
        scratch.mkdir(parents=True, exist_ok=True)
        tasks = [str(scratch)] * (2 * self._opened.slots)
        if not all(self.map_blocks(_sees, tasks, nothing)):
            raise RollcallError(not_shared(scratch))
        self._shared.add(scratch.parent)

    def map_blocks(
        self,
        function: Callable[[Prepared, Block], Result],
        blocks: Iterable[Block],
        prepare: Callable[[], Prepared],
    ) -> Iterator[Result]:
        if self._blocks is None:
            self._blocks = SparkBlocks(self._opened)
        return self._blocks.map(function, blocks, prepare)

    def close(self) -> None:
        super().close()
        if self._sessions is not None:
            self._sessions.close()
        self._sessions = self._blocks = None


def _sees(_: None, folder: str) -> bool:
    return Path(folder).is_dir()
