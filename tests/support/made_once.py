"""Folders that are made once for all processes that run tests."""

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that `make` fills; each process has its own copy, so that none disturbs another."""
    own = factory.getbasetemp() / name
    if "PYTEST_XDIST_WORKER" not in os.environ:
        own.mkdir()
        make(own)
        return own
    first = factory.getbasetemp().parent / name
    with first.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not first.exists():
            making = factory.mktemp(name)  # what failed halfway does not count as made
            make(making)
            making.rename(first)
    if own.exists():  # tests of a module may come back to a process that has left it
        shutil.rmtree(own)
    shutil.copytree(first, own)
    return own
