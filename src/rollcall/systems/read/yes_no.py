"""`llm` in the closed setting: the model says yes or no to each candidate, with a probability.

If the server gives log-probabilities, each candidate gets a channel score: how much more likely "yes" is for
it than for the candidates of the question on average. This corrects for a model that tends to say yes to
everything.
"""

from collections.abc import Sequence

from rollcall.english.folding import fold
from rollcall.llm.client import Client
from rollcall.llm.records import ModelError, Reply, Request, ask
from rollcall.llm.yes_no import calibrated, yes_probability
from rollcall.questions.record import Question
from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Answers, Asked, Offered, Reader, ReadingError
from rollcall.systems.read import prompts
from rollcall.systems.read.shots import yes_no_turns
from rollcall.systems.read.token_count import TokenCount

_ALTERNATIVES = 10


class YesNo(Reader):
    """A reader that judges candidates one by one."""

    def __init__(
        self,
        client: Client,
        model: str,
        *,
        passages: int = 3,
        calibrate: bool = True,
        shots: Sequence[Question] = (),
    ) -> None:
        """`passages` is the number of passages that name a candidate and are shown with it."""
        self.name = f"llm({model},closed)"
        self.parallel = client.concurrency
        self.server, self.model = client.base_url, model
        self.passages, self.calibrate, self.examples = passages, calibrate, tuple(one.id for one in shots)
        self._client, self._shots = client, list(shots)
        self._tokens = TokenCount()

    def tokens_of(self, question: str) -> int | None:
        return self._tokens.taken(question)

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        if not question.candidates:
            raise ReadingError("the question offers no candidates to say yes or no to")
        replies = self._replies(question, passages)
        chances = []
        for candidate, reply in zip(question.candidates, replies, strict=True):
            chance = yes_probability(reply)
            if chance is None:
                raise ReadingError(
                    f"the model said neither yes nor no to {candidate.label!r}: {reply.text!r}"
                )
            chances.append(chance)
        if self.calibrate and all(reply.chances for reply in replies):
            scores = calibrated(chances)
        else:
            scores = [chance - 0.5 for chance in chances]
        ranked = sorted(zip(scores, question.candidates, strict=True), key=lambda pair: -pair[0])
        return [candidate.answer() for score, candidate in ranked if score > 0]

    def _replies(self, question: Asked, passages: Sequence[Passage]) -> list[Reply]:
        replies: dict[int, Reply] = {}
        requests = [self._request(question, one, passages) for one in question.candidates]
        for place, reply in self._client.complete_all(enumerate(requests)):
            if isinstance(reply, ModelError):
                raise ReadingError(str(reply)) from reply
            self._tokens.add(question.id, reply)
            replies[place] = reply
        return [replies[place] for place in range(len(requests))]

    def _request(self, question: Asked, candidate: Offered, passages: Sequence[Passage]) -> Request:
        told = naming(candidate, passages)[: self.passages]
        return ask(
            self.model,
            prompts.is_answer(question.question, candidate, told),
            prompts.YES_NO_SYSTEM,
            yes_no_turns(self._shots, but=question.id),
            max_tokens=4,
            logprobs=_ALTERNATIVES,
        )


def naming(candidate: Offered, passages: Sequence[Passage]) -> list[Passage]:
    """The passages that name a candidate, in their order."""
    names = [fold(name) for name in (candidate.label, *candidate.aliases)]
    return [
        passage
        for passage in passages
        if any(name in fold(f"{passage.title}\n{passage.text}") for name in names)
    ]
