"""The progress of a run: questions per second, the mean F1 so far, failures."""

import time
from collections.abc import Callable

from rollcall.questions.record import Question
from rollcall.questions.run import Prediction


class Tally:
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
