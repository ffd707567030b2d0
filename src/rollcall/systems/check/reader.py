"""`reader`: an answer is supported if the reader gives it again from the passages found for it.

So every reader can verify its own answers, especially a trained one: what it took from one passage must
also follow from passages that were retrieved for the answer.
"""

from collections.abc import Sequence

from rollcall._core.errors import RollcallError
from rollcall._core.registry import NoOptions, Settings
from rollcall.llm.client import Client
from rollcall.llm.prompts import yes_probability
from rollcall.llm.server import ModelError, ask
from rollcall.questions.run import Passage
from rollcall.systems.check import CHECKS
from rollcall.systems.context import Context
from rollcall.systems.interfaces import AnswerCheck, Asked, Offered, Reader, ReadingError, offered
from rollcall.systems.read import language_model


@CHECKS.register("reader")
class ReaderCheck(AnswerCheck):
    """Keeps answers that the reader gives again from passages found for each."""

    name = "reader"

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    @classmethod
    def open(cls, options: NoOptions, context: Context) -> "ReaderCheck":
        if context.reader is None:
            raise RollcallError("the check reader is for runs of a reader")
        return cls(context.reader)

    def settings(self) -> Settings:
        return {**super().settings(), "reader": self._reader.settings()}

    def supports(self, question: Asked, answer: Offered, passages: Sequence[Passage]) -> bool:
        return self.supports_all([(question, answer, passages)])[0]

    def supports_all(self, asked: Sequence[tuple[Asked, Offered, Sequence[Passage]]]) -> list[bool]:
        supported: list[bool] = []
        size = max(self._reader.together, 1)
        for start in range(0, len(asked), size):
            batch = asked[start : start + size]
            read = self._reader.read_many(
                [question for question, _, _ in batch], [passages for _, _, passages in batch]
            )
            supported += [
                answer.key in {offered(given_answer).key for given_answer in answers}
                for (_, answer, _), answers in zip(batch, read, strict=True)
            ]
        return supported


# `model`: an answer is supported if a language model says so.


@CHECKS.register("model")
class ModelCheck(AnswerCheck):
    """Keeps answers that a language model judges to be supported."""

    name = "model"
    needs = ("model",)

    def __init__(self, client: Client, model: str) -> None:
        self.server, self.model = client.base_url, model
        self._client = client

    @classmethod
    def open(cls, options: NoOptions, context: Context) -> "ModelCheck":
        return cls(context.client, context.model)

    def supports(self, question: Asked, answer: Offered, passages: Sequence[Passage]) -> bool:
        prompt = language_model.is_answer(question.question, answer, passages)
        request = ask(self.model, prompt, language_model.YES_NO_SYSTEM, max_tokens=4, logprobs=10)
        try:
            chance = yes_probability(self._client.complete(request))
        except ModelError as error:
            raise ReadingError(str(error)) from error
        return chance is None or chance >= 0.5  # without a judgement the answer is kept
