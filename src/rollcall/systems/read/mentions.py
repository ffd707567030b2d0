"""`mentions`: gives the entities that the passages name, ranked by how well they are supported.

No model is needed. The packaged weights were learned from questions about generated worlds; for a set with a
training split, the weights are fitted to that split instead.
"""

import hashlib
import math
import warnings
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

import msgspec
import numpy as np
import numpy.typing as npt

from rollcall._core.errors import RollcallError, RollcallWarning
from rollcall._core.registry import content_of
from rollcall.graph.graph import Graph
from rollcall.graph.index import MANIFEST
from rollcall.questions.record import Question
from rollcall.questions.run import EntityAnswer, Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked, Reader, ReadingError, Retriever, as_retriever, asked
from rollcall.systems.read import READERS
from rollcall.systems.read.chain import CHAIN_FEATURES, chained
from rollcall.systems.read.linking import answer_of
from rollcall.systems.read.question_words import QuestionAnalysis
from rollcall.systems.read.support import FEATURES, PassagePreparation, PossibleAnswer, supported
from rollcall.systems.read.text_names import open_names
from rollcall.systems.retrieve.store import PassageStore
from rollcall.text.name_lookup import NameFinder

# `all-candidates`: gives all candidates of the closed setting as answers: RoMQA's predict-all.


@READERS.register("all-candidates")
class AllCandidates(Reader):
    """Says yes to every candidate of the closed setting: RoMQA's predict-all."""

    name = "all-candidates"

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        return False

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        if not question.candidates:
            raise ReadingError("the question offers no candidates; all-candidates is for the closed setting")
        return [candidate.answer() for candidate in question.candidates]


# The weights of the reader `mentions`: how much each feature of a possible answer counts. The weights
# for sets without a training split are in the package, in `mention_weights.json`. They are a logistic
# regression on questions about generated worlds, which `benchmarks/fit_mentions.py` fits and writes.

FILE = "mention_weights.json"
Form = Literal["classed", "unclassed", "chained"]


class AnswerWeights(msgspec.Struct, frozen=True):
    """The weight of each feature."""

    bias: float
    features: dict[str, float]
    """By feature name, in the order of a candidate's features."""

    def probability(self, candidate: PossibleAnswer) -> float:
        total = self.bias + sum(
            weight * value for weight, value in zip(self.features.values(), candidate.features, strict=True)
        )
        return 1.0 / (1.0 + math.exp(-max(min(total, 50.0), -50.0)))


class MentionWeights(msgspec.Struct, frozen=True):
    """The weights for each form of question, and the data they were fitted to."""

    classed: AnswerWeights
    """For questions that name a class of the graph: the class does much of the work."""
    unclassed: AnswerWeights
    chained: AnswerWeights
    fitted_to: str = ""

    def of(self, form: Form) -> AnswerWeights:
        forms = {"classed": self.classed, "unclassed": self.unclassed, "chained": self.chained}
        return forms[form]

    def write(self, path: Path) -> None:
        """Write them in the form of the packaged file."""
        path.write_bytes(msgspec.json.format(msgspec.json.encode(self)) + b"\n")


@cache
def packaged_weights() -> MentionWeights:
    """The weights for sets without a training split."""
    return msgspec.json.decode(files(__package__).joinpath(FILE).read_bytes(), type=MentionWeights)


class Weighed(NamedTuple):
    """The candidates of a question, and the form it has, which says whose weights count."""

    candidates: list[PossibleAnswer]
    form: Form


class MentionsOptions(msgspec.Struct, frozen=True):
    """Whether the reader fits its weights."""

    tune: bool = True
    """Fit the weights to the training split, if the set has one."""


@READERS.register("mentions")
class Mentions(Reader):
    """Names the entities of the graph that are in the passages, ranked by their support; no model.

    Chained questions may also ask for dates and numbers.
    """

    name = "mentions"
    Options = MentionsOptions
    needs = ("passages", "names")

    def __init__(
        self, graph: Graph, store: PassageStore | None = None, weights: MentionWeights | None = None
    ) -> None:
        """`store` gives the entity of a passage's page; without it the titles are looked up."""
        self.graph_hash = content_of(graph.folder, MANIFEST)
        self._graph = graph
        finder = NameFinder(graph.index)
        self._questions = QuestionAnalysis(graph, finder)
        self._reading = PassagePreparation(
            graph, finder, store.entity if store is not None else lambda id_: None
        )
        self.weights = weights or packaged_weights()

    @classmethod
    def open(cls, options: MentionsOptions, context: Context) -> "Mentions":
        reader = cls(*open_names(context))
        training = training_questions(context.questions) if options.tune else []
        if training:
            tune(reader, context.retriever, training, context.k)
            reader.name = "mentions, tuned"
        return reader

    def weighed(self, question: Asked, passages: Sequence[Passage]) -> Weighed:
        """All possible answers with their features; in the closed setting only the candidates."""
        words = self._questions.words(question.question)
        read = self._reading.read(passages)
        candidates = supported(self._graph, words, read)
        form: Form = "classed" if words.classes else "unclassed"
        if words.further is not None:
            weights = self.weights.of(form)
            chances = {
                candidate.answer: weights.probability(candidate)
                for candidate in candidates
                if isinstance(candidate.answer, int)
            }
            named = {entity for anchor in words.anchors for entity in anchor.entities}
            candidates = [
                candidate
                for candidate in chained(self._graph, words.further, read, chances)
                if candidate.answer not in named
            ]
            form = "chained"
        if question.candidates:
            numbers = {
                self._graph.index.entity_number(offered.id) for offered in question.candidates if offered.id
            }
            candidates = [candidate for candidate in candidates if candidate.answer in numbers]
        return Weighed(candidates, form)

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        candidates, form = self.weighed(question, passages)
        weights = self.weights.of(form)
        ranked = sorted(
            ((weights.probability(candidate), candidate.answer) for candidate in candidates),
            key=lambda pair: (-pair[0], str(pair[1])),
        )
        count = best_number([chance for chance, _ in ranked])
        return [self._answer(answer) for _, answer in ranked[:count]]

    def id_of(self, candidate: PossibleAnswer) -> str:
        """The id of an entity, or the text of a value."""
        answer = candidate.answer
        return answer if isinstance(answer, str) else self._graph.index.entity_ids[answer]

    def _answer(self, answer: int | str) -> str | EntityAnswer:
        return answer if isinstance(answer, str) else answer_of(self._graph, answer)


