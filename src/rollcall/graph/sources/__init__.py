"""The graph sources by name. Each registers itself in its own file."""

from rollcall._core.registry import Registry
from rollcall.graph.source import GraphSource, LineSource, WholeFileSource


def _lacks(source: object) -> str | None:
    if not isinstance(source, type) or not issubclass(source, LineSource | WholeFileSource):
        return "it is not a subclass of rollcall.graph.source.LineSource or WholeFileSource"
    if issubclass(source, WholeFileSource):
        lacks_reading = source.read_file is WholeFileSource.read_file
        return "it has no method read_file(path, rank)" if lacks_reading else None
    if source.read is LineSource.read and source.read_line is LineSource.read_line:
        return "it has no method read_line(line, shard, tally)"
    return None


GRAPH_SOURCES: Registry[type[GraphSource]] = Registry(
    "graph source", "graph_sources", "rollcall.graph.sources", _lacks
)
