"""A stage of a build: a step with a name, its inputs, its parameters, and its function.

The function writes files into its own folder and returns an `Outcome`: how many rows it wrote, how many were
removed, and why. Everything on which the files depend is declared, because the declaration decides whether
the stage runs again. The code is not declared: it follows from the function (`rollcall.build.source_files`).
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from rollcall.filter import Filter
from rollcall.tables.engine import Engine, opened


class Outcome(msgspec.Struct, omit_defaults=True):
    """The report of a stage: rows written, rows removed by each filter, and remarks for people."""

    rows: int = 0
    removed: dict[str, int] = {}
    notes: list[str] = []
    counts: dict[str, int] = {}
    """Other numbers to record, such as rows by kind."""
    figures: dict[str, float] = {}
    """Numbers to record that are no counts, such as shares."""
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
    some = {one: count for one, count in removed.items() if count}
    keys = change or {}
    return Outcome(
        rows,
        {one.why: count for one, count in some.items()},
        list(notes),
        dict(counts or {}),
        dict(figures or {}),
        {one.why: keys[one.option] for one in some if one.option in keys},
    )


@dataclass(frozen=True)
class Limits:
    """Where a build runs, and how many processes and how much memory it may use; the output is the same."""

    engine: Engine | str = "duckdb"
    """One that is open, or the name of one."""
    master: str | None = None
    jobs: int | None = None
    memory: str = "1GB"
    show_progress: bool | None = None

    def opened(self) -> AbstractContextManager[Engine]:
        """The engine, opened if it is not open."""
        return opened(self.engine, memory=self.memory, jobs=self.jobs, master=self.master)


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
