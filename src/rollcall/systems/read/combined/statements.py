"""How surely the passages state what a question asks of each possible answer, as features.

Every condition of the question is judged by itself: the surest sentence that ties the answer to its name
counts. Of a chained question, the surest sentence about one of its things counts, as far as that is one.
"""

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np

from rollcall.systems.read.combined.statement_places import chained_places, direct_places, named
from rollcall.systems.read.combined.statement_weights import Statements, StatementWeights
from rollcall.systems.read.combined.table import Table
from rollcall.systems.read.passage_sentences import ReadPassage
from rollcall.systems.read.question_words import Further, QuestionWords

_DIRECT = ("stated", "least stated", "stated on its page", "sentences that state it")
_CHAINED = ("stated of a likely thing", "stated of a thing", "stated of any thing")
_ALL = (
    *_DIRECT,
    "stated beside the best",
    "least stated beside the best",
    "known words",
    *_CHAINED,
    "stated of any thing beside the best",
    "known words of the chain",
)
_KINDS = ("worlds", "pages")
STATEMENTS = tuple(f"{kind}: {one}" for kind in _KINDS for one in _ALL)
ON_PAGE = tuple(f"{kind}: {one}" for kind in _KINDS for one in ("on its own page", "least on its own page"))
_LIKELY = 0.02
"""Things that are less likely are not looked at."""

_Rows: TypeAlias = dict[int | str, tuple[float, ...]]


class Stated:
    """What is stated of the possible answers to one question."""

    def __init__(self, statements: Statements) -> None:
        self._all = statements.all
        self._direct: list[_Rows] = [{} for _ in self._all]
        self._chained: list[_Rows] = [{} for _ in self._all]
        self._known = [0.0 for _ in self._all]
        self._known_chain = [0.0 for _ in self._all]
        self.told: dict[int | str, frozenset[str]] = {}
        """The words of the sentence that is likeliest to state each answer."""

    def read(self, words: QuestionWords, passages: Sequence[ReadPassage]) -> None:
        """Read what ties entities to the names of a question."""
        if words.anchors:
            self._direct = _direct(self._all, words, passages, self.told)
            self._known = [sum(map(one.known, words.phrases)) / len(words.phrases) for one in self._all]

    def read_chain(
        self, further: Further, passages: Sequence[ReadPassage], things: Mapping[int, float]
    ) -> None:
        """Read what is said of the things of a chained question."""
        likely = {one: value for one, value in things.items() if value >= _LIKELY}
        self.told.clear()
        self._chained = _chained(self._all, further, passages, likely, self.told)
        self._known_chain = [one.known(further.cues) for one in self._all]

    def rows(self, answers: Sequence[int | str]) -> Table:
        """A row for each possible answer."""
        parts = [self._rows(answers, number) for number in range(len(self._all))]
        return np.concatenate(parts, axis=1)

    def _rows(self, answers: Sequence[int | str], number: int) -> Table:
        none, no_chain = (0.0,) * len(_DIRECT), (0.0,) * len(_CHAINED)
        direct = [self._direct[number].get(one, none) for one in answers]
        linked = [self._chained[number].get(one, no_chain) for one in answers]
        best, least = (max((row[place] for row in direct), default=0.0) or 1.0 for place in (0, 1))
        surest = max((row[2] for row in linked), default=0.0) or 1.0
        known, known_chain = self._known[number], self._known_chain[number]
        return np.array(
            [
                (*row, row[0] / best, row[1] / least, known, *link, link[2] / surest, known_chain)
                for row, link in zip(direct, linked, strict=True)
            ]
        ).reshape(len(answers), len(_ALL))


def stated_on_page(
    statements: Statements, words: QuestionWords, page: Sequence[ReadPassage], answer: int
) -> tuple[float, ...]:
    """What its own page states of an answer."""
    if not words.anchors:
        return (0.0,) * len(ON_PAGE)
    found = _direct(statements.all, words, page, {})
    return tuple(value for rows in found for value in rows.get(answer, (0.0, 0.0))[:2])


def _direct(
    weights: Sequence[StatementWeights],
    words: QuestionWords,
    passages: Sequence[ReadPassage],
    told: dict[int | str, frozenset[str]],
) -> list[_Rows]:
    """For each kind of weights, the rows of the entities that are tied to names of the question."""
    surest: dict[int | str, float] = {}
    merged = [[one.merged(phrase) for phrase in words.phrases] for one in weights]
    names = [named(one) for one in words.anchors]
    best: list[dict[int | str, list[float]]] = [{} for _ in weights]
    own: list[dict[int | str, list[float]]] = [{} for _ in weights]
    sums: list[dict[int | str, float]] = [{} for _ in weights]
    for place in direct_places(names, passages):
        values = [phrases[place.other].chance(place.tokens) for phrases in merged]
        if sum(values) > surest.get(place.answer, 0.0):
            surest[place.answer], told[place.answer] = sum(values), place.tokens
        for number, value in enumerate(values):
            for table in (best[number], own[number]) if place.own else (best[number],):
                row = table.setdefault(place.answer, [0.0] * len(names))
                row[place.other] = max(row[place.other], value)
            sums[number][place.answer] = sums[number].get(place.answer, 0.0) + value
    return [
        {
            one: (_mean(row), min(row), _mean(mine.get(one, [0.0])), math.log1p(total[one]))
            for one, row in rows.items()
        }
        for rows, mine, total in zip(best, own, sums, strict=True)
    ]


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _chained(
    weights: Sequence[StatementWeights],
    further: Further,
    passages: Sequence[ReadPassage],
    things: Mapping[int, float],
    told: dict[int | str, frozenset[str]],
) -> list[_Rows]:
    """For each kind of weights, the rows of what is said about the things."""
    merged = [one.merged(further.cues) for one in weights]
    pairs: list[dict[tuple[int | str, int], float]] = [{} for _ in weights]
    surest: dict[int | str, float] = {}
    for place in chained_places(further, passages, things):
        key = place.answer, place.other
        values = [phrase.chance(place.tokens) for phrase in merged]
        likely = things[place.other] * sum(values)
        if likely > surest.get(place.answer, 0.0):
            surest[place.answer], told[place.answer] = likely, place.tokens
        for number, value in enumerate(values):
            pairs[number][key] = max(pairs[number].get(key, 0.0), value)
    return [_over_things(one, things) for one in pairs]


def _over_things(pairs: Mapping[tuple[int | str, int], float], things: Mapping[int, float]) -> _Rows:
    found: dict[int | str, tuple[float, ...]] = {}
    for (answer, thing), value in sorted(pairs.items(), key=lambda pair: (str(pair[0][0]), pair[0][1])):
        # A list of things names them side by side, but they are not what is asked for.
        free = 1.0 - things.get(answer, 0.0) if isinstance(answer, int) else 1.0
        likely = things[thing] * value * free
        first, second, third = found.get(answer, (0.0, 0.0, 0.0))
        found[answer] = max(first, likely), max(second, value), 1.0 - (1.0 - third) * (1.0 - likely)
    return found
