"""Answers a query from facts of any source: those of text, of lists, or all of them with the graph.

The question is then which answers a source alone would give, or which ones further facts add. Classes and
comparisons of values are always the graph's. It is a plain search from bound nodes outwards, one binding at
a time: a source has few facts about a question, and each answer must come with the facts that it rests on.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple, Protocol

import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.audit.material import query_of
from rollcall.corpus.lists import parse_column
from rollcall.graph import Graph
from rollcall.graph.evaluate import solutions
from rollcall.graph.rows import slice_of
from rollcall.graph.steps import satisfying
from rollcall.mine.lists.mine import mine_lists, relate_lists
from rollcall.mine.lists.queries import ListQueryOptions
from rollcall.query import QUESTION, Edge, Entity, Literal, Pattern, Query, Variable
from rollcall.query.statements import Node, Typing, positive
from rollcall.questions.judgment import Judgment
from rollcall.questions.record import Answer, Question
from rollcall.questions.run import EntityAnswer, Run, answer_text
from rollcall.score.match import name_keys
from rollcall.tables.build import RelatedFacts
from rollcall.tables.engine import Engine
from rollcall.tables.files import records

MOST_BINDINGS = 5_000
"""The most bindings of one pattern that are tried; a question with more is too wide to be listed anyway."""


class Fact(NamedTuple):
    """A fact between two entities."""

    subject: str
    relation: str
    object: str


class FactSource(Protocol):
    """What a source says: the other ends of a relation, and whether it has a fact."""

    def objects(self, subject: str, relation: str) -> Iterable[str]: ...
    def subjects(self, relation: str, object_: str) -> Iterable[str]: ...


class SomeFacts:
    """Facts held in memory."""

    def __init__(self, facts: Iterable[Fact] = ()) -> None:
        self._objects: dict[tuple[str, str], list[str]] = {}
        self._subjects: dict[tuple[str, str], list[str]] = {}
        for fact in facts:
            self._objects.setdefault((fact.subject, fact.relation), []).append(fact.object)
            self._subjects.setdefault((fact.object, fact.relation), []).append(fact.subject)

    def objects(self, subject: str, relation: str) -> Iterable[str]:
        return self._objects.get((subject, relation), ())

    def subjects(self, relation: str, object_: str) -> Iterable[str]:
        return self._subjects.get((object_, relation), ())


class GraphFacts:
    """The facts of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._index = graph.index

    def objects(self, subject: str, relation: str) -> Iterable[str]:
        return self._other(subject, relation, forward=True)

    def subjects(self, relation: str, object_: str) -> Iterable[str]:
        return self._other(object_, relation, forward=False)

    def _other(self, entity: str, relation: str, *, forward: bool) -> Iterable[str]:
        index = self._index
        number, kind = index.entity_number(entity), index.relation_number(relation)
        if number is None or kind is None:
            return ()
        terms = slice_of(index.forward(kind) if forward else index.backward(kind), number, index.dtype)
        return index.entity_ids.take(terms[terms < index.entity_count])


class AllFacts:
    """The facts of several sources together."""

    def __init__(self, *parts: FactSource) -> None:
        self._parts = parts

    def objects(self, subject: str, relation: str) -> Iterable[str]:
        return dict.fromkeys(entity for part in self._parts for entity in part.objects(subject, relation))

    def subjects(self, relation: str, object_: str) -> Iterable[str]:
        return dict.fromkeys(entity for part in self._parts for entity in part.subjects(relation, object_))


Binding = dict[Variable, str]


class Derived(NamedTuple):
    """An answer and the facts by which it is one."""

    answer: str
    facts: tuple[Fact, ...]


