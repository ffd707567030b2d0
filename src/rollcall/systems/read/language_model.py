"""`llm`: a language model as reader, in one of four modes.

`closed-book` shows the model only the question. `passages` shows the best passages in one prompt. `each`
shows every passage in its own prompt and unites the answers, those from the most passages first. `closed`
asks for yes or no to each candidate (`rollcall.systems.read.yes_no`).
"""

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from rollcall.english.counting import counted
from rollcall.english.folding import fold
from rollcall.errors import RollcallError
from rollcall.llm.answer_list import parse_list
from rollcall.llm.client import Client
from rollcall.llm.records import LIST_SCHEMA, Message, ModelError, Reply, Request, ask
from rollcall.questions.record import Question
from rollcall.questions.run import Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked, Reader, ReadingError
from rollcall.systems.read import READERS, prompts
from rollcall.systems.read.shots import as_turns, drawn
from rollcall.systems.read.token_count import TokenCount
from rollcall.systems.read.yes_no import YesNo

ListMode = Literal["closed-book", "passages", "each"]
Mode = Literal["passages", "each", "closed-book", "closed"]
Positive = Annotated[int, msgspec.Meta(ge=1)]
Count = Annotated[int, msgspec.Meta(ge=0)]
_SHOWN = 120
_IDLE: dict[Mode, tuple[str, ...]] = {
    "passages": ("calibrate",),
    "each": ("calibrate",),
    "closed-book": ("passages", "calibrate"),
    "closed": ("context", "max_tokens", "temperature"),
}
"""The options that have no effect in a mode."""


class LanguageModelOptions(msgspec.Struct, frozen=True):
    """What the model is shown, and how it is asked."""

    mode: Mode = "passages"
    """All passages in one prompt, each in its own, none (closed-book), or yes/no to candidates (closed)."""
    passages: Count | None = None
    """The number of passages shown, 0 for as many as fit; by default 15. Closed: of those that name the
    candidate, by default 3, 0 for none."""
    context: Annotated[int, msgspec.Meta(ge=256)] = 8192
    """The number of tokens of a prompt together with its reply."""
    max_tokens: Positive = 1024
    """The most tokens of a reply."""
    temperature: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    """The sampling temperature; 0 for the most likely reply."""
    shots: Count = 0
    """The number of examples from the training split before each question; closed: half right, half wrong."""
    seed: int = 0
    """The seed for drawing examples."""
    calibrate: bool = True
    """Closed: score candidates relative to one another."""

    def __post_init__(self) -> None:
        """Refuse options that have no effect in this mode."""
        idle = _IDLE[self.mode] + (() if self.shots else ("seed",))
        for field in msgspec.structs.fields(self):
            if field.name in idle and getattr(self, field.name) != field.default:
                why = "without shots" if field.name == "seed" else f"in the mode {self.mode}"
                raise RollcallError(
                    f"the reader llm: the option {field.name} has no effect {why}; leave it out"
                )


