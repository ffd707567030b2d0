"""AdaGrad with an L1 penalty: how the weights of named features are learned, one question at a time.

Each weight has its own learning rate, which falls with the squares of its gradients. The penalty is applied
to every weight after each step (composite mirror descent), so that weights which are not needed become zero.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, Self, TypeAlias, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt

from rollcall._core.console import Progress
from rollcall._core.errors import UNREADABLE, RollcallError
from rollcall._core.files import replacing_part
from rollcall.graph import Graph
from rollcall.graph.evaluate import answer_terms
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.papers.semantic_parsers.alignment import Gold, Names, TrainingQuestion
from rollcall.query import Query
from rollcall.systems.ask.forms import ComparisonForm, Form, Function, query_of
from rollcall.systems.ask.ranking import common
from rollcall.systems.ask.reading import QuestionReader, QuestionReading
from rollcall.systems.ask.values_in_text import ValueMention
from rollcall.systems.ask.words import Extreme
from rollcall.systems.train.model_folder import read_settings, write_settings
from rollcall.systems.train.training_example import TrainingExample

Floats = npt.NDArray[np.float64]
_ROOM = 1024


class AdaGrad:
    """Maximises an objective by its gradients; all weights begin at zero."""

    def __init__(self, rate: float, penalty: float) -> None:
        self._rate, self._penalty = rate, penalty
        self._indices: dict[str, int] = {}
        self._weights: Floats = np.zeros(_ROOM)
        self._squares: Floats = np.zeros(_ROOM)

    def indices(self, names: "list[str]") -> npt.NDArray[np.int64]:
        """The indices of features, new ones at the end."""
        known = self._indices
        indices = [known.setdefault(name, len(known)) for name in names]
        while len(known) > len(self._weights):
            self._weights = np.concatenate([self._weights, np.zeros_like(self._weights)])
            self._squares = np.concatenate([self._squares, np.zeros_like(self._squares)])
        return np.array(indices, dtype=np.int64)

    @property
    def values(self) -> Floats:
        """The weights by index."""
        return self._weights

    def step(self, gradient: Mapping[str, float]) -> None:
        """Take one step up a gradient, given by the names of its features."""
        self.step_at(self.indices(list(gradient)), np.array(list(gradient.values()), dtype=np.float64))

    def step_at(self, indices: npt.NDArray[np.int64], gradient: Floats) -> None:
        """Take one step up a gradient, given by indices, each once."""
        self._squares[indices] += gradient**2
        moved = self._squares[indices] > 0
        indices, gradient = indices[moved], gradient[moved]
        self._weights[indices] += self._rate * gradient / np.sqrt(self._squares[indices])
        if self._penalty:
            used = self._weights.nonzero()[0]
            less = self._rate * self._penalty / np.sqrt(self._squares[used])
            own = self._weights[used]
            self._weights[used] = np.sign(own) * np.maximum(np.abs(own) - less, 0.0)

    def named(self) -> dict[str, float]:
        """The weights that are not zero, by the names of their features."""
        values = self._weights.tolist()
        return {name: values[index] for name, index in self._indices.items() if values[index]}

    def state(self) -> "tuple[list[str], Floats, Floats]":
        """Everything that is needed to resume a training: names, weights, and sums of squares."""
        count = len(self._indices)
        return list(self._indices), self._weights[:count].copy(), self._squares[:count].copy()

    def restore(self, names: "list[str]", weights: Floats, squares: Floats) -> None:
        """Resume from a state."""
        self.indices(names)
        self._weights[: len(names)], self._squares[: len(names)] = weights, squares


# The likelihood of right answers among candidate queries, whose own query is not known. A candidate has
# the probability of a log-linear model, and a reward between 0 and 1 for its answers. What is maximised
# is the logarithm of the expected reward; its gradient moves weights from the features of all candidates
# to those of rewarded ones.


def shares(scores: Floats) -> Floats:
    """The probability of each candidate."""
    weights = np.exp(scores - scores.max())
    probabilities: Floats = weights / weights.sum()
    return probabilities


def pulls(scores: Floats, rewards: Floats) -> Floats:
    """How much each candidate's score should rise: the gradient of the log of the expected reward."""
    model = shares(scores)
    rewarded = model * rewards
    total = float(rewarded.sum())
    if total <= 0.0:
        return np.zeros_like(scores)
    raises: Floats = rewarded / total - model
    return raises


def objective(scores: Floats, rewards: Floats) -> float:
    """The log of the expected reward."""
    return float(np.log((shares(scores) * rewards).sum()))


