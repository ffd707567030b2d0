"""What quality checks look at: the questions, and the graph, corpus, runs and verifier that were given.

What several checks need (parsed queries and facts, names of entities, folded wordings) is computed here, once
for each question or entity. What cannot be parsed is None: one check reports it, and the others continue.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from rollcall.audit.denotation import DenotationDifference, compare
from rollcall.audit.parts import (
    answer_names,
    evidence_of,
    graph_names,
    is_of_list,
    parsed_fact,
    parsed_query,
    wording_key,
)
from rollcall.query import Query
from rollcall.questions.record import Question

if TYPE_CHECKING:
    from rollcall.corpus import Corpus
    from rollcall.evidence import Verifier
    from rollcall.graph import Graph
    from rollcall.questions.run import Run

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
        return [compare(question, self.query(question), self.graph) for question in self.questions]

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
