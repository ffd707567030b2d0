"""The graph sources by name. Each registers itself in its own file."""

from rollcall._core.registry import Registry
from rollcall.graph.source import GraphSource, LineSource, WholeFileSource


def _lacks(thing: object) -> str | None:
    if not isinstance(thing, type) or not issubclass(thing, LineSource | WholeFileSource):
        return "it is no subclass of rollcall.graph.source.LineSource or WholeFileSource"
    if issubclass(thing, WholeFileSource):
        lacks_reading = thing.read_file is WholeFileSource.read_file
        return "it has no method read_file(path, rank)" if lacks_reading else None
    if thing.read is LineSource.read and thing.read_line is LineSource.read_line:
        return "it has no method read_line(line, shard, tally)"
    return None


GRAPH_SOURCES: Registry[type[GraphSource]] = Registry(
    "graph source", "graph_sources", "rollcall.graph.sources", _lacks
)
