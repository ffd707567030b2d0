"""Declares the stages of a pipeline, and makes sure that each stage reads only what it declares.

A stage names the sections of the parameters and the inputs that it reads; these decide whether it runs again.
So it is given nothing else. Reading something undeclared is an error at once. Otherwise the old output would
stay in use although something it depends on has changed.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn, get_args, get_origin

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.files import checked_address
from rollcall.audit.checks import QUALITY_CHECKS
from rollcall.build.stage import Inputs, KeyMistakeError, Outcome, Stage

_NAMES_FILE = {"names": "file"}
FileName = Annotated[str, msgspec.Meta(extra=_NAMES_FILE)]
"""A parameter that may name a file or folder, which is then an input of the stages that read it."""


UnprovedAnswersAre = Literal["neutral", "count", "drop"]
"""What becomes of answers that no text proves: neither required nor wrong, required, or left out."""


class _Undeclared:
    """Stands for something that a stage did not declare."""

    def __init__(self, message: str):
        self._message = message

    def _refuse(self, *_: object) -> NoReturn:
        raise AssertionError(self._message)

    __getattr__ = __fspath__ = __truediv__ = __iter__ = __index__ = __str__ = _refuse


class Declaring:
    """Makes the stages of one pipeline from its parameters and inputs."""

    def __init__(self, parameters: msgspec.Struct, inputs: Inputs):
        self._parameters = _without_polish(parameters)
        self._inputs = inputs

    def stage(
        self,
        name: str,
        work: Callable[..., Outcome],
        *given: Any,
        needs: Sequence[str] = (),
        reads: Sequence[str] = (),
        sections: Sequence[str] = (),
        more: dict[str, Any] | None = None,
        uses_outcomes: bool = False,
    ) -> Stage:
        """A stage whose function is called with `given` and, as the last argument, the `Work`.

        If the function has the argument `parameters` or `inputs`, it gets the sections and the folders
        (`reads`) that are named here. `more` are further values among `given` on which the output depends.
        """
        declared = {"parameters": self._only(name, sections), "inputs": self._reading(name, reads)}
        remaining = iter(given)
        *parameter_names, _ = inspect.signature(work).parameters
        folders = self._inputs.named()
        return Stage(
            name,
            partial(
                work, *(declared[key] if key in declared else next(remaining) for key in parameter_names)
            ),
            tuple(needs),
            inputs={name: path for name, path in folders.items() if name.removeprefix("the ") in reads}
            | _files([*(getattr(self._parameters, key) for key in sections), *given]),
            parameters={key: msgspec.to_builtins(getattr(self._parameters, key)) for key in sections}
            | (more or {}),
            uses_outcomes=uses_outcomes,
        )

    def _only(self, stage: str, sections: Sequence[str]) -> msgspec.Struct:
        undeclared = {
            field.name: _Undeclared(f"stage {stage} looks at {field.name} and does not declare it")
            for field in msgspec.structs.fields(self._parameters)
            if field.name not in sections
        }
        return msgspec.structs.replace(self._parameters, **undeclared)

    def _reading(self, stage: str, reads: Sequence[str]) -> Inputs:
        folders: list[Any] = [
            path
            if folder in reads
            else _Undeclared(f"stage {stage} reads the {folder} and does not declare it")
            for folder, path in (("graph", self._inputs.graph), ("corpus", self._inputs.given_corpus))
        ]
        return Inputs(*folders)


def _without_polish(parameters: msgspec.Struct) -> msgspec.Struct:
    """The parameters without the model that rephrases questions, which only one stage depends on."""
    wording: Any = getattr(parameters, "wording", None)
    if getattr(wording, "polish", None) is None:
        return parameters
    return msgspec.structs.replace(parameters, wording=msgspec.structs.replace(wording, polish=None))


def _files(records: Sequence[Any]) -> dict[str, Path]:
    return {f"the file {path}": path for record in records for path in named_files(record)}


def named_files(section: Any) -> Iterator[Path]:
    """The existing files and folders that a section of parameters names."""
    if not isinstance(section, msgspec.Struct):
        return
    for field in msgspec.structs.fields(section):
        value = getattr(section, field.name)
        if isinstance(value, msgspec.Struct):
            yield from named_files(value)
        elif _may_name_file(field.type):
            yield from (path for path in map(Path, _texts(value)) if path.exists())


def _texts(value: Any) -> list[str]:
    """The texts in a value, without empty ones, which would name the current folder."""
    values = value.values() if isinstance(value, dict) else [value] if isinstance(value, str) else value
    return [text for text in values or () if isinstance(text, str) and text]


def _may_name_file(kind: Any) -> bool:
    if get_origin(kind) is Annotated:
        return any(getattr(mark, "extra", None) == _NAMES_FILE for mark in get_args(kind)[1:])
    return any(_may_name_file(argument) for argument in get_args(kind))


# The keys `audit` of a recipe, which every pipeline has: whether its set is audited, and what it may
# hold. They are not parameters of a pipeline and not part of the set: the same questions with another
# audit are the same set, byte for byte.

SECTION = "audit"
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class AuditKeys(msgspec.Struct, frozen=True):
    """Whether a set is audited after it is built, and when it fails."""

    use: bool = False
    """Whether it is audited; a threshold is enough, too."""
    fail_above: dict[str, Share] = {}
    """By check, the largest share that it may find."""
    checks: list[str] | None = None
    """The checks that are made; all by default."""
    examples: Annotated[int, msgspec.Meta(ge=0)] = 5
    """How many examples of each sort of fault are kept."""

    @property
    def wanted(self) -> bool:
        return self.use or bool(self.fail_above)

    def check(self) -> None:
        """Refuse a check that does not exist."""
        for key, names in (("checks", self.checks or ()), ("fail_above", tuple(self.fail_above))):
            for name in names:
                try:
                    QUALITY_CHECKS.entry(name)
                except RollcallError as error:
                    keys = (f"{SECTION}.{key}.{name}", f"{SECTION}.{key}")
                    raise KeyMistakeError(f"{SECTION}.{key}: {error}", *keys) from None


# The keys of a recipe that choose a verifier and the text it reads, for every pipeline that uses
# evidence. Only the keys are here. `rollcall.build.chosen_verifier` interprets them, so that stages
# without verification do not depend on the code of verifiers.


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
        own_options = {"model": self.model, "base_url": self.base_url}
        return {**{name: value for name, value in own_options.items() if value is not None}, **self.options}


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
        expectations = {"lose": self.lose, "precision": self.precision}
        return next((f"evidence.{name}" for name, value in expectations.items() if value is not None), None)

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
