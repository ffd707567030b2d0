"""Whole lists of answers: prompts with passages that are joined, fused or left out, and what is written.

`joined` is one text of the question and its passages; `fused` reads each passage with the question by itself;
`none` is closed-book. What a list can hold is limited, and so is what the passages name: `ceilings` says
which recall the limits allow.
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec

from rollcall.questions.run import Passage
from rollcall.score.name_keys import name_keys
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.generate.generator import Generator, Prompt

Layout: TypeAlias = Literal["joined", "fused", "none"]


class ListReading(msgspec.Struct, frozen=True, kw_only=True):
    """How questions are answered with whole lists; stored beside the weights."""

    layout: Layout
    passages: int
    """How many passages are read."""
    input_tokens: int
    """The greatest length of a prompt or, with `fused`, of each of its pieces."""
    output_tokens: int
    beams: int = 1
    ceilings: dict[str, float] = {}
    """The greatest recall on dev that the limits allow."""


def list_prompts(
    generator: Generator,
    questions: Sequence[str],
    passages: Sequence[Sequence[Passage]],
    reading: ListReading,
) -> list[Prompt]:
    """The prompt of each question."""
    heads = [f"question: {one}\n" for one in questions]
    bodies = [_bodies(these[: reading.passages], reading.layout) for these in passages]
    return generator.prompts(heads, bodies, reading.input_tokens)


def _bodies(passages: Sequence[Passage], layout: Layout) -> list[str]:
    texts = [f"title: {one.title}\ntext: {one.text}" for one in passages]
    if layout == "none" or not texts:
        return []
    return ["\n".join(texts)] if layout == "joined" else texts


def list_answers(
    generator: Generator,
    questions: Sequence[str],
    passages: Sequence[Sequence[Passage]],
    reading: ListReading,
    tokens: int,
) -> list[list[str]]:
    """The answers to each question, in the order in which they were written; each name once."""
    prompts = list_prompts(generator, questions, passages, reading)
    written = generator.write(prompts, reading.output_tokens, tokens, beams=reading.beams)
    return [_distinct([one.name for one in generator.targets.decode(these)]) for these in written]


def ceilings(generator: Generator, exercises: Sequence[Exercise], reading: ListReading) -> dict[str, float]:
    """The greatest mean recall that the length of a list allows, and that the passages allow."""
    fitting, named = [], []
    for exercise in exercises:
        labels = [one.label for one in exercise.answers]
        if not labels:
            continue
        fitting.append(generator.targets.fitting(labels, reading.output_tokens) / len(labels))
        found = {place for one in exercise.passages[: reading.passages] for place in one.names}
        named.append(len(found) / len(labels))
    figures = {"output ceiling": fitting}
    if reading.layout != "none":
        figures["passage ceiling"] = named
    return {name: sum(shares) / len(shares) for name, shares in figures.items() if shares}


def _distinct(names: Sequence[str]) -> list[str]:
    found: dict[bytes, str] = {}
    for key, name in zip(name_keys(names), names, strict=True):
        found.setdefault(key, name)
    return list(found.values())
