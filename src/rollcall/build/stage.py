"""A stage of a build: one step with a name, what it reads, its parameters, and the function that does it.

A stage's function writes files into a folder of its own and says how many rows came out and what was left
out why. Everything that may change these files is declared, because the declaration decides what is redone;
the code is not: it follows from the function (`rollcall.build.source_files`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from rollcall.filter import Filter


class Outcome(msgspec.Struct, omit_defaults=True):
    """What a stage says about its work: rows kept, rows removed by each filter, and remarks for people."""

    rows: int = 0
    removed: dict[str, int] = {}
    notes: list[str] = []
    counts: dict[str, int] = {}
    """Other figures worth keeping, such as rows by kind."""
    change: dict[str, str] = {}
    """For filters in `removed`: the key of the recipe behind it, or what else to look at."""


def filtered(
    rows: int,
    removed: Mapping[Filter, int],
    change: Mapping[str, str] | None = None,
    *,
    notes: Sequence[str] = (),
    counts: Mapping[str, int] | None = None,
) -> Outcome:
    """The outcome of a stage that filters; `change` says which key of the recipe sets each option."""
    some = {one: count for one, count in removed.items() if count}
    keys = change or {}
    return Outcome(
        rows,
        {one.why: count for one, count in some.items()},
        list(notes),
        dict(counts or {}),
        {one.why: keys[one.option] for one in some if one.option in keys},
    )


@dataclass(frozen=True)
class Limits:
    """What a build may use of the machine; never changes what comes out."""

    jobs: int = 1
    memory: str = "1GB"
    show_progress: bool | None = None


@dataclass(frozen=True)
class Work:
    """What a stage's function is given: where to write, what came before, and its limits."""

    folder: Path
    before: Mapping[str, Path]
    """The finished folders of the stages it needs, by name."""
    limits: Limits
    outcomes: Mapping[str, Outcome] = field(default_factory=dict)
    """The outcomes of the needed stages, for a stage that uses them."""

    def table(self, stage: str, name: str) -> Path:
        """The Parquet file of a table that an earlier stage wrote."""
        return self.before[stage] / f"{name}.parquet"

    def out(self, name: str) -> Path:
        """Where a Parquet table of this stage goes."""
        return self.folder / f"{name}.parquet"


@dataclass(frozen=True)
class Stage:
    """One step of a build."""

    name: str
    work: Callable[[Work], Outcome]
    needs: tuple[str, ...] = ()
    inputs: Mapping[str, Path] = field(default_factory=dict)
    """Files and folders from outside, by the name under which a change of them is reported."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    uses_outcomes: bool = False
    """Whether the output also follows from the outcomes of the needed stages, not only from their files."""
