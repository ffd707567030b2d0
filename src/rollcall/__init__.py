"""Rollcall builds, audits and scores question sets whose answers are sets.

The names a user needs are imported on first use, so that `import rollcall` stays light.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from rollcall.errors import RollcallError as RollcallError

_HOMES = {
    "RollcallError": "rollcall.errors",
}

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'rollcall' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
