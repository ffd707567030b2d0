"""`llm`: a language model as reader, in one of four modes.

`closed-book` shows the model only the question. `passages` shows the best passages in one prompt. `each`
shows every passage in its own prompt and unites the answers, those from the most passages first. `closed`
asks for yes or no to each candidate (`rollcall.systems.read.language_model`).
"""

import hashlib
import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Literal

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.llm.client import Client
from rollcall.llm.prompts import (
    LIST_SYSTEM,
    PASSAGES_SYSTEM,
    calibrated,
    closed_book,
    listed,
    over_texts,
    parse_list,
    yes_probability,
)
from rollcall.llm.server import LIST_SCHEMA, Message, ModelError, Reply, Request, ask
from rollcall.questions.record import Question
from rollcall.questions.run import Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked, Offered, Reader, ReadingError
from rollcall.systems.read import READERS
from rollcall.text.nouns import counted
from rollcall.text.words import fold

# How many tokens a language model took for each question, so that runs can say what an answer cost.
# Replies from the cache count as well: a repeated run reports the same.


class TokenCount:
    """Tokens by question; safe to use from several threads."""

    def __init__(self) -> None:
        self._tokens: Counter[str] = Counter()
        self._lock = threading.Lock()

    def add(self, question: str, reply: Reply) -> None:
        with self._lock:
            self._tokens[question] += reply.prompt_tokens + reply.completion_tokens

    def taken(self, question: str) -> int | None:
        """The tokens of a question since they were last asked for; None if there were none."""
        with self._lock:
            return self._tokens.pop(question, None)


# The prompts for language models: the questions, and the form of the answers.

YES_NO_SYSTEM = "You judge whether something answers a question. Reply with one word: Yes or No."
REMINDER = 'Reply with a JSON object only, like {"answers": ["first answer", "second answer"]}.'


def over_passages(question: str, passages: Sequence[Passage]) -> str:
    return over_texts(question, [shown(passage) for passage in passages])


def is_answer(question: str, candidate: Offered, passages: Sequence[Passage]) -> str:
    """The question whether a candidate is an answer, with passages if there are any."""
    asked = f"Question: {question}\nProposed answer: {candidate.label}\nIs the proposed answer right?"
    shown_passages = "\n\n".join(shown(passage) for passage in passages)
    return f"Passages:\n\n{shown_passages}\n\n{asked}" if shown_passages else asked


def shown(passage: Passage) -> str:
    return f"{passage.title}: {passage.text}" if passage.title else passage.text


# Solved examples for a prompt, drawn from the training split by the hash of their ids. Long answer lists
# are cut to ten, as in RoMQA. In the closed setting, an example is a question with one of its
# candidates, and as many examples are right as wrong. A question is never its own example.

_ANSWERS = 10

Shots = tuple[tuple[str, str], ...]


def drawn(questions: Iterable[Question], count: int, seed: int = 0, closed: bool = False) -> list[Question]:
    """A number of training questions, or fewer if there are not as many.

    They have answers; in the closed setting, a right and a wrong candidate.
    """
    training = [
        question
        for question in questions
        if question.split == "train"
        and (
            len({candidate.is_answer for candidate in question.candidates}) == 2
            if closed
            else question.answers
        )
    ]
    return sorted(training, key=lambda question: (_hash(seed, question.id), question.id))[:count]


def as_turns(examples: Iterable[Question], but: str = "") -> Shots:
    """Examples as turns of a conversation, without the question with this id."""
    return tuple(
        (closed_book(question.question), listed([a.label for a in question.answers[:_ANSWERS]]))
        for question in examples
        if question.id != but
    )


def yes_no_turns(examples: Iterable[Question], but: str = "") -> Shots:
    """A right candidate of the first example, a wrong one of the second, and so on, in random order."""
    turns = []
    for index, question in enumerate(examples):
        is_right = index % 2 == 0
        fitting = [candidate for candidate in question.candidates if candidate.is_answer == is_right]
        if fitting and question.id != but:
            chosen = min(fitting, key=lambda candidate: _hash(0, f"{question.id}/{candidate.label}"))
            prompt = is_answer(question.question, Offered(chosen.label), ())
            turns.append((prompt, "Yes" if is_right else "No"))
    return tuple(sorted(turns, key=lambda turn: _hash(0, turn[0])))


def _hash(seed: int, text: str) -> str:
    return hashlib.md5(f"{seed}/{text}".encode()).hexdigest()


# `llm` in the closed setting: the model says yes or no to each candidate, with a probability. If the
# server gives log-probabilities, each candidate gets a channel score: how much more likely "yes" is for
# it than for the candidates of the question on average. This corrects for a model that tends to say yes
# to everything.

_ALTERNATIVES = 10


