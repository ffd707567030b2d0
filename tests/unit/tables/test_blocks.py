"""Functions over blocks: in order, in as few processes as the work needs, and with errors that say why."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rollcall import RollcallError
from rollcall.tables.engine import LocalBlocks


def nothing() -> None:
    return None


def process(_: object, block: object) -> int:
    return os.getpid()


def double(_: None, block: int) -> int:
    return 2 * block


def size(_: None, block: bytes) -> int:
    return len(block)


def large(_: None, size: int) -> bytes:
    return bytes(size)


def with_prepared(prepared: object, block: object) -> object:
    return prepared


def noted(folder: Path) -> Path:
    """Leave one file for every call."""
    (folder / f"{os.getpid()}-{len(os.listdir(folder))}").touch()
    return folder


def fail_at_three(_: None, block: int) -> int:
    if block == 3:
        raise KeyError("three")
    return block


class UnreadableError(Exception):
    """Can be pickled, but not unpickled."""

    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail_unreadably(_: None, block: int) -> int:
    raise UnreadableError(1, 2)


def refuse() -> None:
    raise RollcallError("nothing to prepare with")


def kill_itself(number: int, block: int) -> None:
    os.kill(os.getpid(), number)
    threading.Event().wait()


def leave(_: None, block: int) -> None:
    os._exit(7)


def of_memory_fault() -> int:
    return int(signal.SIGSEGV)


def of_kill() -> int:
    return int(signal.SIGKILL)


def nested(_: None, block: int) -> list[int]:
    return list(LocalBlocks(2).map(double, [block, block + 1], nothing))


@pytest.fixture(scope="module")
def shared() -> Iterator[LocalBlocks]:
    local = LocalBlocks(2)
    yield local
    local.close()


@pytest.fixture
def local() -> Iterator[LocalBlocks]:
    local = LocalBlocks(2)
    yield local
    local.close()


@settings(max_examples=30, deadline=None)
@given(blocks=st.lists(st.integers(), max_size=40), taken=st.integers(0, 40))
def test_results_come_in_order_also_after_a_consumer_stopped_early(
    shared: LocalBlocks, blocks: list[int], taken: int
) -> None:
    results = shared.map(double, iter(blocks), nothing)
    assert [result for result, _ in zip(results, range(taken), strict=False)] == [
        2 * block for block in blocks[:taken]
    ]
    assert list(shared.map(double, blocks, nothing)) == [2 * block for block in blocks]


def test_two_works_may_alternate(shared: LocalBlocks) -> None:
    one, two = shared.map(double, range(30), nothing), shared.map(size, [b"12"] * 30, nothing)
    assert list(zip(one, two, strict=True)) == [(2 * number, 2) for number in range(30)]


def test_one_block_or_one_job_needs_no_other_process(local: LocalBlocks) -> None:
    before = set(multiprocessing.active_children())
    assert list(local.map(process, ["only"], nothing)) == [os.getpid()]
    assert list(LocalBlocks(1).map(process, range(5), nothing)) == [os.getpid()] * 5
    assert list(local.map(process, [], refuse)) == []
    assert set(multiprocessing.active_children()) <= before


def test_one_pool_serves_all_works(local: LocalBlocks) -> None:
    before = set(multiprocessing.active_children())
    first = set(local.map(process, range(20), nothing))
    assert os.getpid() not in first
    assert set(local.map(process, range(20), partial(str, "other"))) <= first
    local.close()
    assert set(multiprocessing.active_children()) <= before


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_was_prepared_is_used_again(jobs: int, tmp_path: Path) -> None:
    local = LocalBlocks(jobs)
    prepare = partial(noted, tmp_path)
    for _ in range(5):
        assert list(local.map(with_prepared, range(20), prepare)) == [tmp_path] * 20
    assert list(local.map(with_prepared, ["only"], prepare)) == [tmp_path]
    assert len(os.listdir(tmp_path)) <= jobs
    again = partial(noted, tmp_path)
    before = len(os.listdir(tmp_path))
    list(local.map(with_prepared, range(2), again))
    assert len(os.listdir(tmp_path)) > before
    local.close()


def test_blocks_are_taken_as_they_are_needed(shared: LocalBlocks) -> None:
    taken = []

    def blocks() -> Iterator[int]:
        for number in range(1000):
            taken.append(number)
            yield number

    results = shared.map(double, blocks(), nothing)
    assert next(results) == 0
    assert len(taken) < 20


def test_large_blocks_and_large_results_pass_each_other(shared: LocalBlocks) -> None:
    assert list(shared.map(size, (bytes(3_000_000) for _ in range(20)), nothing)) == [3_000_000] * 20
    assert [len(result) for result in shared.map(large, [3_000_000] * 20, nothing)] == [3_000_000] * 20


def test_an_exception_reaches_the_caller_as_itself(shared: LocalBlocks) -> None:
    results = shared.map(fail_at_three, range(10), nothing)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(KeyError, match="three") as found:
        next(results)
    assert "fail_at_three" in found.value.__notes__[0]
    with pytest.raises(RuntimeError, match="UnreadableError: 1 and 2"):
        list(shared.map(fail_unreadably, range(3), nothing))
    with pytest.raises(RollcallError, match="nothing to prepare with"):
        list(shared.map(double, range(3), refuse))
    assert list(shared.map(double, range(3), nothing)) == [0, 2, 4]


@pytest.mark.parametrize(
    ("prepare", "message"),
    [
        (of_kill, r"was killed \(SIGKILL\), perhaps because it was out of memory; .*with fewer --jobs"),
        (
            of_memory_fault,
            r"was killed \(SIGSEGV\), perhaps because it was out of memory; .*with fewer --jobs",
        ),
    ],
)
def test_a_killed_worker_is_reported_with_its_signal(prepare, message: str, local: LocalBlocks) -> None:
    with pytest.raises(RollcallError, match=message):
        list(local.map(kill_itself, range(10), prepare))
    assert list(local.map(double, range(5), nothing)) == [0, 2, 4, 6, 8]


def test_a_worker_that_exits_is_reported_with_its_code(local: LocalBlocks) -> None:
    with pytest.raises(RollcallError, match="ended with exit code 7 in the middle"):
        list(local.map(leave, range(10), nothing))


def test_a_function_in_a_worker_may_itself_work_over_blocks(shared: LocalBlocks) -> None:
    assert list(shared.map(nested, [1, 2, 3], nothing)) == [[2, 4], [4, 6], [6, 8]]


def test_results_of_workers_that_were_ended_are_not_waited_for(local: LocalBlocks) -> None:
    results = local.map(double, range(100), nothing)
    next(results)
    local.close()
    with pytest.raises(RollcallError, match="were ended"):
        list(results)


UNGUARDED = """
from rollcall.tables.engine import LocalBlocks