def gradient(features: Sequence[Mapping[str, float]], scores: Floats, rewards: Floats) -> dict[str, float]:
    """The gradient by features; empty if no candidate is rewarded."""
    by_feature: dict[str, float] = {}
    for own, pull in zip(features, pulls(scores, rewards).tolist(), strict=True):
        if pull:
            for name, value in own.items():
                by_feature[name] = by_feature.get(name, 0.0) + pull * value
    return by_feature


# Passes over the questions of a training; after each one the weights are kept, so that it can be
# continued. The order of a pass depends on the seed and its number alone, and a pass begins with the
# weights that the last one left: a training that was interrupted ends with the same weights as one that
# was not.

T = TypeVar("T")


class PassPlan(NamedTuple):
    """How often questions are learned from, and where the state is kept."""

    passes: int
    seed: int
    file: Path
    made_by: str
    """The hash of all that decides the weights; a state of another training is not continued."""
    progress: bool | None = None


class _Kept(msgspec.Struct):
    made_by: str
    history: list[dict[str, float]]
    names: list[str]
    weights: list[float]
    squares: list[float]


def learn_in_passes(
    plan: PassPlan, questions: Sequence[T], optimiser: AdaGrad, learn: "Callable[[T], float | None]"
) -> list[dict[str, float]]:
    """Learn from all questions in each pass; the figures of the passes.

    `learn` takes one step and returns the F1 before it, or None where no candidate was right.
    """
    history = _restored(plan, optimiser)
    for number in range(len(history), plan.passes):
        order = list(questions)
        random.Random(f"{plan.seed} {number}").shuffle(order)
        rewards: list[float | None] = []
        with Progress(
            f"pass {number + 1} of {plan.passes}", len(order), count=True, show=plan.progress
        ) as bar:
            for question in order:
                rewards.append(learn(question))
                bar.advance(1)
        right = [reward for reward in rewards if reward is not None]
        history.append({"F1 before learning": sum(right) / len(order), "reached": len(right) / len(order)})
        _keep(plan, optimiser, history)
    return history


def _restored(plan: PassPlan, optimiser: AdaGrad) -> list[dict[str, float]]:
    try:
        kept = msgspec.json.decode(plan.file.read_bytes(), type=_Kept)
    except (OSError, *UNREADABLE):
        return []
    if kept.made_by != plan.made_by:
        return []
    optimiser.restore(kept.names, np.array(kept.weights), np.array(kept.squares))
    return kept.history


def _keep(plan: PassPlan, optimiser: AdaGrad, history: list[dict[str, float]]) -> None:
    names, weights, squares = optimiser.state()
    kept = _Kept(plan.made_by, history, names, weights.tolist(), squares.tolist())
    with replacing_part(plan.file) as partial:
        partial.write_bytes(msgspec.json.encode(kept))


# Features by name, and their sum under weights.

Features: TypeAlias = Mapping[str, float]


def weighed(features: Features, weights: Features) -> float:
    """The score of features under weights."""
    return sum(value * weights.get(name, 0.0) for name, value in features.items())


def summed(*parts: Features) -> dict[str, float]:
    """The features of several parts together."""
    total: dict[str, float] = {}
    for part in parts:
        for name, value in part.items():
            total[name] = total.get(name, 0.0) + value
    return total


# Candidates of one question as rows of features, kept as arrays: scored and moved without Python loops.


class FeatureRows(NamedTuple):
    """The features of candidates, one row after the other."""

    indices: npt.NDArray[np.int32]
    values: npt.NDArray[np.float32]
    """In single precision, since those of all questions are kept."""
    row: npt.NDArray[np.int32]
    """The row of each feature."""
    number: int
    """Of rows."""

    @classmethod
    def of(cls, features: Sequence[Mapping[str, float]], optimiser: AdaGrad) -> "FeatureRows":
        """Rows whose features have indices among the weights of an optimiser."""
        return cls(
            optimiser.indices([name for row in features for name in row]).astype(np.int32),
            np.array([value for row in features for value in row.values()], dtype=np.float32),
            np.repeat(np.arange(len(features), dtype=np.int32), [len(row) for row in features]),
            len(features),
        )

    def scores(self, weights: Floats) -> Floats:
        """The weighted sum of each row."""
        weighted: Floats = self.values * weights[self.indices]
        return _sums(self.row, weighted, self.number)

    def step(self, optimiser: AdaGrad, pulls: Floats) -> None:
        """One step along the gradient, given how much the score of each row should rise."""
        indices, where = np.unique(self.indices, return_inverse=True)
        pulled: Floats = self.values * pulls[self.row]
        optimiser.step_at(indices.astype(np.int64), _sums(where, pulled, len(indices)))


def _sums(where: "npt.NDArray[np.integer[Any]]", values: Floats, number: int) -> Floats:
    """The sums of values by index; they are floats also where there are no values."""
    return np.bincount(where, values, minlength=number).astype(np.float64)


