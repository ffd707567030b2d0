"""Wrong answers for validation that cannot be told from the others without reading.

It is wrong in one of two ways: the same entity in another role (born there, not dead there), or the same
relation with another entity (made in another language). Its text is real: of a page (`other_roles`), or the
evidence of another question. It has as many sentences and passages as that of a right answer of the
question, lies on the same kind of page, names the same things if possible, and its entity is of the
same type. So only reading the text reveals it.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.audit.material import answer_names, parsed_fact, query_of
from rollcall.audit.missing import names_in
from rollcall.corpus import Corpus
from rollcall.corpus.corpus import Sentence
from rollcall.graph import Graph
from rollcall.graph.index import Numbers
from rollcall.graph.rows import slice_of
from rollcall.query import Query
from rollcall.questions.record import Answer, Evidence, Question
from rollcall.score.match import name_key
from rollcall.studio.tasks.shown import chance, identity, wording_of
from rollcall.text.words import COMMON, base_form, fold

# Wrong answers whose text names everything that the question names, in another role. Whoever looks for
# the names of the question alone finds a wrong answer whose text lacks them. So the graph is asked for
# entities that another relation ties to the entity of the question, and their pages for the sentences
# that name it: *died there*, where the question is who was born there. An entity that a relation of the
# same meaning ties to it is left out, for its text may state the answer.

KIN = 1 / 3
"""Relations that share at least this part of their facts may mean the same: neither is a wrong role."""
_OTHER_ROLES_LOOKED_AT = 20
"""How many entities are tried for one wrong answer: each is a page to read."""


class OtherRoles:
    """Finds answers that text names beside the entities of a query, and that do not stand in its relation."""

    def __init__(self, graph: Graph, corpus: Corpus) -> None:
        self._graph, self._corpus = graph, corpus
        self._kin = cache(self._are_kin)
        self._page = cache(self._sentences_about)

    def answers(
        self, query: Query, like: Answer, right: Collection[str], numbers: random.Random
    ) -> Iterator[Answer]:
        """Wrong answers in random order, each with as many sentences as the evidence of the answer `like`."""
        named = [_named_in(piece, query.entities) for piece in like.evidence]
        wanted = [entity for entity in named if entity is not None]
        if not wanted or len(wanted) < len(named):
            return
        candidates = sorted(self._tied_otherwise(wanted[0], query.relations) - set(right))
        for entity in numbers.sample(candidates, min(_OTHER_ROLES_LOOKED_AT, len(candidates))):
            evidence = self._evidence(entity, wanted)
            if evidence is not None:
                record = self._graph.entity(entity)
                yield Answer(record.label or entity, entity, list(record.aliases), evidence)

    def _tied_otherwise(self, entity: str, asked: Collection[str]) -> set[str]:
        """The entities that some relation ties to this one, but none that means what is asked."""
        index, number = self._graph.index, self._graph.index.entity_number(entity)
        if number is None:
            return set()
        tied: dict[int, bool] = {}
        for relation, name in enumerate(index.relation_ids):
            kin = any(self._kin(asked_relation, name) for asked_relation in asked)
            for pairs in (index.forward(relation), index.backward(relation)):
                for other in slice_of(pairs, number, index.dtype).tolist():
                    tied[other] = tied.get(other, False) or kin
        return {
            index.entity_ids[other] for other, kin in tied.items() if not kin and other < index.entity_count
        }

    def _are_kin(self, asked: str, other: str) -> bool:
        mine, theirs = self._facts(asked), self._facts(other)
        least = min(len(mine), len(theirs))
        return asked == other or (least > 0 and len(np.intersect1d(mine, theirs)) / least > KIN)

    def _facts(self, relation: str) -> Numbers:
        """The pairs of entities of a relation, each as one number, whichever end comes first."""
        number = self._graph.index.relation_number(relation)
        if number is None:
            return np.empty(0, np.uint64)
        ends = [part.astype(np.uint64) for part in self._graph.index.forward(number)]
        low, high = np.minimum(*ends), np.maximum(*ends)
        return np.unique(low << np.uint64(32) | high)

    def _evidence(self, entity: str, named: list[str]) -> list[Evidence] | None:
        """A sentence of the entity's own page for each entity that it is to name, none twice."""
        page = self._corpus.page_of(entity)
        if page is None:
            return None
        used: dict[int, Evidence] = {}
        for other in named:
            sentence = self._naming(page.id, other, used)
            if sentence is None:
                return None
            used[sentence.number] = Evidence(
                sentence.text, self._passage(sentence), page.title, start=sentence.start, end=sentence.end
            )
        return list(used.values())

    def _naming(self, page: str, entity: str, used: Collection[int]) -> Sentence | None:
        record = self._graph.entity(entity)
        names = {fold(name) for name in (record.label or record.id, *record.aliases)}
        return next(
            (
                sentence
                for sentence, words in self._page(page)
                if sentence.number not in used and any(f" {name} " in words for name in names)
            ),
            None,
        )

    def _sentences_about(self, page: str) -> list[tuple[Sentence, str]]:
        """The sentences of a page, each with its words between single spaces."""
        return [(sentence, f" {_spaced(fold(sentence.text))} ") for sentence in self._corpus.sentences(page)]

    def _passage(self, sentence: Sentence) -> str | None:
        passages = self._corpus.passages(sentence.page)
        return next(
            (passage.id for passage in passages if passage.first <= sentence.number <= passage.last), None
        )


