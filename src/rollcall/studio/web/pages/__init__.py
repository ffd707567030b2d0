"""The pages, one module for each part of the studio; importing one declares its routes."""

import pkgutil
from importlib import import_module


def load() -> None:
    """Declare all routes."""
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        import_module(f"{__name__}.{module.name}")
