"""The options of the sources that hold wikitext."""

from pathlib import Path

import msgspec

from rollcall.checksums import sha256
from rollcall.corpus.wikitext.template_rules import load_rules


class WikitextOptions(msgspec.Struct, frozen=True):
    templates: str = ""
    """A TOML file with further rules for what templates show."""


def check_templates(templates: str) -> str:
    """The hash of a file of rules, once it is found to be right; nothing where there is none."""
    if not templates:
        return ""
    path = Path(templates)
    load_rules(path)
    return sha256(path)