def _named_in(piece: Evidence, entities: Collection[str]) -> str | None:
    """The entity of the query that the fact of some evidence has at one end."""
    fact = parsed_fact(piece.fact) if piece.fact else None
    ends = (fact.subject.text, fact.object.text) if fact is not None else ()
    return next((end for end in ends if end in entities), None)


def _spaced(text: str) -> str:
    return " ".join("".join(sign if sign.isalnum() else " " for sign in text).split())


OTHER_ENTITY, OTHER_ROLE, OTHER_QUESTION = "other entity", "other role", "other question"
_LEAST_FACTS = 5
"""With fewer facts it cannot be seen whether two relations mean the same."""
_LOOKED_AT = 60
"""How many questions are drawn from each list of those that may lend an answer."""


_Index: TypeAlias = dict[str, tuple[list[str], list[str]]]
"""Questions by what they share: those that people do not see, and those that they judge."""


class Wrong(NamedTuple):
    """A wrong answer of a question."""

    answer: Answer
    of: Question | None
    """The question whose evidence it brings; None if its text is a page's."""
    how: str


@dataclass(frozen=True)
class _Topic:
    """What a question is about: its relations (or, without a query, its words) and its entities."""

    relations: frozenset[str]
    entities: frozenset[str]
    kind: str | None


