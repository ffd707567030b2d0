"""Finds the answers of chained questions in what is said about the things that the question describes.

First the things are scored as answers to a question of their own. Then everything on their pages, or beside
their names (an entity, a date, a number), is scored by the probability of the thing, and by the question's
words in the sentence.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rollcall.graph.graph import Graph
from rollcall.systems.read.question_words import Further, Kind, QuestionWords
from rollcall.systems.read.support import (
    PossibleAnswer,
    ReadPassage,
    ReadSentence,
    class_fit,
    strength,
    suits,
)
from rollcall.text.words import ANY_MONTH

CHAIN_FEATURES = (
    "stated of a thing",
    "near a thing",
    "things",
    "of the class",
    "of other classes",
    "stated and of the class",
)

_DATE = re.compile(
    rf"\b\d{{1,2}} (?:{ANY_MONTH}) \d{{3,4}}\b|\b(?:{ANY_MONTH}) (?:\d{{1,2}}, )?\d{{3,4}}\b"
    r"|\b\d{3,4}\b(?: BC)?|\bAD \d{1,3}\b"
)
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?: (?:[^\W\d_]+²?|m³))?")


@dataclass
class _BestValues:
    """The best values so far for one answer."""

    stated: float = 0.0
    near: float = 0.0
    things: float = 0.0


def chained(
    graph: Graph, further: Further, passages: Sequence[ReadPassage], chances: Mapping[int, float]
) -> list[PossibleAnswer]:
    """The answers said about the things; `chances` gives the probability of each thing."""
    best: dict[int | str, _BestValues] = {}
    for passage in passages:
        seen: dict[int | str, float] = {}
        for sentence in passage.sentences:
            tie = strength(further.cues, sentence.cues)
            # A page of an entity is about it; elsewhere a sentence is about what it names.
            named = sentence.entities if passage.owner is None else {passage.owner}
            things = sorted(((chances.get(entity, 0.0), entity) for entity in named), reverse=True)[:2]
            for answer in _answers(sentence, further, passage.owner):
                chance = max((chance for chance, thing in things if thing != answer), default=0.0)
                if isinstance(answer, int):
                    # A list of things names them side by side, but they are not what is asked for.
                    chance *= 1.0 - chances.get(answer, 0.0)
                if chance <= 0.01:
                    continue
                values = best.setdefault(answer, _BestValues())
                values.stated = max(values.stated, chance * tie)
                values.near = max(values.near, chance)
                seen[answer] = max(seen.get(answer, 0.0), chance)
        for answer, chance in seen.items():
            best[answer].things += chance
    asked = QuestionWords((), further.classes, further.cues)
    return [
        PossibleAnswer(answer, _features(graph, answer, values, further))
        for answer, values in sorted(best.items(), key=lambda pair: (isinstance(pair[0], str), str(pair[0])))
        if isinstance(answer, str) or suits(graph, answer, asked)
    ]


def _answers(sentence: ReadSentence, further: Further, owner: int | None) -> Iterable[int | str]:
    if further.kind != "entity":
        return values_of(sentence.text, further.kind)
    return (entity for entity in sentence.entities if entity != owner)


def values_of(text: str, kind: Kind) -> list[str]:
    """The dates or numbers in a text."""
    values: list[str] = (_DATE if kind == "date" else _NUMBER).findall(text)
    return values


def _features(graph: Graph, answer: int | str, values: _BestValues, further: Further) -> tuple[float, ...]:
    fit = class_fit(graph, answer, further.classes) if isinstance(answer, int) else 0.0
    fits, others = float(fit > 0), float(fit < 0)
    return values.stated, values.near, math.log1p(values.things), fits, others, fits * values.stated
