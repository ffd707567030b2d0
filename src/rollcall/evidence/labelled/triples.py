"""Labelled triples: sentences with a subject, relation and object, as users give them to `rollcall verify`.

Input: a file of JSON lines. Output: `Triple` records, and candidates made from them. Names are found in the
text in the same way as those of a graph's entities, so a triple becomes a candidate like any other.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from rollcall.english.sentences import split
from rollcall.errors import RollcallError
from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.names.forms import BETWEEN, forms, plain
from rollcall.evidence.names.matcher import NameMatcher
from rollcall.evidence.names.topic import TopicOnPage
from rollcall.evidence.values.matcher import ValueMatcher, text_forms, wanted_value
from rollcall.files import open_compressed
from rollcall.nesting import UNREADABLE, why
from rollcall.query.values import Text

if TYPE_CHECKING:
    from rollcall.graph import Graph


class Triple(msgspec.Struct, frozen=True):
    """One line: a text and the fact it may state; `label` says whether it does."""

    text: str
    subject: str
    relation: str
    object: str
    hypothesis: str = ""
    label: bool | None = None


def read_triples(path: Path) -> list[Triple]:
    """The triples of a file of JSON lines; a bad line is an error that names it."""
    found = list(_read(path))
    if not found:
        raise RollcallError(
            f"{path}: is empty; each line is a JSON object with text, subject, relation, object"
        )
    return found


def _read(path: Path) -> Iterator[Triple]:
    with open_compressed(path) as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield msgspec.json.decode(line, type=Triple, strict=False)
            except UNREADABLE as error:
                raise RollcallError(
                    f"{path}, line {number}: {why(error)}; a triple has text, subject, relation, object, "
                    "and may have hypothesis and label (true or false)"
                ) from None


def to_candidates(triples: list[Triple], graph: "Graph | None" = None) -> list[CandidateSentence]:
    """Triples as candidates; an end that is the id or a name of an entity in the graph has all its names."""
    return [_candidate(triple, graph) for triple in triples]


def _candidate(triple: Triple, graph: "Graph | None") -> CandidateSentence:
    relation = triple.relation
    if graph is not None and graph.index.relation_number(relation) is None:
        relation = _known_relation(graph, relation)
    subject_names, object_names = _names(graph, triple.subject), _names(graph, triple.object)
    value = None if _is_entity(graph, triple.object) else wanted_value(triple.object)
    before, text = _last_sentence(triple.text, subject_names, object_names)
    wide = plain(text)
    subject_places = _topic_places(wide, subject_names) or _as_written(text, subject_names)
    object_places = _places(wide, object_names, value) or _as_written(text, object_names)
    return CandidateSentence(
        subject=triple.subject,
        relation=relation,
        object=triple.object,
        literal=value is not None,
        text=text,
        before=before,
        subject_name=subject_names[0],
        object_name=object_names[0],
        subject_places=subject_places,
        object_places=object_places,
        hypothesis=triple.hypothesis,
    )


def _known_relation(graph: "Graph", name: str) -> str:
    try:
        return graph.resolve_relation(name)
    except RollcallError:
        return name  # a relation that is not in the graph is judged by its words


def _is_entity(graph: "Graph | None", name: str) -> bool:
    return graph is not None and graph.index.entity_number(name) is not None


def _names(graph: "Graph | None", name: str) -> tuple[str, ...]:
    """The name to show, and all names by which the text may call it."""
    if graph is None:
        return (name,)
    if _is_entity(graph, name):
        record = graph.entity(name)
        return (record.label or name, *record.aliases)
    bearers = graph.find(name)
    return tuple(
        dict.fromkeys((name, *(called for one in bearers for called in (one.label, *one.aliases) if called)))
    )


def _topic_places(text: str, names: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    return tuple(TopicOnPage(names[0], BETWEEN.join(names), text).places(0, len(text)))


def _places(text: str, names: tuple[str, ...], value: Any) -> tuple[tuple[int, int], ...]:
    if value is not None and not isinstance(value, Text):
        values = ValueMatcher()
        values.add(value, 0)
        return tuple((found.start, found.end) for found in values.find(text))
    matcher = NameMatcher(text)
    matcher.add(text_forms(value) if isinstance(value, Text) else forms(names), 0)
    return tuple(found[:2] for found in matcher.find())


def _as_written(text: str, names: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    """Where a text has one of the names letter by letter, such as a year at the end of a range."""
    for name in names:
        pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
        if found := tuple(match.span() for match in re.finditer(pattern, text)):
            return found
    return ()


def _last_sentence(text: str, subjects: tuple[str, ...], objects: tuple[str, ...]) -> tuple[str, str]:
    """The last sentence of a text that names both ends, or else the object or the subject, and those before
    it.
    """
    told = text.strip()
    sentences = [told[start:end] for start, end in split(told)] or [told]

    def names(sentence: str, ends: Sequence[tuple[str, ...]]) -> bool:
        return all(any(name in sentence for name in end) for end in ends)

    for ends in ((subjects, objects), (objects,), (subjects,)):
        for number in range(len(sentences) - 1, -1, -1):
            if names(sentences[number], ends):
                return " ".join(sentences[:number]), sentences[number]
    return " ".join(sentences[:-1]), sentences[-1]
