"""`pig`: learns to write the answers that one passage states, or that there are none (QAMPARI's generator).

Each passage is learned separately. A passage that proves answers should give them; as many passages that
name no answer should give the empty list, drawn again for each epoch. A passage that names an answer without
proving it is not learned from: it may state the answer in a way that the evidence missed.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import msgspec

from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Answers
from rollcall.systems.read.trained_reader import ScoredAnswer
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.generate.generator import Generator, GeneratorItem, Prompt
from rollcall.systems.train.generate.trainable import GeneratorOptions, GeneratorTrainable, sampled
from rollcall.systems.train.lists import Union, best_union, final_answers
from rollcall.systems.train.selection import figures
from rollcall.systems.train.trainable import Positive, Share
from rollcall.systems.train.training_example import LabelledPassage, TrainingExample
from rollcall.text.names import whole_words

if TYPE_CHECKING:
    from rollcall.systems.train.base import BaseCheckpoint


# The answers that single passages state, with scores: what PIG computes when evaluated and when reading.
# First, one pass over all passages gives the probability that each states any answer. Only those above a
# floor are written down. The score of an answer is the probability that its passage states any, times
# the mean probability of the answer's tokens.


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
        states = [1.0 - end_chance for end_chance in self._generator.end_chances(prompts, self._tokens)]
        chosen = [index for index, chance in enumerate(states) if chance >= self._reading.floor]
        written = self._generator.write(
            [prompts[index] for index in chosen], self._reading.output_tokens, self._tokens, nonempty=True
        )
        answers: list[list[ScoredAnswer]] = [[] for _ in passages]
        for index, output in zip(chosen, written, strict=True):
            answers[index] = [
                ScoredAnswer(answer.name, round(states[index] * answer.chance, 6))
                for answer in self._generator.targets.decode(output)
            ]
        return answers

    def published(self, questions: Sequence[str], passages: Sequence[Passage]) -> list[list[ScoredAnswer]]:
        """What the network writes for every passage, which may be nothing, without a score of its own."""
        prompts = passage_prompts(self._generator, questions, passages, self._reading.input_tokens)
        written = self._generator.write(prompts, self._reading.output_tokens, self._tokens)
        return [
            [ScoredAnswer(answer.name, 1.0) for answer in self._generator.targets.decode(output)]
            for output in written
        ]


def passage_prompts(
    generator: Generator, questions: Sequence[str], passages: Sequence[Passage], limit: int
) -> list[Prompt]:
    """A prompt for each question with its passage."""
    heads = [f"question: {question}\n" for question in questions]
    return generator.prompts(
        heads, [[f"title: {passage.title}\ntext: {passage.text}"] for passage in passages], limit
    )


class PigOptions(GeneratorOptions, frozen=True, kw_only=True):
    """How `pig` is trained."""

    negatives: Annotated[float, msgspec.Meta(ge=0)] = 1.0
    """The number of passages without answers for each passage with answers."""
    partial: Literal["answer", "skip", "none"] = "answer"
    """What to learn from a passage that states only some of an answer's facts: that it gives the answer, as
    in the publication; nothing; or that it gives none."""
    dev_passages: Positive = 50
    """How many passages of each question an evaluation reads."""
    floor: Share = 0.05
    """When reading: the least probability that a passage states an answer for its answers to be written."""


class _Learned(msgspec.Struct):
    """What an example teaches: passages with the names to write, and passages for which to write none."""

    positive: list[tuple[LabelledPassage, list[str]]]
    negative: list[LabelledPassage]
    without: list[LabelledPassage]
    """Passages that should always give none."""


@TRAINABLES.register("pig")
class Pig(GeneratorTrainable):
    """Reads one passage at a time and writes the answers that it states, or that there are none."""

    Options = PigOptions
    presets: ClassVar = {
        "qampari": {
            "learning_rate": 1e-6,
            "steps": 60_000,
            "batch": 32,
            "negatives": 1.0,
            "partial": "answer",
            "input_tokens": 384,
            "output_tokens": 30,
        }
    }
    options: PigOptions

    def __init__(self, options: PigOptions, base: "BaseCheckpoint") -> None:
        super().__init__(options, base)
        self._seen: dict[int, tuple[TrainingExample, _Learned]] = {}

    def encode_examples(self, examples: Sequence[TrainingExample], seed: int) -> list[GeneratorItem]:
        draw = random.Random(seed)
        questions: list[str] = []
        passages: list[LabelledPassage] = []
        names: list[list[str]] = []
        for example in examples:
            learned = self._learned(example)
            number = round(self.options.negatives * len(learned.positive))
            drawn = draw.sample(learned.negative, min(number, len(learned.negative)))
            pairs = [*learned.positive, *((passage, []) for passage in (*learned.without, *drawn))]
            for passage, passage_names in pairs:
                questions.append(example.question)
                passages.append(passage)
                names.append(passage_names)
        prompts = passage_prompts(
            self.generator, questions, [passage.passage for passage in passages], self.options.input_tokens
        )
        targets = (
            self.generator.targets.encode(passage_names, self.options.output_tokens)
            for passage_names in names
        )
        return [GeneratorItem(*pair) for pair in zip(prompts, targets, strict=True)]

    def evaluate(self, examples: Sequence[TrainingExample]) -> dict[str, float]:
        """By the threshold that is best on these training examples."""
        sample = sampled(examples, self.options.dev_questions)
        scores = self._scores(sample, self.options.dev_passages)
        union = best_union(sample, scores)
        answers: list[Answers] = [list(final_answers(passage_scores, union)) for passage_scores in scores]
        return {**figures(answers, sample), "threshold": union.threshold}

    def save(self, folder: Path, examples: Sequence[TrainingExample]) -> None:
        sample = sampled(examples, self.options.dev_questions)
        union = best_union(sample, self._scores(sample, None)) if sample else Union()
        self.save_network(folder, msgspec.structs.replace(self._reading, union=union))

    @property
    def _reading(self) -> PassageReading:
        options = self.options
        return PassageReading(
            input_tokens=options.input_tokens, output_tokens=options.output_tokens, floor=options.floor
        )

    def _scores(
        self, examples: Sequence[TrainingExample], number: int | None
    ) -> list[list[list[ScoredAnswer]]]:
        """The answers in the first passages of each training example."""
        lists = [[passage.passage for passage in example.passages[:number]] for example in examples]
        questions = [
            example.question for example, passages in zip(examples, lists, strict=True) for _ in passages
        ]
        reader = PassageAnswers(self.generator, self._reading, self.reading_tokens)
        scored = iter(reader.scored(questions, [passage for passages in lists for passage in passages]))
        return [[next(scored) for _ in passages] for passages in lists]

    def _learned(self, example: TrainingExample) -> _Learned:
        """What a training example teaches, found once for all epochs.

        The training example is kept with it, since `id` may give the same number to another one later.
        """
        if id(example) not in self._seen:
            self._seen[id(example)] = example, _learned(example, self.options.partial)
        return self._seen[id(example)][1]


def _learned(example: TrainingExample, partial: Literal["answer", "skip", "none"]) -> _Learned:
    learned = _Learned([], [], [])
    for passage in (*example.passages, *example.proofs):
        indices = sorted(passage.proves) if partial == "answer" else passage.proved
        if indices:
            learned.positive.append((passage, names_in(example, passage, indices)))
        elif passage.proves:
            if partial == "none":
                learned.without.append(passage)
        elif not passage.names:
            learned.negative.append(passage)
    return learned


def names_in(example: TrainingExample, passage: LabelledPassage, indices: Sequence[int]) -> list[str]:
    """The names to write for some answers, in the order in which the passage has them.

    An answer is called by its label if the passage does so; otherwise by the longest of its names there.
    """
    text = f"{passage.title}\n{passage.text}".casefold()

    def positioned() -> Iterator[tuple[int, int, str]]:
        for index in indices:
            answer = example.answers[index]
            places = {
                name: next(whole_words(text, name.casefold()), None)
                for name in (answer.label, *answer.aliases)
            }
            here = [name for name, place in places.items() if place is not None]
            name = answer.label if answer.label in here or not here else max(here, key=len)
            place = places[name]
            yield (place[0] if place is not None else len(text)), index, name

    return [name for _, _, name in sorted(positioned())]
