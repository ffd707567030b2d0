"""`candidate-scorer`: how likely one candidate is an answer that a passage proves, judged by itself.

The encoder reads question, candidate and passage, in which the candidate's mentions are marked. That is one
pass for each candidate, so a trained `mention-scorer` may leave out those that are hardly answers; it is then
kept in the folder.
"""

import random
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, Literal, NamedTuple

import msgspec
import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.questions.run import EntityAnswer
from rollcall.systems.read.names import LinkedMention
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.base import MINILM, BaseCheckpoint
from rollcall.systems.train.encoder_network import TEXT_HEADS, EncoderNetwork, HeadShape, TextNetwork
from rollcall.systems.train.model_folder import read_about, read_settings, write_settings
from rollcall.systems.train.selection import Combination, best_combination, figures, judged, over_passages
from rollcall.systems.train.token_inputs import (
    KeptPassages,
    MentionReading,
    Numbers,
    PassageTokens,
    TokenInput,
    TokenInputs,
    readings_of,
)
from rollcall.systems.train.trainable import Count, Item, Positive, Share, Trainable, TrainingOptions
from rollcall.systems.train.training_example import LabelledPassage, TrainingExample
from rollcall.text.words import fold

if TYPE_CHECKING:
    import torch


# What the mention scorer is given: question, title and text as tokens, with the places of the mentions.
# It needs a tokeniser and no network, so that training and a packaged network read the same.


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


# What a passage teaches about the entities it mentions: which are answers that it proves. An answer's
# mention is labelled by the share of the answer's facts that the passage proves. A mention of an answer
# in a passage without evidence for it is left out: it may state the fact in words that were not
# recognised. Every other mention is no answer.


class MentionLabels:
    """The labels of mentions, for one training example."""

    def __init__(self, example: TrainingExample) -> None:
        self._by_id: dict[str, int] = {}
        self._by_name: dict[str, int] = {}
        for place, answer in enumerate(example.answers):
            if answer.id is not None:
                self._by_id[answer.id] = place
            else:
                self._by_name |= {fold(name): place for name in (answer.label, *answer.aliases)}

    def of(self, passage: LabelledPassage) -> list[float | None]:
        """The label of each mention of a passage; None for one that is not learned."""
        return [self.label(passage, mention) for mention in passage.mentions]

    def label(self, passage: LabelledPassage, mention: LinkedMention) -> float | None:
        """The label of one mention."""
        places = {self._by_id[one] for one in mention.entities if one in self._by_id}
        if self._by_name:
            text = passage.title if mention.where == "title" else passage.text
            name = fold(text[mention.start : mention.end])
            places |= {self._by_name[name]} if name in self._by_name else set()
        if not places:
            return 0.0
        return max((passage.proves[one] for one in places if one in passage.proves), default=None)


def drawn_passages(example: TrainingExample, negatives: int, seed: int) -> list[LabelledPassage]:
    """The passages of a training example for one epoch: all that prove something, and some of the others."""
    found = example.passages
    others = [one for one in found if not one.proves]
    draw = random.Random(f"{seed} {example.id}")
    return [
        *example.proofs,
        *(one for one in found if one.proves),
        *draw.sample(others, min(negatives, len(others))),
    ]


def check_mentions(examples: Sequence[TrainingExample], of: str) -> None:
    """Refuse training examples that were made without a graph."""
    if not any(one.mentions for example in examples for one in (*example.passages, *example.proofs)):
        raise RollcallError(
            f"{of} learns from linked mentions: make the training examples with --graph (graph=)"
        )


# From scores of entities in single passages to answers: combined over passages, and cut at a least
# score.


class EntitySettings(msgspec.Struct, frozen=True):
    """What a scorer of entities keeps beside its weights."""

    length: int
    combination: Combination = "greatest"
    threshold: float = 0.5


def combined(passages: Sequence[Mapping[str, float]], combination: Combination) -> dict[str, float]:
    """The scores of entities over all passages of a question."""
    every: defaultdict[str, list[float]] = defaultdict(list)
    for scores in passages:
        for entity, score in scores.items():
            every[entity].append(score)
    return {entity: over_passages(scores, combination) for entity, scores in every.items()}


def answers(passages: Sequence[Mapping[str, float]], settings: EntitySettings) -> list[EntityAnswer]:
    """The entities above the threshold, the most certain first."""
    scores = combined(passages, settings.combination)
    ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    return [EntityAnswer(entity) for entity, score in ranked if score >= settings.threshold]


def tuned(
    scores: Sequence[Sequence[Mapping[str, float]]], examples: Sequence[TrainingExample], length: int
) -> EntitySettings:
    """The combination and the threshold of the greatest F1."""
    gold = [{answer.id or answer.label for answer in one.answers} for one in examples]
    best = best_combination(
        lambda combination: [
            judged(combined(one, combination), right) for one, right in zip(scores, gold, strict=True)
        ]
    )
    return EntitySettings(length, best.combination, best.threshold)


