"""The keys of a recipe that choose a verifier and the text it judges, for every pipeline that uses evidence.

Only the keys are here. `rollcall.build.chosen_verifier` interprets them, so that stages without verification
do not depend on the code of verifiers.
"""

from importlib.util import find_spec
from typing import Annotated, Literal

import msgspec

from rollcall.address import checked_address
from rollcall.build.declaring import FileName
from rollcall.build.places import KeyMistakeError
from rollcall.errors import RollcallError


def default_verifier() -> str:
    """The verifier that is used if a recipe names none."""
    return "learned" if find_spec("rollcall_models") is not None else "contrast"


class VerifierKeys(msgspec.Struct, frozen=True):
    """The keys of a recipe that choose a verifier."""

    verifier: str = msgspec.field(default_factory=default_verifier)
    """Its name, or module:name for one of your own; by default learned if its model is installed (package
    rollcall-models), and contrast otherwise."""
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
    """The keys that choose a verifier, and which sentences are searched and accepted."""

    where: Literal["anywhere", "own-pages"] = "anywhere"
    """Which sentences may prove a fact: any that names both ends, and those on the pages about an end; or
    only the latter, as in the QAMPARI paper."""
    lose: Annotated[float, msgspec.Meta(ge=0, lt=1)] | None = None
    """At most this share of the sentences that state their fact is expected to be lost: the threshold is the
    highest that keeps to it, over all sentences of a stage."""
    precision: Annotated[float, msgspec.Meta(ge=0, lt=1)] | None = None
    """At least this share of the accepted sentences is expected to state their fact: the threshold is the
    lowest that keeps to it, over all sentences of a stage."""

    @property
    def expectation(self) -> str | None:
        """The name of the key that says what is expected of the accepted sentences, if one is given."""
        given = {"lose": self.lose, "precision": self.precision}
        return next((f"evidence.{name}" for name, value in given.items() if value is not None), None)

    @property
    def scores_for(self) -> str | None:
        """The name of a key that needs the scores of the verifier, if one is given."""
        return self.expectation

    def check_expectation(self) -> None:
        """Refuse two rules of acceptance."""
        if self.lose is not None and self.precision is not None:
            raise KeyMistakeError(
                "evidence.lose and evidence.precision both set the threshold; give only one of them",
                "evidence.lose",
                "evidence.precision",
            )
