"""Understands a question about a graph: the query it asks for, in words, with its answers and how sure it is.

Nothing is guessed silently: the words that the query does not explain are part of the result.
"""

import math
from collections.abc import Sequence
from functools import cached_property

from rollcall.graph import Graph
from rollcall.query import Query, Value
from rollcall.systems.ask.forms import QueryCandidate, Understanding, Understood
from rollcall.systems.ask.growing import Functions, Grower
from rollcall.systems.ask.name_index import NameIndex
from rollcall.systems.ask.ranking import (
    SHOWN,
    KindFit,
    LogLinear,
    Ranking,
    RelationLikeness,
    Reranker,
    explained,
    packaged_reranker,
    probabilities,
)
from rollcall.systems.ask.reading import QuestionReader, QuestionReading
from rollcall.wording.ends import EndNouns
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.realise import Realiser

_READINGS = 2
_READ = 20
"""How many candidates there are where words of a question name no relation."""


class Asker:
    """Answers questions from one graph."""

    def __init__(
        self,
        graph: Graph,
        *,
        lexicon: Lexicon | None = None,
        model: LogLinear | None = None,
        vectors: bool = False,
        rerank: Reranker | bool = True,
    ) -> None:
        """With `vectors`, a sentence encoder compares questions and relations too (extra `neural`).

        Candidates are ranked again by `rerank`; True is the packaged model, where it is installed.
        """
        self.graph = graph
        self._lexicon = lexicon or Lexicon.load()
        model = model or LogLinear()
        names = NameIndex.of(graph)
        self._reader = QuestionReader(graph, names, self._lexicon)
        phrases = self._reader.phrases
        self._grower = Grower(graph, names.neighbourhood, phrases, model)
        self._functions = Functions(graph, phrases)
        self._ranking = Ranking(graph.index, KindFit(graph, phrases, self._reader.classes), model)
        self._likeness = RelationLikeness(graph, phrases) if vectors else None
        self._reranker = rerank if isinstance(rerank, Reranker) else packaged_reranker() if rerank else None

    def understand(self, question: str) -> Understanding:
        """The queries that a question may ask for, and how sure the first one is."""
        reading, candidates = self.candidates(question)
        if not candidates:
            unknown = reading.unexplained(reading.recognised, frozenset())
            return Understanding(question, (), 0.0, tuple(unknown))
        if self._reranker is not None:
            candidates = self._reranker.ranked(
                reading, candidates, lambda candidate: self.words(candidate.query), self.name
            )
            surety = self._reranker.surety(candidates)
        else:
            surety = _surety(candidates[:SHOWN])
        best = candidates[0]
        left = reading.unexplained(explained(reading, best.piece, best.features["kind"]), best.piece.nouns)
        return Understanding(question, tuple(candidates[:SHOWN]), surety, tuple(left))

    def candidates(self, question: str) -> tuple[QuestionReading, list[QueryCandidate]]:
        """What is recognised in a question, and the queries it may ask for, by their features alone.

        There are more of them where words of the question name no relation, since any may be meant.
        """
        reading = self._reader.read(question)
        grown = self._grower.grow(reading)
        likenesses = self._likeness.to(reading) if self._likeness is not None else None
        candidates = self._ranking.best(
            reading, [*grown, *self._functions.applied(reading, grown)], likenesses, _READ
        )
        return reading, candidates[:SHOWN] if candidates and _is_explained(candidates[0]) else candidates

    def understood(self, question: str) -> Understood | None:
        """The query of a question in words, or None if no name in it leads to an answer."""
        understanding = self.understand(question)
        if not understanding.candidates:
            return None
        best = understanding.candidates[0]
        others = [
            self.words(candidate.query)
            for candidate in understanding.candidates
            if not candidate.agrees_with(best)
        ]
        return Understood(
            best.query,
            self.words(best.query),
            understanding.surety,
            understanding.not_understood,
            tuple(dict.fromkeys(others))[:_READINGS],
        )

    def answers(self, understanding: Understanding) -> "frozenset[str | Value]":
        """The answers of the first query."""
        return self.graph.answers(understanding.query) if understanding.query else frozenset()

    def words(self, query: Query) -> str:
        """A query in words."""
        return self._realiser.word(query).question

    def name(self, entity: int) -> str:
        """The label of an entity by its number in the graph's index."""
        return self.graph.label(self.graph.index.entity_ids[entity])

    @cached_property
    def _realiser(self) -> Realiser:
        return Realiser(self.graph, self._lexicon, ends=EndNouns(self.graph))


def _is_explained(candidate: QueryCandidate) -> bool:
    """Whether words of the question name all its relations, and no word is left over."""
    return not candidate.features["left over"] and not candidate.features["unnamed relation"]


def _surety(candidates: Sequence[QueryCandidate]) -> float:
    """The share of the first candidate and of others with its answers, lowered by what is not explained."""
    best, shares = candidates[0], probabilities([candidate.score for candidate in candidates])
    agreeing = sum(
        share for share, candidate in zip(shares, candidates, strict=True) if candidate.agrees_with(best)
    )
    return agreeing * math.exp(-best.features["left over"] - best.features["unnamed relation"])
