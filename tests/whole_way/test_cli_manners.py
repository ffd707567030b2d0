"""The manners of the command line: completion, quiet, JSON, no colours, options alike, after Ctrl-C."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.progress import Progress as RichProgress

from command_table import COMMANDS
from places import ROOT
from rollcall._core.console import Screen, be_quiet, columns
from rollcall.cli.main import _GOES_ON, app, main
from rollcall.cli.plugins import ADDS, extras, machine
from small_build import CHANGES

FACTS = "subject,relation,object\nFalcon,maker,Nordwerk\n"


def ran(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rollcall", *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
    )


def called(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    try:
        with pytest.raises(SystemExit) as left:
            main([str(word) for word in words])
    finally:
        be_quiet(False)
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err


def test_the_package_is_the_command() -> None:
    assert ran("--version").stdout.startswith("rollcall ")


def test_commands_are_completed() -> None:
    asked = ran(COMP_WORDS="rollcall gr", COMP_CWORD="1", _ROLLCALL_COMPLETE="complete_bash")
    assert asked.stdout.split() == ["graph"]


def test_quiet_leaves_results_and_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text(FACTS)
    made = ("graph", tmp_path / "a.csv", "-o", tmp_path / "graph")
    assert "facts" in called(capsys, *made)[1]
    assert called(capsys, *made, "--quiet") == (0, "", "")
    assert called(capsys, "-q", *made) == (0, "", "")
    assert called(capsys, "ask", tmp_path / "graph", "?x maker Nordwerk", "-q")[1] == "Falcon\tFalcon\n"
    assert "no such file" in called(capsys, "-q", "graph", tmp_path / "b.csv", "-o", tmp_path / "g")[2]


def test_a_quiet_build_prints_how_many_questions_it_made(
    small_world: Path, small_set: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = Path(shutil.copytree(small_set, tmp_path / "set"))  # whose stages are all kept
    changes = [word for change in CHANGES for word in ("--set", change)]
    given = ("build", "qampari", "-g", small_world / "graph", "-c", small_world / "corpus", "-o", out)
    code, printed, _ = called(capsys, *given, *changes, "-j", "1", "-q")
    made = len((out / "questions.jsonl").read_bytes().splitlines())
    assert code == 0
    assert printed.startswith(f"{out}: {made} questions (")


def test_json_of_a_command_that_makes_something(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.csv").write_text(FACTS)
    (tmp_path / "t.jsonl").write_text('{"title": "Falcon", "text": "A pump."}\n')
    _, text, _ = called(capsys, "graph", tmp_path / "a.csv", "-o", tmp_path / "graph", "--json")
    assert json.loads(text)["counts"]["facts"] == 1
    _, text, _ = called(capsys, "corpus", tmp_path / "t.jsonl", "-o", tmp_path / "corpus", "--json")
    assert json.loads(text)["counts"]["pages"] == 1
    for command in ("measures", "plugins", "doctor"):
        assert json.loads(called(capsys, command, "--json")[1])


def commands() -> list[tuple[str, Any]]:
    """Every command that can be called, also those of groups, by the words that call it."""

    def below(group: Any, words: str) -> Iterator[tuple[str, Any]]:
        for name, command in group.commands.items():
            if hasattr(command, "commands"):
                yield from below(command, f"{words}{name} ")
            else:
                yield f"{words}{name}", command

    return list(below(typer.main.get_command(app), ""))


def test_options_of_the_same_meaning_have_the_same_letters() -> None:
    letters = {"--out": "-o", "--graph": "-g", "--corpus": "-c", "--format": "-f", "--jobs": "-j"}
    without_json = []
    for name, command in commands():
        known = [option for parameter in command.params for option in parameter.opts]
        for long, short in letters.items():
            assert (long in known) == (short in known), f"{name} has {long}, but not {short}"
        if "--json" not in known:
            without_json.append(name)
    assert without_json == ["demo"], "it shows something to people"


def test_what_is_named_after_a_command_is_called_alike() -> None:
    """A set is SET everywhere, a run RUN, a file FILE; what may be left out stands in brackets."""
    named = {word for _, command in commands() for word in positional(command)}
    things = {"SET", "RUN", "GRAPH", "CORPUS", "FILE", "OUT", "DIR", "PROJECT"}
    chosen = {"RECIPE", "SYSTEM", "QUESTION", "NAME", "WHAT", "OLD", "NEW"}
    assert {re.sub(r"[\[\].]", "", word) for word in named} <= things | chosen
    assert all(re.fullmatch(r"[A-Z]+(\.\.\.)?|\[[A-Z]+(\.\.\.)?\]", word) for word in named), named
    meant = {"questions": "SET", "gold": "SET", "runs": "RUN", "predictions": "RUN", "graph": "GRAPH"}
    for name, command in commands():
        for parameter in command.params:
            if parameter.param_type_name == "argument" and parameter.name in meant:
                assert meant[parameter.name] in parameter.metavar, (name, parameter.name)


def positional(command: Any) -> list[str]:
    return [one.metavar for one in command.params if one.param_type_name == "argument"]


def test_places_are_called_alike_in_help() -> None:
    """Options for files and folders say which of the two they want."""
    for name, command in commands():
        for parameter in command.params:
            if {"--graph", "--corpus"} & set(parameter.opts):
                assert parameter.metavar == "DIR", (name, parameter.name)
            if "--out" in parameter.opts:
                assert parameter.metavar in ("DIR", "FILE", "DIR|FILE"), name


@pytest.mark.parametrize("words", [name for name, _ in commands()])
def test_help_is_plain_and_fits_eighty_columns(
    words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    code, text, _ = called(capsys, *words.split(), "--help")
    assert code == 0
    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_commands_that_go_on_say_so() -> None:
    assert {row.name for row in COMMANDS if row.grows} <= _GOES_ON
    assert {name.partition(" ")[0] for name, _ in commands()} >= _GOES_ON


def test_hints_name_what_can_be_installed() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    pages = [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    texts = {page: page.read_text(encoding="utf-8") for page in pages}
    hints = {
        page: re.findall(r"pip install (\S*)rollcall-qa\[([^\]]*)\](.?)", text)
        for page, text in texts.items()
    }
    assert sum(map(len, hints.values())) > 10
    for page, found in hints.items():
        for before, names, after in found:
            assert (before, after) == ("'", "'") or "{" in names, f"{page}: shells expand what is not quoted"
            assert "{" in names or set(names.split(",")) <= set(declared), page


@pytest.mark.slow
def test_no_colour_means_no_escape_sequence(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(FACTS)
    forced = {"FORCE_COLOR": "1", "NO_COLOR": "1"}
    assert "\x1b" not in ran("graph", tmp_path / "a.csv", "-o", tmp_path / "graph", **forced).stdout
    coloured = ran("graph", tmp_path / "a.csv", "-o", tmp_path / "graph", FORCE_COLOR="1", NO_COLOR="")
    assert "\x1b" in coloured.stdout


@pytest.mark.parametrize("count", [True, False])
def test_progress_keeps_count_time_and_money_at_eighty_columns(count: bool) -> None:
    console = Screen(width=80, file=StringIO())
    bar = RichProgress(*columns(80, count), console=console)
    task = bar.add_task("judged by some-model-of-a-long-name", total=60_000, remark="F1 61.3 · 12.34 USD")
    bar.update(task, completed=30_000)
    console.print(bar)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert shown.count("\n") == 1
    assert "30000/60000" in shown or not count
    assert "12.34 USD" in shown
    assert ":" in shown, "the time left"


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_after_an_interruption_it_is_said_how_to_go_on(tmp_path: Path) -> None:
    """A source that reads a pipe, which nobody fills, keeps the command waiting until the signal comes."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "a.txt").write_text("a line\n")
    (tmp_path / "waiting_source.py").write_text(
        "from rollcall.graph.source import WholeFileSource\n\n\n"
        "class Waits(WholeFileSource):\n"
        "    def read_file(self, path, rank):\n"
        "        yield open(path.with_name('pipe'), 'rb').read()\n"
    )
    command = [sys.executable, "-m", "rollcall", "graph", str(tmp_path / "a.txt"), "-o", str(tmp_path / "g")]
    command += ["--format", "waiting_source:Waits"]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    writer = os.open(tmp_path / "pipe", os.O_WRONLY)  # returns when the command has opened the pipe to read
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    os.close(writer)
    assert process.returncode == 130
    assert error.strip().endswith("run the same command again to go on")


def test_the_doctor_knows_every_extra(capsys: pytest.CaptureFixture[str]) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(ADDS) >= set(declared)
    _, text, _ = called(capsys, "doctor")
    assert "Java" in text
    assert "GPU" in text
    assert next(one.name for one in machine()) == "Python"


def test_the_doctor_says_how_to_install_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from email.message import Message

    described = Message()
    described["Provides-Extra"] = "documents"
    described["Provides-Extra"] = "frames"
    described["Requires-Dist"] = "nowhere-to-be-found>=5; extra == 'documents'"
    described["Requires-Dist"] = "rich; extra == 'frames'"
    described["Requires-Dist"] = "another-core-package"
    monkeypatch.setattr("rollcall.cli.plugins.metadata", lambda name: described)
    documents, frames = extras()
    assert documents.missing == ("nowhere-to-be-found>=5",)
    assert documents.install == "pip install 'rollcall-qa[documents]'"
    assert frames.missing == ()
