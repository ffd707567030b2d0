"""The normaliser of the `entity` profile: when two strings are the same name.

Case, accents, width, kinds of quotes and dashes, punctuation, spacing and a leading article do not
distinguish names; letters, digits and symbols do ("C", "C++" and "C#" are three names). A name is never
normalised to nothing: if only punctuation remains, the punctuation is the name. Names are normalised many at
a time as one joined string of bytes, because scoring spends most of its time here.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

_DECIMAL_POINT, _DIGIT_GAP, _MINUS = b"\xfd", b"\xfe", b"\xff"
"""Placeholders for characters to keep while full stops, gaps and hyphens are removed: bytes UTF-8 never has.
"""

_KEPT = b"+#%@*$=<>~^|-\n"
_DELETED = b"'`."
_FULL_STOP = re.compile(rb"([0-9])\.(?=[0-9])")
_THOUSANDS = re.compile(rb"([0-9]),(?=[0-9]{3}(?![0-9]))")
_GAP = re.compile(rb"([0-9])[ \-]+(?=[0-9])")
_ARTICLE = re.compile(rb"\n(?:the|an?) ")
_OPENING_GAP = re.compile(rb"\n +")
_OPENING_MINUS = re.compile(rb"\n-(?=[0-9])")
_OUTLINE = bytes.maketrans(b"0123456789-", b"\n" * 10 + b" ")
_GAPS_OF_DIGITS = bytes.maketrans(_DIGIT_GAP + _MINUS, b" -")
_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
_ACCENTED = ("LATIN", "GREEK", "ARABIC", "HEBREW")
"""Scripts whose marks are accents or vowel points; in others (Cyrillic й) a mark makes another letter."""
_MARKS = ("COMBINING", "ARABIC", "HEBREW")
"""The beginnings of the names of such marks; a Devanagari sign is part of the spelling and is kept."""


def _plain_bytes() -> bytes:
    """What each byte of UTF-8 becomes: lower-case letters, digits, kept signs; other ASCII is a space."""
    table = bytearray(range(256))
    for code in range(128):
        if not chr(code).isalnum() and code not in _KEPT:
            table[code] = ord(" ")
    table[ord("A") : ord("Z") + 1] = bytes(range(ord("a"), ord("z") + 1))
    table[_DECIMAL_POINT[0]] = ord(".")
    return bytes(table)


_PLAIN = _plain_bytes()


class _BaseCharacters(dict[str, bytes]):
    """Every character's plain counterpart in UTF-8, computed when it first occurs."""

    def __missing__(self, character: str) -> bytes:
        plain = character if character.isascii() else _base(character)
        self[character] = plain.encode(errors="surrogatepass")
        return self[character]


_BASE = _BaseCharacters()
_ASCII = bytes(range(128))


def name_keys(names: Sequence[str]) -> list[bytes]:
    """The normal form of each name; two strings are the same name if their forms are equal.

    >>> name_keys(["The Beatles", "beatles", "São Paulo", "Sao  Paulo", "U.S.A.", "USA"])
    [b'beatles', b'beatles', b'saopaulo', b'saopaulo', b'usa', b'usa']
    """
    keys = _folded("\n".join(names)).split(b"\n")
    if len(keys) != len(names):  # no names, or one of several lines
        return [name_key(name) for name in names]
    if b"" in keys:
        return [key or name_key(name) for key, name in zip(keys, names, strict=True)]
    return keys


@lru_cache(maxsize=1 << 16)
def name_key(name: str) -> bytes:
    """The normal form of one name; empty only for a string without visible characters."""
    line = " ".join(name.split())
    return _folded(line) or _folded(line, articles=True) or _visible_signs(name)


def words(text: str) -> str:
    """Running text as normalised words between single spaces, for finding a name in a passage."""
    plain = _without_punctuation(text).decode(errors="surrogatepass")
    return " ".join(plain.replace("-", " ").split())


