"""Requests to a language model and its replies, as values.

A request contains everything that can change the reply, and nothing else. The hash of its content is the key
under which the reply is cached.
"""

import hashlib
from typing import Any

import msgspec

LIST_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"answers": {"type": "array", "items": {"type": "string"}}},
    "required": ["answers"],
    "additionalProperties": False,
}
"""The JSON schema of a list of answers, for servers that support schemas."""


class ModelError(Exception):
    """One request that got no usable reply; the text says why. Other requests may still succeed."""


class Message(msgspec.Struct, frozen=True):
    """One turn of a conversation."""

    role: str
    content: str


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question to a model.

    `schema` asks for JSON of that form; `logprobs` asks for the log-probabilities of this many alternatives
    to each token of the reply. A server that does not support them replies without them. `sample`
    distinguishes equal requests that must be sampled separately.
    """

    model: str
    messages: tuple[Message, ...]
    max_tokens: int = 1024
    temperature: float = 0.0
    schema: dict[str, Any] | None = None
    logprobs: int = 0
    stop: tuple[str, ...] = ()
    seed: int | None = None
    sample: int = 0

    def key(self, server: str) -> str:
        """The cache key of this request at a server."""
        content = msgspec.json.encode([server.rstrip("/"), self], order="deterministic")
        return hashlib.sha256(content).hexdigest()

    def estimated_prompt_tokens(self) -> int:
        """A high estimate: one token for three characters, and a fixed number for each turn."""
        return sum(len(message.content) // 3 + 8 for message in self.messages)


def ask(
    model: str, prompt: str, system: str = "", examples: tuple[tuple[str, str], ...] = (), **given: Any
) -> Request:
    """A request of one prompt, with a system message and solved examples before it."""
    turns = [Message("system", system)] if system else []
    for asked, answered in examples:
        turns += [Message("user", asked), Message("assistant", answered)]
    return Request(model, (*turns, Message("user", prompt)), **given)


class TokenChance(msgspec.Struct, frozen=True, omit_defaults=True):
    """A token of the reply with its log-probability, and its most probable alternatives."""

    token: str
    logprob: float
    alternatives: tuple[tuple[str, float], ...] = ()


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """A model's reply: its text, why it ended, and what it cost."""

    text: str
    finish: str = "stop"
    """`stop`, `length` if the reply was truncated, or another reason that the server gives."""
    refusal: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    chances: tuple[TokenChance, ...] = ()
    cached: bool = False
    """Whether it came from the cache, at no cost."""
