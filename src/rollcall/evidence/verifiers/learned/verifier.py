"""The learned verifier: a small model that has read labelled text, combined with what this corpus teaches.

Without a graph and a corpus the model decides alone. With them `contrast` learns from both, and a combination
of the two is learned; if the model does not know the relations of this graph, its weights are adapted.
"""

import hashlib
import math
import re
import zipfile
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from rollcall._core.errors import UNREADABLE, RollcallError
from rollcall._core.files import Archive
from rollcall._core.onnx_networks import open_network, open_tokenizer
from rollcall.evidence.candidate import CandidateSentence, Places
from rollcall.evidence.verifiers.contrast.model import corrected_labels, sigmoid
from rollcall.evidence.verifiers.contrast.verifier import ContrastVerifier
from rollcall.evidence.verifiers.verifier import Reason, Verifier
from rollcall.wording import Lexicon
from rollcall.wording.labels import words_of_label

# Where the model of the learned verifier is: in the package `rollcall-models`, if it is installed.


def packaged_model() -> Path:
    """The folder of the packaged model."""
    try:
        from rollcall_models import statement_model
    except ImportError:
        raise RollcallError(
            "the verifier learned needs its model: pip install rollcall-models; or choose contrast"
        ) from None
    return Path(statement_model())


# What the model reads of a candidate: the words of the relation, and the sentence with both ends marked.
# The two ends are marked where they are closest to each other. An end that the sentence leaves out, or
# names by a pronoun, is put before the sentence. Words far from both ends are cut off, since they cost
# time and seldom matter. Base training, adaptation and use all read candidates in this way.

SUBJECT_MARKS = ("[unused1]", "[unused2]")
OBJECT_MARKS = ("[unused3]", "[unused4]")
"""Tokens that every BERT vocabulary has; where a text has them, they are not read."""
MARKS = (*SUBJECT_MARKS, *OBJECT_MARKS)
_BEFORE, _AFTER = 22, 16
"""How many words are read before the first and after the last end."""
_WORD = re.compile(r"\S+")
_QUALIFIER = re.compile(r"(?<=\S) \([^()]*\)$")
_MARK = re.compile("|".join(map(re.escape, MARKS)), re.IGNORECASE)
_LONGEST_RELATION = 100
"""How many characters of a relation are read: the tokenizer shortens only sentences."""

Place = tuple[int, int]


class VerifierInput(NamedTuple):
    """The two texts that the model reads."""

    relation: str
    sentence: str


def marked(candidate: CandidateSentence) -> str:
    """The sentence of a candidate with both ends marked."""
    text = _without_marks(candidate.text)
    subject, object_ = _nearest(candidate.subject_places, candidate.object_places)
    ends = (
        (subject, candidate.subject_name or candidate.subject, SUBJECT_MARKS),
        (object_, candidate.object_name or candidate.object, OBJECT_MARKS),
    )
    parts: list[str] = []
    placed: list[tuple[Place, tuple[str, str]]] = []
    for place, name, marks in ends:
        if place is None:
            parts.append(f"{marks[0]} {_QUALIFIER.sub('', _without_marks(name))} {marks[1]} :")
        else:
            placed.append((place, marks))
    placed.sort()
    position = 0
    for (start, end), (opening, closing) in placed:
        between = text[position:start]
        parts.append(_last_words(between) if position == 0 else between.strip())
        parts.append(f"{opening} {text[start:end]} {closing}")
        position = end
    parts.append(_first_words(text[position:]) if placed else text[: 8 * (_BEFORE + _AFTER)])
    return " ".join(part for part in parts if part)


def _nearest(subjects: Places, objects: Places) -> tuple[Place | None, Place | None]:
    """The places of both ends that are closest to each other and do not overlap."""
    apart = [
        (max(first[0], second[0]) - min(first[1], second[1]), first, second)
        for first in subjects
        for second in objects
        if first[1] <= second[0] or second[1] <= first[0]
    ]
    if apart:
        _distance, subject, object_ = min(apart)
        return subject, object_
    if objects:
        return None, objects[0]
    return (subjects[0] if subjects else None), None


def _without_marks(text: str) -> str:
    """A text with blanks for the marks in it, so that all places stay the same."""
    return _MARK.sub(lambda match: " " * len(match[0]), text)


def _last_words(text: str) -> str:
    words = list(_WORD.finditer(text))
    return text[words[-_BEFORE].start() :].strip() if len(words) > _BEFORE else text.strip()


def _first_words(text: str) -> str:
    words = list(_WORD.finditer(text))
    return text[: words[_AFTER - 1].end()].strip() if len(words) > _AFTER else text.strip()


