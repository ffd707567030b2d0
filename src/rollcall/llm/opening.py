"""A client with its limits in one call, as the options of a command give them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, ClassVar

from rollcall._core.errors import RollcallError
from rollcall._core.files import checked_address
from rollcall._core.options import OnCommandLine, Options

if TYPE_CHECKING:
    from rollcall.llm.client import Client, Prices


class ServerOptions(Options, frozen=True, kw_only=True):
    """Which server is asked."""

    panel: ClassVar = "Language model"

    base_url: str | None = None
    """Address of an OpenAI-compatible server; the key comes from ROLLCALL_API_KEY or OPENAI_API_KEY."""


class AskingOptions(ServerOptions, frozen=True, kw_only=True):
    """Which server is asked, how fast, how long a reply is waited for, and what all of it may cost."""

    concurrency: Annotated[int, OnCommandLine(least=1)] = 8
    """Requests at the same time."""
    per_minute: Annotated[float | None, OnCommandLine(least=0.01)] = None
    """The most requests per minute."""
    timeout: Annotated[float, OnCommandLine(least=0.1)] = 120.0
    """Seconds to wait for a reply."""
    budget_tokens: Annotated[int | None, OnCommandLine(least=1)] = None
    """Stop before this call uses more tokens."""
    budget_money: Annotated[float | None, OnCommandLine(least=0.0)] = None
    """Stop before this call spends more."""
    price: Annotated[str | None, OnCommandLine(metavar="PROMPT,COMPLETION")] = None
    """Price of a million tokens."""


@contextmanager
def opened_client(asking: ServerOptions, *, cache: Path | None = None) -> "Iterator[Client | None]":
    """A client of a server, closed at the end of the block; None without an address."""
    from rollcall.llm.client import Budget, Client, Prices, ReplyCache

    if asking.base_url is None:
        check_no_limits(asking, "--base-url ADDRESS")
        yield None
        return
    checked_address(asking.base_url)  # before a file is made for its replies
    limits = asking if isinstance(asking, AskingOptions) else AskingOptions()
    client = Client(
        asking.base_url,
        concurrency=limits.concurrency,
        per_minute=limits.per_minute,
        timeout=limits.timeout,
        budget=Budget(limits.budget_tokens, limits.budget_money),
        prices=Prices() if limits.price is None else read_price(limits.price),
        cache=ReplyCache(cache) if cache is not None else None,
    )
    try:
        yield client
    finally:
        client.close()


def check_no_limits(asking: ServerOptions, needed: str) -> None:
    """Refuse limits where no language model is asked; `needed` is the option that asks one."""
    limits = AskingOptions.__struct_fields__[len(ServerOptions.__struct_fields__) :]
    for name, default in zip(limits, AskingOptions.__struct_defaults__[-len(limits) :], strict=True):
        if getattr(asking, name, default) != default:
            raise RollcallError(
                f"--{name.replace('_', '-')} is for a language model: give {needed}, or leave it out"
            )


def read_price(text: str) -> "Prices":
    """Prices of a million tokens, as in `0.5,1.5`."""
    from rollcall.llm.client import Prices

    try:
        prompt, completion = (float(part) for part in text.split(","))
    except ValueError:
        raise RollcallError(f"--price {text}: write two numbers, as 0.5,1.5") from None
    return Prices(prompt, completion)