def double(_, block):
    return 2 * block

def nothing():
    return None

print(list(LocalBlocks(2).map(double, range(10), nothing)))
"""


@pytest.mark.parametrize("broken", [False, True], ids=["without a guard", "that fails in a worker"])
def test_a_script_whose_workers_cannot_start_is_told_so(broken: bool, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    failing = "if __name__ != '__main__':\n    raise ValueError('only in a worker')\n"
    script.write_text(failing + UNGUARDED if broken else UNGUARDED)
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    last = ended.stderr.splitlines()[-1]
    assert "could not start (exit code 1); a script" in last
    assert '`if __name__ == "__main__":`' in last
    assert "killed" not in ended.stderr
    assert ("ValueError: only in a worker" in ended.stderr) == broken


def test_a_script_that_waits_for_an_output_without_a_guard_does_not_wait_for_itself(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    waiting = "with sole_writer(Path(__file__).with_name('out'), wait=True):\n    print("
    held = "from pathlib import Path\nfrom rollcall._core.locks import sole_writer\n"
    script.write_text(held + UNGUARDED.replace("print(", waiting))
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert '`if __name__ == "__main__":`' in ended.stderr.splitlines()[-1]
    assert "waiting for" not in ended.stderr


def test_a_script_that_writes_without_a_guard_is_not_told_that_another_process_writes(tmp_path: Path) -> None:
    facts = tmp_path / "facts.tsv"
    facts.write_text("subject\trelation\tobject\n" + "".join(f"a{n}\tr\tb\n" for n in range(2000)))
    script = tmp_path / "script.py"
    call = f"make_graph([{str(facts)!r}], {str(tmp_path / 'graph')!r}, jobs=2, block_bytes=8000)"
    script.write_text(f"from rollcall.graph import make_graph\n{call}\n")
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1
    assert "could not start (exit code 1); a script" in ended.stderr.splitlines()[-1]
    assert "is writing this" not in ended.stderr
