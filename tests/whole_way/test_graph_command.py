"""The command `rollcall graph`: what it prints, its mistakes in one line, and going on after a kill."""

import gzip
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from graph_dumps import (
    array_form,
    folder_bytes,
    item,
    item_value,
    line_form,
    quantity_value,
    statement,
    time_value,
)
from rollcall._core.checksums import sealed
from rollcall.cli.main import main
from rollcall.graph import Graph, make_graph

BLOCK_BYTES = 1 << 16
BLOCKS = 15
"""The test dump has more blocks than this."""


def things(count: int, offset: int = 0) -> list[object]:
    """Items with a few statements each, and a broken line now and then."""
    lines: list[object] = []
    for number in range(offset, offset + count):
        claims = {
            "P31": [statement(item_value(f"Q{100_000 + number % 7}"))],
            "P1": [statement(item_value(f"Q{number * 7 % 5000}")), statement(item_value(f"Q{number % 31}"))],
            "P2": [statement(quantity_value(f"+{number}"))],
            "P3": [statement(time_value(f"+{1000 + number % 1000}-05-17T00:00:00Z", 11))],
        }
        lines.append(item(f"Q{number}", f"thing {number % 1000}", claims))
        if number % 1000 == 17:
            lines.append(b'{"broken":')
    return lines


@pytest.fixture(scope="module")
def dump(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dump") / "dump.json.gz"
    path.write_bytes(gzip.compress(array_form(things(1200)), 1))
    return path


@pytest.fixture(scope="module")
def undisturbed(dump: Path) -> dict[str, bytes]:
    out = dump.parent / "undisturbed"
    make_graph([dump], out, jobs=1, block_bytes=BLOCK_BYTES)
    return folder_bytes(out)


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(["graph", *map(str, arguments)])
    printed = capsys.readouterr()
    assert isinstance(ended.value.code, int)
    return ended.value.code, printed.out, printed.err


def test_the_number_of_jobs_and_the_size_of_blocks_do_not_show(
    tmp_path: Path, dump: Path, undisturbed: dict[str, bytes]
) -> None:
    make_graph([dump], tmp_path / "jobs", jobs=2, block_bytes=BLOCK_BYTES)
    assert folder_bytes(tmp_path / "jobs") == undisturbed
    make_graph([dump], tmp_path / "blocks", jobs=1)
    assert folder_bytes(tmp_path / "blocks") == undisturbed


def test_a_killed_run_is_taken_up(tmp_path: Path, dump: Path, undisturbed: dict[str, bytes]) -> None:
    out = tmp_path / "graph"
    command = [sys.executable, "-m", "rollcall.cli.main", "graph", str(dump), "--out", str(out)]
    command += ["--jobs", "2", "--block-bytes", str(BLOCK_BYTES)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as process:
        finished = wait_for(lambda: list((out / ".partial").glob("shards/*/*/*[0-9]/piece.json")), process)
        os.killpg(process.pid, signal.SIGKILL)  # the workers, too, as when a machine fails
    assert process.returncode == -signal.SIGKILL
    assert not (out / "graph.json").exists()
    assert 0 < len(finished) < BLOCKS, "the kill must come in the middle of reading"
    shutil.copytree(out, marked := tmp_path / "marked")
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=120)
    assert folder_bytes(out) == undisturbed
    # What was read before the kill is not read again: a mark put there comes through.
    mark = marked / finished[0].relative_to(out)
    record = json.loads(mark.read_bytes())
    record["found"]["skipped"] = {"marks": 1}
    mark.write_text(json.dumps(sealed(record)))
    graph = make_graph([dump], marked, jobs=1, block_bytes=BLOCK_BYTES)
    assert graph.manifest["sources"][0]["skipped"] == {"marks": 1}


def wait_for(look: object, process: subprocess.Popen[bytes]) -> list[Path]:
    for _ in range(6000):
        found: list[Path] = look()  # type: ignore[operator]
        if found:
            return found
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.005)
    raise AssertionError("nothing was read within 30 s")


def test_the_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "small.json"
    source.write_bytes(line_form(things(18)))
    code, printed, _ = run(capsys, source, "--out", tmp_path / "g", "--jobs", "1")
    assert code == 0
    assert "bad entries: 1 malformed" in printed
    assert "small.json:19: " in printed
    words = printed.replace("│", " ").split()
    assert words[words.index("values") + 1] == "36"


