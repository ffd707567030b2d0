"""A relation's label as English words: identifiers cut at their joints, abbreviations written out.

`worksFor`, `WORKS_FOR`, `works-for` and `http://example.org/terms#worksFor` are all `works for`; `hq` is
`headquarters`, `CEO` stays. Headings of columns get their lost characters back: `owner s address` is `owner's
address`.
"""

import re
from typing import NamedTuple

from rollcall.graph.ingest.cells import unit_in_name
from rollcall.query.values import named_unit
from rollcall.text.nouns import demonyms, head_word, is_person, is_plural, plural, singular, with_article
from rollcall.text.verbs import is_participle, verb_form
from rollcall.text.words import ANY_MONTH, word_list, word_table
from rollcall.wording.entry import VALUE_NOUNS, Entry
from rollcall.wording.frames import LANDS, agent_clause, clause_of_features, clause_of_noun, is_mass
from rollcall.wording.phrases import quoted

PREPOSITIONS = word_list("prepositions")
_UNIT_WORDS = word_list("units_in_headings")
_ABBREVIATIONS = word_table("label_abbreviations")
_ACRONYMS = {acronym.casefold(): acronym for acronym in word_list("acronyms")}
_AGENTS_OF_PEOPLE = word_list("agents_of_people")
_OF_PEOPLE = frozenset(
    (
        "party",
        "political party",
        "nationality",
        "citizenship",
        "occupation",
        "profession",
        "hometown",
        "birthplace",
    )
)
_TIMES = word_list("nouns_of_time")
_TIME_UNITS = frozenset(
    [
        "s",
        "sec",
        "secs",
        "second",
        "seconds",
        "min",
        "mins",
        "minute",
        "minutes",
        "h",
        "hr",
        "hrs",
        "hour",
        "hours",
        "day",
        "days",
        "week",
        "weeks",
        "month",
        "months",
        "yr",
        "yrs",
        "year",
        "years",
    ]
)
_CLEAN = re.compile(r"[\w .,'’&/()+²-]+")
_YEAR = re.compile(r"^(.*[a-z)]) \(?(\d{4})\)?$")
_PREFIX = re.compile(r"^[A-Za-z][\w.-]*:(?=[A-Za-z])")
_JOINT = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_COUNT = re.compile(r"^(?:num|no|nr|nb|number|count|total number) ?of (?=\w)|^(?:num|nr|nb|count) (?=\w+s$)")
_LIMIT = re.compile(r"(maximum|minimum|average) (\w+(?: \w+)?)")
_EITHER = re.compile(r"(?<=[A-Za-z]{3}) ?/ ?(?=[A-Za-z]{3})")
_OF_DATES = frozenset(("(yr)", "(yr.)", "(year)", "(date)"))
_AT_A_TIME = re.compile(
    rf"(.*?[a-z)]) ((?:{ANY_MONTH}) )?(\d{{4}}) (census|est|estimates?|estimated|figures?)", re.IGNORECASE
)
"""`population 2011 census`, `population july 2017 est`."""