# Relations with values that have an order: what they are compared with, and what is greatest by them.


class Measures:
    """The measuring relations of one graph."""

    def __init__(self, index: GraphIndex) -> None:
        self.index = index
        self.by_dimension: dict[str, list[int]] = {}
        for relation in range(len(index.relation_ids)):
            dimension = index.value_dimension(relation)
            if dimension is not None:
                self.by_dimension.setdefault(index.dimensions[dimension], []).append(relation)
        self._every = [relation for own in self.by_dimension.values() for relation in own]

    def compared(self, value: ValueMention) -> Iterator[tuple[int, ComparisonForm, Numbers]]:
        """What has a value in this order to the given one, by each relation of its dimension."""
        bounds = value.value.bounds
        for relation in self.by_dimension.get(bounds.dimension, ()) if bounds else ():
            form = ComparisonForm(relation, value.comparator, value.value)
            terms = self.terms(form)
            if len(terms):
                yield relation, form, terms

    def extremes(
        self, form: Form, terms: Numbers, extreme: Extreme
    ) -> "Iterator[tuple[Function, Numbers, tuple[tuple[int, int], ...]]]":
        """The greatest or least of a set: of values, or of entities by each relation that they have."""
        if int(terms[-1]) >= self.index.entity_count:
            function = Function(extreme, form)
            extreme_terms = self.terms(function)
            if len(extreme_terms):
                yield function, extreme_terms, ()
            return
        for relation in self._every:
            if len(common(terms, self.index.forward(relation)[0])):
                function = Function(f"arg{extreme}", form, relation)
                extreme_terms = self.terms(function)
                if len(extreme_terms):
                    yield function, extreme_terms, ((relation, 0),)

    def terms(self, form: Form) -> Numbers:
        """The answers of a form; none where the query language cannot say it."""
        try:
            return answer_terms(self.index, query_of(form, self.index))
        except RollcallError:
            return np.empty(0, dtype=self.index.dtype)


# What trained systems that ask a graph store: weights by the names of features, and how names are known.


class StoredModel(msgspec.Struct, frozen=True, kw_only=True):
    """A trained model, one JSON file of its folder."""

    file: ClassVar[str]
    weights: dict[str, float]
    names: Names

    def save(self, folder: Path) -> None:
        write_settings(folder / self.file, self)

    @classmethod
    def open(cls, folder: Path) -> Self:
        return read_settings(folder / cls.file, cls)


# Questions of a training, read once: what is recognised in each, and its right answers.


def training_questions(
    graph: Graph, reader: QuestionReader, examples: Sequence[TrainingExample], progress: bool | None = None
) -> list[TrainingQuestion]:
    """One question for each training example, in their order."""
    questions = []
    with Progress("questions read", len(examples), count=True, show=progress) as bar:
        for example in examples:
            gold = Gold(graph.index, example.answers)
            questions.append(
                TrainingQuestion(
                    example.id, reader.read(example.question), gold, example.cluster or example.id
                )
            )
            bar.advance(1)
    return questions


# What a trained system took a question to ask: the query, how sure it is, and what is left over.


@dataclass(frozen=True)
class Interpretation:
    """The best query for a question, or none."""

    question: str
    query: Query | None
    score: float
    """The share of the query, and of others with its answers, among all candidates; from 0 to 1."""
    not_understood: tuple[str, ...]
    """The words that the query does not use; without a query, the words that name nothing."""


def unused_words(reading: QuestionReading, mask: int) -> tuple[str, ...]:
    """The words that say something and are not in a mask, as they stand in the question."""
    return tuple(
        reading.question[word.start : word.end]
        for position, word in enumerate(reading.words)
        if not word.is_empty and not mask >> position & 1
    )


def nothing_found(reading: QuestionReading) -> Interpretation:
    """The result for a question without any candidate: the words that name neither entity nor class."""
    named = 0
    for mask in (
        *(mention.mask for mention in reading.entities),
        *(mention.mask for mention in reading.classes),
    ):
        named |= mask
    left = unused_words(reading, named) or unused_words(reading, 0)
    return Interpretation(reading.question, None, 0.0, left)


class HasAnswers(Protocol):
    """A candidate query with its answers."""

    @property
    def terms(self) -> Numbers: ...

    @property
    def function(self) -> str: ...


def agreeing_share(scores: Floats, candidates: Sequence[HasAnswers], best: HasAnswers) -> float:
    """The share of a candidate, and of others with its answers, among all."""
    agreeing = [
        (candidate.function == "count") == (best.function == "count")
        and np.array_equal(candidate.terms, best.terms)
        for candidate in candidates
    ]
    return float(shares(scores)[agreeing].sum())