def best_number(chances: Sequence[float]) -> int:
    """How many answers to give, the likeliest first, for the greatest expected F1.

    A fixed least probability would suit only texts like those the weights were fitted to. Where all evidence
    is weak, this gives the answers that are about as likely as the likeliest.
    """
    expected = sum(chances)
    best, number, right = 0.0, 0, 0.0
    for rank, chance in enumerate(chances, 1):
        right += chance
        if right / (rank + expected) > best:
            best, number = right / (rank + expected), rank
    return number


# Fits the weights of `mentions` to a training split, by a logistic regression. Chained questions are
# fitted last, since they use the result of the others. Only training questions are used, at most a few
# hundred, chosen by the hash of their ids.

LEAST, MOST = 20, 300
_MOST_STEPS, _SMALL_GRADIENT, _STRENGTH = 100, 1e-6, 10.0

Numbers = npt.NDArray[Any]


def training_questions(questions: Sequence[Question], most: int = MOST) -> list[Question]:
    """The questions to learn from; none, and a warning, if the training split has too few."""
    chosen = [question for question in questions if question.split == "train" and question.answers]
    if 0 < len(chosen) < LEAST:
        are = "question is" if len(chosen) == 1 else "questions are"
        message = f"mentions is not tuned: {len(chosen)} training {are} too few ({LEAST} needed)"
        warnings.warn(RollcallWarning(message), stacklevel=3)
    chosen.sort(key=lambda question: (hashlib.md5(question.id.encode()).hexdigest(), question.id))
    return chosen[:most] if len(chosen) >= LEAST else []


def tune(reader: "Mentions", retriever: Retriever, questions: Sequence[Question], k: int) -> None:
    """Give a reader the weights for these questions with this retriever."""
    wanted = [asked(question) for question in questions]
    try:
        as_retriever(retriever).check_questions(wanted)
    except RollcallError as error:
        message = f"mentions cannot be tuned on the split train with this retriever: give --no-tune ({error})"
        raise RollcallError(message) from None
    retrieved = retriever.retrieve(wanted, k)
    tune_to([(reader, *pair) for pair in zip(questions, retrieved, strict=True)])


def tune_to(readings: Sequence["tuple[Mentions, Question, Sequence[Passage]]"]) -> None:
    """Give readers the weights for the questions and passages of all; weights that cannot be learned stay
    unchanged.
    """
    for form in get_args(Form):
        weighed = (
            (reader, question, reader.weighed(asked(question), passages))
            for reader, question, passages in readings
        )
        fitting = [case for case in weighed if case[2].form == form]
        weights = _fitted(fitting) if len(fitting) >= LEAST else None
        for reader, _, _ in readings if weights is not None else ():
            reader.weights = msgspec.structs.replace(reader.weights, **{form: weights})


def _fitted(weighed: Sequence["tuple[Mentions, Question, Weighed]"]) -> AnswerWeights | None:
    rows, right = [], []
    for reader, question, reading in weighed:
        gold = {name for answer in question.answers for name in (answer.id, answer.label, *answer.aliases)}
        neutral = {answer.id for answer in question.neutral} - gold
        for candidate in reading.candidates:
            name = reader.id_of(candidate)
            if name not in neutral:
                rows.append(candidate.features)
                right.append(name in gold)
    if len(set(right)) < 2:
        return None
    constant, *weights = logistic_weights(np.array(rows), np.array(right))
    names = CHAIN_FEATURES if weighed[0][2].form == "chained" else FEATURES
    return AnswerWeights(constant, dict(zip(names, weights, strict=True)))


def logistic_weights(features: Numbers, labels: Numbers) -> list[float]:
    """The constant and the weights of a logistic regression, by Newton steps; the constant may be large."""
    rows = np.column_stack([np.ones(len(features)), features])
    ridge = np.append(0.0, np.full(features.shape[1], 1.0 / _STRENGTH))

    def loss(weights: Numbers) -> float:
        logits = rows @ weights
        return float((np.logaddexp(0.0, logits) - labels * logits).sum() + (ridge * weights**2).sum() / 2)

    weights = np.zeros(rows.shape[1])
    for _ in range(_MOST_STEPS):
        chances = 1.0 / (1.0 + np.exp(-np.clip(rows @ weights, -30.0, 30.0)))
        gradient = rows.T @ (chances - labels) + ridge * weights
        if np.abs(gradient).max() < _SMALL_GRADIENT:
            break
        curvature = (rows.T * (chances * (1.0 - chances))) @ rows + np.diag(ridge + _SMALL_GRADIENT)
        step = np.linalg.solve(curvature, gradient)
        while loss(weights - step) > loss(weights) and np.abs(step).max() > _SMALL_GRADIENT:
            step /= 2
        weights = weights - step
    return [round(float(weight), 6) for weight in weights]
