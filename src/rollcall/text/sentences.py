"""Sentences: where they begin and end in a text.

One regular expression finds every place where a sentence might end; a few rules about the words on both sides
decide. Abbreviations are data, grouped by when their full stop ends a sentence. `docs/corpus.md` compares
this splitter with others.
"""

import re
import tomllib
from pathlib import Path

from rollcall.text.nouns import singular
from rollcall.text.verbs import is_participle
from rollcall.text.words import word_list

_DATA = tomllib.loads(Path(__file__).with_name("abbreviations.toml").read_text(encoding="utf-8"))
_BEFORE_NAMES = frozenset(_DATA["before_names"].split())
_BEFORE_NUMBERS = frozenset(_DATA["before_numbers"].split())
_AFTER_NAMES = frozenset(_DATA["after_names"].split())
_AT_THE_END = frozenset(_DATA["at_the_end"].split())
_AFTER_TIMES = frozenset(_DATA["after_times"].split())
_BEGINNINGS = frozenset(_DATA["beginnings"].split())
_PARTICLES = frozenset(_DATA["particles"].split())

_END = re.compile(
    r"[.!?…\n。！？｡।॥؟۔።](?:(?<=\n)\s*+|(?<=[.!?…])[\"'”’»)\]]*+\s++(?=\S)"
    r"|(?<=[。！？｡])[」』”’）)\]]*+\s*+(?=\S)|(?<=[।॥؟۔።])\s++(?=\S))"
)
_LAST_WORD = re.compile(r"[^\s(\[\"“‘«]+\Z")
_NEXT_WORD = re.compile(r"[\"'“‘«(\[¿¡]*+(\w[\w'’-]*+)?+(\.?+)")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]\Z")
_ROMAN = re.compile(r"[IVXLC]+\Z")
_YEAR_IN_BRACKETS = re.compile(r"\(\d{4}\b")
_CLOSING = "\"'”’»)]"
_LONGEST_WORD = 40

Span = tuple[int, int]


def split(text: str) -> list[Span]:
    """The sentences of a text as spans; everything outside the spans is white space."""
    spans: list[Span] = []
    start = len(text) - len(text.lstrip())
    for match in _END.finditer(text, start):
        position, ending = match.start(), match.group()
        if position < start or not ("\n" in ending or _ends(text, position + 1, match.end(), start)):
            continue
        end = position + len(ending.rstrip())
        while end > start and text[end - 1].isspace():  # before a line break
            end -= 1
        if end > start:
            spans.append((start, end))
        start = match.end()
    end = len(text.rstrip())
    if end > start:
        spans.append((start, end))
    return spans


def _ends(text: str, position: int, after: int, start: int) -> bool:
    """Whether a sentence ends with the mark before `position`, given that the next word begins at `after`."""
    mark = text[position - 1]
    if mark in "。！？｡।॥؟۔።":
        return text[after] not in ",;:)]、，"
    if mark in "!?" and _YEAR_IN_BRACKETS.match(text, after):  # a title that ends in ? or !, and its year
        return False
    following = _NEXT_WORD.match(text, after)
    assert following is not None  # it may match nothing
    word = following[1] or ""
    if word and not _may_begin(text, word, following.end(1)):
        return False
    if mark != "." or text[position - 2 : position - 1] in (".", "…"):
        return bool(word) or text[after] not in ",;:)]-–—"
    return _full_stop_ends(text, position, word, bool(following[2]), start, text[position] in _CLOSING)


def _may_begin(text: str, word: str, end: int) -> bool:
    """Whether a sentence may begin with this word: not in lower case, except `eBay` and `van der Vale`."""
    first = word[0]
    if not first.islower():
        return True
    if any(letter.isupper() for letter in word[1:3]):
        return True
    if word not in _PARTICLES:
        return False
    rest = text[end : end + _LONGEST_WORD].split()
    return next((part[0].isupper() for part in rest[:3] if part not in _PARTICLES), False)


