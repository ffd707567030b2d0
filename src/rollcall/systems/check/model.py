"""`model`: an answer is supported if a language model says so."""

from collections.abc import Sequence

from rollcall.configurable import NoOptions
from rollcall.llm.client import Client
from rollcall.llm.records import ModelError, ask
from rollcall.llm.yes_no import yes_probability
from rollcall.questions.run import Passage
from rollcall.systems.check import CHECKS
from rollcall.systems.context import Context
from rollcall.systems.interfaces import AnswerCheck, Asked, Offered, ReadingError
from rollcall.systems.read import prompts


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
        prompt = prompts.is_answer(question.question, answer, passages)
        request = ask(self.model, prompt, prompts.YES_NO_SYSTEM, max_tokens=4, logprobs=10)
        try:
            chance = yes_probability(self._client.complete(request))
        except ModelError as error:
            raise ReadingError(str(error)) from error
        return chance is None or chance >= 0.5  # without a judgement the answer is kept
