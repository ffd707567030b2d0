"""Readers: from a question and its passages to answers. Each registers itself in its own file."""

from rollcall._core.registry import Registry, lacks_method
from rollcall.systems.interfaces import Reader, is_function

READERS: Registry[type[Reader] | Reader] = Registry(
    "reader",
    "readers",
    "rollcall.systems.read",
    lambda reader: (
        None if is_function(reader) else lacks_method(reader, Reader, "read", "read(question, passages)")
    ),
    also=("rollcall.papers.systems",),
)
