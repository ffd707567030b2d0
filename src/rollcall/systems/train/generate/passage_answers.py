"""The answers that single passages state, with scores: what PIG computes when evaluated and when reading.

First, one pass over all passages gives the probability that each states any answer. Only those above a floor
are written down. The score of an answer is the probability that its passage states any, times the mean
probability of the answer's tokens.
"""

from collections.abc import Sequence

import msgspec

from rollcall.questions.run import Passage
from rollcall.systems.read.kept_scores import ScoredAnswer
from rollcall.systems.train.generate.generator import Generator, Prompt
from rollcall.systems.train.generate.union import Union


class PassageReading(msgspec.Struct, frozen=True, kw_only=True):
    """How passages are read, one at a time; stored beside the weights."""

    input_tokens: int
    output_tokens: int
    floor: float = 0.05
    """The least probability that a passage states an answer for its answers to be written."""
    union: Union = Union()


class PassageAnswers:
    """Reads single passages."""

    def __init__(self, generator: Generator, reading: PassageReading, tokens: int) -> None:
        """`tokens` are computed at once."""
        self._generator, self._reading, self._tokens = generator, reading, tokens

    def scored(self, questions: Sequence[str], passages: Sequence[Passage]) -> list[list[ScoredAnswer]]:
        """The answers in each passage to its question."""
        prompts = passage_prompts(self._generator, questions, passages, self._reading.input_tokens)
        states = [1.0 - one for one in self._generator.end_chances(prompts, self._tokens)]
        chosen = [place for place, chance in enumerate(states) if chance >= self._reading.floor]
        written = self._generator.write(
            [prompts[place] for place in chosen], self._reading.output_tokens, self._tokens, nonempty=True
        )
        found: list[list[ScoredAnswer]] = [[] for _ in passages]
        for place, one in zip(chosen, written, strict=True):
            found[place] = [
                ScoredAnswer(answer.name, round(states[place] * answer.chance, 6))
                for answer in self._generator.targets.decode(one)
            ]
        return found

    def published(self, questions: Sequence[str], passages: Sequence[Passage]) -> list[list[ScoredAnswer]]:
        """What the network writes for every passage, which may be nothing, without a score of its own."""
        prompts = passage_prompts(self._generator, questions, passages, self._reading.input_tokens)
        written = self._generator.write(prompts, self._reading.output_tokens, self._tokens)
        return [
            [ScoredAnswer(answer.name, 1.0) for answer in self._generator.targets.decode(one)]
            for one in written
        ]


def passage_prompts(
    generator: Generator, questions: Sequence[str], passages: Sequence[Passage], limit: int
) -> list[Prompt]:
    """A prompt for each question with its passage."""
    heads = [f"question: {one}\n" for one in questions]
    return generator.prompts(heads, [[f"title: {one.title}\ntext: {one.text}"] for one in passages], limit)
