"""Where a text names the two ends of a statement: the sentence to judge, and the words in it that name them.

An end is named by one of its names, or a value by any way to write it ("3 May 1921" for 1921-05-03). A part
of a longer name names nothing: Paris is not named in "Paris Hilton". A pronoun or a part of a name counts
where it is clear whom it means: an end that the text named before, or that the caller says the text is about.
A pronoun also counts if no other name stands before it.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from rollcall.english.demonyms import demonyms, land_of
from rollcall.english.folding import without_accents
from rollcall.english.function_words import ARTICLES, COMMON, FURTHER_PREPOSITIONS, PREPOSITIONS
from rollcall.english.months import MONTH_NUMBERS
from rollcall.english.nouns import is_person
from rollcall.english.sentences import split
from rollcall.english.verbs import is_participle
from rollcall.evidence.candidate import Places
from rollcall.evidence.names.forms import BETWEEN, WORD, Form, form, forms, plain, usable
from rollcall.evidence.names.matcher import NameMatcher, Place
from rollcall.evidence.names.topic import PRONOUN, TopicOnPage
from rollcall.evidence.values.matcher import ValueMatcher, text_forms
from rollcall.graph.ingest.cells import read_cell
from rollcall.query.values import Date, Number, Text, Value

_TITLES = frozenset(("mr", "mrs", "ms", "dr", "sir", "prof"))
_PLACED = PREPOSITIONS | FURTHER_PREPOSITIONS | {"near", "around", "outside", "upon"}
_OPENING = COMMON | _PLACED | {"however", "later", "then", "today", "since", "while", "there", "although"}
"""Words that often open a sentence; their capital makes no name."""
_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u309f\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Characters of scripts that put no spaces between words (Thai, Lao, Burmese, Khmer, Chinese, Japanese)."""
_KATAKANA, _HANGUL = "\u30a1-\u30ff", "\uac00-\ud7a3"
_NEXT, _PREVIOUS = re.compile(r"[ -](\w+)"), re.compile(r"(\w+)[ -]$")
_LONGEST = 50
"""In characters: the most that is looked at for the word before a name."""
_NAMED, _REFERRED, _UNNAMED = 2, 1, 0


class End(NamedTuple):
    """One end of a statement, and what names it."""

    names: tuple[str, ...]
    """All its names; the first is shown."""
    value: Value | None = None
    """The value that it is, if it is one."""
    understood: bool = False
    """Whether the text is about it, so that a pronoun or nothing may stand for it."""


class JudgedSentence(NamedTuple):
    """The sentence of a text that may make a statement, what comes before it, and where it has both ends."""

    before: str
    text: str
    subject: Places
    object: Places


def find_sentence(text: str, subject: End, object_: End) -> JudgedSentence:
    """The last sentence that names both ends, or else refers to them, or else names one of them."""
    told = text.strip()
    sentences = _sentences(told, [name for end in (subject, object_) for name in end.names])
    named = [_apart(_places(one, subject), _places(one, object_)) for one in sentences]
    before = [list(accumulate(map(bool, places), initial=False)) for places in zip(*named, strict=True)]
    best, chosen = (-1, -1, -1), 0
    found: list[Places] = [(), ()]
    is_free = True  # whether no name is before the sentence
    for number, (sentence, places) in enumerate(zip(sentences, named, strict=True)):
        ranks: list[int] = []
        ends: list[Places] = []
        for side, end in enumerate((subject, object_)):
            own, other = places[side], places[1 - side]
            if own:
                ranks.append(_NAMED)
            else:
                referred = _referred(sentence, end, other, before[side][number], is_free)
                ranks.append(_UNNAMED if referred is None else _REFERRED)
                own = referred or ()
            ends.append(own)
        rank = (min(*ranks, 1), sum(ranks), ranks[1])
        if rank >= best:
            best, chosen, found = rank, number, ends
        is_free = is_free and not _has_name(plain(sentence))
    return JudgedSentence(" ".join(sentences[:chosen]), sentences[chosen], *found)


