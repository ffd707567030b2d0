"""Retrievers and readers by name, ready to be used."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeAlias, TypeGuard, TypeVar, cast

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.registry import (
    NoOptions,
    Registry,
    called,
    check_needs,
    missing_options,
    nearest,
    read_options,
)
from rollcall.questions.given import Questions, given_questions
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Question
from rollcall.questions.run import RunCoverage
from rollcall.systems.context import NEEDS, Context
from rollcall.systems.interfaces import (
    AnswerCheck,
    Reader,
    Retriever,
    System,
    as_reader,
    as_retriever,
    is_function,
    name_of,
    reader_of,
    retriever_of,
)
from rollcall.systems.read import READERS
from rollcall.systems.retrieve import RETRIEVERS

# The parts of a system as a user names them: chosen, given their options, checked, and then opened. A
# part is a name of a registry, a `module:name`, a class, or an object that is ready. Options are given
# for all parts together, and each goes to the parts that have it; an option that no part has is an
# error.

S = TypeVar("S", bound=System, covariant=True)


class UnopenedPart(Generic[S]):
    """One part that is not yet opened."""

    def __init__(self, kind: str, name: str, component: type[S] | S) -> None:
        self.name = name
        self.label = f"the {kind} {name}"
        self.component = component
        self._options: dict[str, object] = {}

    @property
    def option_names(self) -> tuple[str, ...]:
        return self._record.__struct_fields__

    def give(self, name: str, value: object) -> None:
        """Set an option."""
        self._options[name] = value

    @property
    def options(self) -> msgspec.Struct:
        if missing := missing_options(self._record, self._options):
            written = " ".join(f"--option {name}=…" for name in missing)
            raise RollcallError(
                f"{self.label} needs the option{'s' * (len(missing) > 1)} {' and '.join(missing)}: "
                f"give {written} (options= in Python)"
            )
        return read_options(self._record, self._options, self.label)

    @property
    def takes_passages(self) -> bool:
        """Whether passages must be retrieved for it; for an object that is ready this is not known."""
        if _is_kind(self.component) and issubclass(self.component, Reader):
            return self.component.takes_passages(self.options)
        return True

    @property
    def needs(self) -> tuple[str, ...]:
        return self.component.needed(self.options) if _is_kind(self.component) else ()

    def check(self, context: Context) -> None:
        """Raise an error if something is missing, before anything is loaded."""
        check_needs(self.label, self.needs, context.has, NEEDS)

    def open(self, context: Context) -> S:
        """The part, opened; a user's own class that declares nothing is called without arguments."""
        if _is_kind(self.component):
            return cast(S, self.component.open(self.options, context))
        return called(self.component, {}) if isinstance(self.component, type) else self.component

    @property
    def _record(self) -> type[msgspec.Struct]:
        return self.component.Options if _is_kind(self.component) else NoOptions


def choose(registry: Registry[type[S] | S], given: str | type[S] | S | Callable[..., Any]) -> UnopenedPart[S]:
    """The part of a name, a class, an object or a function."""
    if isinstance(given, str):
        return UnopenedPart(registry.kind, given, _from_function(registry, registry.find(given)))
    component = _from_function(registry, given)
    name = component.__name__ if isinstance(component, type) else name_of(component)
    return UnopenedPart(registry.kind, name, component)


def _from_function(
    registry: Registry[type[S] | S], component: type[S] | S | Callable[..., Any]
) -> type[S] | S:
    """The class that a function stands for; anything else unchanged."""
    makers: dict[str, Callable[[Callable[..., Any]], type[System]]] = {
        READERS.kind: reader_of,
        RETRIEVERS.kind: retriever_of,
    }
    if is_function(component) and registry.kind in makers:
        return cast(type[S], makers[registry.kind](component))
    return cast("type[S] | S", component)


def share_options(options: Mapping[str, object], parts: Sequence[UnopenedPart[System]]) -> None:
    """Give each option to the parts that have it, or to the part named before it: `bm25.k1`."""
    for key, value in options.items():
        owner, _, name = key.rpartition(".")
        takers = [part for part in parts if owner in ("", part.name) and name in part.option_names]
        if not takers:
            known = dict.fromkeys(option for part in parts for option in part.option_names)
            labels = " or ".join(part.label for part in parts)
            raise RollcallError(f"there is no option {key} of {labels}{nearest(name, known)}")
        for part in takers:
            part.give(name, value)


