"""Verb phrases: a clause of the lexicon with its placeholder filled, ready for agreement and negation."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from rollcall.english.nouns import plural, with_article
from rollcall.english.verbs import BE, conjugated, is_participle
from rollcall.query import Literal
from rollcall.wording.said import UnitName, said_range, said_when

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
    return _ALTERNATIVE.sub(lambda found: found[2 if many else 1], clause)


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
        found = PLACEHOLDER.search(clause)
        before, after = (clause, "") if found is None else (clause[: found.start()], clause[found.end() :])
        verb, _, before = before.strip().partition(" ")
        filler = "" if found is None else self._form(found)
        if found is not None and (apposed := _APPOSITION.search(before + " ")):
            if filler.startswith(("a ", "an ", "any ", "some", "another ")):  # `the company a company in …`
                noun = apposed[0].strip().removeprefix("the ")
                before = before[: apposed.start()]
                # `the record label an organization in …` is a record label in …
                filler = _GENERAL_NOUN.sub(lambda _found: with_article(noun), filler)
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

    def _form(self, found: re.Match[str]) -> str:
        filler = self.filler
        if found[1] == "a ":
            return filler.indefinite or filler.name
        if found[1] == "on ":
            return filler.when or f"{guessed_preposition(filler.name)} {filler.name}"
        return (filler.many or filler.name) if found[3] else filler.name


_AS_ROLE = re.compile(r"^(ha[sd]) (\{(?:subject|object)\}) as (.+)$")
_GENERAL_NOUN = re.compile(r"^an? (?:organization|place|work|event)\b")
_APPOSITION = re.compile(r"\bthe (?:[\w-]+ )*(?!(?:of|in|on|by|at|to|for|from|as|under) )[\w-]+ $")
_DAY = re.compile(r"(?:\d{1,2} [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2}|\d{4}-\d\d-\d\d)")


def guessed_preposition(name: str) -> str:
    """`on` before a text that looks like a day, else `in`."""
    return "on" if _DAY.match(name) and re.match(r"\d{1,2} |[A-Z][a-z]+ \d{1,2},|\d{4}-", name) else "in"
