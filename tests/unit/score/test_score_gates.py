"""`score --fail-below` and `compare --fail-if-worse`: gates for CI, in Python and on the command line."""

import json

import pytest

import rollcall
from rollcall import RollcallError
from rollcall.cli.main import main

GOLD = [{"id": str(n), "question": f"Which {n}?", "answers": [f"a{n}", f"b{n}"]} for n in range(40)]
GOOD = {str(n): [f"a{n}", f"b{n}"] for n in range(40)}
HALF = {str(n): [f"a{n}"] for n in range(40)}


@pytest.fixture
def files(tmp_path):
    for name, value in (("gold.json", GOLD), ("good.json", GOOD), ("half.json", HALF)):
        (tmp_path / name).write_text(json.dumps(value), encoding="utf-8")
    return tmp_path


def ended(*arguments: object) -> int:
    with pytest.raises(SystemExit) as left:
        main([str(argument) for argument in arguments])
    return int(left.value.code or 0)


def test_a_figure_below_the_limit_fails_after_the_report_is_written(files, capsys):
    out = files / "out.json"
    run = [files / "gold.json", files / "half.json", "--json", out]
    assert ended("score", *run, "--fail-below", "R=0.6", "--fail-below", "P=0.9") == 2
    assert "R is 0.5, below 0.6" in capsys.readouterr().err
    assert json.loads(out.read_bytes())
    assert ended("score", *run, "--fail-below", "R=0.5", "--fail-below", "F1=0.6") == 0


def test_a_limit_is_given_as_a_mapping_in_python():
    assert rollcall.score(GOLD, HALF, fail_below={"R": 0.6}).failure() == "R is 0.5, below 0.6"
    assert rollcall.score(GOLD, HALF, fail_below={"R": 0.4}).failure() is None


@pytest.mark.parametrize(
    ("limit", "problem"),
    [
        ("F1", "write measure=value"),
        ("F1=high", "write measure=value"),
        ("F1=50", "write 0.5 for 50 %"),
        ("MRR=0.5", "is not a measure"),
        ("P@3=0.5", "the measures are .*; add it with --measures"),
    ],
)
def test_a_limit_that_cannot_be_checked_is_refused(limit, problem):
    with pytest.raises(RollcallError, match=problem):
        rollcall.score(GOLD, HALF, fail_below=[limit])


def test_a_run_that_is_significantly_worse_than_the_first_fails(files, capsys):
    gold, good, half = (files / name for name in ("gold.json", "good.json", "half.json"))
    assert ended("compare", gold, good, half, "--fail-if-worse") == 2
    assert "half is worse than good in R" in capsys.readouterr().err
    assert ended("compare", gold, half, good, "--fail-if-worse") == 0
    assert ended("compare", gold, good, half) == 0
    assert rollcall.compare(GOLD, [GOOD, GOOD], fail_if_worse=True).failure() is None
