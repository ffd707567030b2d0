"""One exchange with a server and its result: a reply, or the kind of error.

This is the only module that uses the `openai` library. It does not retry, and it parses replies itself, since
servers that claim to be compatible omit or rename fields.
"""

import json
from typing import Any

from rollcall.errors import RollcallError
from rollcall.llm.pace import Clock, told_to_wait
from rollcall.llm.records import Reply, Request, TokenChance

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
                f"the server sent what cannot be read ({self._safe(str(error))})"
            ) from error

    def _safe(self, said: str) -> str:
        """A server's text with the key removed if it repeats it, since messages and replies are stored."""
        return said.replace(self._key, "[key]") if len(self._key) >= _SHORTEST_KEY else said

    def _optional(self, request: Request) -> set[str]:
        """The optional features to ask for, without those that the server is known not to support."""
        forms = [form for form in _SCHEMA_FORMS if form not in self._lacks]
        optional = set(forms[:1]) if request.schema else set()
        return optional | ({"logprobs"} - self._lacks if request.logprobs else set())

    def _trouble(self, error: Any) -> Exception:
        status, said = error.status_code, " ".join(self._safe(str(error.message)).split())[:_SHOWN]
        if status in _PERMANENT:
            return RollcallError(f"{self._address}: the server {_PERMANENT[status]} ({status}: {said})")
        if status in _TEMPORARY or status >= 500:
            wait = told_to_wait(error.response.headers, self._clock.today())
            return UnavailableError(f"the server answered {status}: {said}", wait)
        return RefusedError(f"the server answered {status}: {said}")


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
        raise UnavailableError(f"the server sent what is no reply: {shown!r}") from error


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
    found = []
    for token in tokens or ():
        others = tuple((str(one["token"]), float(one["logprob"])) for one in token.get("top_logprobs") or ())
        found.append(TokenChance(str(token["token"]), float(token["logprob"]), others))
    return tuple(found)