class WrongAnswers:
    """Finds wrong answers for questions: among the answers of other questions of a set, and on pages."""

    def __init__(
        self,
        questions: Iterable[Question],
        graph: Graph | None = None,
        avoided: Iterable[str] = (),
        seed: int = 0,
        corpus: Corpus | None = None,
    ) -> None:
        """Answers of `avoided` questions, which people will see with their own question, come last."""
        self._questions = [
            question for question in questions if any(answer.evidence for answer in question.answers)
        ]
        self._graph, self._avoided, self._seed = graph, frozenset(avoided), seed
        self._roles = OtherRoles(graph, corpus) if graph is not None and corpus is not None else None
        self._about = {question.id: _about(question) for question in self._questions}
        self._used: set[str] = set()
        self._lent: Counter[str] = Counter()
        self._types: dict[str, frozenset[str]] = {}
        self._looks: dict[tuple[str, str], tuple[object, ...]] = {}
        self._rights: dict[str, tuple[set[bytes], set[str]]] = {}

    def find(self, question: Question, attempt: int = 0) -> Wrong | None:
        """A wrong answer that was not used before; None if the set has none for this question."""
        numbers = chance(self._seed, "wrong", question.id, attempt)
        right = [answer for answer in question.answers if answer.evidence]
        if not right:
            return None
        like = numbers.choice(right)
        wanted, (known, true) = self._look(question, like), self._right(question)
        preferred = [OTHER_ROLE, OTHER_ENTITY] if _names_all(question, like) else [OTHER_ENTITY, OTHER_ROLE]
        for how in (*preferred, OTHER_QUESTION):
            for answer, donor in self._offered(question, like, how, numbers):
                text = _text(answer)
                if (
                    text not in self._used
                    and (_look(answer) if donor is None else self._look(donor, answer)) == wanted
                    and identity(answer) not in true
                    and known.isdisjoint(map(name_key, answer_names(answer)))
                    and self._same_type(answer, like, donor or question, question)
                    and (how == OTHER_ROLE or not _names_all(question, answer))
                ):
                    self._used.add(text)
                    self._lent.update([donor.id] if donor is not None else ())
                    return Wrong(answer, donor, how)
        return None

    def _offered(
        self, question: Question, like: Answer, how: str, numbers: random.Random
    ) -> Iterator[tuple[Answer, Question | None]]:
        """Answers that may be wrong in this way, each with the question that lends it."""
        query = query_of(question)
        if how == OTHER_ROLE and self._roles is not None and query is not None:
            for answer in self._roles.answers(query, like, self._right(question)[1], numbers):
                yield answer, None
        for donor in self._donors(question, how, numbers):
            for answer in numbers.sample(donor.answers, len(donor.answers)):
                yield answer, donor

    def _donors(self, question: Question, how: str, numbers: random.Random) -> list[Question]:
        """Questions that may lend an answer, best first and otherwise in random order."""
        about = self._about[question.id]
        near: dict[str, float] = {}
        for id_ in self._near(about, how, numbers):
            other = self._about[id_]
            if id_ == question.id or not self._fits(about, other, how):
                continue
            near[id_] = _overlap(about.relations, other.relations) + _overlap(about.entities, other.entities)
        best = sorted(near, key=lambda id_: self._rank(id_, near[id_], numbers.random()))
        return [self._by_id[id_] for id_ in best]

    def _rank(self, id_: str, near: float, at_random: float) -> tuple[object, ...]:
        """First those that are not shown with their own question, then near ones that lent little so far."""
        return id_ in self._avoided, -round(near, 1) + 0.1 * self._lent[id_], at_random

    def _near(self, about: _Topic, how: str, numbers: random.Random) -> list[str]:
        """Some questions that share something with another; large sets have too many to look at all."""
        if how == OTHER_ENTITY:
            keys = ["\x1f".join(sorted(about.relations)), *sorted(about.relations)]
            lists = [self._by_relation.get(key) for key in dict.fromkeys(keys)]
        elif how == OTHER_ROLE:
            lists = [self._by_entity.get(key) for key in sorted(about.entities)]
        else:
            lists = [self._by_kind.get(about.kind or "")]
        parts = [part for pair in lists if pair is not None for part in pair]
        return list(
            dict.fromkeys(id_ for part in parts for id_ in numbers.sample(part, min(_LOOKED_AT, len(part))))
        )

    def _fits(self, about: _Topic, other: _Topic, how: str) -> bool:
        if how == OTHER_ENTITY:
            return about.entities != other.entities
        if how == OTHER_ROLE:
            return not any(
                self._are_kin(relation, other_relation)
                for relation in about.relations
                for other_relation in other.relations
            )
        return about.kind == other.kind

    def _look(self, question: Question, answer: Answer) -> tuple[object, ...]:
        key = (question.id, identity(answer))
        if key not in self._looks:
            self._looks[key] = _look(answer)
        return self._looks[key]

    def _right(self, question: Question) -> tuple[set[bytes], set[str]]:
        """The names and ids of everything that must not be injected."""
        if question.id not in self._rights:
            self._rights[question.id] = self._right_names(question), self._right_ids(question)
        return self._rights[question.id]

    def _right_names(self, question: Question) -> set[bytes]:
        others = (answer for answers in question.alternatives for answer in answers)
        known = (*question.answers, *question.neutral, *question.extended, *others)
        return {name_key(name) for answer in known for name in answer_names(answer)}

    def _right_ids(self, question: Question) -> set[str]:
        """Everything that the gold or the graph has as an answer."""
        known = (*question.answers, *question.neutral, *question.extended)
        ids = {identity(answer) for answer in known}
        query = query_of(question)
        if self._graph is not None and query is not None:
            with suppress(RollcallError):  # a query of a list, which no graph answers
                ids.update(answer for answer in self._graph.answers(query) if isinstance(answer, str))
        return ids

    def _same_type(self, answer: Answer, like: Answer, of: Question, question: Question) -> bool:
        """Whether two answers are of one type: by the graph, else by what their questions ask for."""
        if (answer.id is None) != (like.id is None) or _is_number(answer) != _is_number(like):
            return False
        types = [asked.characteristics.get("answer_type") for asked in (of, question)]
        if self._graph is None or answer.id is None or like.id is None:
            return types[0] == types[1]
        mine, theirs = self._types_of(answer.id), self._types_of(like.id)
        return not mine.isdisjoint(theirs) if theirs else types[0] == types[1]

    def _types_of(self, entity: str) -> frozenset[str]:
        if entity not in self._types:
            assert self._graph is not None
            try:
                self._types[entity] = frozenset(self._graph.entity(entity).types)
            except RollcallError:
                self._types[entity] = frozenset()
        return self._types[entity]

    def _are_kin(self, relation: str, other: str) -> bool:
        """Whether two relations are the same, or so alike that a fact of one may be taken for the other."""
        mine, theirs = self._facts.get(relation, set()), self._facts.get(other, set())
        if relation == other or min(len(mine), len(theirs)) < _LEAST_FACTS:
            return True
        return len(mine & theirs) / min(len(mine), len(theirs)) > KIN

    @cached_property
    def _facts(self) -> dict[str, set[tuple[str, str]]]:
        """The pairs of entities that the evidence of the set relates, by relation, in either direction."""
        pairs: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for question in self._questions:
            for answer in question.answers:
                for piece in answer.evidence:
                    fact = parsed_fact(piece.fact) if piece.fact else None
                    if fact is not None:
                        first, second = sorted((fact.subject.text, fact.object.text))
                        pairs[fact.relation].add((first, second))
        return pairs

    @cached_property
    def _by_id(self) -> dict[str, Question]:
        return {question.id: question for question in self._questions}

    @cached_property
    def _by_relation(self) -> _Index:
        """By each relation, and by all relations of a question together."""
        return self._index(
            (id_, {*about.relations, "\x1f".join(sorted(about.relations))})
            for id_, about in self._about.items()
        )

    @cached_property
    def _by_entity(self) -> _Index:
        return self._index((id_, about.entities) for id_, about in self._about.items())

    @cached_property
    def _by_kind(self) -> _Index:
        return self._index((id_, [about.kind or ""]) for id_, about in self._about.items())

    def _index(self, keyed: Iterable[tuple[str, Iterable[str]]]) -> _Index:
        index: _Index = {}
        for id_, keys in keyed:
            for key in keys:
                index.setdefault(key, ([], []))[id_ in self._avoided].append(id_)
        return index


