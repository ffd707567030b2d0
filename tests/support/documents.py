"""What README.md and docs show to be typed: command lines and blocks of Python, with their page and line.

Command lines stand in indented blocks and in fences of a shell; a backslash continues a line, ` # ` begins a
remark, and `…` alone stands for words that the text around it gives. Commands in `inline code` are read too,
but may be cut short; those of benchmarks may lack the word `python`.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from places import ROOT

SHELLS = ("", "sh", "shell", "bash", "console", "text")
REST = "…"
_FENCE = re.compile(r"^\s*(```+)\s*(\w*)(.*)$")
_PROGRAMS = re.compile(r"^(\$ )?(rollcall|pip|make|python|inspect|lm_eval|promptfoo) ")
_INLINE = re.compile(r"`(rollcall [a-z][^`]*|(?:python )?benchmarks/\w+\.py[^`]*)`")


@dataclass(frozen=True)
class Snippet:
    """Something that a page shows to be run."""

    page: str
    line: int
    kind: Literal["command", "python", "inline"]
    text: str
    section: str = ""
    """The heading of the section in which it stands."""
    file: str = ""
    """The file that a block of Python is shown as, where it has a title."""

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def words(self) -> list[str]:
        """The words of a command line."""
        return shlex.split(self.text)


def pages() -> list[Path]:
    """README and every page that is written by hand."""
    docs = ROOT / "docs"
    found = [path for path in sorted(docs.rglob("*.md")) if docs / "reference" not in path.parents]
    return [ROOT / "README.md", *found]


def snippets(page: Path) -> list[Snippet]:
    """What one page shows, from top to bottom."""
    return list(_snippets(page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8")))


def _snippets(name: str, text: str) -> Iterator[Snippet]:
    lines = text.splitlines()
    place, section = 0, ""
    while place < len(lines):
        line = lines[place]
        if line.startswith("## "):
            section = line[3:].strip()
        if fence := _FENCE.match(line):
            end = next(
                (at for at in range(place + 1, len(lines)) if lines[at].strip() == fence[1]), len(lines)
            )
            inside = lines[place + 1 : end]
            if fence[2] == "python":
                title = re.search(r'title="([^"]+)"', fence[3])
                block = "\n".join(inside) + "\n"
                yield Snippet(name, place + 2, "python", block, section, title[1] if title else "")
            elif fence[2] in SHELLS:
                yield from _commands(name, section, inside, place + 2)
            place = end + 1
        elif line.startswith("    "):
            end = next(
                (at for at in range(place, len(lines)) if lines[at].strip() and lines[at][:4] != "    "),
                len(lines),
            )
            yield from _commands(name, section, lines[place:end], place + 1)
            place = end
        else:
            for found in _INLINE.finditer(line):
                python = "python " if found[1].startswith("benchmarks/") else ""
                yield Snippet(name, place + 1, "inline", python + found[1], section)
            place += 1


def _commands(page: str, section: str, lines: list[str], first: int) -> Iterator[Snippet]:
    place = 0
    while place < len(lines):
        start, text = place, lines[place].strip()
        while text.endswith("\\") and place + 1 < len(lines):
            place += 1
            text = f"{text[:-1].rstrip()} {lines[place].strip()}"
        place += 1
        if _PROGRAMS.match(text):
            shown = re.split(r"\s+# ", text.removeprefix("$ "))[0]
            yield Snippet(page, first + start, "command", shown, section)
