"""What quality checks look at: the questions, and the graph, corpus, runs and verifier that were given.

What several checks need (parsed queries and facts, names of entities, folded wordings) is computed here, once
for each question or entity. What cannot be parsed is None: one check reports it, and the others continue.

- `Material`: all that is known about a set.
- `denotation_difference`: the answers of a question, compared with the denotation of its query in a graph.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from rollcall._core.errors import RollcallError
from rollcall.corpus.lists import is_list_relation
from rollcall.query import Query, Value
from rollcall.query.parse import parse_statement
from rollcall.query.statements import Edge
from rollcall.query.values import Number
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Answer, Evidence, Question, value_names
from rollcall.questions.splits import TABLES
from rollcall.text.words import base_form, fold, without_accents

if TYPE_CHECKING:
    from rollcall.corpus import Corpus
    from rollcall.evidence import Verifier
    from rollcall.graph import Graph
    from rollcall.questions.run import Run


# The parts of a question's record that checks look at: its query, facts, evidence, and names.
#
# What cannot be parsed is None: one check reports it, and the others continue.

_REMEMBERED = 1 << 17


@lru_cache(_REMEMBERED)
def parsed_query(text: str) -> Query | None:
    """A query by its text; None if the text is not a query."""
    if not text.strip():
        return None
    try:
        return Query.parse(text)
    except RollcallError:
        return None


def query_of(question: Question) -> Query | None:
    """The query of a question; None if it has none that can be read."""
    return None if question.query is None else parsed_query(question.query.text)


@lru_cache(_REMEMBERED)
def parsed_fact(text: str) -> Edge | None:
    """A fact by its text; None if the text is not a fact."""
    try:
        statement = parse_statement(text)
    except RollcallError:
        return None
    return statement if isinstance(statement, Edge) else None


def is_of_list(fact: Edge) -> bool:
    """Whether a fact is what a list says, which no graph has."""
    return is_list_relation(fact.relation)


def recipe_verifier(questions: QuestionSet) -> str | None:
    """The verifier of the recipe that made a set; None if the manifest names none."""
    recipe = questions.manifest.get("recipe")
    evidence = recipe.get("evidence") if isinstance(recipe, dict) else None
    name = evidence.get("verifier") if isinstance(evidence, dict) else None
    return name if isinstance(name, str) else None


def answer_names(answer: Answer) -> tuple[str, ...]:
    """All names of an answer, its label first."""
    return (answer.label, *answer.aliases)


def evidence_of(question: Question) -> Iterator[tuple[Answer, Evidence]]:
    """Every piece of evidence of a question, with its answer."""
    return ((answer, piece) for answer in question.answers for piece in answer.evidence)


def graph_names(question: Question) -> Iterator[tuple[str, str]]:
    """The ids of entities in the graph of a question's query, with the names that it shows."""
    graph = question.query.graph if question.query is not None else None
    nodes = graph.get("nodes") if isinstance(graph, dict) else None
    for node in nodes if isinstance(nodes, list) else ():
        if isinstance(node, dict) and node.get("node_type") == "entity":
            id_, name = node.get("id"), node.get("friendly_name")
            if isinstance(id_, str) and isinstance(name, str) and name:
                yield id_, name


# Words and names as the checks compare them: folded wordings, words of a text, names inside a text.

WORD = re.compile(r"\w+(?:['’]\w+)*")
IMPERATIVES = frozenset(
    (
        *("name", "list", "give", "find", "show", "tell", "identify", "enumerate", "state"),
        *("count", "say", "provide", "mention"),
    )
)
"""Verbs that begin a request."""
_SHORT = 4
"""Words of a name with fewer letters must be in the text as a whole."""


def wording_key(text: str) -> str:
    """A question without case, marks and spaces: equal keys are the same words."""
    return " ".join(WORD.findall(fold(text)))


def words(text: str) -> list[str]:
    """The words of a text, folded."""
    return WORD.findall(folded(text))


@lru_cache(1 << 17)
def folded(text: str) -> str:
    """A text as names are compared: without case and accents, with one kind of apostrophe."""
    return without_accents(fold(text)).replace("’", "'")


def name_key(name: str) -> str:
    """A name without case, accents and marks, and without an article at its start."""
    name_words = words(name)
    return " ".join(
        name_words[1:] if len(name_words) > 1 and name_words[0] in ("the", "a", "an") else name_words
    )


def resembles(names: Iterable[str], text_words: Iterable[str]) -> bool:
    """Whether a text has a word that may stand for one of the names: a part of it, or a form of a part.

    Texts say `Marl` for Ann Marl and `Norrish` for Norrow, so the beginning of one word is enough.
    """
    present = list(text_words)
    bases = {base_form(word) for word in present}
    for name in names:
        for part in _parts(name):
            stem = part[: max(_SHORT, round(0.6 * len(part)))]
            if base_form(part) in bases or (
                len(part) >= _SHORT and any(word.startswith(stem) for word in present)
            ):
                return True
    return False


@lru_cache(1 << 16)
def _parts(name: str) -> tuple[str, ...]:
    """The words of a name that may stand for it: long ones if there are any."""
    name_words = words(name)
    return tuple(word for word in name_words if len(word) >= _SHORT) or tuple(name_words)


# Compares the answers of a question with the denotation of its query in a graph. Entities are compared by
# id, values by all their written forms, because sets write units in different ways. What lists say is in no
# graph, so questions about lists are not compared.