class RelationWords:
    """The words of relations: their labels in the graph, or the lexicon's, as plain English."""

    def __init__(self, labels: dict[str, str], lexicon: Lexicon | None = None) -> None:
        self._labels, self._lexicon = labels, lexicon or Lexicon.load()
        self._words: dict[str, str] = {}

    def of(self, relation: str) -> str:
        """The words of a relation, by its id."""
        words = self._words.get(relation)
        if words is None:
            label = self._labels.get(relation)
            if label is None:
                label = self._lexicon.entry(relation).label if relation in self._lexicon else relation
            plain = words_of_label(_without_marks(label)).lower()
            words = self._words[relation] = plain[:_LONGEST_RELATION].strip()
        return words


# Combines the model with `contrast`, by what both say about examples of the user's corpus. Both give
# log-odds that a sentence states its fact. A logistic regression weighs them: on text like that of the
# model's training the model counts more, on text with wordings of its own `contrast` does, which learned
# from that text. Not every sentence that names both ends of a fact states it, so labels are corrected in
# rounds, as `contrast` does. Where `contrast` alone leaves no doubt, the model is not asked.

PRIOR = 0.3
"""The share of sentences that state their fact, for which scores are probabilities."""
_PRIOR_LOG_ODDS = math.log(PRIOR / (1 - PRIOR))
_ROUNDS = 4
_SHARES = [(model / 4, contrast / 4) for model in range(1, 5) for contrast in range(5)]
"""How much the model and `contrast` may count."""
_WORTHWHILE = 0.04
"""How much better, in log-likelihood of a sentence, a combination must be than the model alone."""
ALWAYS = 99.0
"""Beyond all log-odds."""
_MOST_LOGIT = 8.0
_LOST, _LEAST, _MOST = 0.04, 0.05, 0.25
"""The share of sentences believed to be true that the threshold loses, and its bounds."""
_CHANGED = 0.01
"""How much probabilities may change, on average, where the model is not asked."""
_FEWEST = 200
_BELIEVED = 0.5

Numbers = NDArray[np.float64]
Shares = tuple[float, float]


class Combination(msgspec.Struct, frozen=True):
    """How the log-odds of the model and of `contrast` become a probability."""

    constant: float
    model: float
    contrast: float
    threshold: float
    doubtful: tuple[float, float] = (-ALWAYS, ALWAYS)
    """Log-odds of `contrast` between which the model is asked."""
    expected: tuple[float, float] = (0.0, 0.0)
    """Constant and slope of what the model says elsewhere, by what `contrast` says."""

    def probabilities(self, model: Numbers, contrast: Numbers) -> Numbers:
        logits = self.constant + self.model * clipped(model) + self.contrast * clipped(contrast)
        return sigmoid(logits)

    def is_doubtful(self, contrast: Numbers) -> NDArray[np.bool_]:
        """Whether the model has to be asked."""
        return (contrast >= self.doubtful[0]) & (contrast <= self.doubtful[1])

    def without_model(self, contrast: Numbers) -> Numbers:
        """What the model would say, by what `contrast` says."""
        return self.expected[0] + self.expected[1] * clipped(contrast)


class Opinions(NamedTuple):
    """What the model and `contrast` say about sentences."""

    model: Numbers
    contrast: Numbers


def combine(
    alone: "Combination", stated: Opinions, groups: NDArray[np.int64], wrong: Opinions
) -> "Combination":
    """Learn how to combine, from sentences of known facts and of facts that do not hold.

    `alone` is how the model alone becomes a probability, which was learned from text that people labelled.
    Labels by the graph are worse, so this is changed only where `contrast` clearly helps.
    """
    model = alone.constant + alone.model * clipped(np.concatenate([stated.model, wrong.model]))
    contrast = clipped(np.concatenate([stated.contrast, wrong.contrast]))
    count = len(stated.model)
    best, labels = (1.0, 0.0), np.ones(count)
    line = (0.0, 1.0)
    answers, sureness = labels, labels
    for _ in range(_ROUNDS):
        logits = best[0] * model + best[1] * (line[0] + line[1] * contrast)
        labels = corrected_labels(sigmoid(logits[:count]), groups)
        answers = np.concatenate([labels, np.zeros(len(contrast) - count)])
        sureness = _sureness(labels, len(contrast))
        line = _calibrated(contrast, answers, sureness)
        contrast_logits = line[0] + line[1] * contrast
        losses = _losses(model, contrast_logits, answers, sureness)
        best = min(losses, key=lambda shares: losses[shares] + (0.0 if shares == (1.0, 0.0) else _WORTHWHILE))
    # A combination may also be better only because it shifts or flattens what the model says.
    shifted = _losses(model, np.full(len(model), _PRIOR_LOG_ODDS), answers, sureness)
    if best == (1.0, 0.0) or losses[best] + _WORTHWHILE > min(shifted.values()):
        return alone
    logits = best[0] * model + best[1] * (line[0] + line[1] * contrast)
    constant, slope = _calibrated(logits, answers, sureness)
    combination = Combination(
        constant + slope * (best[0] * alone.constant + best[1] * line[0]),
        slope * best[0] * alone.model,
        slope * best[1] * line[1],
        alone.threshold,
    )
    least = np.clip(_losing(_LOST, combination.probabilities(*stated), labels), _LEAST, _MOST)
    combination = msgspec.structs.replace(combination, threshold=round(float(least), 4))
    return _with_shortcuts(combination, stated, wrong)


