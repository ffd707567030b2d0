"""Wraps systems of a user that are not subclasses of Rollcall's classes: any object with the one method.

They are wrapped only here, so all other code may rely on the whole interface.
"""

from collections.abc import Sequence

from rollcall.errors import RollcallError
from rollcall.questions.run import Passage
from rollcall.registry import lacks_method
from rollcall.settings import Settings, described
from rollcall.systems.interfaces import Answers, Asked, Reader, Retriever


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


def as_retriever(given: Retriever) -> Retriever:
    """A retriever with the whole interface."""
    if lacking := lacks_method(given, Retriever, "retrieve", "retrieve(questions, k)"):
        raise RollcallError(f"{name_of(given)} is no retriever: {lacking}")
    return given if isinstance(given, Retriever) else OwnRetriever(given)


def as_reader(given: Reader) -> Reader:
    """A reader with the whole interface."""
    if lacking := lacks_method(given, Reader, "read", "read(question, passages)"):
        raise RollcallError(f"{name_of(given)} is no reader: {lacking}")
    return given if isinstance(given, Reader) else OwnReader(given)


def unwrapped(system: Reader | Retriever) -> object:
    """The object that a user gave."""
    return system._own if isinstance(system, OwnReader | OwnRetriever) else system


def name_of(own: object) -> str:
    """The name that an object gives itself, or the name of its class."""
    return str(described(own).get("name") or type(own).__name__)
