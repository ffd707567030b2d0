"""Pausing garbage collection while very many records are created.

Neither records nor the objects of a search contain reference cycles, so there is nothing to collect. Repeated
collection took half the time of reading ten thousand questions.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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
