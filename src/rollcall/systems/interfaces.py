"""The interfaces of systems: a retriever and a reader, each with one method, and what they see of a question.

A system sees the wording and, in the closed setting, the candidates. `Asked` leaves out the query, the
answers and which candidates are right, so that no system can use them. A user's own system is a subclass of
`Retriever` or `Reader`, any object that has the one method, or a plain function: `answer(question)`,
`answer(question, passages)`, `search(question, k)`.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeGuard

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.registry import Configurable, Settings, described, lacks_method
from rollcall.questions.record import Question
from rollcall.questions.run import EntityAnswer, Passage
from rollcall.text.words import fold

if TYPE_CHECKING:
    from rollcall.graph import Graph
    from rollcall.query import Value

Answers: TypeAlias = "list[str | EntityAnswer]"


class Offered(msgspec.Struct, frozen=True):
    """An entity that is offered in the closed setting."""

    label: str
    id: str | None = None
    aliases: tuple[str, ...] = ()

    def answer(self) -> str | EntityAnswer:
        return EntityAnswer(self.id, self.label) if self.id else self.label

    @property
    def key(self) -> str:
        """What identifies it among the answers to a question."""
        return self.id or fold(self.label)


def offered(answer: str | EntityAnswer) -> Offered:
    """An answer as a check and a retriever see it."""
    return Offered(answer) if isinstance(answer, str) else Offered(answer.label or answer.id, answer.id)


class Asked(msgspec.Struct, frozen=True):
    """A question as a system sees it."""

    id: str
    question: str
    candidates: tuple[Offered, ...] = ()


def asked(question: Question) -> Asked:
    """What a system may see of a question."""
    candidates = (
        Offered(candidate.label, candidate.id, tuple(candidate.aliases)) for candidate in question.candidates
    )
    wording = question.question or next(iter(question.wordings), "")
    return Asked(
        question.id,
        wording,
        tuple(sorted(candidates, key=lambda candidate: (candidate.label, candidate.id or ""))),
    )


class System(Configurable):
    """What retrievers, readers and answer checks have in common.

    `needs` may be `corpus`, `graph`, `passages` (a retriever) and `model` (a language model); `open` is given
    a `rollcall.systems.context.Context`.
    """

    name: str = ""
    """Its name in runs and messages; by default the name of its class."""

    def __init_subclass__(cls) -> None:
        if "name" not in vars(cls):
            cls.name = cls.__name__

    def settings(self) -> Settings:
        """The settings that decide its answers, stored beside a run; a run with other settings is not
        continued.
        """
        return described(self)

    def check_questions(self, questions: "Sequence[Asked]") -> None:
        """Refuse questions that must not be asked, before any is; by default none is refused."""


class Retriever(System):
    """Finds passages for many questions at once, best first."""

    parts: ClassVar[tuple[str, ...]] = ()
    """For a fusion with its own name: the retrievers that are fused."""

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        """For each question its k best passages (fewer if there are no more)."""
        raise NotImplementedError


class Reader(System):
    """Answers a question from passages."""

    parallel: int = 1
    """How many questions it may be asked at the same time, each from its own thread."""

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        """Whether it reads passages if there are any; if not, none are retrieved for it."""
        return True

    together: int = 1
    """How many questions `read_many` is given at a time."""

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        """The answers, the most certain first; a `ReadingError` if the question could not be answered."""
        raise NotImplementedError

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> "list[Answers]":
        """The answers to many questions, for readers that answer several at once faster than one by one."""
        return [self.read(*pair) for pair in zip(questions, passages, strict=True)]

    def cost_of(self, question: str) -> dict[str, int]:
        """What the last answers to a question cost beyond one reading, by its id; it may be asked once."""
        return {}

    def tokens_of(self, question: str) -> int | None:
        """The tokens that a language model took for the last answers to a question; it may be asked once."""
        return None

    def query_of(self, question: str) -> str | None:
        """The text of the query that gave the last answers to a question, by its id, for readers that have
        queries; it may be asked once.
        """
        return None


class AnswerCheck(System):
    """Decides whether passages support an answer."""

    def supports(self, question: Asked, answer: Offered, passages: Sequence[Passage]) -> bool:
        """Whether the answer is kept."""
        raise NotImplementedError

    def supports_all(self, asked: Sequence[tuple[Asked, Offered, Sequence[Passage]]]) -> list[bool]:
        """Whether each is kept, for checks that decide on many at once faster than one by one."""
        return [self.supports(*request) for request in asked]


class ReadingError(Exception):
    """The reader failed on this question; the run records the reason, and the next call tries again."""


# Wraps systems of a user that are not subclasses of Rollcall's classes: any object with the one method, or
# a function. They are wrapped only here, so all other code may rely on the whole interface.


class OwnRetriever(Retriever):
    """Any object with a method `retrieve`."""

    def __init__(self, own: Retriever) -> None:
        self._own = own
        self.name = name_of(own)

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        return self._own.retrieve(questions, k)

    def settings(self) -> Settings:
        return described(self._own)


class OwnReader(Reader):
    """Any object with a method `read`."""

    def __init__(self, own: Reader) -> None:
        self._own = own
        self.name = name_of(own)

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        return self._own.read(question, passages)

    def settings(self) -> Settings:
        return described(self._own)


def as_retriever(retriever: Retriever) -> Retriever:
    """A retriever with the whole interface."""
    if lacking := lacks_method(retriever, Retriever, "retrieve", "retrieve(questions, k)"):
        raise RollcallError(f"{name_of(retriever)} is not a retriever: {lacking}")
    return retriever if isinstance(retriever, Retriever) else OwnRetriever(retriever)


def as_reader(reader: Reader) -> Reader:
    """A reader with the whole interface."""
    if lacking := lacks_method(reader, Reader, "read", "read(question, passages)"):
        raise RollcallError(f"{name_of(reader)} is not a reader: {lacking}")
    return reader if isinstance(reader, Reader) else OwnReader(reader)


def is_function(given: object) -> TypeGuard[Callable[..., Any]]:
    """Whether a system is given as a plain function."""
    return isinstance(given, FunctionType | MethodType | BuiltinFunctionType)


def reader_of(function: Callable[..., Any]) -> type[Reader]:
    """The reader that a function of a question, or of a question and its passages, stands for.

    The function is given the wording of the question. With two parameters it needs passages.
    """
    reads_passages = _parameters(function, "reader", "answer(question)", "answer(question, passages)") == 2

    def read(self: Reader, question: Asked, passages: Sequence[Passage]) -> Any:
        return function(question.question, passages) if reads_passages else function(question.question)

    own = {
        "read": read,
        "needs": ("passages",) if reads_passages else (),
        "takes_passages": classmethod(lambda cls, options: reads_passages),
    }
    return type(_function_name(function), (Reader,), {**own, **_origin(function)})


def retriever_of(function: Callable[..., Any]) -> type[Retriever]:
    """The retriever that a function `search(question, k)` stands for; it returns passages, best first, each a
    `Passage`, a dict with the keys of one, or its text.
    """
    _parameters(function, "retriever", "search(question, k)")
    name = _function_name(function)

    def retrieve(self: Retriever, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        return [_passages(function(question.question, k), name)[:k] for question in questions]

    return type(name, (Retriever,), {"retrieve": retrieve, **_origin(function)})


def _parameters(function: Callable[..., Any], kind: str, *forms: str) -> int:
    """How many parameters without a default a function has; it must have as many as one of the forms."""
    free = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    given = inspect.signature(function).parameters.values()
    needed = [parameter for parameter in given if parameter.default is inspect.Parameter.empty]
    count = sum(parameter.kind in free for parameter in needed)
    by_name = [parameter.name for parameter in needed if parameter.kind is parameter.KEYWORD_ONLY]
    if by_name or count not in [form.count(",") + 1 for form in forms]:
        raise RollcallError(
            f"{_function_name(function)}{inspect.signature(function)} is not a {kind}: a function must be "
            f"called as {' or '.join(forms)}"
        )
    return count


def _function_name(function: Callable[..., Any]) -> str:
    name = getattr(function, "__name__", "function")
    return "lambda" if name == "<lambda>" else name


def _origin(function: Callable[..., Any]) -> dict[str, str]:
    """Where a function comes from, so that its class is not taken for one of Rollcall's."""
    return {"__module__": function.__module__ or "__main__", "__doc__": inspect.getdoc(function) or ""}


