"""Passages with linked mentions as tokens: title and text, and the first and last tokens of each mention.

A passage is prepared once and kept, because it is the same for every question and in every epoch.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rollcall.systems.read.linking import LinkedMention
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.token_inputs import Numbers, TokenInputs

_MOST_KEPT = 200_000


class MentionReading(NamedTuple):
    """A passage that is read for a question, with its mentions."""

    question: str
    title: str
    text: str
    mentions: Sequence[LinkedMention]


class PassageTokens(NamedTuple):
    """The tokens of title and text, with a mark between them, and the first and last tokens of mentions."""

    mentions: Sequence[LinkedMention]
    ids: Numbers
    first: Numbers
    last: Numbers
    places: Numbers
    """The places of these mentions among all mentions of the passage."""


class KeptPassages:
    """Prepared passages, by their texts."""

    def __init__(self, inputs: TokenInputs) -> None:
        self._inputs = inputs
        self._known: dict[tuple[str, str], PassageTokens] = {}

    def of(self, reading: MentionReading) -> PassageTokens:
        """The tokens of the passage that is read."""
        key = (reading.title, reading.text)
        known = self._known.get(key)
        if known is None or known.mentions != reading.mentions:
            if len(self._known) > _MOST_KEPT:
                self._known.clear()
            known = self._known[key] = self._prepared(reading)
        return known

    def _prepared(self, reading: MentionReading) -> PassageTokens:
        title, text = self._inputs.of(reading.title), self._inputs.of(reading.text)
        within = min(len(title.ids), self._inputs.tokens // 4)
        parts = (("title", title, 0, within), ("text", text, within + 1, len(text.ids)))
        first, last, places = [], [], []
        for where, tokens, shift, end in parts:
            numbers = [number for number, one in enumerate(reading.mentions) if one.where == where]
            these = [reading.mentions[number] for number in numbers]
            begins, ends = tokens.spans([one.start for one in these], [one.end for one in these])
            kept = ends < end
            first.append(begins[kept] + shift)
            last.append(ends[kept] + shift)
            places.append(np.array(numbers, np.int32)[kept])
        ids = np.concatenate([title.ids[:within], self._inputs.end, text.ids])
        return PassageTokens(
            reading.mentions, ids, np.concatenate(first), np.concatenate(last), np.concatenate(places)
        )


def readings_of(exercises: Sequence[Exercise]) -> list[MentionReading]:
    """All retrieved passages of exercises, each read for its question."""
    return [
        MentionReading(exercise.question, one.title, one.text, one.mentions)
        for exercise in exercises
        for one in exercise.passages
    ]
