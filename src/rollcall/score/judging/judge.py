"""A language model that judges: asked once for each prompt, and its failures are counted.

Prompts are templates by name. Each profile has its own; a file may replace them, with the same placeholders
as the published ones, because figures depend on the wording.
"""

import hashlib
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from rollcall.errors import RollcallError

if TYPE_CHECKING:
    from rollcall.llm.client import Client
    from rollcall.llm.records import Request

MOST_TOKENS = 4096
"""The most tokens of a reply: some judges reason before they decide."""


class Judge:
    """A model at a server, with the prompts it is given in place of the profile's; safe to use from several
    threads.
    """

    def __init__(
        self,
        client: "Client",
        model: str,
        prompts: Mapping[str, str] | Path | str | None = None,
        max_tokens: int = MOST_TOKENS,
    ) -> None:
        self.client, self.model = client, model
        self.prompts = read_prompts(prompts) if isinstance(prompts, Path | str) else dict(prompts or {})
        self.failures: dict[str, str] = {}
        """Why prompts got no usable reply, by prompt."""
        self._max_tokens = max_tokens
        self._replies: dict[str, str | None] = {}
        self._lock = threading.Lock()

    def ask(self, template: str, **fields: str) -> str | None:
        """The reply to a prompt; None if the model gives none, which is counted."""
        from rollcall.llm.records import ModelError

        prompt = filled(template, fields)
        with self._lock:
            if prompt in self._replies:
                return self._replies[prompt]
        try:
            reply: str | None = self.client.complete(self._request(prompt)).text
        except ModelError as error:
            reply = None
            self.failures[prompt] = str(error)
        with self._lock:
            self._replies[prompt] = reply
        return reply

    def reject(self, template: str, why: str, **fields: str) -> None:
        """Count a reply that cannot be read, and remove it from the cache, so that it is asked for again."""
        prompt = filled(template, fields)
        with self._lock:
            new = prompt not in self.failures
            self.failures[prompt] = why
        if new:
            self.client.forget(self._request(prompt))

    @property
    def wording(self) -> str:
        """Whose prompts it is given, for reports."""
        if not self.prompts:
            return "Rollcall's"
        content = msgspec.json.encode(self.prompts, order="deterministic")
        return f"given, sha256 {hashlib.sha256(content).hexdigest()[:12]}"

    def _request(self, prompt: str) -> "Request":
        from rollcall.llm.records import ask

        return ask(self.model, prompt, max_tokens=self._max_tokens)


def filled(template: str, fields: Mapping[str, str]) -> str:
    """A template with its fields, by the rules of `str.format`."""
    try:
        return template.format(**fields)
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        known = ", ".join(f"{{{name}}}" for name in fields)
        raise RollcallError(
            f"a prompt for judging cannot be filled in ({error!r:.80}); it may have {known}, and other "
            "braces are doubled"
        ) from None


def read_prompts(path: Path | str) -> dict[str, str]:
    """Prompts by name from a YAML or JSON file."""
    import yaml

    try:
        given = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        about = " ".join(str(error).split())
        raise RollcallError(f"{path}: is not a file of prompts ({about:.200})") from None
    if not isinstance(given, dict) or not all(
        isinstance(text, str) for pair in given.items() for text in pair
    ):
        raise RollcallError(f"{path}: a file of prompts has texts by name, as in `grade: …`")
    return given