def _full_stop_ends(text: str, position: int, word: str, dotted: bool, start: int, closed: bool) -> bool:
    last = _LAST_WORD.search(text, max(start, position - 1 - _LONGEST_WORD), position - 1)
    if last is None:
        return True
    before = last.group()
    plain = before.lower() if len(before) > 1 else before  # a single capital is an initial
    begins = word.lower() in _BEGINNINGS and not (dotted and len(word) == 1)
    if plain in _BEFORE_NAMES and not closed:
        return False
    if plain in _BEFORE_NUMBERS and not closed:
        return not (word[:1].isdigit() or _ROMAN.match(word))
    if plain in _AT_THE_END:
        return not word[:1].isdigit() and word.lower() not in _AFTER_TIMES
    if plain in _AFTER_NAMES or _DOTTED.search(before):
        return begins or closed
    if len(before) == 1 and before.isalpha():
        return _letter_ends(text, last.start(), before, begins or closed)
    return not (before.isdigit() and last.start() <= start)  # otherwise it is the number of a list item


def _letter_ends(text: str, position: int, letter: str, begins: bool) -> bool:
    """Whether a full stop after a single letter ends the sentence.

    The letter is an initial, unless it is a compass point or a unit, or a typical first word of a sentence
    follows.
    """
    earlier = text[max(0, position - 8) : position].rstrip()
    if earlier.endswith("°") or (letter.islower() and earlier[-1:].isdigit()):
        return True
    return begins


# What a thing is, by the first sentence of its page: `painter` of `Orla Venn is a Norrish painter`.

_IS = re.compile(r"\b(?:is|was|are|were) (?:an?|the|one of the|one of several|any of the) (.{2,160})")
_STOPS = word_list("prepositions") | {"who", "which", "that", "whose", "where", "and", "or", "but", "then"}
_KINDS = frozenset(
    ("type", "kind", "form", "sort", "species", "genus", "style", "class", "variety", "set", "series")
)
_GERUNDS = word_list("gerunds") | word_list("further_gerunds")
_QUALITIES = word_list("loose_adjectives")
_NO_ADVERBS = frozenset((
    "ally", "anomaly", "assembly", "belly", "bully", "butterfly", "doily", "dragonfly", "family", "firefly",
    "fly", "gully", "holly", "hoverfly", "jelly", "lily", "monopoly", "rally", "reply", "supply",
    "chilly", "curly", "deadly", "early", "elderly", "friendly", "likely", "lonely", "lovely", "oily", "only",
    "scholarly", "silly", "ugly", "wobbly", "woolly",
    "daily", "hourly", "monthly", "quarterly", "weekly", "yearly",
))  # fmt: skip
_WORD = re.compile(r"[^\W\d_](?:[\w'’]|-(?=\w))*")


def is_adverb(word: str) -> bool:
    """Whether a word in small letters is an adverb by its form."""
    return word.endswith("ly") and word.isalpha() and word.islower() and word not in _NO_ADVERBS


def described_noun(sentence: str) -> str:
    """The noun by which a sentence that begins a page says what its topic is; empty if it does not."""
    match = _IS.search(sentence)
    if match is None:
        return ""
    noun = ""
    for token in match[1].split(" "):
        word = token.strip("()“”\"'")
        bare = word.rstrip(",.;:")
        if bare.lower() in _STOPS:
            if noun in _KINDS and noun not in ("species", "genus") and bare == "of":
                continue
            break
        if "-" in bare and is_participle(bare.rpartition("-")[2]):  # `a space exploration-themed game`
            noun = ""
            continue
        if noun and (is_participle(bare) or bare in _GERUNDS):
            break
        if bare in _QUALITIES or is_adverb(bare):
            continue
        if _WORD.fullmatch(bare):
            noun = bare
        if bare != word or token != token.rstrip(",.;:)"):
            break
    return singular(noun) if noun[:1].islower() and len(noun) > 2 and not is_participle(noun) else ""
