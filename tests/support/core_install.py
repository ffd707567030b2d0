"""Python as it is where only the core is installed: other modules, though they are there, are not found."""

import os
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from places import ROOT

PROJECT, MODELS_PROJECT = (
    tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for folder in (ROOT, ROOT / "models")
)

_BLOCK = """
import sys
from importlib.machinery import PathFinder

MISSING = frozenset(%r)

class CoreFinder(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in MISSING else PathFinder.find_spec(name, path, target)

sys.meta_path[:] = [CoreFinder if finder is PathFinder else finder for finder in sys.meta_path]
"""


def core_distributions() -> set[str]:
    """The distributions that `pip install .` brings, by their metadata."""
    found: set[str] = set()
    left = [Requirement(text) for text in PROJECT["dependencies"]]
    while left:
        one = left.pop()
        name = canonicalize_name(one.name)
        if name in found or (one.marker is not None and not one.marker.evaluate({"extra": ""})):
            continue
        found.add(name)
        try:
            left += map(Requirement, requires(name) or [])
        except PackageNotFoundError:
            continue
    return found


def missing_modules() -> list[str]:
    """The modules installed here that a core install does not have."""
    core = core_distributions() | {"rollcall-qa", "pip"}
    others = {
        module
        for module, names in packages_distributions().items()
        if core.isdisjoint(map(canonicalize_name, names)) and not module.startswith("_")
    }
    return sorted({*others, "rollcall_models"})  # metadata do not name modules of editable installs


def core_environment(folder: Path) -> dict[str, str]:
    """The environment of a process, and of its workers, that sees a core install alone."""
    (folder / "sitecustomize.py").write_text(_BLOCK % missing_modules(), encoding="utf-8")
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
