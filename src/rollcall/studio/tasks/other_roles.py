"""Wrong answers whose text names everything that the question names, in another role.

Whoever looks for the names of the question alone finds a wrong answer whose text lacks them. So the graph is
asked for entities that another relation ties to the entity of the question, and their pages for the sentences
that name it: *died there*, where the question is who was born there. An entity that a relation of the same
meaning ties to it is left out, for its text may state the answer.
"""

import random
from collections.abc import Collection, Iterator
from functools import cache

import numpy as np

from rollcall.audit.parts import parsed_fact
from rollcall.corpus import Corpus
from rollcall.corpus.corpus import Sentence
from rollcall.english.folding import fold
from rollcall.graph import Graph
from rollcall.graph.index import Numbers
from rollcall.graph.rows import slice_of
from rollcall.query import Query
from rollcall.questions.record import Answer, Evidence

KIN = 1 / 3
"""Relations that share so many of their facts may say the same, and are no wrong role of each other."""
_LOOKED_AT = 20
"""So many entities are looked at for one wrong answer: each is a page to read."""


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
        wanted = [one for one in named if one is not None]
        if not wanted or len(wanted) < len(named):
            return
        found = sorted(self._tied_otherwise(wanted[0], query.relations) - set(right))
        for entity in numbers.sample(found, min(_LOOKED_AT, len(found))):
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
            kin = any(self._kin(one, name) for one in asked)
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
                one
                for one, words in self._page(page)
                if one.number not in used and any(f" {name} " in words for name in names)
            ),
            None,
        )

    def _sentences_about(self, page: str) -> list[tuple[Sentence, str]]:
        """The sentences of a page, each with its words between single spaces."""
        return [(one, f" {_spaced(fold(one.text))} ") for one in self._corpus.sentences(page)]

    def _passage(self, sentence: Sentence) -> str | None:
        passages = self._corpus.passages(sentence.page)
        return next((one.id for one in passages if one.first <= sentence.number <= one.last), None)


def _named_in(piece: Evidence, entities: Collection[str]) -> str | None:
    """The entity of the query that the fact of some evidence has at one end."""
    fact = parsed_fact(piece.fact) if piece.fact else None
    ends = (fact.subject.text, fact.object.text) if fact is not None else ()
    return next((end for end in ends if end in entities), None)


def _spaced(text: str) -> str:
    return " ".join("".join(sign if sign.isalnum() else " " for sign in text).split())