def _losing(share: float, scores: Numbers, labels: Numbers) -> float:
    """The score below which a share of what is likely true is, each sentence by how likely it is."""
    order = np.argsort(scores, kind="stable")
    cumulative = np.cumsum(labels[order])
    index = int(np.searchsorted(cumulative, share * cumulative[-1])) if len(cumulative) else 0
    return float(scores[order[index]]) if index < len(order) else 0.0


def removed(stated: Opinions, groups: NDArray[np.int64], wrong: Opinions, combination: Combination) -> float:
    """The share of wrong facts below the 5 % of true ones with the lowest scores."""
    scores = combination.probabilities(*stated)
    labels = corrected_labels(scores, groups)
    believed = scores[labels >= _BELIEVED]
    if not len(believed) or not len(wrong.model):
        return 1.0
    return float(np.mean(combination.probabilities(*wrong) < np.quantile(believed, 0.05)))


def clipped(logits: Numbers) -> Numbers:
    """Log-odds within bounds, so that no single opinion decides."""
    return np.clip(logits, -_MOST_LOGIT, _MOST_LOGIT)


def log_odds(chances: Numbers) -> Numbers:
    """Probabilities as log-odds within bounds."""
    certain = sigmoid(np.array([_MOST_LOGIT]))[0]
    within = np.clip(chances, 1 - certain, certain)
    return np.log(within / (1 - within))


def _sureness(labels: Numbers, total: int) -> Numbers:
    """Weights by which true sentences have their share of all."""
    true = max(float(labels.sum()), 1e-9)
    of_true, of_false = PRIOR / true, (1 - PRIOR) / max(total - true, 1e-9)
    return np.concatenate(
        [labels * of_true + (1 - labels) * of_false, np.full(total - len(labels), of_false)]
    )


def _losses(model: Numbers, other: Numbers, answers: Numbers, sureness: Numbers) -> dict[Shares, float]:
    """The loss of each combination of two opinions."""
    return {shares: _loss(shares[0] * model + shares[1] * other, answers, sureness) for shares in _SHARES}


def _loss(logits: Numbers, answers: Numbers, sureness: Numbers) -> float:
    return float((sureness * (np.logaddexp(0, logits) - answers * logits)).sum() / sureness.sum())


def _calibrated(logits: Numbers, answers: Numbers, sureness: Numbers) -> tuple[float, float]:
    """Constant and slope that make log-odds fit answers: a logistic regression by Newton's method."""
    features = np.column_stack([np.ones(len(logits)), logits])
    weights, prior = np.array([0.0, 0.5]), np.array([0.0, 0.5])
    sure = sureness / sureness.sum() * len(logits)
    for _ in range(25):
        chances = sigmoid(features @ weights)
        gradient = features.T @ (sure * (chances - answers)) + (weights - prior)
        curve = (features.T * (sure * chances * (1 - chances))) @ features + np.eye(2)
        step = np.linalg.solve(curve, gradient)
        weights = weights - step
        if np.abs(step).max() < 1e-6:
            break
    return float(weights[0]), max(0.0, float(weights[1]))


