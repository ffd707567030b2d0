"""A graph from Python values, through the same code that builds one from dumps."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rollcall.graph.layout import GRAPH_FOLDER
from rollcall.query.values import Value

if TYPE_CHECKING:
    from rollcall.graph.graph import EntityRecord


def write_graph(
    out: Path | str,
    *,
    facts: Iterable[tuple[str, str, str]] = (),
    values: Iterable[tuple[str, str, Value]] = (),
    types: Iterable[tuple[str, str]] = (),
    subclasses: Iterable[tuple[str, str]] = (),
    entities: "Iterable[EntityRecord]" = (),
    relations: Mapping[str, str] | None = None,
) -> Path:
    """Write a graph folder and return its path; an older graph there is replaced."""
    from rollcall.graph.assemble.finish import finish_in_memory
    from rollcall.graph.shards import Shard, value_row

    shard = Shard()
    for fact in facts:
        shard.fact(*fact)
    for subject, relation, value in values:
        shard.value(subject, relation, value_row(value))
    for type_ in types:
        shard.type(*type_)
    for subclass in subclasses:
        shard.subclass(*subclass)
    for record in entities:
        shard.entity(record.id, record.label, record.description, record.title)
        for alias in record.aliases:
            shard.alias(record.id, alias, "written")
        for class_ in record.types:
            shard.type(record.id, class_)
    for id_, label in (relations or {}).items():
        shard.relation(id_, label)
    with GRAPH_FOLDER.writing(Path(out)):
        return finish_in_memory(Path(out), shard)