def test_mistakes_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = tmp_path / "good.tsv"
    good.write_text("subject\trelation\tobject\na\tr\tb\n")
    bad = tmp_path / "bad.json"
    bad.write_bytes(line_form([*things(16), *[b"{oops"] * 20]))
    few = tmp_path / "few.json"
    few.write_bytes(line_form([*things(16), b"{oops"]))
    full = tmp_path / "full"
    full.mkdir()
    (full / "letter.txt").write_text("dear")
    cases = [
        ([tmp_path / "nowhere.json", "--out", tmp_path / "g"], "nowhere.json: no such file"),
        ([tmp_path, "--out", tmp_path / "g"], "is a folder, not a file"),
        ([good, "--out", good], "is an input as well as the output"),
        ([good, "--out", bad], "is a file; name a folder"),
        ([good, "--out", full], "holds letter.txt, which Rollcall did not write there"),
        ([bad, "--out", tmp_path / "g", "-j", "1"], "20 of 36 entries are bad (20 malformed)"),
        (
            [good, "--out", tmp_path / "g", "--preset", "x"],
            "there is no option preset of the graph source tsv",
        ),
        ([good], "Missing option '--out'"),
        ([good, "--out", tmp_path / "g", "--max-bad", "7"], "Invalid value for '--max-bad'"),
        ([good, "--out", tmp_path / "g", "--memory", "much", "-j", "1"], "--memory"),
        ([good, "--out", "/proc/none/g", "-j", "1"], "/proc/none"),
        ([few, "--out", tmp_path / "g", "--max-bad", "0"], "1 of 17 entries are bad"),
        ([good, "--out", tmp_path / "g", "--memory", "300KB"], "is too little"),
    ]
    for arguments, message in cases:
        code, printed, error = run(capsys, *arguments)
        assert (code, printed) == (2, ""), error
        assert message in error
        assert error.count("\n") == 1
        assert error.startswith("rollcall: ")


def test_after_too_many_bad_entries_the_limit_can_be_raised(tmp_path: Path) -> None:
    source = tmp_path / "bad.json"
    source.write_bytes(line_form([*things(16), *[b"{oops"] * 20]))
    graph = make_graph([source], tmp_path / "g", jobs=1, max_bad=1)
    assert graph.manifest["sources"][0]["bad"] == {"malformed": 20}


@pytest.fixture
def cut_dump(dump: Path, tmp_path: Path) -> Path:
    path = tmp_path / "cut.json.gz"
    path.write_bytes(dump.read_bytes()[:-10000])
    return path


def test_a_truncated_archive_is_read_to_where_it_breaks(cut_dump: Path, tmp_path: Path) -> None:
    graph = make_graph([cut_dump], tmp_path / "g", jobs=2)
    (source,) = graph.manifest["sources"]
    assert 500 < source["entries"] < 1202
    assert source["bad"]["damaged"] == 1
    assert source["bad_examples"][0]["source"] == cut_dump.name
    assert "what came before it was read" in source["bad_examples"][0]["reason"]


def test_lines_longer_than_a_block_are_passed_over(tmp_path: Path) -> None:
    lines = [item("Q1", "one"), item("Q2", "x" * 5000), item("Q3", "three"), item("Q4", "y" * 9000)]
    source = tmp_path / "long.json"
    source.write_bytes(line_form(lines))
    graph = make_graph([source], tmp_path / "g", jobs=1, block_bytes=1000)
    assert list(graph.index.entity_ids) == ["Q1", "Q3"]
    assert graph.manifest["sources"][0]["bad"] == {"overlong": 2}


def test_other_options_are_not_served_from_what_was_read_before(tmp_path: Path, dump: Path) -> None:
    """Leftovers of an interrupted run under other options must not leak into this one."""
    source = tmp_path / "d.json"
    source.write_bytes(line_form([item("Q1", "one", {"P1": [statement(item_value("Q2"), ends="value")]})]))
    out = tmp_path / "g"
    leftover = out / ".partial" / "shards" / "0123456789abcdef" / "0000" / "000"
    leftover.mkdir(parents=True)
    (leftover / "facts-0.parquet").write_bytes(b"of another run")
    graph: Graph = make_graph([source], out, jobs=1)
    assert graph.manifest["counts"]["facts"] == 0
    assert not (out / ".partial").exists()


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc to see blocked signals")
def test_the_server_of_workers_does_not_hear_an_interruption_while_it_starts(tmp_path: Path) -> None:
    """Otherwise Ctrl-C in the first moments prints the traceback of its imports."""
    program = (
        "from multiprocessing import forkserver\n"
        "from rollcall._core.workers import start_server\n"
        "if __name__ == '__main__':\n"
        "    start_server(['rollcall.graph.make'])\n"
        "    print(open(f'/proc/{forkserver._forkserver._forkserver_pid}/status').read())\n"
    )
    script = tmp_path / "start.py"
    script.write_text(program)
    printed = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
    deaf = [
        int(line.split()[1], 16) for line in printed.splitlines() if line.startswith(("SigBlk", "SigIgn"))
    ]
    assert any(mask >> (signal.SIGINT - 1) & 1 for mask in deaf)
