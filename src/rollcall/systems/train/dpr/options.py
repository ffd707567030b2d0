"""How a dense retriever is trained."""

from typing import Annotated, Literal

import msgspec

from rollcall.systems.train.options import Positive, TrainingOptions


class DprOptions(TrainingOptions, frozen=True, kw_only=True):
    """How a dense retriever is trained."""

    batch: Positive = 128
    """The number of questions for each step; the passages of all of them are negatives of the others."""
    shared: bool = True
    """One encoder for questions and passages, or one for each."""
    passage_base: str | None = None
    """The checkpoint of the encoder for passages, if there are two and they start from different ones."""
    pooling: Literal["mean", "cls"] = "mean"
    """How words become one vector: their mean, or the first one."""
    similarity: Literal["cosine", "dot"] = "cosine"
    """How vectors are compared."""
    temperature: Annotated[float, msgspec.Meta(gt=0)] = 0.05
    """Similarities are divided by this number in the loss; 1 for inner products."""
    positives: Annotated[int, msgspec.Meta(ge=0)] = 4
    """The number of positives of a question for each epoch, each an example; 0 for all."""
    negatives: Annotated[int, msgspec.Meta(ge=0)] = 1
    """The number of hard negatives for each example: retrieved passages that name no answer."""
    depth: Positive = 100
    """Hard negatives are drawn from this number of such passages, the best first."""
    length: Positive = 256
    """Longer texts are cut to this number of tokens."""
    pool: Positive = 50
    """The number of passages of each dev question among which an evaluation searches, besides proofs."""
