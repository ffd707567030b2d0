"""One exchange with a server and its result: a reply, or the kind of error.

This is the only module that uses the `openai` library. It does not retry, and it parses replies itself, since
servers that claim to be compatible omit or rename fields.
"""

import hashlib
import json
import random
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec

from rollcall._core.errors import RollcallError

# When to retry and how long to wait: back-off with jitter, the server's own wait times, one gate for
# all. When a server reports too many requests, this concerns all requests, so all of them wait at one
# gate. Time and random numbers are passed in, so that tests are fast and deterministic.


@dataclass(frozen=True)
class Clock:
    """Time as the client sees it."""

    now: Callable[[], float] = time.monotonic
    today: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True)
class Retries:
    """How often to retry, and how long to wait before each retry: doubling from `first` to `most` seconds."""

    attempts: int = 6
    first: float = 1.0
    most: float = 60.0
    longest_told: float = 600.0
    """If a server asks for a longer total wait than this for one request, the request is given up."""
    chance: Callable[[], float] = field(default=random.random)

    def delay(self, attempt: int) -> float:
        """The wait after attempt number `attempt` (from 1): between half and all of the back-off."""
        backed_off = min(self.most, self.first * 2.0 ** (attempt - 1))
        return float(backed_off * (0.5 + 0.5 * self.chance()))


def told_to_wait(headers: Mapping[str, str], today: float) -> float | None:
    """The seconds a server asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as a date."""
    milliseconds, seconds = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if milliseconds is not None:
            return max(0.0, float(milliseconds) / 1000)
        if seconds is None:
            return None
        return max(0.0, float(seconds))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(seconds or "").timestamp() - today)
    except (ValueError, TypeError):
        return None


class Gate:
    """Every request passes the gate before it is sent. It spaces requests, and can be closed for a time."""

    def __init__(self, clock: Clock, per_minute: float | None = None) -> None:
        self._clock = clock
        self._space = 60.0 / per_minute if per_minute else 0.0
        self._lock = threading.Lock()
        self._opens = float("-inf")

    def shut(self, seconds: float) -> None:
        """Let no request through for this many seconds."""
        with self._lock:
            self._opens = max(self._opens, self._clock.now() + seconds)

    def wait(self) -> None:
        """Wait until the request may be sent."""
        while True:
            with self._lock:
                left = self._opens - self._clock.now()
                if left <= 0:
                    self._opens = self._clock.now() + self._space if self._space else self._opens
                    return
            self._clock.sleep(left)


# Requests to a language model and its replies, as values. A request contains everything that can change
# the reply, and nothing else. The hash of its content is the key under which the reply is cached.

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
    model: str, prompt: str, system: str = "", examples: tuple[tuple[str, str], ...] = (), **options: Any
) -> Request:
    """A request of one prompt, with a system message and solved examples before it."""
    turns = [Message("system", system)] if system else []
    for asked, answered in examples:
        turns += [Message("user", asked), Message("assistant", answered)]
    return Request(model, (*turns, Message("user", prompt)), **options)


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


_TEMPORARY = {408, 409, 425, 429}
_PERMANENT = {401: "refuses the key", 403: "refuses the key", 404: "knows no such address or model"}
_SCHEMA_FORMS = ("json_schema", "json_object")
"""The two forms in which a schema is sent: OpenAI's first, then that of llama-cpp-python."""
_SHOWN = 200
_SHORTEST_KEY = 8
"""Shorter keys, such as `none`, may be ordinary words of a reply."""


class UnavailableError(Exception):
    """A temporary error; `wait` is the number of seconds that the server asks to wait."""

    def __init__(self, text: str, wait: float | None = None) -> None:
        super().__init__(text)
        self.wait = wait


class RefusedError(Exception):
    """The server will never answer this request."""


