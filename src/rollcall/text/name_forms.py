"""Written forms of names: what may stand in a text for a name that is known.

- `plain` and `clean`: texts and names with one kind of apostrophe, quotation mark, hyphen and space.
- `forms`: the forms of an entity's names; `known_forms` caches them, `word_forms` gives those of one word.
- `usable`: whether a name is specific enough to search for.

`rollcall.text.names` finds these forms in text.
"""

import re
import unicodedata
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rollcall.text.nouns import is_plural
from rollcall.text.words import (
    ARTICLES,
    CONJUNCTIONS,
    PREPOSITIONS,
    without_accents,
    word_list,
)

# Which written forms of a name count as a mention, and which names are too vague to search for. Case
# matters: a capitalised name must be written with its capitals (or another of its spellings). A common
# noun (all in lower case) may begin with a capital only at the start of a sentence, unless one of its
# names does. A name such as "Association football", whose later words are in lower case, may be a common
# noun that a title capitalised.

WORD = re.compile(r"\w+")
BETWEEN = "\x1f"
"""Separates the names of one entity if they are passed on as one text."""
END = "\x1e"
"""Ends every sentence of a page's text; part of no name."""


# Each character is replaced by one character, so that places in the text stay valid.
_PLAIN = (
    *((mark, "'") for mark in "’‘ʼʻ´"), *((mark, '"') for mark in "“”„"), *((mark, "-") for mark in "‐‑–—−"),
    *((mark, " ") for mark in "\u00a0\u2009\u202f"),
)  # fmt: skip
_PLAIN_TOO = (("`", "'"), ("\t", " "), ("\n", " "))
_VAGUE = word_list("vague_names")
_BLANKS = frozenset(("n/a", "tbd", "tba", "none", "unknown"))
_ARTICLES = ("The ", "A ", "An ")
_OUTER = " \t\"'()[]{}.,;:–—-_*/\\|"


class Form(NamedTuple):
    """One way a name may be written; `opening` forms count only where a sentence begins."""

    text: str
    opening: bool = False
    word: str = ""
    """Its first word, and the place where that begins."""
    offset: int = 0


def form(text: str, opening: bool = False) -> Form:
    """A form with its first word."""
    first = text.partition(" ")[0]
    if first.isalnum():
        return Form(text, opening, first)
    match = WORD.search(text)
    return Form(text, opening, match[0], match.start()) if match else Form(text, opening)


def plain(text: str) -> str:
    """The text with one kind of apostrophe, quotation mark, hyphen and space; its length does not change."""
    for mark, kind in _PLAIN_TOO if text.isascii() else (*_PLAIN_TOO, *_PLAIN):
        if mark in text:
            text = text.replace(mark, kind)
    return text


def usable(name: str) -> bool:
    """Whether a name is specific enough to search for: not empty, one letter, a number or a function word."""
    small = name.lower()
    if len(name) < 2 or small in _BLANKS or not (name.isalpha() or any(map(str.isalpha, name))):
        return False
    return small not in _VAGUE or (name.isupper() and len(name) > 2)


def forms(names: Iterable[str], common: Iterable[str] = ()) -> list[Form]:
    """All written forms of an entity's names, each once; `common` are names known to be common nouns."""
    cleaned = dict.fromkeys(cleaned for name in names if (cleaned := clean(name)))
    nouns = {clean(name).lower() for name in common} | {name for name in cleaned if name == name.lower()}
    all_forms: dict[Form, None] = {}
    for name in cleaned:
        proper = _is_proper(name)
        own_forms = _proper_forms(name) if proper else _cased(name, nouns, cleaned) if usable(name) else []
        for spelling in (*own_forms, *map(form, _spellings(name) if own_forms else ())):
            all_forms[spelling] = None
            if spelling.text.isascii():
                continue
            decomposed = unicodedata.normalize("NFD", spelling.text)
            if decomposed != spelling.text:
                all_forms[form(decomposed, spelling.opening)] = None
    anywhere = {spelling.text for spelling in all_forms if not spelling.opening}
    if len(anywhere) == len(all_forms):
        return list(all_forms)
    return [spelling for spelling in all_forms if not spelling.opening or spelling.text not in anywhere]


def word_forms(word: str) -> Sequence[Form]:
    """The forms of a capitalised word."""
    if word.isascii() and word.isalnum():
        return (Form(word, word=word),) if usable(word) else ()
    return forms((word,))


@lru_cache(maxsize=1 << 15)
def clean(name: str) -> str:
    """A name as it is searched for: in composed Unicode, with plain marks and spaces, without marks around
    it.
    """
    if not name.isascii():
        name = unicodedata.normalize("NFC", name)
    text = " ".join(plain(name).split())
    core = text.strip(_OUTER)
    return core if len(core) > 1 or core == text else text


@lru_cache(maxsize=1 << 15)
def known_forms(names: str) -> tuple[Form, ...]:
    """The forms of names joined by `BETWEEN`, cached: the same entity is searched for on many pages."""
    return tuple(forms(names.split(BETWEEN)))


