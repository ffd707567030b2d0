"""Verifiers that ask a model of the user's choice.

- `nli`: any entailment model by name or path; does the premise entail the fact in words? The papers' model
  and threshold are here; by default a sentence is accepted if entailment is more likely than not.
- `llm`: a language model on any OpenAI-compatible server, for yes or no, with a probability.
- `none`: asks nothing, and accepts every sentence that names both ends.
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
    import numpy as np
    from numpy.typing import NDArray

    from rollcall.llm import Client, Request


PAPERS_MODEL = "ynie/roberta-large-snli_mnli_fever_anli_R1_R2_R3-nli"
PAPERS_THRESHOLD = 0.0019540872
"""The threshold of the published pipeline, which accepts nearly everything that is not contradicted."""


class NliOptions(msgspec.Struct, frozen=True):
    """Which model is used, and how it scores."""

    model: str
    """A sequence-classification checkpoint by name or path, with an output called entailment."""
    threshold: float = 0.5
    """The probability of entailment above which a sentence is accepted."""
    batch_size: Annotated[int, msgspec.Meta(ge=1)] = 64
    """The number of sentences scored at a time."""
    longest: Annotated[int, msgspec.Meta(ge=1)] = 256
    """The most tokens of a sentence and its fact that the model reads."""
    device: str | None = None
    """The device on which the model runs; by default a GPU if there is one."""


@VERIFIERS.register("nli")
class NliVerifier(Verifier):
    """Asks any entailment model whether the sentence entails the fact in words (extra `neural`)."""

    name = "nli"
    Options = NliOptions

    @classmethod
    def open(cls, options: NliOptions, context: VerifierContext) -> Verifier:
        return cls(hypotheses=context.hypotheses(), **msgspec.structs.asdict(options))

    def __init__(
        self,
        model: str = PAPERS_MODEL,
        *,
        threshold: float = 0.5,
        hypotheses: Hypotheses | None = None,
        batch_size: int = 64,
        longest: int = 256,
        device: str | None = None,
    ) -> None:
        try:
            import torch
            from transformers import AutoModelForSequenceClassification, AutoTokenizer
        except ImportError:
            raise RollcallError(
                "the nli verifier needs torch and transformers: pip install 'rollcall-qa[neural]'"
            ) from None
        self.threshold, self._batch_size, self._longest = threshold, batch_size, longest
        self._hypotheses = hypotheses or Hypotheses()
        try:
            self._tokenizer = AutoTokenizer.from_pretrained(model)
            self._model = AutoModelForSequenceClassification.from_pretrained(model)
        except (OSError, ValueError) as error:
            raise RollcallError(
                f"{model}: cannot be loaded as an NLI model: {str(error).splitlines()[0]}"
            ) from None
        self._entailment = entailment_index(self._model.config.id2label, model)
        self._device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._model.to(self._device).eval()

    def scores(self, candidates: Sequence[CandidateSentence]) -> "NDArray[np.float64]":
        """The probability of entailment; pairs of similar length are scored together."""
        import torch

        pairs = [(candidate.premise, self._hypotheses.of(candidate)) for candidate in candidates]
        order = sorted(range(len(pairs)), key=lambda number: -sum(map(len, pairs[number])))
        scores = np.zeros(len(pairs))
        for start in range(0, len(order), self._batch_size):
            numbers = order[start : start + self._batch_size]
            batch = self._tokenizer(
                [pairs[number][0] for number in numbers],
                [pairs[number][1] for number in numbers],
                padding=True,
                truncation="only_first",
                max_length=self._longest,
                return_tensors="pt",
            ).to(self._device)
            with torch.inference_mode():
                chances = torch.softmax(self._model(**batch).logits.float(), dim=-1)
            scores[numbers] = chances[:, self._entailment].cpu().numpy()
        return scores

    def accepts(
        self, candidates: Sequence[CandidateSentence], scores: "NDArray[np.float64]"
    ) -> "NDArray[np.bool_]":
        return scores > self.threshold


def entailment_index(names: dict[int, str], model: str) -> int:
    """The number of the output that means entailment, by the names in the model's configuration."""
    for number, name in names.items():
        lowered = name.lower()
        if lowered.startswith("entail") or lowered in ("yes", "true", "supports", "e"):
            return int(number)
    listed = ", ".join(names[number] for number in sorted(names))
    raise RollcallError(
        f"{model}: none of its outputs is called entailment (they are {listed}); name them in its id2label"
    )


# `llm`: asks a language model on any OpenAI-compatible server for yes or no, with a probability.
#
# The first word of the answer is requested with its probability. A server that gives no probabilities still
# answers yes or no.

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


# `none`: accepts every sentence that names both ends, and gives no scores; for comparison.


@VERIFIERS.register("none")
class EveryMention(Verifier):
    """Accepts every sentence that names both ends; evidence is then not verified and has no score."""

    name = "none"
    parallel = True
    has_scores = False

    def scores(self, candidates: Sequence[CandidateSentence]) -> "NDArray[np.float64]":

        return np.ones(len(candidates))
