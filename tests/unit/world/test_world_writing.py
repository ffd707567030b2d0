"""Writing a world: the same bytes every time, nothing half-written, mistakes in one line."""

import gzip
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.tables.files import records
from rollcall.tables.graph import Truth
from rollcall.world import write_world
from rollcall.world.write import FILES

_SIZE = 600


def _digests(folder: Path) -> list[str]:
    return [hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in FILES]


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("one")
    write_world(folder, _SIZE, seed=3, jobs=1)
    return folder


def test_any_number_of_processes_gives_the_same_bytes(one: Path, tmp_path: Path) -> None:
    write_world(tmp_path / "two", _SIZE, seed=3, jobs=2)
    assert _digests(tmp_path / "two") == _digests(one)


def test_another_seed_gives_another_world(one: Path, tmp_path: Path) -> None:
    write_world(tmp_path / "other", _SIZE, seed=4, jobs=1)
    assert not set(_digests(tmp_path / "other")) & set(_digests(one))


def _statements(folder: Path) -> dict[str, tuple[str, str, str]]:
    """The statements of a dump between items, by their ids: subject, property, object."""
    found = {}
    with gzip.open(folder / FILES[0]) as lines:
        for line in lines:
            item = json.loads(line.strip().rstrip(b",")) if line.startswith(b"{") else {"claims": {}}
            for property_, claims in item["claims"].items():
                for claim in claims:
                    value = claim["mainsnak"].get("datavalue", {}).get("value")
                    if property_ != "P31" and isinstance(value, dict) and "id" in value:
                        found[claim["id"]] = (item["id"], property_, value["id"])
    return found


def test_a_dump_can_leave_out_facts_that_text_and_lists_have(one: Path, tmp_path: Path) -> None:
    write_world(tmp_path / "less", _SIZE, seed=3, jobs=1, unknown=0.25)
    assert _digests(tmp_path / "less")[1:] == _digests(one)[1:], "text and truth stay as they are"
    whole, less = _statements(one), _statements(tmp_path / "less")
    assert less.items() <= whole.items()
    assert 0.2 < 1 - len(less) / len(whole) < 0.3
    children = {(subject, object_) for subject, property_, object_ in whole.values() if property_ == "P40"}
    left = set(less.values())
    for parent, child in children:
        both = [(parent, "P40", child) in left, bool({(child, one, parent) for one in ("P22", "P25")} & left)]
        assert both[0] == both[1], "a fact and its converse share one fate"


def test_lists_can_leave_out_entries(one: Path, tmp_path: Path) -> None:
    write_world(tmp_path / "less", _SIZE, seed=3, jobs=1, unlisted=0.3)
    assert _digests(tmp_path / "less")[0] == _digests(one)[0], "the dump stays as it is"
    entries = []
    for folder in (one, tmp_path / "less"):
        rows = records(Truth, folder / FILES[2], ("kind", "page", "subject", "column"))
        cells = [row for row in rows if row["kind"] == "cell" and row["column"] == 0 and row["subject"]]
        entries.append({(row["page"], row["subject"]) for row in cells})
    assert entries[1] < entries[0]
    assert 0.25 < 1 - len(entries[1]) / len(entries[0]) < 0.5  # and lists that became too short


def test_shares_can_be_none_or_all(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    write_world(tmp_path, 500, seed=1, untold=1.0, decoys=0.0, jobs=1)
    rows = pq.read_table(tmp_path / "truth.parquet").to_pylist()
    assert {row["relation"] for row in rows if row["sentence"] is not None} == {"P31"}
    assert not [row for row in rows if row["kind"] == "decoy"]
    assert len(rows) > 1000


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        ({"entities": 10}, "--entities 10: "),
        ({"untold": 1.5}, "--untold 1.5: "),
        ({"decoys": -0.1}, "--decoys -0.1: "),
        ({"seed": -1}, "--seed -1: "),
        ({"jobs": 0}, "--jobs 0: "),
    ],
)
def test_mistakes_are_explained(tmp_path: Path, mistake: dict[str, int], message: str) -> None:
    with pytest.raises(RollcallError, match=message):
        write_world(tmp_path / "world", **mistake)  # type: ignore[arg-type]
    assert not (tmp_path / "world").exists()


def test_a_file_in_the_way_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    with pytest.raises(RollcallError, match="is a file"):
        write_world(tmp_path / "file", 500)
    assert (tmp_path / "file").read_text() == "here"


def _start(folder: Path, *options: str) -> "subprocess.Popen[bytes]":
    """Start the command and wait until it is at work."""
    command = [
        sys.executable,
        "-m",
        "rollcall.cli.main",
        "world",
        str(folder),
        "--entities",
        "6000",
        *options,
    ]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # a shell that runs the tests in the background has them, and so their children, ignore the signal
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 60
    while not list(folder.parent.glob(f".{folder.name}.*/wikidata.json.gz")):
        assert process.poll() is None, process.stderr.read() if process.stderr else b""
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return process


def test_a_killed_run_leaves_no_file_and_the_next_one_works(tmp_path: Path) -> None:
    process = _start(tmp_path / "world", "--jobs", "1")
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert not [name for name in FILES if (tmp_path / "world" / name).exists()]
    write_world(tmp_path / "world", 500, jobs=1)
    assert sorted(path.name for path in (tmp_path / "world").iterdir()) == sorted(FILES)
    assert os.listdir(tmp_path) == ["world"]


def test_an_interrupted_run_cleans_up_and_keeps_the_old_world(tmp_path: Path) -> None:
    write_world(tmp_path / "world", 500, jobs=1)
    before = _digests(tmp_path / "world")
    process = _start(tmp_path / "world", "--jobs", "2")
    os.kill(process.pid, signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode not in (0, None)
    assert _digests(tmp_path / "world") == before
    assert sorted(path.name for path in (tmp_path / "world").iterdir()) == sorted(FILES)
