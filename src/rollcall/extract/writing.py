"""Writes what was read: the graph, the file of statements beside it, and the corpus tied to the graph."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from rollcall.corpus.titles import without_parenthesis
from rollcall.extract.facts import StatedFact
from rollcall.extract.merging import Entity, Merged, PageFacts
from rollcall.extract.schema import Schema
from rollcall.files import replacing
from rollcall.graph import EntityRecord, write_graph
from rollcall.query import parse_value


def write_facts(
    out: Path, merged: Merged, facts: Sequence[StatedFact], pages: dict[str, PageFacts], schema: Schema
) -> None:
    """Write the graph of the facts that are kept, with all entities that were read."""
    kept = [fact for fact in facts if fact.kept]
    write_graph(
        out,
        facts=sorted({(one.subject, one.relation, one.object) for one in kept if not one.literal}),
        values=[
            (subject, relation, parse_value(text))
            for subject, relation, text in sorted(
                {(one.subject, one.relation, one.object) for one in kept if one.literal}
            )
        ],
        subclasses=_subclasses(merged, schema),
        entities=[_record(entity, pages) for entity in merged.entities],
        relations={schema.relation_id(name): name for name in schema.relations},
    )


def _subclasses(merged: Merged, schema: Schema) -> list[tuple[str, str]]:
    """The parents of the classes that have members."""
    used = {
        name for entity in merged.entities for class_ in entity.classes for name in schema.lineage(class_)
    }
    return [(name, one.parent) for name, one in schema.classes.items() if one.parent and name in used]


def _record(entity: Entity, pages: dict[str, PageFacts]) -> EntityRecord:
    """An entity's row; the title of a page about it lets any corpus of these pages be tied to the graph."""
    titles = [pages[page].title for page in entity.pages]
    named = [title for title in titles if without_parenthesis(title) == entity.label]
    title = next(iter([*named, *titles]), None)
    return EntityRecord(entity.id, entity.label, None, title, entity.aliases, entity.classes)


def write_statements(path: Path, facts: Iterable[StatedFact]) -> None:
    """Write every fact with the place that states it, one a line."""
    ordered = sorted(
        facts, key=lambda one: (one.fact, one.page, -1 if one.sentence is None else one.sentence, one.text)
    )
    with replacing(path) as partial, partial.open("wb") as file:
        for one in ordered:
            file.write(msgspec.json.encode(one) + b"\n")
