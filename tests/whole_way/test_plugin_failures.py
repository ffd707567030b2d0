"""What goes wrong in the code of a plug-in is told in one line: whose it is, where, why, how to see more."""

import json
import re
from pathlib import Path

import pytest

from rollcall import RollcallError
from rollcall.cli.main import main
from rollcall.graph import make_graph

MODULE = '''
"""Plug-ins of every kind, all of which fail."""

from xml.etree import ElementTree

import msgspec

from rollcall.audit import QuestionCheck
from rollcall.build.pipelines import Pipeline
from rollcall.corpus.source import TextSource
from rollcall.evidence import Verifier
from rollcall.graph.source import LineSource, WholeFileSource
from rollcall.questions.formats import QuestionFormat
from rollcall.score import AnswerMeasure, Profile
from rollcall.systems import AnswerCheck, Reader, Retriever


def fail(*given, **named):
    raise ValueError("the moon is full")


class Parameters(msgspec.Struct, frozen=True):
    seed: int = 1


class Xml(WholeFileSource):
    def read_file(self, path, rank):
        ElementTree.parse(path)
        yield


class Lines(LineSource):
    read = fail


class Rows(LineSource):
    def read_line(self, line, shard, tally):
        shard.fact(b"bytes", 5, None)


class Closed(Rows):
    open = classmethod(fail)


class Pages(TextSource):
    read = fail


class Reads(Reader):
    needs = ()
    read = fail


class Finds(Retriever):
    needs = ("corpus",)
    retrieve = fail


class Checks(AnswerCheck):
    needs = ()
    supports = fail


class Verifies(Verifier):
    scores = fail


class Measures(AnswerMeasure):
    value = fail


class Compares(Profile):
    resolve = fail
    rate = fail


class Audits(QuestionCheck):
    """Fails."""

    faults = fail


class Reading(QuestionFormat):
    recognises = classmethod(lambda cls, source: True)
    read = classmethod(fail)


class Building(Pipeline):
    Parameters = Parameters
    stages = fail
'''
MOON = r"\(ValueError: the moon is full\) in failing_plugins\.py:\d+"
TRIPLE = {"text": "A is in B.", "subject": "A", "relation": "in", "object": "B"}


@pytest.fixture
def inputs(asked_world, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with the plug-ins and what commands read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    Path("failing_plugins.py").write_text(MODULE)
    Path("bad.xml").write_text("<films>\n<film>\n")
    Path("lines.txt").write_text("a line\n" * 5000)
    Path("asked.json").write_text(json.dumps([{"ask": "Who?"}]))
    Path("triples.jsonl").write_text(json.dumps(TRIPLE) + "\n")
    Path("recipe.yaml").write_text("pipeline: failing_plugins:Building\n")
    for name in ("graph", "corpus", "set"):
        Path(name).symlink_to(asked_world.folder / name)
    answers = [{"id": one.id, "answers": ["A"]} for one in asked_world.questions]
    Path("run.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers))
    return tmp_path


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (
            "graph bad.xml --format failing_plugins:Xml --out g",
            r"bad\.xml: the source failing_plugins:Xml failed \(ParseError: no element found: line 3, "
            r"column 0\) in failing_plugins\.py:\d+",
        ),
        (
            "graph lines.txt --format failing_plugins:Lines --out g --jobs 2 --block-bytes 4000",
            rf"lines\.txt: the source failing_plugins:Lines failed {MOON}",
        ),
        (
            "graph lines.txt --format failing_plugins:Rows --out g",
            r"lines\.txt: the source failing_plugins:Rows failed \(Arrow\w+: .*\)",
        ),
        (
            "graph lines.txt --format failing_plugins:Closed --out g",
            rf"lines\.txt: the source failing_plugins:Closed failed {MOON}",
        ),
        (
            "corpus lines.txt --format failing_plugins:Pages --out c",
            rf"lines\.txt: the source failing_plugins:Pages failed {MOON}",
        ),
        (
            "run set --reader failing_plugins:Reads --limit 2 --out r.jsonl",
            rf"question \S+: the reader Reads failed {MOON}",
        ),
        (
            "retrieve set --corpus corpus --retriever failing_plugins:Finds --limit 2 --out r.jsonl",
            rf"the retriever \S+ failed {MOON}",
        ),
        (
            "run set --corpus corpus --graph graph --verify failing_plugins:Checks --limit 2 --out r.jsonl",
            rf"the answer check failing_plugins:Checks failed {MOON}",
        ),
        ("verify triples.jsonl --verifier failing_plugins:Verifies", rf"the verifier \S+ failed {MOON}"),
        (
            "score set run.jsonl --measures failing_plugins:Measures",
            rf"failing_plugins:Measures failed {MOON}",
        ),
        ("score set run.jsonl --profile failing_plugins:Compares", rf"the profile \S+ failed {MOON}"),
        (
            "audit set --checks failing_plugins:Audits",
            rf"the quality check failing_plugins:Audits failed {MOON}",
        ),
        (
            "score asked.json run.jsonl --format failing_plugins:Reading",
            rf"asked\.json: the question format failing_plugins:Reading failed {MOON}",
        ),
        (
            "build recipe.yaml --graph graph --corpus corpus --out s",
            rf"the pipeline failing_plugins:Building failed {MOON}",
        ),
    ],
)
def test_a_plug_in_that_fails_is_named_with_the_file_and_its_own_message(
    inputs: Path, command: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--quiet"])
    told = capsys.readouterr().err.splitlines()
    assert ended.value.code == 2, told
    (line,) = [line for line in told if not line.startswith("warning: ")]
    assert re.fullmatch(rf"rollcall: {expected}; --debug shows the traceback.*", line), line


def test_debug_shows_the_traceback_of_a_plug_in(inputs: Path) -> None:
    with pytest.raises(RollcallError) as raised:
        main(["--debug", "graph", "bad.xml", "--format", "failing_plugins:Xml", "--out", "g", "--quiet"])
    assert type(raised.value.__cause__).__name__ == "ParseError"


def test_in_python_the_file_and_the_plug_in_are_named_too(inputs: Path) -> None:
    with pytest.raises(RollcallError, match=r"bad\.xml: the source failing_plugins:Xml failed \(ParseError"):
        make_graph(["bad.xml"], "g", formats="failing_plugins:Xml", jobs=1)
