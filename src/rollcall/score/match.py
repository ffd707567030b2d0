"""The result of matching one question: which predictions name which gold answers.

A resolution pairs predictions with answers. A match has the figures that follow from it by a profile's rules
for edge cases. Measures of answers use only matches, so every measure means the same under every profile.
"""

import re
import string
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice
from types import MappingProxyType
from typing import Literal, NamedTuple

WRONG = -1
"""What `Resolution.owners` holds for a prediction that names no gold answer."""
NOTHING: Mapping[str, float] = MappingProxyType({})


class Resolution(NamedTuple):
    """The predictions and gold answers that count, and how they are paired."""

    predictions: list[str]
    """Each prediction that counts, as the system wrote it."""
    owners: list[int]
    """For each of them, the gold answer it names, by position in `gold`, or WRONG."""
    gold: list[str]
    """The label of each gold answer that counts."""
    found: list[bool]
    """For each of them, whether some prediction names it."""
    repeated: Sequence[str] = ()
    """Predictions that name an answer already named, under profiles that count an answer once."""
    own: Mapping[str, float] = NOTHING
    """Figures that only this profile defines, such as those of the cells of a table, by name."""
    judged: bool = True
    """Whether there is a verdict at all; a language model that judges may give none."""
    note: str = ""
    """Why nothing could be compared, if nothing could."""


class Match(NamedTuple):
    """The figures of one question under one profile."""

    precision: float
    recall: float
    f1: float
    exact: bool
    """Whether prediction and gold are the same set."""
    right: bool
    """Whether any prediction is right."""
    found: int
    gold: int
    in_means: bool = True
    """Whether the question counts in the means of precision, recall and F1 (RoMQA leaves some out)."""
    own: Mapping[str, float] = NOTHING
    """Figures that only this profile defines, by name; a question that lacks one does not count in it."""
    judged: bool = True
    """Whether the question counts in any measure of answers."""


def harmonic(precision: float, recall: float) -> float:
    """F1; 0 if either part is 0."""
    return 2 * precision * recall / (precision + recall) if precision and recall else 0.0


def rated(precision: float, recall: float, resolution: Resolution, *, in_means: bool = True) -> Match:
    """A match with the given precision and recall; the rest follows from the resolution."""
    wrong = resolution.owners.count(WRONG)
    hits = resolution.found.count(True)
    return Match(
        precision,
        recall,
        harmonic(precision, recall),
        exact=not wrong and hits == len(resolution.gold),
        right=len(resolution.owners) > wrong,
        found=hits,
        gold=len(resolution.gold),
        in_means=in_means,
        own=resolution.own,
        judged=resolution.judged,
    )


# The normaliser of the `entity` profile: when two strings are the same name. Case, accents, width, kinds
# of quotes and dashes, punctuation, spacing and a leading article do not distinguish names; letters,
# digits and symbols do ("C", "C++" and "C#" are three names). A name is never normalised to nothing: if
# only punctuation remains, the punctuation is the name. Names are normalised many at a time as one
# joined string of bytes, because scoring spends most of its time here.

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


# The normaliser that the published scorers share, with the two word boundaries they use. It converts to
# lower case, deletes ASCII punctuation, replaces the words a, an and the by spaces, and collapses white
# space. Scorers that use Python's `re` and those that use the `regex` library disagree on where a word
# ends beside combining marks, superscripts and joiners; each profile names the one its scorer uses.

Boundary = Literal["re", "regex"]

_ARTICLES = r"\b(a|an|the)\b"
_ARTICLE_WORDS = frozenset(("a", "an", "the"))
_LINE = bytes(ord(" ") if chr(code) in "\t\v\f\r\x1c\x1d\x1e\x1f" else code for code in range(256)).lower()
_SQUAD_NAMES_DELETED = string.punctuation.encode()
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1b\x7f]")


