"""The size and shape of the code, as figures: modules, lines, importers, repeated class names, documentation.

    python tests/house/measure.py           print the table
    python tests/house/measure.py --run     also count the modules that run during a build, a run and a score

A line of code is a line that is not blank and belongs neither to a comment nor to a docstring. Only
documentation written by hand is counted: neither generated pages nor the changelog.
"""

import argparse
import ast
import inspect
import io
import json
import subprocess
import sys
import tempfile
import tokenize
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "rollcall"
GENERATED = ("reference", "gallery", "notebooks")
GENERATED_PAGES = ("changelog.md", "gallery.md", "tables.md", "names.md", "contributing.md")
SKIPPED = (
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
)


def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    named = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = ["rollcall", *path.relative_to(SOURCE).with_suffix("").parts]
        named[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return named


def docstring_lines(tree: ast.Module) -> set[int]:
    """The lines of docstrings, and of strings that describe an attribute."""
    return {
        number
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }


def code_lines(text: str) -> int:
    """How many lines hold code."""
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in SKIPPED:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstring_lines(ast.parse(text)))


def importers(named: dict[str, Path]) -> dict[str, set[str]]:
    """The modules that import each module, anywhere in their text."""
    found: dict[str, set[str]] = defaultdict(set)
    for name, path in named.items():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    inner = f"{node.module}.{alias.name}"
                    found[inner if inner in named else node.module].add(name)
    return {name: found[name] - {name} for name in named}


def repeated_classes(named: dict[str, Path]) -> Counter[str]:
    """Names of classes that several modules define."""
    counts: Counter[str] = Counter()
    for path in named.values():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        counts.update({node.name for node in tree.body if isinstance(node, ast.ClassDef)})
    return Counter({name: count for name, count in counts.items() if count > 1})


def words_by_hand() -> int:
    """How many words the documentation has that is written by hand."""
    pages = [
        path
        for path in (ROOT / "docs").rglob("*.md")
        if not {*path.relative_to(ROOT / "docs").parts} & {*GENERATED, *GENERATED_PAGES}
    ]
    return sum(len(path.read_text(encoding="utf-8").split()) for path in pages)


TRACED = """
import inspect, json, sys, threading
from pathlib import Path
source, seen = sys.argv[1], set()
def follow(frame, event, argument):
    code = frame.f_code
    is_function = code.co_flags & inspect.CO_OPTIMIZED  # bodies of modules and classes are not
    if event == "call" and is_function and code.co_filename.startswith(source):
        seen.add(code.co_filename)
threading.setprofile(follow)
sys.setprofile(follow)
from rollcall.cli.main import main
try:
    main(sys.argv[3:])
except SystemExit as ended:
    if ended.code:
        raise
sys.setprofile(None)
Path(sys.argv[2]).write_text(json.dumps(sorted(seen)))
"""


def that_run(folder: Path, *command: object) -> int:
    """How many modules have a function that runs during a command."""
    seen = folder / "seen.json"
    program = [sys.executable, "-c", TRACED, str(SOURCE), str(seen), *map(str, command)]
    subprocess.run(program, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return len(json.loads(seen.read_text(encoding="utf-8")))


def running() -> dict[str, int]:
    """The modules that run during one build, one run and one score of a small world."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        world, graph, corpus, questions, run = (folder / part for part in ("w", "g", "c", "q", "run.jsonl"))
        for command in (
            ("world", world, "--entities", 800, "--seed", 1),
            ("graph", world / "wikidata.json.gz", "--out", graph),
            ("corpus", world / "pages.xml.bz2", "--graph", graph, "--out", corpus),
        ):
            subprocess.run(
                [sys.executable, "-m", "rollcall", *map(str, command)], check=True, capture_output=True
            )
        changes = [
            word for change in ("answers.least=3", "evidence.verifier=contrast") for word in ("--set", change)
        ]
        commands = {
            "build": ("build", "qampari", "-g", graph, "-c", corpus, "-o", questions, "-j", 1, *changes),
            "run": ("run", questions, "-g", graph, "-c", corpus, "-o", run, "--reader", "mentions"),
            "score": ("score", questions, run),
        }
        return {verb: that_run(folder, *command) for verb, command in commands.items()}


def figures() -> dict[str, object]:
    """The table, row by row."""
    import rollcall

    named = modules()
    by = importers(named)
    texts = {name: path.read_text(encoding="utf-8") for name, path in named.items()}
    single = [name for name, path in named.items() if path.name != "__init__.py" and len(by[name]) == 1]
    return {
        "modules": len(named),
        "lines of code": sum(code_lines(text) for text in texts.values()),
        "modules imported by exactly one other": len(single),
        "class names used in more than one module": len(repeated_classes(named)),
        "exported names at top level": len(rollcall.__all__),
        "parameters of score": len(inspect.signature(rollcall.score).parameters),
        "words of documentation written by hand": words_by_hand(),
        "words of the README": len((ROOT / "README.md").read_text(encoding="utf-8").split()),
    }


def main() -> None:
    """Print the figures as a Markdown table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--run", action="store_true", help="also count the modules that run, which takes minutes"
    )
    table = figures()
    if parser.parse_args().run:
        table |= {f"modules that run during one {verb}": count for verb, count in running().items()}
    print("| figure | |\n|---|---|")
    for name, value in table.items():
        print(f"| {name} | {value:,} |")


if __name__ == "__main__":
    main()
