"""Verification by a language model behind any OpenAI-compatible server: yes or no, and how surely.

The answer's first word is asked for with its probability; a server that gives none still says yes or no.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rollcall.errors import RollcallError
from rollcall.evidence.candidate import Candidate
from rollcall.evidence.hypothesis import Hypotheses
from rollcall.evidence.verifier import Verifier

if TYPE_CHECKING:
    from rollcall.llm import Client, Request

_SYSTEM = "You check whether a text states a claim. Answer with one word: yes or no."
_PROMPT = """Text: {premise}

Claim: {hypothesis}

Does the text state this claim, or say something that clearly implies it? A text that only mentions the same
names does not state it. Answer yes or no."""
_ALTERNATIVES = 5


class LanguageModelVerifier(Verifier):
    """Asks a model about each sentence; replies are cached and paid for by the client."""

    name = "llm"

    def __init__(
        self,
        model: str,
        *,
        client: "Client | None" = None,
        base_url: str | None = None,
        threshold: float = 0.5,
        labels: Mapping[str, str] | None = None,
        concurrency: int = 8,
    ) -> None:
        """A client is made for the address unless one is given."""
        if client is None:
            from rollcall.llm import Client

            if base_url is None:
                raise RollcallError("a language model needs a client or the address of a server")
            client = Client(base_url, concurrency=concurrency)
        self.threshold, self._client, self._model = threshold, client, model
        self._hypotheses = Hypotheses(labels)
        self.unanswered = 0
        """How many requests got no reply that could be read; their sentences score 0."""

    def scores(self, candidates: Sequence[Candidate]) -> Any:
        """The probability of yes."""
        from rollcall.llm import Reply, yes_probability

        found = np.zeros(len(candidates))
        for number, reply in self._client.complete_all(self._requests(candidates)):
            chance = yes_probability(reply) if isinstance(reply, Reply) else None
            if chance is None:
                self.unanswered += 1
            else:
                found[number] = chance
        if candidates and self.unanswered == len(candidates):
            raise RollcallError(f"{self._model}: none of {len(candidates)} requests got a yes or no")
        return found

    def _requests(self, candidates: Sequence[Candidate]) -> "Iterator[tuple[int, Request]]":
        from rollcall.llm.records import ask

        for number, candidate in enumerate(candidates):
            prompt = _PROMPT.format(premise=candidate.premise, hypothesis=self._hypotheses.of(candidate))
            yield number, ask(self._model, prompt, _SYSTEM, max_tokens=3, logprobs=_ALTERNATIVES)
