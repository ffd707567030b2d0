"""Every example runs as it is, from an empty folder, and prints something."""

import subprocess
import sys

import pytest

from places import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
SLOW = {"small_build.py": pytest.mark.slow}
"""A whole build, which other tests make too."""


@pytest.mark.parametrize(
    "example", [pytest.param(path, id=path.name, marks=SLOW.get(path.name, ())) for path in EXAMPLES]
)
def test_the_example_runs(example, tmp_path):
    ended = subprocess.run([sys.executable, str(example)], cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip()


def test_the_examples_answers():
    example = ROOT / "examples" / "small_graph.py"
    output = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=True).stdout
    lines = output.splitlines()
    answers = {
        asked.split(":")[0]: found.strip() for asked, found in zip(lines[::2], lines[1::2], strict=True)
    }
    assert answers["directed, not produced"] == "Nine Lanterns"
    assert answers["the longest"] == "The Glass Orchard"
    assert answers["siblings of Orla"] == "Tam Reck"
    assert answers["the same, minimised"] == answers["with something redundant"]
