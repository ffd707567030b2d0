"""Verb phrases: a clause of the lexicon with its placeholder filled, ready for agreement and negation."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from rollcall.query import Date, Literal, Number, Point, Value
from rollcall.query.values import UNITS
from rollcall.text.nouns import plural, with_article
from rollcall.text.verbs import BE, conjugated, is_participle

# Values in ordinary English: `17 May 1960`, `the 1960s`, `44 BC`, `8,848 metres`, `“motto”`. With a
# comparator a value becomes a range: `before 1950`, `in or after May 1960`, `more than 100 metres`.

UnitName = Callable[[str], str]
"""Gives the name of a unit that is not in the list of units, by its id."""

_ORDINAL_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_CURRENCIES = {"Q4917": "US dollar", "Q4916": "euro", "Q25224": "pound sterling", "Q8146": "yen"}
_ONE = {
    "foot": "feet",
    "inch": "inches",
    "hertz": "hertz",
    "euro": "euros",
    "yen": "yen",
    "percent": "percent",
}


def said_value(value: Value, unit_name: UnitName = str) -> str:
    """A value in a sentence, without a preposition."""
    if isinstance(value, Date):
        return _said_date(value)
    if isinstance(value, Number):
        return _said_number(value, unit_name)
    if isinstance(value, Point):
        return f"the coordinates {value.latitude:g}, {value.longitude:g}"
    return quoted(value.content)


def quoted(text: str) -> str:
    """A text in quotation marks, on one line and without characters that a question must not contain."""
    return "“" + " ".join(text.replace("{", "(").replace("}", ")").split()) + "”"


def said_range(literal: Literal, unit_name: UnitName = str) -> str:
    """The range of a literal with its comparator: `more than 100 metres`, `before 1950`."""
    words = said_value(literal.value, unit_name)
    if literal.comparator == "=":
        return words
    if isinstance(literal.value, Date):
        preposition = date_preposition(literal.value)
        within = {
            "<": "before",
            ">": "after",
            "<=": f"{preposition} or before",
            ">=": f"{preposition} or after",
        }
        return f"{within[literal.comparator]} {words}"
    fewer = "fewer than" if isinstance(literal.value, Number) and literal.value.unit is None else "less than"
    return {"<": fewer, ">": "more than", "<=": "at most", ">=": "at least"}[literal.comparator] + " " + words


def said_when(literal: Literal, unit_name: UnitName = str) -> str:
    """A literal where a time is expected: `on 17 May 1960`, `in 1960`, `before 1950`."""
    literal = as_year(literal)
    if literal.comparator != "=":
        return said_range(literal, unit_name)
    preposition = date_preposition(literal.value) if isinstance(literal.value, Date) else "at"
    return f"{preposition} {said_value(literal.value, unit_name)}"


def as_year(literal: Literal) -> Literal:
    """A plain number read as a year, where a year is expected."""
    value = literal.value
    if isinstance(value, Number) and value.unit is None and _is_year(value):
        return Literal(Date(int(value.amount)), literal.comparator)
    return literal


def date_preposition(date: Date) -> str:
    """`on` before a day, `in` before anything longer."""
    return "on" if date.precision == "day" else "in"


def _is_year(value: Number) -> bool:
    return value.amount == value.amount.to_integral_value() and 1000 <= value.amount <= 2200


def _said_date(date: Date) -> str:
    if date.precision == "decade":
        year = date.year if date.year > 0 else 1 - date.year
        return f"the {year}s" if date.year > 0 else f"the decade from {year} BC"
    if date.precision in ("century", "millennium"):
        length = 100 if date.precision == "century" else 1000
        number = date.year // length + 1
        if date.year >= 0:
            return f"the {ordinal(number)} {date.precision}"
        return f"the {ordinal(-date.year // length)} {date.precision} BC"
    return str(date)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 11th, 21st."""
    ending = "th" if number % 100 in (11, 12, 13) else _ORDINAL_ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"


def _said_number(value: Number, unit_name: UnitName) -> str:
    amount = f"{value.amount:,f}" if abs(value.amount.adjusted()) < 30 else str(value.amount)
    if value.unit is None:
        return amount
    name = UNITS[value.unit].names[0] if value.unit in UNITS else _CURRENCIES.get(value.unit)
    if name in ("percent", "per cent"):
        return f"{amount}%"
    return f"{amount} {_unit(name or unit_name(value.unit), amount)}"


def _unit(name: str, amount: str) -> str:
    if name == "annum":
        name = "year"
    if amount == "1" or name in ("km/h", "mph"):
        return name
    first, _, rest = name.partition(" per ")
    head = first.split(" ")[-1]
    unit_name = (
        first[: len(first) - len(head)] + (_ONE.get(head) or plural(head))
        if first != "pound sterling"
        else "pounds sterling"
    )
    return f"{unit_name} per {rest}" if rest else unit_name