class Evaluator:
    """Answers queries whose answers are entities; the graph decides on classes and values."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._classes: dict[str, set[str] | None] = {}

    def derive(self, query: Query, facts: FactSource) -> Iterator[Derived]:
        """The answers that the facts give, each with the facts it needs; one answer may come several ways."""
        for pattern in query.patterns:
            bindings = self._bindings(pattern, facts, {}, list(pattern.positive))
            for binding in islice(bindings, MOST_BINDINGS):
                if QUESTION in binding and self._allowed(pattern, binding, facts):
                    yield Derived(binding[QUESTION], tuple(_used(pattern, binding)))

    def is_of(self, entity: str, class_id: str) -> bool | None:
        """Whether the graph puts an entity in a class; None if it has no class for it."""
        known = self._classes_of(entity)
        return None if known is None else class_id in known

    def _bindings(
        self, pattern: Pattern, facts: FactSource, binding: Binding, left: list[Edge | Typing]
    ) -> Iterator[Binding]:
        """All ways to satisfy the statements that are left, nearest to what is bound first."""
        if not left:
            yield binding
            return
        statement = min(left, key=lambda candidate: _loose(candidate, binding))
        rest = [candidate for candidate in left if candidate is not statement]
        for more in self._satisfying(statement, facts, binding):
            if not (pattern.distinct and _repeats(pattern, more)):
                yield from self._bindings(pattern, facts, more, rest)

    def _satisfying(self, statement: Edge | Typing, facts: FactSource, binding: Binding) -> Iterator[Binding]:
        if isinstance(statement, Typing):
            entity = _bound(statement.node, binding)
            # An entity without any class may be of this one; the judgment of the answer decides.
            if entity is not None and self.is_of(entity, statement.class_id) is not False:
                yield binding
            return
        subject, object_ = _bound(statement.subject, binding), _bound(statement.object, binding)
        if isinstance(statement.object, Literal):
            if subject is not None and self._has_value(subject, statement.relation, statement.object):
                yield binding
        elif subject is not None and object_ is not None:
            if object_ in facts.objects(subject, statement.relation):
                yield binding
        elif subject is not None and isinstance(statement.object, Variable):
            for other in facts.objects(subject, statement.relation):
                yield {**binding, statement.object: other}
        elif object_ is not None and isinstance(statement.subject, Variable):
            for other in facts.subjects(statement.relation, object_):
                yield {**binding, statement.subject: other}

    def _allowed(self, pattern: Pattern, binding: Binding, facts: FactSource) -> bool:
        """Whether nothing that the pattern denies is known; what the graph knows counts too."""
        sources: tuple[FactSource, ...] = (facts, GraphFacts(self._graph))
        for group in pattern.negative_groups:
            for known in sources:
                own = [positive(statement) for statement in group]
                if next(self._bindings(pattern, known, dict(binding), own), None) is not None:
                    return False
        return True

    def _has_value(self, subject: str, relation: str, wanted: Literal) -> bool:
        index = self._graph.index
        number, kind = index.entity_number(subject), index.relation_number(relation)
        if number is None or kind is None:
            return False
        terms = slice_of(index.forward(kind), number, index.dtype)
        if wanted.comparator != "=":
            return bool(satisfying(index, terms, wanted).any())
        literal = index.literal_number(wanted.value.text)
        return literal is not None and bool((terms == literal).any())

    def _classes_of(self, entity: str) -> set[str] | None:
        if entity not in self._classes:
            index = self._graph.index
            number = index.entity_number(entity)
            class_ids: set[str] | None = None
            if number is not None:
                entities, classes = index.types_forward()
                start, end = np.searchsorted(entities, [number, number + 1])
                class_ids = set(index.class_ids.take(classes[start:end])) or None
            self._classes[entity] = class_ids
        return self._classes[entity]


def _bound(node: Node, binding: Binding) -> str | None:
    if isinstance(node, Entity):
        return node.id
    return binding.get(node) if isinstance(node, Variable) else None


def _loose(statement: Edge | Typing, binding: Binding) -> tuple[int, bool]:
    """How many nodes are not bound; classes are asked after facts."""
    nodes = [node for node in statement.nodes if not isinstance(node, Literal)]
    return sum(_bound(node, binding) is None for node in nodes), isinstance(statement, Typing)


def _repeats(pattern: Pattern, binding: Binding) -> bool:
    named = [*binding.values(), *(entity.id for entity in pattern.entities)]
    return len(set(named)) < len(named)


def _used(pattern: Pattern, binding: Binding) -> Iterator[Fact]:
    for edge in pattern.edges:
        subject, object_ = _bound(edge.subject, binding), _bound(edge.object, binding)
        if not edge.negated and subject is not None and object_ is not None:
            yield Fact(subject, edge.relation, object_)


# The conditions of questions: one relation to one entity, whose other end is sought. A question's facts
# are those of its conditions. Edges between two variables become conditions too, one for each entity
# that the graph puts on one of the variables: for the places where the films of a director were made,
# the director's films and the places of each of these films.

_MOST_BETWEEN = 60
"""The most entities of a variable between two edges that become conditions; the first ones by id."""


class RelationCondition(NamedTuple):
    """A relation and the entity at one of its ends; `sought` is the other end, `subject` or `object`."""

    relation: str
    entity: str
    sought: str


def growing_query(question: Question) -> Query | None:
    """The query of a question whose answers are entities or values found by it; None for others.

    Counts and superlatives answer with a number or with the largest few: facts that are missing do not
    simply add answers.
    """
    query = query_of(question)
    return None if query is None or query.aggregate is not None else query


def conditions(query: Query, graph: Graph) -> list[RelationCondition]:
    """The conditions of all positive edges of a query, each once."""
    distinct: dict[RelationCondition, None] = {}
    for pattern in query.patterns:
        between = [edge for edge in pattern.edges if not edge.negated and _between(edge)]
        distinct |= dict.fromkeys(_grounded(pattern))
        if between:
            distinct |= dict.fromkeys(_chained(pattern, between, graph))
    return list(distinct)


def _between(edge: Edge) -> bool:
    return isinstance(edge.subject, Variable) and isinstance(edge.object, Variable)


def _grounded(pattern: Pattern) -> Iterator[RelationCondition]:
    for edge in pattern.edges:
        if edge.negated:
            continue
        if isinstance(edge.subject, Variable) and isinstance(edge.object, Entity):
            yield RelationCondition(edge.relation, edge.object.id, "subject")
        elif isinstance(edge.subject, Entity) and isinstance(edge.object, Variable):
            yield RelationCondition(edge.relation, edge.subject.id, "object")


def _chained(pattern: Pattern, edges: list[Edge], graph: Graph) -> Iterator[RelationCondition]:
    """Conditions of edges between variables: from the end that is farther from the question node."""
    try:
        columns = solutions(graph.index, pattern)
    except RollcallError:  # too many solutions: the grounded edges must do
        return
    for edge in edges:
        known = edge.subject if edge.object == QUESTION else edge.object
        assert isinstance(known, Variable)
        terms = np.unique(columns[known]) if known in columns else np.zeros(0, np.int64)
        terms = terms[terms < graph.index.entity_count][:_MOST_BETWEEN]
        sought = "object" if known == edge.subject else "subject"
        for entity in graph.index.entity_ids.take(terms):
            yield RelationCondition(edge.relation, entity, sought)


# What runs give: for each question, the gold answers that systems found and whatever else they gave.
# Names are compared as the profile `entity` compares them. An answer that names no gold answer keeps its
# name, so that equal answers of several systems meet; where it names an entity that another source found
# for the same question, it is that entity.


class RunSize(NamedTuple):
    """How a run stands to the gold: how many gold answers it gave, and how many other ones."""

    right: int
    errors: int
    asked: int
    """The gold answers of the questions that it answered."""


def key_of(answer: Answer) -> str:
    """What identifies an answer among those of a question: the entity, or the name of a value."""
    return answer.id if answer.id is not None else named(answer.label)


def named(name: str) -> str:
    """The key of an answer that is known by its name alone; no entity's id has a tab."""
    return "\t" + name_keys([name])[0].decode(errors="surrogateescape")


