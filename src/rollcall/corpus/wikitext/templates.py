"""A template on a page: its name, its arguments, and the text that the rules give.

Arguments are rendered only when a rule needs them, so that a dropped template costs no more than finding its
end.
"""

import re
import tomllib
from collections.abc import Callable
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from rollcall._core.errors import DEEPEST, RollcallError, why
from rollcall.corpus.wikitext.convert import convert, group_thousands
from rollcall.corpus.wikitext.finish import BREAK, GAP, link, link_target, plain, without_links
from rollcall.text.words import MONTHS

if TYPE_CHECKING:
    from rollcall.corpus.wikitext.render import Renderer


# Templates that patterns cannot describe: dates, ages, lists, languages, names that are links. Each
# function takes one use of a template and returns a marked string; `templates.toml` assigns functions to
# templates.


def written_date(year: str, month: str, day: str, day_first: bool) -> str:
    """`17 May 1960` or `May 17, 1960`, or the parts that are given."""
    if month.isdecimal() and 1 <= int(month) <= 12:
        month = MONTHS[int(month) - 1]
    day = day.lstrip("0")
    if not month:
        return year
    if not day:
        return f"{month} {year}".strip()
    return f"{day} {month} {year}".strip() if day_first else f"{month} {day}, {year}".strip(" ,")


def _day_first(call: "TemplateCall") -> bool:
    order = call.words("format").lower()
    if order:
        return order in ("dmy", "dm")
    return call.words("df").lower() in ("y", "yes", "1", "true") or call.words("mf").lower() in ("n", "no")


def date(call: "TemplateCall") -> str:
    """Year, month and day in numbers; further numbers (times, births) are not shown."""
    year, month, day = (call.words(str(number)) for number in (1, 2, 3))
    if year and not year.lstrip("-").isdecimal():
        return year  # already written out
    return written_date(year, month, day, _day_first(call)) or GAP


def death_date(call: "TemplateCall") -> str:
    """The date of death, then that of birth; shown with the age at death."""
    died = [call.words(str(number)) for number in (1, 2, 3)]
    born = [call.words(str(number)) for number in (4, 5, 6)]
    if not all(part.isdecimal() for part in (*died[:1], *born[:1])):
        return died[0] or GAP
    shown = written_date(died[0], died[1], died[2], _day_first(call))
    years = int(died[0]) - int(born[0])
    if all(part.isdecimal() for part in (*died, *born)):
        before_birthday = (int(died[1]), int(died[2])) < (int(born[1]), int(born[2]))
        return f"{shown} (aged {years - before_birthday})"
    return f"{shown} (aged {years - 1}–{years})" if years > 0 else shown


def as_of(call: "TemplateCall") -> str:
    """`As of May 2020`, lower case in a sentence."""
    shown = call.words("alt")
    if shown:
        return shown
    words = "since" if call.words("since") else "as of"
    if call.words("lc").lower() not in ("y", "yes", "on", "1"):
        words = words.capitalize()
    when = written_date(call.words("1"), call.words("2"), call.words("3"), call.words("df") != "US")
    return f"{words} {when}"


def day_month_year(call: "TemplateCall") -> str:
    """Arguments that are already day, month and year in this order."""
    return " ".join(part for part in (call.words(str(number)) for number in (1, 2, 3)) if part)


def language(call: "TemplateCall") -> str:
    """`{{lang-fr|mot}}` shows the language's name before the words, where it is known."""
    code = call.name.removeprefix("lang-") if call.name.startswith("lang-") else call.words("1")
    words = call.value("1" if call.name.startswith("lang-") else "2")
    name = call.page.rules.languages.get(code.partition("-")[0])
    if not words:
        return GAP
    return f"{name}: {words}" if name and call.words("label") != "none" else words


def sort_name(call: "TemplateCall") -> str:
    """First and last name, linked to the person's page unless an argument forbids it."""
    words = f"{call.value('1')} {call.value('2')}".strip()
    if call.words("nolink") or not words:
        return words
    target = call.words("3") or plain(words)
    if call.words("dab"):
        target = f"{target} ({call.words('dab')})"
    return link(link_target(target), without_links(words))


