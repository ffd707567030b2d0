"""Scores sentences that name what a column of a list says, if the column stands for no relation of the graph.

Only the heading of such a column is known. A sentence that names the entry's value is accepted, with a higher
score if it has words of the heading. A small number occurs everywhere, so it counts only together with such a
word; so does a cell's word without its capital ("drama"), except in the sentence that says what the entry is.
"""

from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from rollcall.corpus.lists import parse_column
from rollcall.english.word_families import kindred
from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.values.matcher import wanted_value
from rollcall.evidence.verifiers.verifier import Verifier
from rollcall.mine.lists.words import words_of
from rollcall.query import Number

if TYPE_CHECKING:
    from numpy.typing import NDArray

UNHEADED = 0.5
"""The score of a sentence that has no word of the heading."""
_SMALL = Decimal(100)


class HeadingVerifier(Verifier):
    """Accepts every sentence that names the value: score 0.5 without the heading's words, 1 with all."""

    name = "heading"
    parallel = True

    def scores(self, candidates: Sequence[CandidateSentence]) -> "NDArray[np.float64]":
        """0.5, and the other half in proportion to the heading's words that are in the sentence."""
        return np.array([_score(candidate) for candidate in candidates], np.float64)


def _score(candidate: CandidateSentence) -> float:
    column = parse_column(candidate.relation)
    heading = words_of(column.header) if column else []
    met = kindred(heading, _words(candidate.text))
    share = sum(map(bool, met)) / len(met) if met else 0.0
    if not share and candidate.literal and (_is_small(candidate.object) or _is_in_passing(candidate)):
        return 0.0
    return UNHEADED + (1 - UNHEADED) * share


def _is_in_passing(candidate: CandidateSentence) -> bool:
    """Whether a sentence after the first has the words of a cell, but not its capital."""
    small = f'"{candidate.name}"'
    return candidate.sentence > 0 and candidate.object != small and candidate.object.lower() == small


@lru_cache(1 << 10)
def _words(text: str) -> frozenset[str]:
    return frozenset(words_of(text))


@lru_cache(1 << 10)
def _is_small(text: str) -> bool:
    """Whether a value is a whole number below 100 without a unit."""
    value = wanted_value(text)
    return (
        isinstance(value, Number)
        and value.unit is None
        and abs(value.amount) < _SMALL
        and value.amount == value.amount.to_integral_value()
    )
