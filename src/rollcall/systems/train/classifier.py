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
from rollcall.systems.train.base import MINILM, Base, required_transformers
from rollcall.systems.train.encoder_network import TEXT_HEADS, TextNetwork
from rollcall.systems.train.exercise import Exercise
from rollcall.systems.train.model_folder import write_settings
from rollcall.systems.train.selection import Judged, best_threshold, figures
from rollcall.systems.train.token_inputs import TokenInput
from rollcall.systems.train.trainable import Positive, Trainable, TrainingOptions
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


class Named(Protocol):
    """A candidate as a system may see it."""

    @property
    def label(self) -> str: ...

    @property
    def aliases(self) -> Sequence[str]: ...


class Text(Protocol):
    """A passage."""

    @property
    def title(self) -> str: ...

    @property
    def text(self) -> str: ...


def retrieved_evidence(candidates: Sequence[Named], passages: Sequence[Text]) -> list[str]:
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


class ClassifierExample(NamedTuple):
    """Some candidates of a question, and which are answers."""

    inputs: Sequence[TokenInput]
    labels: Sequence[float]


@TRAINABLES.register(CLASSIFIER_SYSTEM)
class Classifier(Trainable[ClassifierExample]):
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
    def start(cls, options: TrainingOptions, base: Base) -> "Classifier":
        assert isinstance(options, ClassifierOptions)
        if base.kind == "encoder-decoder":  # without the head that writes words
            network = required_transformers().AutoModel.from_pretrained(base.name)
            base = base._replace(network=network.float())
        return cls(options, TextNetwork.start(base, TEXT_HEADS, options.length, options.seed))

    def examples(self, exercises: Sequence[Exercise], seed: int) -> list[ClassifierExample]:
        _check(exercises)
        found = []
        for exercise in exercises:
            draw = random.Random(f"{seed} {exercise.id}")
            number = len(exercise.candidates)
            places = draw.sample(range(number), min(self._options.candidates, number))
            if places:
                inputs = self._encoder.encoded_texts([self._inputs(exercise)[place] for place in places])
                labels = [float(exercise.candidates[place].is_answer) for place in places]
                found.append(ClassifierExample(inputs, labels))
        return found

    def size(self, example: ClassifierExample) -> int:
        return len(example.inputs) * max(len(one.ids) for one in example.inputs)

    def loss(self, examples: Sequence[ClassifierExample]) -> "torch.Tensor":
        """The mean over questions of the mean over candidates."""
        import torch

        logits = self._encoder.logits([one for example in examples for one in example.inputs])
        parts = torch.split(logits, [len(one.inputs) for one in examples])
        losses = [
            torch.nn.functional.binary_cross_entropy_with_logits(part, part.new_tensor(one.labels))
            for part, one in zip(parts, examples, strict=True)
        ]
        return torch.stack(losses).mean()

    def evaluate(self, exercises: Sequence[Exercise]) -> dict[str, float]:
        """F1, precision and recall over the questions with candidates."""
        asked = [one for one in exercises if one.candidates]
        _check(asked)
        scores = self._scores(asked)
        threshold = self._threshold(asked, scores)
        given = [
            [
                Offered(one.label, one.id).answer()
                for one, score in zip(exercise.candidates, these, strict=True)
                if score >= threshold
            ]
            for exercise, these in zip(asked, scores, strict=True)
        ]
        return figures(given, asked)

    def save(self, folder: Path, exercises: Sequence[Exercise]) -> None:
        asked = [one for one in exercises if one.candidates]
        threshold = self._threshold(asked, self._scores(asked))
        settings = ClassifierSettings(self._encoder.inputs.tokens, self._options.evidence, threshold)
        self._encoder.save(folder)
        write_settings(folder / CLASSIFIER_SETTINGS, settings)

    def _inputs(self, exercise: Exercise) -> list[str]:
        """The text that is read for each candidate."""
        if exercise.id not in self._texts:
            kind = self._options.evidence
            evidence = ["" for _ in exercise.candidates]
            if kind == "retrieved":
                evidence = retrieved_evidence(exercise.candidates, exercise.passages)
            elif kind == "gold":
                evidence = [gold_evidence(one) for one in exercise.candidates]
            self._texts[exercise.id] = [
                written(one.label, exercise.question, text)
                for one, text in zip(exercise.candidates, evidence, strict=True)
            ]
        return self._texts[exercise.id]

    def _scores(self, exercises: Sequence[Exercise]) -> list[list[float]]:
        texts = [text for one in exercises for text in self._inputs(one)]
        found = iter(self._encoder.probabilities(self._encoder.encoded_texts(texts)))
        return [[next(found) for _ in one.candidates] for one in exercises]

    def _threshold(self, exercises: Sequence[Exercise], scores: Sequence[Sequence[float]]) -> float:
        if not self._options.tune:
            return 0.5
        judged = [
            Judged(these, [one.is_answer for one in exercise.candidates], len(exercise.answers))
            for exercise, these in zip(exercises, scores, strict=True)
        ]
        return best_threshold(judged).threshold


def written(candidate: str, question: str, evidence: str) -> str:
    """What is read for a candidate."""
    return " ; ".join(part for part in (candidate, question, evidence) if part)


def _check(exercises: Sequence[Exercise]) -> None:
    if not any(one.candidates for one in exercises):
        raise RollcallError("no question offers candidates; the classifier is for the closed setting")
