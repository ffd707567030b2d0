"""The one normaliser of the `entity` profile: when two strings are the same name.

Case, accents, width, kinds of quotes and dashes, punctuation, spacing and a leading article do not tell
names apart; letters, digits and symbols do ("C", "C++" and "C#" stay three names). A name is never
normalised to nothing: where only punctuation is left, the punctuation is the name. Names are normalised
many at a time as one joined string, since that is what scoring spends its time on.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_DECIMAL_POINT, _DIGIT_GAP, _MINUS = "\x02", "\x03", "\x04"
"""Stand-ins for what must survive while full stops, gaps and hyphens are removed."""

_KEPT = "+#%@*$=<>~^|-\n"
_DELETED = "'`."
_FULL_STOP = re.compile(r"([0-9])\.(?=[0-9])")
_THOUSANDS = re.compile(r"([0-9]),(?=[0-9]{3}(?![0-9]))")
_GAP = re.compile(r"([0-9])[ \-]+(?=[0-9])")
_OPENING_MINUS = re.compile(r"\n-(?=[0-9])")
_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
_ACCENTED = ("LATIN", "GREEK")
"""Scripts whose marks are accents; in others (Cyrillic й, Japanese が) a mark makes another letter."""


def _punctuation() -> dict[int, str | None]:
    table: dict[int, str | None] = {code: " " for code in range(128) if not chr(code).isalnum()}
    table |= {ord(sign): sign for sign in _KEPT}
    table |= {ord(sign): None for sign in _DELETED}
    table[ord(_DECIMAL_POINT)] = "."
    return table


_PUNCTUATION = _punctuation()


class _BaseCharacters(dict[int, str]):
    """Every character's plain counterpart, worked out when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = _base(chr(code)) if code > 127 else chr(code)
        return self[code]


_BASE = _BaseCharacters()


def name_keys(names: Sequence[str]) -> list[str]:
    """The normal form of each name; two strings are the same name when their forms are equal.

    >>> name_keys(["The Beatles", "beatles", "São Paulo", "Sao  Paulo", "U.S.A.", "USA"])
    ['beatles', 'beatles', 'saopaulo', 'saopaulo', 'usa', 'usa']
    """
    if not names:
        return []
    joined = "\n".join(names)
    if joined.isascii() and joined.count("\n") == len(names) - 1:
        keys = _folded(joined).split("\n")
        if "" not in keys:
            return keys
        return [key or name_key(name) for key, name in zip(keys, names, strict=True)]
    plain = [name for name in names if name.isascii() and "\n" not in name]
    if not plain:
        return [name_key(name) for name in names]
    folded = iter(name_keys(plain))
    return [next(folded) if name.isascii() and "\n" not in name else name_key(name) for name in names]


@lru_cache(maxsize=1 << 16)
def name_key(name: str) -> str:
    """The normal form of one name; empty only for a string with nothing to see in it."""
    line = " ".join(base_characters(name).split())
    key = _folded(line) or _folded(line, articles=True)
    return key or "".join(sign for sign in base_letters_only(name) if not sign.isspace())


def words(text: str) -> str:
    """Running text as normalised words between single spaces, for finding a name in a passage."""
    line = base_characters(text).replace("\n", " ")
    return " ".join(_without_punctuation(line).replace("-", " ").split())


def base_characters(text: str) -> str:
    """Text with every character replaced by its plain counterpart: é by e, ’ by ', – by -, ﬁ by fi."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text).translate(_BASE)


def base_letters_only(name: str) -> str:
    """What is left of a name without letters or digits: its visible signs, case and width aside."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(sign for sign in folded if unicodedata.category(sign) not in ("Cc", "Cf"))


def _folded(lines: str, articles: bool = False) -> str:
    """Normalise names of plain characters, one a line; `articles` keeps a leading one."""
    text = "\n" + _without_punctuation(lines)
    while "\n " in text:
        text = text.replace("\n ", "\n")
    if not articles:  # the longest last, so that only one goes: "The A Team" is "a team"
        text = text.replace("\na ", "\n").replace("\nan ", "\n").replace("\nthe ", "\n")
    if " " in text or "-" in text:
        text = _OPENING_MINUS.sub("\n" + _MINUS, text) if "\n-" in text else text
        text = _GAP.sub(r"\1" + _DIGIT_GAP, text)
        text = text.replace(" ", "").replace("-", "").replace(_DIGIT_GAP, " ").replace(_MINUS, "-")
    return text[1:]


def _without_punctuation(text: str) -> str:
    text = text.lower()
    if "&" in text:
        text = text.replace("&", " and ")
    if "." in text:
        text = _FULL_STOP.sub(r"\1" + _DECIMAL_POINT, text)
    if "," in text:
        text = _THOUSANDS.sub(r"\1", text)
    return text.translate(_PUNCTUATION)


def _base(character: str) -> str:
    """One character's plain counterpart; an empty string for what is not seen."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    base, kept = "", []
    for sign in folded:
        if not unicodedata.combining(sign):
            base = sign
        elif not base or _is_accent(base):
            continue
        kept.append(_base_sign(sign))
    return unicodedata.normalize("NFC", "".join(kept))


def _is_accent(base: str) -> bool:
    return unicodedata.name(base, "").startswith(_ACCENTED)


def _base_sign(sign: str) -> str:
    if sign in _LETTERS:
        return _LETTERS[sign]
    category = unicodedata.category(sign)
    if category == "Nd":
        return str(unicodedata.digit(sign))
    if category == "Pd" or sign == "−":
        return "-"
    if sign in "’‘ʼ´′":
        return "'"
    if category == "Cf":
        return ""
    return " " if category[0] in "PZ" or category == "Cc" else sign
