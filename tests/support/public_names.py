"""The public names of every package with one line each, as docs/names.md lists them.

python tests/support/public_names.py writes the document again.
"""

import inspect
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType, UnionType
from typing import get_args

from rollcall._core.packages import VerbPackage
from rollcall._core.registry import Registry

PACKAGES = (
    "rollcall",
    "rollcall.query",
    "rollcall.input_files",
    "rollcall.graph",
    "rollcall.corpus",
    "rollcall.world",
    "rollcall.wording",
    "rollcall.mine.kinds",
    "rollcall.evidence",
    "rollcall.questions",
    "rollcall.questions.formats",
    "rollcall.score",
    "rollcall.systems",
    "rollcall.audit",
    "rollcall.llm",
    "rollcall.build",
    "rollcall.extract",
)
DOCUMENT = Path(__file__).parents[2] / "docs" / "names.md"
_HEAD = """# Public names

What a script may import, with one line each; everything else may change without notice. Names are imported
on first use. The names of `rollcall` itself are the five nouns (`Graph`, `Corpus`, `QuestionSet`, `Run`,
`Report`), the verbs (`extract`, `build`, `run`, `retrieve`, `score`, `compare`, `expand`, `audit`, `diff`)
and what queries are made of. What is found by name (measures, readers, sources and more) is listed by
`rollcall plugins`; [extending.md](extending.md) says how to add to it.
"""


def rendered() -> str:
    """The document."""
    parts = [_HEAD]
    for package in PACKAGES:
        module = import_module(package)
        parts.append(f"\n## {package}\n\n| name | what it is |\n|---|---|\n")
        for name in sorted(module.__all__, key=lambda name: (name.lower(), name)):
            if not name.startswith("__"):
                parts.append(f"| `{name}` | {_line(module, name)} |\n")
    return "".join(parts)


def _line(module: ModuleType, name: str) -> str:
    thing = getattr(module, name)
    if isinstance(thing, VerbPackage):
        thing = getattr(thing, name)
    if isinstance(thing, Registry):
        return f"All {thing.plural.replace('_', ' ')} by name."
    if not inspect.isroutine(thing) and not inspect.isclass(thing):
        if isinstance(thing, UnionType):
            plain = f"One of {', '.join(f'`{kind.__name__}`' for kind in get_args(thing))}."
        else:
            plain = f"A constant: `{thing}`."
        return _line_below(module, name) or plain
    said = (inspect.getdoc(thing) or "").strip().partition("\n\n")[0]
    return " ".join(said.split()).replace("|", "\\|")


def _line_below(package: ModuleType, name: str) -> str:
    """The documentation of a value: the text below the line that sets it, if there is one."""
    home = getattr(package, "_HOMES", {}).get(name)
    if home is None:
        return ""
    module = import_module(f"{package.__name__}.{home}")
    text = re.search(rf'^{name} = .*\n"""(.*)"""$', inspect.getsource(module), re.MULTILINE)
    return text.group(1) if text else ""


if __name__ == "__main__":
    DOCUMENT.write_text(rendered(), encoding="utf-8")
