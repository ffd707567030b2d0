"""Wikitext to text: the visible text of a page, with its links and tables.

Other modules use only `parse`. It never raises, takes linear time, and leaves no markup in the text.
"""

import re
from collections.abc import Callable
from pathlib import Path

from rollcall.corpus.corpus import Content
from rollcall.corpus.lists import wiki_title
from rollcall.corpus.wikitext.finish import without_control_characters
from rollcall.corpus.wikitext.render import Renderer
from rollcall.corpus.wikitext.templates import load_rules

_HIDDEN = re.compile(
    r"(?P<shown><(?P<tag>nowiki|pre)\b[^<>]*+>(?:[^<]++|<(?!/?(?P=tag)\b))*+</(?P=tag)\s*+>)"
    r"|(?P<line>\n[ \t]*+)?+<!--(?:[^-]++|-(?!->))*+(?P<end>-->)?+(?(line)(?:[ \t]*+(?=\n))?+)"
)
_REDIRECT = re.compile(
    r"\s*+#(?:redirect|weiterleitung|redirection|redirección|rinvia)\s*+:?\s*+\[\[([^\]|\n]++)", re.I
)


def parse(wikitext: str, title: str = "", templates: Path | None = None) -> Content:
    """Render a page's wikitext; `templates` names a file with further template rules."""
    text = "\n" + without_control_characters(wikitext)
    redirect = _REDIRECT.match(text)
    if redirect:
        return Content(redirect=wiki_title(redirect[1]))
    unclosed = False
    if "<!--" in text:
        text, unclosed = _without_comments(text)
    content = Renderer(text, load_rules(templates), title).page()
    if unclosed:
        content.problems.append("unclosed comment")
    if title.endswith("(disambiguation)"):
        content.disambiguation = True
    return content


def parse_with(templates: str) -> Callable[[str, str], Content]:
    """`parse` with the further template rules of a file, if one is named."""
    path = Path(templates) if templates else None
    return lambda wikitext, title: parse(wikitext, title, path)


def _without_comments(text: str) -> tuple[str, bool]:
    """Remove comments, and lines that contain only a comment; an unclosed comment hides the rest."""
    unclosed = False

    def replace(match: re.Match[str]) -> str:
        nonlocal unclosed
        if match["shown"]:
            return match.group()
        unclosed = unclosed or match["end"] is None
        line = match["line"] or ""
        alone = match.string[match.end() : match.end() + 1] in ("\n", "")
        return "" if alone else line

    return _HIDDEN.sub(replace, text), unclosed


__all__ = ["parse", "parse_with"]
