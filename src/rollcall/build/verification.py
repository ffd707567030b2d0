"""Which verifier a recipe chooses, for every pipeline that seeks evidence.

What a verifier needs is checked with the recipe, because a build may mine for hours before it asks one.
"""

from typing import TYPE_CHECKING, Any, Literal

import msgspec

from rollcall.address import checked_address
from rollcall.build.places import KeyMistakeError
from rollcall.errors import RollcallError

if TYPE_CHECKING:
    from rollcall.build.pipelines import Inputs
    from rollcall.evidence import Verifier


class Verification(msgspec.Struct, frozen=True):
    """The keys of a recipe that choose a verifier."""

    verifier: Literal["contrast", "nli", "llm", "none"] = "contrast"
    model: str | None = None
    """For nli a checkpoint by name or path, for llm the name of a model of the server."""
    base_url: str | None = None
    """For llm: the address of an OpenAI-compatible server."""

    def check_address(self) -> None:
        """Refuse an address that holds a key: the recipe goes into the manifest, whoever reads that."""
        if self.base_url is not None:
            try:
                checked_address(self.base_url)
            except RollcallError as error:
                raise KeyMistakeError(f"evidence.base_url: {error}", "evidence.base_url") from None

    def check_verifier(self) -> None:
        """Refuse a verifier without what it needs."""
        self.check_address()
        needed = {"nli": ("model",), "llm": ("base_url", "model")}.get(self.verifier, ())
        missing = [f"evidence.{name}" for name in needed if not getattr(self, name)]
        if missing:
            raise KeyMistakeError(
                f"evidence.verifier: {self.verifier} needs {' and '.join(missing)}; "
                f"give {'it' if len(missing) == 1 else 'them'} in the recipe or with --set",
                "evidence.verifier",
            )

    def make_verifier(self, inputs: "Inputs") -> "Verifier":
        """The verifier, ready to be asked."""
        from rollcall.evidence import make_verifier

        options: dict[str, Any] = {"base_url": self.base_url} if self.verifier == "llm" else {}
        return make_verifier(
            self.verifier, graph=inputs.graph, corpus=inputs.corpus, model=self.model, **options
        )