def _visible_signs(name: str) -> bytes:
    """The signs of a name without letters or digits, whatever their width."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    kept = (sign for sign in folded if unicodedata.category(sign) not in ("Cc", "Cf"))
    return "".join(sign for sign in kept if not sign.isspace()).encode(errors="surrogatepass")


def _folded(lines: str, articles: bool = False) -> bytes:
    """Normalise names, one on each line; `articles` keeps a leading one.

    Works on bytes, where replacing signs by a table is very fast.
    """
    text = b"\n" + _without_punctuation(lines)
    # A gap at the start of a name or after a digit needs care; `rfind` finds it in half the time of `in`.
    if text.translate(_OUTLINE).rfind(b"\n ") >= 0:
        text = _OPENING_MINUS.sub(b"\n" + _MINUS, _OPENING_GAP.sub(b"\n", text))
        text = _GAP.sub(rb"\1" + _DIGIT_GAP, text)
    if not articles:
        text = _ARTICLE.sub(b"\n", text)
    return text.translate(_GAPS_OF_DIGITS, b" -")[1:]


def _without_punctuation(text: str) -> bytes:
    plain = text.encode() if text.isascii() else _base_characters(text)
    if b"&" in plain:
        plain = plain.replace(b"&", b" and ")
    if b"." in plain:
        plain = _FULL_STOP.sub(rb"\1" + _DECIMAL_POINT, plain)
    if b"," in plain:
        plain = _THOUSANDS.sub(rb"\1", plain)
    return plain.translate(_PLAIN, _DELETED)


def _base_characters(text: str) -> bytes:
    """Text in UTF-8 with every character beyond ASCII replaced by its plain counterpart: é by e, – by -.

    Western names are replaced by one table; elsewhere names have few such characters, so each that occurs is
    replaced throughout at once.
    """
    try:
        western, table = text.encode("latin-1"), _western_table()
    except UnicodeEncodeError:
        pass
    else:
        if not western.translate(None, table.covered):
            return western.translate(table.plain)
    plain = text.encode(errors="surrogatepass")
    beyond = set(plain.translate(None, _ASCII).decode(errors="surrogatepass"))
    if any(map(_joins, beyond)):
        return _base_characters_of_nfc(unicodedata.normalize("NFC", text))
    for character in beyond:
        plain = plain.replace(character.encode(errors="surrogatepass"), _BASE[character])
    return plain


class _Western(NamedTuple):
    """Which bytes of Latin-1 are a character with a plain counterpart of one byte, and that byte."""

    covered: bytes
    plain: bytes


@cache
def _western_table() -> _Western:
    plain = {code: _BASE[chr(code)] for code in range(256)}
    covered = bytes(code for code, base in plain.items() if len(base) == 1)
    return _Western(covered, bytes(base[0] if len(base) == 1 else code for code, base in plain.items()))


@cache
def _joins(character: str) -> bool:
    """Whether a character may form one letter with the one before: a mark, or a part of a Hangul syllable."""
    return unicodedata.category(character)[0] == "M" or "\u1160" <= character <= "\u11ff"


def _base_characters_of_nfc(text: str) -> bytes:
    return b"".join(_BASE[character] for character in text)


def _base(character: str) -> str:
    """One character's plain counterpart; an empty string for an invisible one."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    base, kept = "", []
    for sign in folded:
        if not unicodedata.combining(sign):
            base = sign
        elif _is_accent(sign, base):
            continue
        kept.append(_base_sign(sign))
    return unicodedata.normalize("NFC", "".join(kept))


def _is_accent(mark: str, base: str) -> bool:
    """Whether a mark on a letter (or alone) only modifies it, and does not make it another letter."""
    if base.isalpha():
        return unicodedata.name(base, "").startswith(_ACCENTED)
    return unicodedata.name(mark, "").startswith(_MARKS)


def _base_sign(sign: str) -> str:
    if sign.isascii():
        return sign
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
