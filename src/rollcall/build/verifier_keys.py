"""The keys of a recipe that choose a verifier and the text it judges, for every pipeline that uses evidence.

Only the keys are here. `rollcall.build.chosen_verifier` interprets them, so that stages without verification
do not depend on the code of verifiers.
"""

from typing import Literal

import msgspec

from rollcall.address import checked_address
from rollcall.build.declaring import FileName
from rollcall.build.places import KeyMistakeError
from rollcall.errors import RollcallError


class VerifierKeys(msgspec.Struct, frozen=True):
    """The keys of a recipe that choose a verifier."""

    verifier: str = "contrast"
    """Its name, or module:name for one of your own."""
    model: FileName | None = None
    """For nli a checkpoint by name or path, for llm the name of a model of the server."""
    base_url: str | None = None
    """For llm: the address of an OpenAI-compatible server."""
    options: dict[str, FileName | int | float | bool | None] = {}
    """Further options of the verifier."""

    def check_address(self) -> None:
        """Refuse an address that contains a key, because the recipe is copied into the manifest."""
        if self.base_url is not None:
            try:
                checked_address(self.base_url)
            except RollcallError as error:
                raise KeyMistakeError(f"evidence.base_url: {error}", "evidence.base_url") from None

    def alone(self) -> "VerifierKeys":
        """These keys without those that a pipeline adds; what a verifier learns depends only on these."""
        return VerifierKeys(self.verifier, self.model, self.base_url, self.options)

    def given_options(self) -> dict[str, object]:
        """All options that the keys give."""
        named = {"model": self.model, "base_url": self.base_url}
        return {**{name: value for name, value in named.items() if value is not None}, **self.options}


class SearchKeys(VerifierKeys, frozen=True):
    """The keys that choose a verifier, and which sentences are searched."""

    where: Literal["anywhere", "own-pages"] = "anywhere"
    """Which sentences may prove a fact: any that names both ends, and those on the pages about an end; or
    only the latter, as in the QAMPARI paper."""
