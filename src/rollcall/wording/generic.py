"""Words for a relation without an entry, made from its label and, if known, from what its ends are.

A label is taken for what it is: a verb (`works in`, `teaches`), a participle (`supplied by`, `opened`), a
form of `have` or `be` (`hasPart`, `isCapitalOf`), a noun for the subject (`member of`) or, if it is nothing
else, a noun for the object (`director`). Each form has one safe clause.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from rollcall.text.nouns import is_person, is_plural, singular, with_article
from rollcall.text.verbs import base_of, is_first_a_noun, is_participle, past, third_person, verb_form
from rollcall.text.verbs import participle as participle_of
from rollcall.text.words import word_list, word_table
from rollcall.wording.entry import VALUE_NOUNS, Entry
from rollcall.wording.frames import is_adjective
from rollcall.wording.labels import (
    PREPOSITIONS,
    Label,
    lone_preposition,
    noun_for_object,
    phrase_of_place,
    role,
    running_text,
    subject_noun,
    way,
    without_unit,
    words_of_label,
)
from rollcall.wording.nouns import is_part_of_land
from rollcall.wording.phrases import quoted

# Labels that are verbs: `works in`, `supplied by`, `hasPart`, `isCapitalOf`, `teaches`, `opened`. A
# label that a function does not take for its form gives None. Whether a past form is active or passive
# depends on the verb, on its preposition and on what the relation leads to.

_STATES = word_list("states")
_DATE_NOUNS = word_table("date_nouns")
_INTRANSITIVE = word_list("intransitive_verbs")
_OF_PEOPLE = word_list("verbs_of_people")
_TO_PEOPLE = word_list("verbs_to_people")
_WITH_PEOPLE = word_list("verbs_with_people")
_IN_COMPOUNDS = word_list("plurals_in_compounds")
_WITH_NUMBERS = word_list("verbs_with_numbers")
_BY_PEOPLE = word_list("verbs_by_people")


def wish(label: Label) -> Entry | None:
    """A verb with an infinitive: `wants to visit`, `plans to attend`."""
    if len(label.words) != 3 or label.words[1] != "to" or not verb_form(label.words[2], "base"):
        return None
    form = verb_form(label.words[0], "present", "past")
    if form is None or form.base not in word_list("verbs_with_infinitive"):
        return None
    return label.entry(f"{label.text} {{object}}", subjects=_people(label.words[2]))


def gerund(label: Label) -> Entry | None:
    """What the subject does: `representing`, `replacing`."""
    form = verb_form(label.text, "gerund") if label.text in word_list("gerunds") else None
    if form is None or label.to_values:
        return None
    backward = f"is {participle_of(form.base)} by {{subject}}"
    return label.entry(f"{third_person(form.base)} {{object}}", backward=backward)


def be_with_words(label: Label) -> Entry | None:
    """`isLocatedIn`, `isCapitalOf`, `was born on date`."""
    be, rest = label.words[0], [word for word in label.words[1:] if word not in ("a", "an", "the")]
    if be not in ("is", "are", "was", "were") or not rest:
        return None
    be = {"are": "is", "were": "was"}.get(be, be)
    rest, objects = _without_object(rest)
    people = _people(rest[0], passive=True)
    if objects in ("date", "year"):
        return label.entry(f"{be} {' '.join(rest[:-1])} {{on object}}", subjects=people)
    if rest[-1] in PREPOSITIONS and len(rest) > 1 and not _is_state(rest[0], rest[-1]):
        return subject_noun(label, rest, be)
    clause = f"{be} {' '.join(rest)} {{object}}"
    return label.entry(clause, subjects=people, objects=objects or _agents(rest), backward=_active(rest, be))


def have_with_words(label: Label) -> Entry | None:
    """`has part`, `hasWonPrize`."""
    have, rest = label.words[0], label.words[1:]
    if have not in ("has", "have", "had") or not rest:
        return None
    form = verb_form(rest[0], "participle")
    if form and (len(rest) == 1 or form.base in _IRREGULAR_BASES) and rest[-1] not in PREPOSITIONS:
        objects = _object_noun(rest[1:])
        return label.entry(
            f"has {rest[0]} {{object}}", objects=objects, backward=f"was {rest[0]} by {{subject}}"
        )
    noun = singular(" ".join(rest).removesuffix("(s)").strip())
    objects = noun if is_person(noun) else "thing"
    article = "{its} " if noun.startswith("number of ") else f"{with_article(noun).split(' ')[0]} "
    return label.entry(f"has {{object}} as {article}{noun}", noun, objects=objects)


def verb_with_preposition(label: Label) -> Entry | None:
    """`works in`, `WORK_AT`, `acted in`, `supplied by`, `moving from`, `located on street`."""
    verb_index = next((index for index, word in enumerate(label.words) if not _is_adverb(word)), 0)
    verb, adverbs = label.words[verb_index], label.words[:verb_index]
    words, kind = _without_object(label.words[verb_index:])
    if len(words) < 2 or words[-1] not in PREPOSITIONS:
        return None
    last = words[-1]
    if label.to == "date" and last in ("on", "in", "at") and len(words) == 2 and is_participle(verb):
        return label.entry(f"was {' '.join([*adverbs, verb])} {{on object}}")
    if last == "since" and (is_participle(verb) or is_adjective(verb)):
        return label.entry(f"has been {' '.join([*adverbs, *words])} {{object}}")
    form = verb_form(verb, "present", "past", "participle", "base")
    rest = " ".join([*adverbs, *words])
    if form and form.kind in ("past", "participle") and (last == "by" or not _is_active(verb, form.base)):
        form = None
    if form and form.kind == "base":
        if len(words) > 2 or last in ("of", "by") or adverbs:
            form = None
        rest = f"{third_person(verb)} {last}"
    if form and not (last in ("of", "by") and is_first_a_noun(verb)):
        objects = kind or ("person" if form.base == "report" and last == "to" else "thing")
        return label.entry(f"{rest} {{object}}", subjects=_people(verb), objects=objects)
    if is_participle(verb) or (verb_form(verb, "gerund") and len(words) == 2):
        habit = label.small and label.subjects != "person"  # `is attacked by slugs`
        be = "is" if habit or verb in _STATES or verb.endswith("ing") else "was"
        people, backward = _people(verb, passive=not verb.endswith("ing")), _active(words, be, adverbs)
        clause = f"{be} {rest} {{object}}"
        return label.entry(clause, subjects=people, objects=kind or _agents(words), backward=backward)
    if kind:
        return None
    if len(words) == 3 and is_plural(verb) and is_participle(words[1]) and last != "by":  # `seeds sent to`
        return label.entry(f"has {label.text[0].lower()}{label.text[1:]} {{object}}")
    if any(is_participle(word) for word in words) or adverbs or not verb.isalpha():
        return noun_for_object(label._replace(text=f"{quoted(label.text)} value"))
    if len(words) == 2 and _is_state(verb, last) and (not is_person(verb) or verb.endswith("ive")):
        return label.entry(f"is {label.text} {{object}}")
    return subject_noun(label, words, "is")


def verb_with_object(label: Label) -> Entry | None:
    """`teaches`, `plays instrument`, `wrote`, `acquired`."""
    first, rest = label.words[0], label.words[1:]
    if label.to == "number" and not rest and (form := verb_form(first, "present")):
        return label.entry(f"{first} {{object}}") if form.base in _WITH_NUMBERS else None  # `serves`
    if label.to_values or (rest and rest[0] in PREPOSITIONS):
        return None
    present = verb_form(first, "present")
    if present and not (is_first_a_noun(first) and (not rest or first in _IN_COMPOUNDS)):
        objects = _object_noun(rest) if rest else "person" if present.base in _WITH_PEOPLE else "thing"
        backward = f"is {participle_of(present.base)} by {{subject}}"
        return label.entry(f"{first} {{object}}", subjects=_people(first), objects=objects, backward=backward)
    form = verb_form(first, "past")
    irregular = form is not None and form.base in _IRREGULAR_BASES and not first.endswith("ed")
    active = form and (not verb_form(first, "participle") or irregular)
    if (
        form
        and form.base not in _ALONE
        and (active if rest else active or label.to == "entities" or first in _MADE)
    ):
        objects, backward = _object_noun(rest), f"was {participle_of(form.base)} by {{subject}}"
        return label.entry(f"{first} {{object}}", subjects=_people(first), objects=objects, backward=backward)
    return None


def dated(label: Label) -> Entry | None:
    """The time of an event: `opened`, `first aired`, `date built`, `died`."""
    text, words = label.text, label.words
    if label.to == "date" and len(words) == 1 and verb_form(text, "present") and not is_first_a_noun(text):
        return label.entry(f"{text} {{on object}}")
    form = verb_form(words[0], "past")
    if label.to == "date" and len(words) in (2, 3) and form and not verb_form(words[0], "participle"):
        return label.entry(f"{text} {{on object}}")  # `took office`
    if len(words) == 2 and words[0] in ("date", "year") and (is_participle(words[1]) or words[1] == "died"):
        be = "" if words[1] == "died" else "was "
        return label.entry(f"{be}{words[1]} {{on object}}", text)
    if not is_participle(words[-1]) or text == "born" or not all(_is_adverb(word) for word in words[:-1]):
        return None
    if len(words) > 1:
        return label.entry(f"was {text} {{on object}}")
    base = base_of(text)
    gerund = base if base.endswith(("ee", "ye", "oe")) else base.removesuffix("e")
    be = "" if base in _ALONE else "was "
    noun = _DATE_NOUNS.get(text, f"{gerund}ing date")
    return label.entry(f"{be}{text} {{on object}}", noun, single=label.to_values)


_IRREGULAR_BASES = frozenset(line.split()[0] for line in word_list("irregular_verbs"))
_MADE = frozenset(("directed", "composed", "married"))
_ALONE = frozenset(("die", "retire", "debut", "end", "start", "begin", "graduate", "premiere", "resign"))


def _is_adverb(word: str) -> bool:
    return word.endswith("ly") or word in ("first", "last", "also", "now", "once", "later", "since")


def _is_state(word: str, preposition: str) -> bool:
    """Whether a word after `is` is a participle, an adjective or a preposition, not a noun."""
    gerund = verb_form(word, "gerund") is not None
    adjective = preposition != "of" and (is_adjective(word) or word.endswith(("ent", "ant", "iar")))
    return is_participle(word) or gerund or word in PREPOSITIONS or adjective


def _is_active(verb: str, base: str) -> bool:
    """Whether a past form before a preposition is not passive: `acted in`, `wrote for`."""
    return base in _INTRANSITIVE or not verb_form(verb, "participle")


def _without_object(words: list[str]) -> tuple[list[str], str]:
    """A phrase up to its preposition, and the noun of its object: `located on`, and `street`."""
    end = next((index for index, word in enumerate(words[1:], 1) if word in PREPOSITIONS), len(words))
    if end >= len(words) - 1 or any(word in PREPOSITIONS for word in words[end + 1 :]):
        return words, ""
    return words[: end + 1], singular(" ".join(words[end + 1 :]))


def _people(verb: str, *, passive: bool = False) -> str:
    """The noun for subjects of a verb: people, for verbs that are said of people."""
    form = verb_form(verb, "present", "past", "participle", "gerund", "base")
    of_people = _TO_PEOPLE if passive else _OF_PEOPLE
    return "person" if verb == "born" or (form and form.base in of_people) else "thing"


def _agents(words: list[str]) -> str:
    """The noun for objects after a passive verb: `written by`, `supplied by`, `used in`."""
    if words[-1] != "by":
        return "person" if words[0] == "married" else "thing"
    form = verb_form(words[0], "participle")
    return "person" if form and form.base in _BY_PEOPLE else "person or thing"


def _active(words: list[str], be: str, adverbs: Sequence[str] = ()) -> str:
    """What the agent of `first written by` does: `first wrote {subject}`; empty for other prepositions."""
    form = verb_form(words[0], "participle") if len(words) == 2 and words[-1] == "by" else None
    if form is None:
        return ""
    verb = third_person(form.base) if be == "is" else past(form.base)
    return f"{' '.join([*adverbs, verb])} {{subject}}"


def _object_noun(words: list[str]) -> str:
    return singular(" ".join(words)) if words else "thing"


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
    shape: str = ""
    """The form of the objects' names (`frames.shape_of`)."""
    single: bool | None = None
    """Whether every subject has one object, or many have several; None if that is not known."""
    small: bool = False
    """Whether the objects' names are common nouns: `bees`, `steel`."""


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
    text, unit = without_unit(text) if to != "entities" else (text, "")
    words = text.split(" ")
    parsed = Label(relation, text, words, to, ends.subjects, ends.shape, ends.single, ends.small)
    worded = next(entry for form in _FORMS if (entry := form(parsed)) is not None)
    worded = replace(worded, shape=ends.shape, values=ends.objects if to in VALUE_NOUNS else "")
    if unit and worded.noun:
        worded = replace(worded, noun=f"{worded.noun} in {unit}", plural_noun="")
        if worded.forward.endswith(f"{{its}} {worded.noun.removesuffix(f' in {unit}')}"):
            worded = replace(worded, forward=f"{worded.forward} in {unit}")
    # `are in Bihar`, not `have Bihar as their state`
    is_bare = worded.forward.startswith("has ")
    if (
        is_bare
        and is_part_of_land(worded.noun)
        and to not in VALUE_NOUNS
        and ends.subjects not in ("", "person")
    ):
        worded = replace(worded, forward="is in {object}", people=worded.forward)
    return _between(worded, ends)


def _between(entry: Entry, ends: Ends) -> Entry:
    """The entry with the nouns of its ends as the graph has them; a noun of its own is more exact."""
    subjects = ends.subjects or entry.subjects
    if entry.subjects == "person" and ends.subjects == "person or thing":
        subjects = "person"
    has_own_noun = entry.objects not in ("thing", "person", "person or thing")
    objects = entry.objects if has_own_noun or not ends.objects else ends.objects
    if is_person(entry.objects) and ends.objects not in ("", "person", "person or thing"):
        objects = (
            "person or thing" if entry.noun and entry.backward and ends.objects == "thing" else ends.objects
        )
    if entry.noun and ends.objects in VALUE_NOUNS:
        objects = entry.objects  # how a value is said depends on the value itself
    return replace(entry, subjects=subjects, objects=objects)
