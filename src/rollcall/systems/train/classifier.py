"""`classifier`: decides for each candidate of the closed setting whether it is an answer (RoMQA).

It reads "candidate ; question ; evidence" in one pass for each candidate. The evidence is none, sentences of
the retrieved passages that name the candidate, or what the set has as gold evidence, which is an upper bound.
"""

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, Protocol, TypeAlias

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.questions.record import Candidate
from rollcall.systems.interfaces import Offered
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.base import MINILM, BaseCheckpoint, required_transformers
from rollcall.systems.train.encoder_network import TEXT_HEADS, TextNetwork
from rollcall.systems.train.model_folder import write_settings
from rollcall.systems.train.selection import ScoredQuestion, best_threshold, figures
from rollcall.systems.train.token_inputs import TokenInput
from rollcall.systems.train.trainable import Positive, Trainable, TrainingOptions
from rollcall.systems.train.training_example import TrainingExample
from rollcall.text.names import NamePattern
from rollcall.text.sentences import split
from rollcall.text.words import fold

if TYPE_CHECKING:
    import torch


# What is read about a candidate: nothing, retrieved sentences that name it, or its gold evidence.
# RoMQA's published code writes the whole record of a candidate into its input, in which the gold files
# say whether it is an answer. Here only its name and the chosen sentences are read.

EvidenceKind: TypeAlias = Literal["none", "retrieved", "gold"]
_MOST = 10
"""Sentences for a candidate, as in the publication."""


class NamedCandidate(Protocol):
    """A candidate as a system may see it."""

    @property
    def label(self) -> str: ...

    @property
    def aliases(self) -> Sequence[str]: ...


class PassageText(Protocol):
    """A passage."""

    @property
    def title(self) -> str: ...

    @property
    def text(self) -> str: ...


def retrieved_evidence(candidates: Sequence[NamedCandidate], passages: Sequence[PassageText]) -> list[str]:
    """For each candidate the sentences that name it, of the best passages first, each with its title.

    On a page whose title names a candidate, all sentences are about it.
    """
    indices: dict[str, set[int]] = {}
    for index, candidate in enumerate(candidates):
        for name in (candidate.label, *candidate.aliases):
            indices.setdefault(fold(name), set()).add(index)
    pattern = NamePattern(name for candidate in candidates for name in (candidate.label, *candidate.aliases))
    evidence: list[list[str]] = [[] for _ in candidates]

    def named(text: str) -> set[int]:
        return {
            index for start, end in pattern.places(text) for index in indices.get(fold(text[start:end]), ())
        }

    for passage in passages:
        owners = named(passage.title)
        for start, end in split(passage.text):
            sentence = passage.text[start:end]
            for index in sorted(owners | named(sentence)):
                if len(evidence[index]) < _MOST:
                    evidence[index].append(f"{passage.title}: {sentence}" if passage.title else sentence)
    return [" ".join(sentences) for sentences in evidence]


def gold_evidence(candidate: Candidate) -> str:
    """The evidence that the set has for a candidate."""
    return " ".join(dict.fromkeys(sentence.text for sentence in candidate.evidence if sentence.text))


CLASSIFIER_SYSTEM = "classifier"
CLASSIFIER_SETTINGS = "classifier.json"


class ClassifierOptions(TrainingOptions, frozen=True, kw_only=True):
    """How the classifier is trained."""

    batch: Positive = 4
    """The number of questions for each step."""
    evidence: EvidenceKind = "retrieved"
    """What is read about a candidate besides the question: nothing, sentences of the retrieved passages that
    name it, or the evidence of the set."""
    candidates: Positive = 30
    """How many candidates of a question are drawn for each epoch."""
    length: Positive = 256
    """The greatest number of tokens of an input."""
    tune: bool = True
    """Tune the least probability of an answer on dev; otherwise it is one half."""


class ClassifierSettings(msgspec.Struct, frozen=True):
    """What a trained classifier keeps beside its weights."""

    length: int
    evidence: EvidenceKind
    threshold: float = 0.5


class ClassifierItem(NamedTuple):
    """Some candidates of a question, and which are answers."""

    inputs: Sequence[TokenInput]
    labels: Sequence[float]


