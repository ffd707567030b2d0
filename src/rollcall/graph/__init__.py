"""Knowledge graphs: read them from dumps and tables, store them on disk, look up entities, answer queries.

Names are imported on first use, because every command imports this package and few need all of it.
"""

from typing import TYPE_CHECKING

from rollcall._core.packages import names_on_first_use

if TYPE_CHECKING:
    from rollcall.graph.graph import EntityRecord as EntityRecord
    from rollcall.graph.graph import Graph as Graph
    from rollcall.graph.make import make_graph as make_graph
    from rollcall.graph.make import write_graph as write_graph
    from rollcall.graph.options import GraphOptions as GraphOptions
    from rollcall.graph.rows import GraphShard as GraphShard
    from rollcall.graph.rows import value_row as value_row
    from rollcall.graph.source import LineSource as LineSource
    from rollcall.graph.source import WholeFileSource as WholeFileSource

_HOMES = {
    **dict.fromkeys(("EntityRecord", "Graph"), "graph"),
    **dict.fromkeys(("make_graph", "write_graph"), "make"),
    "GraphOptions": "options",
    **dict.fromkeys(("GraphShard", "value_row"), "rows"),
    **dict.fromkeys(("LineSource", "WholeFileSource"), "source"),
}

__all__ = sorted(_HOMES)

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, _HOMES)
