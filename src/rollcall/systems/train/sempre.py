"""`sempre`: the training of the parser from questions and answers (Berant et al. 2013)."""

from pathlib import Path

from rollcall.systems.ask.learned.adagrad import AdaGrad
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.graph_learner import GraphLearner, GraphLearningOptions
from rollcall.systems.train.options import Positive
from rollcall.systems.train.own_learner import Learned, OwnTraining


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
        from rollcall.systems.ask.sempre.learning import SempreLearning

        options, learning = training.options, training.learning
        assert isinstance(options, SempreOptions)
        plan = cls.plan(training)
        fitted = SempreLearning(training.context.graph, options.names, options.beam)
        optimiser = AdaGrad(options.learning_rate, options.penalty)
        history = fitted.learn(learning.train, optimiser, plan)
        fitted.model(optimiser).save(out)
        best = fitted.f1(learning.dev, optimiser, training.progress) if learning.dev else None
        return Learned(learning.train, best, history, len(learning.train) * options.passes)