def _sentences(text: str, names: Sequence[str]) -> list[str]:
    """The sentences of a text; a name such as "Yahoo! Inc." is not cut."""
    cut = (re.finditer(re.escape(name), text) for name in names if len(name.split()) > 1)
    inside = {place for found in cut for one in found for place in range(one.start() + 1, one.end())}
    spans: list[Place] = []
    for start, end in split(text) or [(0, len(text))]:
        if spans and start in inside:
            start = spans.pop()[0]
        spans.append((start, end))
    return [text[start:end] for start, end in spans]


def _places(sentence: str, end: End) -> Places:
    """Where a sentence names an end in full."""
    wide = plain(sentence)
    found: Places = ()
    if end.value is None or isinstance(end.value, Text):
        found = _matched(wide, forms(end.names) if end.value is None else text_forms(end.value))
    return (
        found
        or _stated(wide, end.value)
        or _in_other_letters(wide, end.names)
        or _as_written(wide, end.names)
        or _stated(wide, *_written_values(end.names[0]))
    )


def _written_values(text: str) -> Iterator[Value]:
    """What a text writes: a date (3 May 1921), or a number (8,848), which may be a year."""
    value = read_cell(text)
    if isinstance(value, Date | Number):
        yield value
    year = read_cell(text, first_year=1)
    if isinstance(value, Number) and isinstance(year, Date):
        yield year


def _stated(text: str, *sought: Value | None) -> Places:
    """Where a text states one of some values in any way."""
    values = ValueMatcher()
    for value in sought:
        if value is not None:
            values.add(value, 0)
    found = [(one.start, one.end) for one in values.find(text)] if values else []
    grouped = [f"{value.amount:,}" for value in sought if isinstance(value, Number)]
    return tuple(dict.fromkeys(found)) or _as_written(text, grouped)


def _matched(text: str, names: Iterable[Form]) -> Places:
    matcher = NameMatcher(text)
    matcher.add(names, 0)
    return tuple(found[:2] for found in matcher.find())


def _in_other_letters(text: str, names: Sequence[str]) -> Places:
    """Where a text has a name in small or large letters, if one of the two has only such, or with accents
    that the name lacks.
    """
    lowered = text.lower()
    if len(lowered) != len(text):  # a few letters have no small form of one character
        return ()
    small_names = {name: plain(name).lower() for name in names if usable(name)}
    if text in (lowered, text.upper()) and (found := _matched(lowered, map(form, small_names.values()))):
        return found
    for name, small in small_names.items():
        if name == small:
            pattern = rf"(?<!\w){re.escape(small)}(?!\w)"
            written = {text[one.start() : one.end()] for one in re.finditer(pattern, lowered)}
            if found := _matched(text, map(form, sorted(written))):
                return found
    if text.isascii():
        return ()
    return _matched("".join(map(_bare, text)), forms(filter(str.isascii, names)))


def _bare(letter: str) -> str:
    """A Latin letter without its accent."""
    bare = without_accents(letter)
    return bare if len(bare) == 1 and bare.isascii() else letter


def _as_written(text: str, names: Sequence[str]) -> Places:
    """Where a text has one of the names letter by letter: what `NameMatcher` does not look for, such as the
    second year of a range, or takes for a part of a name, such as a firm before "CEO".
    """
    for name in map(plain, names):
        pattern = _before(name[:1]) + re.escape(name) + _behind(name[-1:])
        found = tuple(one.span() for one in re.finditer(pattern, text) if name)
        if found := tuple(place for place in found if not _is_part(text, *place)):
            return found
    return ()


def _before(first: str) -> str:
    """What must not be before a name that begins with a character."""
    if re.match(f"[{_UNSPACED}]", first):
        return ""
    if re.match(f"[{_KATAKANA}]", first):
        return f"(?<![{_KATAKANA}])"
    return rf"(?:(?<!\w)|(?<=[{_UNSPACED}{_KATAKANA}]))" + (r"(?<!\d[.,])" if first.isdigit() else "")


