"""The rules for templates: the text that each shows. They are data, in `templates.toml`.

A rule is a pattern (`{1}` is the first argument, `{2|1}` the second or else the first, `<…>` is left out
unless all arguments inside it are given, `[[…|…]]` is a link), or the name of a function for templates that
patterns cannot describe. A user's file adds or replaces rules.
"""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from rollcall.errors import RollcallError
from rollcall.nesting import DEEPEST, why

OWN_RULES = Path(__file__).with_name("templates.toml")
_PIECE = re.compile(r"\{(?P<keys>[^{}]+)\}|(?P<sign><|>|\[\[|\]\]|\|)|(?P<words>[^{}<>\[\]|]+|.)", re.DOTALL)


class Names(msgspec.Struct):
    """Templates by name, and by the beginning of their names."""

    names: list[str] = []
    prefixes: list[str] = []


class RuleFile(msgspec.Struct):
    """The tables of a file of rules."""

    show: dict[str, list[str]] = {}
    drop: Names = msgspec.field(default_factory=Names)
    disambiguation: Names = msgspec.field(default_factory=Names)
    languages: dict[str, str] = {}


class Argument(NamedTuple):
    """The first of these arguments that is given."""

    keys: tuple[str, ...]


class Optional(NamedTuple):
    """Left out unless every argument in it is given."""

    pieces: "Pattern"


class LinkTo(NamedTuple):
    """A link with its target and its label."""

    target: "Pattern"
    label: "Pattern"


Pattern = tuple["str | Argument | Optional | LinkTo", ...]


class Function(NamedTuple):
    """A rule that is computed, by its name in `template_functions`."""

    name: str


class TemplateRules:
    """All rules, by the lower-case name of the template."""

    def __init__(
        self,
        rules: dict[str, Pattern | Function],
        dropped: frozenset[str],
        prefixes: tuple[str, ...],
        disambiguation: frozenset[str],
        languages: dict[str, str],
    ) -> None:
        self.rules = rules
        self.dropped = dropped
        self.dropped_prefixes = prefixes
        self.disambiguation = disambiguation
        self.languages = languages

    def is_dropped(self, name: str) -> bool:
        """Whether the template is known to show no text."""
        return name in self.dropped or name.startswith(self.dropped_prefixes)


@cache
def load_rules(extra: Path | None = None) -> TemplateRules:
    """The built-in rules, extended or replaced by those of the user's file."""
    tables = [_read(OWN_RULES)] + ([_read(extra)] if extra else [])
    rules: dict[str, Pattern | Function] = {}
    dropped: set[str] = set()
    disambiguation: set[str] = set()
    languages: dict[str, str] = {}
    prefixes: list[str] = []
    for table in tables:
        for pattern, names in table.show.items():
            parsed = _parse(pattern)
            for name in names:
                rules[name.lower()] = parsed
                dropped.discard(name.lower())
        for name in table.drop.names:
            dropped.add(name.lower())
            rules.pop(name.lower(), None)
        prefixes += [prefix.lower() for prefix in table.drop.prefixes]
        disambiguation |= {name.lower() for name in table.disambiguation.names}
        languages |= table.languages
    return TemplateRules(rules, frozenset(dropped), tuple(prefixes), frozenset(disambiguation), languages)


def _read(path: Path) -> RuleFile:
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), RuleFile)
    except FileNotFoundError:
        raise RollcallError(f"{path}: no such file; name a TOML file with template rules") from None
    except msgspec.ValidationError as error:
        raise RollcallError(f"{path}: is not a file of template rules: {why(error)}") from None
    except (ValueError, RecursionError) as error:  # from tomllib, also for numbers that are too large
        raise RollcallError(f"{path}: is not TOML: {why(error)}") from None


def _parse(pattern: str) -> Pattern | Function:
    if pattern.startswith("@"):
        from rollcall.corpus.wikitext.template_functions import FUNCTIONS

        if pattern[1:] not in FUNCTIONS:
            known = ", ".join(FUNCTIONS)
            raise RollcallError(f"template rule {pattern!r}: no such function; known are {known}")
        return Function(pattern[1:])
    pieces = list(_PIECE.finditer(pattern))
    return _sequence(pieces, 0, (), 0)[0]


def _sequence(
    pieces: list[re.Match[str]], place: int, stop: tuple[str, ...], depth: int
) -> tuple[Pattern, int]:
    if depth > DEEPEST:
        raise RollcallError(f"template rule {pieces[0].string[:40]!r} …: nested too deeply")
    parsed: list[str | Argument | Optional | LinkTo] = []
    while place < len(pieces):
        piece = pieces[place]
        sign = piece["sign"]
        if sign in stop and sign is not None:
            return tuple(parsed), place
        place += 1
        if piece["keys"]:
            parsed.append(Argument(tuple(piece["keys"].split("|"))))
        elif sign == "<":
            inner, place = _sequence(pieces, place, (">",), depth + 1)
            parsed.append(Optional(inner))
            place += 1
        elif sign == "[[":
            target, place = _sequence(pieces, place, ("|", "]]"), depth + 1)
            label = target
            if place < len(pieces) and pieces[place]["sign"] == "|":
                label, place = _sequence(pieces, place + 1, ("]]",), depth + 1)
            parsed.append(LinkTo(target, label))
            place += 1
        elif sign in (">", "]]"):
            raise RollcallError(f"template rule {piece.string!r}: {sign} closes nothing")
        else:
            parsed.append(piece.group())
    if stop:
        raise RollcallError(f"template rule {pieces[0].string!r}: {stop[-1]} is missing")
    return tuple(parsed), place
