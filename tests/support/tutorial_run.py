"""Runs pages with commands in a folder with a small company's data: the tutorial, and the pages after it."""

import json
import os
import shutil
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

from model_server import ModelServer
from places import ROOT
from rollcall.cli.main import main
from shown_commands import Shown, missing_line, shown

SERVER = "http://localhost:8000/v1"
TRANSCRIPT = "transcript.json"
NOT_RUN = {
    "pip install": "what a page needs is installed, or its test is skipped",
    "cp -r": "the test places the data",
    "export ": "it is a matter of the shell",
    "rollcall view": "it serves until it is ended; tests/unit/tuning and tests/whole_way run it",
    "rollcall annotate": "it serves until it is ended; tests/unit/studio/test_annotate_command.py runs it",
}


def make(folder: Path) -> None:
    """Run the tutorial in a folder, and keep what was printed."""
    shutil.copytree(ROOT / "examples" / "data" / "corvane", folder / "corvane")
    printed = run_page(ROOT / "docs" / "tutorial.md", folder)
    (folder / TRANSCRIPT).write_text(json.dumps(printed))


def run_page(page: Path, folder: Path) -> dict[int, str]:
    """Run what a page shows; returns what each command printed, by its line."""
    printed: dict[int, str] = {}
    names: dict[str, Any] = {"__name__": "__main__"}
    with chdir(folder), ModelServer() as server:
        for one in shown(page):
            if one.file:
                Path(one.file).write_text(one.content)
            elif one.python:
                exec(compile(one.python, f"{page.name}:{one.line}", "exec"), names)  # noqa: S102 - it is ours
            elif not one.command.startswith(tuple(NOT_RUN)):
                printed[one.line] = _run(one, server.url)
    return printed


def _run(one: Shown, server: str) -> str:
    words = [word.replace(SERVER, server) for word in one.words]
    assert words[0] == "rollcall", f"line {one.line}: {one.command}"
    said, code = StringIO(), None
    with redirect_stdout(said), redirect_stderr(said):
        try:
            main(words[1:])
        except SystemExit as ended:
            code = ended.code
    assert code == 0, f"line {one.line}: {one.command} ended with {code}\n{said.getvalue()}"
    return said.getvalue()


def check_printed(page: Path, printed: dict[int, str]) -> None:
    """Fail where a page shows what was not printed."""
    for one in shown(page):
        if one.line in printed:
            lacking = missing_line(one.output, printed[one.line])
            assert lacking is None, (
                f"{page.name}:{one.line} shows {lacking!r}, but there is:\n{printed[one.line]}"
            )


def linked(folder: Path, target: Path) -> None:
    """Copy a folder, by links where the disk allows it."""

    def link(source: str, to: str) -> None:
        try:
            os.link(source, to)
        except OSError:
            shutil.copy(source, to)

    shutil.copytree(folder, target, copy_function=link, dirs_exist_ok=True)