def other_language_link(call: "TemplateCall") -> str:
    """A link to a page that may not exist yet, with a link to another language."""
    words = without_links(call.first("lt", "1"))
    target = link_target(call.words("1"))
    return link(target, words) if target and words else words or GAP


def items(call: "TemplateCall") -> str:
    """A list, one item per line."""
    return BREAK + BREAK.join(part for part in call.positional if part) + BREAK


def items_in_line(call: "TemplateCall") -> str:
    """A list within a line."""
    return ", ".join(part for part in call.positional if part) or GAP


def items_with_and(call: "TemplateCall") -> str:
    """`a, b and c`."""
    parts = [part for part in call.positional if part]
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def paragraph(call: "TemplateCall") -> str:
    """A quotation or another block: its text as a separate paragraph."""
    first = "2" if call.words("1") in ("left", "right") else "1"  # the side it is placed on
    words = call.first("text", "quote", first, "content")
    return f"{BREAK}{words}{BREAK}" if words else GAP


def fraction(call: "TemplateCall") -> str:
    """`1⁄2`, `3 1⁄2`."""
    parts = call.positional
    if len(parts) >= 3:
        return f"{parts[0]} {parts[1]}⁄{parts[2]}"
    return f"{parts[0]}⁄{parts[1]}" if len(parts) == 2 else f"1⁄{parts[0]}" if parts else "⁄"


def value(call: "TemplateCall") -> str:
    """A number with its unit."""
    number = group_thousands(call.words("1"))
    unit = call.words("u") or call.words("ul")
    return f"{number} {unit}".strip() or GAP


def height(call: "TemplateCall") -> str:
    """A person's height as it was given."""
    if call.words("m"):
        return f"{call.words('m')} m"
    if call.words("cm"):
        return f"{call.words('cm')} cm"
    inches = call.words("in") or call.words("inch")
    return f"{call.words('ft')} ft {inches} in" if call.words("ft") and inches else f"{call.words('ft')} ft"


