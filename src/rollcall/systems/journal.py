"""The file of a run while it is written: one line is appended and flushed for each question.

After a kill at most one line is incomplete; the next call removes it. Beside the run is a file with the
settings that made it, so that the answers of two systems are never in one file, and with the checksum of the
finished run. One process at a time writes a run.
"""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Protocol, Self

import msgspec

from rollcall import checksums
from rollcall.address import without_credentials
from rollcall.errors import RollcallError
from rollcall.files import check_file, replacing
from rollcall.locks import sole_writer
from rollcall.nesting import UNREADABLE, why
from rollcall.questions.run import Prediction, Run, is_edited, recorded, sealed_settings, settings_file
from rollcall.settings import Settings


class Keeping(Protocol):
    """Stores the predictions of a run while it is made."""

    kept: list[Prediction]
    """The predictions of earlier calls, without failures, which are tried again."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def add(self, prediction: Prediction) -> None:
        """Store one more prediction."""

    def finish(self, order: Sequence[str]) -> Run:
        """The whole run, in the order of these ids."""


class InMemory:
    """A run that is not written to a file."""

    def __init__(self, settings: Settings) -> None:
        self.kept: list[Prediction] = []
        self._settings = settings
        self._made: dict[str, Prediction] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def add(self, prediction: Prediction) -> None:
        self._made[prediction.id] = prediction

    def finish(self, order: Sequence[str]) -> Run:
        return Run([self._made[id_] for id_ in dict.fromkeys(order)], settings=self._settings)


class Journal:
    """A run that is written to a file."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        self._settings: Settings = settings
        self._settings_path = settings_file(path)
        self._encoder = msgspec.json.Encoder()
        self._open = ExitStack()
        self.kept: list[Prediction] = []

    def __enter__(self) -> Self:
        check_file(self.path)
        with ExitStack() as opened:
            opened.enter_context(sole_writer(self.path))
            self._check(self._settings)
            self.kept = [one for one in self._read() if one.failure is None]
            self._write(self.kept)
            self._stream: IO[bytes] = opened.enter_context(self.path.open("ab"))
            self._open = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and self._is_empty():  # nothing is lost, and the next command may be another
            self._stream.close()
            self.path.unlink()
            self._settings_path.unlink(missing_ok=True)
        self._open.close()

    def add(self, prediction: Prediction) -> None:
        """Append a line; after this call it survives a kill of the process."""
        self._stream.write(self._encoder.encode(prediction) + b"\n")
        self._stream.flush()

    def finish(self, order: Sequence[str]) -> Run:
        """Put the lines in the order of these ids, and close."""
        self._stream.close()
        written = {one.id: one for one in self._read()}
        predictions = [written.pop(id_) for id_ in dict.fromkeys(order) if id_ in written]
        predictions += written.values()  # of an earlier call with more questions
        self._write(predictions)
        self._write_settings({self.path.name: recorded(self.path)})
        return Run(predictions, self.path.name, settings=self._settings)

    def _check(self, settings: Settings) -> None:
        """Refuse to continue a run that other settings began."""
        self._settings = wanted = json.loads(json.dumps(settings, sort_keys=True, default=str))
        if not self.path.exists():
            self._write_settings()
            return
        began = sealed_settings(self.path)
        if began is None:
            raise RollcallError(
                f"{self.path}: is there already, and no run to go on with ({self._settings_path.name} beside "
                "it is missing or damaged); remove it first"
            )
        if is_edited(self.path, began):
            raise RollcallError(f"{self.path}: {checksums.DAMAGED}; remove it to begin again")
        for key in (checksums.FILES, checksums.SEAL):
            began.pop(key, None)
        if changed := differences(began, wanted):
            raise RollcallError(
                f"{self.path}: was begun otherwise ({without_credentials(', '.join(changed[:3]))}); "
                "write to another file or remove it"
            )
        self._write_settings()  # without the checksum, because the run may now grow

    def _write_settings(self, files: dict[str, checksums.Recorded] | None = None) -> None:
        made = self._settings if files is None else {**self._settings, checksums.FILES: files}
        with replacing(self._settings_path) as partial:
            partial.write_text(json.dumps(checksums.sealed(made), indent=1) + "\n", encoding="utf-8")

    def _read(self) -> list[Prediction]:
        if not self.path.exists():
            return []
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        try:
            return msgspec.json.Decoder(Prediction).decode_lines(whole)
        except UNREADABLE as error:
            raise RollcallError(
                f"{self.path}: is not a run ({why(error)}); remove it or name another file"
            ) from error

    def _is_empty(self) -> bool:
        return self.path.exists() and not self.path.stat().st_size

    def _write(self, predictions: Sequence[Prediction]) -> None:
        with replacing(self.path) as partial, partial.open("wb") as stream:
            for prediction in predictions:
                stream.write(self._encoder.encode(prediction) + b"\n")


def differences(began: Settings, wanted: Settings, within: str = "") -> list[str]:
    """The differences between two settings, in words; the size of the whole set does not matter."""
    found = []
    for key in sorted({*began, *wanted}):
        name, then, now = f"{within}{key}", began.get(key), wanted.get(key)
        if isinstance(then, dict) and isinstance(now, dict):
            found += differences(then, now, f"{name}.")
        elif then != now and name != "covers.of":
            found.append(f"{name}: {then!r} then, {now!r} now")
    return found