@READERS.register("llm")
class LanguageModel(Reader):
    """Asks a language model behind any OpenAI-compatible server (extra `llm`)."""

    Options = LanguageModelOptions
    needs = ("model",)

    def __init__(
        self,
        client: Client,
        model: str,
        *,
        mode: ListMode = "passages",
        passages: int = 15,
        context: int = 8192,
        max_tokens: int = 1024,
        temperature: float = 0.0,
        shots: Sequence[Question] = (),
    ) -> None:
        """With `passages` 0, as many are shown as fit into the `context`, which is counted in tokens."""
        self.name = f"llm({model},{mode})"
        self.parallel = client.concurrency
        self.server, self.model, self.mode = client.base_url, model, mode
        self.passages, self.context, self.examples = passages, context, tuple(one.id for one in shots)
        self.max_tokens, self.temperature = max_tokens, temperature
        self._client, self._shots = client, list(shots)
        self._tokens = TokenCount()
        self._asking: dict[str, Any] = {
            "max_tokens": max_tokens,
            "temperature": temperature,
            "schema": LIST_SCHEMA,
        }

    @classmethod
    def needed(cls, options: LanguageModelOptions) -> tuple[str, ...]:
        return ("model", "passages") if options.mode in ("passages", "each") else ("model",)

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        if not isinstance(options, LanguageModelOptions):
            return True
        return options.mode != "closed-book" and not (options.mode == "closed" and options.passages == 0)

    @classmethod
    def open(cls, options: LanguageModelOptions, context: Context) -> Reader:
        closed = options.mode == "closed"
        shots = drawn(context.questions, options.shots, options.seed, closed)
        if len(shots) < options.shots:
            fitting = "right and wrong candidates" if closed else "answers"
            raise RollcallError(
                "examples are drawn from the training split, which has "
                f"{counted(len(shots), 'question')} with {fitting}: give --shots {len(shots)} or fewer"
            )
        if options.mode == "closed":
            most = 3 if options.passages is None else options.passages
            return YesNo(
                context.client, context.model, passages=most, calibrate=options.calibrate, shots=shots
            )
        return cls(
            context.client,
            context.model,
            mode=options.mode,
            passages=15 if options.passages is None else options.passages,
            context=options.context,
            max_tokens=options.max_tokens,
            temperature=options.temperature,
            shots=shots,
        )

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        if self.mode == "each":
            return list(self._united(question, passages[: self.passages] if self.passages else passages))
        return list(self._answers(question, self._request(question, passages)))

    def tokens_of(self, question: str) -> int | None:
        return self._tokens.taken(question)

    def requests(self, question: Asked, passages: Sequence[Passage]) -> list[Request]:
        """The requests that would be made, for an estimate of the cost."""
        if self.mode != "each":
            return [self._request(question, passages)]
        chosen = passages[: self.passages] if self.passages else passages
        return [self._about(question, [passage]) for passage in chosen]

    def _request(self, question: Asked, passages: Sequence[Passage]) -> Request:
        if self.mode == "closed-book":
            return self._about(question, [])
        chosen = list(passages[: self.passages] if self.passages else passages)
        while True:
            request = self._about(question, chosen)
            if not chosen or request.estimated_prompt_tokens() + request.max_tokens <= self.context:
                return request
            chosen.pop()

    def _about(self, question: Asked, passages: Sequence[Passage]) -> Request:
        examples = as_turns(self._shots, but=question.id)
        if passages:
            prompt = prompts.over_passages(question.question, passages)
            return ask(self.model, prompt, prompts.PASSAGES_SYSTEM, examples, **self._asking)
        prompt = prompts.closed_book(question.question)
        return ask(self.model, prompt, prompts.LIST_SYSTEM, examples, **self._asking)

    def _united(self, question: Asked, passages: Sequence[Passage]) -> list[str]:
        """The answers of all passages; of equal names the first form counts."""
        votes: Counter[str] = Counter()
        forms: dict[str, str] = {}
        found: list[list[str]] = [[] for _ in passages]
        requests = [(place, self._about(question, [passage])) for place, passage in enumerate(passages)]
        for place, reply in self._client.complete_all(requests):
            if isinstance(reply, ModelError):
                raise ReadingError(str(reply)) from reply
            found[place] = self._list_in(question, reply, requests[place][1])
        for answers in found:
            votes.update({fold(answer) for answer in answers})
            for answer in answers:
                forms.setdefault(fold(answer), answer)
        return sorted(forms.values(), key=lambda answer: -votes[fold(answer)])

    def _answers(self, question: Asked, request: Request) -> list[str]:
        try:
            return self._list_in(question, self._client.complete(request), request)
        except ModelError as error:
            raise ReadingError(str(error)) from error

    def _list_in(self, question: Asked, reply: Reply, request: Request, last: bool = False) -> list[str]:
        """The answers in a reply; a model that replied in another form is asked once more."""
        self._tokens.add(question.id, reply)
        answers = None if reply.refusal or reply.finish == "content_filter" else parse_list(reply.text)
        if answers is not None:
            return answers
        if not last and not reply.refusal:
            reminded = _reminded(request, reply)
            try:
                return self._list_in(question, self._client.complete(reminded), reminded, last=True)
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
