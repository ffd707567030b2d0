"""A set is the same to the byte whatever Python's hash seed: the whole folder, with the stages' work."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

# `mixed` has all kinds of graphquestions, romqa and setops, made by the same stages.
RECIPES = {
    "qampari": ["answers.least=3"],
    "mixed": ["templates.queries=20", "clusters.clusters=15", "sets.per_operation=5"],
}


def build(recipe: str, changes: list[str], small_world: Path, out: Path, hash_seed: str) -> None:
    command = ["build", recipe, "--graph", small_world / "graph", "--corpus", small_world / "corpus"]
    command += ["--out", out, "--jobs", 1, *(word for change in changes for word in ("--set", change))]
    ended = subprocess.run(
        [sys.executable, "-m", "rollcall.cli.main", *map(str, command)],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def check(recipe: str, changes: list[str], small_world: Path, tmp_path: Path) -> None:
    sets = []
    for seed in ("1", "2"):
        build(recipe, changes, small_world, tmp_path / seed, seed)
        sets.append(content(tmp_path / seed))
    one, other = sets
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


@pytest.mark.slow
@pytest.mark.parametrize("recipe", RECIPES)
def test_the_hash_seed_changes_no_byte(recipe: str, small_world: Path, tmp_path: Path) -> None:
    check(recipe, RECIPES[recipe], small_world, tmp_path)
