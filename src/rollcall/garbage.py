"""Pausing garbage collection while very many records are created, and collecting rarely in a command.

Neither records nor the objects of a search contain reference cycles, so there is nothing to collect. Repeated
collection took half the time of reading ten thousand questions, and a sixth of the time of a small build,
whose queries are compiled from many objects.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_OBJECTS = 50_000
"""After so many new objects garbage is collected; by default it is a few hundred."""


def collect_rarely() -> None:
    """Collect garbage only after many new objects, for a process that ends with its task."""
    gc.set_threshold(_OBJECTS, 20, 20)


@contextmanager
def collection_paused() -> Iterator[None]:
    """Switch garbage collection off inside the block, and restore its state afterwards."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
