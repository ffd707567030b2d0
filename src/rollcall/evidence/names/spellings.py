"""Other ways in which text writes the same name: initials, hyphens, capitals, accents, names of clubs.

Input: a name, cleaned. Output: its other spellings. Each follows from the name alone, so none can mean
another thing than a person would read in it: "P.G. Holt" is P. G. Holt, "the Norrow Shire" the Shire of
Norrow, and "Marl United" is Marl United F.C.
"""

import re
import unicodedata
from collections.abc import Iterator

from rollcall.english.function_words import ARTICLES, CONJUNCTIONS, PREPOSITIONS
from rollcall.english.nouns import is_plural
from rollcall.english.word_lists import word_list

_INITIALS = re.compile(r"(?<![^\W_])[A-Z]\.(?: ?[A-Z](?:\.|$))+")
_COMPASS = re.compile(r"(?:North|South|East|West)(?:west|east)?ern (?=[A-Z])")
_CLUB_FIRST = re.compile(r"^(?:[AFS]\.C\.|A?[AFS]C|[FNKS]K|CF|SV|TSV|VfB|VfL) ")
_CLUB_LAST = re.compile(r" (?:(?:A\.)?[FS]\.C\.?|A?FC|SC|CF|FK|SK|S\.K\.?)$")
_AREAS = word_list("parts_of_land") - {"state"}  # Kansas State is no state
_SMALL = ARTICLES | PREPOSITIONS | CONJUNCTIONS


def spellings(name: str) -> list[str]:
    """The other spellings of a name, each once, without the name itself."""
    found = dict.fromkeys(_spellings(name))
    found.pop(name, None)
    return list(found)


def _spellings(name: str) -> Iterator[str]:
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
        yield _without_accents(name)


def _initials(name: str) -> Iterator[str]:
    """P. G. Holt, P.G. Holt and PG Holt."""
    found = _INITIALS.search(name)
    if found is None:
        return
    letters = [letter for letter in found[0] if letter.isupper()]
    dotted = [f"{letter}." for letter in letters]
    for written in ("".join(dotted), " ".join(dotted), "".join(letters)):
        yield name[: found.start()] + written + name[found.end() :]


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


def _without_accents(name: str) -> str:
    apart = unicodedata.normalize("NFD", name)
    return unicodedata.normalize("NFC", "".join(one for one in apart if not unicodedata.combining(one)))
