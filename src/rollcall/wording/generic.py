"""Words for a relation without an entry, made from its label alone.

Labels have a few forms: nouns (`director`, `city or town`), participles with a preposition (`written by`,
`moving from`), verbs (`depicts`, `has part`), and column headings with missing characters or additions
(`owner s address`, `colour s`, `population 2011`). Each form has one safe clause; any other label is
treated as a noun.
"""

import re

from rollcall.english.nouns import is_person, plural, singular, with_article
from rollcall.english.verbs import base_of, is_participle
from rollcall.english.word_lists import word_list
from rollcall.wording.entry import Entry
from rollcall.wording.said import quoted

PREPOSITIONS = word_list("prepositions")
_VERBS = word_list("verb_labels")
_TEXT_NOUNS = {
    "notes": "notes",
    "note": "notes",
    "comments": "comments",
    "comment": "comments",
    "remarks": "remarks",
    "description": "descriptions",
    "summary": "summaries",
    "notability": "claims to notability",
}
"""Headings of columns with running text, with their plurals."""
_PRESENT_STATE = frozenset(("located", "situated", "based", "named", "related", "known", "used", "owned"))
_DATE_NOUNS = {
    "built": "date of construction",
    "completed": "date of completion",
    "established": "date of establishment",
    "released": "release date",
    "introduced": "date of introduction",
    "published": "date of publication",
    "elected": "date of election",
}
_ALWAYS_MANY = frozenset(("games", "headquarters", "honours", "honors", "colours", "colors", "goods"))
_UNIT_WORDS = word_list("units_in_headings")
_SHORT_WORDS = word_list("short_nouns")
_CLEAN = re.compile(r"[\w .,'’&/()+²-]+")
_YEAR = re.compile(r"^(.*[a-z)]) \(?(\d{4})\)?$")


def generic_entry(relation: str, label: str | None = None) -> Entry:
    """The entry of a relation that has none in the lexicon."""
    text = cleaned(label or relation)
    words = text.split(" ")
    if len(words) > 1 and words[-1] in PREPOSITIONS:
        return _with_preposition(relation, text, words)
    if words[0] == "has" and len(words) > 1:
        return _has(relation, text, " ".join(words[1:]).removesuffix("(s)").strip())
    if words[0] == "is" and len(words) > 1:
        return Entry(relation, text, "", f"{text} {{object}}", generic=True)
    if len(words) == 1 and words[0] in _VERBS:
        return Entry(relation, text, "", f"{text} {{object}}", generic=True)
    if len(words) == 1 and words[0] in PREPOSITIONS:
        return Entry(relation, text, "", f"is listed with {{object}} under {quoted(text)}", generic=True)
    if len(words) > 1 and is_participle(words[-1]) and all(_is_adverb(word) for word in words[:-1]):
        return Entry(relation, text, f"{quoted(text)} value", f"was {text} {{on object}}", generic=True)
    if len(words) == 2 and words[0] in ("date", "year") and (is_participle(words[1]) or words[1] == "died"):
        be = "" if words[1] == "died" else "was "
        return Entry(relation, text, text, f"{be}{words[1]} {{on object}}", generic=True)
    if len(words) == 1 and is_participle(words[0]) and words[0] != "born":
        return _participle(relation, text)
    return _noun(relation, text)


def cleaned(label: str) -> str:
    """A label with missing characters restored: `owner s address` becomes `owner's address`."""
    text = " ".join(label.replace("_", " ").split()).strip(" .:;-")
    if not _CLEAN.fullmatch(text) or not re.search(r"[^\W\d]{2}", text) or len(text) < 3:
        return f"{quoted(text or label)} value"
    text = re.sub(r"\s*\(\s*s\s*\)", "", text).replace(", ", " and ").replace("/", " or ")
    text = re.sub(r"\b(\w+) (?:s|es|ies)$", r"\1", text)
    text = re.sub(r"\b(\w+) s (\w+)", _rejoined, text)
    first, _, last = text.rpartition(" ")
    if first and last.lower().strip("()") in _UNIT_WORDS:  # `capacity mw`
        text = f"{first} in {last.strip('()')}"
    if found := _YEAR.match(text):
        text = f"{found[1].removesuffix(' in')} in {found[2]}"
    return text or label


def _rejoined(found: re.Match[str]) -> str:
    """The lost mark was an apostrophe if a noun follows, brackets if a participle follows: `book(s) sold`."""
    return f"{found[1]}{'s' if is_participle(found[2]) else chr(39) + 's'} {found[2]}"


def _with_preposition(relation: str, text: str, words: list[str]) -> Entry:
    verb = next((word for word in words if not _is_adverb(word)), "")
    if is_participle(verb) or (verb.endswith("ing") and len(verb) > 4):
        be = "is" if verb in _PRESENT_STATE or verb.endswith("ing") else "was"
        objects = "person or thing" if words[-1] == "by" else "thing"
        return Entry(relation, text, "", f"{be} {text} {{object}}", objects=objects, generic=True)
    if verb in _VERBS:
        return Entry(relation, text, "", f"{text} {{object}}", generic=True)
    if any(is_participle(word) for word in words) or verb != words[0] or not verb.isalpha():
        return _noun(relation, f"{quoted(text)} value")
    noun = singular(" ".join(words[:-1]))  # `member of`, `capital of`
    clause = f"is [{with_article(noun)}|{plural(noun)}] {words[-1]} {{object}}"
    subjects = "person" if is_person(noun) else "thing"
    return Entry(relation, text, "", clause, subjects=subjects, generic=True)


def _is_adverb(word: str) -> bool:
    return word.endswith("ly") or word in ("first", "last", "also", "now", "once", "later", "since")


def _has(relation: str, text: str, noun: str) -> Entry:
    one = singular(noun)
    return Entry(relation, text, one, f"has {{object}} as {with_article(one)}", generic=True)


def _participle(relation: str, text: str) -> Entry:
    """A heading such as `opened` or `founded`: the time of an event."""
    base = base_of(text)
    gerund = base if base.endswith(("ee", "ye", "oe")) else base.removesuffix("e")
    noun = _DATE_NOUNS.get(text, f"{gerund}ing date")
    return Entry(relation, text, noun, f"was {text} {{on object}}", generic=True)


def _noun(relation: str, text: str) -> Entry:
    if text in _TEXT_NOUNS:
        clause, many = f"has {{object}} in {{its}} {text}", _TEXT_NOUNS[text]
        single = text != many
        return Entry(relation, text, text, clause, plural_noun=many, single=single, generic=True)
    one = text if text in _ALWAYS_MANY else singular(text)
    objects = one if is_person(one) else "thing"
    # The plural of an abbreviation (`pos`, `lga`) is not an English word.
    odd = (len(text) < 4 and text not in _SHORT_WORDS) or re.search(
        r"(?<! in) \d+$|\d\d?(?:st|nd|rd|th) \w{1,3}$", text
    )
    many = f"{quoted(text)} values" if odd else ""
    clause = f"has {{object}} as {{its}} {one}"
    return Entry(relation, text, one, clause, plural_noun=many, objects=objects, generic=True)
