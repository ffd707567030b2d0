"""What the systems have in common that learn to write the whole list of answers to a question.

They differ in how passages are read: joined to one text (`seq2seq`), fused in the decoder (`fid`), or not at
all (`closed-book`).
"""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import msgspec

from rollcall.systems.interfaces import Answers
from rollcall.systems.train.exercise import Exercise, LabelledPassage
from rollcall.systems.train.figures import figures
from rollcall.systems.train.generate.generator import GeneratorExample
from rollcall.systems.train.generate.lists import Layout, ListReading, ceilings, list_answers, list_prompts
from rollcall.systems.train.generate.trainable import GeneratorOptions, GeneratorTrainable, sampled
from rollcall.systems.train.options import Positive

if TYPE_CHECKING:
    from rollcall.systems.train.base import Base


class ListOptions(GeneratorOptions, frozen=True, kw_only=True):
    """How a system that writes whole lists is trained."""

    passages: Annotated[int, msgspec.Meta(ge=0)] = 10
    """How many passages are read for a question."""
    output_tokens: Positive = 256
    """The greatest length of a list of answers."""
    order: Literal["passage", "label", "random"] = "passage"
    """The order of the answers to write: by the first passage that proves or names each; by label; or drawn
    for each epoch."""
    proofs: bool = False
    """In training, read the passages of the evidence that were not retrieved, in place of the last ones."""
    most_answers: Positive | None = None
    """Learn from no question that has more answers than this."""
    beams: Positive = 1
    """How many lists a beam search follows; 1 takes the likeliest token each time."""


class ListTrainable(GeneratorTrainable):
    """A system that writes whole lists of answers."""

    layout: ClassVar[Layout]
    options: ListOptions

    def __init__(self, options: ListOptions, base: "Base") -> None:
        super().__init__(options, base)
        self.reading = ListReading(
            layout=self.layout,
            passages=options.passages,
            input_tokens=options.input_tokens,
            output_tokens=options.output_tokens,
            beams=options.beams,
        )

    def examples(self, exercises: Sequence[Exercise], seed: int) -> list[GeneratorExample]:
        draw = random.Random(seed)
        most = self.options.most_answers
        chosen = [one for one in exercises if one.answers and (most is None or len(one.answers) <= most)]
        contexts = [self._context(one, draw) for one in chosen]
        prompts = list_prompts(
            self.generator,
            [one.question for one in chosen],
            [[passage.passage for passage in these] for these in contexts],
            self.reading,
        )
        targets = [
            self.generator.targets.encode(self._ordered(one, these, draw), self.options.output_tokens)
            for one, these in zip(chosen, contexts, strict=True)
        ]
        return [GeneratorExample(*pair) for pair in zip(prompts, targets, strict=True)]

    def evaluate(self, exercises: Sequence[Exercise]) -> dict[str, float]:
        some = sampled(exercises, self.options.dev_questions)
        passages = [[passage.passage for passage in one.passages] for one in some]
        questions = [one.question for one in some]
        found = list_answers(self.generator, questions, passages, self.reading, self.reading_tokens)
        answers: list[Answers] = [list(these) for these in found]
        return {**figures(answers, some), **ceilings(self.generator, some, self.reading)}

    def save(self, folder: Path, exercises: Sequence[Exercise]) -> None:
        limits = ceilings(self.generator, exercises, self.reading)
        self.save_network(folder, msgspec.structs.replace(self.reading, ceilings=limits))

    def _context(self, exercise: Exercise, draw: random.Random) -> list[LabelledPassage]:
        """The passages that are read with a question in training."""
        number = self.options.passages
        added = exercise.proofs[:number] if self.options.proofs else []
        read = exercise.passages[: number - len(added)]
        for one in added:
            read.insert(draw.randrange(len(read) + 1), one)
        return read

    def _ordered(
        self, exercise: Exercise, passages: Sequence[LabelledPassage], draw: random.Random
    ) -> list[str]:
        """The labels of all answers, in the order in which they are to be written."""
        labels = list(dict.fromkeys(one.label for one in exercise.answers))
        if self.options.order == "label":
            return sorted(labels)
        if self.options.order == "random":
            return draw.sample(labels, len(labels))
        places = [place for one in passages for place in sorted(one.proves)]
        places += [place for one in passages for place in one.names]
        first = dict.fromkeys(exercise.answers[place].label for place in places)
        return list(first | dict.fromkeys(labels))
