"""Exchanging two paths atomically, so that a folder exists at the path at every moment.

A folder cannot be renamed over another that is not empty, but Linux (`renameat2`) and macOS (`renamex_np`)
can exchange two names in one step. Some file systems, such as NFS, cannot; the caller then needs two steps.
"""

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

_AT_FDCWD = -100
_RENAME_EXCHANGE = 2
_RENAME_SWAP = 2
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}


def exchange(one: Path, other: Path) -> bool:
    """Exchange the contents of two paths in one step; returns False where that is not possible."""
    sys.audit("rollcall.exchange", str(one), str(other))
    call = _system_call()
    if call is None:
        return False
    if call(os.fsencode(one), os.fsencode(other)) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNSUPPORTED:
        return False
    raise OSError(number, os.strerror(number), str(other))


@cache
def _system_call() -> Callable[[bytes, bytes], int] | None:
    """The system call that exchanges two names, as a function that returns 0 on success."""
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform == "darwin":
            swap = library.renamex_np
            swap.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint]
            return lambda one, other: swap(one, other, _RENAME_SWAP)
        rename = library.renameat2
    except (AttributeError, OSError, TypeError):  # an old C library, or Windows
        return None
    rename.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
    return lambda one, other: rename(_AT_FDCWD, one, _AT_FDCWD, other, _RENAME_EXCHANGE)
