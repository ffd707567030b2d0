"""Understands a question about a graph: the query it asks for, in words, with its answers and how sure it is.

Nothing is guessed silently: the words that the query does not explain are part of the result.
"""

from collections.abc import Sequence
from functools import cached_property

from rollcall.graph import Graph
from rollcall.query import Query, Value
from rollcall.systems.ask.forms import QueryCandidate, Understanding, Understood
from rollcall.systems.ask.growing import Functions, Grower
from rollcall.systems.ask.name_index import NameIndex
from rollcall.systems.ask.ranking import (
    SHOWN,
    SURETY_WEIGHTS,
    KindFit,
    LogLinear,
    Ranking,
    RelationLikeness,
    Reranker,
    explained,
    packaged_reranker,
    surety,
    surety_signals,
    unsaid,
)
from rollcall.systems.ask.reading import QuestionReader, QuestionReading
from rollcall.systems.ask.words import is_superlative
from rollcall.wording.ends import EndNouns
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.realise import Realiser

_READINGS = 2
_MOST_UNMET, _MOST_LEFT_OVER = 0.4, 0.49
"""The greatest surety of a query that leaves out a word which surely restricts the answers, has a relation of
which the question says nothing, or gives things for a date or a number; and of one that leaves out any word
that says something.
"""
_NOT_ASKED = -1.0
"""How well answers fit that are not of the class that is asked for."""
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
        proposed = [candidate for candidate in candidates if not _drops_words(candidate)]
        if not proposed:
            unknown = (
                _unexplained(reading, candidates[0])
                if candidates
                else reading.unexplained(reading.recognised, frozenset())
            )
            comparable = self._comparable(reading, unknown)
            return Understanding(question, (), 0.0, tuple(unknown), comparable, bool(candidates))
        if self._reranker is not None:
            proposed = self._reranker.ranked(
                reading, proposed, lambda candidate: self.words(candidate.query), self.name
            )
        best = proposed[0]
        signals = surety_signals(proposed)
        sure = self._reranker.surety(signals) if self._reranker else surety(signals, SURETY_WEIGHTS)
        left = _unexplained(reading, best)
        most_sure = self._most_sure(reading, best, left)
        return Understanding(
            question,
            tuple(proposed[:SHOWN]),
            min(sure, most_sure),
            tuple(left),
            self._comparable(reading, left),
            signals=tuple(signals),
            most_sure=most_sure,
        )

    def _most_sure(self, reading: QuestionReading, best: QueryCandidate, left: Sequence[str]) -> float:
        """The greatest surety of a query that is not all that the question says."""
        mask, nouns = _explained_words(reading, best), best.piece.nouns
        if reading.restricts(mask, nouns) or unsaid(best):
            return _MOST_UNMET
        asks_for_value = reading.kind.kind in ("date", "number") and not reading.kind.counts
        if asks_for_value and int(best.piece.terms[-1]) < self.graph.index.entity_count:
            return _MOST_UNMET
        return _MOST_LEFT_OVER if left else 1.0

    def _comparable(self, reading: QuestionReading, left: Sequence[str]) -> tuple[str, ...]:
        """What things can be compared by, if a superlative was not understood."""
        superlatives = {
            reading.question[word.start : word.end]
            for position, word in enumerate(reading.words)
            if is_superlative(reading.words, position)
        }
        if not superlatives & {*left}:
            return ()
        phrases = self._reader.phrases
        return tuple(sorted({phrases.labels[relation] for relation in phrases.measures}))

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
            understanding.comparable,
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


def _drops_words(candidate: QueryCandidate) -> bool:
    """Whether a candidate is all members of a class, or something else about all of them, while the question
    says more of them.
    """
    features, query = candidate.features, candidate.query
    of_all = not query.entities and bool(query.classes) and features["kind"] <= _NOT_ASKED
    return bool(features["left over"] and (features["class alone"] or of_all))


def _explained_words(reading: QuestionReading, candidate: QueryCandidate) -> int:
    return explained(reading, candidate.piece, candidate.features["kind"])


def _unexplained(reading: QuestionReading, candidate: QueryCandidate) -> list[str]:
    """The words that a candidate does not explain.

    Where other words name all its relations, light words beside them belong to these.
    """
    light = bool(candidate.features["unnamed relation"]) or not candidate.query.relations
    return reading.unexplained(_explained_words(reading, candidate), candidate.piece.nouns, light=light)


def _is_explained(candidate: QueryCandidate) -> bool:
    """Whether words of the question name all its relations, and no word is left over."""
    return not candidate.features["left over"] and not candidate.features["unnamed relation"]
