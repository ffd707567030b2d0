"""Readers: from a question and its passages to answers. Each registers itself in its own file."""

from rollcall.registry import Registry
from rollcall.systems.interfaces import Reader

READERS: Registry[type[Reader] | Reader] = Registry(
    "reader",
    "readers",
    "rollcall.systems.read",
    lambda thing: None if hasattr(thing, "read") else "it has no method read(question, passages)",
)
