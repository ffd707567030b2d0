"""Five extension trials: what somebody touches who adds a part to Rollcall, counted.

    python tests/house/trials.py

Each trial takes a copy of the package, adds the file that docs/extending.md shows for a part of this kind,
with a line that registers it, and uses the part by its name, through the command line. What then differs
from the package, in whatever way, is counted: one file, the new one.
"""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "rollcall"
PAGE = ROOT / "docs" / "extending.md"


class Trial(NamedTuple):
    """A part to add: where docs/extending.md shows it, what registers it, and commands that use it."""

    title: str
    section: str
    file: str
    registration: str
    commands: tuple[tuple[str, str], ...]
    """Each with a text that it prints."""


TRIALS = (
    Trial(
        "a measure",
        "Measure",
        "score/measures/jaccard.py",
        "from rollcall.score.measures import MEASURES\nMEASURES.register('Jaccard')(Jaccard)",
        (
            ("plugins --kind measures", "Jaccard index"),
            ("run questions --limit 5 --corpus corpus --graph graph --out run.jsonl", ""),
            ("score questions run.jsonl --missing skip --measures F1,Jaccard@5", "Jaccard@5"),
        ),
    ),
    Trial(
        "a source format",
        "Graph source",
        "graph/sources/cards.py",
        "from rollcall.graph.sources import GRAPH_SOURCES\nGRAPH_SOURCES.register('cards')(Cards)",
        (
            ("plugins --kind graph_sources", "Film cards"),
            ("graph films.cards --out films --jobs 1", "facts"),
            ("ask films '?x director [Ann Marl]'", "The Long Pier"),
        ),
    ),
    Trial(
        "a reader",
        "Reader",
        "systems/read/titles.py",
        "from rollcall.systems.read import READERS\nREADERS.register('titles')(Titles)",
        (
            ("plugins --kind readers", "titles of the best passages"),
            ("run questions --limit 5 --corpus corpus --graph graph --reader titles --out run.jsonl", ""),
            ("score questions run.jsonl --missing skip", "F1"),
        ),
    ),
    Trial(
        "an audit check",
        "Quality check",
        "audit/checks/shouting.py",
        "from rollcall.audit.checks import QUALITY_CHECKS\nQUALITY_CHECKS.register('shouting')(Shouting)",
        (
            ("plugins --kind quality_checks", "a word in capital letters"),
            ("audit questions --checks shouting", "shouting"),
        ),
    ),
    Trial(
        "a question kind",
        "Question kind",
        "mine/either.py",
        "from rollcall.mine.kinds import KINDS\nKINDS.register('either')(Either)",
        (
            ("plugins --kind question_kinds", "one of two entities"),
            ("build --list", "either: What has a relation to one of two entities"),
            ("build own.yaml --graph graph --out either", "either"),
            ("show either", "either"),
        ),
    ),
)
RECIPE = """pipeline: structured
kinds: [either]
either: {relation: director, most: 10}
evidence: {use: false}
"""


class Result(NamedTuple):
    """What a trial touched, and the commands that failed or printed something else."""

    trial: Trial
    touched: list[str]
    failures: list[str]


def files_of(section: str) -> dict[str, str]:
    """The files that a section of docs/extending.md shows, by name."""
    page = PAGE.read_text(encoding="utf-8")
    text = page.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return dict(re.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```$', text, re.MULTILINE | re.DOTALL))


def checksums(folder: Path) -> dict[str, str]:
    """The checksum of every file of a package, but for compiled ones."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def tried(trial: Trial, world: Path, folder: Path) -> Result:
    """Try one extension in a new folder; `world` has the folders graph, corpus and set."""
    package = folder / "src" / "rollcall"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    work = folder / "work"
    work.mkdir()
    for name, source in (("graph", "graph"), ("corpus", "corpus"), ("questions", "set")):
        (work / name).symlink_to(world / source)
    (work / "own.yaml").write_text(RECIPE, encoding="utf-8")
    for name, text in files_of(trial.section).items():
        if name.endswith(".py"):
            (package / trial.file).write_text(f"{text}\n\n{trial.registration}\n", encoding="utf-8")
        else:
            (work / name).write_text(text, encoding="utf-8")
    failures = []
    for command, expected in trial.commands:
        ran = subprocess.run(
            [sys.executable, "-m", "rollcall", *shlex.split(command)],
            cwd=work,
            env=os.environ | {"PYTHONPATH": str(package.parent), "COLUMNS": "300"},
            capture_output=True,
            text=True,
        )
        if ran.returncode or expected not in " ".join((ran.stdout + ran.stderr).split()):
            failures.append(f"rollcall {command}: no {expected!r} in {(ran.stderr or ran.stdout).strip()}")
    before, after = checksums(PACKAGE), checksums(package)
    touched = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    return Result(trial, touched, failures)


def main() -> None:
    """Print what each trial touched as a Markdown table."""
    sys.path.insert(0, str(ROOT / "tests" / "support"))
    from systems_world import make

    print("| added | files touched | which | commands |\n|---|---|---|---|")
    failed = False
    with tempfile.TemporaryDirectory() as name:
        make(Path(name))
        for number, trial in enumerate(TRIALS):
            result = tried(trial, Path(name), Path(name) / f"trial{number}")
            uses = ", ".join(dict.fromkeys(command.split()[0] for command, _ in trial.commands))
            print(f"| {trial.title} | {len(result.touched)} | {', '.join(result.touched)} | {uses} |")
            for failure in result.failures:
                print(failure, file=sys.stderr)
            failed = failed or bool(result.failures)
    sys.exit(failed)


if __name__ == "__main__":
    main()
