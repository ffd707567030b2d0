"""Registries of components by name: measures, profiles, formats, retrievers, readers, verifiers and more.

Each kind of component has a `Registry`. Built-in components are in the modules of a package and register
themselves with a decorator, so that adding one changes one file. Others come from installed distributions,
through entry points in the group `rollcall.KIND`, or directly from a module, as `module:name`. For an unknown
name, the error lists similar names.

An exception in the code of a user's component is not a bug of Rollcall: `plugin_failures` and
`failed_plugin` report it in one line that names the component.
"""

import ast
import difflib
import hashlib
import inspect
import linecache
import pkgutil
import sys
import textwrap
import threading
import traceback
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from itertools import takewhile
from pathlib import Path
from typing import (
    Annotated,
    Any,
    ClassVar,
    Generic,
    Literal,
    NamedTuple,
    TypeAlias,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
)

import msgspec

from rollcall._core.errors import RollcallError, mistake_in

T = TypeVar("T")
Registered = TypeVar("Registered")

ALL: "dict[str, Registry[object]]" = {}
"""Every registry whose module has been imported, by the plural of its kind."""
_OWN = ("rollcall", "rollcall_models")
"""The packages of which an exception is a bug of ours."""
_plugins: dict[str, str] = {}
"""Whose each module of a plug-in that was loaded is, by its path: `the reader my_system:Titles`."""
_WORKER_PLACES = "rollcall_places"
"""The attribute in which an exception of a worker process has the places that it came through."""


@dataclass(frozen=True)
class RegistryEntry(Generic[T]):
    """A registered component: its name, one line about it, and the module or distribution it comes from."""

    name: str
    thing: T
    summary: str
    origin: str

    @property
    def details(self) -> str:
        """The rest of its documentation, for a class of its own."""
        documentation = self.thing.__doc__ if isinstance(self.thing, type) else None
        return inspect.cleandoc(documentation or "").partition("\n")[2].strip()


