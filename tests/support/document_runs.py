"""Runs a page of the documents from top to bottom in a folder of its own."""

import json
import os
import re
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

import pump_documents
from document_setups import NEEDS, NOT_RUN, QUICK, SERVER, SETUPS
from documents import Snippet
from places import ROOT
from rollcall.cli.main import main


def place(stock: Path, folder: Path, names: dict[str, str]) -> None:
    """Put things of the stock into a folder, by the names of a page; files are linked, none is changed."""
    for name, source in names.items():
        target, given = folder / name, stock / source
        if source.startswith("examples/"):
            given = ROOT / source
        assert given.exists(), f"{source} is neither in the stock nor in the repository"
        target.parent.mkdir(parents=True, exist_ok=True)
        if given.is_dir():
            shutil.copytree(given, target, copy_function=_link)
        else:
            _link(given, target)


def _link(source: Path | str, target: Path | str) -> None:
    """Link a file; copy it where source and target are on different disks."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy(source, target)


def reply(body: dict[str, Any]) -> Any:
    """What the tests' language model says: a query, a verdict or a grade if one is asked for, else a list."""
    asked = "\n".join(str(message["content"]) for message in body["messages"])
    if "You design the schema" in asked:
        return json.dumps(yaml.safe_load(pump_documents.SCHEMA))
    if re.search("^Page: ", asked, re.MULTILINE):
        return pump_documents.read(body)
    if "query language" in asked:
        return "?x director [Orla Venn]"
    if "yes or no" in asked:
        return "yes"
    if "Correctness Details" in asked:
        details = {"Correctness Details": {"Rhône": True, "Saône": False}, "Excessive Answers": ["Isère"]}
        return json.dumps({"Answer Correctness": {"Explanation": "As it stands there.", **details}})
    return ["Ann"]


def left(snippet: Snippet) -> bool:
    """Whether a snippet is on the list of those that are not run."""
    return any(one.means(snippet.page, snippet.text) for one in NOT_RUN)


def lacking(snippet: Snippet) -> bool:
    """Whether a snippet needs what is not installed here."""
    return any(words in snippet.text and find_spec(module) is None for words, module in NEEDS.items())


def run_page(snippets: list[Snippet], stock: Path, folder: Path, server: str) -> None:
    """Run what a page shows; `server` takes the place of the documents' language model."""
    setup = SETUPS[snippets[0].page]
    names: dict[str, Any] = {"__name__": "__main__"}
    begun: set[str] = set()
    for snippet in snippets:
        start = snippet.section if snippet.section in setup else ""
        if start not in begun:
            begun.add(start)
            inside = folder / str(len(begun))
            inside.mkdir()
            os.chdir(inside)
            place(stock, inside, {**setup[""], **setup[start]})
        if not left(snippet) and not lacking(snippet):
            text = snippet.text.replace(SERVER, server)
            if snippet.kind == "python":
                exec(compile(text, str(snippet), "exec"), names)  # noqa: S102 - it is ours
            else:
                _run_command(snippet, text)


def _run_command(snippet: Snippet, text: str) -> None:
    words = Snippet(snippet.page, snippet.line, "command", text).words[1:]
    quick = QUICK.get((snippet.page, *words[:2]), QUICK.get(tuple(words[:2]), ()))
    own = {word.partition("=")[0] for word in words if "=" in word}
    pairs = zip(quick[::2], quick[1::2], strict=True)
    added = [word for pair in pairs if pair[1].partition("=")[0] not in own for word in pair]
    with pytest.raises(SystemExit) as ended:
        main([*words, *added])
    assert ended.value.code == 0, f"{snippet}: {snippet.text}"
