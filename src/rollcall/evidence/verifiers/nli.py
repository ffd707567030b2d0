"""`nli`: any entailment model, by name or path."""

from typing import Annotated

import msgspec

from rollcall.evidence.verifier import Verifier, VerifierContext, VerifierKind
from rollcall.evidence.verifiers import VERIFIERS


class NliOptions(msgspec.Struct, frozen=True):
    """Which model, and how it judges."""

    model: str
    """A sequence-classification checkpoint by name or path, with an output called entailment."""
    threshold: float = 0.5
    """Accept above this probability of entailment."""
    batch_size: Annotated[int, msgspec.Meta(ge=1)] = 64
    """Sentences that are judged at a time."""
    longest: Annotated[int, msgspec.Meta(ge=1)] = 256
    """Tokens of a sentence and its fact that are looked at."""
    device: str | None = None
    """Where the model runs; the GPU where there is one."""


@VERIFIERS.register("nli")
class Nli(VerifierKind):
    """Asks any entailment model whether the sentence entails the fact in words (extra `neural`)."""

    Options = NliOptions

    @classmethod
    def open(cls, options: NliOptions, context: VerifierContext) -> Verifier:
        from rollcall.evidence.nli import NliVerifier

        return NliVerifier(labels=context.relation_labels(), **msgspec.structs.asdict(options))
