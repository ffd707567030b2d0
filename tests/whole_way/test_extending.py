"""The examples of docs/extending.md work as they stand: their files are written, their commands run."""

import ast
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from house.trials import TRIALS, Trial, tried
from places import ROOT
from public_names import PACKAGES as PUBLIC
from rollcall import RollcallError
from rollcall.cli.main import main

DOCUMENT = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")


class Block(NamedTuple):
    """One block of code: its language, its file if it is one, and its text."""

    language: str
    file: str | None
    text: str


def blocks(section: str) -> list[Block]:
    found = re.findall(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', section, re.MULTILINE | re.DOTALL)
    return [Block(language, file or None, text) for language, file, text in found]


SECTIONS = {
    title: blocks(text)
    for title, text in re.findall(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", DOCUMENT, re.MULTILINE | re.DOTALL)
}
EXAMPLES = {title: found for title, found in SECTIONS.items() if any(one.file for one in found)}


@pytest.fixture
def folder(asked_world, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a graph, a corpus and questions, where somebody works."""
    for name, source in (("graph", "graph"), ("corpus", "corpus"), ("questions", "set")):
        (tmp_path / name).symlink_to(asked_world.folder / source)
    monkeypatch.chdir(tmp_path)
    return tmp_path


SLOW = {"Verifier": pytest.mark.slow}
"""Its commands build a whole set."""


@pytest.mark.parametrize("title", [pytest.param(title, marks=SLOW.get(title, ())) for title in EXAMPLES])
def test_the_example_works_as_it_stands(title: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    modules = [block.file for block in EXAMPLES[title] if block.file and block.language == "python"]
    assert len(modules) == 1, "each kind of thing is one file"
    for block in EXAMPLES[title]:
        if block.file is not None:
            (folder / block.file).write_text(block.text, encoding="utf-8")
    try:
        for block in EXAMPLES[title]:
            if block.language == "sh":
                for line in block.text.replace("\\\n", " ").splitlines():
                    rollcall, *words = shlex.split(line)
                    assert rollcall == "rollcall"
                    with pytest.raises(SystemExit) as ended:
                        main(words)
                    assert ended.value.code == 0, capsys.readouterr().err
            elif block.language == "python" and block.file is None:
                ran = subprocess.run(
                    [sys.executable, "-c", block.text], cwd=folder, capture_output=True, text=True
                )
                assert ran.returncode == 0, ran.stderr
                assert ran.stdout.strip()
        with pytest.raises(SystemExit) as ended:
            main(["plugins", f"{modules[0].removesuffix('.py')}:{_last_class(folder / modules[0])}"])
        assert ended.value.code == 0
        assert capsys.readouterr().out.strip()
    finally:
        sys.modules.pop(modules[0].removesuffix(".py"), None)


def _last_class(module: Path) -> str:
    return re.findall(r"^class (\w+)", module.read_text(encoding="utf-8"), re.MULTILINE)[-1]


def test_every_kind_of_thing_has_an_example() -> None:
    assert {
        "Reader",
        "Retriever",
        "Verifier",
        "Question kind",
        "Pipeline",
        "Measure",
        "Profile",
        "Question format",
        "Graph source",
        "Text source",
    } <= EXAMPLES.keys()


@pytest.mark.slow
@pytest.mark.parametrize("trial", TRIALS, ids=[trial.title for trial in TRIALS])
def test_a_part_is_added_to_rollcall_by_one_new_file(trial: Trial, asked_world: Any, tmp_path: Path) -> None:
    result = tried(trial, asked_world.folder, tmp_path)
    assert not result.failures
    assert result.touched == [trial.file]


def test_examples_import_only_public_names_that_are_documented() -> None:
    standard = sys.stdlib_module_names | {"msgspec", "numpy", "pyarrow"}
    own = {Path(block.file).stem for found in EXAMPLES.values() for block in found if block.file}
    for title, found in EXAMPLES.items():
        for block in found:
            for node in ast.walk(ast.parse(block.text if block.language == "python" else "")):
                if isinstance(node, ast.ImportFrom) and node.module and node.module not in own:
                    names = [alias.name for alias in node.names]
                    if node.module.partition(".")[0] not in standard:
                        assert node.module in PUBLIC, f"{title} imports from {node.module}"
                        assert set(names) <= set(import_module(node.module).__all__), (title, node.module)


def test_every_name_of_rollcall_in_the_text_is_public() -> None:
    prose = re.sub(r"^```.*?^```$", "", DOCUMENT, flags=re.MULTILINE | re.DOTALL)
    named = set(re.findall(r"`(rollcall(?:\.\w+)*)\.([A-Z]\w+)`", prose))
    assert named
    for module, name in named:
        assert module in PUBLIC, f"{module} is not public"
        assert name in import_module(module).__all__, f"{module}.{name}"


def test_everything_found_by_name_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    for words, told in (
        (
            ["plugins"],
            (
                *("mentions", "bm25", "contrast", "qampari", "words", "ARecall", "graphquestions"),
                *("open-domain", "wikidata", "mediawiki"),
            ),
        ),
        (["plugins", "--kind", "readers"], ("mentions", "llm", "all-candidates")),
        (["plugins", "F1"], ("measure F1", "-k (optional): finding k answers is enough")),
        (["plugins", "--kind", "profiles"], ("entity", "AmbigQA's F1")),
        (["plugins", "bm25"], ("k1: float = 1.2", "How soon repeats of a word stop counting.")),
        (["plugins", "validate"], ("injected: float = 0.1", "How many people judge each item.")),
        (["plugins", "pig"], ("--preset qampari", "The number of examples for each step.")),
    ):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 0
        printed = capsys.readouterr().out
        assert all(word in printed for word in told), printed
    for words, told in (
        (["plugins", "--kind", "reeders"], ("did you mean readers?",)),
        (["plugins", "bm52"], ("lists all",)),
    ):
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert ended.value.code == 2
        assert all(word in capsys.readouterr().err for word in told)


LACKING = """
import rollcall.systems, rollcall.evidence, rollcall.build.pipelines, rollcall.questions.formats
import rollcall.mine.kinds

class Reader(rollcall.systems.Reader): pass
class Retriever(rollcall.systems.Retriever): pass
class Verifier(rollcall.evidence.Verifier): pass
class Pipeline(rollcall.build.pipelines.Pipeline): pass
class Kind(rollcall.mine.kinds.QuestionKind): pass
class Format(rollcall.questions.formats.QuestionFormat): pass
"""


@pytest.mark.parametrize(
    ("kind", "name", "lacking"),
    [
        ("readers", "Reader", "it has no method read"),
        ("retrievers", "Retriever", "it has no method retrieve"),
        ("verifiers", "Verifier", "it has no method scores"),
        ("pipelines", "Pipeline", "it has no record of Parameters"),
        ("question_kinds", "Kind", "it has no name"),
        ("formats", "Format", "it has no method read"),
    ],
)
def test_what_lacks_its_method_is_refused_when_it_is_chosen(
    kind: str, name: str, lacking: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rollcall._core.registry import ALL
    from rollcall.cli.plugins import HOMES

    for home in HOMES:
        import_module(home)
    (tmp_path / "lacking_for_tests.py").write_text(LACKING, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(RollcallError, match=lacking):
        ALL[kind].find(f"lacking_for_tests:{name}")


def test_an_object_that_lacks_its_method_is_refused_in_python_too() -> None:
    from rollcall.systems import Reader
    from rollcall.systems.interfaces import as_reader

    class Silent(Reader):
        name = "silent"

    with pytest.raises(RollcallError, match="silent is not a reader: it has no method read"):
        as_reader(Silent())
