"""Python functions over blocks as tasks of a Spark cluster.

Blocks go out in waves of a bounded size, a few blocks to a task, and two waves at a time, so that no machine
waits for the last block of a wave. What a function raises comes back as a value and is raised here: it is
neither retried nor wrapped. A task whose machine is lost is run again by Spark.
"""

import hashlib
import pickle
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeVar

from rollcall.errors import RollcallError
from rollcall.tables.spark.session import Sessions, engine_errors, first_line, pickled

if TYPE_CHECKING:
    import pyarrow as pa

Block = TypeVar("Block")
Prepared = TypeVar("Prepared")
Result = TypeVar("Result")
_WAVE_BYTES = 1 << 25
_WAVE_ROUNDS = 4
"""A wave has this many blocks for each task that can run at the same time."""
_WAVES = 2
_COLUMNS = "number bigint, fine boolean, value binary"
_ONE_BLOCK_AT_A_TIME = {"spark.sql.execution.arrow.maxRecordsPerBatch": "1"}


class SparkBlocks:
    """Runs functions over blocks on a cluster."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions
        self._session = sessions.new(_ONE_BLOCK_AT_A_TIME)

    def map(
        self,
        function: Callable[[Prepared, Block], Result],
        blocks: Iterable[Block],
        prepare: Callable[[], Prepared],
    ) -> Iterator[Result]:
        """The results of a function for each block, in the order of the blocks; a single block stays here."""
        waiting = iter(blocks)
        first = list(islice(waiting, 2))
        if len(first) < 2:
            yield from (function(prepare(), block) for block in first)
            return
        task = _Task(pickled((function, prepare)))
        pending: deque[Future[list[tuple[bool, bytes]]]] = deque()
        threads = ThreadPoolExecutor(_WAVES)
        try:
            for wave in _waves(chain(first, waiting), self._sessions.slots * _WAVE_ROUNDS):
                pending.append(threads.submit(self._run, task, wave))
                if len(pending) >= _WAVES:
                    yield from _values(pending.popleft().result())
            while pending:
                yield from _values(pending.popleft().result())
        finally:
            threads.shutdown(cancel_futures=True)

    def _run(self, task: "_Task", wave: list[bytes]) -> list[tuple[bool, bytes]]:
        """What each block of a wave gave; after an error the blocks behind it may have been left out."""
        import pyarrow as pa

        rows = pa.table(
            {"number": pa.array(range(len(wave)), pa.int64()), "block": pa.array(wave, pa.binary())}
        )
        try:
            found = self._session.createDataFrame(rows).mapInArrow(task, _COLUMNS).toArrow()
        except engine_errors() as error:
            raise _failed(error) from error
        values = sorted(found.to_pylist(), key=lambda row: row["number"])
        return [(row["fine"], row["value"]) for row in values]


def _waves(blocks: Iterator[Block], most: int) -> Iterator[list[bytes]]:
    wave: list[bytes] = []
    for block in blocks:
        wave.append(pickle.dumps(block, pickle.HIGHEST_PROTOCOL))
        if len(wave) >= most or sum(map(len, wave)) >= _WAVE_BYTES:
            yield wave
            wave = []
    if wave:
        yield wave


def _values(outcomes: list[tuple[bool, bytes]]) -> Iterator[Any]:
    for fine, value in outcomes:
        if not fine:
            raise pickle.loads(value)
        yield pickle.loads(value)


def _failed(error: BaseException) -> RollcallError:
    text = str(error)
    if "No module named 'rollcall" in text:
        return RollcallError(
            "the machines of the cluster cannot import rollcall; install the same version there, for the "
            "Python that PYSPARK_PYTHON names"
        )
    if "Python worker exited unexpectedly" in text:
        return RollcallError(
            "a Python process of the cluster was killed again and again, perhaps because it was out of memory"
        )
    return RollcallError(f"a task of the cluster failed: {first_line(error)}")


class _Task:
    """A function, and what prepares it, as Spark sends them to its Python processes."""

    def __init__(self, program: bytes) -> None:
        self._program = program
        self._name = hashlib.sha256(program).hexdigest()

    def __call__(self, batches: "Iterator[pa.RecordBatch]") -> "Iterator[pa.RecordBatch]":
        import pyarrow as pa

        for batch in batches:
            for row in batch.to_pylist():
                fine, value = self._outcome(row["block"])
                yield pa.RecordBatch.from_pydict(
                    {"number": [row["number"]], "fine": [fine], "value": pa.array([value], pa.binary())}
                )

    def _outcome(self, block: bytes) -> tuple[bool, bytes]:
        try:
            if self._name not in _programs:
                function, prepare = pickle.loads(self._program)
                _programs.clear()
                _programs[self._name] = (function, prepare())
            function, prepared = _programs[self._name]
            return True, pickle.dumps(function(prepared, pickle.loads(block)), pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            return False, _pickled(error)


_programs: dict[str, tuple[Callable[[Any, Any], Any], Any]] = {}
"""In a Python process of the cluster: the function and what it was prepared with, for the work at hand."""


def _pickled(error: Exception) -> bytes:
    """An error with the place where it was raised; one that cannot be sent is told in words."""
    if not isinstance(error, RollcallError):
        error.add_note("".join(traceback.format_exception(error)))
    try:
        found = pickle.dumps(error)
        pickle.loads(found)
    except Exception:
        return pickle.dumps(RollcallError(f"{type(error).__name__}: {error}"))
    return found