def words_of_label(label: str) -> str:
    """The label in words; a label without any word is quoted."""
    text = " ".join(_separated(label).split()).strip(" .:;-*")
    text = text.removesuffix("?") if " " not in text else text
    if not _CLEAN.fullmatch(text) or not re.search(r"[^\W\d]{2}", text):
        return f"{quoted(text or label)} value"
    if match := _AT_A_TIME.fullmatch(text):
        when = f"{(match[2] or '').capitalize()}{match[3]}"
        census = match[4].lower() == "census"
        return f"{match[1]} in {'the ' if census else ''}{when}{' census' if census else ''}"
    text = _EITHER.sub(" or ", text)
    text, unit = _without_unit(text)
    text = " ".join(_land(_ABBREVIATIONS.get(word, _initials(word))) for word in text.split(" "))
    text = _COUNT.sub("number of ", text)
    if (match := _LIMIT.fullmatch(text)) and is_plural(match[2].split(" ")[-1]):
        text = f"{match[1]} number of {match[2]}"
    text = re.sub(r"^(?:name|title)s? of (?:the )?(?=\w+$)", "", text)
    if text.endswith(" count") and len(text.split(" ")) == 2:
        text = f"number of {plural(text.removesuffix(' count'))}"
    if len(text) < 3:
        return text if text in _ACRONYMS.values() or text.isupper() else f"{quoted(text)} value"
    text = re.sub(r"\s*\(\s*s\s*\)|\s*/\s*s\b", "", text).replace(", ", " and ").replace("/", " or ")
    text = re.sub(r"\b(\w+) (?:s|es|ies)$", r"\1", text)
    text = re.sub(r"\b(\w+) s (\w+)", _rejoined, text)
    first, _, last = text.rpartition(" ")
    if first and " " not in first and is_plural(first) and is_plural(last):  # `teams clubs`: lost `/`
        text = f"{first} or {last}"
    if unit:  # `capacity mw`
        return f"{text} in {unit}"
    if match := _YEAR.match(text):
        in_ = "" if match[1].split(" ")[-1] in PREPOSITIONS else "in "
        text = f"{match[1]} {in_}{match[2]}"
    return text or label


_SPELLINGS = {
    **{unit: unit.upper() for unit in ("mb", "gb", "tb", "eur", "usd", "gbp", "chf", "jpy")},
    **dict.fromkeys(("h", "hr", "hrs"), "hours"),
    **dict.fromkeys(("min", "mins"), "minutes"),
    **dict.fromkeys(("yr", "yrs"), "years"),
    "kb": "kB",
}
"""Units as they are written, for headings in small letters."""


def _without_unit(text: str) -> tuple[str, str]:
    """A heading without the unit at its end, and the unit: `installed size` and `kB`."""
    first, _, last = text.rpartition(" ")
    unit = last.strip("()")
    if not first or first.split(" ")[-1].lower() in PREPOSITIONS:
        return text, ""
    is_time = unit.lower() in _TIME_UNITS and first.split(" ")[-1].lower() in _TIMES
    if first.endswith("density"):
        return (f"{first} per {unit}" if unit.lower() in _UNIT_WORDS else text), ""
    if first.endswith(" sq"):
        first, unit = first.removesuffix(" sq"), f"sq {unit}"
        return first, unit
    over = unit.lower().rpartition("/")[2] if "/" in unit[1:] and last != unit else ""
    if is_time or {unit.lower(), over} & (_UNIT_WORDS | _TIME_UNITS if over else _UNIT_WORDS):
        return first, _SPELLINGS.get(unit, unit)
    if last.lower() in _OF_DATES:  # `Founded (year)`
        return first, ""
    if unit_in_name(text) is not None:
        return first, _SPELLINGS.get(unit, unit)
    return text, ""


def without_unit(noun: str) -> tuple[str, str]:
    """A relation's noun without the unit that its heading has, and the unit: `installed size`, and `kB`."""
    first, _, unit = noun.rpartition(" in ")
    known = unit.lower() in _UNIT_WORDS | _TIME_UNITS or (unit and named_unit(unit) is not None)
    return (first, unit) if first and known else (noun, "")


def _initials(word: str) -> str:
    """Initials with the capitals that a heading in small letters lost: `cpu cores`."""
    return _ACRONYMS.get(word, word) if len(word) > 2 and word.islower() else word


def _land(word: str) -> str:
    """A land with the capital that a heading in small letters lost."""
    return word.capitalize() if word.islower() and word.capitalize() in demonyms() else word


