"""`learned`: a small model that has read labelled text, combined with what this graph and corpus teach.

- `verifier`: what the model reads of a candidate, the model and where it is, how it and `contrast` become one
  probability, and the verifier.
- `learning`: what sentences of the user's corpus state, by the user's graph; new weights for the model where
  it does not know the relations; the decision between both.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from rollcall.evidence.verifiers import VERIFIERS
from rollcall.evidence.verifiers.verifier import Verifier, VerifierContext, VerifierKind

if TYPE_CHECKING:
    from rollcall.wording import Lexicon


class LearnedOptions(msgspec.Struct, frozen=True):
    """Which model is used, and how it is adapted to the graph and the corpus."""

    model: str | None = None
    """A folder with a model; by default that of the package `rollcall-models`."""
    adapt: Literal["auto", "combination", "weights"] = "auto"
    """What is learned besides `contrast`: how to combine it with the model, or first also new weights of the
    model, which needs torch, and takes minutes on a GPU and up to an hour on a processor. With auto weights
    are adapted if torch finds a GPU and the model does not know the relations."""


@VERIFIERS.register("learned")
class LearnedKind(VerifierKind):
    """A small model that has read labelled text, adapted to the graph and the corpus (rollcall-models)."""

    learns = True
    prepares = True
    explains = True
    Options = LearnedOptions

    @classmethod
    def prepare(cls, options: LearnedOptions, context: VerifierContext, path: Path) -> None:
        from rollcall.evidence.verifiers.learned.learning import draw, write_drawn

        write_drawn(path, draw(context))

    @classmethod
    def open(cls, options: LearnedOptions, context: VerifierContext) -> Verifier:
        from rollcall.evidence.verifiers.learned.learning import learn, unlearned

        folder = Path(options.model) if options.model else None
        if context.graph is None or context.corpus is None:
            return unlearned(folder, context)
        return learn(folder, options.adapt, context)

    @classmethod
    def load(cls, path: Path, lexicon: "Lexicon | None" = None) -> Verifier:
        from rollcall.evidence.verifiers.learned.verifier import LearnedVerifier

        return LearnedVerifier.load(path, lexicon)
