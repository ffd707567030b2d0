"""The weights of the reader `mentions`: how much each feature of a possible answer counts.

The weights for sets without a training split are in the package, in `mention_weights.json`. They are a
logistic regression on questions about generated worlds, which `benchmarks/fit_mentions.py` fits and writes.
"""

import math
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Literal

import msgspec

from rollcall.systems.read.support import PossibleAnswer

FILE = "mention_weights.json"
Form = Literal["classed", "unclassed", "chained"]


class AnswerWeights(msgspec.Struct, frozen=True):
    """The weight of each feature."""

    bias: float
    features: dict[str, float]
    """By feature name, in the order of a candidate's features."""

    def probability(self, candidate: PossibleAnswer) -> float:
        total = self.bias + sum(
            w * x for w, x in zip(self.features.values(), candidate.features, strict=True)
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