class DenotationDifference(NamedTuple):
    """How the answers of a question differ from the denotation of its query."""

    outside: list[Answer]
    """Gold answers that the denotation does not have."""
    missing: list[str]
    """Labels of answers that are in the denotation, and neither gold nor neutral."""
    size: int
    """The number of answers in the denotation."""


def denotation_difference(
    question: Question, query: Query | None, graph: "Graph"
) -> DenotationDifference | None:
    """The comparison for one question; None if its query cannot be answered from this graph."""
    if query is None or question.kind in TABLES:
        return None
    if any(graph.index.relation_number(relation) is None for relation in query.relations):
        return None
    try:
        denotation = graph.answers(query)
    except RollcallError:
        return None
    entities = {answer_ for answer_ in denotation if isinstance(answer_, str)}
    values = {answer_: _names(answer_, graph) for answer_ in denotation if not isinstance(answer_, str)}
    written = {name for names in values.values() for name in names}
    outside = []
    for answer in question.answers:
        right = (
            answer.id in entities if answer.id is not None else not written.isdisjoint(answer_names(answer))
        )
        if not right:
            outside.append(answer)
    known = [*question.answers, *question.neutral]
    ids = {answer.id for answer in known}
    labels = {name for answer in known if answer.id is None for name in answer_names(answer)}
    missing = [graph.label(entity) for entity in sorted(entities - ids)]
    missing += sorted(str(value) for value, names in values.items() if labels.isdisjoint(names))
    return DenotationDifference(outside, missing, len(denotation))


def _names(value: Value, graph: "Graph") -> list[str]:
    unit = value.unit if isinstance(value, Number) else None
    label = graph.label(unit) if unit is not None else ""
    return [str(value), *value_names(value, label if label != unit else "")]


TRAINING = ("train", "training")
VALIDATION = ("dev", "val", "valid", "validation", "development")


@dataclass
class Material:
    """A question set with everything that is known about it."""

    questions: Sequence[Question]
    graph: "Graph | None" = None
    corpus: "Corpus | None" = None
    closed_book: "Run | None" = None
    one_passage: "Run | None" = None
    verifier: "Verifier | None" = None
    verified: int = 1000
    """How many pieces of evidence the verifier is asked about."""
    made_unverified: bool = False
    """Whether the recipe of the set has the verifier `none`; older sets of this kind have scores of 1."""
    _names: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False)

    def has(self, need: str) -> bool:
        """Whether something that a check needs was given."""
        return getattr(self, need.replace("-", "_"), None) is not None

    def query(self, question: Question) -> Query | None:
        """The query of a question; None if it has none, or if its text is not a query."""
        return None if question.query is None else parsed_query(question.query.text)

    def entities(self, question: Question) -> tuple[str, ...]:
        """The entities that a question's query is about; none if it has no query."""
        query = self.query(question)
        return query.entities if query is not None else ()

    @cached_property
    def denotations(self) -> list[DenotationDifference | None]:
        """For each question, its answers compared with the denotation of its query in the graph."""
        assert self.graph is not None, "a check that needs no graph asks for denotations"
        return [
            denotation_difference(question, self.query(question), self.graph) for question in self.questions
        ]

    @cached_property
    def fact_relations(self) -> set[str]:
        """The relations of the facts that the set has evidence for."""
        texts = {piece.fact for question in self.questions for _answer, piece in evidence_of(question)}
        facts = (parsed_fact(text) for text in texts if text)
        return {fact.relation for fact in facts if fact is not None and not is_of_list(fact)}

    @cached_property
    def by_id(self) -> dict[str, Question]:
        """The questions by their ids; of questions with one id, the first."""
        return {question.id: question for question in reversed(self.questions)}

    @cached_property
    def wording_keys(self) -> list[str]:
        """For each question, its text without case, marks and spaces."""
        return [wording_key(question.question) for question in self.questions]

    @cached_property
    def later_splits(self) -> list[tuple[str, list[str]]]:
        """The splits that may not know others: each with those before it (training, validation, test)."""
        splits = sorted({question.split for question in self.questions if question.split}, key=_order)
        return [(split, splits[:index]) for index, split in enumerate(splits) if index]

    def names(self, entity: str) -> tuple[str, ...]:
        """The names of an entity in the graph and the corpus, or else in the set; empty if none is known."""
        if entity not in self._names:
            self._names[entity] = tuple(dict.fromkeys(self._found_names(entity)))
        return self._names[entity]

    def _found_names(self, entity: str) -> Iterator[str]:
        if self.graph is not None and self.graph.index.entity_number(entity) is not None:
            record = self.graph.entity(entity)
            yield from (name for name in (record.label or entity, record.title, *record.aliases) if name)
        if self.corpus is not None:
            yield from (text for text, _source, _count in self.corpus.aliases(entity))
        yield from self._set_names.get(entity, ())

    @cached_property
    def _set_names(self) -> dict[str, tuple[str, ...]]:
        """The names that the set itself has: of answers, and of the entities in the graphs of queries."""
        names: dict[str, tuple[str, ...]] = {}
        for question in self.questions:
            for answer in (*question.answers, *question.neutral):
                if answer.id is not None:
                    names[answer.id] = answer_names(answer)
        for question in self.questions:
            for id_, name in graph_names(question):
                names.setdefault(id_, (name,))
        return names


def _order(split: str) -> tuple[int, str]:
    name = split.casefold()
    return (0 if name in TRAINING else 1 if name in VALIDATION else 2, split)