class Names:
    """The names of a question's known answers, each leading to the key of its answer."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._keys: dict[bytes, str] = {}
        self._ids: set[str] = set()
        self.add(answers)

    def add(self, answers: Iterable[Answer]) -> None:
        """Know further answers; names that are known already keep their meaning."""
        for answer in answers:
            key = key_of(answer)
            if answer.id is not None:
                self._ids.add(answer.id)
            for name in name_keys([answer.label, *answer.aliases]):
                if name:
                    self._keys.setdefault(name, key)

    def keys(self, answers: Sequence[str | EntityAnswer]) -> dict[str, str]:
        """The keys of given answers, each with the words by which it was given first."""
        texts = [answer_text(answer) for answer in answers]
        keys: dict[str, str] = {}
        for answer, text, name in zip(answers, texts, name_keys(texts), strict=True):
            if not name:
                continue
            if isinstance(answer, EntityAnswer):
                key = answer.id
            elif text in self._ids:
                key = text
            else:
                key = self._keys.get(name) or "\t" + name.decode(errors="surrogateescape")
            keys.setdefault(key, text)
        return keys


def by_question(runs: Sequence[Run]) -> dict[str, dict[str, Sequence[str | EntityAnswer]]]:
    """For each question, the answers of each run that has it; of two predictions the first counts."""
    answers: dict[str, dict[str, Sequence[str | EntityAnswer]]] = {}
    for index, run in enumerate(runs):
        name = run_name(runs, index)
        for prediction in run:
            if prediction.failure is None:
                answers.setdefault(prediction.id, {}).setdefault(name, prediction.answers)
    return answers


def run_name(runs: Sequence[Run], index: int) -> str:
    """The name of a run among others; one without a name, or with that of another, is numbered."""
    name = runs[index].name or f"run {index + 1}"
    earlier = [earlier_run.name or f"run {number + 1}" for number, earlier_run in enumerate(runs[:index])]
    return f"{name} ({index + 1})" if name in earlier else name


def sizes(
    questions: Iterable[Question], given_answers: Mapping[str, Mapping[str, Sequence[str | EntityAnswer]]]
) -> dict[str, RunSize]:
    """How each run stands to the gold."""
    counted: dict[str, list[int]] = {}
    for question in questions:
        runs = given_answers.get(question.id)
        if not runs:
            continue
        names = Names(question.answers)
        gold = {key_of(answer) for answer in question.answers}
        for run, answers in runs.items():
            keys = names.keys(answers).keys()
            right = len(gold & keys)
            total = counted.setdefault(run, [0, 0, 0])
            total[0] += right
            total[1] += len(keys) - right
            total[2] += len(gold)
    return {run: RunSize(*numbers) for run, numbers in counted.items()}


# Judgments, looked up by question and answer: what is right beyond the gold, and how likely the rest is.
# Only judgments of answers that were drawn at random speak for those that were not judged. Of several
# judgments of one answer those of people count before those of machines, and more of them before fewer;
# if as many say yes as no, it is as good as not judged.


class SetJudgments:
    """The judgments of a set."""

    def __init__(
        self, judgments: Iterable[Judgment] = (), questions: Mapping[str, Question] | None = None
    ) -> None:
        grouped: dict[tuple[str, str], list[Judgment]] = {}
        for judgment in judgments:
            for key in keys_of(judgment, (questions or {}).get(judgment.question)):
                grouped.setdefault((judgment.question, key), []).append(judgment)
        self._chances = {
            question_key: chance
            for question_key, group in grouped.items()
            if (chance := combined(group)) is not None
        }
        drawn = [
            chance
            for (_question, key), group in grouped.items()
            if key.startswith("\t")
            and any(judgment.drawn for judgment in group)
            and (chance := combined(group)) is not None
        ]
        self.share = sum(drawn) / len(drawn) if drawn else None
        """The share of right ones among answers drawn at random; None if none was drawn."""

    @property
    def any_right_or_wrong(self) -> bool:
        return bool(self._chances)

    def chance(self, question: str, key: str, label: str | None = None) -> float | None:
        """How likely an answer is right, by those who judged it; None if it was not judged."""
        chance = self._chances.get((question, key))
        if chance is None and label is not None:
            chance = self._chances.get((question, named(label)))
        return chance


def keys_of(judgment: Judgment, question: Question | None) -> list[str]:
    """The keys of a judged answer: its name, and its entity if that is known."""
    keys = {named(judgment.answer)}
    if judgment.entity is not None:
        keys.add(judgment.entity)
    elif question is not None:
        keys |= Names(question.answers).keys([judgment.answer]).keys()
    return sorted(keys)


def combined(judgments: Iterable[Judgment]) -> float | None:
    """How likely an answer is right by all who judged it; None if undecided, or tied."""
    decided = [judgment for judgment in judgments if judgment.chance is not None]
    people = [judgment for judgment in decided if judgment.by_people]
    votes = [judgment.chance for judgment in people or decided if judgment.chance is not None]
    if not votes:
        return None
    mean = sum(votes) / len(votes)
    return None if people and mean == 0.5 else float(mean > 0.5) if people else mean


# The facts that lists and tables of a corpus state, in the graph's own relations. A list or a column
# counts where the graph shows which relation it stands for (`rollcall.mine.lists.mine`); what else
# it lists are then facts of that relation, whether or not the graph has them. Lists whose relation the
# graph knows for less than half of their entries are not understood, so a graph that lacks most facts
# hides them.

_LEAST = 3
"""Entries of a list; shorter ones show no relation."""


class ListEntry(NamedTuple):
    """Where a list has a fact."""

    title: str
    column: str = ""
    """The heading of the column; empty if it is the list itself that says so."""

    @property
    def words(self) -> str:
        """The place in words."""
        return (
            f"{self.title}, column {self.column}"
            if self.column
            else f"on the {self.title[:1].lower()}{self.title[1:]}"
        )


def find_listed(folder: Path, graph: Path, corpus: Path, engine: Engine) -> dict[Fact, ListEntry]:
    """The facts between entities that lists state; intermediate tables are written to a folder."""
    mine_lists(corpus, folder, ListQueryOptions(min_answers=_LEAST), engine)
    relate_lists(graph, folder / "list_facts.parquet", None, folder, engine)
    entries: dict[Fact, ListEntry] = {}
    for row in records(RelatedFacts, folder / "related.parquet"):
        if not row["literal"]:
            column = parse_column(row["relation"])
            entry = ListEntry(row["object"]) if column is None else ListEntry(*column)
            entries.setdefault(Fact(row["of_subject"], row["of_relation"], row["of_object"]), entry)
    return entries
