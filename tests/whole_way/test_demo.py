"""The first minute: the demo goes the whole way from nothing, and the README shows what it prints.

The README shows the demo at its default size, which takes a minute; where CI has just run it, its output is
held against the README, and here a smaller one is run. Everything is run as in a core install, where modules
of the extras and of the tests are missing.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from core_install import core_environment, missing_modules
from places import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")


def fenced(language: str) -> list[str]:
    """The fenced blocks of the README in a language."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    return [text for name, text in blocks if name == language]


OUTPUT = "ROLLCALL_DEMO_OUTPUT"


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a core install."""
    assert {"hypothesis", "pytest", "scipy"} <= set(missing_modules())
    return core_environment(tmp_path_factory.mktemp("core"))


def run(folder: Path, core: dict[str, str], *arguments: str) -> str:
    """What Python prints in a core install."""
    ran = subprocess.run([sys.executable, *arguments], cwd=folder, env=core, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, core: dict[str, str]) -> Path:
    """A folder in which a small demo was run, with what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    printed = run(folder, core, "-m", "rollcall.cli.main", "demo", "--entities", "1000")
    (folder / "printed.txt").write_text(printed, encoding="utf-8")
    return folder


@pytest.mark.slow
def test_the_demo_goes_the_whole_way(demo: Path, core: dict[str, str]) -> None:
    """One test, because the demo takes most of a minute and each test process would run its own."""
    check_what_it_printed(demo)
    check_the_readme_runs_after_it(demo, core)
    check_what_looks_into_it_needs_the_core_alone(demo, core)
    check_evidence_of_the_default_verifier_states_its_facts(demo, core)


def check_what_it_printed(demo: Path) -> None:
    printed = (demo / "printed.txt").read_text(encoding="utf-8")
    assert re.findall(r"^(\d)\. ", printed, re.MULTILINE) == list("12345")
    assert len(re.findall(r"^\S.*\?$", printed, re.MULTILINE)) == 6, "three at first, then three more"
    assert "  also " in printed, "aliases"
    assert re.search(r"^      .+: .+\[0\.\d\d\]$", printed, re.MULTILINE), "evidence with its page and score"
    assert re.search(r"│ b │ tuned\s+│", printed), "a table of two systems"
    page = (demo / "demo" / "report.html").read_text(encoding="utf-8")
    assert "2 systems on" in page
    kinds = set(re.findall(r'"kind":"([a-z-]+)"', page))
    assert {"simple", "intersection", "composition", "table-composition"} <= kinds


def check_the_readme_runs_after_it(demo: Path, core: dict[str, str]) -> None:
    (example,) = fenced("python")
    assert run(demo, core, "-c", example).count("\n") >= 3


def check_what_looks_into_it_needs_the_core_alone(demo: Path, core: dict[str, str]) -> None:
    rollcall = ("-m", "rollcall.cli.main")
    scored = (*rollcall, "score", "demo/questions", "demo/runs/tuned.jsonl", "--split", "dev")
    assert "F1" in run(demo, core, *scored)
    run(demo, core, *scored, "--by", "all", "--json", "r.json", "--latex", "r.tex", "--html", "r.html")
    assert "<svg " in (demo / "r.html").read_text(encoding="utf-8")
    assert "F1" in (demo / "r.json").read_text(encoding="utf-8")
    assert "$F_{1}$" in (demo / "r.tex").read_text(encoding="utf-8")
    assert "longest pages" in run(demo, core, *rollcall, "show", "demo/corpus")


def check_evidence_of_the_default_verifier_states_its_facts(demo: Path, core: dict[str, str]) -> None:
    looked = (
        "stats",
        "demo/questions",
        "--truth",
        "demo/world/truth.parquet",
        "--graph",
        "demo/graph",
        "--json",
    )
    checks = json.loads(run(demo, core, "-m", "rollcall.cli.main", *looked))["checks"]
    assert checks["answers in their query's denotation"]["share"] == 1.0
    assert checks["evidence that states its fact"]["share"] > 0.96


@pytest.mark.skipif(OUTPUT not in os.environ, reason=f"{OUTPUT} names no output of the demo's default size")
def test_the_readme_shows_what_the_demo_prints() -> None:
    printed = Path(os.environ[OUTPUT]).read_text(encoding="utf-8")
    shown = fenced("")
    assert shown
    lines: dict[str, list[list[float]]] = {}
    for line in printed.splitlines():
        lines.setdefault(_without_figures(line), []).append(_figures(line))
    for line in "\n".join(shown).splitlines():
        close = (_are_close(found, _figures(line)) for found in lines.get(_without_figures(line), ()))
        assert any(close), line


_FIGURE = r"\d+(?:\.\d+)?"


def _without_figures(line: str) -> str:
    """A line but for its figures and the marks on them, whose last digits depend on the machine."""
    return re.sub(r"[\s─━]+", " ", re.sub(rf"±?{_FIGURE}( [ab]\b)?", "0", line))


def _figures(line: str) -> list[float]:
    return [float(one) for one in re.findall(_FIGURE, line)]


def _are_close(found: list[float], shown: list[float]) -> bool:
    """Whether figures differ by one at most: more would be those of an older version."""
    return all(abs(one - other) <= 1.0 for one, other in zip(found, shown, strict=True))