def _with_shortcuts(combination: Combination, stated: Opinions, wrong: Opinions) -> Combination:
    """Find where `contrast` decides alone: beyond these log-odds, probabilities hardly change."""
    model = clipped(np.concatenate([stated.model, wrong.model]))
    contrast = clipped(np.concatenate([stated.contrast, wrong.contrast]))
    if len(model) < _FEWEST or contrast.std() == 0:
        return combination
    slope, constant = np.polyfit(contrast, model, 1)
    with_line = msgspec.structs.replace(combination, expected=(float(constant), float(slope)))
    exact = with_line.probabilities(model, contrast)
    changed = np.abs(exact - with_line.probabilities(with_line.without_model(contrast), contrast))
    order = np.argsort(contrast, kind="stable")
    low, high = _quiet(changed[order]), len(order) - _quiet(changed[order][::-1])
    if low >= high:
        low = high = len(order)
    bounds = (
        float(contrast[order[low]]) if 0 < low < len(order) else (-ALWAYS if low == 0 else ALWAYS),
        float(contrast[order[high - 1]]) if high < len(order) else ALWAYS,
    )
    return msgspec.structs.replace(with_line, doubtful=bounds)


def _quiet(changed: Numbers) -> int:
    """How many of the first changes are small on average."""
    means = np.cumsum(changed) / np.arange(1, len(changed) + 1)
    small = np.flatnonzero(means <= _CHANGED)
    return int(small[-1]) + 1 if len(small) else 0


# The model that scores readings: a small BERT encoder in int8, run by onnxruntime on a processor.
# Sentences are scored one by one, because int8 numbers are scaled by all sentences of a batch: a score
# would depend on what else is scored.


class Card(msgspec.Struct):
    """The description of a model: how its log-odds become probabilities."""

    constant: float
    slope: float
    threshold: float


class StatementModel:
    """The model in a folder, or one adapted from it, loaded when it is first used."""

    def __init__(self, folder: Path, adapted: bytes | None = None) -> None:
        self.folder, self.adapted = folder, adapted
        try:
            self._card = msgspec.json.decode((folder / "card.json").read_bytes(), type=Card)
        except OSError:
            raise RollcallError(
                f"{folder}: is not a model of the learned verifier: it has no card.json that can be read; "
                "name a folder that models/training/export.py and calibrate.py wrote"
            ) from None
        except UNREADABLE as error:
            raise RollcallError(
                f"{folder}: is not a model of the learned verifier; its card.json cannot be read: {error}"
            ) from None

    def __reduce__(self) -> tuple[type["StatementModel"], tuple[Path, bytes | None]]:
        return StatementModel, (self.folder, self.adapted)

    @property
    def calibration(self) -> Combination:
        """How the model's log-odds alone become probabilities."""
        return Combination(self._card.constant, self._card.slope, 0.0, self._card.threshold)

    @cached_property
    def fingerprint(self) -> str:
        """Identifies this model."""
        try:
            content = (self.folder / "model.onnx").read_bytes()
        except OSError as error:
            raise RollcallError(f"{self.folder}: is not a model of the learned verifier: {error}") from None
        return hashlib.sha256(content).hexdigest()[:16]

    @cached_property
    def tokenizer(self) -> Any:
        """The tokenizer of the `tokenizers` library."""
        return open_tokenizer(self.folder / "tokenizer.json", _OF)

    @cached_property
    def _session(self) -> Any:
        return open_network(self.adapted or self.folder / "model.onnx", self.folder, _OF)

    def logits(self, readings: Sequence[VerifierInput]) -> Numbers:
        """The log-odds that sentences state their relations; the same reading is scored once."""
        by_reading = {reading: self._logit(reading) for reading in dict.fromkeys(readings)}
        return np.array([by_reading[reading] for reading in readings], np.float64)

    def _logit(self, reading: VerifierInput) -> float:
        encoded = self.tokenizer.encode(reading.relation, reading.sentence)
        arrays = {
            "tokens": np.array([encoded.ids], np.int64),
            "mask": np.ones((1, len(encoded.ids)), np.int64),
            "types": np.array([encoded.type_ids], np.int64),
        }
        return float(self._session.run(["logit"], arrays)[0][0])


_OF = "the verifier learned"


ENOUGH = 0.7
"""The share of wrong facts, at 5 % of true ones lost, from which on weights are not adapted."""
_MEMBERS = ("about.json", "contrast.npz", "adapted.onnx")
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)


class LearnedParts(msgspec.Struct, frozen=True):
    """What a learned verifier is made of, besides its models."""

    labels: dict[str, str]
    combination: Combination
    model: str
    """The fingerprint of the model that it was learned with."""
    folder: str = ""
    """The folder of that model, if it is not the packaged one."""
    removed: float | None = None
    """The share of what its examples do not state that it removed at 5 % lost, with its own weights."""


