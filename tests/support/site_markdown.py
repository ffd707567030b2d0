"""Adds Markdown to the built site: every page as `PAGE.md` beside its HTML, and `llms.txt`, which lists them.

    python tests/support/site_markdown.py SITE

`llms.txt` (https://llmstxt.org) has the sections of the navigation, and for each page its title and its first
paragraph. Links in the Markdown pages work as they are, because the pages keep their paths. Text that a page
includes from another file is inserted. With `ROLLCALL_SITE_URL` the links of `llms.txt` are absolute.
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
_INCLUDE = re.compile(r'^--8<-- "([^"]+)"$', re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def write_markdown(root: Path, site: Path, url: str = "") -> None:
    """Copy the pages of `root/docs` to the folder `site`, and write `llms.txt` there."""
    settings, _, navigation = (root / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")
    name, description = (_setting(settings, key) for key in ("site_name", "site_description"))
    sections: dict[str, list[str]] = {}
    for heading, title, page in _pages(yaml.safe_load(navigation)):
        text = _with_included(root, (root / "docs" / page).read_text(encoding="utf-8"))
        target = site / page
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        entry = f"- [{title or _title(text)}]({url}{page}): {_summary(text)}\n"
        sections.setdefault(heading, []).append(entry)
    lists = "".join(f"\n## {heading}\n\n{''.join(entries)}" for heading, entries in sections.items())
    (site / "llms.txt").write_text(f"# {name}\n\n> {description}\n{lists}", encoding="utf-8")


def _setting(settings: str, key: str) -> str:
    return next(line.partition(": ")[2] for line in settings.splitlines() if line.startswith(f"{key}: "))


def _pages(entries: list[Any], section: str = "") -> Iterator[tuple[str, str, str]]:
    """The section, title (empty if the page's own heading is meant) and path of each page."""
    for entry in entries:
        title, content = next(iter(entry.items())) if isinstance(entry, dict) else ("", entry)
        if isinstance(content, list):
            yield from _pages(content, section or title)
        else:
            yield section or "Start", title, content


def _with_included(root: Path, text: str) -> str:
    return _INCLUDE.sub(lambda match: (root / match[1]).read_text(encoding="utf-8").rstrip(), text)


def _title(text: str) -> str:
    return next(line[2:].strip() for line in text.splitlines() if line.startswith("# "))


def _summary(text: str) -> str:
    """The first sentence of the first paragraph, without markup."""
    blocks = re.split(r"\n\s*\n", text)
    paragraph = next((block for block in blocks if re.match(r"(?!```)[A-Za-z*\"`\[]", block)), "")
    words = _LINK.sub(r"\1", " ".join(paragraph.split())).replace("**", "")
    return re.split(r"(?<=[.?!:]) ", words)[0].rstrip(":")


if __name__ == "__main__":
    address = os.environ.get("ROLLCALL_SITE_URL", "").rstrip("/")
    write_markdown(ROOT, Path(sys.argv[1]), f"{address}/" if address else "")