# What the trainable scorers of entities share: evaluation and saving, by the scores of single passages.


class EntityOptions(TrainingOptions, frozen=True, kw_only=True):
    """How a scorer of entities is trained."""

    learning_rate: float = 1e-4
    batch: Positive = 64
    tokens: Positive = 65536
    length: Positive = 384
    """The greatest number of tokens of an input: the question, the passage, and the candidate if there is
    one."""


class EntityTrainable(Trainable[Item], Generic[Item]):
    """A trainable scorer of the entities that passages mention."""

    bases = ("encoder",)
    needs = ("graph",)
    default_base: ClassVar[str | None] = MINILM
    settings_file: ClassVar[str]

    def __init__(self, network: EncoderNetwork) -> None:
        self._encoder = network
        self.network = network.module

    def scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        """For each reading the entities that are mentioned, with their probabilities."""
        raise NotImplementedError

    def evaluate(self, examples: Sequence[TrainingExample]) -> dict[str, float]:
        """F1, precision and recall with the combination and the threshold that suit these examples best."""
        scores = self._by_example(examples)
        settings = tuned(scores, examples, self._encoder.inputs.tokens)
        return figures([[*answers(one, settings)] for one in scores], examples)

    def save(self, folder: Path, examples: Sequence[TrainingExample]) -> None:
        settings = tuned(self._by_example(examples), examples, self._encoder.inputs.tokens)
        self._encoder.save(folder)
        write_settings(folder / self.settings_file, settings)

    def _by_example(self, examples: Sequence[TrainingExample]) -> list[list[dict[str, float]]]:
        found = iter(self.scores(readings_of(examples)))
        return [[next(found) for _ in example.passages] for example in examples]


# `mention-scorer`: how likely each linked mention of a passage is an answer that the passage proves.
# Question, title and text go through the encoder once, and all mentions are judged by the states of
# their first and last tokens beside the state of the first token of all. So a passage costs one pass,
# however many entities it names.

MENTION_SYSTEM = "mention-scorer"
MENTION_SETTINGS = "mention_scorer.json"
MENTION_HEADS = {"mention": HeadShape(states=3)}


class MentionScorerOptions(EntityOptions, frozen=True, kw_only=True):
    """How the mention scorer is trained."""

    negatives: Count = 16
    """How many retrieved passages that prove nothing are read for each question in each epoch."""
    words: Literal["trained", "frozen"] = "trained"
    """Whether the embeddings of words are trained: frozen ones can be shared with other models, and rare
    words keep their meaning."""


class MentionItem(NamedTuple):
    """An input with the labels of its mentions."""

    input: MentionInput
    labels: Sequence[float]


class MentionNetwork(EncoderNetwork):
    """The network of the mention scorer."""

    def encoded(self, readings: Sequence[MentionReading]) -> list[MentionInput]:
        """Readings as inputs."""
        return MentionInputs(self.inputs, self.passages).encoded(readings)

    def logits(self, inputs: Sequence[MentionInput]) -> "torch.Tensor":
        """One number for each mention of all inputs, one input after the other."""
        import torch

        states = self.states([one.tokens for one in inputs])
        rows = np.repeat(np.arange(len(inputs)), [len(one.first) for one in inputs])
        ends = (np.concatenate([one[place] for one in inputs]).astype(np.int64) for place in (1, 2))
        row, first, last = (torch.from_numpy(one).to(states.device) for one in (rows, *ends))
        return self.head(
            "mention", torch.cat([states[row, first], states[row, last], states[row, 0]], dim=-1)
        )

    def scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        """For each reading the entities that its mentions may mean, with their greatest probabilities."""
        import torch

        inputs = self.encoded(readings)

        found = self.read(
            inputs,
            lambda one: len(one.tokens.ids),
            lambda one: len(one.first),
            lambda some: torch.sigmoid(self.logits(some)),
        )
        return [
            by_entity(reading, one.mentions, scores)
            for reading, one, scores in zip(readings, inputs, found, strict=True)
        ]


