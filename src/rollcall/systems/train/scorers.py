"""`candidate-scorer`: how likely one candidate is an answer that a passage proves, judged on its own.

The encoder reads question, candidate and passage, in which the candidate's mentions are marked. That is one
pass for each candidate, so a trained `mention-scorer` may leave out unlikely ones; it is then kept in the
folder.
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
from rollcall.systems.read.linking import LinkedMention
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


# What the mention scorer is given: question, title and text as tokens, with the positions of the mentions.
# It needs a tokeniser and no network, so that training and a packaged network read the same.


class MentionInput(NamedTuple):
    """An input, and the first and last tokens of those mentions that are within it."""

    tokens: TokenInput
    first: Numbers
    last: Numbers
    mentions: Numbers
    """The indices of these mentions among all mentions of the passage."""


class MentionInputs:
    """Makes inputs of passages that are read for questions."""

    def __init__(self, inputs: TokenInputs, passages: KeptPassages | None = None) -> None:
        self._inputs, self._passages = inputs, passages or KeptPassages(inputs)

    def encoded(self, readings: Sequence[MentionReading]) -> list[MentionInput]:
        """Readings as inputs."""
        self._inputs.prepare(
            text for reading in readings for text in (reading.question, reading.title, reading.text)
        )
        texts = {reading.question for reading in readings}
        questions = {question: self._inputs.joined(question, "").ids[:-1] for question in texts}
        return [
            self._encoded(questions[reading.question], self._passages.of(reading)) for reading in readings
        ]

    def _encoded(self, question: Numbers, passage: PassageTokens) -> MentionInput:
        room = self._inputs.tokens - len(question) - 1
        ids = np.concatenate([question, passage.ids[:room], self._inputs.end])
        kept = passage.last < len(ids) - len(question) - 1
        first, last = passage.first[kept] + len(question), passage.last[kept] + len(question)
        return MentionInput(TokenInput(ids, (1, len(question))), first, last, passage.indices[kept])


def by_entity(reading: MentionReading, indices: Numbers, scores: Sequence[float]) -> dict[str, float]:
    """The greatest score of each entity that a mention may mean; `indices` are those of the mentions."""
    best: dict[str, float] = {}
    for index, score in zip(indices, scores, strict=True):
        for entity in reading.mentions[index].entities:
            best[entity] = max(best.get(entity, 0.0), score)
    return best


# What a passage teaches about the entities it mentions: which are answers that it proves. An answer's
# mention is labelled by the share of the answer's facts that the passage proves. A mention of an answer
# in a passage without evidence for it is left out: it may state the fact in words that were not
# recognised. Every other mention is not an answer.


class MentionLabels:
    """The labels of mentions, for one training example."""

    def __init__(self, example: TrainingExample) -> None:
        self._by_id: dict[str, int] = {}
        self._by_name: dict[str, int] = {}
        for index, answer in enumerate(example.answers):
            if answer.id is not None:
                self._by_id[answer.id] = index
            else:
                self._by_name |= {fold(name): index for name in (answer.label, *answer.aliases)}

    def of(self, passage: LabelledPassage) -> list[float | None]:
        """The label of each mention of a passage; None for one that is not learned."""
        return [self.label(passage, mention) for mention in passage.mentions]

    def label(self, passage: LabelledPassage, mention: LinkedMention) -> float | None:
        """The label of one mention."""
        indices = {self._by_id[entity] for entity in mention.entities if entity in self._by_id}
        if self._by_name:
            text = passage.title if mention.where == "title" else passage.text
            name = fold(text[mention.start : mention.end])
            indices |= {self._by_name[name]} if name in self._by_name else set()
        if not indices:
            return 0.0
        return max((passage.proves[index] for index in indices if index in passage.proves), default=None)


def drawn_passages(example: TrainingExample, negatives: int, seed: int) -> list[LabelledPassage]:
    """The passages of a training example for one epoch: all that prove something, and some of the others."""
    passages = example.passages
    others = [passage for passage in passages if not passage.proves]
    draw = random.Random(f"{seed} {example.id}")
    return [
        *example.proofs,
        *(passage for passage in passages if passage.proves),
        *draw.sample(others, min(negatives, len(others))),
    ]


def check_mentions(examples: Sequence[TrainingExample], of: str) -> None:
    """Refuse training examples that were made without a graph."""
    if not any(passage.mentions for example in examples for passage in (*example.passages, *example.proofs)):
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
    entity_scores: defaultdict[str, list[float]] = defaultdict(list)
    for scores in passages:
        for entity, score in scores.items():
            entity_scores[entity].append(score)
    return {entity: over_passages(scores, combination) for entity, scores in entity_scores.items()}


def answers(passages: Sequence[Mapping[str, float]], settings: EntitySettings) -> list[EntityAnswer]:
    """The entities above the threshold, the most certain first."""
    scores = combined(passages, settings.combination)
    ranked = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
    return [EntityAnswer(entity) for entity, score in ranked if score >= settings.threshold]


def tuned(
    scores: Sequence[Sequence[Mapping[str, float]]], examples: Sequence[TrainingExample], length: int
) -> EntitySettings:
    """The combination and the threshold of the greatest F1."""
    gold = [{answer.id or answer.label for answer in example.answers} for example in examples]
    best = best_combination(
        lambda combination: [
            judged(combined(question_scores, combination), right)
            for question_scores, right in zip(scores, gold, strict=True)
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
        return figures([[*answers(passage_scores, settings)] for passage_scores in scores], examples)

    def save(self, folder: Path, examples: Sequence[TrainingExample]) -> None:
        settings = tuned(self._by_example(examples), examples, self._encoder.inputs.tokens)
        self._encoder.save(folder)
        write_settings(folder / self.settings_file, settings)

    def _by_example(self, examples: Sequence[TrainingExample]) -> list[list[dict[str, float]]]:
        scores = iter(self.scores(readings_of(examples)))
        return [[next(scores) for _ in example.passages] for example in examples]


# `mention-scorer`: how likely each linked mention of a passage is an answer that the passage proves.
# Question, title and text go through the encoder once, and all mentions are judged by the states of
# their first and last tokens and the state of the first token of all. So a passage costs one pass,
# no matter how many entities it names.

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

        states = self.states([mention_input.tokens for mention_input in inputs])
        rows = np.repeat(np.arange(len(inputs)), [len(mention_input.first) for mention_input in inputs])
        ends = (
            np.concatenate([mention_input[field] for mention_input in inputs]).astype(np.int64)
            for field in (1, 2)
        )
        row, first, last = (torch.from_numpy(numbers).to(states.device) for numbers in (rows, *ends))
        return self.head(
            "mention", torch.cat([states[row, first], states[row, last], states[row, 0]], dim=-1)
        )

    def scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        """For each reading the entities that its mentions may mean, with their greatest probabilities."""
        import torch

        inputs = self.encoded(readings)

        probabilities = self.read(
            inputs,
            lambda mention_input: len(mention_input.tokens.ids),
            lambda mention_input: len(mention_input.first),
            lambda batch: torch.sigmoid(self.logits(batch)),
        )
        return [
            by_entity(reading, mention_input.mentions, scores)
            for reading, mention_input, scores in zip(readings, inputs, probabilities, strict=True)
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
            mention_labels = MentionLabels(example)
            for passage in drawn_passages(example, self._options.negatives, seed):
                learned = mention_labels.of(passage)
                if any(label is not None for label in learned):
                    readings.append(
                        MentionReading(example.question, passage.title, passage.text, passage.mentions)
                    )
                    labels.append(learned)
        return [
            item
            for mention_input, learned in zip(self._network.encoded(readings), labels, strict=True)
            if (item := _learned(mention_input, learned)).labels
        ]

    def size(self, item: MentionItem) -> int:
        return len(item.input.tokens.ids)

    def loss(self, items: Sequence[MentionItem]) -> "torch.Tensor":
        """The mean over examples of the sum over mentions, each of which is one decision."""
        import torch

        logits = self._network.logits([item.input for item in items])
        labels = torch.tensor([label for item in items for label in item.labels], device=logits.device)
        losses = torch.nn.functional.binary_cross_entropy_with_logits(logits, labels, reduction="sum")
        return losses / len(items)

    def scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        return self._network.scores(readings)


def _learned(mention_input: MentionInput, labels: Sequence[float | None]) -> MentionItem:
    """The mentions of an input that have labels."""
    kept = np.array([labels[index] is not None for index in mention_input.mentions], bool)
    cut = MentionInput(
        mention_input.tokens,
        mention_input.first[kept],
        mention_input.last[kept],
        mention_input.mentions[kept],
    )
    return MentionItem(cut, [label for index in cut.mentions if (label := labels[index]) is not None])


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
    """An entity that a passage mentions: its name there, what it is, and the indices of its mentions."""

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
            (reading, candidate, f"{candidate.name} ({candidate.kind})" if candidate.kind else candidate.name)
            for reading, candidate in pairs
        ]
        self.inputs.prepare(
            text
            for reading, _, name in named
            for text in (reading.question, reading.title, reading.text, name)
        )
        return [self._encoded(*named_pair) for named_pair in named]

    def _encoded(self, reading: MentionReading, candidate: PassageCandidate, name: str) -> TokenInput:
        passage = self.passages.of(reading)
        head = self.inputs.joined(reading.question, name, "")
        marked = np.isin(passage.indices, candidate.mentions)
        positions = np.concatenate([passage.first[marked], passage.last[marked] + 1])
        ids = np.insert(
            passage.ids, np.repeat(positions, len(self._mark)), np.tile(self._mark, len(positions))
        )
        before = head.ids[:-1]
        room = self.inputs.tokens - len(before) - 1
        return TokenInput(np.concatenate([before, ids[:room], self.inputs.end]), head.starts[:2])

    @property
    def _mark(self) -> "np.ndarray[tuple[int], np.dtype[np.int32]]":
        return self.inputs.of(_MARK).ids


class CandidateReading:
    """Scores the candidates of passages, all or those that a mention scorer leaves."""

    def __init__(self, network: CandidateNetwork, first: MentionNetwork | None, least: float) -> None:
        self.network, self._first, self._least = network, first, least

    def candidates(self, readings: Sequence[MentionReading]) -> list[list[PassageCandidate]]:
        """The candidates of each reading."""
        candidates = [candidates_of(reading) for reading in readings]
        if self._first is None:
            return candidates
        scores = self._first.scores(readings)
        return [
            [
                candidate
                for candidate in reading_candidates
                if reading_scores.get(candidate.entity, 0.0) >= self._least
            ]
            for reading_candidates, reading_scores in zip(candidates, scores, strict=True)
        ]

    def scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        """For each reading its candidates with their probabilities."""
        candidates = self.candidates(readings)
        pairs = [
            (reading, candidate)
            for reading, reading_candidates in zip(readings, candidates, strict=True)
            for candidate in reading_candidates
        ]
        inputs = self.network.encoded(pairs)

        scores = iter(self.network.probabilities(inputs))
        return [
            {candidate.entity: next(scores) for candidate in reading_candidates}
            for reading_candidates in candidates
        ]


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
        drawn = [pair for example in examples for pair in self._drawn(example, seed)]
        inputs = self._network.encoded([(reading, candidate) for reading, candidate, _ in drawn])
        return [CandidateItem(tokens, label) for tokens, (*_, label) in zip(inputs, drawn, strict=True)]

    def size(self, item: CandidateItem) -> int:
        return len(item.tokens.ids)

    def loss(self, items: Sequence[CandidateItem]) -> "torch.Tensor":
        import torch

        logits = self._network.logits([item.tokens for item in items])
        labels = torch.tensor([item.label for item in items], device=logits.device)
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
        pairs = self._pairs[example.id]
        others = [pair for pair in pairs if pair[2] == 0.0]
        draw = random.Random(f"{seed} {example.id}")
        return [
            *(pair for pair in pairs if pair[2] > 0.0),
            *draw.sample(others, min(self._options.negatives, len(others))),
        ]

    def _labelled(self, example: TrainingExample) -> list[tuple[MentionReading, PassageCandidate, float]]:
        """Candidates with labels: right ones by all passages, others as the mention scorer leaves them."""
        labels = MentionLabels(example)
        passages = [*example.passages, *example.proofs]
        readings = [
            MentionReading(example.question, passage.title, passage.text, passage.mentions)
            for passage in passages
        ]
        left = [
            {candidate.entity for candidate in candidates}
            for candidates in self._reading.candidates(readings)
        ]
        labelled = []
        for passage, reading, kept in zip(passages, readings, left, strict=True):
            for candidate in candidates_of(reading):
                mention = passage.mentions[candidate.mentions[0]]
                alone = LinkedMention(mention.start, mention.end, mention.where, (candidate.entity,))
                label = labels.label(passage, alone)
                if label is not None and (label > 0.0 or candidate.entity in kept):
                    labelled.append((reading, candidate, label))
        return labelled


def candidates_of(reading: MentionReading) -> list[PassageCandidate]:
    """The entities that a passage mentions, each by its longest name there."""
    mention_indices: dict[str, list[int]] = {}
    kinds: dict[str, str] = {}
    for index, mention in enumerate(reading.mentions):
        for number, entity in enumerate(mention.entities):
            mention_indices.setdefault(entity, []).append(index)
            kinds[entity] = mention.kinds[number] if mention.kinds else ""
    return [
        PassageCandidate(
            entity, max((_name(reading, index) for index in indices), key=len), kinds[entity], tuple(indices)
        )
        for entity, indices in mention_indices.items()
    ]


def opened_first(folder: Path | str | None) -> MentionNetwork | None:
    """The mention scorer that leaves candidates out, if there is one."""
    if folder is None:
        return None
    read_about(folder, MENTION_SYSTEM)
    settings = read_settings(Path(folder) / MENTION_SETTINGS, EntitySettings)
    return MentionNetwork.load(folder, MENTION_HEADS, settings.length)


def _name(reading: MentionReading, index: int) -> str:
    mention = reading.mentions[index]
    text = reading.title if mention.where == "title" else reading.text
    return text[mention.start : mention.end]
