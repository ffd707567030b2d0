"""Pages that show commands with what they print: ```console blocks, in which `$ ` begins a command.

What is shown must still be printed, in this order; `…` stands for lines left out, and figures may differ.
Blocks of `sh` show commands alone, blocks of `python` are run, blocks of `text` show what is not run here.
Blocks with a title are files, which are written before what follows.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

LEFT_OUT = "…"
_BLOCK = re.compile(
    r"^```(?P<language>\w+)(?: title=\"(?P<title>[^\"]+)\")?\n(?P<inside>.*?)^```$", re.M | re.S
)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_QUESTION_ID = re.compile(r"\b(?=[a-z2-7]*\d)[a-z2-7]{13}\b")
_RULED = re.compile(r"[─━]{2,}")


@dataclass
class Shown:
    """A command with what a page shows of its output, a file that the page gives, or Python to run."""

    command: str
    output: list[str] = field(default_factory=list)
    file: str = ""
    content: str = ""
    python: str = ""
    line: int = 0

    @property
    def words(self) -> list[str]:
        """The words of the command, with patterns of file names as a shell expands them."""
        found: list[str] = []
        for word in shlex.split(self.command):
            is_pattern = "*" in word and " " not in word
            names = sorted(map(str, Path().glob(word))) if is_pattern else []
            found += names or [word]
        return found


def shown(page: Path) -> list[Shown]:
    """What a page shows, from top to bottom: `sh` blocks show commands alone."""
    found: list[Shown] = []
    text = page.read_text(encoding="utf-8")
    for block in _BLOCK.finditer(text):
        line = text.count("\n", 0, block.start()) + 2
        if block["title"]:
            found.append(Shown("", file=block["title"], content=block["inside"], line=line))
        elif block["language"] == "console":
            found += _commands(block["inside"].splitlines(), line)
        elif block["language"] == "python":
            found.append(Shown("", python=block["inside"], line=line))
        elif block["language"] == "sh":
            found += _commands(
                [f"$ {one}" if one[:1] != " " else one for one in block["inside"].splitlines()], line
            )
    return found


def _commands(lines: list[str], first: int) -> Iterator[Shown]:
    current: Shown | None = None
    continued = False
    for number, line in enumerate(lines, first):
        if continued and current is not None:
            current.command += " " + line.strip().removesuffix("\\").strip()
        elif line.startswith("$ "):
            if current is not None:
                yield current
            current = Shown(line[2:].removesuffix("\\").strip(), line=number)
        elif current is not None:
            current.output.append(line)
        continued = line.endswith("\\")
    if current is not None:
        yield current


def missing_line(expected: list[str], printed: str) -> str | None:
    """The first line shown that was not printed after the ones before it; None if all were."""
    lines = iter([_alike(line) for line in printed.splitlines()])
    for line in expected:
        if line.strip() != LEFT_OUT and _alike(line) and not any(_alike(line) == one for one in lines):
            return line
    return None


def _alike(line: str) -> str:
    """A line without its figures, and without what their width changes."""
    line = _RULED.sub("─", _FIGURE.sub("0", _QUESTION_ID.sub("id", line)))
    return " ".join(line.split())