@TRAINABLES.register(MENTION_SYSTEM)
class MentionScorer(EntityTrainable[MentionItem]):
    """Scores all linked mentions of a passage in one pass of an encoder."""

    Options = MentionScorerOptions
    settings_file = MENTION_SETTINGS

    def __init__(self, options: MentionScorerOptions, network: MentionNetwork) -> None:
        super().__init__(network)
        self._options, self._network = options, network

    @classmethod
    def start(cls, options: TrainingOptions, base: BaseCheckpoint) -> "MentionScorer":
        assert isinstance(options, MentionScorerOptions)
        network = MentionNetwork.start(base, MENTION_HEADS, options.length, options.seed)
        if options.words == "frozen":
            network.freeze_words()
        return cls(options, network)

    def encode_examples(self, examples: Sequence[TrainingExample], seed: int) -> list[MentionItem]:
        check_mentions(examples, MENTION_SYSTEM)
        readings: list[MentionReading] = []
        labels: list[list[float | None]] = []
        for example in examples:
            of = MentionLabels(example)
            for one in drawn_passages(example, self._options.negatives, seed):
                learned = of.of(one)
                if any(label is not None for label in learned):
                    readings.append(MentionReading(example.question, one.title, one.text, one.mentions))
                    labels.append(learned)
        return [
            item
            for one, learned in zip(self._network.encoded(readings), labels, strict=True)
            if (item := _learned(one, learned)).labels
        ]

    def size(self, item: MentionItem) -> int:
        return len(item.input.tokens.ids)

    def loss(self, items: Sequence[MentionItem]) -> "torch.Tensor":
        """The mean over examples of the sum over mentions, each of which is one decision."""
        import torch

        logits = self._network.logits([one.input for one in items])
        labels = torch.tensor([label for one in items for label in one.labels], device=logits.device)
        losses = torch.nn.functional.binary_cross_entropy_with_logits(logits, labels, reduction="sum")
        return losses / len(items)

    def scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        return self._network.scores(readings)


def _learned(one: MentionInput, labels: Sequence[float | None]) -> MentionItem:
    """The mentions of an input that have labels."""
    kept = np.array([labels[place] is not None for place in one.mentions], bool)
    cut = MentionInput(one.tokens, one.first[kept], one.last[kept], one.mentions[kept])
    return MentionItem(cut, [label for place in cut.mentions if (label := labels[place]) is not None])


CANDIDATE_SYSTEM = "candidate-scorer"
CANDIDATE_SETTINGS = "candidate_scorer.json"
FIRST = "first"
"""The folder of the mention scorer, within that of the candidate scorer."""
LEAST = 0.01
_MARK = "*"


class CandidateScorerOptions(EntityOptions, frozen=True, kw_only=True):
    """How the candidate scorer is trained."""

    negatives: Count = 48
    """How many candidates of passages that are no answers are learned for each question in each epoch."""
    first: str | None = None
    """A trained mention scorer; only candidates that it gives the score `least` are learned and judged."""
    least: Share = LEAST
    """The least score by the mention scorer."""


class PassageCandidate(NamedTuple):
    """An entity that a passage mentions: its name there, what it is, and the places of its mentions."""

    entity: str
    name: str
    kind: str
    mentions: tuple[int, ...]


class CandidateItem(NamedTuple):
    """A question, a passage and a candidate as one input, with the label."""

    tokens: TokenInput
    label: float


class CandidateNetwork(TextNetwork):
    """The network of the candidate scorer."""

    def encoded(self, pairs: Sequence[tuple[MentionReading, PassageCandidate]]) -> list[TokenInput]:
        """Pairs of a reading and one of its candidates as inputs."""
        named = [
            (reading, one, f"{one.name} ({one.kind})" if one.kind else one.name) for reading, one in pairs
        ]
        self.inputs.prepare(
            text
            for reading, _, name in named
            for text in (reading.question, reading.title, reading.text, name)
        )
        return [self._encoded(*one) for one in named]

    def _encoded(self, reading: MentionReading, candidate: PassageCandidate, name: str) -> TokenInput:
        passage = self.passages.of(reading)
        head = self.inputs.joined(reading.question, name, "")
        marked = np.isin(passage.places, candidate.mentions)
        places = np.concatenate([passage.first[marked], passage.last[marked] + 1])
        ids = np.insert(passage.ids, np.repeat(places, len(self._mark)), np.tile(self._mark, len(places)))
        before = head.ids[:-1]
        room = self.inputs.tokens - len(before) - 1
        return TokenInput(np.concatenate([before, ids[:room], self.inputs.end]), head.places[:2])

    @property
    def _mark(self) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
        return self.inputs.of(_MARK).ids


class CandidateReading:
    """Scores the candidates of passages, all or those that a mention scorer leaves."""

    def __init__(self, network: CandidateNetwork, first: MentionNetwork | None, least: float) -> None:
        self.network, self._first, self._least = network, first, least

    def candidates(self, readings: Sequence[MentionReading]) -> list[list[PassageCandidate]]:
        """The candidates of each reading."""
        every = [candidates_of(one) for one in readings]
        if self._first is None:
            return every
        scores = self._first.scores(readings)
        return [
            [one for one in these if found.get(one.entity, 0.0) >= self._least]
            for these, found in zip(every, scores, strict=True)
        ]

    def scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        """For each reading its candidates with their probabilities."""
        found = self.candidates(readings)
        pairs = [(reading, one) for reading, these in zip(readings, found, strict=True) for one in these]
        inputs = self.network.encoded(pairs)

        scores = iter(self.network.probabilities(inputs))
        return [{one.entity: next(scores) for one in these} for these in found]


