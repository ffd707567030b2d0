"""A client with its limits in one call, as a command line gives them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rollcall.errors import RollcallError
from rollcall.llm.budget import Budget, Prices
from rollcall.llm.cache import ReplyCache
from rollcall.llm.client import Client


@contextmanager
def opened_client(
    base_url: str | None,
    *,
    concurrency: int = 8,
    per_minute: float | None = None,
    timeout: float = 120.0,
    tokens: int | None = None,
    money: float | None = None,
    price: str | None = None,
    cache: Path | None = None,
) -> Iterator[Client | None]:
    """A client of a server, closed at the end of the block; None without an address.

    `tokens` and `money` are the budget; `price` is the price of a million tokens, as PROMPT,COMPLETION.
    """
    if base_url is None:
        yield None
        return
    client = Client(
        base_url,
        concurrency=concurrency,
        per_minute=per_minute,
        timeout=timeout,
        budget=Budget(tokens, money),
        prices=Prices() if price is None else read_price(price),
        cache=ReplyCache(cache) if cache is not None else None,
    )
    try:
        yield client
    finally:
        client.close()


def read_price(text: str) -> Prices:
    """Prices of a million tokens, as in `0.5,1.5`."""
    try:
        prompt, completion = (float(part) for part in text.split(","))
    except ValueError:
        raise RollcallError(f"--price {text}: write two numbers, as 0.5,1.5") from None
    return Prices(prompt, completion)
