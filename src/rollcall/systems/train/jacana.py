"""`jacana`: the training of the classifier over the neighbours of topics (Yao and Van Durme 2014)."""

from pathlib import Path
from typing import Annotated

import msgspec

from rollcall.systems.ask.learned.adagrad import AdaGrad
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.graph_learner import GraphLearner, GraphLearningOptions
from rollcall.systems.train.options import Positive
from rollcall.systems.train.own_learner import Learned, OwnTraining

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
        from rollcall.systems.ask.jacana.learning import JacanaLearning, held_out
        from rollcall.systems.ask.jacana.model import JacanaModel
        from rollcall.systems.ask.jacana.pairing import Pairing
        from rollcall.systems.ask.learned.lessons import lessons_of
        from rollcall.systems.ask.learned.reading_graphs import GraphReading

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
