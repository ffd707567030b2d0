"""`llm`: any language model behind an OpenAI-compatible server."""

from typing import Annotated

import msgspec

from rollcall.evidence.verifier import Verifier, VerifierContext, VerifierKind
from rollcall.evidence.verifiers import VERIFIERS


class LanguageModelOptions(msgspec.Struct, frozen=True):
    """Which model, and how it is asked."""

    base_url: str
    """The address of an OpenAI-compatible server."""
    model: str
    """The name of a model there."""
    threshold: float = 0.5
    """Accept from this probability of yes on."""
    concurrency: Annotated[int, msgspec.Meta(ge=1)] = 8
    """Requests at a time."""


@VERIFIERS.register("llm")
class LanguageModel(VerifierKind):
    """Asks a language model for yes or no, with probabilities where the server gives them (extra `llm`)."""

    Options = LanguageModelOptions

    @classmethod
    def open(cls, options: LanguageModelOptions, context: VerifierContext) -> Verifier:
        from rollcall.evidence.language_model import LanguageModelVerifier

        return LanguageModelVerifier(labels=context.relation_labels(), **msgspec.structs.asdict(options))
