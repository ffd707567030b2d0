"""How a language model may be asked, as a command line says it."""

from typing import NamedTuple


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
