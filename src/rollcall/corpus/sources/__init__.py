"""The text sources by name. Each registers itself in its own file."""

from rollcall._core.registry import Registry
from rollcall.corpus.source import TextSource


def _lacks(source: object) -> str | None:
    if not isinstance(source, type) or not issubclass(source, TextSource):
        return "it is not a subclass of rollcall.corpus.source.TextSource"
    if source.read is TextSource.read and source.read_entry is TextSource.read_entry:
        return "it has no method read_entry(entry, shard, findings, line)"
    return None


TEXT_SOURCES: Registry[type[TextSource]] = Registry(
    "text source", "text_sources", "rollcall.corpus.sources", _lacks
)
