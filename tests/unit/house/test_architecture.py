"""The shape of the house: who may import whom, and what is loaded when."""

import ast
import re
import subprocess
import sys
from fnmatch import fnmatch
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from core_install import MODELS_PROJECT, PROJECT
from places import ROOT, SOURCE
from public_names import DOCUMENT, rendered
from public_names import PACKAGES as PUBLIC

# A package may import only from those before it; single modules stand before all packages.
ORDER = [
    "_core", "text", "tables", "report", "query", "world", "input_files", "graph", "corpus", "wording", "llm",
    "mine", "evidence", "questions", "score", "harness", "systems", "audit", "studio", "build", "tuning",
    "extract", "papers", "cli",
]  # fmt: skip


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file, which several tests look at."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imported_packages(path: Path) -> set[str]:
    """The rollcall packages and modules that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(parsed(path)):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        found |= {name.split(".")[1] for name in names if name.startswith("rollcall.")}
    return {name for name in found if (SOURCE / name).is_dir() or (SOURCE / f"{name}.py").exists()}


PACKAGES = sorted(path.parent.name for path in SOURCE.glob("*/__init__.py"))


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_from_its_left(package):
    assert package in ORDER, f"say in ORDER where {package} stands"
    allowed = {*ORDER[: ORDER.index(package) + 1], *(path.stem for path in SOURCE.glob("*.py"))}
    for path in (SOURCE / package).rglob("*.py"):
        assert imported_packages(path) <= allowed, f"{path.relative_to(SOURCE)} reaches to its right"


def test_single_modules_stand_before_all_packages():
    for path in SOURCE.glob("*.py"):
        if path.stem not in ("__init__", "__main__"):
            assert imported_packages(path).isdisjoint(ORDER), path.name


RENDERINGS = {"rollcall.query.query", "rollcall.report.values"}
"""Values that offer their renderings as methods: these import lazily what imports them."""


def modules() -> dict[str, Path]:
    found = {}
    for path in SOURCE.rglob("*.py"):
        parts = ("rollcall", *path.relative_to(SOURCE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported_modules(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules that a file imports, at its start or later, but for types alone."""
    found: set[str] = set()
    waiting: list[ast.AST] = [parsed(path)]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting += node.orelse
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in known else node.module for name in names}
        waiting += ast.iter_child_nodes(node)
    return found & known.keys()


def test_no_module_imports_what_imports_it():
    known = modules()
    left = {name: imported_modules(path, known) - {name} for name, path in known.items()}
    for name in RENDERINGS & left.keys():
        left[name] = set()
    while free := [name for name, imports in left.items() if not imports & left.keys()]:
        for name in free:
            del left[name]
    # What imports a module of a circle is left too: the circle itself is what remains from the other side.
    while free := [name for name in left if not any(name in imports for imports in left.values())]:
        for name in free:
            del left[name]
    assert not left, f"these import each other: {sorted(left)}"


CALLED_BY_OTHERS = {
    "on_broken_pipe": "rich calls it",
    "_repr_svg_": "notebooks call it",
    "_repr_html_": "notebooks call it",
    "get_seq_length": "transformers calls it",
    "do_GET": "the server calls it",
    "log_message": "the server calls it",
    "grading_result": "what is exported for promptfoo calls it",
    "down_revision": "Alembic reads it",
}


