"""Passages that were retrieved before: readers read them where there is no corpus."""

import json
import subprocess
import sys

import pytest

from rollcall import RollcallError, run
from rollcall._core.checksums import FILES, sealed
from rollcall.questions import Answer, Passage, Prediction, Question, Run
from rollcall.questions.run import settings_file
from rollcall.systems import Asked, Reader
from rollcall.systems.retrieve.given import Stored

PASSAGES = [
    Passage(f"p{number}", f"Page {number}", f"Text {number}.", 1.0 / (number + 1)) for number in range(5)
]
QUESTIONS = [Question("q1", "Who?", answers=[Answer("Page 0")]), Question("q2", "What?")]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "found.jsonl"
    Run([Prediction("q1", retrieved=PASSAGES), Prediction("q2", retrieved=PASSAGES[::-1])]).save(path)
    return path


class Titles(Reader):
    """Answers with the titles of what it reads."""

    def read(self, question, passages):
        return [passage.title for passage in passages]


def test_a_reader_reads_what_was_retrieved_without_a_corpus(file):
    made = run(QUESTIONS, Titles(), retriever="stored", k=2, options={"passages": str(file)}, progress=False)
    assert [one.answers for one in made] == [["Page 0", "Page 1"], ["Page 4", "Page 3"]]


def test_passages_are_cut_and_never_more_than_were_found(file):
    asked = [Asked("q2", "What?"), Asked("q1", "Who?")]
    stored = Stored(file)
    assert stored.retrieve(asked, 3) == [PASSAGES[::-1][:3], PASSAGES[:3]]
    assert stored.retrieve(asked, 100) == [PASSAGES[::-1], PASSAGES]


def test_a_run_is_not_continued_with_other_passages(file, tmp_path):
    def again():
        options = {"passages": str(file)}
        return run(
            QUESTIONS,
            Titles(),
            retriever="stored",
            options=options,
            out=tmp_path / "run.jsonl",
            progress=False,
        )

    again()
    again()
    Run([Prediction(one.id, retrieved=PASSAGES[:1]) for one in QUESTIONS]).save(file)
    with pytest.raises(RollcallError, match="was started with different settings"):
        again()


def test_what_is_missing_is_one_line(file, tmp_path):
    with pytest.raises(
        RollcallError, match=r"has no passages for the question q3 and 1 other; retrieve them"
    ):
        Stored(file).retrieve([Asked("q3", "?"), Asked("q4", "?"), Asked("q1", "?")], 5)
    with pytest.raises(RollcallError, match="no such file; write it with `rollcall retrieve`"):
        Stored(tmp_path / "none.jsonl")
    Run([Prediction("q1", retrieved=[Passage("p1", score=1.0)])]).save(file)
    with pytest.raises(RollcallError, match="passages without texts"):
        Stored(file)
    with pytest.raises(RollcallError, match="needs the option passages"):
        run(QUESTIONS, Titles(), retriever="stored", progress=False)


def test_a_machine_without_the_libraries_of_corpora_can_read_and_train():
    """As one has it for training: no tables, no index of words."""
    program = """
import sys
for name in ("duckdb", "ibis", "pyarrow", "tantivy", "faiss", "pyoxigraph", "selectolax"):
    sys.modules[name] = None
from rollcall.systems.opening import choose
from rollcall.systems.retrieve import RETRIEVERS
from rollcall.systems.check import CHECKS
from rollcall.systems.read import READERS
from rollcall.systems.train import TRAINABLES
from rollcall.systems.verbs import run
choose(RETRIEVERS, "stored")
assert READERS.names and CHECKS.names and TRAINABLES.names
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-800:]


def test_a_run_that_an_older_version_started_is_continued(file, tmp_path):
    """Older versions stored the module of each built-in class, and modules move."""
    out = tmp_path / "run.jsonl"
    options = {"passages": str(file)}
    whole = run(QUESTIONS, Titles(), retriever="stored", options=options, out=out, progress=False)
    out.write_text(out.read_text().splitlines(keepends=True)[0])
    settings = json.loads(settings_file(out).read_text())
    assert settings["retriever"]["class"] == "Stored"
    settings["retriever"]["class"] = "rollcall.systems.retrieve.stored.Stored"
    del settings[FILES]
    settings_file(out).write_text(json.dumps(sealed(settings)))
    continued = run(QUESTIONS, Titles(), retriever="stored", options=options, out=out, progress=False)
    assert list(continued) == list(whole)
