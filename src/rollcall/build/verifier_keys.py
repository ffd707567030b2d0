"""Which verifier a recipe chooses, for every pipeline that seeks evidence.

What a verifier needs is checked with the recipe, because a build may mine for hours before it asks one.
"""

from typing import Literal

import msgspec

from rollcall.build.declaring import FileName
from rollcall.build.places import KeyMistakeError


class VerifierKeys(msgspec.Struct, frozen=True):
    """The keys of a recipe that choose a verifier."""

    verifier: Literal["contrast", "nli", "llm", "none"] = "contrast"
    model: FileName | None = None
    """For nli a checkpoint by name or path, for llm the name of a model of the server."""
    base_url: str | None = None
    """For llm: the address of an OpenAI-compatible server."""

    def check_verifier(self) -> None:
        """Refuse a verifier without what it needs."""
        needed = {"nli": ("model",), "llm": ("base_url", "model")}.get(self.verifier, ())
        missing = [f"evidence.{name}" for name in needed if not getattr(self, name)]
        if missing:
            raise KeyMistakeError(
                f"evidence.verifier: {self.verifier} needs {' and '.join(missing)}; "
                f"give {'it' if len(missing) == 1 else 'them'} in the recipe or with --set",
                "evidence.verifier",
            )