def test_nothing_is_unused():
    """Whatever is defined is used in the package, by a benchmark or in training, or shown in the docs."""
    root = SOURCE.parent.parent
    defined: dict[str, str] = {}
    used = set(CALLED_BY_OTHERS)
    for path in SOURCE.rglob("*.py"):
        tree = parsed(path)
        for node in ast.walk(tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                used.add(node.id)
            elif isinstance(node, ast.Attribute):
                used.add(node.attr)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 200:
                used |= set(re.findall(r"\w+", node.value))  # types in quotes, names imported on first use
            elif isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.decorator_list:
                defined[node.name] = f"{path.relative_to(SOURCE)}:{node.lineno}"
        for node in tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                defined[node.targets[0].id] = f"{path.relative_to(SOURCE)}:{node.lineno}"
    shown = [
        *root.glob("docs/**/*.md"),
        *root.glob("*.md"),
        *root.glob("examples/*.py"),
        *root.glob("benchmarks/*.py"),
        *root.glob("models/training/*.py"),
    ]
    for path in shown:
        used |= set(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    unused = {
        name: place for name, place in defined.items() if name not in used and not name.startswith("__")
    }
    assert not unused


def test_every_module_says_what_it_is_for():
    for path in SOURCE.rglob("*.py"):
        assert ast.get_docstring(parsed(path)), path.relative_to(SOURCE)


HEAVY = {
    "ibis", "duckdb", "pyarrow", "numpy", "pandas", "torch", "pyoxigraph", "sklearn", "tantivy", "inflect",
}  # fmt: skip


@pytest.mark.parametrize(
    ("statement", "heavy"),
    [
        ("import rollcall", HEAVY | {"typer", "rich", "msgspec"}),
        ("import rollcall.cli.main", HEAVY),
        ("import rollcall.query", HEAVY),
        ("from rollcall import Graph, Query", {"ibis", "duckdb", "pandas", "pyoxigraph"}),
        ("from rollcall import annotate", {*HEAVY, "sqlalchemy", "starlette", "jinja2", "uvicorn"}),
    ],
)
def test_what_is_not_needed_is_not_loaded(statement, heavy):
    """The start stays fast because heavy libraries are loaded only where they are used."""
    program = f"import sys; {statement}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert heavy.isdisjoint(loaded.stdout.split())


MODULES = {
    "argon2-cffi": "argon2", "backports-zstd": "backports", "faiss-cpu": "faiss", "ibis-framework": "ibis",
    "markdown-it-py": "markdown_it", "python-docx": "docx", "pyyaml": "yaml",
}  # fmt: skip
"""The modules of distributions that have another name."""
OF_IBIS = {"pyarrow_hotfix"}
"""What ibis imports for Arrow, and brings only together with pandas."""


def declared(requirements: list[str]) -> set[str]:
    """The modules of distributions that are declared."""
    names = {canonicalize_name(Requirement(text).name) for text in requirements}
    return {MODULES.get(name, name.replace("-", "_")) for name in names}


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def imports(path: Path) -> dict[str, bool]:
    """The foreign modules that a file imports, but for types alone, and whether it does so when loaded."""
    found: dict[str, bool] = {}
    waiting: list[tuple[ast.AST, bool]] = [(parsed(path), True)]
    while waiting:
        node, at_once = waiting.pop()
        if _is_for_types(node):
            continue
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        for name in {name.split(".")[0] for name in names} - sys.stdlib_module_names - {"rollcall"}:
            found[name] = found.get(name, False) or at_once
        at_once = at_once and not isinstance(node, ast.FunctionDef)
        waiting += ((part, at_once) for part in ast.iter_child_nodes(node))
    found.pop("compression", None)  # which the standard library has from Python 3.14 on
    return found


TASKS = SOURCE / "harness" / "inspect_task.py"
"""inspect_ai finds its tasks in a module that it loads itself."""
LEARNING = SOURCE / "systems" / "train"
"""Whatever learns, or reads with what was learned, loads a checkpoint first, and is given the hint there."""

STUDIO = SOURCE / "studio"
TUNING_PAGE = SOURCE / "tuning" / "web.py"
SERVER = {
    TUNING_PAGE,
    *(STUDIO / name for name in ("database", "work", "web")),
    *(STUDIO / f"{name}.py" for name in ("projects", "serving")),
}
"""The parts of the web application, which is loaded as a whole; `verbs` gives the hint before it is."""


def test_what_is_imported_is_declared_and_what_is_declared_is_imported():
    core = declared(PROJECT["dependencies"])
    extras = {
        f"pip install 'rollcall-qa[{name}]'": declared(texts)
        for name, texts in PROJECT["optional-dependencies"].items()
        if name != "test"
    }
    # The other distribution brings what runs its models; both ways to install it are right.
    extras["pip install rollcall-models"] = {"rollcall_models", *declared(MODELS_PROJECT["dependencies"])}
    extras["pip install 'rollcall-qa[models]'"] = extras["pip install rollcall-models"]
    used = set()
    for path in SOURCE.rglob("*.py"):
        for module, at_once in imports(path).items():
            used.add(module)
            if module in core:
                continue
            hints = [hint for hint, modules in extras.items() if module in modules]
            assert hints, f"{path.relative_to(SOURCE)} imports {module}, which no distribution declares"
            of_server = bool(SERVER & {path, *path.parents})
            assert not at_once or path == TASKS or of_server, (
                f"{path.relative_to(SOURCE)} imports {module} of an extra when it is loaded"
            )
            giving = path if LEARNING not in path.parents else LEARNING / "base.py"
            giving = STUDIO / "verbs.py" if path == TUNING_PAGE or STUDIO in path.parents else giving
            text = giving.read_text(encoding="utf-8")
            assert any(hint in text for hint in hints), f"{path.relative_to(SOURCE)} gives no hint"
    assert core - used == OF_IBIS, "declared for nothing"


def test_no_folder_of_tests_is_passed_over(pytestconfig: pytest.Config) -> None:
    """As pytest passes over a folder called `build`, if it is not told otherwise."""
    folders = {path.parent.name for path in (ROOT / "tests").rglob("test_*.py")}
    patterns = pytestconfig.getini("norecursedirs")
    assert not {name for name in folders for pattern in patterns if fnmatch(name, pattern)}


def test_public_names_can_be_imported():
    import rollcall

    for name in rollcall.__all__:
        assert getattr(rollcall, name) is not None
    with pytest.raises(AttributeError):
        _ = rollcall.no_such_name


@pytest.mark.parametrize("package", PUBLIC)
def test_names_are_listed_before_they_are_imported_and_no_others_are_found(package: str) -> None:
    module = import_module(package)
    assert set(module.__all__) <= set(dir(module))
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'no_such_name'"):
        _ = module.no_such_name


def test_public_names_are_listed_with_what_they_are() -> None:
    listed = rendered()
    assert "|  |" not in listed, "a public name has no line of documentation"
    assert DOCUMENT.read_text(encoding="utf-8") == listed, "run python tests/support/public_names.py"


def test_the_page_about_the_architecture_names_files_that_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+/[\w/]*\.py)`", page))
    assert len(named) > 40
    assert {name for name in named if not (SOURCE / name).exists() and not (ROOT / name).exists()} == set()


def test_the_months_are_written_once() -> None:
    """As is all English that several packages need: what stands twice is corrected once."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        tree = parsed(path)
        texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        if any(isinstance(text, str) and re.search(r"(?i)\bfebruary(\||$)", text) for text in texts):
            found.add(path.relative_to(SOURCE).as_posix())
    assert found == {"text/words.py"}


ENGINE_READERS = {"parquet", "read_parquet", "read_csv", "read_json", "parquet_scan"}
ARROW_READERS = {"ParquetFile", "ParquetWriter", "read_schema", "read_metadata", "new_file"}


def calls_with_paths(names: set[str]) -> list[tuple[str, ast.Call]]:
    """The calls of library functions that take a path, with where they are."""
    return [
        (f"{path.relative_to(SOURCE)}:{node.lineno}", node)
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names
    ]


def test_every_path_that_an_engine_reads_is_escaped():
    unescaped = [
        place
        for place, call in calls_with_paths(ENGINE_READERS)
        if not ast.unparse(call.func).endswith("write.parquet")  # a path to write to is no pattern
        and not re.match(r"(\*\()?engine_path\(", ast.unparse(call.args[0]))
    ]
    in_sql = [
        str(path.relative_to(SOURCE))
        for path in sorted(SOURCE.rglob("*.py"))
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Constant)
        and re.search(r"(read_(parquet|csv|json)|parquet_scan)\(", str(node.value))
    ]
    assert not unescaped, "give it to rollcall.tables.engine.engine_path"
    assert in_sql == ["tables/engines/duckdb.py"], "use parquet_rows of tables/engines/duckdb.py"


def test_no_library_replaces_a_tilde_in_a_path():
    """Arrow replaces a `~`, and takes `a:b` for an address, unless a path is absolute."""
    relative = [
        place
        for place, call in calls_with_paths(ARROW_READERS)
        if not ast.unparse(call.func).startswith("self.")
        and not any(part in ast.unparse(call.args[0]) for part in (".absolute()", "BufferReader("))
    ]
    assert not relative, "add .absolute()"
    expanding = [place for place, _ in calls_with_paths({"expanduser", "expandvars"})]
    assert not expanding, "the shell does this; `./~x` is a name"
