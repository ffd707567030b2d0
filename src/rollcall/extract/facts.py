"""Facts between entities, made of statements by name: each with everything on the page that states it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from rollcall.corpus import Corpus
from rollcall.corpus.corpus import Sentence
from rollcall.corpus.make import NamedPlace
from rollcall.extract.merging import MergedEntities
from rollcall.extract.records import PageReading, Schema, Statement
from rollcall.graph.ingest.cells import read_cell
from rollcall.query.values import Date, Number, Text, Value
from rollcall.text.name_forms import forms, plain
from rollcall.text.names import places_of_one


class ExtractedFact(NamedTuple):
    """A fact: ids of its ends, or the canonical text of a value."""

    subject: str
    relation: str
    object: str
    literal: bool = False


class StatedFact(msgspec.Struct, omit_defaults=True):
    """A fact and one place that states it, as it is written beside the graph.

    `stated` is the verdict of the verifier and `score` its probability, None where it was not asked; `kept`
    says whether the graph has the fact, because this or another place states it.
    """

    subject: str
    relation: str
    object: str
    subject_label: str
    relation_label: str
    object_label: str
    page: str
    text: str
    sentence: int | None = None
    literal: bool = False
    subject_name: str = ""
    object_name: str = ""
    score: float | None = None
    stated: bool | None = None
    kept: bool = True

    @property
    def fact(self) -> ExtractedFact:
        return ExtractedFact(self.subject, self.relation, self.object, self.literal)


def stated_facts(
    readings: Iterable[PageReading], merged: MergedEntities, schema: Schema, left_out: Counter[str]
) -> list[StatedFact]:
    """The facts of all readings; each place of a fact once."""
    stated: dict[tuple[ExtractedFact, str, int | None, str], StatedFact] = {}
    for reading in readings:
        for statement in reading.statements:
            fact = _stated(reading.page, statement, merged, schema, left_out)
            if fact is not None:
                stated.setdefault((fact.fact, fact.page, fact.sentence, fact.text), fact)
    return list(stated.values())


def _stated(
    page: str, statement: Statement, merged: MergedEntities, schema: Schema, left_out: Counter[str]
) -> StatedFact | None:
    subject = merged.entity_of(page, statement.subject)
    if subject is None:
        left_out["facts about what the text does not name"] += 1
        return None
    relation = schema.relations[statement.relation]
    if statement.literal:
        value = value_of(statement.object, relation.object)
        if value is None:
            left_out[f"values that are no {relation.object}"] += 1
            return None
        object_, label = value.text, statement.object
    else:
        other = merged.entity_of(page, statement.object)
        if other is None or other == subject:
            left_out[
                "facts of a thing about itself" if other else "facts about what the text does not name"
            ] += 1
            return None
        object_, label = other, merged.by_id[other].label
    return StatedFact(
        subject,
        schema.relation_id(statement.relation),
        object_,
        merged.by_id[subject].label,
        statement.relation,
        label,
        page,
        statement.text,
        statement.sentence,
        statement.literal,
        statement.subject,
        statement.object,
    )


def value_of(text: str, kind: str) -> Value | None:
    """The value that a text writes, if it is of the kind; whole numbers are years where dates are meant."""
    value = read_cell(text, first_year=1 if kind == "date" else None)
    if kind == "text":
        return Text(" ".join(text.split()))
    return value if isinstance(value, Date if kind == "date" else Number) else None


# Where pages name the entities that were read out of them: as links, and as places in a statement.


def named_places(corpus: Corpus, pages: Sequence[str], merged: MergedEntities) -> dict[str, list[NamedPlace]]:
    """Where each page names its entities, but for names that it uses for several."""
    places = {}
    for page in pages:
        if names := merged.names_on(page):
            places[page] = list(_on_page(corpus.sentences(page), names))
    return places


def _on_page(sentences: Sequence[Sentence], names: Mapping[str, Sequence[str]]) -> Iterator[NamedPlace]:
    entities = list(names)
    sought = [forms(names[entity]) for entity in entities]
    for sentence in sentences:
        for start, end, number in places_of_one(plain(sentence.text), sought):
            words = sentence.text[start:end]
            at = sentence.start + start
            yield NamedPlace(sentence.number, at, sentence.start + end, words, entities[number])
