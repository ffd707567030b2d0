"""Examples for a dense retriever: a question, a passage that proves an answer, and hard negatives.

Every other passage of a step is a negative too, unless it proves or names an answer of the question: then it
is left out, because nobody knows that it is wrong.
"""

import random
from collections.abc import Sequence
from typing import NamedTuple

from rollcall.english.folding import fold
from rollcall.systems.train.dpr.options import DprOptions
from rollcall.systems.train.exercise import Exercise, LabelledPassage


class PassageExample(NamedTuple):
    """An encoded passage."""

    key: str
    tokens: list[int]
    answers: frozenset[str]
    """What it names or proves of the answers of the question that it was drawn for."""


class PairExample(NamedTuple):
    """An encoded question with its passages, the positive one first."""

    question: list[int]
    passages: list[PassageExample]
    right: frozenset[str]
    """The keys of all passages that are known to prove or name one of its answers."""
    answers: frozenset[str]


class Drawn(NamedTuple):
    """An example before its texts are encoded."""

    exercise: Exercise
    passages: list[LabelledPassage]
    right: frozenset[str]


def draw(exercises: Sequence[Exercise], options: DprOptions, seed: int) -> list[Drawn]:
    """The examples of an epoch; a question that no passage proves an answer of gives none."""
    chance = random.Random(seed)
    found = []
    for exercise in exercises:
        known = [*exercise.passages, *exercise.proofs]
        positives = [one for one in known if one.proves]
        if options.positives and len(positives) > options.positives:
            positives = chance.sample(positives, options.positives)
        hard = [one for one in exercise.passages if not one.proves and not one.names][: options.depth]
        right = frozenset(key_of(one) for one in known if one.proves or one.names)
        for positive in positives:
            negatives = chance.sample(hard, min(options.negatives, len(hard)))
            found.append(Drawn(exercise, [positive, *negatives], right))
    return found


def left_out(examples: Sequence[PairExample]) -> list[tuple[int, int]]:
    """Pairs of a question and a passage of the step that is neither its positive nor one of its negatives.

    Passages are numbered over all examples.
    """
    passages = [one for example in examples for one in example.passages]
    by_key: dict[str, list[int]] = {}
    by_answer: dict[str, list[int]] = {}
    for number, passage in enumerate(passages):
        by_key.setdefault(passage.key, []).append(number)
        for answer in passage.answers:
            by_answer.setdefault(answer, []).append(number)
    found: set[tuple[int, int]] = set()
    target = 0
    for place, example in enumerate(examples):
        same = [number for key in example.right & by_key.keys() for number in by_key[key]]
        same += [number for answer in example.answers & by_answer.keys() for number in by_answer[answer]]
        found |= {(place, number) for number in same if number != target}
        target += len(example.passages)
    return sorted(found)


def answer_keys(exercise: Exercise) -> list[str]:
    """What identifies each answer in other questions."""
    return [answer.id or fold(answer.label) for answer in exercise.answers]


def key_of(passage: LabelledPassage) -> str:
    """What identifies a passage in other questions."""
    return passage.id or passage.text


def text_of(passage: LabelledPassage) -> str:
    """A passage as an index has it."""
    return f"{passage.title} {passage.text}"
