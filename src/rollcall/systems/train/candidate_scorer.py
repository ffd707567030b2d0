"""`candidate-scorer`: how likely one candidate is an answer that a passage proves, judged by itself.

The encoder reads question, candidate and passage, in which the candidate's mentions are marked. That is one
pass for each candidate, so a trained `mention-scorer` may leave out those that are hardly answers; it is then
kept in the folder.
"""

import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rollcall.systems.read.linking import LinkedMention
from rollcall.systems.train import TRAINABLES, mention_scorer
from rollcall.systems.train.base import Base
from rollcall.systems.train.entity_answers import EntitySettings
from rollcall.systems.train.entity_trainable import EntityOptions, EntityTrainable
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.mention_labels import MentionLabels, check_mentions
from rollcall.systems.train.mention_scorer import MentionNetwork
from rollcall.systems.train.model_folder import read_about, read_settings
from rollcall.systems.train.options import Count, Share, TrainingOptions
from rollcall.systems.train.passage_tokens import MentionReading
from rollcall.systems.train.text_network import HEADS, TextNetwork
from rollcall.systems.train.token_inputs import TokenInput

if TYPE_CHECKING:
    import torch

SYSTEM = "candidate-scorer"
SETTINGS = "candidate_scorer.json"
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


class CandidateExample(NamedTuple):
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


@TRAINABLES.register(SYSTEM)
class CandidateScorer(EntityTrainable[CandidateExample]):
    """Scores one candidate of a passage at a time, in one pass of an encoder each."""

    Options = CandidateScorerOptions
    settings_file = SETTINGS

    def __init__(self, options: CandidateScorerOptions, network: CandidateNetwork) -> None:
        super().__init__(network)
        self._options, self._network = options, network
        self._reading = CandidateReading(network, opened_first(options.first), options.least)
        self._pairs: dict[str, list[tuple[MentionReading, PassageCandidate, float]]] = {}

    @classmethod
    def start(cls, options: TrainingOptions, base: Base) -> "CandidateScorer":
        assert isinstance(options, CandidateScorerOptions)
        return cls(options, CandidateNetwork.start(base, HEADS, options.length, options.seed))

    def examples(self, exercises: Sequence[Exercise], seed: int) -> list[CandidateExample]:
        check_mentions(exercises, SYSTEM)
        drawn = [pair for one in exercises for pair in self._drawn(one, seed)]
        inputs = self._network.encoded([(reading, candidate) for reading, candidate, _ in drawn])
        return [CandidateExample(one, label) for one, (*_, label) in zip(inputs, drawn, strict=True)]

    def size(self, example: CandidateExample) -> int:
        return len(example.tokens.ids)

    def loss(self, examples: Sequence[CandidateExample]) -> "torch.Tensor":
        import torch

        logits = self._network.logits([one.tokens for one in examples])
        labels = torch.tensor([one.label for one in examples], device=logits.device)
        return torch.nn.functional.binary_cross_entropy_with_logits(logits, labels)

    def scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        return self._reading.scores(readings)

    def save(self, folder: Path, exercises: Sequence[Exercise]) -> None:
        super().save(folder, exercises)
        if self._options.first is not None:
            shutil.copytree(self._options.first, folder / FIRST)

    def _drawn(self, exercise: Exercise, seed: int) -> list[tuple[MentionReading, PassageCandidate, float]]:
        """The pairs of an exercise for one epoch: all right ones, and some others."""
        if exercise.id not in self._pairs:
            self._pairs[exercise.id] = self._labelled(exercise)
        every = self._pairs[exercise.id]
        others = [one for one in every if one[2] == 0.0]
        draw = random.Random(f"{seed} {exercise.id}")
        return [
            *(one for one in every if one[2] > 0.0),
            *draw.sample(others, min(self._options.negatives, len(others))),
        ]

    def _labelled(self, exercise: Exercise) -> list[tuple[MentionReading, PassageCandidate, float]]:
        """Candidates with labels: right ones by all passages, others as the mention scorer leaves them."""
        labels = MentionLabels(exercise)
        passages = [*exercise.passages, *exercise.proofs]
        readings = [MentionReading(exercise.question, one.title, one.text, one.mentions) for one in passages]
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
    read_about(folder, mention_scorer.SYSTEM)
    settings = read_settings(Path(folder) / mention_scorer.SETTINGS, EntitySettings)
    return MentionNetwork.load(folder, mention_scorer.HEADS, settings.length)


def _name(reading: MentionReading, place: int) -> str:
    mention = reading.mentions[place]
    text = reading.title if mention.where == "title" else reading.text
    return text[mention.start : mention.end]
