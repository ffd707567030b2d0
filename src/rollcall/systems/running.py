"""Runs a system over a question set: writes one line for each question, and resumes after an interruption.

A finished question is never asked again. A failed one keeps its reason in the file and is tried again by the
next call. When all are done, the lines are put in the order of the set, so the same system writes the same
file.
"""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO, Protocol, Self

import msgspec

from rollcall._core import checksums
from rollcall._core.console import Progress
from rollcall._core.errors import UNREADABLE, RollcallError, complete_types, why
from rollcall._core.files import check_file, replacing, without_credentials
from rollcall._core.locks import sole_writer
from rollcall._core.registry import Settings, plugin_failures
from rollcall.questions.record import Question
from rollcall.questions.run import (
    EntityAnswer,
    Passage,
    Prediction,
    Run,
    RunCoverage,
    is_edited,
    recorded,
    sealed_settings,
    settings_file,
)
from rollcall.systems.interfaces import (
    Answers,
    Reader,
    ReadingError,
    Retriever,
    as_reader,
    as_retriever,
    asked,
    unwrapped,
)
from rollcall.systems.opening import coverage

# The file of a run while it is written: one line is appended and flushed for each question. After a kill
# at most one line is incomplete; the next call removes it. Beside the run is a file with the settings
# that made it, so that the answers of two systems are never in one file, and with the checksum of the
# finished run. One process at a time writes a run.


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
        self._predictions: dict[str, Prediction] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def add(self, prediction: Prediction) -> None:
        self._predictions[prediction.id] = prediction

    def finish(self, order: Sequence[str]) -> Run:
        return Run([self._predictions[id_] for id_ in dict.fromkeys(order)], settings=self._settings)


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
            self.kept = [prediction for prediction in self._read() if prediction.failure is None]
            self._write(self.kept)
            self._stream: IO[bytes] = opened.enter_context(self.path.open("ab"))
            self._open = opened.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and self._is_empty():  # the next command may have other settings
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
        written = {prediction.id: prediction for prediction in self._read()}
        predictions = [written.pop(id_) for id_ in dict.fromkeys(order) if id_ in written]
        predictions += written.values()  # of an earlier call with more questions
        self._write(predictions)
        self._write_settings({self.path.name: recorded(self.path)})
        return Run(predictions, self.path.name, settings=self._settings)

    def _check(self, settings: Settings) -> None:
        """Refuse to continue a run that was started with different settings."""
        self._settings = wanted = json.loads(json.dumps(settings, sort_keys=True, default=str))
        if not self.path.exists():
            self._write_settings()
            return
        stored = sealed_settings(self.path)
        if stored is None:
            raise RollcallError(
                f"{self.path}: already exists and cannot be resumed ({self._settings_path.name} beside it is "
                "missing or damaged); remove it first"
            )
        if is_edited(self.path, stored):
            raise RollcallError(f"{self.path}: {checksums.DAMAGED}; remove it to start again")
        for key in (checksums.FILES, checksums.SEAL):
            stored.pop(key, None)
        if changed := differences(stored, wanted):
            raise RollcallError(
                f"{self.path}: was started with different settings "
                f"({without_credentials(', '.join(changed[:3]))}); write to another file or remove it"
            )
        self._write_settings()  # without the checksum, because the run may now grow

    def _write_settings(self, files: dict[str, checksums.Recorded] | None = None) -> None:
        settings = self._settings if files is None else {**self._settings, checksums.FILES: files}
        with replacing(self._settings_path) as partial:
            partial.write_text(json.dumps(checksums.sealed(settings), indent=1) + "\n", encoding="utf-8")

    def _read(self) -> list[Prediction]:
        if not self.path.exists():
            return []
        data = self.path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        try:
            return msgspec.json.Decoder(Prediction).decode_lines(whole)
        except UNREADABLE as error:
            raise RollcallError(
                f"{self.path}: is not a run ({why(error)}); remove it or choose another file"
            ) from error

    def _is_empty(self) -> bool:
        return self.path.exists() and not self.path.stat().st_size

    def _write(self, predictions: Sequence[Prediction]) -> None:
        with replacing(self.path) as partial, partial.open("wb") as stream:
            for prediction in predictions:
                stream.write(self._encoder.encode(prediction) + b"\n")


def differences(stored: Settings, wanted: Settings, within: str = "") -> list[str]:
    """The differences between two settings, in words; the size of the whole set does not matter."""
    changes = []
    for key in sorted({*stored, *wanted}):
        name, then, now = f"{within}{key}", stored.get(key), wanted.get(key)
        if isinstance(then, dict) and isinstance(now, dict):
            changes += differences(then, now, f"{name}.")
        elif key == "class" and _without_module(then) == _without_module(now):
            continue
        elif then != now and name != "covers.of":
            changes.append(f"{name}: {then!r} then, {now!r} now")
    return changes


