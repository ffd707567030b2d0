"""What is made of a graph once, to ask it: kept beside the graph, or else for this process alone."""

import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path

from rollcall.graph import Graph
from rollcall.graph.layout import MANIFEST
from rollcall.systems.retrieve.index_folder import made_part

_TEMPORARY: list[tempfile.TemporaryDirectory[str]] = []
"""Folders of this process; they are removed when it ends."""


def kept_part(graph: Graph, name: str, version: str, make: Callable[[Path], None]) -> Path:
    """The folder of a part, made by `make(folder)` unless it was made of this graph and in this version."""
    place = graph.folder.with_name(f"{graph.folder.resolve().name}.index") / name
    graph_hash = hashlib.sha256((graph.folder / MANIFEST).read_bytes()).hexdigest()
    try:
        return made_part(place, {"graph": graph_hash, "version": version}, graph.folder, make)
    except OSError:
        _TEMPORARY.append(tempfile.TemporaryDirectory())
        folder = Path(_TEMPORARY[-1].name)
        make(folder)
        return folder
