"""Makes the readings that `ask` learns from: each question in several wordings, with its candidate queries.

People's words are seldom those of the lexicon. So a wording is read, by chance, with the lexicon, with half
of its entries, or with none, when labels are all that is known of relations: what is learned is to tell
readings apart where the words do not match.
"""

import random
from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec

from rollcall.errors import RollcallError
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.questions.record import Question
from rollcall.systems.ask.asker import Asker
from rollcall.systems.ask.features import FEATURES
from rollcall.systems.ask.pairs import pair_of
from rollcall.systems.train.as_typed import as_typed
from rollcall.systems.train.exercise import Exercise, QueryReading
from rollcall.wording.ends import EndNouns
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.realise import Realiser

_KNOWN, _HALF = 0.4, 0.7
"""Below the first, a wording is read with the whole lexicon; below the second with half of it."""


class QueryReadings:
    """Makes readings over one graph."""

    def __init__(self, graph: Graph, variants: int, typed: float, seed: int) -> None:
        self._graph, self._variants, self._typed, self._seed = graph, variants, typed, seed
        self._lexicon = Lexicon.load()
        draw = random.Random(seed)
        kept = {id_: self._lexicon.entry(id_) for id_ in self._lexicon.relations() if draw.random() < 0.5}
        self._askers = [
            Asker(graph, lexicon=lexicon, rerank=False)
            for lexicon in (self._lexicon, Lexicon(kept), Lexicon({}))
        ]

    def completed(self, exercise: Exercise, question: Question) -> Iterator[Exercise]:
        """The exercise of a question once for each of its wordings, with the readings of the wording."""
        gold = self._gold(question)
        draw = random.Random(f"{self._seed} {question.id}")
        wordings = self._wordings(exercise.question, question)
        for number in range(self._variants):
            wording = wordings[number % len(wordings)]
            if draw.random() < self._typed or number >= len(wordings):
                wording = as_typed(wording, draw)
            known = draw.random()
            asker = self._askers[0 if known < _KNOWN else 1 if known < _HALF else 2]
            yield msgspec.structs.replace(
                exercise,
                id=f"{exercise.id}/{number}",
                question=wording,
                readings=self._readings(asker, wording, gold),
            )

    def _wordings(self, asked: str, question: Question) -> list[str]:
        """All wordings of a question: its own, and those that its query may have."""
        found = [asked, *question.wordings]
        if question.query is not None and question.query.text:
            try:
                word = self._realiser.word(Query.parse(question.query.text))
                found += [word.question, *word.alternatives]
            except RollcallError:  # a query that cannot be said
                pass
        return list(dict.fromkeys(text for text in found if text))

    @cached_property
    def _realiser(self) -> Realiser:
        return Realiser(self._graph, self._lexicon, ends=EndNouns(self._graph))

    def _gold(self, question: Question) -> frozenset[str]:
        if question.query is not None and question.query.text:
            try:
                return _keys(self._graph, Query.parse(question.query.text))
            except RollcallError:  # a query over lists of a corpus, which no graph can answer
                pass
        return frozenset(one.id or one.label for one in question.answers)

    def _readings(self, asker: Asker, wording: str, gold: frozenset[str]) -> list[QueryReading]:
        reading, candidates = asker.candidates(wording)
        groups: dict[frozenset[str], int] = {}
        found = []
        for one in candidates:
            pair = pair_of(reading, one, asker.words(one.query), asker.name)
            answers = _keys(self._graph, one.query)
            found.append(
                QueryReading(
                    pair.question,
                    pair.wording,
                    [round(one.features[name], 4) for name in FEATURES],
                    groups.setdefault(answers, len(groups)),
                    answers == gold,
                )
            )
        return found


def _keys(graph: Graph, query: Query) -> frozenset[str]:
    """The answers of a query as texts."""
    return frozenset(str(one) for one in graph.answers(query))


def with_readings(readings: Sequence[QueryReading]) -> bool:
    """Whether there is anything to choose: a right reading beside a wrong one."""
    return len({one.is_right for one in readings}) == 2
