"""Writes a lexicon file for the relations of a graph: the function behind `rollcall lexicon`.

Blocks that a person or a model has changed stay as they are; blocks that are still what this module wrote may
be written again, or filled in by a model. So the command can be repeated at any time, and after a failure it
continues.
"""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from rollcall.english.nouns import with_article
from rollcall.errors import RollcallError
from rollcall.files import replacing
from rollcall.graph import Graph
from rollcall.query import QUESTION, Edge, Entity, Literal, Query, parse_value
from rollcall.query.statements import Node
from rollcall.wording import Lexicon, Realiser
from rollcall.wording.ends import EndNouns
from rollcall.wording.entry import VALUE_NOUNS, Entry
from rollcall.wording.said import said_value
from rollcall.wording.stub import HEADER, Known, block, blocks_of, fields_of

_EXAMPLES = 3

Fill = Callable[[Mapping[str, Known]], Iterator[tuple[str, "dict[str, str] | str"]]]
"""Gives for relations the fields that a model wrote, or why its reply is not usable."""


@dataclass
class Stubs:
    """How many relations were written, kept, filled in, and refused by a model."""

    written: int = 0
    kept: int = 0
    filled: int = 0
    unusable: list[str] = field(default_factory=list)


def write_lexicon(
    graph: Graph,
    out: Path,
    *,
    lexicon: Lexicon | None = None,
    every: bool = False,
    least: int = 1,
    replace: bool = False,
    fill: Fill | None = None,
) -> Stubs:
    """Write entries for the relations that a lexicon does not know by id, or for `every` one.

    Relations with fewer than `least` facts are left out. With `replace` an older file is forgotten.
    """
    relations = dict(known_relations(graph, lexicon or Lexicon.load(), every=every, least=least))
    if not relations:
        raise RollcallError(
            f"{graph.folder}: the lexicon knows every relation with at least {least} facts; --all writes them"
        )
    header, older = blocks_of(out) if out.exists() and not replace else ("", {})
    fresh = {
        relation: block(relation, known, fields_of(known.entry)) for relation, known in relations.items()
    }
    changed = {relation for relation, text in older.items() if text != fresh.get(relation)}
    made = Stubs(kept=len(changed), written=len(fresh.keys() - changed))
    blocks = older | {relation: text for relation, text in fresh.items() if relation not in changed}
    try:
        if fill is not None:
            wanted = {relation: known for relation, known in relations.items() if relation not in changed}
            for relation, given in fill(wanted):
                if isinstance(given, str):
                    made.unusable.append(f"{relation}: {given}")
                else:
                    blocks[relation] = block(relation, relations[relation], given, "filled in by a model")
                    made.filled += 1
    finally:  # what a model has written is paid for
        with replacing(out) as partial:
            partial.write_text("\n".join([header or HEADER, *blocks.values()]), encoding="utf-8")
    return made


def known_relations(
    graph: Graph, lexicon: Lexicon, *, every: bool, least: int
) -> Iterator[tuple[str, Known]]:
    """The relations of a graph with their words and examples, the most frequent first."""
    index, ends = graph.index, EndNouns(graph)
    realiser = Realiser(graph, lexicon, ends=ends)
    sizes = [len(index.forward(number)[0]) for number in range(len(index.relation_ids))]
    for number in sorted(range(len(sizes)), key=lambda one: (-sizes[one], index.relation_ids[one])):
        relation = index.relation_ids[number]
        if sizes[number] < least or (relation in lexicon and not every):
            continue
        there = ends.of(relation)
        entry = lexicon.entry(relation, graph.relation_label(relation), there)
        if entry.generic and there.objects in VALUE_NOUNS:
            entry = _of_values(entry, there.objects)
        facts = _some_facts(graph, number)
        subject, object_ = facts[0]
        queries = [
            Query.of([Edge(QUESTION, relation, object_)]),
            Query.of([Edge(subject, relation, QUESTION)]),
        ]
        questions = [realiser.word(query).question for query in queries]
        examples = [f"{_name(graph, one)} – {_name(graph, other)}" for one, other in facts]
        yield relation, Known(entry, sizes[number], examples, questions)


def _of_values(entry: Entry, kind: str) -> Entry:
    """The entry of a relation to values, with the clause by which a value is said."""
    said = "{on object}" in entry.forward or not entry.noun or kind == "text"
    forward = entry.forward if said else f"has {with_article(entry.noun)} of {{object}}"
    return dataclasses.replace(entry, objects=kind, forward=forward)


def _some_facts(graph: Graph, relation: int) -> list[tuple[Entity, Entity | Literal]]:
    """A few facts of a relation, spread over all of them."""
    index = graph.index
    subjects, objects = index.forward(relation)
    places = np.linspace(0, len(subjects) - 1, min(_EXAMPLES, len(subjects))).astype(np.int64)
    found: list[tuple[Entity, Entity | Literal]] = []
    for place in places:
        text = index.term_text(int(objects[place]))
        entity = int(objects[place]) < index.entity_count
        other: Entity | Literal = Entity(text) if entity else Literal(parse_value(text))
        found.append((Entity(index.entity_ids[int(subjects[place])]), other))
    return found


def _name(graph: Graph, node: Node) -> str:
    if isinstance(node, Literal):
        return said_value(node.value, graph.label)
    return graph.label(node.id) if isinstance(node, Entity) else str(node)