def normalise(text: str, boundary: Boundary = "re") -> str:
    """A string as the published scorers compare it.

    >>> normalise("The  Lighthouse, at the end!")
    'lighthouse at end'
    """
    bare = (
        text.lower()
        .encode(errors="surrogatepass")
        .translate(None, _SQUAD_NAMES_DELETED)
        .decode(errors="surrogatepass")
    )
    words = bare.split()
    if "".join(words).isalpha() or all(
        word.isalpha() or (word.isascii() and word.isalnum()) for word in words
    ):
        return " ".join([word for word in words if word not in _ARTICLE_WORDS])
    return " ".join(_blank_articles(boundary)(bare).split())


def normalise_all(names: Sequence[str], boundary: Boundary = "re") -> list[str]:
    """The same for many strings, the ASCII ones together."""
    lines = "\n".join(names)
    if lines.isascii():
        return _normalise_lines(lines, names, boundary)
    plain = [name for name in names if name.isascii()]
    known = iter(_normalise_lines("\n".join(plain), plain, boundary))
    return [next(known) if name.isascii() else normalise(name, boundary) for name in names]


def normalise_groups(groups: Sequence[Sequence[str]]) -> list[set[str]]:
    """The normal forms of each group of strings, all groups at once."""
    forms = iter(normalise_all([name for group in groups for name in group]))
    return [set(islice(forms, len(group))) for group in groups]


def _normalise_lines(lines: str, names: Sequence[str], boundary: Boundary) -> list[str]:
    """ASCII strings joined as lines; spaces are doubled, so that adjacent articles do not share one."""
    text = lines.encode().translate(_LINE, _SQUAD_NAMES_DELETED)
    if text.count(b"\n") != len(names) - 1 or _CONTROL.search(text):
        return [normalise(name, boundary) for name in names]
    text = b"  " + text.replace(b" ", b"  ").replace(b"\n", b"  \n  ") + b"  "
    for article in (b" a ", b" an ", b" the "):
        text = text.replace(article, b" ")
    while b"  " in text:
        text = text.replace(b"  ", b" ")
    return text.replace(b" \n ", b"\n").replace(b"\n ", b"\n").decode().strip(" ").split("\n")


@cache
def _blank_articles(boundary: Boundary) -> Callable[[str], str]:
    if boundary == "re":
        stdlib = re.compile(_ARTICLES)
        return lambda text: stdlib.sub(" ", text)
    import regex

    third_party = regex.compile(_ARTICLES)
    return lambda text: str(third_party.sub(" ", text))


# The best assignment of predicted names to gold answers if one name fits several answers. A maximum
# matching by augmenting paths, one name at a time. The graphs have few nodes, so the textbook method is
# fast. The size of the matching does not depend on any order.


class Assignment:
    """Names and their answers so far: as many names as possible have one of their choices."""

    def __init__(self) -> None:
        self.answer_of: dict[int, int] = {}
        """The answer of each name, by the name's number in the order of adding."""
        self._choices: list[Sequence[int]] = []
        self._holder: dict[int, int] = {}

    def add(self, choices: Sequence[int]) -> bool:
        """Add one more name; return whether one more answer is found."""
        start = len(self._choices)
        self._choices.append(choices)
        came_from: dict[int, int] = {}
        queue = [start]
        for name in queue:
            for answer in self._choices[name]:
                if answer in came_from:
                    continue
                came_from[answer] = name
                if answer in self._holder:
                    queue.append(self._holder[answer])
                    continue
                self._shift(answer, start, came_from)
                return True
        return False

    def _shift(self, free: int, start: int, came_from: dict[int, int]) -> None:
        """Move the names along the path to `start`, the first of them to the free answer."""
        answer = free
        while True:
            name = came_from[answer]
            previous = self.answer_of.get(name)
            self._holder[answer], self.answer_of[name] = name, answer
            if name == start or previous is None:
                return
            answer = previous


def best_assignment(choices: Sequence[Sequence[int]]) -> list[int | None]:
    """For each name its answer, or None; as many names as possible get one of their choices.

    >>> best_assignment([[0, 1], [0]])
    [1, 0]
    """
    assignment = Assignment()
    for answers in choices:
        assignment.add(answers)
    return [assignment.answer_of.get(name) for name in range(len(choices))]
