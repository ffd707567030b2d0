"""The systems that learn to write lists of answers: `fid`, `seq2seq`, `closed-book` and `pig`.

- `ListTrainable`: learns to write all answers from many passages. `Fid` reads each separately and fuses them
  while writing. With an encoder–decoder this is Fusion-in-Decoder. With a causal model the passages are read
  side by side: each attends to the question and to itself, and the list to all of them.
- `united`, `best_union`: the answers of all passages as one list.
- `Pig`: learns to write the answers that one passage states, or that there are none. `PassageAnswers`: these
  answers with scores.
"""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, TypeAlias

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.questions.run import Passage
from rollcall.score.match import name_keys
from rollcall.systems.interfaces import Answers
from rollcall.systems.read.trained_reader import ScoredAnswer
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.generate.generator import Generator, GeneratorItem, Prompt
from rollcall.systems.train.generate.trainable import GeneratorOptions, GeneratorTrainable, sampled
from rollcall.systems.train.selection import (
    Combination,
    ScoredQuestion,
    best_combination,
    figures,
    judged,
    over_passages,
)
from rollcall.systems.train.trainable import Positive, Share
from rollcall.systems.train.training_example import LabelledPassage, TrainingExample
from rollcall.text.names import whole_words

if TYPE_CHECKING:
    from rollcall.systems.train.base import BaseCheckpoint


# Whole lists of answers: prompts with passages that are joined, fused or left out, and what is written.
# `joined` is one text of the question and its passages; `fused` reads each passage with the question by
# itself; `none` is closed-book. What a list can hold is limited, and so is what the passages name:
# `ceilings` says which recall the limits allow.

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
    heads = [f"question: {question}\n" for question in questions]
    bodies = [
        _bodies(question_passages[: reading.passages], reading.layout) for question_passages in passages
    ]
    return generator.prompts(heads, bodies, reading.input_tokens)


def _bodies(passages: Sequence[Passage], layout: Layout) -> list[str]:
    texts = [f"title: {passage.title}\ntext: {passage.text}" for passage in passages]
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
    return [_distinct([answer.name for answer in generator.targets.decode(output)]) for output in written]


def ceilings(
    generator: Generator, examples: Sequence[TrainingExample], reading: ListReading
) -> dict[str, float]:
    """The greatest mean recall that the length of a list allows, and that the passages allow."""
    fitting, named = [], []
    for example in examples:
        labels = [answer.label for answer in example.answers]
        if not labels:
            continue
        fitting.append(generator.targets.fitting(labels, reading.output_tokens) / len(labels))
        indices = {index for passage in example.passages[: reading.passages] for index in passage.names}
        named.append(len(indices) / len(labels))
    figures = {"output ceiling": fitting}
    if reading.layout != "none":
        figures["passage ceiling"] = named
    return {name: sum(shares) / len(shares) for name, shares in figures.items() if shares}


def _distinct(names: Sequence[str]) -> list[str]:
    by_key: dict[bytes, str] = {}
    for key, name in zip(name_keys(names), names, strict=True):
        by_key.setdefault(key, name)
    return list(by_key.values())


# What the systems have in common that learn to write the whole list of answers to a question. They
# differ in how passages are read: joined to one text (`seq2seq`), fused in the decoder (`fid`), or not
# at all (`closed-book`).


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

    def __init__(self, options: ListOptions, base: "BaseCheckpoint") -> None:
        super().__init__(options, base)
        self.reading = ListReading(
            layout=self.layout,
            passages=options.passages,
            input_tokens=options.input_tokens,
            output_tokens=options.output_tokens,
            beams=options.beams,
        )

    def encode_examples(self, examples: Sequence[TrainingExample], seed: int) -> list[GeneratorItem]:
        draw = random.Random(seed)
        most = self.options.most_answers
        chosen = [
            example
            for example in examples
            if example.answers and (most is None or len(example.answers) <= most)
        ]
        contexts = [self._context(example, draw) for example in chosen]
        prompts = list_prompts(
            self.generator,
            [example.question for example in chosen],
            [[passage.passage for passage in context] for context in contexts],
            self.reading,
        )
        targets = [
            self.generator.targets.encode(self._ordered(example, context, draw), self.options.output_tokens)
            for example, context in zip(chosen, contexts, strict=True)
        ]
        return [GeneratorItem(*pair) for pair in zip(prompts, targets, strict=True)]

    def evaluate(self, examples: Sequence[TrainingExample]) -> dict[str, float]:
        sample = sampled(examples, self.options.dev_questions)
        passages = [[passage.passage for passage in example.passages] for example in sample]
        questions = [example.question for example in sample]
        lists = list_answers(self.generator, questions, passages, self.reading, self.reading_tokens)
        answers: list[Answers] = [list(names) for names in lists]
        return {**figures(answers, sample), **ceilings(self.generator, sample, self.reading)}

    def save(self, folder: Path, examples: Sequence[TrainingExample]) -> None:
        limits = ceilings(self.generator, examples, self.reading)
        self.save_network(folder, msgspec.structs.replace(self.reading, ceilings=limits))

    def _context(self, example: TrainingExample, draw: random.Random) -> list[LabelledPassage]:
        """The passages that are read with a question in training."""
        number = self.options.passages
        added = example.proofs[:number] if self.options.proofs else []
        read = example.passages[: number - len(added)]
        for passage in added:
            read.insert(draw.randrange(len(read) + 1), passage)
        return read

    def _ordered(
        self, example: TrainingExample, passages: Sequence[LabelledPassage], draw: random.Random
    ) -> list[str]:
        """The labels of all answers, in the order in which to write them."""
        labels = list(dict.fromkeys(answer.label for answer in example.answers))
        if self.options.order == "label":
            return sorted(labels)
        if self.options.order == "random":
            return draw.sample(labels, len(labels))
        indices = [index for passage in passages for index in sorted(passage.proves)]
        indices += [index for passage in passages for index in passage.names]
        first = dict.fromkeys(example.answers[index].label for index in indices)
        return list(first | dict.fromkeys(labels))