class YesNo(Reader):
    """A reader that judges candidates one by one."""

    def __init__(
        self,
        client: Client,
        model: str,
        *,
        passages: int = 3,
        calibrate: bool = True,
        shots: Sequence[Question] = (),
    ) -> None:
        """`passages` is the number of passages that name a candidate and are shown with it."""
        self.name = f"llm({model},closed)"
        self.parallel = client.concurrency
        self.server, self.model = client.base_url, model
        self.passages, self.calibrate, self.examples = (
            passages,
            calibrate,
            tuple(question.id for question in shots),
        )
        self._client, self._shots = client, list(shots)
        self._tokens = TokenCount()

    def tokens_of(self, question: str) -> int | None:
        return self._tokens.taken(question)

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        if not question.candidates:
            raise ReadingError("the question offers no candidates to say yes or no to")
        replies = self._replies(question, passages)
        chances = []
        for candidate, reply in zip(question.candidates, replies, strict=True):
            chance = yes_probability(reply)
            if chance is None:
                raise ReadingError(
                    f"the model said neither yes nor no to {candidate.label!r}: {reply.text!r}"
                )
            chances.append(chance)
        if self.calibrate and all(reply.chances for reply in replies):
            scores = calibrated(chances)
        else:
            scores = [chance - 0.5 for chance in chances]
        ranked = sorted(zip(scores, question.candidates, strict=True), key=lambda pair: -pair[0])
        return [candidate.answer() for score, candidate in ranked if score > 0]

    def _replies(self, question: Asked, passages: Sequence[Passage]) -> list[Reply]:
        replies: dict[int, Reply] = {}
        requests = [self._request(question, candidate, passages) for candidate in question.candidates]
        for index, reply in self._client.complete_all(enumerate(requests)):
            if isinstance(reply, ModelError):
                raise ReadingError(str(reply)) from reply
            self._tokens.add(question.id, reply)
            replies[index] = reply
        return [replies[index] for index in range(len(requests))]

    def _request(self, question: Asked, candidate: Offered, passages: Sequence[Passage]) -> Request:
        naming_passages = naming(candidate, passages)[: self.passages]
        return ask(
            self.model,
            is_answer(question.question, candidate, naming_passages),
            YES_NO_SYSTEM,
            yes_no_turns(self._shots, but=question.id),
            max_tokens=4,
            logprobs=_ALTERNATIVES,
        )


def naming(candidate: Offered, passages: Sequence[Passage]) -> list[Passage]:
    """The passages that name a candidate, in their order."""
    names = [fold(name) for name in (candidate.label, *candidate.aliases)]
    return [
        passage
        for passage in passages
        if any(name in fold(f"{passage.title}\n{passage.text}") for name in names)
    ]


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


class LanguageModelReaderOptions(msgspec.Struct, frozen=True):
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

    Options = LanguageModelReaderOptions
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
        self.passages, self.context, self.examples = (
            passages,
            context,
            tuple(question.id for question in shots),
        )
        self.max_tokens, self.temperature = max_tokens, temperature
        self._client, self._shots = client, list(shots)
        self._tokens = TokenCount()
        self._asking: dict[str, Any] = {
            "max_tokens": max_tokens,
            "temperature": temperature,
            "schema": LIST_SCHEMA,
        }

    @classmethod
    def needed(cls, options: LanguageModelReaderOptions) -> tuple[str, ...]:
        return ("model", "passages") if options.mode in ("passages", "each") else ("model",)

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        if not isinstance(options, LanguageModelReaderOptions):
            return True
        return options.mode != "closed-book" and not (options.mode == "closed" and options.passages == 0)

    @classmethod
    def open(cls, options: LanguageModelReaderOptions, context: Context) -> Reader:
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
            prompt = over_passages(question.question, passages)
            return ask(self.model, prompt, PASSAGES_SYSTEM, examples, **self._asking)
        prompt = closed_book(question.question)
        return ask(self.model, prompt, LIST_SYSTEM, examples, **self._asking)

    def _united(self, question: Asked, passages: Sequence[Passage]) -> list[str]:
        """The answers of all passages; of equal names the first form counts."""
        votes: Counter[str] = Counter()
        forms: dict[str, str] = {}
        lists: list[list[str]] = [[] for _ in passages]
        requests = [(index, self._about(question, [passage])) for index, passage in enumerate(passages)]
        for index, reply in self._client.complete_all(requests):
            if isinstance(reply, ModelError):
                raise ReadingError(str(reply)) from reply
            lists[index] = self._list_in(question, reply, requests[index][1])
        for answers in lists:
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
        excerpt = " ".join((reply.refusal or reply.text).split())[:_SHOWN]
        outcome = (
            "refused" if reply.refusal or reply.finish == "content_filter" else "gave no list of answers"
        )
        raise ReadingError(f"the model {outcome}: {excerpt!r}")


def _reminded(request: Request, reply: Reply) -> Request:
    turns = (Message("assistant", reply.text or "…"), Message("user", REMINDER))
    return msgspec.structs.replace(request, messages=(*request.messages, *turns))
