"""The file of a run while it grows: one line appended and flushed for each question.

A kill leaves at most one line half-written, which the next start cuts off. Beside the run stands what made
it, so that the answers of two systems never end up in one file.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Protocol, Self

import msgspec

from rollcall.errors import RollcallError
from rollcall.files import replacing
from rollcall.questions.run import Prediction, Run, settings_file
from rollcall.systems.settings import Settings


class Keeping(Protocol):
    """Where the predictions of a run are kept while it grows."""

    kept: list[Prediction]
    """What earlier starts finished; failures are left out, since they are tried again."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def add(self, prediction: Prediction) -> None:
        """Keep one more."""

    def finish(self, order: Sequence[str]) -> Run:
        """The whole run, in the order of these ids."""


class InMemory:
    """A run that is not written."""

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
    """A run that is being written."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self.path = path
        self._settings = settings
        self._settings_path = settings_file(path)
        self._encoder = msgspec.json.Encoder()
        self._check(settings)
        self.kept = [one for one in self._read() if one.failure is None]
        self._write(self.kept)
        self._stream: IO[bytes] = path.open("ab")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stream.close()

    def add(self, prediction: Prediction) -> None:
        """Append a line; it outlives the process when this returns."""
        self._stream.write(self._encoder.encode(prediction) + b"\n")
        self._stream.flush()

    def finish(self, order: Sequence[str]) -> Run:
        """Put the lines in the order of these ids, and close."""
        self._stream.close()
        written = {one.id: one for one in self._read()}
        predictions = [written.pop(id_) for id_ in dict.fromkeys(order) if id_ in written]
        predictions += written.values()  # of an earlier start with more questions
        self._write(predictions)
        return Run(predictions, self.path.name, settings=self._settings)

    def _check(self, settings: Settings) -> None:
        """Refuse to go on with what other settings began."""
        text = json.dumps(settings, indent=1, sort_keys=True, default=str) + "\n"
        if not self.path.exists():
            with replacing(self._settings_path) as partial:
                partial.write_text(text, encoding="utf-8")
            return
        try:
            began = json.loads(self._settings_path.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            raise RollcallError(
                f"{self.path}: is there already, and no run to go on with; remove it first"
            ) from None
        if changed := differences(began, json.loads(text)):
            raise RollcallError(
                f"{self.path}: was begun otherwise ({', '.join(changed[:3])}); "
                "write to another file or remove it"
            )

    def _read(self) -> list[Prediction]:
        if not self.path.exists():
            return []
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        try:
            return msgspec.json.Decoder(Prediction).decode_lines(whole)
        except msgspec.DecodeError as error:
            raise RollcallError(
                f"{self.path}: is not a run ({error}); remove it or name another file"
            ) from error

    def _write(self, predictions: Sequence[Prediction]) -> None:
        with replacing(self.path) as partial, partial.open("wb") as stream:
            for prediction in predictions:
                stream.write(self._encoder.encode(prediction) + b"\n")


def differences(began: Settings, wanted: Settings, within: str = "") -> list[str]:
    """What differs between two settings, each in words; how large the whole set is does not matter."""
    found = []
    for key in sorted({*began, *wanted}):
        name, then, now = f"{within}{key}", began.get(key), wanted.get(key)
        if isinstance(then, dict) and isinstance(now, dict):
            found += differences(then, now, f"{name}.")
        elif then != now and name != "covers.of":
            found.append(f"{name}: {then!r} then, {now!r} now")
    return found
