"""`llm`: a language model reads, in three ways.

`closed-book` shows it the question alone; `passages` the best passages in one prompt; `each` every passage
by itself, and unites what it finds, the answers of most passages first.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

from rollcall.graph.names import fold
from rollcall.llm.answer_list import parse_list
from rollcall.llm.client import Client
from rollcall.llm.records import LIST_SCHEMA, Message, ModelError, Reply, Request, ask
from rollcall.questions.record import Question
from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Answers, Asked, ReadingError
from rollcall.systems.read import prompts
from rollcall.systems.read.shots import as_turns

Way = Literal["closed-book", "passages", "each"]
_SHOWN = 120


class LanguageModel:
    """A reader that asks a model for lists of answers."""

    def __init__(
        self,
        client: Client,
        model: str,
        *,
        way: Way = "passages",
        passages: int = 15,
        context: int = 8192,
        max_tokens: int = 1024,
        temperature: float = 0.0,
        shots: Sequence[Question] = (),
    ) -> None:
        """`passages` of 0 takes as many as fit into the `context`, which is counted in tokens."""
        self.name = f"llm({model},{way})"
        self.parallel = client.concurrency
        self._client, self._model, self._way = client, model, way
        self._most, self._context, self._shots = passages, context, list(shots)
        self._asking: dict[str, Any] = {
            "max_tokens": max_tokens,
            "temperature": temperature,
            "schema": LIST_SCHEMA,
        }

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        if self._way == "each":
            return list(self._united(question, passages[: self._most] if self._most else passages))
        return list(self._answers(self._request(question, passages)))

    def requests(self, question: Asked, passages: Sequence[Passage]) -> list[Request]:
        """What would be asked, for an estimate of the cost."""
        if self._way != "each":
            return [self._request(question, passages)]
        chosen = passages[: self._most] if self._most else passages
        return [self._about(question, [passage]) for passage in chosen]

    def _request(self, question: Asked, passages: Sequence[Passage]) -> Request:
        if self._way == "closed-book":
            return self._about(question, [])
        chosen = list(passages[: self._most] if self._most else passages)
        while True:
            request = self._about(question, chosen)
            if not chosen or request.estimated_prompt_tokens() + request.max_tokens <= self._context:
                return request
            chosen.pop()

    def _about(self, question: Asked, passages: Sequence[Passage]) -> Request:
        examples = as_turns(self._shots, but=question.id)
        if passages:
            prompt = prompts.over_passages(question.question, passages)
            return ask(self._model, prompt, prompts.PASSAGES_SYSTEM, examples, **self._asking)
        prompt = prompts.closed_book(question.question)
        return ask(self._model, prompt, prompts.LIST_SYSTEM, examples, **self._asking)

    def _united(self, question: Asked, passages: Sequence[Passage]) -> list[str]:
        """The answers of all passages; of equal names the first form counts."""
        votes: Counter[str] = Counter()
        forms: dict[str, str] = {}
        found: list[list[str]] = [[] for _ in passages]
        requests = [(place, self._about(question, [passage])) for place, passage in enumerate(passages)]
        for place, reply in self._client.complete_all(requests):
            if isinstance(reply, ModelError):
                raise ReadingError(str(reply)) from reply
            found[place] = self._list_in(reply, requests[place][1])
        for answers in found:
            votes.update({fold(answer) for answer in answers})
            for answer in answers:
                forms.setdefault(fold(answer), answer)
        return sorted(forms.values(), key=lambda answer: -votes[fold(answer)])

    def _answers(self, request: Request) -> list[str]:
        try:
            return self._list_in(self._client.complete(request), request)
        except ModelError as error:
            raise ReadingError(str(error)) from error

    def _list_in(self, reply: Reply, request: Request, last: bool = False) -> list[str]:
        """The answers in a reply; a model that wrote something else is reminded once."""
        answers = None if reply.refusal or reply.finish == "content_filter" else parse_list(reply.text)
        if answers is not None:
            return answers
        if not last and not reply.refusal:
            reminded = _reminded(request, reply)
            try:
                return self._list_in(self._client.complete(reminded), reminded, last=True)
            except ModelError as error:
                raise ReadingError(str(error)) from error
        self._client.forget(request)
        said = " ".join((reply.refusal or reply.text).split())[:_SHOWN]
        what = "refused" if reply.refusal or reply.finish == "content_filter" else "gave no list of answers"
        raise ReadingError(f"the model {what}: {said!r}")


def _reminded(request: Request, reply: Reply) -> Request:
    from msgspec.structs import replace

    turns = (Message("assistant", reply.text or "…"), Message("user", prompts.REMINDER))
    return replace(request, messages=(*request.messages, *turns))
