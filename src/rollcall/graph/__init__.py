"""Knowledge graphs: read them from dumps and tables, store them on disk, look up entities, answer queries."""

from rollcall.graph.graph import EntityRecord, Graph
from rollcall.graph.make import make_graph, write_graph

__all__ = ["EntityRecord", "Graph", "make_graph", "write_graph"]
