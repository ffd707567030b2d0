"""Retrievers and readers by name, ready to be used."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from rollcall.systems.check import CHECKS
from rollcall.systems.context import Context
from rollcall.systems.interfaces import AnswerCheck, Reader, Retriever
from rollcall.systems.own import as_reader, as_retriever
from rollcall.systems.parts import Part, choose, share_options
from rollcall.systems.read import READERS
from rollcall.systems.retrieve import RETRIEVERS

GivenRetriever: TypeAlias = str | type[Retriever] | Retriever
GivenReader: TypeAlias = str | type[Reader] | Reader
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


def choose_retrievers(given: GivenRetriever) -> list[Part[Retriever]]:
    """The retrievers of a name; for a fusion, each of its parts."""
    if not isinstance(given, str):
        return [choose(RETRIEVERS, given)]
    found: list[Part[Retriever]] = []
    for name in given.split("+"):
        part = choose(RETRIEVERS, name.strip())
        fused = part.thing.parts if isinstance(part.thing, type) and issubclass(part.thing, Retriever) else ()
        found += [inner for one in fused for inner in choose_retrievers(one)] or [part]
    return found


def opened_retriever(parts: Sequence[Part[Retriever]], context: Context) -> Retriever:
    """The retriever of the chosen parts, fused if there are several."""
    for part in parts:
        part.check(context)
    opened = [as_retriever(part.open(context)) for part in parts]
    if len(opened) == 1:
        return opened[0]
    from rollcall.systems.retrieve.fusion import Fusion

    return Fusion(*opened)


def opened_reader(part: Part[Reader], context: Context) -> Reader:
    """The reader of a chosen part."""
    part.check(context)
    return as_reader(part.open(context))


def opened_check(part: Part[AnswerCheck], context: Context) -> AnswerCheck:
    """The answer check of a chosen part."""
    part.check(context)
    return part.open(context)


def choose_check(given: GivenCheck) -> Part[AnswerCheck]:
    """The answer check of a name, a class or an object."""
    return choose(CHECKS, given)
