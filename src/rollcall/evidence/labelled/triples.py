"""Labelled triples: sentences with a subject, relation and object, as users give them to `rollcall verify`.

Input: a file of JSON lines. Output: `Triple` records, and candidates made from them. Names are found in the
text in the same way as those of a graph's entities, so a triple becomes a candidate like any other.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rollcall.english.folding import fold
from rollcall.errors import RollcallError
from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.labelled.naming import End, find_sentence
from rollcall.evidence.names.derived_words import words_derived
from rollcall.evidence.values.matcher import wanted_value
from rollcall.files import open_compressed
from rollcall.nesting import UNREADABLE, why
from rollcall.wording import Lexicon

if TYPE_CHECKING:
    from rollcall.graph import Graph

_QUALIFIER = re.compile(r"(?<=\S) \([^()]*\)$")
_WORD_OF_LETTERS = re.compile(r"[^\W\d_]{2}")


class Triple(msgspec.Struct, frozen=True):
    """One line: a text and the fact it may state; `label` says whether it does."""

    text: str
    subject: str
    relation: str
    object: str
    hypothesis: str = ""
    label: bool | None = None
    topic: str = ""
    """What the text is about, by name or id: a pronoun, a part of its name or nothing then stands for it."""


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
                triple = msgspec.json.decode(line, type=Triple, strict=False)
            except UNREADABLE as error:
                raise RollcallError(
                    f"{path}, line {number}: {why(error)}; a triple has text, subject, relation, object, "
                    "and may have hypothesis, topic and label (true or false)"
                ) from None
            for end in (triple.subject, triple.relation, triple.object):
                if not end.strip():
                    raise RollcallError(f"{path}, line {number}: subject, relation or object is empty")
            yield triple


def to_candidates(
    triples: Sequence[Triple],
    graph: "Graph | None" = None,
    *,
    names: Callable[[str], Sequence[str]] | None = None,
) -> list[CandidateSentence]:
    """Triples as candidates; an end that is the id or a name of an entity in the graph has all its names.

    `names` gives the names of an end in place of the graph; an end without any is not required. The id of a
    relation that neither the graph nor the lexicon has is an error.
    """
    reading = _Reading(graph, names)
    return [reading.candidate(number, triple) for number, triple in enumerate(triples, 1)]


def known_relation(relation: str, graph: "Graph | None" = None) -> str | None:
    """The id of a relation that the graph or the lexicon has, or the relation in words; None for an id that
    both lack.
    """
    ids = dict.fromkeys((relation, re.split("[/#:]", relation)[-1]))
    lexicon = _lexicon()
    for id_ in ids:
        if (graph is not None and graph.index.relation_number(id_) is not None) or id_ in lexicon:
            return id_
    if graph is not None:
        try:
            return graph.resolve_relation(relation)
        except RollcallError:
            pass  # a relation that is not in the graph is judged by its words
    *_, last = ids
    is_id = any(map(str.isdigit, last)) and not _WORD_OF_LETTERS.search(last)
    return None if is_id else relation


@cache
def _lexicon() -> Lexicon:
    return Lexicon.load()


class _Reading:
    """What triples are read with."""

    def __init__(self, graph: "Graph | None", names: Callable[[str], Sequence[str]] | None) -> None:
        self._graph, self._given_names = graph, names

    def candidate(self, number: int, triple: Triple) -> CandidateSentence:
        relation = known_relation(triple.relation, self._graph)
        if relation is None:
            where = "the lexicon" if self._graph is None else "the graph or the lexicon"
            raise RollcallError(
                f"triple {number}: the relation {triple.relation} is not in {where}; give it in words, such "
                "as “place of birth”, or a --graph that has it"
            )
        subject = self._end(triple.subject, triple.topic)
        object_ = self._end(triple.object, triple.topic)
        derived = words_derived(self._label(relation), object_.names)
        found = find_sentence(triple.text, subject, object_._replace(names=(*object_.names, *derived)))
        side = "subject" if subject.understood else "object" if object_.understood else "neither"
        return CandidateSentence(
            subject=triple.subject,
            relation=relation,
            object=triple.object,
            literal=object_.value is not None,
            text=found.text,
            side=side,
            before=found.before,
            subject_name=subject.names[0],
            object_name=object_.names[0],
            subject_places=found.subject,
            object_places=found.object,
            hypothesis=triple.hypothesis,
        )

    def _label(self, relation: str) -> str:
        if self._graph is not None and self._graph.index.relation_number(relation) is not None:
            return self._graph.relation_label(relation)
        return _lexicon().entry(relation).label if relation in _lexicon() else relation

    def _end(self, name: str, topic: str) -> End:
        names = self._names(name)
        value = None if self._is_entity(name) else wanted_value(name)
        plain_names = {fold(_QUALIFIER.sub("", one)) for one in names}
        understood = bool(topic) and (topic == name or fold(_QUALIFIER.sub("", topic)) in plain_names)
        unknown = self._given_names is not None and value is None and not self._given_names(name)
        return End(names, value, understood or unknown)

    def _is_entity(self, name: str) -> bool:
        if self._given_names is not None:
            return bool(self._given_names(name))
        return self._graph is not None and self._graph.index.entity_number(name) is not None

    def _names(self, name: str) -> tuple[str, ...]:
        """The name to show, and all names by which the text may call it."""
        listed = dict.fromkeys(self._known_names(name))
        return tuple(dict.fromkeys((*listed, *(_QUALIFIER.sub("", one) for one in listed))))

    def _known_names(self, name: str) -> Iterator[str]:
        if self._given_names is not None:
            yield from self._given_names(name) or (name,)
        elif self._is_entity(name):
            assert self._graph is not None
            record = self._graph.entity(name)
            yield from (record.label or name, *record.aliases)
        else:
            yield name
            for one in self._graph.find(name) if self._graph is not None else ():
                yield from (called for called in (one.label, *one.aliases) if called)
