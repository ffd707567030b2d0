"""Values of relations that have a noun or lead to entities: `has a capacity of more than 30,000`."""

import re

from rollcall.english.nouns import is_plural, singular, with_article
from rollcall.english.verbs import is_participle
from rollcall.english.word_lists import word_list
from rollcall.query import Date, Literal, Number, Text
from rollcall.wording.entry import Entry
from rollcall.wording.label_words import words_of_label
from rollcall.wording.naming import Naming
from rollcall.wording.phrases import VerbPhrase
from rollcall.wording.said import as_year

_MOMENTS = {
    "appearance": "appeared", "birth": "was born", "birthdate": "was born", "broadcast": "was broadcast",
    "closing": "was closed", "closure": "was closed", "commencement": "commenced",
    "completion": "was completed", "construction": "was built", "death": "died", "debut": "debuted",
    "discovery": "was discovered", "disestablishment": "was disestablished", "dissolution": "was dissolved",
    "end": "ended", "est": "was established", "establishment": "was established", "flight": "flew",
    "foundation": "was founded", "founding": "was founded", "introduction": "was introduced",
    "launch": "was launched", "opening": "was opened", "performance": "was performed",
    "premiere": "premiered", "publication": "was published", "release": "was released",
    "retirement": "retired", "start": "started",
}  # fmt: skip
"""Headings of dates, and the verb of the event for the subject of the row."""


_IN_UNIT = re.compile(rf" in (?:{'|'.join(map(re.escape, sorted(word_list('units_in_headings'))))})$")
"""The unit of a heading, which the value says."""


def value_phrase(
    literal: Literal, entry: Entry, naming: Naming, *, denied: bool, person: bool = False
) -> VerbPhrase:
    """The clause about a subject whose relation has this value, or a value that satisfies the comparator."""
    literal = as_year(literal) if entry.is_moment else literal
    return VerbPhrase(_clause(literal, entry, person), naming.value(literal), denied)


def _clause(literal: Literal, entry: Entry, person: bool) -> str:
    value = literal.value
    if isinstance(value, Text):
        noun = singular(words_of_label(entry.heading)) if entry.heading else entry.noun
        return (
            (entry.people or entry.forward) if entry.generic else f"has {{object}} as {{its}} {plain(noun)}"
        )
    if "{on object}" in entry.forward:
        return entry.forward
    if isinstance(value, Number) and value.unit is None and entry.counts:
        counted = entry.noun.removeprefix("number of ")
        return f"has {{object}} {plain(entry.nouns if counted == entry.noun else counted)}"
    if entry.label in ("year", "date", "years", "dates"):
        if person:
            return f"is listed with a {singular(entry.label)} {{object}}"
        return "is dated {object}" if literal.comparator in ("<=", ">=") else "is from {object}"
    if isinstance(value, Date) and (moment := _moment(entry)):
        return f"{moment} {{on object}}"
    of = "" if isinstance(value, Date) and literal.comparator != "=" else "of "
    if person and isinstance(value, Date) and entry.noun.endswith((" year", " date")):
        return f"is listed with {plain(with_article(entry.noun))} {of}{{object}}"
    noun = _IN_UNIT.sub("", entry.noun) if isinstance(value, Number) and value.unit else entry.noun
    noun = noun if is_plural(noun.split(" ")[-1]) else with_article(noun)
    return f"has {plain(noun)} {of}{{object}}"


def _moment(entry: Entry) -> str:
    """The verb for a heading that names an event: `death`, `disestablished date`; empty for others."""
    name = words_of_label(entry.heading or entry.label).lower().strip(".")
    first, _, last = name.rpartition(" ")
    if last in ("date", "year"):
        if is_participle(first):
            return f"was {first}"
        name = first
    which, _, event = name.partition(" ")
    if which in ("first", "last") and event in _MOMENTS:  # `was first performed`, `last appeared`
        was, _, verb = _MOMENTS[event].rpartition(" ")
        return f"{was} {which} {verb}".strip()
    return _MOMENTS.get(name, "")


def plain(text: str) -> str:
    """A label for use in a clause: without the special characters of clauses."""
    return text.translate({ord(mark): None for mark in "[]|{}"})
