"""Hands candidates to whoever judges them: people, as lines to fill in, or a language model.

A model is asked for yes or no with the evidence before it; its replies are cached and its budget is kept
(`rollcall.llm`). A model's judgment is a probability, never a verdict of people.
"""

from collections.abc import Iterable, Iterator, Sequence

from rollcall.audit.missing.candidate import MissingAnswer
from rollcall.llm.budget import BudgetSpentError
from rollcall.llm.client import Client
from rollcall.llm.records import Reply, Request, ask
from rollcall.llm.yes_no import yes_probability
from rollcall.questions.judgment import Judgment
from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Offered
from rollcall.systems.read import prompts

_ALTERNATIVES = 10
_UNASKED = "not asked: the budget was spent"


def to_judge(candidates: Iterable[MissingAnswer]) -> list[Judgment]:
    """Candidates as judgments that nobody has made yet: `right` and `by` are to be filled in."""
    return [
        Judgment(
            one.question,
            one.answer,
            one.entity,
            evidence=one.evidence,
            note=", ".join(one.sources),
            asked=one.asked,
        )
        for one in candidates
    ]


def judge_by_model(candidates: Sequence[MissingAnswer], client: Client, model: str) -> list[Judgment]:
    """What a language model says about each candidate; None where it says neither yes nor no.

    If the budget does not suffice, the rest is left undecided; the same call again goes on from there.
    """
    judgments = to_judge(candidates)
    for judgment in judgments:
        judgment.note = _UNASKED
    try:
        for place, reply in client.complete_all(_requests(candidates, model)):
            judgment = judgments[place]
            judgment.by, judgment.note = f"model:{model}", ""
            if isinstance(reply, Reply):
                judgment.score = yes_probability(reply)
            else:
                judgment.note = str(reply)
            judgment.right = None if judgment.score is None else judgment.score >= 0.5
    except BudgetSpentError:
        pass
    return judgments


def _requests(candidates: Iterable[MissingAnswer], model: str) -> Iterator[tuple[int, Request]]:
    for place, one in enumerate(candidates):
        passages = [Passage(title=piece.title or "", text=piece.text) for piece in one.evidence]
        prompt = prompts.is_answer(one.asked, Offered(one.answer, one.entity), passages)
        yield place, ask(model, prompt, prompts.YES_NO_SYSTEM, max_tokens=4, logprobs=_ALTERNATIVES)
