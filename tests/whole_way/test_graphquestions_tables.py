"""GraphQuestions' tables: what is held out is held out, and every system has its figures."""

import re
import subprocess
import sys

import pytest

from places import ROOT
from rollcall.query import Query
from rollcall.questions import QuestionSet

SCRIPT = ROOT / "benchmarks" / "graphquestions_tables.py"


@pytest.fixture
def tables(tmp_path):
    """What the benchmark prints for a small world."""
    made = subprocess.run(
        [sys.executable, SCRIPT, tmp_path, "--entities", "600", "--queries", "120", "--limit", "20"],
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr[-3000:]
    return made.stdout


@pytest.mark.slow
def test_neither_relations_nor_wordings_of_the_test_are_trained_on(tables, tmp_path):
    from rollcall.graph import Graph
    from rollcall.papers.tables.graphquestions import form

    questions = QuestionSet.open(tmp_path / "of_world_600" / "questions_120").questions
    splits = {name: [one for one in questions if one.split == name] for name in ("train", "relations")}
    known = {relation for one in splits["train"] for relation in Query.parse(one.query.text).relations}
    assert splits["train"]
    assert splits["relations"]
    for one in splits["relations"]:
        assert known.isdisjoint(Query.parse(one.query.text).relations)
    with Graph.open(tmp_path / "of_world_600" / "graph") as graph:

        def forms(split):
            some = (one for one in questions if one.split == split)
            return {form(one.question, Query.parse(one.query.text), graph) for one in some}

        assert forms("wordings")
        assert forms("wordings").isdisjoint(forms("train"))

    parts = [part for part in tables.split("\n## ") if part.startswith("a world, held-out")]
    assert len(parts) == 2
    for part in parts:
        rows = [line.strip("| ").split(" | ") for line in part.splitlines() if line.startswith("| ")]
        figures = {cells[1]: cells[2] for cells in rows if len(cells) > 2 and cells[0] in tuple("abcd")}
        assert list(figures) == ["sempre", "parasempre", "jacana", "ask"]
        assert all(re.match(r"\d+\.\d \[\d+, \d+\]", figure) for figure in figures.values())
        assert "| sempre | 1 |" in part  # Table 5
        assert "Figure 6 (d)" in part
