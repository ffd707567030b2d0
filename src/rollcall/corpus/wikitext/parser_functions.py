"""Parser functions and variables: the few that produce text in an article."""

import re
from typing import TYPE_CHECKING

from rollcall.corpus.wikitext.numbers import group_thousands

if TYPE_CHECKING:
    from rollcall.corpus.wikitext.template_call import TemplateCall

_SILENT = {
    "defaultsort", "defaultcategorysort", "displaytitle", "#invoke", "#tag", "#babel", "#related", "#seo",
    "noexternallanglinks", "#categorytree", "#property", "#statements",
}  # fmt: skip
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def parser_function(call: "TemplateCall", written: str) -> str | None:
    """What `{{name:argument}}` or `{{VARIABLE}}` shows; None if it is neither."""
    name, colon, argument = written.partition(":")
    name = name.strip().lower()
    if not colon:
        return _variable(call, name)
    if name in _SILENT:
        return ""
    first = argument.strip() or call.first_after_colon
    if name in ("lc", "uc", "lcfirst", "ucfirst"):
        return _case(name, first)
    if name == "formatnum":
        return group_thousands(first) if _NUMBER.fullmatch(first) else first
    if name in ("#if", "#ifeq", "#ifexpr", "#ifexist", "#switch", "#iferror"):
        return _choice(call, name, first)
    if name in ("plural", "#expr", "#time", "#timel", "#dateformat", "#formatdate"):
        return first if name in ("#dateformat", "#formatdate") else ""
    return None


def _variable(call: "TemplateCall", name: str) -> str | None:
    if name in ("pagename", "fullpagename", "basepagename", "subpagename", "title"):
        return call.page.title
    if name in ("!", "=", "pipe"):
        return {"!": "|", "=": "=", "pipe": "|"}[name]
    if name.startswith(("current", "local", "revision", "numberof", "namespace", "sitename", "server")):
        return ""
    return None


def _case(name: str, text: str) -> str:
    if name == "lc":
        return text.lower()
    if name == "uc":
        return text.upper()
    change = str.upper if name == "ucfirst" else str.lower
    return change(text[:1]) + text[1:]


def _choice(call: "TemplateCall", name: str, first: str) -> str:
    """`#if` is evaluated if its condition is plain text; for other choices the default is shown."""
    if name == "#if":
        return call.value("1" if first else "2")
    if name == "#ifeq":
        return call.value("2" if first == call.words("1") else "3")
    if name == "#iferror":
        return first
    if name == "#switch":
        if first in call.arguments:
            return call.value(first)
        return call.first("#default") or (call.positional or [""])[-1]
    return call.value("2")
