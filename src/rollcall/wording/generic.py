"""Words for a relation without an entry, made from its label and, if known, from what its ends are.

A label is taken for what it is: a verb (`works in`, `teaches`), a participle (`supplied by`, `opened`), a
form of `have` or `be` (`hasPart`, `isCapitalOf`), a noun for the subject (`member of`) or, if it is nothing
else, a noun for the object (`director`). Each form has one safe clause.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from rollcall.english.nouns import is_person
from rollcall.wording.entry import VALUE_NOUNS, Entry
from rollcall.wording.heads import is_part_of_land
from rollcall.wording.label_words import words_of_label
from rollcall.wording.noun_labels import (
    Label,
    lone_preposition,
    noun_for_object,
    phrase_of_place,
    role,
    running_text,
    way,
)
from rollcall.wording.verb_labels import (
    be_with_words,
    dated,
    gerund,
    have_with_words,
    verb_with_object,
    verb_with_preposition,
    wish,
)

_MEASURES = frozenset(("capacity", "population", "area", "height", "length", "size", "date", "year"))
"""What a heading adds for figures beside its things: `stadium capacity`."""
_KEYS = ("id", "ID", "ids", "fk", "ref", "uri", "URI", "key")
# The first form that fits is taken.
_FORMS: tuple[Callable[[Label], Entry | None], ...] = (
    running_text, lone_preposition, way, phrase_of_place, be_with_words, have_with_words, wish,
    verb_with_preposition, role, verb_with_object, gerund, dated, noun_for_object,
)  # fmt: skip


class Ends(NamedTuple):
    """The nouns of a relation's subjects and objects in a graph; empty if not known."""

    subjects: str = ""
    objects: str = ""


def generic_entry(relation: str, label: str | None = None, ends: Ends | None = None) -> Entry:
    """The entry of a relation that has none in the lexicon."""
    ends = ends or Ends()
    text = words_of_label(label or relation)
    to = "entities" if ends.objects and ends.objects not in VALUE_NOUNS else ends.objects
    words = text.split(" ")
    is_key = len(words) > 1 and words[-1] in _KEYS and to not in VALUE_NOUNS
    if is_key:  # a key of a table stands for what it names
        text, words = " ".join(words[:-1]), words[:-1]
    if to == "entities" and len(words) == 2 and words[1] in _MEASURES:  # the stadium with its capacity
        text, words = words[0], words[:1]
    if to == "entities" and text in ("gold", "silver", "bronze"):
        text, words = f"{text} medallist", [text, "medallist"]
    given = Label(relation, text, words, to)
    made = next(entry for form in _FORMS if (entry := form(given)) is not None)
    # `are in Bihar`, not `have Bihar as their state`
    if is_part_of_land(made.noun) and to not in VALUE_NOUNS and ends.subjects not in ("", "person"):
        made = replace(made, forward="is in {object}", people=made.forward)
    return _between(made, ends)


def _between(entry: Entry, ends: Ends) -> Entry:
    """The entry with the nouns of its ends as the graph has them; a noun of its own is more exact."""
    subjects = ends.subjects or entry.subjects
    own = entry.objects not in ("thing", "person", "person or thing")
    objects = entry.objects if own or not ends.objects else ends.objects
    if is_person(entry.objects) and ends.objects not in ("", "person", "person or thing"):
        objects = ends.objects
    if entry.noun and ends.objects in VALUE_NOUNS:
        objects = entry.objects  # how a value is said depends on the value itself
    return replace(entry, subjects=subjects, objects=objects)