class FidOptions(ListOptions, frozen=True, kw_only=True):
    """How `fid` is trained."""

    passages: Positive = 50
    """How many passages are read for a question."""
    input_tokens: Positive = 256
    """The greatest length of a question with one passage; the end of a longer passage is not read."""


@TRAINABLES.register("fid")
class Fid(ListTrainable):
    """Reads each passage by itself and writes one list from all of them (Fusion-in-Decoder)."""

    Options = FidOptions
    layout: ClassVar[Layout] = "fused"
    presets: ClassVar = {
        "qampari": {
            "learning_rate": 5e-5,
            "steps": 90_000,
            "batch": 8,
            "passages": 50,
            "input_tokens": 256,
            "output_tokens": 100,
            "proofs": True,
            "most_answers": 100,
        }
    }

    def __init__(self, options: FidOptions, base: "BaseCheckpoint") -> None:
        if base.kind == "causal" and options.checkpointing:
            raise RollcallError(
                "fid with a causal model needs the activations of all passages: "
                "give fewer passages or tokens instead of checkpointing=true"
            )
        super().__init__(options, base)


# `seq2seq` and `closed-book`: learn to write all answers from one text, with retrieved passages or
# without. These are RoMQA's open systems and QAMPARI's closed-book one.


class Seq2SeqOptions(ListOptions, frozen=True, kw_only=True):
    """How `seq2seq` is trained."""

    input_tokens: Positive = 1024
    """The greatest length of a question with all its passages; what is longer is not read to its end."""


class ClosedBookOptions(ListOptions, frozen=True, kw_only=True):
    """How `closed-book` is trained."""

    passages: int = 0
    """It reads none."""


@TRAINABLES.register("seq2seq")
class Seq2Seq(ListTrainable):
    """Reads the question and its passages as one text and writes all answers (RoMQA's open system)."""

    Options = Seq2SeqOptions
    layout: ClassVar[Layout] = "joined"
    presets: ClassVar = {
        "romqa": {
            "learning_rate": 5e-6,
            "batch": 2,
            "passages": 20,
            "input_tokens": 1024,
            "output_tokens": 128,
            "beams": 3,
        },
    }


@TRAINABLES.register("closed-book")
class ClosedBook(ListTrainable):
    """Writes all answers to a question without reading any passage."""

    Options = ClosedBookOptions
    uses_passages = False
    layout: ClassVar[Layout] = "none"
    presets: ClassVar = {
        "qampari": {"learning_rate": 1e-4, "steps": 95_000, "output_tokens": 100},
        "romqa": {"learning_rate": 5e-6, "batch": 2, "output_tokens": 128, "beams": 3},
    }


# The answers of many passages as one list: equal names are one answer, and weak ones are left out.


class Union(msgspec.Struct, frozen=True):
    """How the answers of all passages are combined."""

    combination: Combination = "greatest"
    threshold: float = 0.5
    """The least score of an answer that is given."""


def united(scores: Sequence[Sequence[ScoredAnswer]], combination: Combination) -> list[ScoredAnswer]:
    """All answers with their scores over all passages, best first; each under its best spelling."""
    answers = [answer for passage_answers in scores for answer in passage_answers]
    equal: defaultdict[bytes, list[ScoredAnswer]] = defaultdict(list)
    for key, answer in zip(name_keys([answer.answer for answer in answers]), answers, strict=True):
        equal[key].append(answer)
    combined = [
        ScoredAnswer(
            max(spellings, key=lambda answer: answer.score).answer,
            over_passages([answer.score for answer in spellings], combination),
        )
        for spellings in equal.values()
    ]
    return sorted(combined, key=lambda answer: (-answer.score, answer.answer))


def final_answers(scores: Sequence[Sequence[ScoredAnswer]], union: Union) -> list[str]:
    """The answers whose score reaches the threshold."""
    return [answer.answer for answer in united(scores, union.combination) if answer.score >= union.threshold]


def best_union(
    examples: Sequence[TrainingExample], scores: Sequence[Sequence[Sequence[ScoredAnswer]]]
) -> Union:
    """The combination and threshold with the greatest mean F1."""
    best = best_combination(
        lambda combination: [
            _judged(example, united(passage_scores, combination))
            for example, passage_scores in zip(examples, scores, strict=True)
        ]
    )
    return Union(best.combination, best.threshold)


def _judged(example: TrainingExample, answers: Sequence[ScoredAnswer]) -> ScoredQuestion:
    """The answers to an example, each once under whichever of its names is best, as they are scored."""
    named = {
        key: answer.id or answer.label
        for answer in example.answers
        for key in name_keys([answer.label, *answer.aliases])
    }
    scores: dict[str, float] = {}
    for key, answer in zip(name_keys([answer.answer for answer in answers]), answers, strict=True):
        scores.setdefault(named.get(key, answer.answer), answer.score)
    return judged(scores, set(named.values()))


# `pig`: learns to write the answers that one passage states, or that there are none (QAMPARI's generator).
# Each passage is learned separately. A passage that proves answers should give them; as many passages that
# name no answer should give the empty list, drawn again for each epoch. A passage that names an answer
# without proving it is not learned from: it may state the answer in a way that the evidence missed.


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
