"""A relation's label as English words: identifiers cut at their joints, abbreviations written out.

`worksFor`, `WORKS_FOR`, `works-for` and `http://example.org/terms#worksFor` are all `works for`; `hq` is
`headquarters`, `CEO` stays. Headings of columns get their lost characters back: `owner s address` is `owner's
address`.
"""

import re

from rollcall.english.demonyms import demonyms
from rollcall.english.months import ANY_MONTH
from rollcall.english.nouns import is_plural, plural
from rollcall.english.verb_forms import verb_form
from rollcall.english.verbs import is_participle
from rollcall.english.word_lists import word_list
from rollcall.wording.said import quoted

PREPOSITIONS = word_list("prepositions")
_UNIT_WORDS = word_list("units_in_headings")
_ABBREVIATIONS = dict(line.split(" = ") for line in word_list("label_abbreviations"))
_ACRONYMS = {acronym.casefold(): acronym for acronym in word_list("acronyms")}
_CLEAN = re.compile(r"[\w .,'’&/()+²-]+")
_YEAR = re.compile(r"^(.*[a-z)]) \(?(\d{4})\)?$")
_PREFIX = re.compile(r"^[A-Za-z][\w.-]*:(?=[A-Za-z])")
_JOINT = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_COUNT = re.compile(r"^(?:num|no|nr|nb|number|count|total number) ?of (?=\w)|^(?:num|nr|nb|count) (?=\w+s$)")
_EITHER = re.compile(r"(?<=[A-Za-z]{3}) ?/ ?(?=[A-Za-z]{3})")
_AT_A_TIME = re.compile(
    rf"(.*?[a-z)]) ((?:{ANY_MONTH}) )?(\d{{4}}) (census|est|estimates?|estimated|figures?)", re.IGNORECASE
)
"""`population 2011 census`, `population july 2017 est`."""


def words_of_label(label: str) -> str:
    """The label in words; a label without any word is quoted."""
    text = " ".join(_separated(label).split()).strip(" .:;-")
    if not _CLEAN.fullmatch(text) or not re.search(r"[^\W\d]{2}", text):
        return f"{quoted(text or label)} value"
    if found := _AT_A_TIME.fullmatch(text):
        when = f"{(found[2] or '').capitalize()}{found[3]}"
        census = found[4].lower() == "census"
        return f"{found[1]} in {'the ' if census else ''}{when}{' census' if census else ''}"
    text = _EITHER.sub(" or ", text)
    text = " ".join(_land(_ABBREVIATIONS.get(word, word)) for word in text.split(" "))
    text = _COUNT.sub("number of ", text)
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
    if first and last.lower().strip("()") in _UNIT_WORDS:  # `capacity mw`
        text = f"{first} in {last.strip('()')}"
    if found := _YEAR.match(text):
        in_ = "" if found[1].split(" ")[-1] in PREPOSITIONS else "in "
        text = f"{found[1]} {in_}{found[2]}"
    return text or label


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


def _rejoined(found: re.Match[str]) -> str:
    """The lost mark was an apostrophe if a noun follows, brackets if a participle follows: `book(s) sold`."""
    plain = is_participle(found[2]) or found[2] in PREPOSITIONS or found[2] in ("or", "and")
    return f"{found[1]}{'s' if plain else chr(39) + 's'} {found[2]}"
