"""`rollcall view GRAPH --recipe FILE`: what it refuses, and that it serves its page until interrupted."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from made_once import made_once
from rollcall.cli.main import main
from tuned_pumps import RECIPE, write_pumps


@pytest.fixture(scope="module")
def pumps(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_once(tmp_path_factory, "pumps-for-a-command", write_pumps)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--corpus", "corpus"], "--corpus and --cache are for tuning a set; name its recipe with --recipe"),
        (["--recipe", "qampari", "--out", "page.html"], "leave out runs and --out"),
        (["--recipe", "qampari"], "qampari proves answers by text, so tuning it needs --corpus"),
        (["--recipe", "quampari", "--corpus", "corpus"], "no such recipe; did you mean qampari?"),
        (["--recipe", "qampari", "--corpus", "nowhere"], "nowhere: no such folder"),
        (["--recipe", "qampari", "--corpus", "graph"], "graph: is not a corpus"),
    ],
)
def test_what_does_not_belong_together_is_refused_in_one_line(
    pumps: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    problem: str,
) -> None:
    monkeypatch.chdir(pumps)
    with pytest.raises(SystemExit) as left:
        main(["view", "graph", "--no-open", *words])
    told = capsys.readouterr().err
    assert left.value.code not in (0, None)
    assert problem in told
    assert len(told.strip().splitlines()) == 1


@pytest.mark.slow
def test_the_page_is_served_until_the_command_is_interrupted(pumps: Path, tmp_path: Path) -> None:
    recipe, cache = tmp_path / "mine.yaml", tmp_path / "cache"
    recipe.write_text(RECIPE)
    source = "import sys; from rollcall.cli.main import main; main(sys.argv[1:])"
    words = ["view", str(pumps / "graph"), "--corpus", str(pumps / "corpus"), "--recipe", str(recipe)]
    process = subprocess.Popen(
        [sys.executable, "-c", source, *words, "--cache", str(cache), "--no-open", "--json", "--jobs", "1"],
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    try:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"]
        page = build_opener(HTTPCookieProcessor()).open(address, timeout=60).read().decode()
        assert "runs at" in page
        assert f"Tune {recipe}" in page
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
    assert cache.is_dir()
    assert recipe.read_text() == RECIPE