@TRAINABLES.register(CLASSIFIER_SYSTEM)
class Classifier(Trainable[ClassifierItem]):
    """Decides for each candidate of the closed setting, alone or with evidence (RoMQA)."""

    Options = ClassifierOptions
    bases = ("encoder", "encoder-decoder")
    default_base: ClassVar[str | None] = MINILM
    presets: ClassVar[Mapping[str, Mapping[str, object]]] = {
        "romqa": {"batch": 1, "candidates": 30, "length": 256, "learning_rate": 1e-6, "tune": False}
    }

    def __init__(self, options: ClassifierOptions, network: TextNetwork) -> None:
        self._options, self._encoder = options, network
        self.network = network.module
        self._texts: dict[str, list[str]] = {}

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        return isinstance(options, ClassifierOptions) and options.evidence == "retrieved"

    @classmethod
    def start(cls, options: TrainingOptions, base: BaseCheckpoint) -> "Classifier":
        assert isinstance(options, ClassifierOptions)
        if base.kind == "encoder-decoder":  # without the head that writes words
            network = required_transformers().AutoModel.from_pretrained(base.name)
            base = base._replace(network=network.float())
        return cls(options, TextNetwork.start(base, TEXT_HEADS, options.length, options.seed))

    def encode_examples(self, examples: Sequence[TrainingExample], seed: int) -> list[ClassifierItem]:
        _check(examples)
        items = []
        for example in examples:
            draw = random.Random(f"{seed} {example.id}")
            number = len(example.candidates)
            indices = draw.sample(range(number), min(self._options.candidates, number))
            if indices:
                inputs = self._encoder.encoded_texts([self._inputs(example)[index] for index in indices])
                labels = [float(example.candidates[index].is_answer) for index in indices]
                items.append(ClassifierItem(inputs, labels))
        return items

    def size(self, item: ClassifierItem) -> int:
        return len(item.inputs) * max(len(tokens.ids) for tokens in item.inputs)

    def loss(self, items: Sequence[ClassifierItem]) -> "torch.Tensor":
        """The mean over questions of the mean over candidates."""
        import torch

        logits = self._encoder.logits([tokens for item in items for tokens in item.inputs])
        parts = torch.split(logits, [len(item.inputs) for item in items])
        losses = [
            torch.nn.functional.binary_cross_entropy_with_logits(part, part.new_tensor(item.labels))
            for part, item in zip(parts, items, strict=True)
        ]
        return torch.stack(losses).mean()

    def evaluate(self, examples: Sequence[TrainingExample]) -> dict[str, float]:
        """F1, precision and recall over the questions with candidates."""
        asked = [example for example in examples if example.candidates]
        _check(asked)
        scores = self._scores(asked)
        threshold = self._threshold(asked, scores)
        answers = [
            [
                Offered(candidate.label, candidate.id).answer()
                for candidate, score in zip(example.candidates, example_scores, strict=True)
                if score >= threshold
            ]
            for example, example_scores in zip(asked, scores, strict=True)
        ]
        return figures(answers, asked)

    def save(self, folder: Path, examples: Sequence[TrainingExample]) -> None:
        asked = [example for example in examples if example.candidates]
        threshold = self._threshold(asked, self._scores(asked))
        settings = ClassifierSettings(self._encoder.inputs.tokens, self._options.evidence, threshold)
        self._encoder.save(folder)
        write_settings(folder / CLASSIFIER_SETTINGS, settings)

    def _inputs(self, example: TrainingExample) -> list[str]:
        """The text that is read for each candidate."""
        if example.id not in self._texts:
            kind = self._options.evidence
            evidence = ["" for _ in example.candidates]
            if kind == "retrieved":
                evidence = retrieved_evidence(example.candidates, example.passages)
            elif kind == "gold":
                evidence = [gold_evidence(candidate) for candidate in example.candidates]
            self._texts[example.id] = [
                written(candidate.label, example.question, text)
                for candidate, text in zip(example.candidates, evidence, strict=True)
            ]
        return self._texts[example.id]

    def _scores(self, examples: Sequence[TrainingExample]) -> list[list[float]]:
        texts = [text for example in examples for text in self._inputs(example)]
        scores = iter(self._encoder.probabilities(self._encoder.encoded_texts(texts)))
        return [[next(scores) for _ in example.candidates] for example in examples]

    def _threshold(self, examples: Sequence[TrainingExample], scores: Sequence[Sequence[float]]) -> float:
        if not self._options.tune:
            return 0.5
        judged = [
            ScoredQuestion(
                example_scores,
                [candidate.is_answer for candidate in example.candidates],
                len(example.answers),
            )
            for example, example_scores in zip(examples, scores, strict=True)
        ]
        return best_threshold(judged).threshold


def written(candidate: str, question: str, evidence: str) -> str:
    """What is read for a candidate."""
    return " ; ".join(part for part in (candidate, question, evidence) if part)


def _check(examples: Sequence[TrainingExample]) -> None:
    if not any(example.candidates for example in examples):
        raise RollcallError("no question offers candidates; the classifier is for the closed setting")