def _separated(label: str) -> str:
    """An identifier as separate words in lower case; a label in words as it is."""
    text = label.strip()
    if " " not in text:
        text = (
            _PREFIX.sub("", re.split(r"[#/](?=[^#/]+$)", text)[-1]) if "://" in text or ":" in text else text
        )
        joined = "_" in text or _JOINT.search(text) is not None or _is_hyphenated(text)
        if joined:
            parts = re.split(r"[_-]+" if _is_hyphenated(text) else "_+", text)
            text = " ".join(word for part in parts for word in _JOINT.split(part))
            return " ".join(map(_plain, text.split()))
    words = text.split() or [""]
    shouted = text.isupper() and any(len(word) > 4 for word in words)
    titled = len(words) > 1 and all(word.istitle() or word in PREPOSITIONS for word in words)
    if len(text) < 4 and text.isupper() and text.isalpha() and not _is_word(text.lower()):
        return text
    if shouted or titled or (len(words) == 1 and text.isupper() and text.isalpha()):
        return " ".join(map(_plain, words))
    if len(words) == 1 or verb_form(words[0].lower(), "present", "past", "participle", "gerund"):
        words[:1] = [_plain(words[0]) if words[0].istitle() else words[0]]
    return " ".join(words)


def _is_word(text: str) -> bool:
    """Whether a short text is a word or a known abbreviation, not the initials of a name."""
    return text in _ABBREVIATIONS or text in word_list("short_nouns") or text in PREPOSITIONS


def _is_hyphenated(text: str) -> bool:
    """Whether hyphens separate words (`works-for`, `has-part`), unlike in `runner-up`."""
    parts = text.split("-")
    return len(parts) > 1 and (
        parts[-1] in PREPOSITIONS or parts[0] in ("has", "is", "was") or len(parts) > 3
    )


def _plain(word: str) -> str:
    return _ACRONYMS.get(word.casefold()) or (word.lower() if word.isalpha() else word)


def _rejoined(match: re.Match[str]) -> str:
    """The lost mark was an apostrophe if a noun follows, brackets if a participle follows: `book(s) sold`."""
    plain = is_participle(match[2]) or match[2] in PREPOSITIONS or match[2] in ("or", "and")
    return f"{match[1]}{'s' if plain else chr(39) + 's'} {match[2]}"


# Labels that are nouns or phrases: `director`, `member of`, `next to`. They say what the object is to
# the subject, what the subject is to the object, or where it stands. Any label can be said as a noun for
# the object, so this is also the last form that is tried.

_TEXT_NOUNS = word_table("text_nouns")
_ALWAYS_MANY = frozenset(("games", "headquarters", "honours", "honors", "colours", "colors", "goods"))
_SHORT_WORDS = word_list("short_nouns")
_UNIQUE = frozenset(
    ("capital", "seat", "opposite", "inverse", "headquarters", "mother", "father", "successor")
)
_ROLES = frozenset(
    ("part", "member", "season", "edition", "episode", "instance", "subclass", "tributary", "branch", "type")
)
"""Nouns for a subject that stands in a relation to a thing of a kind: `part of the series`."""
_FIXED_PHRASES = frozenset(
    f"{adjective} {preposition}"
    for adjective, prepositions in (
        ("next", "to"), ("same", "as"), ("close", "to"), ("near", "to"), ("equal", "to"), ("prior", "to"),
        ("opposite", "to of"), ("similar", "to"), ("far", "from"), ("loyal", "to"), ("home", "to"),
        ("out", "of"), ("open", "to"), ("subject", "to"), ("due", "to"),
    )
    for preposition in prepositions.split()
)  # fmt: skip
"""Adjectives with the preposition that goes with each."""
_SYLLABLE = re.compile(r"[^aeiou][aeiouy][^aeiou]|[aeiou][^aeiou]+|[^aeiou]{2}s")


