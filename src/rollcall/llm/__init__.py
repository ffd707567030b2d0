"""A client for language models: cache, retries, rate limits, budget, accounting.

Works with any server that supports OpenAI's chat protocol. Names are imported on first use, since the library
it needs (the extra `llm`) may not be installed.
"""

from typing import TYPE_CHECKING

from rollcall._core.packages import names_on_first_use

if TYPE_CHECKING:
    from rollcall.llm.client import Budget as Budget
    from rollcall.llm.client import BudgetSpentError as BudgetSpentError
    from rollcall.llm.client import Client as Client
    from rollcall.llm.client import Prices as Prices
    from rollcall.llm.client import ReplyCache as ReplyCache
    from rollcall.llm.prompts import parse_list as parse_list
    from rollcall.llm.prompts import yes_probability as yes_probability
    from rollcall.llm.server import Clock as Clock
    from rollcall.llm.server import ModelError as ModelError
    from rollcall.llm.server import Reply as Reply
    from rollcall.llm.server import Request as Request
    from rollcall.llm.server import Retries as Retries

_HOMES = {
    "parse_list": "prompts",
    **dict.fromkeys(("Budget", "BudgetSpentError", "Prices"), "client"),
    "ReplyCache": "client",
    "Client": "client",
    **dict.fromkeys(("Clock", "Retries"), "server"),
    **dict.fromkeys(("ModelError", "Reply", "Request"), "server"),
    "yes_probability": "prompts",
}

__all__ = sorted(_HOMES)

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, _HOMES)
