"""A profile whose published scorer asks a language model about a response as a whole.

The judge is given from outside. A profile has a counterpart that needs no model, under a name of its own, so
that no figure of one passes for the other's; reports show how far both agree.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import ClassVar, Self

from rollcall.errors import RollcallError
from rollcall.questions.record import Answer, Question
from rollcall.score.judging.judge import Judge
from rollcall.score.match import Resolution
from rollcall.score.profile import Predicted, Profile, texts
from rollcall.shared_types import complete_types


class JudgedProfile(Profile):
    """Base of the profiles that a language model judges."""

    reads_whole = True
    prompts: ClassVar[dict[str, str]] = {}
    """The templates of what is asked, by name."""
    counterpart: ClassVar[str] = ""
    """The profile that does the same without a model."""
    judge_model: Judge | None = None

    def seated(self, judge: Judge | None) -> Self:
        """This profile with its judge; without one it must have one already."""
        if judge is not None:
            unknown = [name for name in judge.prompts if name not in self.prompts]
            if unknown:
                known = ", ".join(self.prompts)
                raise RollcallError(
                    f"the profile {self.name} has no prompt {unknown[0]!r:.80}; it has {known}"
                )
            self.judge_model = judge
        assert self.seat
        return self

    @property
    def seat(self) -> Judge:
        """The judge, which must be there."""
        if self.judge_model is None:
            raise RollcallError(
                f"the profile {self.name} asks a language model: give --judge MODEL with --base-url ADDRESS "
                "(any OpenAI-compatible server); without one there is its deterministic part, --profile "
                f"{self.counterpart}"
            )
        return self.judge_model

    def template(self, name: str) -> str:
        return self.seat.prompts.get(name, self.prompts[name])

    def consult(
        self,
        asked: Sequence[tuple[Question, Sequence[Answer], Sequence[Predicted]]],
        *,
        show: bool | None = None,
    ) -> None:
        """Judge many questions at the same time; the replies are kept, so that scoring finds them."""
        from rollcall.progress import Progress

        complete_types()
        with (
            Progress(f"judged by {self.seat.model}", len(asked), count=True, show=show) as bar,
            ThreadPoolExecutor(self.seat.client.concurrency) as pool,
        ):
            pending = [pool.submit(self.resolve, *one) for one in asked]
            try:
                for one in pending:
                    one.result()
                    bar.advance(1, str(self.seat.client.spending))
            finally:
                for one in pending:
                    one.cancel()

    def not_judged(self, gold: Sequence[str]) -> Resolution:
        return Resolution([], [], list(gold), [False] * len(gold), judged=False)

    def warning(self, resolution: Resolution) -> str | None:
        if resolution.judged:
            return None
        return f"no response, or no verdict of {self.seat.model}: left out of every figure, as published"


def response_of(predictions: Sequence[Predicted]) -> str:
    """What a judge reads: a response as it is, or one answer a line."""
    return "\n".join(texts(predictions)).strip()