class Label(NamedTuple):
    relation: str
    text: str
    words: list[str]
    to: str
    """What the relation leads to: a noun of values, `entities`, or nothing if that is not known."""
    subjects: str = ""
    """The noun of the subjects, if it is known."""
    shape: str = ""
    """The form of the names that it leads to."""
    single: bool | None = None
    """Whether subjects have only one; None if that is not known."""
    small: bool = False
    """Whether the names that it leads to are common nouns."""

    @property
    def to_values(self) -> bool:
        return self.to in VALUE_NOUNS

    def entry(self, forward: str, noun: str = "", *, subjects: str = "thing", objects: str = "thing",
              backward: str = "", many: str = "", single: bool = False) -> Entry:  # fmt: skip
        return Entry(
            self.relation, self.text, noun, forward, backward=backward, plural_noun=many, subjects=subjects,
            objects=objects, single=single, generic=True,
        )  # fmt: skip


def running_text(label: Label) -> Entry | None:
    if label.text not in _TEXT_NOUNS:
        return None
    many = _TEXT_NOUNS[label.text]
    clause = f"has {{object}} in {{its}} {label.text}"
    return label.entry(clause, label.text, many=many, single=label.text != many)


def lone_preposition(label: Label) -> Entry | None:
    asks = label.words[0] in ("how", "why", "when", "where", "what", "who", "which") and label.words[1:]
    if label.text not in PREPOSITIONS and not asks:
        return None
    return label.entry(f"is listed with {{object}} under {quoted(label.text)}")


def phrase_of_place(label: Label) -> Entry | None:
    """What the subject is, in words that are neither a noun nor a verb: `in charge of`, `next to`."""
    first, last = label.words[0], label.words[-1]
    if len(label.words) < 2 or last not in PREPOSITIONS:
        return None
    if label.text in _FIXED_PHRASES or (first in PREPOSITIONS and len(label.words) == 3):
        the = "the " if first in ("same", "opposite") else ""
        return label.entry(f"is {the}{label.text} {{object}}")
    if label.words[0].endswith("s") and is_person(first) and label.words[1:] == ["with"]:
        return label.entry(f"is {label.text} {{object}}", subjects="person", objects="person")
    return None


def way(label: Label) -> Entry | None:
    """Where the subject came from or went: `from club`, `to team`."""
    first, *rest = label.words
    if first not in _TO_AND_FRO or len(rest) != 1 or rest[0] in PREPOSITIONS or label.to_values:
        return None
    return label.entry(_TO_AND_FRO[first], objects=singular(rest[0]))


def subject_noun(label: Label, words: list[str], be: str) -> Entry:
    """What the subject is: `member of`, `envoy to`; what it has: `music by`, `branches in`."""
    noun = singular(" ".join(words[:-1]))
    if words[-1] in ("in", "at", "on", "near") and noun != " ".join(words[:-1]) and not is_person(noun):
        its = "{its} " if words[0].endswith("est") or words[0] in ("most", "main", "best") else ""
        return label.entry(f"has {its}{label.text} {{object}}")
    if words[-1] == "by":
        return label.entry(f"has {noun} by {{object}}", objects="person or thing")
    noun_phrase = f"[{with_article(noun)}|{plural(noun)}]"
    if noun == "part":
        noun_phrase = "part"
    elif noun in _UNIQUE:
        noun_phrase = f"the {noun}"
    subjects = "person" if is_person(noun) else "thing"
    return label.entry(f"{be} {noun_phrase} {words[-1]} {{object}}", subjects=subjects)


def role(label: Label) -> Entry | None:
    """`part of the series`, `season of league`: what the subject is to a thing of a kind."""
    match = re.fullmatch(r"((?:\w+ )*?(\w+)) of (?:the |an? )?(.+)", label.text)
    if not match or match[2] not in _ROLES or PREPOSITIONS & set(match[3].split(" ")):
        return None
    role = "part" if match[1] == "part" else f"[{with_article(match[1])}|{plural(match[1])}]"
    return label.entry(f"is {role} of {{object}}", objects=singular(match[3]))


_TO_AND_FRO = {"from": "came from {object}", "to": "went to {object}"}


