"""Every target there is: a module `fuzzing.attack_*` names its own in `TARGETS`."""

import importlib
import pkgutil

import fuzzing
from fuzzing.target import Target


def all_targets() -> dict[str, Target]:
    """The targets by name."""
    found: dict[str, Target] = {}
    for module in pkgutil.iter_modules(fuzzing.__path__):
        if module.name.startswith("attack_"):
            for target in importlib.import_module(f"fuzzing.{module.name}").TARGETS:
                assert target.name not in found, f"two targets are called {target.name}"
                found[target.name] = target
    return found
