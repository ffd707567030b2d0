"""What is asked of a language model and what comes back, as values.

A request is everything that can change the reply, and nothing else: the hash of its content is the key
under which a reply that was paid for is kept.
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
"""What a list of answers looks like, for servers that can be held to a schema."""


class ModelError(Exception):
    """One request that got no usable reply; the text says why. Other requests may still succeed."""


class Message(msgspec.Struct, frozen=True):
    """One turn of a conversation."""

    role: str
    content: str


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """One question to a model.

    `schema` asks for JSON of that shape, `logprobs` for the probabilities of so many alternatives to each
    token of the reply; where a server knows neither, the reply comes without. `sample` tells apart requests
    that are alike but are to be drawn anew.
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
        """The name of this request's content at a server."""
        content = msgspec.json.encode([server.rstrip("/"), self], order="deterministic")
        return hashlib.sha256(content).hexdigest()

    def estimated_prompt_tokens(self) -> int:
        """A guess on the high side: three characters a token, and what each turn costs."""
        return sum(len(message.content) // 3 + 8 for message in self.messages)


def ask(
    model: str, prompt: str, system: str = "", examples: tuple[tuple[str, str], ...] = (), **given: Any
) -> Request:
    """A request of one prompt, with what the system is told before it and solved examples."""
    turns = [Message("system", system)] if system else []
    for asked, answered in examples:
        turns += [Message("user", asked), Message("assistant", answered)]
    return Request(model, (*turns, Message("user", prompt)), **given)


class TokenChance(msgspec.Struct, frozen=True, omit_defaults=True):
    """A token of the reply with its log-probability, and its likeliest alternatives."""

    token: str
    logprob: float
    alternatives: tuple[tuple[str, float], ...] = ()


class Reply(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a model said, why it stopped, and what it cost."""

    text: str
    finish: str = "stop"
    """`stop`, `length` where the reply was cut off, or what else the server says."""
    refusal: str | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    chances: tuple[TokenChance, ...] = ()
    cached: bool = False
    """Whether it came from the cache, and so cost nothing now."""