def noun_for_object(label: Label) -> Entry:
    """What the object is to the subject; any label can be said in this way."""
    text = label.text
    noun = text if text in _ALWAYS_MANY else singular(text)
    if not label.to_values and (entry := _framed(label, noun)) is not None:
        return entry
    objects = noun if is_person(noun) else "thing"
    if label.single is not None and is_mass(noun) and " " not in noun:
        return label.entry(f"has {{object}} {noun}", noun, many=noun, single=bool(label.single))
    if noun.endswith(" status") and not label.to_values:
        return label.entry(f"has the {noun} {{object}}", noun)
    # The plural of an abbreviation (`pos`, `lga`) is not an English word.
    odd = (len(text) < 4 and text not in _SHORT_WORDS and not text.isupper()) or re.search(
        r"(?<! in) \d+$|\d\d?(?:st|nd|rd|th) \w{1,3}$", re.sub(r" in [A-Z]\w+ \d{4}$", "", text)
    )
    if odd and re.fullmatch(r"[a-z]{3}", text) and not _SYLLABLE.fullmatch(text):  # initials: `lga`
        text, noun, odd = text.upper(), text.upper(), None
    many = f"{quoted(text)} values" if odd else ""
    several = label.to != "number" and noun != text
    if text.startswith(("most ", "fewest ")) and not label.to_values:
        return label.entry(f"is listed with {{object}} under {quoted(text)}", f"{quoted(text)} entry")
    if not odd and not label.to_values and _is_one_of_several(label, noun, text):
        return label.entry(f"has {{object}} as {with_article(noun)}", noun, objects=objects, many=many)
    if several and not label.to_values and " or " not in text and not noun.startswith("most "):
        clause = f"has {{object}} among {{its}} {text}"
        return label.entry(clause, noun, objects=objects, many=many)
    single = (label.to_values and not several) or noun.startswith(("number of ", "date of ", "year of "))
    single = single or bool(label.single)
    is_office = is_person(noun) and head_word(noun) not in word_list("kin") and " or " not in noun
    if is_office and label.single is not None and not label.to_values and noun.split(" ")[0] not in _COUNTING:
        return label.entry(f"has {{object}} as {noun}", noun, objects=objects, many=many, single=single)
    return label.entry(f"has {{object}} as {{its}} {noun}", noun, objects=objects, many=many, single=single)


def _is_one_of_several(label: Label, noun: str, text: str) -> bool:
    """Whether a noun says what several things are to the subject: `symptoms`, unlike `last title`."""
    first = noun.split(" ")[0]
    counted = first in _COUNTING or first.endswith("est") or first[0].isdigit()
    if (
        label.single is None
        or is_mass(noun)
        or counted
        or " or " in noun
        or is_participle(noun.split(" ")[-1])
    ):
        return False
    return label.single is False or noun != text


_COUNTING = word_list("counting_words")


def _framed(label: Label, noun: str) -> Entry | None:
    """The noun in a clause of English, if there is one; nouns that a heading joins must have the same."""
    objects = noun if is_person(noun) else "thing"
    subjects = "person" if noun in _OF_PEOPLE else "thing"
    person = is_person(label.subjects) and label.subjects != "person or thing"
    single = bool(label.single)
    clause, backward = agent_clause(noun, person=person, of_places=label.shape == LANDS)
    if clause and (not person or head_word(noun) in _AGENTS_OF_PEOPLE):
        people = "person" if label.shape != LANDS else "country"
        return label.entry(clause, noun, objects=people, backward=backward, single=single)
    person = person or (subjects == "person" and label.subjects in ("", "person or thing"))
    if label.small and (clause := clause_of_features(noun, label.shape)):
        return label.entry(clause, noun, single=single)
    parts = noun.split(" or ")
    clauses = {clause_of_noun(part, label.shape, person=person) for part in parts} - {""}
    if parts[1:] and any(noun in clause for clause in clauses for noun in parts):
        return None
    if len(clauses) != 1 or not (clause := clauses.pop()):
        return None
    many = noun if is_mass(noun) else ""
    return label.entry(clause, noun, subjects=subjects, objects=objects, single=single, many=many)
