"""What the trainings of systems that answer from the graph alone have in common."""

import hashlib
from pathlib import Path
from typing import Annotated, ClassVar

import msgspec

from rollcall.errors import RollcallError
from rollcall.graph.layout import MANIFEST
from rollcall.settings import content_of
from rollcall.systems.ask.learned.passes import PassPlan
from rollcall.systems.ask.learned.reading_graphs import Names
from rollcall.systems.train.options import Count, Positive
from rollcall.systems.train.own_learner import OwnLearner, OwnTraining
from rollcall.version import __version__

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