def ordinal(call: "TemplateCall") -> str:
    """`3rd`, `11th`."""
    number = call.words("1")
    if not number.isdecimal():
        return number or GAP
    ending = "th" if number[-2:-1] == "1" else {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
    return number + ending


def japanese(call: "TemplateCall") -> str:
    """A name with its Japanese spelling and its reading in brackets."""
    name, *further = (call.value(str(number)) for number in (1, 2, 3))
    shown = ", ".join(part for part in further if part)
    if not name:
        return shown or GAP
    return f"{name} ({shown})" if shown else name


def everything(call: "TemplateCall") -> str:
    """All arguments, one after another."""
    return "".join(call.positional) or GAP


def ship(call: "TemplateCall") -> str:
    """`{{ship|HMS|Victory|1765}}`: prefix and name; the link target also has the disambiguation."""
    prefix, name, mark = (call.words(str(number)) for number in (1, 2, 3))
    if call.name in ("uss", "hms", "hmas", "hmcs", "rms", "ss", "mv", "usns", "uscgc", "ms", "sms"):
        prefix, name, mark = call.name.upper(), prefix, name
    words = f"{prefix} {name}".strip()
    target = f"{words} ({mark})" if mark else words
    return link(link_target(target), words) if words else GAP


def accidental(call: "TemplateCall") -> str:
    """The sign of a sharp, flat or natural; for other signs, their names."""
    sign = call.words("1").lower()
    return {"sharp": "♯", "#": "♯", "flat": "♭", "b": "♭", "natural": "♮"}.get(sign, sign) or GAP


FUNCTIONS: dict[str, Callable[["TemplateCall"], str]] = {
    "accidental": accidental,
    "as_of": as_of,
    "convert": convert,
    "date": date,
    "day_month_year": day_month_year,
    "death_date": death_date,
    "everything": everything,
    "fraction": fraction,
    "height": height,
    "items": items,
    "items_in_line": items_in_line,
    "items_with_and": items_with_and,
    "japanese": japanese,
    "language": language,
    "ordinal": ordinal,
    "other_language_link": other_language_link,
    "paragraph": paragraph,
    "ship": ship,
    "sort_name": sort_name,
    "value": value,
}


# The rules for templates: the text that each shows. They are data, in `templates.toml`. A rule is a
# pattern (`{1}` is the first argument, `{2|1}` the second or else the first, `<…>` is left out unless
# all arguments inside it are given, `[[…|…]]` is a link), or the name of a function for templates that
# patterns cannot describe. A user's file adds or replaces rules.

OWN_RULES = Path(__file__).with_name("templates.toml")
_PIECE = re.compile(r"\{(?P<keys>[^{}]+)\}|(?P<sign><|>|\[\[|\]\]|\|)|(?P<words>[^{}<>\[\]|]+|.)", re.DOTALL)


class TemplateNames(msgspec.Struct):
    """Templates by name, and by the beginning of their names."""

    names: list[str] = []
    prefixes: list[str] = []


class RuleFile(msgspec.Struct):
    """The tables of a file of rules."""

    show: dict[str, list[str]] = {}
    drop: TemplateNames = msgspec.field(default_factory=TemplateNames)
    disambiguation: TemplateNames = msgspec.field(default_factory=TemplateNames)
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


class TemplateFunction(NamedTuple):
    """A rule that is computed, by its name in `template_functions`."""

    name: str


class TemplateRules:
    """All rules, by the lower-case name of the template."""

    def __init__(
        self,
        rules: dict[str, Pattern | TemplateFunction],
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
    rules: dict[str, Pattern | TemplateFunction] = {}
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


def _parse(pattern: str) -> Pattern | TemplateFunction:
    if pattern.startswith("@"):
        if pattern[1:] not in FUNCTIONS:
            names = ", ".join(FUNCTIONS)
            raise RollcallError(f"template rule {pattern!r}: no such function; choose one of {names}")
        return TemplateFunction(pattern[1:])
    pieces = list(_PIECE.finditer(pattern))
    return _sequence(pieces, 0, (), 0)[0]


def _sequence(
    pieces: list[re.Match[str]], index: int, stop: tuple[str, ...], depth: int
) -> tuple[Pattern, int]:
    if depth > DEEPEST:
        raise RollcallError(f"template rule {pieces[0].string[:40]!r} …: nested too deeply")
    parsed: list[str | Argument | Optional | LinkTo] = []
    while index < len(pieces):
        piece = pieces[index]
        sign = piece["sign"]
        if sign in stop and sign is not None:
            return tuple(parsed), index
        index += 1
        if piece["keys"]:
            parsed.append(Argument(tuple(piece["keys"].split("|"))))
        elif sign == "<":
            inner, index = _sequence(pieces, index, (">",), depth + 1)
            parsed.append(Optional(inner))
            index += 1
        elif sign == "[[":
            target, index = _sequence(pieces, index, ("|", "]]"), depth + 1)
            label = target
            if index < len(pieces) and pieces[index]["sign"] == "|":
                label, index = _sequence(pieces, index + 1, ("]]",), depth + 1)
            parsed.append(LinkTo(target, label))
            index += 1
        elif sign in (">", "]]"):
            raise RollcallError(f"template rule {piece.string!r}: {sign} closes nothing")
        else:
            parsed.append(piece.group())
    if stop:
        raise RollcallError(f"template rule {pieces[0].string!r}: {stop[-1]} is missing")
    return tuple(parsed), index


# Parser functions and variables: the few that produce text in an article.

_SILENT = {
    "defaultsort", "defaultcategorysort", "displaytitle", "#invoke", "#tag", "#babel", "#related", "#seo",
    "noexternallanglinks", "#categorytree", "#property", "#statements",
}  # fmt: skip
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def parser_function(call: "TemplateCall", source: str) -> str | None:
    """What `{{name:argument}}` or `{{VARIABLE}}` shows; None if it is neither."""
    name, colon, argument = source.partition(":")
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


_NAME = re.compile(r"\s*+(?:(?i:template|subst|safesubst)\s*+:\s*+)?+([^|{}\[\]<>\n]*+)\s*+")
_KEY = re.compile(r"\s*+([^=|\[\]{}<>\n]*+)=")


class TemplateCall:
    """One use of a template."""

    def __init__(self, page: "Renderer", name: str, start: int, closing: int, depth: int) -> None:
        self.page = page
        self.name = name
        self._start = start
        self._closing = closing
        self._depth = depth
        self._values: dict[str, str] = {}
        """Rendered arguments: rendering twice at each of many levels would take exponential time."""

    @cached_property
    def arguments(self) -> dict[str, tuple[int, int]]:
        """The position of each argument, by number or by name."""
        spans: dict[str, tuple[int, int]] = {}
        bars = [*self.page.bars(self._start, self._closing), self._closing]
        number = 0
        for start, end in pairwise(bars):
            key = _KEY.match(self.page.text, start + 1, end)
            if key:
                spans[key[1].strip()] = (key.end(), end)
            else:
                number += 1
                spans[str(number)] = (start + 1, end)
        return spans

    @property
    def positional(self) -> list[str]:
        """The arguments without a name, rendered, in order."""
        values: list[str] = []
        while str(len(values) + 1) in self.arguments:
            values.append(self.value(str(len(values) + 1)))
        return values

    @property
    def first_after_colon(self) -> str:
        """The text between the colon of a parser function and its first bar."""
        colon = self.page.text.find(":", self._start, self._closing)
        bars = self.page.bars(self._start, self._closing)
        return plain(self.page.marked(colon + 1, bars[0] if bars else self._closing, self._depth + 1))

    def value(self, key: str) -> str:
        """An argument as a stripped marked string; empty if it is not given."""
        span = self.arguments.get(key)
        if span is None:
            return ""
        if key not in self._values:
            marked = self.page.marked(*span, self._depth + 1)
            self._values[key] = marked.strip(" \n\t" + BREAK)
        return self._values[key]

    def words(self, key: str) -> str:
        """An argument as plain text."""
        return plain(self.value(key))

    def first(self, *keys: str) -> str:
        """The first of these arguments that is not empty; `=words` means the text `words` itself."""
        values = (key[1:] if key.startswith("=") else self.value(key) for key in keys)
        return next((value for value in values if value), "")


def render_template(page: "Renderer", start: int, closing: int, depth: int) -> str:
    """The text of the template whose name begins at `start`, as a marked string."""
    match = _NAME.match(page.text, start, closing)
    assert match is not None  # it may be empty
    name = match[1].replace("_", " ").strip().lower()
    rule = page.rules.rules.get(name)
    if rule is None and page.rules.is_dropped(name):
        return GAP
    call = TemplateCall(page, name, start, closing, depth)
    if rule is None:
        return _without_rule(call, match[1].strip())
    if isinstance(rule, TemplateFunction):
        return FUNCTIONS[rule.name](call)
    return _fill(rule, call) or GAP


def _without_rule(call: TemplateCall, source: str) -> str:
    page, name = call.page, call.name
    if name in page.rules.disambiguation:
        page.content.disambiguation = True
        return GAP
    if ":" in name or name.startswith("#") or source.isupper():
        shown = parser_function(call, source)
        if shown is not None:
            return shown or GAP
    if name.startswith("lang-"):
        return language(call)
    if name:
        unknown = page.content.unknown_templates
        unknown[name] = unknown.get(name, 0) + 1
    return GAP


def _fill(pattern: Pattern, call: TemplateCall) -> str:
    parts: list[str] = []
    for piece in pattern:
        if isinstance(piece, str):
            parts.append(piece)
        elif isinstance(piece, Argument):
            parts.append(call.first(*piece.keys))
        elif isinstance(piece, LinkTo):
            parts.append(_linked(piece, call))
        elif _has_all(piece, call):
            parts.append(_fill(piece.pieces, call))
    return "".join(parts)


def _linked(piece: LinkTo, call: TemplateCall) -> str:
    label = without_links(_fill(piece.label, call))
    target = link_target(plain(_fill(piece.target, call)))
    return link(target, label) if target and label.strip() else label


def _has_all(optional: Optional, call: TemplateCall) -> bool:
    for piece in optional.pieces:
        if isinstance(piece, Argument) and not call.first(*piece.keys):
            return False
        if isinstance(piece, LinkTo) and not _fill(piece.label, call):
            return False
    return True
