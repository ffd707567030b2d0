"""A seeded random order that depends only on the things to be ordered.

The position of a thing is a hash of the seed, the purpose and its key. So the result does not depend on the
order of input, the number of processes, or the other things in the draw.
"""

import hashlib


def lot(seed: int, purpose: str, key: str) -> str:
    """The position of a key in the random order for one purpose."""
    return hashlib.md5(f"{seed}\x1f{purpose}\x1f{key}".encode(), usedforsecurity=False).hexdigest()
