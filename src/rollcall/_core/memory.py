"""Amounts of memory as people write them (600MB, 2GB), and whether a process may have so much."""

import re
from contextlib import suppress

from rollcall._core.errors import RollcallError

_UNITS = {"": 1, "K": 1000, "M": 1000**2, "G": 1000**3, "T": 1000**4}
_BINARY = {"KI": 1 << 10, "MI": 1 << 20, "GI": 1 << 30, "TI": 1 << 40}
_RESERVED = 2_250_000_000
"""The address space that Python, Arrow and a database reserve, most of which is never used."""


def in_bytes(memory: str) -> int:
    """An amount of memory in bytes."""
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?I?)B?\s*", memory.upper())
    unit = (_UNITS | _BINARY).get(match[2]) if match else None
    if not match or unit is None:
        raise RollcallError(f"{memory!r} is not an amount of memory (--memory); write 600MB or 2GB")
    return int(float(match[1]) * unit)


def address_space() -> int | None:
    """The limit of this process's address space (`ulimit -v`); None if there is none."""
    with suppress(ImportError):  # not on Windows
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        return None if limit == resource.RLIM_INFINITY else limit
    return None


def fitting_memory(most: str, least: str) -> str:
    """The memory of a database, at most `most`, for which this process has the address space."""
    limit = address_space()
    if limit is None or limit >= in_bytes(most) + _RESERVED:
        return most
    free = limit - _RESERVED
    if free < in_bytes(least):
        needed = (in_bytes(least) + _RESERVED) / 1e9
        raise RollcallError(
            f"too little memory: this process may use {limit / 1e9:.1f} GB of address space (ulimit -v), and "
            f"a database needs {needed:.1f} GB; raise that limit"
        )
    return f"{free // 1_000_000}MB"


def check_address_space(memory: str) -> None:
    """Refuse to open a database for which this process may not have the memory: it would crash."""
    limit, needed = address_space(), in_bytes(memory) + _RESERVED
    if limit is not None and limit < needed:
        raise RollcallError(
            f"too little memory: this process may use {limit / 1e9:.1f} GB of address space (ulimit -v), and "
            f"a database with {memory} (--memory) needs {needed / 1e9:.1f} GB; raise that limit, or lower "
            "--memory"
        )