def _cased(name: str, nouns: set[str], names: Container[str]) -> list[Form]:
    small = name[0].lower() + name[1:]
    capital = name[0].upper() + name[1:]
    if name == name.lower():
        return [form(name), form(capital, opening=True)] if capital != name else [form(name)]
    titled = _is_titled_noun(name)
    if titled and (name.partition(" ")[0] not in names or small in names):
        return [form(name), form(small)]  # Baltic amber, or association football
    if small in nouns:
        return [form(small), form(capital)]
    if titled:  # for the Norrish language, Norrish is enough
        return [form(small), form(capital, opening=True)]
    if name.startswith(_ARTICLES):
        return [form(name), form(small)]
    if name.startswith(("the ", "a ", "an ")):
        return [form(name), form(capital)]
    return [form(name)]


def _proper_forms(name: str) -> list[Form]:
    """A proper name as it is, and with its first word in small letters if a preposition follows that.

    Only a title capitalises it: text has "in canoeing at the 2004 Summer Olympics".
    """
    first, _blank, rest = name.partition(" ")
    if rest.partition(" ")[0] in PREPOSITIONS and first.istitle() and first.isalpha():
        return [form(name), form(f"{first.lower()} {rest}")]
    return [form(name)]


def _is_proper(name: str) -> bool:
    """Whether a capital in a later word and the lack of an article show that a name has one written form."""
    first, _blank, rest = name.partition(" ")
    return rest != rest.lower() and first.lower() not in ARTICLES


def _is_titled_noun(name: str) -> bool:
    """Whether only the first of several words has a capital, as titles write common nouns."""
    first, blank, rest = name.partition(" ")
    return (
        bool(blank)
        and first[1:] == first[1:].lower()
        and len(first) > 2
        and rest == rest.lower()
        and (not any(character.isdigit() for character in name))
    )


# Other ways in which text writes the same name: initials, hyphens, capitals, accents, names of clubs.
# Input: a name, cleaned. Output: its other spellings. Each follows from the name alone, so none can mean
# another thing than a person would read in it: "P.G. Holt" is P. G. Holt, "the Norrow Shire" the Shire
# of Norrow, and "Marl United" is Marl United F.C.

_INITIALS = re.compile(r"(?<![^\W_])[A-Z]\.(?: ?[A-Z](?:\.|$))+")
_COMPASS = re.compile(r"(?:North|South|East|West)(?:west|east)?ern (?=[A-Z])")
_CLUB_FIRST = re.compile(r"^(?:[AFS]\.C\.|A?[AFS]C|[FNKS]K|CF|SV|TSV|VfB|VfL) ")
_CLUB_LAST = re.compile(r" (?:(?:A\.)?[FS]\.C\.?|A?FC|SC|CF|FK|SK|S\.K\.?)$")
_AREAS = word_list("parts_of_land") - {"state"}  # Kansas State is not a state
_SMALL = ARTICLES | PREPOSITIONS | CONJUNCTIONS


def _spellings(name: str) -> list[str]:
    """The other spellings of a name, each once, without the name itself."""
    names = dict.fromkeys(_all_spellings(name))
    names.pop(name, None)
    return list(names)


def _all_spellings(name: str) -> Iterator[str]:
    if "." in name:
        yield from _initials(name)
    if "-" in name:
        yield name.replace("-", " ")
    elif " " in name and name == name.lower() and name.count(" ") == 1:
        yield name.replace(" ", "-")
    if " " in name:
        yield from _capitals(name)
        yield from _areas(name)
        yield from _clubs(name)
    if not name.isascii():
        yield unicodedata.normalize("NFC", without_accents(name, "NFD"))


def _initials(name: str) -> Iterator[str]:
    """P. G. Holt, P.G. Holt and PG Holt."""
    match = _INITIALS.search(name)
    if match is None:
        return
    letters = [letter for letter in match[0] if letter.isupper()]
    dotted = [f"{letter}." for letter in letters]
    for initials in ("".join(dotted), " ".join(dotted), "".join(letters)):
        yield name[: match.start()] + initials + name[match.end() :]


def _capitals(name: str) -> Iterator[str]:
    """Text is free to capitalise the noun of a name: the Marl line, and the Marl Line."""
    words = name.split(" ")
    if name[0].isupper() or name[0].isdigit():
        yield " ".join(word if word in _SMALL else word[:1].upper() + word[1:] for word in words)
    if (
        words[-1].lower() in _AREAS and words[-1].istitle() and not is_plural(words[-2])
    ):  # the Five Lakes region
        yield " ".join([*words[:-1], words[-1].lower()])
    if _COMPASS.match(name):
        yield name[0].lower() + name[1:]


def _areas(name: str) -> Iterator[str]:
    """The Shire of Norrow is the Norrow Shire."""
    noun, _of, place = name.partition(" of ")
    if noun.lower() in _AREAS and place[:1].isupper():
        yield f"{place} {noun}"


def _clubs(name: str) -> Iterator[str]:
    """A club without the initials for its kind, if at least two words are left."""
    bare = _CLUB_LAST.sub("", _CLUB_FIRST.sub("", name, count=1))
    if bare != name and " " in bare:
        yield bare
