"""What goes wrong is told in a line, with exit code 2 for the user or the machine and 1 for a bug of ours."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.cli.main import explain, main
from rollcall.graph import make_graph


def ended(*command: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(list(command))
    assert isinstance(left.value.code, int)
    return left.value.code


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    rows = [f"Q{number}\tr\tZoë {number}" for number in range(20_000)]  # more than a pipe holds
    (folder / "x.tsv").write_text("\n".join(["subject\trelation\tobject", *rows]) + "\n", encoding="utf-8")
    make_graph([folder / "x.tsv"], folder / "g", jobs=1, show_progress=False)
    return folder / "g"


def run(command: list[str]) -> subprocess.CompletedProcess[bytes]:
    """The command as users run it; the shell may put something behind it."""
    environment = {**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    script = f'"{sys.executable}" -m rollcall.cli.main {" ".join(command)}'
    return subprocess.run(
        ["bash", "-c", script], capture_output=True, env=environment, timeout=120, check=False
    )


def test_a_terminal_of_ascii_alone_and_a_reader_that_leaves(graph: Path) -> None:
    found = run(["ask", str(graph), "'?x r [Zoë 5]'", "--explain"])
    assert found.returncode == 0, found.stderr
    assert b"Q5" in found.stdout
    found = run(["ask", str(graph), "'?x r ?y'", "| head -n 1; exit ${PIPESTATUS[0]}"])
    assert found.stdout.count(b"\n") == 1
    assert found.returncode == 141
    assert found.stderr == b""


def test_json_for_a_terminal_of_ascii_alone_is_json(graph: Path) -> None:
    found = run(["ask", str(graph), "'?x r [Zoë 5]'", "--json"])
    assert json.loads(found.stdout)["answers"][0]["id"] == "Q5"


FULL = (
    OSError(errno.ENOSPC, "No space left on device"),
    OSError(errno.EDQUOT, "Disk quota exceeded"),
    OSError("12345 requested and 0 written: No space left on device"),
    RuntimeError("database or disk is full"),
)


@pytest.mark.parametrize("error", FULL)
def test_a_full_disk_is_no_bug(error: Exception) -> None:
    line, code = explain(error)
    assert code == 2
    assert "no room left on the disk" in line
    assert "a bug" not in line


def test_a_full_disk_behind_a_message_of_ours_is_told() -> None:
    wrapped = RollcallError("x: cannot be written")
    wrapped.__cause__ = OSError(errno.ENOSPC, "No space left on device")
    assert "no room" in explain(wrapped)[0]


def test_a_command_that_fills_the_disk_says_so_and_leaves_nothing_half_written(tmp_path: Path) -> None:
    gold = tmp_path / "gold.jsonl"
    gold.write_text(
        "".join(f'{{"id": "{n}", "question": "q", "answers": [{{"label": "a"}}]}}\n' for n in range(500))
    )
    out = tmp_path / "set"
    assert ended("import", str(gold), "--out", str(out)) == 0
    before = (out / "questions.jsonl").read_bytes()
    program = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000));"
        "from rollcall.cli.main import main; main(sys.argv[1:])"
    )
    for command in (
        ["import", str(gold), "--out", str(out), "--force"],
        ["export", str(gold), "--out", str(tmp_path / "x.jsonl")],
    ):
        found = subprocess.run(
            [sys.executable, "-c", program, *command], capture_output=True, timeout=120, check=False
        )
        assert found.returncode == 2, found.stderr
        assert b"no room left on the disk" in found.stderr
        assert found.stderr.count(b"\n") == 1
    assert (out / "questions.jsonl").read_bytes() == before, "what stood there still does"
    assert not (tmp_path / "x.jsonl").exists()


NO_MEMORY = (
    MemoryError(),
    OSError(errno.ENOMEM, "Cannot allocate memory"),
    OSError("Out of Memory Error: ArrowBuffer: failed to allocate 1048576 bytes"),
    ImportError("/x/y.so: failed to map segment from shared object"),
    RuntimeError("can't start new thread"),
)


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text on other systems")
@pytest.mark.parametrize("source", ["docs", "docs/page\udcff.txt", "facts\udcff.tsv"])
def test_a_file_whose_name_is_not_text_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], source: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    for name in ("page.txt", "page\udcff.txt"):
        Path("docs", name).write_text("Graz is in Styria.")
    Path("facts\udcff.tsv").write_text("subject\trelation\tobject\nGraz\tin\tStyria\n")
    command = "graph" if source.endswith("tsv") else "corpus"
    with pytest.raises(SystemExit) as ended:
        main([command, source, "--out", "out", "--jobs", "1"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    name = "facts\\udcff.tsv" if command == "graph" else "page\\udcff.txt"
    assert told.startswith(f"rollcall: {name}: an argument or the name of a file is not text")
    assert told.count("\n") == 1


@pytest.mark.parametrize("error", NO_MEMORY)
def test_too_little_memory_is_no_bug(error: Exception) -> None:
    line, code = explain(error)
    assert code == 2
    assert line.startswith("there is not enough memory for this; give it less to do at once (see --jobs")


def run_limited(megabytes: int, command: str) -> subprocess.CompletedProcess[bytes]:
    """Run a command in a process that may use so much address space."""
    script = f'ulimit -v {megabytes * 1000}; "{sys.executable}" -m rollcall.cli.main {command}'
    return subprocess.run(["bash", "-c", script], capture_output=True, timeout=120, check=False)


@pytest.fixture
def making_a_graph(tmp_path: Path) -> str:
    """A command that makes a small graph."""
    (tmp_path / "facts.tsv").write_text("subject\trelation\tobject\nGraz\tin\tStyria\n")
    return f"graph {tmp_path}/facts.tsv --out {tmp_path}/graph --jobs 1"


@pytest.mark.parametrize(
    ("megabytes", "message"),
    [
        (300, b"there is not enough memory"),
        (1600, b"too little memory: this process may use 1.6 GB of address space"),  # a database might crash
    ],
)
def test_a_command_that_may_not_use_enough_memory_says_so(
    making_a_graph: str, megabytes: int, message: bytes
) -> None:
    done = run_limited(megabytes, making_a_graph)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(b"rollcall: " + message)
    assert b"ulimit -v" in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_a_command_without_an_option_for_memory_takes_what_its_process_may_use(
    tmp_path: Path, making_a_graph: str
) -> None:
    for command in (f"{making_a_graph} --memory 64MB", f"show {tmp_path}/graph"):
        done = run_limited(2600, command)
        assert done.returncode == 0, done.stderr
    done = run_limited(2000, f"show {tmp_path}/graph")
    assert done.returncode == 2
    assert done.stderr.endswith(b"a database needs 2.3 GB; raise that limit\n")


def test_a_bug_is_still_called_one() -> None:
    line, code = explain(ValueError("odd"))
    assert (code, "a bug" in line) == (1, True)


@pytest.mark.parametrize(
    "command",
    [
        ["score", "{missing}", "{gold}"], ["score", "{empty}", "{gold}"], ["score", "{folder}", "{gold}"],
        ["score", "{gold}", "{missing}"], ["score", "{gold}", "{empty}"], ["score", "{gold}", "{folder}"],
        ["graph", "{missing}", "--out", "{new}"], ["graph", "{empty}", "--out", "{new}"], ["graph",
        "{folder}", "--out", "{new}"],
        ["graph", "{gold}", "--out", "{gold}"], ["ask", "{missing}", "?x r ?y"], ["ask", "{gold}", "?x r ?y"],
        ["import", "{missing}", "--out", "{new}"], ["import", "{folder}", "--out", "{new}"], ["export",
        "{gold}", "--out", "{gold}/x"],
        ["verify", "{missing}"], ["verify", "{empty}"], ["verify", "{folder}"], ["show", "{gold}"],
        ["stats", "{missing}"],
        ["build", "{folder}"], ["build", "{new}.yaml"], ["build", "{empty}.yaml"],
        ["world", "{gold}"], ["world", "{new}", "--seed", "-1"], ["world", "{new}", "--jobs", "-1"],
        ["demo", "--seed", "-1"], ["score", "{gold}", "{gold}", "--seed", "1"], ["score", "{gold}",
        "{gold}", "--resamples", "0"], ["compare", "{gold}", "{gold}", "{gold}", "--resamples", "-1"],
        ["compare", "{gold}", "{gold}", "{gold}", "--seed", "-1"], ["build", "qampari", "--seed", "-1"],
        ["run", "{gold}", "--out", "{new}", "--seed", "-1"], ["run", "{gold}", "--out", "{new}", "--k", "0"],
    ],
)  # fmt: skip
def test_a_mistake_of_the_user_is_one_line_and_a_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    (tmp_path / "empty").write_text("")
    (tmp_path / "empty.yaml").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "gold").write_text('{"id": "1", "question": "q", "answers": [{"label": "a"}]}\n')
    names = {name: str(tmp_path / name) for name in ("missing", "empty", "folder", "gold", "new")}
    assert ended(*(word.format(**names) for word in command)) == 2
    said = capsys.readouterr().err
    assert said.startswith("rollcall: ")
    assert said.count("\n") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").write_text("{}")
    (tmp_path / "x").chmod(0)
    assert ended("score", str(tmp_path / "x"), str(tmp_path / "x")) == 2
    assert "Permission denied" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            ["extract", "{missing}", "--out", "{new}"],
            "make a corpus with `rollcall corpus SOURCE --out {missing}`",
        ),
        (["graph", "{folder}", "--out", "{new}"], "is a folder, not a file; name the files in it"),
        (["graph", "{binary}", "--out", "{new}"], "is not text"),
        (["corpus", "{numbers}", "--out", "{new}"], "is not a JSON array of objects with title and text"),
        (
            ["score", "{gold}", "{gold}", "--html", "{folder}"],
            "such a report goes to a file that ends in .html",
        ),
        (
            ["plugins", "readers"],
            "'readers' is a kind, not a name; `rollcall plugins --kind readers` lists them",
        ),
        (["plugins", "bm52"], "nothing is called 'bm52'; did you mean bm25"),
        (["plugins", "nosuch"], "`rollcall plugins` lists all names"),
    ],
)
def test_what_to_do_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str], said: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "binary.csv").write_bytes(b"\0\1\2\xff")
    (tmp_path / "numbers.json").write_text("[1, 2]")
    (tmp_path / "gold").write_text('{"id": "1", "question": "q", "answers": [{"label": "a"}]}\n')
    names = {name: str(tmp_path / name) for name in ("missing", "folder", "gold", "new")}
    names |= {"binary": str(tmp_path / "binary.csv"), "numbers": str(tmp_path / "numbers.json")}
    assert ended(*(word.format(**names) for word in command)) == 2
    line = capsys.readouterr().err
    assert said.format(**names) in line
    assert line.count("\n") == 1
    assert len(line) < 400, "no list of all names"


def test_a_graph_where_a_corpus_belongs_is_named(
    graph: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended("extract", str(graph), "--out", str(tmp_path / "new")) == 2
    assert "is not a corpus: it was made by `rollcall graph`" in capsys.readouterr().err
    (tmp_path / "a.txt").write_text("A page of text.")
    assert ended("corpus", str(tmp_path / "a.txt"), "--out", str(graph)) == 2
    assert "holds what `rollcall graph` made; name another folder" in capsys.readouterr().err


def test_no_argument_shows_the_help_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended() == 2
    shown = capsys.readouterr()
    assert "rollcall demo" in shown.out
    assert shown.err == ""