class LearnedVerifier(Verifier):
    """Scores sentences by a model that has read labelled text, and by the wordings of this corpus."""

    name = "learned"
    parallel = True
    prior = PRIOR

    def __init__(
        self,
        model: StatementModel,
        about: LearnedParts,
        contrast: ContrastVerifier | None = None,
        lexicon: "Lexicon | None" = None,
    ) -> None:
        self.model, self.about, self.contrast = model, about, contrast
        self.threshold = about.combination.threshold
        self._lexicon = lexicon
        self._words = RelationWords(about.labels, lexicon)

    def __reduce__(self) -> tuple[object, ...]:
        return LearnedVerifier, (self.model, self.about, self.contrast, self._lexicon)

    @property
    def remark(self) -> str:
        share = self.about.removed
        if share is None or share >= ENOUGH or self.model.adapted is not None:
            return ""
        return (
            f"the verifier hardly knows these relations: of what is not stated it removes {share:.0%}; "
            "evidence.options.adapt=weights trains it on this graph and corpus (minutes on a GPU, up to an "
            "hour on a processor; needs torch)"
        )

    def scores(self, candidates: Sequence[CandidateSentence]) -> Numbers:
        """The probability that each sentence states its fact, among sentences of which 30 % do."""
        return self.about.combination.probabilities(*self._opinions(candidates))

    def _opinions(self, candidates: Sequence[CandidateSentence]) -> Opinions:
        """What the model and `contrast` say; where there is no doubt, what the model is expected to say."""
        combination = self.about.combination
        if not combination.contrast:
            return Opinions(self.model_logits(candidates), np.zeros(len(candidates)))
        contrast = self.contrast_logits(candidates)
        model = combination.without_model(contrast)
        doubtful = np.flatnonzero(combination.is_doubtful(contrast))
        model[doubtful] = self.model_logits([candidates[row] for row in doubtful.tolist()])
        return Opinions(model, contrast)

    def model_logits(self, candidates: Sequence[CandidateSentence]) -> Numbers:
        """What the model says."""
        return self.model.logits([self.reading(candidate) for candidate in candidates])

    def reading(self, candidate: CandidateSentence) -> VerifierInput:
        """What the model reads of a candidate."""
        return VerifierInput(self._words.of(candidate.relation), marked(candidate))

    def contrast_logits(self, candidates: Sequence[CandidateSentence]) -> Numbers:
        """What `contrast` says; nothing if it did not learn here."""
        if self.contrast is None:
            return np.zeros(len(candidates))
        return log_odds(self.contrast.scores(candidates))

    def explain(self, candidate: CandidateSentence) -> list[Reason]:
        """What the model and `contrast` add to the log-odds of the score, and the wordings that count for
        `contrast`.
        """
        combination = self.about.combination
        model, contrast = (float(clipped(logits)[0]) for logits in self._opinions([candidate]))
        reasons = [Reason("the model", combination.model * model)]
        if self.contrast is not None:
            reasons.append(Reason("wordings of this corpus", combination.contrast * contrast))
            reasons += self.contrast.explain(candidate)
        return [Reason(reason.feature, round(reason.weight, 4)) for reason in reasons]

    def save(self, path: Path) -> None:
        """Store what was learned; the packaged model is not copied, an adapted one is."""
        assert self.contrast is not None
        with TemporaryDirectory() as temporary:
            contrast = Path(temporary) / "contrast.npz"
            self.contrast.save(contrast)
            contents = [msgspec.json.encode(self.about, order="deterministic"), contrast.read_bytes()]
        if self.model.adapted is not None:
            contents.append(self.model.adapted)
        with zipfile.ZipFile(path, "w") as file:
            for name, content in zip(_MEMBERS, contents, strict=False):
                file.writestr(zipfile.ZipInfo(name, _FIXED_DATE), content)

    @classmethod
    def load(cls, path: Path, lexicon: "Lexicon | None" = None) -> "LearnedVerifier":
        """Load what was stored."""
        try:
            with Archive.open(path) as file, TemporaryDirectory() as temporary:
                about = msgspec.json.decode(file.read(_MEMBERS[0]), type=LearnedParts)
                contrast_file = Path(temporary) / _MEMBERS[1]
                contrast_file.write_bytes(file.read(_MEMBERS[1]))
                contrast = ContrastVerifier.load(contrast_file, lexicon)
                adapted = file.read(_MEMBERS[2]) if _MEMBERS[2] in file.names else None
        except (OSError, RollcallError, *UNREADABLE):
            raise RollcallError(f"{path}: is not a learned verifier that was saved") from None
        model = StatementModel(Path(about.folder) if about.folder else packaged_model(), adapted)
        if adapted is None and model.fingerprint != about.model:
            raise RollcallError(
                f"{path}: was learned with another model than {model.folder}; "
                f"delete {path.parent} to learn again"
            )
        return cls(model, about, contrast, lexicon)
