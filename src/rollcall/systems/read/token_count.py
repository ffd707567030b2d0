"""How many tokens a language model took for each question, so that runs can say what an answer cost.

Replies from the cache count as well: a run that is made again says the same.
"""

import threading
from collections import Counter

from rollcall.llm.records import Reply


class TokenCount:
    """Tokens by question; safe to use from several threads."""

    def __init__(self) -> None:
        self._tokens: Counter[str] = Counter()
        self._lock = threading.Lock()

    def add(self, question: str, reply: Reply) -> None:
        with self._lock:
            self._tokens[question] += reply.prompt_tokens + reply.completion_tokens

    def taken(self, question: str) -> int | None:
        """The tokens of a question since they were last asked for; None if there were none."""
        with self._lock:
            return self._tokens.pop(question, None)