def _without_module(name: object) -> object:
    """The name of a built-in class; older versions wrote the module before it."""
    return name.rpartition(".")[2] if isinstance(name, str) and name.startswith("rollcall.") else name


# The progress of a run: questions per second, the mean F1 so far, failures.


class PredictionTally:
    """Counts predictions as they come."""

    def __init__(self, total: int, f1: Callable[[Question, Prediction], float] | None) -> None:
        self.failed = 0
        self.first_failure = ""
        self._f1 = f1
        self._scores: list[float] = []
        self._began: float | None = None
        self._now = 0

    def add(self, question: Question, prediction: Prediction, now: bool = True) -> None:
        """Count one prediction; `now` is false for those of an earlier call."""
        if now:
            self._began = self._began or time.perf_counter()
            self._now += 1
        if prediction.failure is not None:
            self.failed += 1
            self.first_failure = self.first_failure or prediction.failure
        elif self._f1 is not None and question.answers:
            self._scores.append(self._f1(question, prediction))

    @property
    def mean_f1(self) -> float | None:
        """The mean over the questions answered so far, without failures."""
        return sum(self._scores) / len(self._scores) if self._scores else None

    def remark(self) -> str:
        parts = []
        spent = time.perf_counter() - self._began if self._began is not None else 0.0
        if self._now > 1 and spent > 0:
            parts.append(f"{(self._now - 1) / spent:.2g}/s")
        if self.mean_f1 is not None:
            parts.append(f"F1 {100 * self.mean_f1:.1f}")
        if self.failed:
            parts.append(f"{self.failed} failed")
        return " · ".join(parts)


_BATCH = 32