class Registry(Generic[T]):
    """All components of one kind by name.

    `kind` and `plural` are used in messages, and `plural` names the group of entry points; `package` is the
    package whose modules register the built-in ones; `also` names modules of other packages that do; `lacks`
    says what an object from elsewhere lacks to be of this kind.
    """

    def __init__(
        self,
        kind: str,
        plural: str,
        package: str,
        lacks: Callable[[object], str | None] = lambda component: None,
        also: Sequence[str] = (),
    ):
        if not plural.isidentifier():
            raise ValueError(
                f"{plural!r}: is part of the name of a group of entry points; write an identifier"
            )
        self.kind = kind
        self._a_kind = f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
        self.plural = plural
        self._package = package
        self._lacks = lacks
        self._also = also
        self._entries: dict[str, RegistryEntry[T]] = {}
        self._installed: dict[str, EntryPoint] = {}
        self._loaded = self._started = False
        self._loading = threading.RLock()
        ALL[plural] = cast("Registry[object]", self)  # an empty registry is listed too

    @property
    def group(self) -> str:
        """The group of entry points of other distributions."""
        return f"rollcall.{self.plural}"

    def register(self, name: str, summary: str | None = None) -> Callable[[Registered], Registered]:
        """A decorator that registers a component by name; the first line of its docstring describes it."""

        def add(component: Registered) -> Registered:
            self._add(name, cast(T, component), getattr(component, "__module__", ""), summary)
            return component

        return add

    def find(self, name: str) -> T:
        """The component with this name, or the object at `module:name`."""
        return self.entry(name).thing

    def entry(self, name: str) -> RegistryEntry[T]:
        """The entry of the component with this name."""
        if ":" in name:
            return self._imported(name)
        self._load()
        if name not in self._entries and name in self._installed:
            self._load_installed(name)
        if name not in self._entries:
            near = difflib.get_close_matches(name, self.names, 3, 0.5)
            hint = f"did you mean {' or '.join(near)}? " if near else ""
            raise RollcallError(
                f"{name!r:.80} is not {self._a_kind}; {hint}choose one of {', '.join(self.names)}, "
                "or give one of your own as module:name"
            )
        return self._entries[name]

    def __iter__(self) -> Iterator[RegistryEntry[T]]:
        """All entries that can be loaded, built-in ones first."""
        for name in self.names:
            with suppress(RollcallError):
                yield self.entry(name)

    @property
    def names(self) -> list[str]:
        """All names, built-in ones first, in an order that does not depend on imports."""
        self._load()
        built_in = sorted(name for name in self._entries if name not in self._installed)
        return [*built_in, *self._installed]

    def _load(self) -> None:
        if self._loaded:
            return
        with self._loading:
            if self._started:  # by another thread, which is done now, or by this one, which is still loading
                return
            self._started = True
            package = import_module(self._package)
            for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda module: module.name):
                import_module(f"{self._package}.{module.name}")
            for name in self._also:
                import_module(name)
            points = sorted(entry_points(group=self.group), key=lambda point: point.name)
            self._installed = {point.name: point for point in points}
            self._loaded = True

    def _load_installed(self, name: str) -> None:
        """Load a component of another distribution; a broken one is an error only when it is requested."""
        point = self._installed[name]
        try:
            component = point.load()
        except Exception as error:
            raise RollcallError(
                f"the {self.kind} {name!r} of {point.value} cannot be loaded "
                f"({type(error).__name__}: {error}); fix or uninstall the package"
            ) from error
        origin = point.dist.name if point.dist is not None else point.value
        self._add(name, self._fitting(component, point.value), origin, None)
        self._remember(name, component)

    def _imported(self, address: str) -> RegistryEntry[T]:
        module_name, _, name = address.partition(":")
        if not all(part.isidentifier() for part in (*module_name.split("."), *name.split("."))):
            raise RollcallError(
                f"{address!r:.80} is not {self._a_kind}; write module:name, such as my_module:MyClass"
            )
        if str(Path.cwd()) not in sys.path:
            sys.path.append(str(Path.cwd()))  # a script in the current folder, as users of a command have it
        try:
            module = import_module(module_name)
        except ModuleNotFoundError as error:
            if error.name != module_name.partition(".")[0] and error.name != module_name:
                raise RollcallError(
                    f"{address}: {module_name} needs {error.name}, which is not there"
                ) from None
            raise RollcallError(f"{address}: no module {module_name} here or on PYTHONPATH") from None
        except (Exception, SystemExit) as error:
            about = " ".join(str(error).split())
            raise RollcallError(
                f"{address}: {module_name} cannot be imported ({type(error).__name__}: {about})"
            ) from error
        component: object = module
        for part in name.split("."):
            if not hasattr(component, part):
                near = difflib.get_close_matches(part, dir(component), 1)
                hint = f"; did you mean {near[0]}?" if near else ""
                raise RollcallError(f"{address}: {module_name} has no {name}{hint}")
            component = getattr(component, part)
        self._remember(address, component)
        return RegistryEntry(address, self._fitting(component, address), _first_line(component), module_name)

    def _remember(self, name: str, component: object) -> None:
        file = getattr(sys.modules.get(_module_of(component)), "__file__", None)
        if file is not None and not is_built_in(component):
            _plugins[file] = f"the {self.kind} {name}"

    def _fitting(self, component: object, where: str) -> T:
        if lacking := self._lacks(component):
            raise RollcallError(f"{where}: is not {self._a_kind}: {lacking}; docs/extending.md shows one")
        return cast(T, component)

    def _add(self, name: str, component: T, origin: str, summary: str | None) -> None:
        earlier = self._entries.get(name)
        if earlier is not None and earlier.thing is not component:
            raise RollcallError(
                f"two {self.plural} are called {name!r}, of {earlier.origin} and of {origin}; rename one"
            )
        self._entries[name] = RegistryEntry(name, component, summary or _first_line(component), origin)


