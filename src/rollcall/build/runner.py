"""Runs the stages of a build, but only those whose inputs, parameters or code changed.

Each stage writes into a temporary folder, which is renamed when it is complete. So a build that is killed
loses at most the stage that was running. A stage depends on the *outputs* of the stages it needs: if one of
these runs again and writes the same bytes, the later stages need not run.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from rollcall.build import fingerprint, record
from rollcall.build.source_files import SourceFiles
from rollcall.build.stage import Limits, Outcome, Stage, Work
from rollcall.errors import RollcallError
from rollcall.files import remove
from rollcall.folders import foreign, replacing_folder
from rollcall.locks import sole_writer
from rollcall.tables.engine import Engine


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

    def __init__(self, root: Path, stages: Sequence[Stage], limits: Limits | None = None):
        self.root = root
        self.stages = list(stages)
        self.limits = limits or Limits()
        self._inputs = _fingerprints(self.stages)
        self._code = _code(self.stages)

    def folder(self, stage: str) -> Path:
        return self.root / stage

    def plan(self, start: str | None = None) -> list[Step]:
        """What a call would do and why, without doing it."""
        forced = self._forced(start)
        steps: dict[str, Step] = {}
        before: dict[str, record.Kept] = {}
        for stage in self.stages:
            waits = [name for name in stage.needs if steps[name].runs]
            kept = record.read(self.folder(stage.name))
            if kept is not None:
                before[stage.name] = kept
            why = self._why(stage, kept, before, forced, waits)
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
                record.forget(self.folder(name))
            self._remove_unknown()
            finished: dict[str, Finished] = {}
            before: dict[str, record.Kept] = {}
            for stage in self.stages:
                kept = record.read(self.folder(stage.name))
                done_now, began = bool(self._why(stage, kept, before, forced)), time.perf_counter()
                if kept is None or done_now:
                    engine = engine or stack.enter_context(self.limits.opened())
                    if report is not None:
                        report(stage.name, None)
                    kept = self._make(stage, before, engine)
                before[stage.name] = kept
                seconds = time.perf_counter() - began if done_now else 0.0
                finished[stage.name] = Finished(stage.name, kept.outcome, seconds, done_now)
                if report is not None:
                    report(stage.name, finished[stage.name])
            return list(finished.values())

    def _make(self, stage: Stage, before: dict[str, record.Kept], engine: Engine) -> record.Kept:
        made = record.made_from(stage, self._inputs, self._code[stage.name], before)
        folders = {name: self.folder(name) for name in stage.needs}
        outcomes = {name: before[name].outcome for name in stage.needs if stage.uses_outcomes}
        with replacing_folder(self.folder(stage.name), record.own_files) as partial:
            outcome = stage.work(Work(partial, folders, engine, outcomes, self.limits.show_progress))
            return record.write(partial, made, outcome)

    def _why(
        self,
        stage: Stage,
        kept: record.Kept | None,
        before: dict[str, record.Kept],
        forced: Sequence[str],
        waits: Sequence[str] = (),
    ) -> str:
        """Why a stage must run; empty if it need not."""
        if kept is None:
            recorded = (self.folder(stage.name) / record.RECORD).exists()
            return "its work was edited or damaged" if recorded else "not done yet"
        if stage.name in forced:
            return "asked for by --from"
        waiting = [f"{name} runs before it" for name in self._nearest(waits)]
        changed = record.differences(
            kept.made, record.made_from(stage, self._inputs, self._code[stage.name], before)
        )
        known = [difference.why for difference in changed if difference.stage not in waits]
        return "; ".join(known or waiting)

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
            raise RollcallError(f"--from {start}: no such stage; there are {', '.join(names)}")
        return names[names.index(start) :]

    def _remove_unknown(self) -> None:
        """Remove the outputs of stages that this build does not have."""
        known = {stage.name for stage in self.stages}
        for path in self.root.iterdir():
            unknown = path.is_dir() and path.name not in known and (path / record.RECORD).exists()
            if unknown and not any(foreign(path, record.own_files)):
                remove(path)


def _fingerprints(stages: Sequence[Stage]) -> dict[str, str]:
    places: dict[str, Path] = {}
    for stage in stages:
        places.update(stage.inputs)
    return {name: fingerprint.of_input(path) for name, path in places.items()}


def _code(stages: Sequence[Stage]) -> dict[str, dict[str, str]]:
    """The fingerprints of the modules that each stage depends on."""
    sources = SourceFiles()
    files = {stage.name: sources.of(stage.work) for stage in stages}
    modules = {module: paths for used in files.values() for module, paths in used.items()}
    known = {module: fingerprint.of_files(paths) for module, paths in modules.items()}
    return {name: {module: known[module] for module in used} for name, used in files.items()}
