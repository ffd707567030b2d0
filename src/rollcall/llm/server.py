"""One exchange with a server, and what came of it: a reply, or which kind of trouble.

The only module that knows the `openai` library. It sends no request twice and reads replies itself, since
servers that call themselves compatible leave out or misname what they please.
"""

import json
from typing import Any

from rollcall.errors import RollcallError
from rollcall.llm.pace import Clock, told_to_wait
from rollcall.llm.records import Reply, Request, TokenChance

_PASSING = {408, 409, 425, 429}
_HOPELESS = {401: "refuses the key", 403: "refuses the key", 404: "knows no such address or model"}
_SCHEMA_FORMS = ("json_schema", "json_object")
"""How servers are told to keep to a schema: as OpenAI's is, else as llama-cpp-python's is."""
_SHOWN = 200
_SHORTEST_KEY = 8
"""Shorter ones, such as `none`, are words that may well be part of a reply."""


class UnavailableError(Exception):
    """Trouble that may pass; `wait` is what the server asks for."""

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
        """What this server was found not to know."""

    def close(self) -> None:
        self._client.close()

    def post(self, request: Request) -> Reply:
        """Send a request once; again with less where the server knows no such schema or log-probabilities."""
        openai = self._library
        sent = self._wishes(request)
        try:
            raw = self._client.chat.completions.with_raw_response.create(**_body(request, sent))
            self.reached = True
            return _read(self._safe(raw.text), request)
        except openai.APITimeoutError as error:
            raise UnavailableError("the server took too long") from error
        except openai.APIStatusError as error:
            self.reached = True
            # llama-cpp-python answers 500 to a form that it does not know.
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
        """What a server said, without the key should it repeat it: messages and replies are written down."""
        return said.replace(self._key, "[key]") if len(self._key) >= _SHORTEST_KEY else said

    def _wishes(self, request: Request) -> set[str]:
        """What to ask for beyond a plain reply, as far as the server is not known to lack it."""
        forms = [form for form in _SCHEMA_FORMS if form not in self._lacks]
        wishes = set(forms[:1]) if request.schema else set()
        return wishes | ({"logprobs"} - self._lacks if request.logprobs else set())

    def _trouble(self, error: Any) -> Exception:
        status, said = error.status_code, " ".join(self._safe(str(error.message)).split())[:_SHOWN]
        if status in _HOPELESS:
            return RollcallError(f"{self._address}: the server {_HOPELESS[status]} ({status}: {said})")
        if status in _PASSING or status >= 500:
            told = told_to_wait(error.response.headers, self._clock.today())
            return UnavailableError(f"the server answered {status}: {said}", told)
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
    """Which of the optional wishes an error speaks of."""
    words = {"logprobs": ("logprobs", "logits_all")}
    of_schema = ("response_format", "json_schema", "json_object", "grammar")
    return {name for name in sent if any(word in message.lower() for word in words.get(name, of_schema))}


def _read(text: str, request: Request) -> Reply:
    """The reply in a body; a body that holds none may be better the next time."""
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


def _usage(told: Any, request: Request, content: str) -> tuple[int, int]:
    """Tokens as the server counts them, or guessed where it does not."""
    told = told if isinstance(told, dict) else {}
    prompt, completion = told.get("prompt_tokens"), told.get("completion_tokens")
    return (
        prompt if isinstance(prompt, int) else request.estimated_prompt_tokens(),
        completion if isinstance(completion, int) else len(content) // 3 + 1,
    )


def _chances(told: Any) -> tuple[TokenChance, ...]:
    """Log-probabilities of a reply's tokens, where they are given in the form of the chat protocol."""
    tokens = told.get("content") if isinstance(told, dict) else None
    found = []
    for token in tokens or ():
        others = tuple((str(one["token"]), float(one["logprob"])) for one in token.get("top_logprobs") or ())
        found.append(TokenChance(str(token["token"]), float(token["logprob"]), others))
    return tuple(found)
