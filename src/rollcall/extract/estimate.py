"""What an extraction will cost, before it starts: requests, tokens, and money where prices are given."""

from collections.abc import Iterable
from typing import NamedTuple

from rollcall.english.counting import counted
from rollcall.llm import Client, Prices, Request


class Estimate(NamedTuple):
    """Requests to send, those that are answered already, and the tokens of the former.

    Tokens of prompts are a high estimate. Replies are taken to be as long as the text they are about, and are
    never longer than `most_reply_tokens`.
    """

    pages: int
    requests: int
    answered: int
    prompt_tokens: int
    reply_tokens: int
    most_reply_tokens: int
    money: float | None = None

    def __str__(self) -> str:
        known = f" ({self.answered:,} answered before)" if self.answered else ""
        money = (
            "" if self.money is None else f", about {self.money:,.{2 if self.money >= 1 else 4}f} in money"
        )
        requests = (
            f"{counted(self.pages, 'page')} in {counted(self.requests + self.answered, 'request')}{known}"
        )
        replies = f"{self.reply_tokens:,} of replies (at most {self.most_reply_tokens:,})"
        return f"{requests}: about {self.prompt_tokens:,} tokens of prompts and {replies}{money}"


def estimate(client: Client, requests: Iterable[tuple[Request, int]], pages: int) -> Estimate:
    """The cost of requests, each given with the length of its text in characters."""
    sent = answered = prompts = replies = most = 0
    for request, characters in requests:
        if client.has_answer(request):
            answered += 1
            continue
        sent += 1
        prompts += request.estimated_prompt_tokens()
        replies += min(characters // 3, request.max_tokens)
        most += request.max_tokens
    prices = client.spending.prices
    money = None if prices == Prices() else prices.of(prompts, replies)
    return Estimate(pages, sent, answered, prompts, replies, most, money)
