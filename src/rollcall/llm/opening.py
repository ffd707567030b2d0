"""A client with its limits in one call, as a command line gives them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from rollcall._core.errors import RollcallError
from rollcall._core.files import checked_address
from rollcall.llm.client import Budget, Client, Prices, ReplyCache

# How a language model may be asked, as a command line says it.


class AskingLimits(NamedTuple):
    """How fast a model is asked, how long a reply is waited for, and what all of it may cost."""

    concurrency: int = 8
    """Requests at the same time."""
    per_minute: float | None = None
    """The most requests per minute."""
    timeout: float = 120.0
    """Seconds to wait for a reply."""
    tokens: int | None = None
    """The budget in tokens."""
    money: float | None = None
    """The budget in money."""
    price: str | None = None
    """The price of a million tokens, as PROMPT,COMPLETION."""


@contextmanager
def opened_client(
    base_url: str | None, limits: AskingLimits | None = None, *, cache: Path | None = None
) -> Iterator[Client | None]:
    """A client of a server, closed at the end of the block; None without an address."""
    if base_url is None:
        check_no_limits(limits, "--base-url ADDRESS")
        yield None
        return
    checked_address(base_url)  # before a file is made for its replies
    limits = limits or AskingLimits()
    client = Client(
        base_url,
        concurrency=limits.concurrency,
        per_minute=limits.per_minute,
        timeout=limits.timeout,
        budget=Budget(limits.tokens, limits.money),
        prices=Prices() if limits.price is None else read_price(limits.price),
        cache=ReplyCache(cache) if cache is not None else None,
    )
    try:
        yield client
    finally:
        client.close()


def check_no_limits(limits: AskingLimits | None, needed: str) -> None:
    """Refuse limits where no language model is asked; `needed` is the option that asks one."""
    named = {"tokens": "budget-tokens", "money": "budget-money"}
    for name, value, default in zip(AskingLimits._fields, limits or (), AskingLimits(), strict=False):
        if value != default:
            option = named.get(name, name.replace("_", "-"))
            raise RollcallError(f"--{option} is for a language model: give {needed}, or leave it out")


def read_price(text: str) -> Prices:
    """Prices of a million tokens, as in `0.5,1.5`."""
    try:
        prompt, completion = (float(part) for part in text.split(","))
    except ValueError:
        raise RollcallError(f"--price {text}: write two numbers, as 0.5,1.5") from None
    return Prices(prompt, completion)