PLACEHOLDER = re.compile(r"\{(a |on )?(subject|object)(s)?\}")
_TITLED_NOUN = re.compile(r"[A-Z][a-z]+(?: [a-z]+)+")
"""A name whose only capital may come from a title; clauses with an article or a plural expect a noun."""
_ALTERNATIVE = re.compile(r"\[([^|\]]*)\|([^\]]*)\]")


@dataclass(frozen=True)
class Filler:
    """The content of a placeholder: a name, and its forms with an article, in the plural, as a time."""

    name: str
    indefinite: str = ""
    many: str = ""
    when: str = ""
    heavy: bool = False
    """Whether it contains a clause, so that the next words could be misread as part of it."""
    adjective: str = ""
    """The name, if it is the adjective of a land."""
    place: bool = False
    """Whether a type says that it is a place."""
    counted: bool = False
    """Whether it is a common noun of which text counts several: `works with images`."""


def filler_of_name(name: str) -> Filler:
    """The forms of a name; a common noun (`painter`, `Film director`) also has an article and a plural."""
    if _TITLED_NOUN.fullmatch(name):
        small = name[0].lower() + name[1:]
        return Filler(name, indefinite=with_article(small), many=plural(small))
    if name[:1].islower() and not name.startswith("the "):
        return Filler(name, indefinite=with_article(name), many=plural(name))
    return Filler(name)


def filler_of_value(literal: Literal, unit_name: UnitName = str) -> Filler:
    """The forms of a value."""
    return Filler(said_range(literal, unit_name), when=said_when(literal, unit_name))


def in_number(clause: str, *, many: bool) -> str:
    """A clause with the words for one or for many."""
    return _ALTERNATIVE.sub(lambda match: match[2 if many else 1], clause)


class Parts(NamedTuple):
    """The parts of a phrase, for merging: `were | directed by | Orla Venn |`."""

    verb: str
    before: str
    filler: str
    after: str
    heavy: bool
    denied: bool

    @property
    def text(self) -> str:
        return " ".join(part for part in (self.verb, self.before, self.filler, self.after) if part)

    @property
    def is_reducible(self) -> bool:
        """Whether `that were` may be left out before it: films (that were) directed by …"""
        first = self.before.split(" ")[0]
        return self.verb in BE and (is_participle(first) or first in ("in", "on"))


@dataclass(frozen=True)
class VerbPhrase:
    """A clause, its filler, and whether it is negated."""

    clause: str
    filler: Filler
    denied: bool = False

    def parts(self, *, many: bool, person: bool) -> Parts:
        """The phrase for a subject of this number and kind."""
        clause = in_number(self.clause, many=many)
        clause = clause.replace("{its}", "their" if many or person else "its")
        if self.filler.heavy:  # `have as their country a place that …`
            clause = _AS_ROLE.sub(r"\1 as \3 \2", clause)
        match = PLACEHOLDER.search(clause)
        before, after = (clause, "") if match is None else (clause[: match.start()], clause[match.end() :])
        verb, _, before = before.strip().partition(" ")
        filler = "" if match is None else self._form(match)
        if match is not None and (apposed := _APPOSITION.search(before + " ")):
            if filler.startswith(("a ", "an ", "any ", "some", "another ")):  # `the company a company in …`
                noun = apposed[0].strip().removeprefix("the ")
                before = before[: apposed.start()]
                # `the record label an organization in …` is a record label in …
                filler = _GENERAL_NOUN.sub(lambda _match: with_article(noun), filler)
            filler = filler.removeprefix("the ")  # `the company the BBC`
        if not after.strip() and filler.startswith("fewer than "):
            filler = f"less{filler[5:]}"  # `a population of less than`, but `fewer than 50 employees`
        following = before or filler
        return Parts(
            conjugated(verb, following, many=many, denied=self.denied),
            " ".join(before.split()),
            filler,
            " ".join(after.split()),
            self.filler.heavy,
            self.denied,
        )

    def said(self, *, many: bool, person: bool) -> str:
        return self.parts(many=many, person=person).text

    def _form(self, match: re.Match[str]) -> str:
        filler = self.filler
        if match[1] == "a ":
            return filler.indefinite or filler.name
        if match[1] == "on ":
            return filler.when or f"{guessed_preposition(filler.name)} {filler.name}"
        return (filler.many or filler.name) if match[3] else filler.name


_AS_ROLE = re.compile(r"^(ha[sd]) (\{(?:subject|object)\}) as (.+)$")
_GENERAL_NOUN = re.compile(r"^an? (?:organization|place|work|event)\b")
_APPOSITION = re.compile(r"\bthe (?:[\w-]+ )*(?!(?:of|in|on|by|at|to|for|from|as|under) )[\w-]+ $")
_DAY = re.compile(r"(?:\d{1,2} [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2}|\d{4}-\d\d-\d\d)")


def guessed_preposition(name: str) -> str:
    """`on` before a text that looks like a day, else `in`."""
    return "on" if _DAY.match(name) and re.match(r"\d{1,2} |[A-Z][a-z]+ \d{1,2},|\d{4}-", name) else "in"