def is_built_in(component: object) -> bool:
    """Whether a component, a class or an object of one, comes with Rollcall."""
    return _module_of(component).partition(".")[0] in _OWN


def _module_of(component: object) -> str:
    return str(component.__module__ if isinstance(component, type) else type(component).__module__)


@contextmanager
def plugin_failures(
    what: str,
    component: object,
    where: str = "",
    *,
    hint: str = "",
    expected: type[Exception] = RollcallError,
) -> Iterator[None]:
    """Report an exception of a plug-in in one line: what failed (`the reader titles`), at which file or
    question, and why. An exception of a built-in component is a bug of ours, and stays what it is, as does
    one that is `expected`.
    """
    try:
        yield
    except (RollcallError, MemoryError, expected):
        raise
    except Exception as error:
        line = _place_in(error, getattr(sys.modules.get(_module_of(component)), "__file__", None))
        if is_built_in(component) or (isinstance(error, OSError) and not line):
            raise
        raise RollcallError(f"{where}{_failure(what, error, line)}{hint}") from error


def failed_plugin(error: Exception) -> str | None:
    """The same line for an exception that came out of the code of a plug-in; None for any other."""
    for file, what in _plugins.items():
        if line := _place_in(error, file):
            return _failure(what, error, line)
    return None


def keep_places(error: BaseException) -> None:
    """Keep the places that an exception came through, which are lost on its way to another process."""
    setattr(error, _WORKER_PLACES, _places(error))


def _places(error: BaseException) -> list[tuple[str, int]]:
    """The files and lines that an exception came through, outermost first."""
    frames = traceback.extract_tb(error.__traceback__)
    return [
        *((frame.filename, frame.lineno or 0) for frame in frames),
        *getattr(error, _WORKER_PLACES, ()),
    ]


def _place_in(error: BaseException, file: str | None) -> str:
    """The last line of a file that an exception came through; empty if there is none."""
    lines = [line for name, line in _places(error) if name == file]
    return f"{Path(file).name}:{lines[-1]}" if file is not None and lines else ""


def _failure(what: str, error: BaseException, line: str) -> str:
    about = " ".join(f"{type(error).__name__}: {error}".split())
    return f"{what} failed ({about:.200}){f' in {line}' if line else ''}; --debug shows the traceback"


def lacks_method(component: object, base: type, method: str, signature: str) -> str | None:
    """Why something cannot do what a base class leaves open: it has no such method of its own."""
    implementation = getattr(component, method, None)
    left_open = getattr(base, method)
    if implementation is None or getattr(implementation, "__func__", implementation) is getattr(
        left_open, "__func__", left_open
    ):
        return f"it has no method {signature}"
    return None


def _first_line(component: object) -> str:
    lines = (getattr(component, "__doc__", None) or "").strip().splitlines()
    return lines[0] if lines else ""


# Components that are chosen by name and then opened: each declares its options and its needs. Options
# are a record with types and defaults, so that the command line, recipes and Python check them in the
# same way: for an unknown option the error names the nearest one, for a wrong value it says what was
# expected. Needs are declared, so that a missing one is reported before anything is loaded.

T_ = TypeVar("T_")


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


def called(kind: Callable[..., T_], arguments: Mapping[str, object]) -> T_:
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
    return [
        field.name for field in msgspec.structs.fields(kind) if field.required and field.name not in given
    ]


def nearest(name: str, names: Iterable[str]) -> str:
    """The hint after an unknown name: the nearest known name, or all of them."""
    choices = {choice.lower(): choice for choice in names}
    if near := difflib.get_close_matches(name.lower(), choices, 1, cutoff=0.5):
        return f"; did you mean {choices[near[0]]}?"
    return f"; choose one of {', '.join(choices.values())}" if choices else ""


