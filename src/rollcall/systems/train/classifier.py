"""`classifier`: decides for each candidate of the closed setting whether it is an answer (RoMQA).

It reads "candidate ; question ; evidence" in one pass for each candidate. The evidence is none, sentences of
the retrieved passages that name the candidate, or what the set has as gold evidence, which is an upper bound.
"""

import random
import re
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
from rollcall.text.sentences import split

if TYPE_CHECKING:
    import torch


# What is read about a candidate: nothing, retrieved sentences that name it, or its gold evidence.
# RoMQA's published code writes the whole record of a candidate into its input, in which the gold files
# say whether it is an answer. Here only its name and the chosen sentences are read.

EvidenceKind: TypeAlias = Literal["none", "retrieved", "gold"]
_MOST = 10
"""Sentences for a candidate, as in the publication."""
_SPACE = re.compile(r"\s+")


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
    places: dict[str, list[int]] = {}
    for place, one in enumerate(candidates):
        for name in {_key(name) for name in (one.label, *one.aliases)} - {""}:
            places.setdefault(name, []).append(place)
    found: list[list[str]] = [[] for _ in candidates]
    if not places:
        return ["" for _ in candidates]
    written = "|".join(
        r"\s+".join(map(re.escape, name.split(" "))) for name in sorted(places, key=len, reverse=True)
    )
    expression = re.compile(rf"(?<!\w)(?:{written})(?!\w)", re.IGNORECASE)

    def named(text: str) -> set[int]:
        return {place for one in expression.findall(text) for place in places.get(_key(one), ())}

    for passage in passages:
        owners = named(passage.title)
        for start, end in split(passage.text):
            sentence = passage.text[start:end]
            for place in sorted(owners | named(sentence)):
                if len(found[place]) < _MOST:
                    found[place].append(f"{passage.title}: {sentence}" if passage.title else sentence)
    return [" ".join(these) for these in found]


def gold_evidence(candidate: Candidate) -> str:
    """The evidence that the set has for a candidate."""
    return " ".join(dict.fromkeys(one.text for one in candidate.evidence if one.text))


def _key(name: str) -> str:
    return _SPACE.sub(" ", name).strip().casefold()


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
        found = []
        for example in examples:
            draw = random.Random(f"{seed} {example.id}")
            number = len(example.candidates)
            places = draw.sample(range(number), min(self._options.candidates, number))
            if places:
                inputs = self._encoder.encoded_texts([self._inputs(example)[place] for place in places])
                labels = [float(example.candidates[place].is_answer) for place in places]
                found.append(ClassifierItem(inputs, labels))
        return found

    def size(self, item: ClassifierItem) -> int:
        return len(item.inputs) * max(len(one.ids) for one in item.inputs)

    def loss(self, items: Sequence[ClassifierItem]) -> "torch.Tensor":
        """The mean over questions of the mean over candidates."""
        import torch

        logits = self._encoder.logits([one for item in items for one in item.inputs])
        parts = torch.split(logits, [len(one.inputs) for one in items])
        losses = [
            torch.nn.functional.binary_cross_entropy_with_logits(part, part.new_tensor(one.labels))
            for part, one in zip(parts, items, strict=True)
        ]
        return torch.stack(losses).mean()

    def evaluate(self, examples: Sequence[TrainingExample]) -> dict[str, float]:
        """F1, precision and recall over the questions with candidates."""
        asked = [one for one in examples if one.candidates]
        _check(asked)
        scores = self._scores(asked)
        threshold = self._threshold(asked, scores)
        given = [
            [
                Offered(one.label, one.id).answer()
                for one, score in zip(example.candidates, these, strict=True)
                if score >= threshold
            ]
            for example, these in zip(asked, scores, strict=True)
        ]
        return figures(given, asked)

    def save(self, folder: Path, examples: Sequence[TrainingExample]) -> None:
        asked = [one for one in examples if one.candidates]
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
                evidence = [gold_evidence(one) for one in example.candidates]
            self._texts[example.id] = [
                written(one.label, example.question, text)
                for one, text in zip(example.candidates, evidence, strict=True)
            ]
        return self._texts[example.id]

    def _scores(self, examples: Sequence[TrainingExample]) -> list[list[float]]:
        texts = [text for one in examples for text in self._inputs(one)]
        found = iter(self._encoder.probabilities(self._encoder.encoded_texts(texts)))
        return [[next(found) for _ in one.candidates] for one in examples]

    def _threshold(self, examples: Sequence[TrainingExample], scores: Sequence[Sequence[float]]) -> float:
        if not self._options.tune:
            return 0.5
        judged = [
            ScoredQuestion(these, [one.is_answer for one in example.candidates], len(example.answers))
            for example, these in zip(examples, scores, strict=True)
        ]
        return best_threshold(judged).threshold


def written(candidate: str, question: str, evidence: str) -> str:
    """What is read for a candidate."""
    return " ; ".join(part for part in (candidate, question, evidence) if part)


def _check(examples: Sequence[TrainingExample]) -> None:
    if not any(one.candidates for one in examples):
        raise RollcallError("no question offers candidates; the classifier is for the closed setting")
