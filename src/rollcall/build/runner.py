"""Runs the stages of a build, but only those whose inputs, parameters or code changed.

Each stage writes into a temporary folder, which is renamed when it is complete. So a build that is killed
loses at most the stage that was running. A stage depends on the *outputs* of the stages it needs: if one of
these runs again and writes the same bytes, the later stages need not run.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from rollcall import __version__
from rollcall._core import checksums
from rollcall._core.errors import RollcallError
from rollcall._core.files import remove
from rollcall._core.folders import foreign, replacing_folder
from rollcall._core.locks import sole_writer
from rollcall.build import fingerprint
from rollcall.build.fingerprint import SourceFiles
from rollcall.build.stage import Outcome, Stage, Work
from rollcall.tables.engine import Engine, WorkOptions

# The record of a finished stage, and how a later call decides why the stage must run again. The record
# is in the stage's folder and is written before the folder is moved to its place, so an existing folder
# is complete. It has the fingerprints of everything the stage was made from. A stage whose files were
# edited or damaged since counts as not done.

RECORD = "stage.json"
_FORGOTTEN = "stage.forgotten.json"


class StageDependencies(msgspec.Struct, omit_defaults=True):
    """Everything on which a stage's output depends."""

    version: str = ""
    parameters: dict[str, Any] = {}
    inputs: dict[str, str] = {}
    needs: dict[str, str] = {}
    """The fingerprints of the outputs of the stages it needs."""
    code: dict[str, str] = {}


class StageRecord(msgspec.Struct):
    """The record of a finished stage."""

    made: StageDependencies
    files: dict[str, checksums.Recorded]
    outcome: Outcome

    @property
    def output(self) -> str:
        """The fingerprint of what the stage wrote."""
        return fingerprint.of_value(self.files)

    @property
    def telling(self) -> str:
        """The fingerprint of the stage's files and its outcome."""
        return fingerprint.of_value([self.files, msgspec.to_builtins(self.outcome)])


def made_from(
    stage: Stage, inputs: Mapping[str, str], code: Mapping[str, str], earlier: Mapping[str, StageRecord]
) -> StageDependencies:
    """What a stage would be made from now, given fingerprints of inputs and code, and the earlier stages."""
    return StageDependencies(
        version=__version__,
        parameters=msgspec.json.decode(msgspec.json.encode(dict(stage.parameters))),
        inputs={name: inputs[name] for name in sorted(stage.inputs)},
        needs={
            name: (earlier[name].telling if stage.uses_outcomes else earlier[name].output)
            if name in earlier
            else ""
            for name in sorted(stage.needs)
        },
        code=dict(code),
    )


def read(folder: Path) -> StageRecord | None:
    """The record of a stage's folder; None if there is none, or if a file was changed, added or removed."""
    record = _recorded(folder / RECORD)
    if record is None or _added(folder, record):
        return None
    return None if checksums.damaged(folder, record.files, checksums.sha256) else record


def _recorded(path: Path) -> StageRecord | None:
    """A record as it was written; None if there is none, or if it was damaged."""
    try:
        recorded = msgspec.json.decode(path.read_bytes())
        record = msgspec.convert(recorded, StageRecord)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return record if checksums.is_sealed(recorded) else None


def _added(folder: Path, record: StageRecord) -> set[str]:
    """Files in a stage's folder that the stage did not write; hidden files are ignored."""
    paths = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(folder).as_posix() for path in paths} - {*record.files, RECORD}


def forget(folder: Path) -> None:
    """Mark a stage as not done; the list of its files is kept, so that the folder can be replaced."""
    if (folder / RECORD).exists():
        (folder / RECORD).replace(folder / _FORGOTTEN)


def own_files(folder: Path) -> set[str]:
    """The files that a stage wrote into its folder; without a record, all files there."""
    for name in (RECORD, _FORGOTTEN):
        record = _recorded(folder / name)
        if record is not None:
            return {*record.files, RECORD, _FORGOTTEN}
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def write(folder: Path, made: StageDependencies, outcome: Outcome) -> StageRecord:
    """Record what a stage has written into its folder."""
    record = StageRecord(made, checksums.record(folder, checksums.sha256), outcome)
    recorded = checksums.sealed(msgspec.to_builtins(record))
    (folder / RECORD).write_bytes(msgspec.json.format(msgspec.json.encode(recorded), indent=1) + b"\n")
    return record


class StageChange(NamedTuple):
    """A change in what a stage depends on, in words; `stage` if it is the output of another stage."""

    why: str
    stage: str = ""


def differences(before: StageDependencies, now: StageDependencies) -> Iterator[StageChange]:
    """The things a stage depends on that have changed."""
    if before.version != now.version:
        yield StageChange(f"Rollcall is {now.version}, was {before.version}")
    for name, fingerprint_ in now.inputs.items():
        if before.inputs.get(name) != fingerprint_:
            yield StageChange(f"{name} changed")
    for name, output in now.needs.items():
        if before.needs.get(name) != output:
            yield StageChange(f"the output of {name} changed", name)
    for name in sorted({*before.needs} - {*now.needs}):
        yield StageChange(f"it no longer needs {name}")
    flat_before, flat_now = dict(_flat(before.parameters)), dict(_flat(now.parameters))
    for name in sorted({*flat_before, *flat_now}):
        if flat_before.get(name) != flat_now.get(name):
            yield StageChange(
                f"{name} is {flat_now.get(name, 'unset')}, was {flat_before.get(name, 'unset')}"
            )
    for name in sorted({*before.code, *now.code}):
        if before.code.get(name) != now.code.get(name):
            yield StageChange(f"the code of {name} changed")


