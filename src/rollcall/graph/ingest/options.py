"""Options of all graph sources: the languages of names, and whether classes are relations too.

The options are part of a build's identity: shards read with other options are never reused.
"""

import re

import msgspec

from rollcall.errors import RollcallError

_LANGUAGE = re.compile(r"[a-z][a-z0-9-]*")


class ReadOptions(msgspec.Struct, frozen=True):
    """Options for every source; `rollcall graph --help` describes them."""

    language: str = "en"
    fallback: tuple[str, ...] = ("mul", "en")
    type_facts: bool = False

    def __post_init__(self) -> None:
        for code in self.languages:
            if not _LANGUAGE.fullmatch(code):
                raise RollcallError(f"{code!r} is not a language; give a code such as en or pt-br")

    @property
    def languages(self) -> tuple[str, ...]:
        """The chosen language and its fallbacks, in order of preference, each once; all in lower case."""
        codes = (self.language, *self.fallback)
        return tuple(dict.fromkeys(code.lower().replace("_", "-") for code in codes))
