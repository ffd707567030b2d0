"""`llm`: asks a language model on any OpenAI-compatible server for yes or no, with a probability.

The first word of the answer is requested with its probability. A server that gives no probabilities still
answers yes or no.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import msgspec
import numpy as np

from rollcall._core.errors import RollcallError
from rollcall.evidence.candidate import CandidateSentence
from rollcall.evidence.verifiers import VERIFIERS
from rollcall.evidence.verifiers.verifier import Hypotheses, Verifier, VerifierContext

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rollcall.llm import Client, Request

_SYSTEM = "You check whether a text states a claim. Answer with one word: yes or no."
_PROMPT = """Text: {premise}

Claim: {hypothesis}

Does the text state this claim, or say something that clearly implies it? A text that only mentions the same
names does not state it. Answer yes or no."""
_ALTERNATIVES = 5


class LanguageModelVerifierOptions(msgspec.Struct, frozen=True):
    """Which model is asked, and how."""

    base_url: str
    """The address of an OpenAI-compatible server."""
    model: str
    """The name of a model there."""
    threshold: float = 0.5
    """The least probability of yes for a sentence to be accepted."""
    concurrency: Annotated[int, msgspec.Meta(ge=1)] = 8
    """The number of requests at the same time."""


@VERIFIERS.register("llm")
class LanguageModelVerifier(Verifier):
    """Asks a language model for yes or no, with probabilities where the server gives them (extra `llm`)."""

    name = "llm"
    Options = LanguageModelVerifierOptions

    @classmethod
    def open(cls, options: LanguageModelVerifierOptions, context: VerifierContext) -> Verifier:
        return cls(hypotheses=context.hypotheses(), **msgspec.structs.asdict(options))

    def __init__(
        self,
        model: str,
        *,
        client: "Client | None" = None,
        base_url: str | None = None,
        threshold: float = 0.5,
        hypotheses: Hypotheses | None = None,
        concurrency: int = 8,
    ) -> None:
        """A client is made for the address unless one is given."""
        if client is None:
            from rollcall.llm import Client

            if base_url is None:
                raise RollcallError("a language model needs a client or the address of a server")
            client = Client(base_url, concurrency=concurrency)
        self.threshold, self._client, self._model = threshold, client, model
        self._hypotheses = hypotheses or Hypotheses()
        self.unanswered = 0
        """The number of requests without a readable reply; their sentences score 0."""

    def scores(self, candidates: Sequence[CandidateSentence]) -> "NDArray[np.float64]":
        """The probability of yes."""
        from rollcall.llm import Reply, yes_probability

        scores = np.zeros(len(candidates))
        for number, reply in self._client.complete_all(self._requests(candidates)):
            chance = yes_probability(reply) if isinstance(reply, Reply) else None
            if chance is None:
                self.unanswered += 1
            else:
                scores[number] = chance
        if candidates and self.unanswered == len(candidates):
            raise RollcallError(f"{self._model}: none of {len(candidates)} requests got a yes or no")
        return scores

    def _requests(self, candidates: Sequence[CandidateSentence]) -> "Iterator[tuple[int, Request]]":
        from rollcall.llm.server import ask

        for number, candidate in enumerate(candidates):
            prompt = _PROMPT.format(premise=candidate.premise, hypothesis=self._hypotheses.of(candidate))
            yield number, ask(self._model, prompt, _SYSTEM, max_tokens=3, logprobs=_ALTERNATIVES)
