"""Retrievers: from a question to passages. Each registers itself in its own file."""

from rollcall._core.registry import Registry, lacks_method
from rollcall.systems.interfaces import Retriever, is_function

RETRIEVERS: Registry[type[Retriever] | Retriever] = Registry(
    "retriever",
    "retrievers",
    "rollcall.systems.retrieve",
    lambda retriever: (
        None
        if is_function(retriever)
        else lacks_method(retriever, Retriever, "retrieve", "retrieve(questions, k)")
    ),
)