def _is_kind(component: object) -> TypeGuard[type[System]]:
    return isinstance(component, type) and issubclass(component, System)


GivenRetriever: TypeAlias = str | type[Retriever] | Retriever | Callable[[str, int], Any]
GivenReader: TypeAlias = str | type[Reader] | Reader | Callable[[str], Any] | Callable[[str, Any], Any]
GivenCheck: TypeAlias = str | type[AnswerCheck] | AnswerCheck


def open_retriever(
    retriever: GivenRetriever, context: Context, options: Mapping[str, object] | None = None
) -> Retriever:
    """A retriever from its name, from several names joined by plus signs (`bm25+dense`), a class, or an
    object.
    """
    parts = choose_retrievers(retriever)
    share_options(options or {}, parts)
    return opened_retriever(parts, context)


def open_reader(reader: GivenReader, context: Context, options: Mapping[str, object] | None = None) -> Reader:
    """A reader from its name, its class, or an object."""
    part = choose(READERS, reader)
    share_options(options or {}, [part])
    return opened_reader(part, context)


def choose_retrievers(retriever: GivenRetriever) -> list[UnopenedPart[Retriever]]:
    """The retrievers of a name; for a fusion, each of its parts."""
    if not isinstance(retriever, str):
        return [choose(RETRIEVERS, retriever)]
    parts: list[UnopenedPart[Retriever]] = []
    for name in retriever.split("+"):
        part = choose(RETRIEVERS, name.strip())
        fused = (
            part.component.parts
            if isinstance(part.component, type) and issubclass(part.component, Retriever)
            else ()
        )
        parts += [inner for part_name in fused for inner in choose_retrievers(part_name)] or [part]
    return parts


def opened_retriever(parts: Sequence[UnopenedPart[Retriever]], context: Context) -> Retriever:
    """The retriever of the chosen parts, fused if there are several."""
    for part in parts:
        part.check(context)
    opened = [as_retriever(part.open(context)) for part in parts]
    if len(opened) == 1:
        return opened[0]
    from rollcall.systems.retrieve.dense import Fusion

    return Fusion(*opened)


def opened_reader(part: UnopenedPart[Reader], context: Context) -> Reader:
    """The reader of a chosen part."""
    part.check(context)
    return as_reader(part.open(context))


def opened_check(part: UnopenedPart[AnswerCheck], context: Context) -> AnswerCheck:
    """The answer check of a chosen part."""
    part.check(context)
    return part.open(context)


# The questions that a system is asked: all of a set, those of some splits, or only the first ones.


class Asking(NamedTuple):
    """All questions of a set (systems may learn from its training split), and those that are asked."""

    questions: list[Question]
    chosen: list[Question]

    @property
    def covers(self) -> RunCoverage:
        return coverage(self.chosen, len(self.questions))


def choose_questions(
    questions: Questions, split: str | Sequence[str] | None = None, limit: int | None = None
) -> Asking:
    """The questions of a set, and those of the splits, each id once."""
    if limit is not None and limit < 1:
        raise RollcallError(f"a limit of {limit} questions leaves nothing to ask; give 1 or more")
    where = str(questions) if isinstance(questions, Path | str) else "the questions"
    read = given_questions(questions, "the questions")
    unique = list({question.id: question for question in reversed(list(read))}.values())[::-1]
    chosen = list(QuestionSet(unique, read.manifest).of_splits(split))[:limit]
    if not chosen:
        raise RollcallError(f"{where}: no question to ask")
    if not any(question.question or question.wordings for question in chosen):
        raise RollcallError(f"{where}: the questions have no wording, so no system can answer them")
    return Asking(unique, chosen)


def coverage(questions: Sequence[Question], whole: int | None = None) -> RunCoverage:
    """What a run over these questions covers; `whole` is the number of questions in the set."""
    wordings = "\n".join(f"{question.id}\t{question.question}" for question in questions)
    return RunCoverage(
        questions=len(questions),
        of=whole,
        splits=sorted({question.split for question in questions if question.split}),
        wordings=hashlib.sha256(wordings.encode()).hexdigest()[:16],
    )