def _flat(parameters: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in parameters.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


class Step(NamedTuple):
    """A stage in the plan: whether it would run, and why."""

    stage: str
    runs: bool
    why: str


class Finished(NamedTuple):
    """A stage after the build: its outcome, whether it ran in this call, and for how long."""

    stage: str
    outcome: Outcome
    seconds: float
    done_now: bool


Report = Callable[[str, Finished | None], None]
"""Is called with the name of each stage before it runs, and again with the result."""


class Runner:
    """The stages of one build, and the folder with their outputs."""

    def __init__(self, root: Path, stages: Sequence[Stage], options: WorkOptions | None = None):
        self.root = root
        self.stages = list(stages)
        self.options = options or WorkOptions()
        self._inputs = _fingerprints(self.stages)
        self._code = _code(self.stages)

    def folder(self, stage: str) -> Path:
        return self.root / stage

    def plan(self, start: str | None = None) -> list[Step]:
        """What a call would do and why, without doing it."""
        forced = self._forced(start)
        steps: dict[str, Step] = {}
        earlier: dict[str, StageRecord] = {}
        for stage in self.stages:
            waits = [name for name in stage.needs if steps[name].runs]
            record = read(self.folder(stage.name))
            if record is not None:
                earlier[stage.name] = record
            why = self._why(stage, record, earlier, forced, waits)
            steps[stage.name] = Step(stage.name, bool(why), why or "up to date")
        return list(steps.values())

    def run(self, start: str | None = None, report: Report | None = None) -> list[Finished]:
        """Run the stages that must run, in order; after an interruption the next call continues."""
        forced = self._forced(start)
        self.root.mkdir(parents=True, exist_ok=True)
        with sole_writer(self.root), ExitStack() as stack:
            engine: Engine | None = None
            for name in forced:
                # Mark them first, so that after an interruption the old output does not count as new.
                forget(self.folder(name))
            self._remove_unknown()
            finished: dict[str, Finished] = {}
            earlier: dict[str, StageRecord] = {}
            for stage in self.stages:
                record = read(self.folder(stage.name))
                done_now, began = bool(self._why(stage, record, earlier, forced)), time.perf_counter()
                if record is None or done_now:
                    engine = engine or stack.enter_context(self.options.opened())
                    if report is not None:
                        report(stage.name, None)
                    record = self._make(stage, earlier, engine)
                earlier[stage.name] = record
                seconds = time.perf_counter() - began if done_now else 0.0
                finished[stage.name] = Finished(stage.name, record.outcome, seconds, done_now)
                if report is not None:
                    report(stage.name, finished[stage.name])
            return list(finished.values())

    def _make(self, stage: Stage, earlier: dict[str, StageRecord], engine: Engine) -> StageRecord:
        dependencies = made_from(stage, self._inputs, self._code[stage.name], earlier)
        folders = {name: self.folder(name) for name in stage.needs}
        outcomes = {name: earlier[name].outcome for name in stage.needs if stage.uses_outcomes}
        with replacing_folder(self.folder(stage.name), own_files) as partial:
            outcome = stage.work(Work(partial, folders, engine, outcomes, self.options.show_progress))
            return write(partial, dependencies, outcome)

    def _why(
        self,
        stage: Stage,
        record: StageRecord | None,
        earlier: dict[str, StageRecord],
        forced: Sequence[str],
        waits: Sequence[str] = (),
    ) -> str:
        """Why a stage must run; empty if it need not."""
        if record is None:
            recorded = (self.folder(stage.name) / RECORD).exists()
            return "its output was edited or damaged" if recorded else "not done yet"
        if stage.name in forced:
            return "requested by --from"
        waiting = [f"{name} runs before it" for name in self._nearest(waits)]
        changed = differences(record.made, made_from(stage, self._inputs, self._code[stage.name], earlier))
        reasons = [difference.why for difference in changed if difference.stage not in waits]
        return "; ".join(reasons or waiting)

    def _nearest(self, names: Sequence[str]) -> list[str]:
        """The stages among `names` that no other of them needs, directly or indirectly."""
        needs = {stage.name: set(stage.needs) for stage in self.stages}
        for stage in self.stages:  # in order, so that the needs of earlier stages are complete
            needs[stage.name].update(*(needs[name] for name in stage.needs))
        return [name for name in names if not any(name in needs[other] for other in names)]

    def _forced(self, start: str | None) -> list[str]:
        names = [stage.name for stage in self.stages]
        if start is None:
            return []
        if start not in names:
            raise RollcallError(f"--from {start}: no such stage; choose one of {', '.join(names)}")
        return names[names.index(start) :]

    def _remove_unknown(self) -> None:
        """Remove the outputs of stages that this build does not have."""
        names = {stage.name for stage in self.stages}
        for path in self.root.iterdir():
            unknown = path.is_dir() and path.name not in names and (path / RECORD).exists()
            if unknown and not any(foreign(path, own_files)):
                remove(path)


def _fingerprints(stages: Sequence[Stage]) -> dict[str, str]:
    paths: dict[str, Path] = {}
    for stage in stages:
        paths.update(stage.inputs)
    return {name: fingerprint.of_input(path) for name, path in paths.items()}


def _code(stages: Sequence[Stage]) -> dict[str, dict[str, str]]:
    """The fingerprints of the modules that each stage depends on."""
    sources = SourceFiles()
    files = {stage.name: sources.of(stage.work) for stage in stages}
    modules = {module: paths for used in files.values() for module, paths in used.items()}
    hashes = {module: fingerprint.of_files(paths) for module, paths in modules.items()}
    return {name: {module: hashes[module] for module in used} for name, used in files.items()}