def _passages(given: object, name: str) -> list[Passage]:
    """What a function returned, as passages."""
    if not isinstance(given, Sequence) or isinstance(given, str):
        raise RollcallError(f"{name} returned {given!r:.80}; a retriever returns a list of passages")
    return [_passage(passage, name) for passage in given]


def _passage(given: object, name: str) -> Passage:
    if isinstance(given, Passage):
        return given
    if isinstance(given, str):
        return Passage(text=given)
    if isinstance(given, Mapping):
        keys = Passage.__struct_fields__
        if other := [key for key in given if key not in keys]:
            raise RollcallError(f"{name}: a passage has no {other[0]!r}; its keys are {', '.join(keys)}")
        try:
            return msgspec.convert(given, Passage)
        except msgspec.ValidationError as error:
            raise RollcallError(f"{name}: {given!r:.80} is not a passage ({error})") from None
    raise RollcallError(f"{name} returned the passage {given!r:.80}; write a Passage, a dict or a text")


def unwrapped(system: Reader | Retriever) -> object:
    """The object that a user gave."""
    return system._own if isinstance(system, OwnReader | OwnRetriever) else system


def name_of(own: object) -> str:
    """The name that an object gives itself, or the name of its class."""
    return str(described(own).get("name") or type(own).__name__)


def listed_answers(graph: "Graph", denotation: "Iterable[str | Value]") -> Answers:
    """Answers of a query as a run has them, sorted by name: entities with labels, and values as texts."""
    answers: Answers = [
        EntityAnswer(answer, graph.label(answer)) if isinstance(answer, str) else str(answer)
        for answer in denotation
    ]
    return sorted(
        answers, key=lambda answer: (answer, "") if isinstance(answer, str) else (answer.label, answer.id)
    )
