"""The file of a run while it grows: one line appended and flushed for each question.

A kill leaves at most one line half-written, which the next start cuts off. Beside the run stands what made
it, so that the answers of two systems never end up in one file, and when it is finished the checksum of it.
One process at a time writes a run.
"""

import json
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import msgspec

from rollcall import checksums
from rollcall.address import without_credentials
from rollcall.errors import RollcallError
from rollcall.files import check_file, replacing
from rollcall.locks import sole_writer
from rollcall.questions.run import Prediction, Run, is_edited, read_settings, recorded


class Journal:
    """A run that is being written."""

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        self.path = path
        self._settings_path = path.with_name(f"{path.name}.settings.json")
        self._settings = settings
        self._encoder = msgspec.json.Encoder()
        self._open = ExitStack()
        self.kept: list[Prediction] = []
        """What earlier starts finished; failures are left out, since they are tried again."""

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
        self._open.close()

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
        self._write_settings({self.path.name: recorded(self.path)})
        return Run(predictions, self.path.name)

    def _check(self, settings: dict[str, Any]) -> None:
        """Refuse to go on with what other settings began."""
        self._settings = wanted = json.loads(json.dumps(settings, sort_keys=True, default=str))
        if not self.path.exists():
            self._write_settings()
            return
        began = read_settings(self._settings_path)
        if began is None:
            raise RollcallError(
                f"{self.path}: is there already, and no run to go on with ({self._settings_path.name} beside "
                "it is missing or damaged); remove it first"
            )
        if is_edited(self.path, began):
            raise RollcallError(f"{self.path}: {checksums.DAMAGED}; remove it to begin again")
        for key in (checksums.FILES, checksums.SEAL):
            began.pop(key, None)
        changed = sorted(key for key in {*began, *wanted} if began.get(key) != wanted.get(key))
        if changed:
            told = ", ".join(
                f"{key}: {began.get(key)!r} then, {wanted.get(key)!r} now" for key in changed[:3]
            )
            raise RollcallError(
                f"{self.path}: was begun otherwise ({without_credentials(told)}); write to another file or "
                "remove it"
            )
        self._write_settings()  # without the checksum of a run that may now grow

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
        except msgspec.DecodeError as error:
            raise RollcallError(
                f"{self.path}: is not a run ({error}); remove it or name another file"
            ) from error

    def _write(self, predictions: Sequence[Prediction]) -> None:
        with replacing(self.path) as partial, partial.open("wb") as stream:
            for prediction in predictions:
                stream.write(self._encoder.encode(prediction) + b"\n")
