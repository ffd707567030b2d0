"""Runs a system over a question set: writes one line for each question, and resumes after an interruption.

A finished question is never asked again. A failed one keeps its reason in the file and is tried again by the
next call. When all are done, the lines are put in the order of the set, so the same system writes the same
file.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from pathlib import Path

import msgspec

from rollcall.errors import RollcallError
from rollcall.progress import Progress
from rollcall.questions.record import Question
from rollcall.questions.run import Coverage, EntityAnswer, Passage, Prediction, Run
from rollcall.registry import plugin_failures
from rollcall.settings import Settings
from rollcall.shared_types import complete_types
from rollcall.systems.asking import coverage
from rollcall.systems.interfaces import Answers, Reader, ReadingError, Retriever, asked
from rollcall.systems.journal import InMemory, Journal, Keeping
from rollcall.systems.own import as_reader, as_retriever, unwrapped
from rollcall.systems.tally import Tally

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
    covers: Coverage | None = None
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
            done = {one.id: one for one in journal.kept}
            left = [one for one in self.questions if one.id not in done]
            for system in filter(None, (self.retriever, self.reader)):
                system.check_questions([asked(one) for one in left])
            tally = Tally(len(self.questions), self.f1)
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
            each = (time.perf_counter() - began) / len(batch)
            if together > 1:
                for start in range(0, len(batch), together):
                    some = slice(start, start + together)
                    yield from self._read_together(batch[some], retrieved[some], each)
            elif parallel == 1:
                for question, passages in zip(batch, retrieved, strict=True):
                    yield question, self._read(question, passages, each)
            else:
                yield from self._read_in_parallel(batch, retrieved, each, parallel)

    def _read_together(
        self, batch: list[Question], retrieved: list[list[Passage]], each: float
    ) -> Iterator[tuple[Question, Prediction]]:
        """Read some questions in one call."""
        assert self.reader is not None
        began = time.perf_counter()
        given = self.reader.read_many([asked(question) for question in batch], retrieved)
        each += (time.perf_counter() - began) / len(batch)
        for question, passages, answers in zip(batch, retrieved, given, strict=True):
            prediction = Prediction(question.id, _checked(answers, self.reader))
            prediction.cost = self.reader.cost_of(question.id)
            prediction.tokens = self.reader.tokens_of(question.id)
            prediction.query = self.reader.query_of(question.id)
            if self.keep_passages:
                prediction.retrieved = self._kept(passages)
            if self.timed:
                prediction.seconds = round(each, 4)
            yield question, prediction

    def _kept(self, passages: list[Passage]) -> list[Passage]:
        """The passages as the run keeps them."""
        return passages if self.texts else [Passage(one.id, score=one.score) for one in passages]

    def _read_in_parallel(
        self, batch: list[Question], retrieved: list[list[Passage]], each: float, parallel: int
    ) -> Iterator[tuple[Question, Prediction]]:
        """Read many at a time; an error that must stop everything is raised after the others returned."""
        stopped: Exception | None = None
        complete_types()
        with ThreadPoolExecutor(parallel) as pool:
            pending = {
                pool.submit(self._read, question, passages, each): question
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
            hint="; a ReadingError would let the run go on",
            expected=ReadingError,
        ):
            prediction.answers = _checked(reader.read(asked(question), passages), reader)
            prediction.cost = reader.cost_of(question.id)
            prediction.query = reader.query_of(question.id)

    def _retrieved(self, batch: list[Question]) -> list[list[Passage]]:
        if self.retriever is None:
            return [[] for _ in batch]
        with plugin_failures(f"the retriever {self.retriever.name}", unwrapped(self.retriever)):
            found = self.retriever.retrieve([asked(question) for question in batch], self.k)
        if len(found) != len(batch):
            raise RollcallError(
                f"{self.retriever.name} gave {len(found)} lists of passages for {len(batch)} questions; "
                "a retriever gives one for each, be it empty"
            )
        return found

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


def _checked(given: Answers, reader: Reader) -> Answers:
    """The answers as a list, or the reason why they are not valid."""
    wrong = [one for one in given if not isinstance(one, str | EntityAnswer)] if _is_listed(given) else given
    if wrong or not _is_listed(given):
        raise RollcallError(
            f"{reader.name} answered {wrong!r:.80}; answers are a list of texts or of EntityAnswer(id, label)"
        )
    return list(given)


def _is_listed(given: object) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, str)
