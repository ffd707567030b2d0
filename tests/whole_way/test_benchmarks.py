"""The benchmarks: each runs at a tiny size and writes its figures, and one that fails stops no other."""

import json
import shutil
import subprocess
import sys

import pytest

from places import ROOT

FOLDER = ROOT / "benchmarks"
BENCHMARKS = sorted(path.stem for path in FOLDER.glob("bench_*.py"))
TABLES = ["fit_mentions", "graphquestions_tables", "qampari_table3"]


def called(*command):
    return subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*BENCHMARKS, *TABLES])
def test_a_benchmark_runs_without_arguments_at_a_tiny_size(name, tmp_path):
    done = called(FOLDER / f"{name}.py", "--smoke", "--json", tmp_path / "figures.json")
    if done.returncode == 77:
        pytest.skip(done.stdout.strip().splitlines()[-1])
    assert done.returncode == 0, done.stderr[-3000:]
    written = json.loads((tmp_path / "figures.json").read_text(encoding="utf-8"))
    assert written["benchmark"] == name
    assert written["options"]["smoke"] is True
    assert written["figures"] or name in TABLES, "a benchmark writes its figures"


@pytest.fixture
def three(tmp_path):
    """A folder with a benchmark that fails, one that works, and one that cannot run here."""
    for name in ("__main__.py", "_harness.py"):
        shutil.copy(FOLDER / name, tmp_path)
    script = "from _harness import Arguments, needs, run_benchmark\n\ndef main(options, figures):\n    {}\n\n"
    for name, line in {
        "bench_a": "raise ValueError('broken')",
        "bench_b": "figures['answer'] = 42",
        "bench_c": "needs('no_such_library', pip='no-such-library')",
    }.items():
        (tmp_path / f"{name}.py").write_text(f"{script.format(line)}run_benchmark(Arguments(None), main)\n")
    return tmp_path


def test_a_benchmark_that_fails_stops_no_other_and_is_named(three):
    done = called(three, "--smoke", "--json", three / "out")
    lines = [line for line in done.stdout.splitlines() if line.startswith("==")]
    assert done.returncode == 1
    assert "ValueError: broken" in done.stderr
    assert [line.split(",")[0] for line in lines if ": " in line][:3] == [
        "== bench_a: FAILED with status 1",
        "== bench_b: done",
        "== bench_c: skipped",
    ]
    assert lines[-1] == "== FAILED: bench_a"
    assert json.loads((three / "out" / "bench_b.json").read_text())["figures"] == {"answer": 42}


def test_what_cannot_run_here_says_what_to_install_and_is_no_failure(three):
    done = called(three, "bench_b", "bench_c")
    assert done.returncode == 0, done.stderr
    assert "no_such_library not installed (pip install no-such-library)" in done.stdout
    assert "== 1 done; 1 skipped" in done.stdout


def test_a_benchmark_that_does_not_exist_is_refused(three):
    done = called(three, "bench_d")
    assert done.returncode == 2
    assert "bench_d: expected one of bench_a, bench_b, bench_c" in done.stderr


def test_ways_take_turns_and_medians_have_intervals(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    from _harness import Median, in_turns

    order = []
    results = in_turns({"a": lambda: order.append("a"), "b": lambda: order.append("b")}, 3)
    assert order == ["a", "b"] * 3
    assert results == {"a": [None] * 3, "b": [None] * 3}
    assert Median.of([3, 1, 2]) == (2, 1, 3)  # too few for 95 %: the range
    # Of twenty values the 6th and the 15th hold the median in 95.9 % of cases, the 7th and 14th in 88.5 %.
    assert Median.of(range(1, 21)) == (10.5, 6, 15)


def test_a_command_is_measured_with_its_processes(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)
    from _harness import measured_command

    inner = "data = bytearray(b'x' * 200_000_000)\nfor _ in range(5):\n    sum(data[:20_000_000])"
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}], check=True)"
    cost = measured_command([sys.executable, "-c", program])
    assert cost.peak > 200_000_000
    assert cost.core_seconds > 0.1
    with pytest.raises(SystemExit, match="ended with 3"):
        measured_command([sys.executable, "-c", "raise SystemExit(3)"])
