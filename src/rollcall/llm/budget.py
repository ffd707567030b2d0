"""The budget and the actual cost of the work, in tokens and in money.

Before a request is sent, its highest possible cost is reserved, so that many requests at the same time cannot
exceed the budget together. When the reply arrives, the actual cost replaces the reserved one. Replies from
the cache cost nothing.
"""

import threading
from dataclasses import dataclass

from rollcall.errors import RollcallError
from rollcall.llm.records import Reply, Request


class BudgetSpentError(RollcallError):
    """The budget is used up: a regular end, not a failure of a question."""


@dataclass(frozen=True)
class Prices:
    """Prices of a million tokens, in any currency."""

    prompt: float = 0.0
    completion: float = 0.0

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1e6


@dataclass(frozen=True)
class Budget:
    """The most that may be spent; None for no limit."""

    tokens: int | None = None
    money: float | None = None


@dataclass
class Spending:
    """A running account; safe to use from several threads."""

    budget: Budget
    prices: Prices

    def __post_init__(self) -> None:
        if self.budget.money is not None and self.prices == Prices():
            raise RollcallError("a budget in money needs prices: give --price as PROMPT,COMPLETION a million")
        self.asked = self.cached = self.prompt_tokens = self.completion_tokens = 0
        self._aside_tokens, self._aside_money = 0, 0.0
        self._lock = threading.Lock()

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens

    @property
    def money(self) -> float:
        return self.prices.of(self.prompt_tokens, self.completion_tokens)

    def set_aside(self, request: Request) -> tuple[int, float]:
        """Reserve the most a request can cost, or stop because that is too much."""
        prompt = request.estimated_prompt_tokens()
        tokens, money = prompt + request.max_tokens, self.prices.of(prompt, request.max_tokens)
        with self._lock:
            if self.budget.tokens is not None and (
                self.tokens + self._aside_tokens + tokens > self.budget.tokens
            ):
                raise BudgetSpentError(self._message(f"{self.budget.tokens:,} tokens"))
            if self.budget.money is not None and self.money + self._aside_money + money > self.budget.money:
                raise BudgetSpentError(self._message(f"{self.budget.money:g} in money"))
            self._aside_tokens += tokens
            self._aside_money += money
        return tokens, money

    def settle(self, aside: tuple[int, float], reply: Reply | None) -> None:
        """Replace the reserved cost by the actual cost, which is zero if there was no reply."""
        with self._lock:
            self._aside_tokens -= aside[0]
            self._aside_money -= aside[1]
            if reply is not None:
                self.asked += 1
                self.prompt_tokens += reply.prompt_tokens
                self.completion_tokens += reply.completion_tokens

    def came_from_cache(self) -> None:
        with self._lock:
            self.cached += 1

    def _message(self, limit: str) -> str:
        return (
            f"the budget of {limit} leaves no room for the next request ({self}); what was answered is kept: "
            "the same again goes on, with as much to spend anew"
        )

    def __str__(self) -> str:
        tokens = f"{self.prompt_tokens:,}+{self.completion_tokens:,} tokens"
        text = f"{self.asked:,} asked, {self.cached:,} cached, {tokens}"
        return text if self.prices == Prices() else f"{text}, {self.money:.4f} spent"