class Server:
    """A server by its address."""

    def __init__(self, base_url: str, key: str, timeout: float, clock: Clock) -> None:
        try:
            import openai
        except ImportError:
            raise RollcallError(
                "language models need the extra `llm`: pip install 'rollcall-qa[llm]'"
            ) from None
        self._library = openai
        self._clock = clock
        self._address = base_url
        self._key = key
        self._client = openai.OpenAI(base_url=base_url, api_key=key, timeout=timeout, max_retries=0)
        self.reached = False
        """Whether anything ever answered at this address."""
        self._lacks: set[str] = set()
        """The optional features that this server was found not to support."""

    def close(self) -> None:
        self._client.close()

    def post(self, request: Request) -> Reply:
        """Send a request; if the server does not support schemas or log-probabilities, omit them."""
        openai = self._library
        sent = self._optional(request)
        try:
            raw = self._client.chat.completions.with_raw_response.create(**_body(request, sent))
            self.reached = True
            return _read(self._safe(raw.text), request)
        except openai.APITimeoutError as error:
            raise UnavailableError("the server took too long") from error
        except openai.APIStatusError as error:
            self.reached = True
            # llama-cpp-python answers 500 to an unknown form of schema.
            if error.status_code in (400, 422, 500) and sent and (lacks := _unknown(error.message, sent)):
                self._lacks |= lacks
                return self.post(request)
            raise self._trouble(error) from error
        except openai.APIConnectionError as error:
            raise UnavailableError(
                f"no connection to {self._address} ({self._safe(str(error.__cause__ or error))})"
            ) from error
        except openai.OpenAIError as error:
            raise UnavailableError(
                f"the server sent an unreadable reply ({self._safe(str(error))})"
            ) from error

    def _safe(self, text: str) -> str:
        """A server's text with the key removed if it repeats it, since messages and replies are stored."""
        return text.replace(self._key, "[key]") if len(self._key) >= _SHORTEST_KEY else text

    def _optional(self, request: Request) -> set[str]:
        """The optional features to ask for, without those that the server is known not to support."""
        forms = [form for form in _SCHEMA_FORMS if form not in self._lacks]
        optional = set(forms[:1]) if request.schema else set()
        return optional | ({"logprobs"} - self._lacks if request.logprobs else set())

    def _trouble(self, error: Any) -> Exception:
        status, message = error.status_code, " ".join(self._safe(str(error.message)).split())[:_SHOWN]
        if status in _PERMANENT:
            return RollcallError(f"{self._address}: the server {_PERMANENT[status]} ({status}: {message})")
        if status in _TEMPORARY or status >= 500:
            wait = told_to_wait(error.response.headers, self._clock.today())
            return UnavailableError(f"the server answered {status}: {message}", wait)
        return RefusedError(f"the server answered {status}: {message}")


def _body(request: Request, sent: set[str]) -> dict[str, Any]:
    body: dict[str, Any] = {
        "model": request.model,
        "messages": [{"role": turn.role, "content": turn.content} for turn in request.messages],
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
    }
    if request.stop:
        body["stop"] = list(request.stop)
    if request.seed is not None:
        body["seed"] = request.seed
    if "json_schema" in sent:
        described = {"name": "reply", "schema": request.schema, "strict": True}
        body["response_format"] = {"type": "json_schema", "json_schema": described}
    elif "json_object" in sent:
        body["response_format"] = {"type": "json_object", "schema": request.schema}
    if "logprobs" in sent:
        body |= {"logprobs": True, "top_logprobs": request.logprobs}
    return body


def _unknown(message: str, sent: set[str]) -> set[str]:
    """The optional features that an error message mentions."""
    words = {"logprobs": ("logprobs", "logits_all")}
    of_schema = ("response_format", "json_schema", "json_object", "grammar")
    return {name for name in sent if any(word in message.lower() for word in words.get(name, of_schema))}


def _read(text: str, request: Request) -> Reply:
    """The reply in a body; a body without a reply is a temporary error."""
    try:
        body = json.loads(text)
        choice = body["choices"][0]
        message = choice["message"]
        content, refusal = message.get("content"), message.get("refusal")
        if content is not None and not isinstance(content, str):
            raise TypeError("content")
        prompt_tokens, completion_tokens = _usage(body.get("usage"), request, content or "")
        return Reply(
            text=content or "",
            finish=str(choice.get("finish_reason") or "stop"),
            refusal=str(refusal) if refusal else None,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            chances=_chances(choice.get("logprobs")),
        )
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        shown = " ".join(text.split())[:_SHOWN]
        raise UnavailableError(f"the server sent something other than a reply: {shown!r}") from error


def _usage(reported: Any, request: Request, content: str) -> tuple[int, int]:
    """The numbers of tokens that the server reports, or estimates where it reports none."""
    reported = reported if isinstance(reported, dict) else {}
    prompt, completion = reported.get("prompt_tokens"), reported.get("completion_tokens")
    return (
        prompt if isinstance(prompt, int) else request.estimated_prompt_tokens(),
        completion if isinstance(completion, int) else len(content) // 3 + 1,
    )


def _chances(reported: Any) -> tuple[TokenChance, ...]:
    """The log-probabilities of a reply's tokens, if they are given in the form of the chat protocol."""
    tokens = reported.get("content") if isinstance(reported, dict) else None
    chances = []
    for token in tokens or ():
        others = tuple(
            (str(alternative["token"]), float(alternative["logprob"]))
            for alternative in token.get("top_logprobs") or ()
        )
        chances.append(TokenChance(str(token["token"]), float(token["logprob"]), others))
    return tuple(chances)