class Running(msgspec.Struct):
    """What to run and how; `run()` runs it."""

    questions: Sequence[Question]
    retriever: Retriever | None
    reader: Reader | None
    """None to retrieve only."""
    k: int = 100
    keep_passages: bool = False
    """Whether the retrieved passages are written with the answers."""
    texts: bool = True
    """Whether passages are written with titles and texts, or by id and score alone."""
    timed: bool = False
    """Whether each line says how long its question took; without this, equal runs are equal files."""
    covers: RunCoverage | None = None
    """Which part of a set the questions are; by default it is derived from the questions."""
    f1: Callable[[Question, Prediction], float] | None = None
    """Scores one question, for the running mean; None if the gold is not known."""
    remark: Callable[[], str] = lambda: ""
    """Further text beside the progress bar, such as the cost."""
    show: bool | None = None

    def __post_init__(self) -> None:
        if self.k < 1:
            raise RollcallError(f"k is {self.k}; a question needs 1 passage or more")
        self.retriever = as_retriever(self.retriever) if self.retriever is not None else None
        self.reader = as_reader(self.reader) if self.reader is not None else None

    @property
    def settings(self) -> Settings:
        """The settings that make the run, as the systems report them; a run with other settings is not
        continued.
        """
        return {
            "covers": msgspec.to_builtins(self.covers or coverage(self.questions)),
            "retriever": self.retriever.settings() if self.retriever is not None else None,
            "reader": self.reader.settings() if self.reader is not None else None,
            "k": self.k,
            "keep_passages": self.keep_passages,
            "texts": self.texts,
        }

    def run(self, out: Path | str | None = None) -> Run:
        """Answer the questions that are not answered yet, and return the whole run; without a file nothing is
        written.
        """
        keeping: Keeping = Journal(Path(out), self.settings) if out is not None else InMemory(self.settings)
        with keeping as journal:
            done = {prediction.id: prediction for prediction in journal.kept}
            left = [question for question in self.questions if question.id not in done]
            for system in filter(None, (self.retriever, self.reader)):
                system.check_questions([asked(question) for question in left])
            tally = PredictionTally(len(self.questions), self.f1)
            for question in self.questions:
                if question.id in done:
                    tally.add(question, done[question.id], now=False)
            with Progress("questions", len(self.questions), count=True, show=self.show) as bar:
                bar.advance(len(done))
                for question, prediction in self._predictions(left):
                    journal.add(prediction)
                    tally.add(question, prediction)
                    bar.advance(1, " · ".join(filter(None, (tally.remark(), self.remark()))))
            run = journal.finish([question.id for question in self.questions])
        if self.questions and tally.failed == len(self.questions):
            where = f"{out}: " if out is not None else ""
            raise RollcallError(f"{where}every question failed; the first: {tally.first_failure}")
        return run

    def _predictions(self, questions: Sequence[Question]) -> Iterator[tuple[Question, Prediction]]:
        """Predictions as they are made; one batch is retrieved at a time, and read in parallel if the reader
        allows it.
        """
        source = iter(questions)
        parallel, together = (
            (self.reader.parallel, self.reader.together) if self.reader is not None else (1, 1)
        )
        while batch := list(islice(source, max(_BATCH, parallel, together))):
            began = time.perf_counter()
            retrieved = self._retrieved(batch)
            seconds = (time.perf_counter() - began) / len(batch)
            if together > 1:
                for start in range(0, len(batch), together):
                    part = slice(start, start + together)
                    yield from self._read_together(batch[part], retrieved[part], seconds)
            elif parallel == 1:
                for question, passages in zip(batch, retrieved, strict=True):
                    yield question, self._read(question, passages, seconds)
            else:
                yield from self._read_in_parallel(batch, retrieved, seconds, parallel)

    def _read_together(
        self, batch: list[Question], retrieved: list[list[Passage]], seconds: float
    ) -> Iterator[tuple[Question, Prediction]]:
        """Read some questions in one call."""
        assert self.reader is not None
        began = time.perf_counter()
        answer_lists = self.reader.read_many([asked(question) for question in batch], retrieved)
        seconds += (time.perf_counter() - began) / len(batch)
        for question, passages, answers in zip(batch, retrieved, answer_lists, strict=True):
            prediction = Prediction(question.id, _checked(answers, self.reader))
            prediction.cost = self.reader.cost_of(question.id)
            prediction.tokens = self.reader.tokens_of(question.id)
            prediction.query = self.reader.query_of(question.id)
            if self.keep_passages:
                prediction.retrieved = self._kept(passages)
            if self.timed:
                prediction.seconds = round(seconds, 4)
            yield question, prediction

    def _kept(self, passages: list[Passage]) -> list[Passage]:
        """The passages as the run keeps them."""
        return passages if self.texts else [Passage(passage.id, score=passage.score) for passage in passages]

    def _read_in_parallel(
        self, batch: list[Question], retrieved: list[list[Passage]], seconds: float, parallel: int
    ) -> Iterator[tuple[Question, Prediction]]:
        """Read many at a time; an error that must stop everything is raised after the others returned."""
        stopped: Exception | None = None
        complete_types()
        with ThreadPoolExecutor(parallel) as pool:
            pending = {
                pool.submit(self._read, question, passages, seconds): question
                for question, passages in zip(batch, retrieved, strict=True)
            }
            for done in as_completed(pending):
                error = done.exception()
                if error is None:
                    yield pending[done], done.result()
                elif isinstance(error, Exception):
                    stopped = stopped or error
                else:
                    raise error
        if stopped is not None:
            raise stopped

    @staticmethod
    def _answer(prediction: Prediction, question: Question, passages: list[Passage], reader: Reader) -> None:
        with plugin_failures(
            f"the reader {reader.name}",
            unwrapped(reader),
            f"question {question.id}: ",
            hint="; a ReadingError would let the run continue",
            expected=ReadingError,
        ):
            prediction.answers = _checked(reader.read(asked(question), passages), reader)
            prediction.cost = reader.cost_of(question.id)
            prediction.query = reader.query_of(question.id)

    def _retrieved(self, batch: list[Question]) -> list[list[Passage]]:
        if self.retriever is None:
            return [[] for _ in batch]
        with plugin_failures(f"the retriever {self.retriever.name}", unwrapped(self.retriever)):
            rankings = self.retriever.retrieve([asked(question) for question in batch], self.k)
        if len(rankings) != len(batch):
            raise RollcallError(
                f"{self.retriever.name} gave {len(rankings)} lists of passages for {len(batch)} questions; "
                "a retriever gives one for each, even if it is empty"
            )
        return rankings

    def _read(self, question: Question, passages: list[Passage], seconds: float) -> Prediction:
        began = time.perf_counter()
        prediction = Prediction(question.id)
        if self.reader is None or self.keep_passages:
            prediction.retrieved = self._kept(passages)
        try:
            if self.reader is not None:
                self._answer(prediction, question, passages, self.reader)
        except ReadingError as error:
            prediction.failure = str(error)
        if self.reader is not None:
            prediction.tokens = self.reader.tokens_of(question.id)
        if self.timed:
            prediction.seconds = round(seconds + time.perf_counter() - began, 4)
        return prediction


def _checked(answers: Answers, reader: Reader) -> Answers:
    """The answers as a list, or the reason why they are not valid."""
    wrong = (
        [answer for answer in answers if not isinstance(answer, str | EntityAnswer)]
        if _is_listed(answers)
        else answers
    )
    if wrong or not _is_listed(answers):
        raise RollcallError(
            f"{reader.name} answered {wrong!r:.80}; answers are a list of texts or of EntityAnswer(id, label)"
        )
    return list(answers)


def _is_listed(answers: object) -> bool:
    return isinstance(answers, Sequence) and not isinstance(answers, str)
