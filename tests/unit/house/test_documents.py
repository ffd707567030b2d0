"""What README and docs tell people to type exists: commands, options, extras, targets and scripts.

tests/whole_way/test_pages_run.py runs what can be run.
"""

import re
import tomllib

import pytest

from documents import Snippet, pages, snippets
from parsed_commands import benchmark_mistake, mistake
from places import ROOT

ALL = [snippet for page in pages() for snippet in snippets(page)]
SHOWN = [one for one in ALL if one.kind != "python"]


def test_there_is_something_to_check() -> None:
    assert len([one for one in SHOWN if one.text.startswith("rollcall ")]) > 200
    assert len([one for one in ALL if one.kind == "python"]) > 30


def test_every_command_is_understood() -> None:
    wrong = {
        f"{one}: {one.text}": found
        for one in SHOWN
        if one.text.startswith("rollcall ")
        and (found := mistake(one.words[1:], whole=one.kind == "command")) is not None
    }
    assert not wrong


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rollcall scored GOLD PRED", "scored"),
        ("rollcall score GOLD PRED --profil entity", "--profil"),
        ("rollcall score GOLD PRED MORE", "extra argument"),
        ("rollcall score", "missing argument"),
        ("rollcall graph facts.tsv", "--out"),
        ("rollcall score GOLD PRED --missing sometimes", "sometimes"),
        ("rollcall world OUT --entities many", "many"),
        ("rollcall annotate invite films --counts 2", "--counts"),
        ("rollcall score GOLD PRED … --measure F1", "--measure"),
    ],
)
def test_a_wrong_command_is_noticed(text: str, told: str) -> None:
    found = mistake(Snippet("page", 1, "command", text).words[1:])
    assert found is not None
    assert told.lower() in found.lower()


def test_every_command_of_a_benchmark_is_understood() -> None:
    named = [one for one in SHOWN if one.words[0] == "python" and one.words[1].endswith(".py")]
    assert {"README.md", "docs/figures.md"} <= {one.page for one in named}
    wrong = {f"{one}: {one.text}": found for one in named if (found := benchmark_mistake(one.words[1:]))}
    assert not wrong


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("benchmarks/bench_nothing.py", "no file benchmarks/bench_nothing.py"),
        ("benchmarks/bench_world.py --size 5", "unrecognized arguments: --size"),
        ("benchmarks/bench_world.py many", "invalid int value: 'many'"),
        ("benchmarks/systems_tables.py learnt WORK", "invalid choice: 'learnt'"),
        ("benchmarks/studio_screenshots.py DEMO", "required: out"),
        ("benchmarks/bench_trust.py DOCRED --fold DIR", "unrecognized arguments: --fold"),
    ],
)
def test_a_wrong_command_of_a_benchmark_is_noticed(words: str, told: str) -> None:
    assert told in (benchmark_mistake(words.split()) or "")


def test_every_block_of_python_compiles() -> None:
    for one in ALL:
        if one.kind == "python":
            assert compile(one.text, str(one), "exec")


def test_other_programs_are_called_with_what_there_is() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for one in SHOWN:
        program, *words = one.words
        if program == "make":
            assert words[0] in targets, one
        elif program == "pip":
            for extra in re.findall(r"rollcall-qa\[([^\]]+)\]", one.text):
                assert set(extra.split(",")) <= extras.keys(), one


def test_scripts_that_are_named_exist() -> None:
    for page in pages():
        for name in re.findall(
            r"`(?:python )?((?:benchmarks|examples|tests|models)/[\w/]+\.\w+)", page.read_text("utf-8")
        ):
            assert (ROOT / name).exists(), (page.name, name)


def test_the_page_of_figures_has_every_figure_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition("## Measured")[2].partition("## ")[0]
    rows = [line.strip() for line in table.splitlines() if line.startswith("| ")][1:]
    figures = (ROOT / "docs" / "figures.md").read_text(encoding="utf-8")
    assert len(rows) >= 5
    for row in rows:
        assert row in figures, row