def written_options(pairs: Sequence[str]) -> dict[str, str]:
    """Options from a command line, each written `name=value`."""
    options: dict[str, str] = {}
    for pair in pairs:
        name, separator, value = pair.partition("=")
        if not separator or not name.strip():
            raise RollcallError(f"--option {pair}: write name=value, such as k1=0.9")
        options[name.strip()] = value
    return options


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
    meanings = field_meanings(kind)
    return [
        Option(field.name, _type_name(field.type), _default(field), meanings.get(field.name, ""))
        for field in msgspec.structs.fields(kind)
    ]


def field_meanings(kind: type[msgspec.Struct]) -> dict[str, str]:
    """The docstring below each field of a record, inherited or not."""
    meanings: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        meanings |= _meanings(base) if issubclass(base, msgspec.Struct) and base is not msgspec.Struct else {}
    return meanings


@cache
def _meanings(kind: type) -> dict[str, str]:
    try:
        (record,) = ast.parse(_source(kind)).body
    except (OSError, TypeError):  # defined without a file, for example at a prompt
        return {}
    assert isinstance(record, ast.ClassDef)
    meanings = {}
    for field, text in zip(record.body, record.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            match text:
                case ast.Expr(value=ast.Constant(value=str(meaning))):
                    meanings[field.target.id] = " ".join(meaning.split())
    return meanings


def _source(kind: type) -> str:
    """The source of a class. A class at the top of a module is cut out of its lines, because `inspect` parses
    the whole module for each class, and every command needs the source of many.
    """
    lines = linecache.getlines(getattr(sys.modules.get(kind.__module__), "__file__", None) or "")
    heads = (f"class {kind.__qualname__}(", f"class {kind.__qualname__}:")
    start = next((number for number, line in enumerate(lines) if line.startswith(heads)), None)
    if start is None:  # inside a class or a function
        return textwrap.dedent(inspect.getsource(kind))
    body = takewhile(lambda line: line[0].isspace() or line[0] in ")#", lines[start + 1 :])
    return "".join([lines[start], *body])


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
    default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
    return str(list(default) if isinstance(default, tuple) else default)


# The settings of the objects that made a result, so that results of two systems never share one file.
# The settings of a system or a source are its class (of a built-in one without its module, which may move),
# its public attributes of simple, immutable types and, unless it is built in, the hash of the file that
# defines its class. A system can override `settings`.

Settings: TypeAlias = dict[str, object]

_SPEED = ("parallel", "together")
"""The attributes that change only how fast a system is, never its output."""


def described(component: object) -> Settings:
    """The settings that distinguish an object from others that do the same kind of work."""
    kind = type(component)
    name = kind.__qualname__ if is_built_in(kind) else f"{kind.__module__}.{kind.__qualname__}"
    settings: Settings = {"class": name}
    if source := _source_hash(kind):
        settings["source"] = source
    for name, value in inspect.getmembers_static(component):
        if name.startswith("_") or name in _SPEED:
            continue
        if isinstance(value, types.MemberDescriptorType):  # a slot
            value = getattr(component, name)
        if _is_simple(value):
            settings[name] = value
        elif isinstance(value, msgspec.Struct) and value.__struct_config__.frozen:
            settings[name] = msgspec.to_builtins(value)
    return settings


def content_of(folder: Path, manifest: str) -> str:
    """The hash of the content of a graph or corpus, computed from its manifest."""
    return hashlib.sha256((folder / manifest).read_bytes()).hexdigest()[:16]


def _is_simple(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_simple, value))
    return value is None or isinstance(value, str | int | float | bool | Path)


def _source_hash(kind: type) -> str:
    """The hash of the file of a class, or of the class alone if it was defined at a prompt."""
    if is_built_in(kind):
        return ""
    try:
        file = Path(inspect.getsourcefile(kind) or "")
        source = file.read_bytes() if file.is_file() else inspect.getsource(kind).encode()
    except (OSError, TypeError):
        return ""
    return hashlib.sha256(source).hexdigest()[:16]
