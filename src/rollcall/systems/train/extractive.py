"""`extractive`: learns which passage answers a question, and where in it the answer begins and ends.

This is the reader of "What's in a Name?" and of DPR. A passage is positive if it names an answer, by the
answer's label or by all its names. For each question one positive passage is compared with negatives, and the
names in it are learned as spans: all together, or only the likeliest (hard EM).
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, TypeAlias

import msgspec
import numpy as np

from rollcall.score.expansion import PositiveCounts
from rollcall.score.match import name_keys
from rollcall.systems.read.trained_reader import ScoredAnswer
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.base import MINILM, BaseCheckpoint
from rollcall.systems.train.encoder_network import SPAN_HEADS, SpanNetwork, SpanReading
from rollcall.systems.train.lists import Union, final_answers, united
from rollcall.systems.train.model_folder import write_settings
from rollcall.systems.train.selection import ScoredQuestion, best_threshold, figures
from rollcall.systems.train.token_inputs import Numbers, TokenInput
from rollcall.systems.train.trainable import Positive, Trainable, TrainingOptions
from rollcall.systems.train.training_example import LabelledPassage, TrainingExample
from rollcall.text.names import NamePattern

if TYPE_CHECKING:
    import torch


# Where a passage names an answer, and which passages do so only by an added name ("What's in a Name?").
# A name counts in whole words: the published code looks for tokens, and so finds *art* in *artist*.

Names: TypeAlias = Literal["single", "expanded"]


def pattern(example: TrainingExample, names: Names, indices: Iterable[int] | None = None) -> NamePattern:
    """Finds the answers with these indices, by default all: by their labels, or by their aliases too."""
    wanted = range(len(example.answers)) if indices is None else indices
    answers = [example.answers[index] for index in wanted]
    return NamePattern(
        name
        for answer in answers
        for name in (answer.label, *(answer.aliases if names == "expanded" else ()))
    )


def is_named(passage: LabelledPassage, names: NamePattern) -> bool:
    """Whether the title or the text has a name."""
    return bool(names.places(passage.title) or names.places(passage.text))


def count_positives(examples: Sequence[TrainingExample]) -> PositiveCounts:
    """How many retrieved passages name an answer by its label, and by all its names."""
    counts = PositiveCounts(questions=len(examples))
    for example in examples:
        single, expanded = pattern(example, "single"), pattern(example, "expanded")
        before = sum(is_named(passage, single) for passage in example.passages)
        after = sum(is_named(passage, expanded) for passage in example.passages)
        counts.passages += len(example.passages)
        counts.passages_before += before
        counts.passages_after += after
        counts.questions_before += before > 0
        counts.questions_after += after > 0
    return counts


SYSTEM = "extractive"
SETTINGS, COUNTS = "extractive.json", "positives.json"
Number: TypeAlias = Literal["one", "set"]


class ExtractiveOptions(TrainingOptions, frozen=True, kw_only=True):
    """How the extractive reader is trained."""

    learning_rate: float = 2e-4  # the paper's 3e-5 is for many more steps than some hundred questions give
    batch: Positive = 8
    epochs: Positive = 4
    length: Positive = 256
    """The greatest number of tokens of question, title and text together."""
    answers: Names = "expanded"
    """The names that are looked for: the labels of the answers, or their aliases too."""
    positive: Literal["named", "proved"] = "named"
    """Which passages are positive: those that name an answer, or those that prove it as well."""
    positives: Positive = 10
    """Of how many positive passages, the best ones, one is drawn for each step."""
    negatives: Positive = 23
    """The number of negative passages beside it."""
    spans: Literal["all", "hard-em"] = "all"
    """Which names in the positive passage are learned: all, or the one that is likeliest at the time."""
    widest: Positive = 10
    """The greatest number of tokens of an answer."""
    number: Number = "set"
    """Give the best answer alone, or all above a threshold."""


class ExtractiveSettings(msgspec.Struct, frozen=True):
    """What a trained extractive reader keeps beside its weights."""

    length: int
    widest: int
    number: Number
    union: Union


class ExtractiveItem(NamedTuple):
    """The passages of a question, the positive one first, and the spans of names in that."""

    passages: Sequence[TokenInput]
    first: Numbers
    last: Numbers


@TRAINABLES.register(SYSTEM)
class Extractive(Trainable[ExtractiveItem]):
    """Selects a passage, and the first and last token of an answer in it."""

    Options = ExtractiveOptions
    bases = ("encoder",)
    default_base: ClassVar[str | None] = MINILM
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {
        "whats-in-a-name": {
            "learning_rate": 3e-5,
            "batch": 16,
            "epochs": 4,
            "length": 160,
            "number": "one",
        }
    }

    def __init__(self, options: ExtractiveOptions, network: SpanNetwork) -> None:
        self._options, self._encoder = options, network
        self.network = network.module
        self._counts: dict[str, float | int] = {}

    @classmethod
    def start(cls, options: TrainingOptions, base: BaseCheckpoint) -> "Extractive":
        assert isinstance(options, ExtractiveOptions)
        return cls(options, SpanNetwork.start(base, SPAN_HEADS, options.length, options.seed))

    def encode_examples(self, examples: Sequence[TrainingExample], seed: int) -> list[ExtractiveItem]:
        """One item for each question that has a positive passage."""
        if not self._counts:
            self._counts = count_positives(examples).rows()
        self._encoder.inputs.prepare(
            text
            for example in examples
            for passage in (*example.passages, *example.proofs)
            for text in (passage.title, passage.text)
        )
        items = (self._item(example, random.Random(f"{seed} {example.id}")) for example in examples)
        return [item for item in items if item is not None]

    def _item(self, example: TrainingExample, draw: random.Random) -> ExtractiveItem | None:
        options, passages = self._options, [*example.passages, *example.proofs]
        names = pattern(example, options.answers)
        named = [passage for passage in passages if is_named(passage, names)]
        proved = options.positive == "proved"
        positives = [passage for passage in named if passage.proves or not proved][: options.positives]
        draw.shuffle(positives)
        for positive in positives:
            learned = pattern(example, options.answers, positive.proves) if proved else names
            tokens, first, last = self._spans(example.question, positive, learned)
            if len(first):
                break
        else:
            return None
        others = [passage for passage in example.passages if not is_named(passage, names)][
            : options.negatives + 1
        ]
        drawn = draw.sample(others, min(options.negatives, len(others)))
        inputs = [
            self._encoder.inputs.joined(example.question, passage.title, passage.text) for passage in drawn
        ]
        return ExtractiveItem([tokens, *inputs], first, last)

    def _spans(
        self, question: str, passage: LabelledPassage, names: NamePattern
    ) -> tuple[TokenInput, Numbers, Numbers]:
        """A passage as an input, and the first and last tokens of the names in it that can be answers."""
        inputs = self._encoder.inputs
        tokens = inputs.joined(question, passage.title, passage.text)
        ends = (tokens.starts[2] - 1, len(tokens.ids) - 1)
        firsts, lasts = [], []
        for text, offset, end in zip((passage.title, passage.text), tokens.starts[1:], ends, strict=True):
            spans = names.places(text)
            first, last = inputs.of(text).spans([span[0] for span in spans], [span[1] for span in spans])
            kept = (last + offset < end) & (last - first < self._options.widest)
            firsts.append(first[kept] + offset)
            lasts.append(last[kept] + offset)
        most = self._options.positives
        return tokens, np.concatenate(firsts)[:most], np.concatenate(lasts)[:most]

    def size(self, item: ExtractiveItem) -> int:
        return len(item.passages) * max(len(passage.ids) for passage in item.passages)

    def loss(self, items: Sequence[ExtractiveItem]) -> "torch.Tensor":
        """The loss of selecting the positive passage, and that of its spans."""
        import torch

        logits = self._encoder.logits([passage for item in items for passage in item.passages])
        numbers = [len(item.passages) for item in items]
        groups = torch.split(logits.passage, numbers)
        begins = np.cumsum([0, *numbers[:-1]])
        losses = []
        for item, group, row in zip(items, groups, begins, strict=True):
            first, last = (
                torch.from_numpy(token_numbers.astype(np.int64)).to(group.device)
                for token_numbers in item[1:]
            )
            spans = logits.start[row, first] + logits.end[row, last]
            likely = spans.max() if self._options.spans == "hard-em" else torch.logsumexp(spans, 0)
            losses.append(-torch.log_softmax(group, 0)[0] - likely)
        return torch.stack(losses).mean()

    def evaluate(self, examples: Sequence[TrainingExample]) -> dict[str, float]:
        """F1, precision and recall with the threshold that suits these training examples best."""
        scores = self._scores(examples)
        union = self._union(examples, scores)
        return figures(
            [[*chosen(passage_scores, self._options.number, union)] for passage_scores in scores], examples
        )

    def save(self, folder: Path, examples: Sequence[TrainingExample]) -> None:
        union = self._union(examples, self._scores(examples))
        options = self._options
        settings = ExtractiveSettings(self._encoder.inputs.tokens, options.widest, options.number, union)
        self._encoder.save(folder)
        write_settings(folder / SETTINGS, settings)
        (folder / COUNTS).write_bytes(msgspec.json.format(msgspec.json.encode(self._counts)) + b"\n")

    def _union(
        self, examples: Sequence[TrainingExample], scores: Sequence[list[list[ScoredAnswer]]]
    ) -> Union:
        """The threshold of the greatest F1; the best span needs none."""
        if self._options.number == "one":
            return Union()
        questions = [
            _judged(example, relative(passage_scores))
            for example, passage_scores in zip(examples, scores, strict=True)
        ]
        return Union("greatest", best_threshold(questions).threshold)

    def _scores(self, examples: Sequence[TrainingExample]) -> list[list[list[ScoredAnswer]]]:
        readings = [
            SpanReading(example.question, passage.title, passage.text)
            for example in examples
            for passage in example.passages
        ]
        scores = iter(self._encoder.scores(readings, self._options.widest))
        return [[next(scores) for _ in example.passages] for example in examples]


def relative(passages: Sequence[Sequence[ScoredAnswer]]) -> list[ScoredAnswer]:
    """All spans of a question, each scored by its probability as a share of the best one's.

    Passages are compared within a question in training, so scores of two questions cannot be compared.
    """
    spans = [span for passage in passages for span in passage]
    best = max((span.score for span in spans), default=0.0)
    return [ScoredAnswer(span.answer, float(np.exp(span.score - best))) for span in spans]


def _judged(example: TrainingExample, scores: Sequence[ScoredAnswer]) -> ScoredQuestion:
    """Which of a question's spans are names of answers."""
    answers = united([scores], "greatest")
    gold = {key for answer in example.answers for key in name_keys([answer.label, *answer.aliases])}
    right = [key in gold for key in name_keys([answer.answer for answer in answers])]
    return ScoredQuestion([answer.score for answer in answers], right, len(example.answers))


def chosen(passages: Sequence[Sequence[ScoredAnswer]], number: Number, union: Union) -> list[str]:
    """The best span, or all names with a span above the threshold."""
    scores = relative(passages)
    if number == "one":
        best = max(scores, key=lambda span: span.score, default=None)
        return [best.answer] if best is not None else []
    return final_answers([scores], union)
