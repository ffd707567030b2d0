"""`rollcall plugins` and `doctor`: what is installed, what extras would add, what this machine has."""

import os
import platform
import shlex
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, metadata, version
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from rollcall._core.console import Screen, say, say_json, styled
from rollcall._core.errors import RollcallError
from rollcall.cli import options
from rollcall.cli.options import AsJson

if TYPE_CHECKING:
    from rollcall._core.registry import Registry, RegistryEntry
    from rollcall.score.measures import MeasureKind


HOMES = (
    "rollcall.audit.checks",
    "rollcall.build.pipelines",
    "rollcall.corpus.sources",
    "rollcall.evidence.verifiers",
    "rollcall.graph.sources",
    "rollcall.mine.kinds",
    "rollcall.questions.formats",
    "rollcall.studio.tasks",
    "rollcall.systems.check",
    "rollcall.systems.read",
    "rollcall.systems.retrieve",
    "rollcall.systems.train",
    "rollcall.score.measures",
    "rollcall.score.profiles",
    "rollcall.tables.engine",
)
"""The modules that create the registries when they are imported."""


def plugins(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="Show this one with its options; or module:name.", show_default=False
        ),
    ] = None,
    kind: Annotated[
        str | None, typer.Option(help="Only of this kind, such as readers.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List what can be chosen by name: readers, retrievers, verifiers and more, including your own.

    docs/extending.md shows how to add one of your own.
    """
    registries = _registries(kind)
    if name is not None:
        _show(name, registries, as_json)
        return
    if as_json:
        say_json(
            {
                registry.plural: [_record(registry.kind, entry) for entry in registry]
                for registry in registries
            }
        )
        return
    from rich.table import Table

    console = Screen()
    for registry in registries:
        table = Table(title=registry.plural, title_justify="left", box=None, show_header=False)
        table.add_column(no_wrap=True)
        table.add_column()
        table.add_column(overflow="fold", style="dim")
        for entry in registry:
            table.add_row(entry.name, entry.summary, entry.origin)
        console.print(table)


def _registries(kind: str | None) -> "list[Registry[object]]":
    from importlib import import_module

    from rollcall._core.registry import ALL, nearest

    for home in HOMES:
        import_module(home)
    if kind is None:
        return [ALL[plural] for plural in sorted(ALL)]
    chosen = [registry for registry in ALL.values() if kind in (registry.kind, registry.plural)]
    if not chosen:
        raise RollcallError(f"--kind {kind}: no such kind{nearest(kind, sorted(ALL))}")
    return chosen


def _record(kind: str, entry: "RegistryEntry[object]") -> dict[str, object]:
    told = {"kind": kind, "name": entry.name, "summary": entry.summary, "of": entry.origin}
    return {**told, "options": _options(entry.thing)}


def _show(name: str, registries: "list[Registry[object]]", as_json: bool) -> None:
    """Print all entries with a name, with their options."""
    entries: list[tuple[str, RegistryEntry[object]]] = []
    mistakes = []
    for registry in registries:
        try:
            entries.append((registry.kind, registry.entry(name)))
        except RollcallError as error:
            mistakes.append(str(error))
    if not entries:
        raise RollcallError(mistakes[0] if ":" in name else _unknown(name, registries))
    if as_json:
        say_json([_record(kind, entry) for kind, entry in entries])
        return
    for kind, entry in entries:
        say(f"{kind} {entry.name}, from {entry.origin}")
        say(f"  {entry.summary}")
        for line in entry.details.splitlines():
            say(f"  {line}".rstrip())
        for line in _options(entry.thing):
            say(f"    {line}")


def _unknown(name: str, registries: "list[Registry[object]]") -> str:
    """What is said of a name that nothing has: the kind that is called so, or the nearest names."""
    import difflib

    for registry in registries:
        if name in (registry.kind, registry.plural):
            return f"{name!r} is a kind, not a name; `rollcall plugins --kind {shlex.quote(name)}` lists them"
    known = sorted({entry_name for registry in registries for entry_name in registry.names})
    near = difflib.get_close_matches(name, known, 3, 0.5)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    return f"nothing is called {name!r:.80}; {hint}`rollcall plugins` lists all names"


def _options(thing: object) -> list[str]:
    import msgspec

    from rollcall._core.registry import Configurable, described_options
    from rollcall.score.measures import MeasureKind
    from rollcall.studio.tasks.task import Task
    from rollcall.systems.train.trainable import Learner

    if isinstance(thing, type) and issubclass(thing, MeasureKind):
        return _parameters(thing)
    if not (isinstance(thing, type) and issubclass(thing, Configurable | Task)):
        return []
    options: type[msgspec.Struct] = thing.Settings if issubclass(thing, Task) else thing.Options
    presets = sorted(thing.presets) if issubclass(thing, Learner) else []
    return [
        *(f"--preset {name}" for name in presets),
        *(
            (
                f"{option.name}: {option.kind}{f' = {option.default}' if option.default else ''}"
                f"  {option.meaning}"
            ).rstrip()
            for option in described_options(options)
        ),
    ]


def _parameters(kind: "type[MeasureKind]") -> list[str]:
    """The parameters that may be written after and around a measure's name."""
    takes = kind.parameters
    meanings = (
        ("@k", takes.cut, "only the first k count"),
        ("-k", takes.cap, "finding k answers is enough"),
        (">=t", "optional" if takes.threshold else "never", "the share of questions that reach t"),
        ("min(…), max(…)", "optional" if takes.worst else "never", "the worst, the best of each cluster"),
    )
    return [f"{sign} ({taken}): {meaning}" for sign, taken, meaning in meanings if taken != "never"]


def doctor(
    every: Annotated[
        bool, typer.Option("--all", help="Also the extras for the tests and the site of Rollcall.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Print what is installed, what each extra would add, and whether a GPU, Java or a browser is there.

    The core needs none of them: `rollcall demo` runs without any extra.
    """
    from rich.console import Group
    from rich.table import Table

    from rollcall import __version__

    known = [extra for extra in extras() if every or extra.name not in ("docs", "test")]
    findings = machine()
    if as_json:
        say_json(
            {
                "version": __version__,
                "machine": {
                    finding.name: {"found": finding.found, "told": finding.told} for finding in findings
                },
                "extras": {
                    extra.name: {"adds": extra.adds, "missing": list(extra.missing)} for extra in known
                },
            }
        )
        return
    console = Screen()
    console.print(styled((f"rollcall {__version__}", "bold")))
    table = Table(show_header=False)
    for finding in findings:
        table.add_row(
            finding.name, styled(("yes", "green") if finding.found else ("no", "yellow")), finding.told
        )
    console.print(table)
    if not known:
        console.print(f"{DISTRIBUTION} is not installed as a distribution, so its extras are not known")
        return
    table = Table("extra", "", "adds", "install")
    for extra in known:
        has = styled(("no", "yellow") if extra.missing else ("yes", "green"))
        lacks = (extra.install, f"(lacks {', '.join(extra.missing)})") if extra.missing else ()
        table.add_row(extra.name, has, extra.adds, Group(*lacks))
    console.print(table)


# What is installed and what is at hand on this machine: packages, extras, GPU, Java, a browser. The
# extras and what they need are read from the metadata of the installed distribution, so that this list
# is never older than the package. Nothing heavy is imported: what is there is asked of the metadata and
# of `PATH`.

DISTRIBUTION = "rollcall-qa"
ADDS = {
    "dates": "dates in the cells of WideSearch are compared as its scorer does",
    "docs": "what builds the site of Rollcall itself",
    "documents": "Word and PDF files are read into a corpus",
    "frames": "pandas data frames as input and output",
    "harness": "inspect_ai and lm-evaluation-harness run exported sets",
    "hub": "`rollcall export --push` uploads sets to the Hugging Face hub",
    "llm": "language models of any OpenAI-compatible server answer, judge, parse and word",
    "models": "weights: the verifier `learned`, the retriever `learned`, the reader `rollcall`, and `ask`",
    "neural": "training, dense retrieval, entailment models",
    "postgres": "the studio's database on PostgreSQL",
    "remote": "sources at addresses (s3://, gs://, https://); add the package of their file system",
    "sail": "the engine Sail, which speaks Spark's protocol without Java",
    "spark": "the engine Spark, for graphs larger than one machine; it needs Java",
    "studio": "`rollcall annotate`, where people judge questions, answers and evidence",
    "test": "what the tests of Rollcall itself need",
}
"""What each extra adds."""
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "firefox", "msedge")


class Extra(NamedTuple):
    """An extra of the distribution, with the packages that it lacks."""

    name: str
    adds: str
    missing: tuple[str, ...]

    @property
    def install(self) -> str:
        return f"pip install '{DISTRIBUTION}[{self.name}]'"


class Finding(NamedTuple):
    """Something at hand on this machine, or not."""

    name: str
    found: bool
    told: str


def extras() -> list[Extra]:
    """The extras of the installed distribution; none if it was not installed as one."""
    from packaging.requirements import InvalidRequirement, Requirement

    try:
        described = metadata(DISTRIBUTION)
    except PackageNotFoundError:
        return []
    needed: dict[str, list[str]] = {name: [] for name in described.get_all("Provides-Extra") or []}
    for text in described.get_all("Requires-Dist") or []:
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue
        for name, lacking in needed.items():
            marker = requirement.marker
            if marker is None or marker.evaluate({"extra": ""}) or not marker.evaluate({"extra": name}):
                continue  # of the core, or of another extra
            if not _satisfied(requirement.name, str(requirement.specifier)):
                lacking.append(str(requirement).partition(";")[0].strip())
    return [Extra(name, ADDS.get(name, ""), tuple(lacking)) for name, lacking in sorted(needed.items())]


def _satisfied(name: str, specifier: str) -> bool:
    from packaging.specifiers import SpecifierSet

    try:
        return SpecifierSet(specifier).contains(version(name), prereleases=True)
    except PackageNotFoundError:
        return False


def machine() -> list[Finding]:
    """What this machine has that some commands can use."""
    return [
        Finding("Python", True, f"{platform.python_version()}, {sys.executable}"),
        Finding("cores", True, f"{os.cpu_count() or 1}, {_memory()}"),
        Finding("disk", True, f"{shutil.disk_usage(Path.cwd()).free / 1e9:,.0f} GB free in this folder"),
        _gpu(),
        _java(),
        _browser(),
        Finding("encoding", _is_utf8(), f"{sys.stdout.encoding or 'unknown'} on the terminal"),
    ]


def _memory() -> str:
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not on this system
        return "memory unknown"
    return f"{size / 1e9:,.0f} GB of memory"


def _gpu() -> Finding:
    told = _first_line("nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader")
    if told:
        return Finding("GPU", True, told)
    if sys.platform == "darwin" and platform.machine() == "arm64":
        return Finding("GPU", True, "Apple silicon, used by torch as mps")
    return Finding("GPU", False, "none found (nvidia-smi); training and large models are slow without one")


def _java() -> Finding:
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home) / "bin" / "java") if home else "java"
    told = _first_line(program, "-version")
    if told:
        return Finding("Java", True, told)
    return Finding("Java", False, "none found (JAVA_HOME, PATH); only the engine Spark needs it, version 17")


def _browser() -> Finding:
    browser = next((path for name in _BROWSERS if (path := shutil.which(name))), None)
    if browser or sys.platform in ("darwin", "win32"):
        return Finding("browser", True, browser or "the system's own")
    return Finding("browser", False, "none found on PATH; reports are HTML files, to open elsewhere")


def _is_utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "utf8sig")


def _first_line(*command: str) -> str:
    """The first line that a program prints; nothing if it is not there or fails."""
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return next(iter((ran.stdout + ran.stderr).strip().splitlines()), "")
