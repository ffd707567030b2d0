"""A stage of a build: a step with a name, its inputs, its parameters, and its function.

The function writes files into its own folder and returns an `Outcome`: how many rows it wrote, how many were
removed, and why. Everything on which the files depend is declared, because the declaration decides whether
the stage runs again. The code is not declared: it follows from the function (`rollcall.build.fingerprint`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from rollcall._core.errors import Filter, RollcallError
from rollcall.tables.engine import Engine


class Outcome(msgspec.Struct, omit_defaults=True):
    """The report of a stage: rows written, rows removed by each filter, and remarks for people."""

    rows: int = 0
    removed: dict[str, int] = {}
    notes: list[str] = []
    counts: dict[str, int] = {}
    """Other numbers to record, such as rows by kind."""
    figures: dict[str, float] = {}
    """Numbers to record that are not counts, such as shares."""
    change: dict[str, str] = {}
    """For filters in `removed`: the key of the recipe that sets the filter, or what else to check."""


def filtered(
    rows: int,
    removed: Mapping[Filter, int],
    change: Mapping[str, str] | None = None,
    *,
    notes: Sequence[str] = (),
    counts: Mapping[str, int] | None = None,
    figures: Mapping[str, float] | None = None,
) -> Outcome:
    """The outcome of a stage that filters; `change` gives the key of the recipe for each option."""
    active = {filter_: count for filter_, count in removed.items() if count}
    keys = change or {}
    return Outcome(
        rows,
        {filter_.why: count for filter_, count in active.items()},
        list(notes),
        dict(counts or {}),
        dict(figures or {}),
        {filter_.why: keys[filter_.option] for filter_ in active if filter_.option in keys},
    )


@dataclass(frozen=True)
class Work:
    """What a stage's function is given: where to write, the earlier stages, and the engine."""

    folder: Path
    before: Mapping[str, Path]
    """The finished folders of the stages it needs, by name."""
    engine: Engine
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    """The outcomes of the stages it needs, for a stage that uses them."""
    show_progress: bool | None = None

    def table(self, stage: str, name: str) -> Path:
        """The Parquet file of a table that an earlier stage wrote."""
        return self.before[stage] / f"{name}.parquet"

    def out(self, name: str) -> Path:
        """The path for a Parquet table of this stage."""
        return self.folder / f"{name}.parquet"


@dataclass(frozen=True)
class Stage:
    """One step of a build."""

    name: str
    work: Callable[[Work], Outcome]
    needs: tuple[str, ...] = ()
    inputs: Mapping[str, Path] = field(default_factory=dict)
    """Files and folders from outside the build, by the name under which a change is reported."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    uses_outcomes: bool = False
    """Whether the output also depends on the outcomes of the stages it needs, not only on their files."""


# The input of a build: a graph folder, and a corpus folder made for that graph, if the build reads text.


@dataclass(frozen=True)
class Inputs:
    """The folders that a build reads."""

    graph: Path
    given_corpus: Path | None = None
    """The corpus, or None if there is none."""

    @property
    def corpus(self) -> Path:
        """The corpus, for stages that run only if there is one."""
        assert self.given_corpus is not None, "this build has no corpus"
        return self.given_corpus

    def named(self) -> dict[str, Path]:
        corpus = {} if self.given_corpus is None else {"the corpus": self.given_corpus}
        return {"the graph": self.graph, **corpus}


# Where the keys of a recipe were set, so that an error about several keys can point to a place.


class KeyMistakeError(RollcallError):
    """Values that are allowed one by one but not together; `keys` are the keys at fault, with dots."""

    def __init__(self, message: str, *keys: str):
        super().__init__(message)
        self.keys = keys


class Places:
    """The line of the file, or the option, that set each key."""

    def __init__(self, file: str):
        self._file = file
        self._lines: dict[str, int] = {}
        self._options: dict[str, str] = {}

    def in_file(self, key: str, line: int) -> None:
        self._lines[key] = line

    def by_option(self, key: str) -> None:
        self._options[key] = f"--set {key}"

    def of(self, keys: tuple[str, ...]) -> str:
        """The place to look at first: an option before a line, because the file without the option was
        correct.
        """
        for key in keys:
            if key in self._options:
                return self._options[key]
        for key in keys:
            if key in self._lines:
                return f"{self._file}:{self._lines[key]}"
        return self._file


# The error of a build that has no question left: what each filter removed, and which key to change.


class NoQuestionsError(RollcallError):
    """A build has no question left."""


def no_questions(outcomes: Mapping[str, Outcome]) -> NoQuestionsError:
    """One line: what every stage removed, the largest number first, each with its key of the recipe."""
    reasons = []
    for stage, outcome in outcomes.items():
        for why, count in sorted(outcome.removed.items(), key=lambda item: -item[1])[:3]:
            if count:
                change = outcome.change.get(why, "")
                reasons.append(f"{stage} removed {count:,} ({why}{f': {change}' if change else ''})")
    removed = "; ".join(reasons) or "no query was mined: does the graph have facts of the recipe's relations?"
    return NoQuestionsError(
        f"no question is left: {removed}. Change a key with --set, such as --set answers.least=3"
    )
