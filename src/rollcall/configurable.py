"""Components that are chosen by name and then opened: each declares its options and its needs.

Options are a record with types and defaults, so that the command line, recipes and Python check them in the
same way: for an unknown option the error names the nearest one, for a wrong value it says what was expected.
Needs are declared, so that a missing one is reported before anything is loaded.
"""

import ast
import difflib
import inspect
import textwrap
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, TypeVar, Union, get_args, get_origin

import msgspec

from rollcall.allowed_values import mistake_in
from rollcall.errors import RollcallError

T = TypeVar("T")


class NoOptions(msgspec.Struct, frozen=True):
    """The record for a component without options."""


class Configurable:
    """A component that is opened with its options and with what it needs."""

    Options: ClassVar[type[msgspec.Struct]] = NoOptions
    """The record of its options; a field without a default must be given."""
    needs: ClassVar[tuple[str, ...]] = ()
    """What it requires, such as `corpus` or `graph`."""

    @classmethod
    def needed(cls, options: Any) -> tuple[str, ...]:
        """What it requires with these options."""
        return cls.needs

    @classmethod
    def open(cls, options: Any, context: Any) -> Any:
        """Create it. By default the options are passed as the arguments of the class.

        `options` is the component's own record. `context` is the record of its kind; only that kind knows
        its type.
        """
        return called(cls, msgspec.structs.asdict(options))


def called(kind: Callable[..., T], arguments: Mapping[str, object]) -> T:
    """An object of a class; a class that takes other arguments is refused with a clear error."""
    try:
        inspect.signature(kind).bind(**arguments)
    except TypeError as error:
        raise RollcallError(
            f"{kind.__name__} cannot be made with its options alone ({error}); "
            "give it a classmethod open(options, context), as in docs/extending.md"
        ) from None
    return kind(**arguments)


class Option(NamedTuple):
    """The description of one option."""

    name: str
    kind: str
    default: str
    meaning: str


def read_options(kind: type[msgspec.Struct], given: Mapping[str, object], of: str) -> msgspec.Struct:
    """The record of the given options; texts from a command line are converted to the type of the field."""
    names = kind.__struct_fields__
    for name in given:
        if name not in names:
            raise RollcallError(f"{of} has no option {name}{nearest(name, names)}")
    if missing := missing_options(kind, given):
        raise RollcallError(f"{of} needs the option{'s' * (len(missing) > 1)} {' and '.join(missing)}")
    types_of = {field.name: field.type for field in msgspec.structs.fields(kind)}
    read = {name: _split(value, types_of[name]) for name, value in given.items()}
    for name, value in given.items():
        if mistake := mistake_in(read[name], types_of[name], strict=not isinstance(value, str)):
            raise RollcallError(f"{of}: the option {name}={value}: {mistake}")
    return msgspec.convert(read, kind, strict=False)


def _split(value: object, kind: object) -> object:
    """A text for an option that is a list: its parts between commas, since a command line has texts only."""
    if not isinstance(value, str) or get_origin(kind) not in (list, tuple):
        return value
    return [part.strip() for part in value.split(",") if part.strip()]


def missing_options(kind: type[msgspec.Struct], given: Mapping[str, object]) -> list[str]:
    """The options without a default that are not given."""
    return [one.name for one in msgspec.structs.fields(kind) if one.required and one.name not in given]


def nearest(name: str, names: Iterable[str]) -> str:
    """The hint after an unknown name: the nearest known name, or all of them."""
    choices = {choice.lower(): choice for choice in names}
    if near := difflib.get_close_matches(name.lower(), choices, 1, cutoff=0.5):
        return f"; did you mean {choices[near[0]]}?"
    return f"; there are {', '.join(choices.values())}" if choices else ""


def written_options(pairs: Sequence[str]) -> dict[str, str]:
    """Options from a command line, each written `name=value`."""
    found: dict[str, str] = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not name.strip():
            raise RollcallError(f"--option {pair}: write name=value, such as k1=0.9")
        found[name.strip()] = value
    return found


class Need(NamedTuple):
    """Something that a component may need: what it is, and how to give it."""

    what: str
    option: str
    """On the command line."""
    argument: str
    """In Python."""


def check_needs(
    label: str, needs: Iterable[str], has: Callable[[str], bool], known: Mapping[str, Need]
) -> None:
    """Raise an error that names what is missing."""
    missing = [known[need] for need in needs if not has(need)]
    if missing:
        what, options, arguments = (" and ".join(words) for words in zip(*missing, strict=True))
        raise RollcallError(f"{label} needs {what}: give {options} ({arguments} in Python)")


def described_options(kind: type[msgspec.Struct]) -> list[Option]:
    """The options of a record with their documentation, the docstring below each field, inherited or not."""
    meanings: dict[str, str] = {}
    for one in reversed(kind.__mro__):
        meanings |= _meanings(one) if issubclass(one, msgspec.Struct) and one is not msgspec.Struct else {}
    return [
        Option(one.name, _type_name(one.type), _default(one), meanings.get(one.name, ""))
        for one in msgspec.structs.fields(kind)
    ]


def _meanings(kind: type) -> dict[str, str]:
    try:
        source = textwrap.dedent(inspect.getsource(kind))
    except (OSError, TypeError):  # defined without a file, for example at a prompt
        return {}
    (record,) = ast.parse(source).body
    assert isinstance(record, ast.ClassDef)
    found = {}
    for field, text in zip(record.body, record.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            match text:
                case ast.Expr(value=ast.Constant(value=str(meaning))):
                    found[field.target.id] = " ".join(meaning.split())
    return found


def _type_name(kind: Any) -> str:
    """A type in readable form: without bounds, and a choice as the list of its words."""
    if kind is type(None):
        return "none"
    if get_origin(kind) is Annotated:
        return _type_name(get_args(kind)[0])
    if get_origin(kind) is Literal:
        return " | ".join(map(str, get_args(kind)))
    if get_origin(kind) in (Union, types.UnionType):
        return " | ".join(map(_type_name, get_args(kind)))
    if get_origin(kind) in (list, tuple, Sequence):
        return f"list of {_type_name(get_args(kind)[0])}"
    if get_origin(kind) in (dict, Mapping):
        return f"{_type_name(get_args(kind)[1])} by {_type_name(get_args(kind)[0])}"
    return str(kind.__name__) if isinstance(kind, type) else str(kind)


def _default(field: msgspec.structs.FieldInfo) -> str:
    if field.required or field.default is None:
        return ""
    made = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    return str(list(made) if isinstance(made, tuple) else made)