@TRAINABLES.register(CANDIDATE_SYSTEM)
class CandidateScorer(EntityTrainable[CandidateItem]):
    """Scores one candidate of a passage at a time, in one pass of an encoder each."""

    Options = CandidateScorerOptions
    settings_file = CANDIDATE_SETTINGS

    def __init__(self, options: CandidateScorerOptions, network: CandidateNetwork) -> None:
        super().__init__(network)
        self._options, self._network = options, network
        self._reading = CandidateReading(network, opened_first(options.first), options.least)
        self._pairs: dict[str, list[tuple[MentionReading, PassageCandidate, float]]] = {}

    @classmethod
    def start(cls, options: TrainingOptions, base: BaseCheckpoint) -> "CandidateScorer":
        assert isinstance(options, CandidateScorerOptions)
        return cls(options, CandidateNetwork.start(base, TEXT_HEADS, options.length, options.seed))

    def encode_examples(self, examples: Sequence[TrainingExample], seed: int) -> list[CandidateItem]:
        check_mentions(examples, CANDIDATE_SYSTEM)
        drawn = [pair for one in examples for pair in self._drawn(one, seed)]
        inputs = self._network.encoded([(reading, candidate) for reading, candidate, _ in drawn])
        return [CandidateItem(one, label) for one, (*_, label) in zip(inputs, drawn, strict=True)]

    def size(self, item: CandidateItem) -> int:
        return len(item.tokens.ids)

    def loss(self, items: Sequence[CandidateItem]) -> "torch.Tensor":
        import torch

        logits = self._network.logits([one.tokens for one in items])
        labels = torch.tensor([one.label for one in items], device=logits.device)
        return torch.nn.functional.binary_cross_entropy_with_logits(logits, labels)

    def scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        return self._reading.scores(readings)

    def save(self, folder: Path, examples: Sequence[TrainingExample]) -> None:
        super().save(folder, examples)
        if self._options.first is not None:
            shutil.copytree(self._options.first, folder / FIRST)

    def _drawn(
        self, example: TrainingExample, seed: int
    ) -> list[tuple[MentionReading, PassageCandidate, float]]:
        """The pairs of a training example for one epoch: all right ones, and some others."""
        if example.id not in self._pairs:
            self._pairs[example.id] = self._labelled(example)
        every = self._pairs[example.id]
        others = [one for one in every if one[2] == 0.0]
        draw = random.Random(f"{seed} {example.id}")
        return [
            *(one for one in every if one[2] > 0.0),
            *draw.sample(others, min(self._options.negatives, len(others))),
        ]

    def _labelled(self, example: TrainingExample) -> list[tuple[MentionReading, PassageCandidate, float]]:
        """Candidates with labels: right ones by all passages, others as the mention scorer leaves them."""
        labels = MentionLabels(example)
        passages = [*example.passages, *example.proofs]
        readings = [MentionReading(example.question, one.title, one.text, one.mentions) for one in passages]
        left = [{one.entity for one in these} for these in self._reading.candidates(readings)]
        found = []
        for passage, reading, kept in zip(passages, readings, left, strict=True):
            for one in candidates_of(reading):
                mention = passage.mentions[one.mentions[0]]
                alone = LinkedMention(mention.start, mention.end, mention.where, (one.entity,))
                label = labels.label(passage, alone)
                if label is not None and (label > 0.0 or one.entity in kept):
                    found.append((reading, one, label))
        return found


def candidates_of(reading: MentionReading) -> list[PassageCandidate]:
    """The entities that a passage mentions, each by its longest name there."""
    places: dict[str, list[int]] = {}
    kinds: dict[str, str] = {}
    for place, mention in enumerate(reading.mentions):
        for number, entity in enumerate(mention.entities):
            places.setdefault(entity, []).append(place)
            kinds[entity] = mention.kinds[number] if mention.kinds else ""
    return [
        PassageCandidate(
            entity, max((_name(reading, one) for one in these), key=len), kinds[entity], tuple(these)
        )
        for entity, these in places.items()
    ]


def opened_first(folder: Path | str | None) -> MentionNetwork | None:
    """The mention scorer that leaves candidates out, if there is one."""
    if folder is None:
        return None
    read_about(folder, MENTION_SYSTEM)
    settings = read_settings(Path(folder) / MENTION_SETTINGS, EntitySettings)
    return MentionNetwork.load(folder, MENTION_HEADS, settings.length)


def _name(reading: MentionReading, place: int) -> str:
    mention = reading.mentions[place]
    text = reading.title if mention.where == "title" else reading.text
    return text[mention.start : mention.end]
