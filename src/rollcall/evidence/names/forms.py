"""Which written forms of a name count as a mention, and which names are too vague to search for.

Case matters: a capitalised name must be written with its capitals (or another of its `spellings`). A common
noun (all in lower case) may begin with a capital only at the start of a sentence, unless one of its names
does. A name such as "Association football", whose later words
are in lower case, may be a common noun that a title capitalised.
"""

import re
import unicodedata
from collections.abc import Container, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from rollcall.english.function_words import ARTICLES, PREPOSITIONS
from rollcall.evidence.names.spellings import spellings

WORD = re.compile(r"\w+")
BETWEEN = "\x1f"
"""Separates the names of one entity if they are passed on as one text."""
END = "\x1e"
"""Ends every sentence of a page's text; part of no name."""


def words(line: str) -> list[str]:
    """The words of a line."""
    return line.split()


# Each character is replaced by one character, so that places in the text stay valid.
_PLAIN = (
    *((mark, "'") for mark in "’‘ʼʻ´"), *((mark, '"') for mark in "“”„"), *((mark, "-") for mark in "‐‑–—−"),
    *((mark, " ") for mark in "\u00a0\u2009\u202f"),
)  # fmt: skip
_PLAIN_TOO = (("`", "'"), ("\t", " "), ("\n", " "))
_VAGUE = frozenset(
    words(
        "a about above after again all also am an and any are as at be because been before being below "
        "between both but by can did do does doing down during each few first for from further had has have "
        "having he her here hers him his how i if in into is it its just last me more most my new no nor "
        "not now of off old on once one only or other our out over own same she should so some such than "
        "that the their them then there these they this those through to too two under until up very was we "
        "were what when where which while who whom why will with would you your yes none unknown various "
        "several many both see list"
    )
)
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
    found = WORD.search(text)
    return Form(text, opening, found[0], found.start()) if found else Form(text, opening)


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
    found: dict[Form, None] = {}
    for name in cleaned:
        proper = _is_proper(name)
        own = _proper_forms(name) if proper else _cased(name, nouns, cleaned) if usable(name) else []
        for one in (*own, *map(form, spellings(name) if own else ())):
            found[one] = None
            if one.text.isascii():
                continue
            decomposed = unicodedata.normalize("NFD", one.text)
            if decomposed != one.text:
                found[form(decomposed, one.opening)] = None
    anywhere = {one.text for one in found if not one.opening}
    if len(anywhere) == len(found):
        return list(found)
    return [one for one in found if not one.opening or one.text not in anywhere]


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
