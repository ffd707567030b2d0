"""Fingerprints of inputs, outputs and code, which decide whether a stage runs again.

The fingerprint of a graph or corpus comes from its manifest, after every file was compared with the manifest.
Outputs of stages and other files are hashed completely.
"""

import ast
import hashlib
import importlib.util
import json
import symtable
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from rollcall._core import checksums
from rollcall._core.errors import RollcallError


def of_value(value: Any) -> str:
    """The hash of any value that can be written as JSON."""
    return hashlib.sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def of_file(path: Path) -> str:
    """The hash of a file's whole content."""
    return checksums.sha256(path)


def of_input(path: Path) -> str:
    """The fingerprint of a file's content, or of everything in a folder; a damaged folder is refused."""
    if path.is_file():
        return of_file(path)
    if not path.is_dir():
        raise RollcallError(f"{path}: no such file or folder")
    manifest = checksums.refuse_damaged_folder(path)
    if manifest is not None:
        return of_file(manifest)
    return of_value(checksums.record(path, checksums.sha256))


def of_files(paths: Sequence[Path]) -> str:
    """The hash of the names and contents of some files; for a folder, of all files in it."""
    hashes = {}
    for path in paths:
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file():
                hashes[file.relative_to(path.parent).as_posix()] = of_file(file)
    return of_value(hashes)


# Finds the source files that a function depends on: its own module and all modules it imports, also
# indirectly. A stage runs again if one of these files changes, so the list must never be too short; it is
# computed, not written by hand. Imports are read from the source anywhere in a file, because heavy libraries
# are imported inside functions; in the function's own module, only imports that the function can reach
# count, and a local name that hides a definition does not reach it. A name that a package re-exports
# counts for the module that defines it. Modules named in whole strings with dots, as in registries,
# count as imported. So do data files beside a module that reads its own folder. Only files of Rollcall
# and of the function's own package are followed: other libraries change only with their releases, which
# the user chooses.

_OURS = "rollcall"
_FINDS_ITS_FOLDER = ("__file__", "importlib.resources", "import resources")


class _NamedModule(NamedTuple):
    """A module that code names: imported, or something imported from it, or in a whole string."""

    module: str
    name: str | None = None
    in_string: bool = False


