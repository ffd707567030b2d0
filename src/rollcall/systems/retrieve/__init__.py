"""Retrievers: from a question to passages. Each registers itself in its own file."""

from rollcall.registry import Registry
from rollcall.systems.interfaces import Retriever

RETRIEVERS: Registry[type[Retriever] | Retriever] = Registry(
    "retriever",
    "retrievers",
    "rollcall.systems.retrieve",
    lambda thing: None if hasattr(thing, "retrieve") else "it has no method retrieve(questions, k)",
)