def _behind(last: str) -> str:
    """What must not be behind a name that ends with a character; in Korean, particles are."""
    if re.match(f"[{_UNSPACED}]", last):
        return ""
    if re.match(f"[{_KATAKANA}]", last):
        return f"(?![{_KATAKANA}])"
    free = _UNSPACED + _KATAKANA + (_HANGUL if re.match(f"[{_HANGUL}]", last) else "")
    return rf"(?:(?!\w)|(?=[{free}]))" + (r"(?![.,]\d)" if last.isdigit() else "")


def _is_part(text: str, start: int, end: int) -> bool:
    """Whether a mark or a capitalised neighbour makes a longer name of a name.

    Letters after a name (CEO, FRS), the land of a town (Tiranos Hungary) and a title before a name do not. An
    adjective of a land is never a part.
    """
    name = text[start:end]
    if unicodedata.category(text[end : end + 1] or " ").startswith("M"):
        return True
    if not name[0].isupper() or not usable(name) or land_of(name):
        return False
    after = _NEXT.match(text, end)
    if after and after[1][0].isupper() and after[1].lower() not in COMMON:
        letters = len(after[1]) > 2 and after[1].isupper()
        if not letters and after[1] not in demonyms():
            return True
    before = _PREVIOUS.search(text[max(start - _LONGEST, 0) : start])
    if " " in name or not before or not before[1][0].isupper():
        return False
    title = before[1].lower()
    return title not in _TITLES and not is_person(title)


def _apart(subjects: Places, objects: Places) -> tuple[Places, Places]:
    """The places without those inside a name of the other end; one place cannot name both."""
    left, right = _outside(subjects, objects), _outside(objects, subjects)
    return left, () if len(right) == 1 and right == left else right


def _outside(places: Places, others: Places) -> Places:
    """The places that are not inside a longer one of the others; both are in order."""
    kept = []
    for start, end in places:
        last = bisect_right(others, (start, end))
        around = others[max(last - 2, 0) : last + 1]
        if not any(one != (start, end) and one[0] <= start and end <= one[1] for one in around):
            kept.append((start, end))
    return tuple(kept)


def _referred(sentence: str, end: End, other: Places, named_before: bool, is_free: bool) -> Places | None:
    """Where a sentence refers to an end that it does not name in full; None if it does not refer to it."""
    if not end.understood and (end.value is not None or not other):
        return None
    wide = plain(sentence)
    if end.understood or named_before:
        topic = TopicOnPage(end.names[0], BETWEEN.join(end.names), wide)
        short = forms(word for word in end.names[0].split() if word[0].isupper())
        places = topic.places(0, len(wide)) or _matched(wide, short)
        free = tuple(one for one in places if not any(one[0] < b and a < one[1] for a, b in other))
        return free or (() if end.understood else None)
    pronoun, name = PRONOUN.search(wide), end.names[0]
    if not is_free or pronoun is None or plain(name) in wide or any(_written_values(name)):
        return None
    return None if _has_name(wide[: pronoun.start()], other) else (pronoun.span(),)


def _has_name(text: str, known: Places = ()) -> bool:
    """Whether a text names someone whom a pronoun after it may mean, besides the places that are known.

    What follows a preposition (in Norrow, at the Norrow Institute) is seldom meant.
    """
    words, skipped = list(WORD.finditer(text)), len(text)
    for number, word in enumerate(words):
        small = word[0].lower()
        if not word[0][0].isupper() or small in MONTH_NUMBERS or word[0] == "I":
            continue
        behind = [one[0].lower() for one in words[max(number - 2, 0) : number]]
        if behind and behind[-1] in ARTICLES:
            behind.pop()
        opens = text[: word.start()].rstrip()[-1:] in ("", ".", "!", "?")
        common = small in _OPENING or is_participle(small) or small.endswith(("ing", "ly"))
        if (
            text[skipped : word.start()] in (" ", ", ", "-")
            or (behind and behind[-1] in _PLACED)
            or any(start <= word.start() < end for start, end in known)
        ):
            skipped = word.end()
        elif not (opens and common):
            return True
    return False