def _about(question: Question) -> _Topic:
    query = query_of(question)
    if query is not None and query.relations:
        return _Topic(frozenset(query.relations), frozenset(query.entities), question.kind)
    names = names_in(question)
    text = fold(wording_of(question))
    for name in names:
        text = text.replace(fold(name), " ")
    words = (base_form(word.strip("?.,'\"")) for word in text.split() if word not in COMMON)
    return _Topic(frozenset(filter(None, words)), frozenset(map(fold, names)), question.kind)


def _look(answer: Answer) -> tuple[object, ...]:
    """What can be seen of evidence without reading it: how much there is, and on whose page it lies."""
    names = set(map(name_key, answer_names(answer)))
    pages = [name_key((piece.title or "").partition(" (")[0]) in names for piece in answer.evidence]
    passages = {(piece.title, piece.passage) for piece in answer.evidence}
    return len(answer.evidence), len(passages), tuple(sorted(pages))


def _text(answer: Answer) -> str:
    """An answer with its evidence: what is not shown twice."""
    return "\x1f".join([identity(answer), *(piece.text for piece in answer.evidence)])


def _names_all(question: Question, answer: Answer) -> bool:
    """Whether the evidence names everything that the question names, so that it might state the answer."""
    text = fold(" ".join(f"{piece.title} {piece.text}" for piece in answer.evidence))
    names = names_in(question)
    return bool(names) and all(fold(name) in text for name in names)


def _is_number(answer: Answer) -> bool:
    return answer.label.strip()[:1].isdigit()


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    return len(first & second) / len(first | second) if first or second else 0.0
