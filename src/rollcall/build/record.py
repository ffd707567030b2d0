"""The record of a finished stage, and how a later call decides why the stage must run again.

The record is in the stage's folder and is written before the folder is moved to its place, so an existing
folder is complete. It has the fingerprints of everything the stage was made from. A stage whose files were
edited or damaged since counts as not done.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from rollcall import __version__, checksums
from rollcall.build import fingerprint
from rollcall.build.stage import Outcome, Stage

RECORD = "stage.json"
_FORGOTTEN = "stage.forgotten.json"


class Made(msgspec.Struct, omit_defaults=True):
    """Everything on which a stage's output depends."""

    version: str = ""
    parameters: dict[str, Any] = {}
    inputs: dict[str, str] = {}
    needs: dict[str, str] = {}
    """The fingerprints of the outputs of the stages it needs."""
    code: dict[str, str] = {}


class Kept(msgspec.Struct):
    """The record of a finished stage."""

    made: Made
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
    stage: Stage, inputs: Mapping[str, str], code: Mapping[str, str], before: Mapping[str, Kept]
) -> Made:
    """What a stage would be made from now, given fingerprints of inputs and code, and the earlier stages."""
    return Made(
        version=__version__,
        parameters=msgspec.json.decode(msgspec.json.encode(dict(stage.parameters))),
        inputs={name: inputs[name] for name in sorted(stage.inputs)},
        needs={
            name: (before[name].telling if stage.uses_outcomes else before[name].output)
            if name in before
            else ""
            for name in sorted(stage.needs)
        },
        code=dict(code),
    )


def read(folder: Path) -> Kept | None:
    """The record of a stage's folder; None if there is none, or if a file was changed, added or removed."""
    kept = _recorded(folder / RECORD)
    if kept is None or _added(folder, kept):
        return None
    return None if checksums.damaged(folder, kept.files, checksums.sha256) else kept


def _recorded(path: Path) -> Kept | None:
    """A record as it was written; None if there is none, or if it was damaged."""
    try:
        recorded = msgspec.json.decode(path.read_bytes())
        kept = msgspec.convert(recorded, Kept)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return kept if checksums.is_sealed(recorded) else None


def _added(folder: Path, kept: Kept) -> set[str]:
    """Files in a stage's folder that the stage did not write; hidden files are ignored."""
    found = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(folder).as_posix() for path in found} - {*kept.files, RECORD}


def forget(folder: Path) -> None:
    """Mark a stage as not done; the list of its files is kept, so that the folder can be replaced."""
    if (folder / RECORD).exists():
        (folder / RECORD).replace(folder / _FORGOTTEN)


def own_files(folder: Path) -> set[str]:
    """The files that a stage wrote into its folder; without a record, all files there."""
    for name in (RECORD, _FORGOTTEN):
        kept = _recorded(folder / name)
        if kept is not None:
            return {*kept.files, RECORD, _FORGOTTEN}
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def write(folder: Path, made: Made, outcome: Outcome) -> Kept:
    """Record what a stage has written into its folder."""
    kept = Kept(made, checksums.record(folder, checksums.sha256), outcome)
    recorded = checksums.sealed(msgspec.to_builtins(kept))
    (folder / RECORD).write_bytes(msgspec.json.format(msgspec.json.encode(recorded), indent=1) + b"\n")
    return kept


class Difference(NamedTuple):
    """A change in what a stage depends on, in words; `stage` if it is the output of another stage."""

    why: str
    stage: str = ""


def differences(before: Made, now: Made) -> Iterator[Difference]:
    """The things a stage depends on that have changed."""
    if before.version != now.version:
        yield Difference(f"Rollcall is {now.version}, was {before.version}")
    for name, fingerprint_ in now.inputs.items():
        if before.inputs.get(name) != fingerprint_:
            yield Difference(f"{name} is another one")
    for name, output in now.needs.items():
        if before.needs.get(name) != output:
            yield Difference(f"{name} came out differently", name)
    for name in sorted({*before.needs} - {*now.needs}):
        yield Difference(f"it no longer needs {name}")
    flat_before, flat_now = dict(_flat(before.parameters)), dict(_flat(now.parameters))
    for name in sorted({*flat_before, *flat_now}):
        if flat_before.get(name) != flat_now.get(name):
            yield Difference(f"{name} is {flat_now.get(name, 'unset')}, was {flat_before.get(name, 'unset')}")
    for name in sorted({*before.code, *now.code}):
        if before.code.get(name) != now.code.get(name):
            yield Difference(f"the code of {name} changed")


def _flat(parameters: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in parameters.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value
