"""The options of the sources that hold wikitext."""

from pathlib import Path

import msgspec

from rollcall.checksums import sha256
from rollcall.corpus.wikitext.template_rules import load_rules


class WikitextOptions(msgspec.Struct, frozen=True):
    templates: str = ""
    """A TOML file with additional rules for the text that templates show."""


def check_templates(templates: str) -> str:
    """The hash of a rule file after it was checked; empty if there is no file."""
    if not templates:
        return ""
    path = Path(templates)
    load_rules(path)
    return sha256(path)
