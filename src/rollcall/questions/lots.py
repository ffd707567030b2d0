"""Drawing lots: a seeded random order that depends on nothing but what is drawn.

The lot of a thing is a hash of the seed, the purpose and its key, so that the same draw comes out whatever
the order of arrival, the number of processes, or what else takes part.
"""

import hashlib


def lot(seed: int, purpose: str, key: str) -> str:
    """The place of a key in the random order for one purpose."""
    return hashlib.md5(f"{seed}\x1f{purpose}\x1f{key}".encode(), usedforsecurity=False).hexdigest()