class SourceFiles:
    """Finds the source files of functions; each file is read once."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._paths: dict[str, Path | None] = {}
        self._imports: dict[str, set[str]] = {}
        self._known_files: dict[str, list[Path]] = {}

    def of(self, function: Callable[..., Any]) -> dict[str, list[Path]]:
        """The files that a function depends on, by module name."""
        files: dict[str, list[Path]] = {}
        for part in _parts(function):
            self._follow(part.__module__, part.__qualname__.partition(".")[0], files)
        return dict(sorted(files.items()))

    def _follow(self, own_module: str, definition: str, files: dict[str, list[Path]]) -> None:
        packages = {_OURS, own_module.partition(".")[0]}
        waiting = [self._imported(_named_modules(_reached(self._text(own_module), definition)))]
        followed = {own_module}
        files[own_module] = self._files(own_module)
        while waiting:
            for name in waiting.pop():
                if name in followed or name.partition(".")[0] not in packages or self._path(name) is None:
                    continue
                followed.add(name)
                for module in _with_packages(name):  # a package's own file is executed, too
                    files.setdefault(module, self._files(module))
                if name not in self._imports:
                    self._imports[name] = self._imported(_named_anywhere(self._text(name)))
                waiting.append(self._imports[name])

    def _imported(self, named: Iterable[_NamedModule]) -> set[str]:
        """The modules that are meant by what code names."""
        names: set[str] = set()
        for module, name, in_string in named:
            if in_string:
                names.update(self._modules_in(module))
            else:
                names.add(module if name is None else self._defining(module, name))
        return names

    def _modules_in(self, name: str) -> list[str]:
        """A module; of a package, all that lies directly in it, since a registry loads all of it."""
        path = self._path(name)
        if path is None or path.name != "__init__.py":
            return [name]
        modules = [file.stem for file in path.parent.glob("*.py") if file != path]
        packages = [file.parent.name for file in path.parent.glob("*/__init__.py")]
        return [name, *(f"{name}.{inner}" for inner in (*modules, *packages))]

    def _defining(self, module: str, name: str) -> str:
        """The module that defines what `from module import name` gives, followed through re-exports of
        packages.
        """
        path = self._path(module)
        if path is None or path.name != "__init__.py":
            return module
        if self._path(f"{module}.{name}") is not None:
            return f"{module}.{name}"
        origin = _reexports(self._text(module)).get(name)
        return module if origin is None else self._defining(*origin)

    def _files(self, module: str) -> list[Path]:
        if module not in self._known_files:
            self._known_files[module] = self._files_of(module)
        return self._known_files[module]

    def _files_of(self, module: str) -> list[Path]:
        path = self._path(module)
        assert path is not None
        if not any(word in self._text(module) for word in _FINDS_ITS_FOLDER):
            return [path]
        siblings = (file for file in path.parent.rglob("*") if file.is_file())
        return [path, *sorted(file for file in siblings if file.suffix not in (".py", ".pyc"))]

    def _text(self, module: str) -> str:
        if module not in self._texts:
            path = self._path(module)
            if path is None or path.suffix != ".py" or not path.is_file():
                raise RollcallError(
                    f"{module}: has no source file, so a build cannot tell whether its code changed; "
                    "put the function into a module"
                )
            self._texts[module] = path.read_text(encoding="utf-8")
        return self._texts[module]

    def _path(self, module: str) -> Path | None:
        """The source file of a module; None if there is no such module. Nothing is imported to find it."""
        if module not in self._paths:
            self._paths[module] = _path(module)
        return self._paths[module]


@lru_cache(maxsize=4096)
def _named_anywhere(text: str) -> tuple[_NamedModule, ...]:
    """The modules that a file names; parsing all files takes a second, and a process may plan many builds."""
    return tuple(_named_modules([ast.parse(text)]))


def _named_modules(nodes: Iterable[ast.AST]) -> Iterator[_NamedModule]:
    """The modules that some code imports anywhere, or names in whole strings."""
    for node in _executed(nodes):
        if isinstance(node, ast.Import):
            yield from (_NamedModule(alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (_NamedModule(node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            name = node.value.partition(":")[0]
            if "." in name and all(part.isidentifier() for part in name.split(".")):
                yield _NamedModule(name, in_string=True)


@lru_cache(maxsize=4096)
def _reexports(text: str) -> dict[str, tuple[str, str]]:
    """What a file imports by name: for each name, the module it comes from, and its name there."""
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.ImportFrom) and node.module and not node.level
        for alias in node.names
    }


def _path(module: str) -> Path | None:
    top, *inner = module.split(".")
    loaded = sys.modules.get(top)
    origin = getattr(loaded, "__file__", None)
    if loaded is None:
        spec = importlib.util.find_spec(top)
        origin = None if spec is None else spec.origin
    if origin is None or not inner:
        return None if origin is None else Path(origin)
    base = Path(origin).parent.joinpath(*inner)
    candidates = (base / "__init__.py", base.with_name(f"{base.name}.py"))
    return next((path for path in candidates if path.is_file()), None)


def _parts(function: Callable[..., Any]) -> Iterator[Any]:
    """A function, and the functions and classes that were bound to it as arguments."""
    if isinstance(function, partial):
        yield from _parts(function.func)
        for argument in (*function.args, *function.keywords.values()):
            if isinstance(argument, partial) or hasattr(argument, "__qualname__"):
                yield from _parts(argument)
    else:
        yield function


_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _reached(text: str, definition: str) -> list[ast.AST]:
    """One definition of a module, the definitions it refers to, and all code outside of definitions."""
    tree = ast.parse(text)
    definitions = {node.name: node for node in tree.body if isinstance(node, _Definition)}
    rest = [node for node in tree.body if node not in definitions.values()]
    waiting = {definition, *_names(rest)}
    reached: dict[str, ast.AST] = {}
    while waiting:
        name = waiting.pop()
        if name in definitions and name not in reached:
            reached[name] = definitions[name]
            waiting |= _module_names(definitions[name], text)
    return [*rest, *reached.values()]


def _names(nodes: Iterable[ast.AST]) -> set[str]:
    return {child.id for node in nodes for child in ast.walk(node) if isinstance(child, ast.Name)}


def _module_names(node: _Definition, text: str) -> set[str]:
    """The names of its module that a definition refers to; those that are local to a function are not."""
    start = min(part.lineno for part in (node, *node.decorator_list))
    source = "\n".join(text.split("\n")[start - 1 : node.end_lineno])
    return _not_local(symtable.symtable(source, node.name, "exec"))


def _not_local(scope: symtable.SymbolTable) -> set[str]:
    """The names that a scope and those in it may look up in the module.

    A name that a class assigns may still be the module's, until it is assigned.
    """
    hides = isinstance(scope, symtable.Function)
    referenced = (symbol for symbol in scope.get_symbols() if symbol.is_referenced())
    names = {symbol.get_name() for symbol in referenced if symbol.is_global() or not hides}
    return names.union(*map(_not_local, scope.get_children()))


_LEAVES = (ast.Name, ast.expr_context, ast.operator, ast.cmpop, ast.boolop, ast.unaryop)
"""Most nodes of a tree are of these kinds, which never name a module."""


def _executed(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """All nodes except code for type checkers only, and without most leaves, because many files are read."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in _names([node.test]):
            waiting += node.orelse
        else:
            yield node
            for field in node._fields:
                inner = getattr(node, field, None)
                if isinstance(inner, list):
                    waiting += [child for child in inner if isinstance(child, ast.AST)]
                elif isinstance(inner, ast.AST) and not isinstance(inner, _LEAVES):
                    waiting.append(inner)


def _with_packages(name: str) -> list[str]:
    """A module and the packages that contain it."""
    parts = name.split(".")
    return [".".join(parts[: length + 1]) for length in range(len(parts))]
