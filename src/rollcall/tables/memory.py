"""Amounts of memory as people write them: 600MB, 2GB."""

import re

from rollcall.errors import RollcallError

_UNITS = {"": 1, "K": 1000, "M": 1000**2, "G": 1000**3, "T": 1000**4}
_BINARY = {"KI": 1 << 10, "MI": 1 << 20, "GI": 1 << 30, "TI": 1 << 40}


def in_bytes(memory: str) -> int:
    """An amount of memory in bytes."""
    written = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?I?)B?\s*", memory.upper())
    unit = (_UNITS | _BINARY).get(written[2]) if written else None
    if not written or unit is None:
        raise RollcallError(f"{memory!r} is not an amount of memory (--memory); write 600MB or 2GB")
    return int(float(written[1]) * unit)
