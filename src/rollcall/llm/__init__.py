"""A client for language models: cache, retries, rate limits, budget, accounting.

Works with any server that supports OpenAI's chat protocol. Names are imported on first use, since the library
it needs (the extra `llm`) may not be installed.
"""

from typing import TYPE_CHECKING

from rollcall.first_use import names_on_first_use

if TYPE_CHECKING:
    from rollcall.llm.answer_list import parse_list as parse_list
    from rollcall.llm.budget import Budget as Budget
    from rollcall.llm.budget import BudgetSpentError as BudgetSpentError
    from rollcall.llm.budget import Prices as Prices
    from rollcall.llm.cache import ReplyCache as ReplyCache
    from rollcall.llm.client import Client as Client
    from rollcall.llm.pace import Clock as Clock
    from rollcall.llm.pace import Retries as Retries
    from rollcall.llm.records import ModelError as ModelError
    from rollcall.llm.records import Reply as Reply
    from rollcall.llm.records import Request as Request
    from rollcall.llm.yes_no import yes_probability as yes_probability

_HOMES = {
    "parse_list": "answer_list",
    **dict.fromkeys(("Budget", "BudgetSpentError", "Prices"), "budget"),
    "ReplyCache": "cache",
    "Client": "client",
    **dict.fromkeys(("Clock", "Retries"), "pace"),
    **dict.fromkeys(("ModelError", "Reply", "Request"), "records"),
    "yes_probability": "yes_no",
}

__all__ = sorted(_HOMES)

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, _HOMES)
