"""What the mention scorer is given: question, title and text as tokens, with the places of the mentions.

It needs a tokeniser and no network, so that training and a packaged network read the same.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rollcall.systems.train.passage_tokens import KeptPassages, MentionReading, PassageTokens
from rollcall.systems.train.token_inputs import Numbers, TokenInput, TokenInputs


class MentionInput(NamedTuple):
    """An input, and the first and last tokens of those mentions that are within it."""

    tokens: TokenInput
    first: Numbers
    last: Numbers
    mentions: Numbers
    """The places of these mentions among all mentions of the passage."""


class MentionInputs:
    """Makes inputs of passages that are read for questions."""

    def __init__(self, inputs: TokenInputs, passages: KeptPassages | None = None) -> None:
        self._inputs, self._passages = inputs, passages or KeptPassages(inputs)

    def encoded(self, readings: Sequence[MentionReading]) -> list[MentionInput]:
        """Readings as inputs."""
        self._inputs.prepare(text for one in readings for text in (one.question, one.title, one.text))
        every = {one.question for one in readings}
        questions = {question: self._inputs.joined(question, "").ids[:-1] for question in every}
        return [self._encoded(questions[one.question], self._passages.of(one)) for one in readings]

    def _encoded(self, question: Numbers, passage: PassageTokens) -> MentionInput:
        room = self._inputs.tokens - len(question) - 1
        ids = np.concatenate([question, passage.ids[:room], self._inputs.end])
        kept = passage.last < len(ids) - len(question) - 1
        first, last = passage.first[kept] + len(question), passage.last[kept] + len(question)
        return MentionInput(TokenInput(ids, (1, len(question))), first, last, passage.places[kept])


def by_entity(reading: MentionReading, places: Numbers, scores: Sequence[float]) -> dict[str, float]:
    """The greatest score of each entity that a mention may mean; `places` are those of the mentions."""
    found: dict[str, float] = {}
    for place, score in zip(places, scores, strict=True):
        for entity in reading.mentions[place].entities:
            found[entity] = max(found.get(entity, 0.0), score)
    return found
