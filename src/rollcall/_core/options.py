"""The options of a verb, declared once as a record that its function and its command share.

`Options`         the base of such records: a field, its type, its default, and below it what it means
`OnCommandLine`   how a field is written on the command line, where that does not follow from its type
`chosen_options`  the record of a call, which gives a record, keywords or both
`named_values`    options of parts, which are given by name

`rollcall --help` imports every module that declares options, so these modules import nothing heavy. A type
that would be heavy is quoted and imported for type checkers only; `OnCommandLine` then gives the type of its
text.
"""

import inspect
from collections.abc import Mapping, Sequence
from functools import cache
from types import NoneType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar, get_args, get_origin

import msgspec

from rollcall._core.errors import RollcallError, mistake_in
from rollcall._core.registry import nearest, written_options

LARGEST_SEED = (1 << 63) - 1


class OnCommandLine(NamedTuple):
    """How an option is written on the command line: what does not follow from its field."""

    kind: Any = None
    """The type of its text, if the field takes more in Python."""
    names: tuple[str, ...] = ()
    metavar: str | None = None
    least: float | None = None
    most: float | None = None
    default: Any = None
    """Its default there, if Python has another."""
    shown: str | None = None
    """What the help says is its default."""
    panel: str | None = None
    after: str | None = None
    """The field after which the help lists it and the fields below it; empty for the beginning."""
    hidden: bool = False


PYTHON_ONLY = OnCommandLine(kind=NoneType)
"""A field that the command line does not have."""


class _Signed(msgspec.StructMeta):
    """Records whose signature can be shown, although some of their types are never imported."""

    @property
    def __signature__(self) -> inspect.Signature:
        fields = zip(self.__struct_fields__, self.__struct_defaults__, strict=True)
        keyword = inspect.Parameter.KEYWORD_ONLY
        return inspect.Signature(
            [inspect.Parameter(name, keyword, default=default) for name, default in fields]
        )


class Options(msgspec.Struct, frozen=True, kw_only=True, metaclass=_Signed):
    """The options of a verb, or a group that several verbs share; each field has a default."""

    panel: ClassVar[str | None] = None
    """The heading under which the help lists them."""

    def __post_init__(self) -> None:
        for name, (kind, written) in option_types(type(self)).items():
            value = getattr(self, name)
            if _is_checked(kind) and (mistake := mistake_in(value, kind)):
                raise RollcallError(f"{name}: {mistake}")
            if type(value) is int and written.least is not None and value < written.least:
                raise RollcallError(f"{name}: must be a whole number of at least {written.least}")


@cache
def option_types(kind: type[Options]) -> dict[str, tuple[Any, OnCommandLine]]:
    """The type of each field, and how it is written; a field that is declared again is written as before."""
    types: dict[str, tuple[Any, OnCommandLine]] = dict.fromkeys(
        kind.__struct_fields__, (None, OnCommandLine())
    )
    for base in reversed(kind.__mro__):
        for name, annotation in vars(base).get("__annotations__", {}).items():
            if name in types and get_origin(annotation) is Annotated:
                types[name] = get_args(annotation)[0], annotation.__metadata__[0]
            elif name in types:
                types[name] = annotation, types[name][1]
    return types


def _is_checked(kind: Any) -> bool:
    """Whether every value of a type is a word of a list, true or false, a whole number or nothing."""
    return (
        kind in (bool, int, NoneType)
        or get_origin(kind) is Literal
        or (bool(get_args(kind)) and all(map(_is_checked, get_args(kind))))
    )


NamedValues: TypeAlias = Mapping[str, object] | Sequence[str] | None
"""Options of parts by name; a command line gives them as texts, each written name=value."""


def named_values(given: NamedValues) -> dict[str, object]:
    """Options of parts by name."""
    return dict(given) if isinstance(given, Mapping) else dict(written_options(given or ()))


Chosen = TypeVar("Chosen", bound=Options)


def chosen_options(
    kind: type[Chosen], options: Chosen | None, keywords: Mapping[str, Any], verb: str
) -> Chosen:
    """The options of a call: a record, keywords, or a record of which keywords change some fields."""
    for name in keywords:
        if name not in kind.__struct_fields__:
            raise RollcallError(f"{verb} has no option {name}{nearest(name, kind.__struct_fields__)}")
    if options is None:
        return kind(**keywords)
    if not isinstance(options, kind):
        raise RollcallError(
            f"{verb}: give its options as keywords or as {kind.__name__}, not {options!r:.80}"
        )
    return msgspec.structs.replace(options, **keywords)
