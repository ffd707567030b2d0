"""Search in one page for what a list says of its topic: words of a name, names, numbers and dates.

Whole words only. Short names and small numbers are met everywhere: a name of up to three letters must agree
in case, and a number of up to two digits counts only in a sentence that has a word of its column's heading.
"""

import re
from functools import cached_property
from typing import Any, NamedTuple

from rollcall.mine.list_names import FAMILY, kindred, list_name, words_of
from rollcall.query import Date, Number, parse_value

_SMALL = re.compile(r"\d{1,2}")
_GOES_ON_LEFT = re.compile(r"[^\W_]{2}$|\d[.,]\d$")
_GOES_ON_RIGHT = re.compile(r"[^\W_]{2}|\d[.,]\d")
_MONTHS = (
    "January February March April May June July August September October November December".split()  # noqa: SIM905
)


class ListFact(NamedTuple):
    """What a list says: an entity or value, the words of the cell, and the entity's other names."""

    object: str
    literal: bool
    text: str
    names: tuple[str, ...]


class Sought(NamedTuple):
    """Where something was found: the sentence's place on the page, in which words, how well."""

    sentence: int
    name: str
    score: float
    validated: bool


class PageText:
    """The sentences of a page, and the words in them."""

    def __init__(self, sentences: list[dict[str, Any]]) -> None:
        self.sentences = sentences
        self.texts = [str(sentence["text"]) for sentence in sentences]

    @cached_property
    def words(self) -> list[frozenset[str]]:
        """The words of each sentence in their base form."""
        return [frozenset(words_of(text)) for text in self.texts]

    @cached_property
    def all_words(self) -> frozenset[str]:
        return frozenset().union(*self.words)

    @cached_property
    def folded(self) -> list[str]:
        return [text.casefold() for text in self.texts]


def found_name(page: PageText, title: str, prefix: str, within_sentence: bool = False) -> Sought | None:
    """The sentence with most words of a list's name; validated if the page (or the sentence) has them all."""
    name = list_name(title, prefix)
    if name is None or not page.sentences:
        return None
    met = kindred(name.words, page.all_words, name.names)
    counts = [sum(not forms.isdisjoint(words) for forms in met) for words in page.words]
    best = max(range(len(counts)), key=lambda number: (counts[number], -number))
    share = counts[best] / len(name.words)
    if not counts[best]:
        return None
    return Sought(best, " ".join(name.words), share, share == 1 if within_sentence else all(met))


def sought_value(fact: ListFact) -> tuple[str, ...]:
    """The ways in which a text may write what a cell says."""
    if not fact.literal:
        return tuple(dict.fromkeys(name for name in (fact.text, *fact.names) if name))
    value = parse_value(fact.object)
    if isinstance(value, Date):
        return _written_date(value)
    if isinstance(value, Number):
        plain = format(value.amount, "f")
        return tuple(dict.fromkeys([f"{value.amount:,f}", plain, fact.text]))
    return (fact.text or str(value),)


def _written_date(date: Date) -> tuple[str, ...]:
    year = str(date.year) if date.year > 0 else str(date)
    if date.month is None:
        return (str(date), year) if date.precision != "year" else (year,)
    month = _MONTHS[date.month - 1]
    if date.day is None:
        return (f"{month} {year}", f"{month}, {year}")
    return (
        f"{date.day} {month} {year}",
        f"{month} {date.day}, {year}",
        f"{month} {date.day} {year}",
        date.edtf,
    )


def found_value(page: PageText, forms: tuple[str, ...], header: str) -> Sought | None:
    """A sentence that has one of the forms: rather one that speaks of the heading, in the fullest form."""
    hits = [
        (number, form) for form in forms for number in range(len(page.texts)) if _holds(page, number, form)
    ]
    if not hits:
        return None
    stems = {_stem(word) for word in words_of(header)}
    telling = [hit for hit in hits if not stems.isdisjoint(map(_stem, page.words[hit[0]]))]
    strong = [hit for hit in hits if not _SMALL.fullmatch(hit[1])]
    for found, score in ((telling, 1.0), (strong, 0.8)):
        if found:
            number, form = min(found, key=lambda hit: (-len(hit[1].split()), hit))
            return Sought(number, form, score, True)
    return None


def _stem(word: str) -> str:
    """Words of one family, such as director and directed, begin alike."""
    return word[:FAMILY]


def _holds(page: PageText, number: int, form: str) -> bool:
    """Whether a sentence has a form as whole words; case matters for short ones only."""
    if len(form) <= 3:
        return _whole(page.texts[number], form)
    return _whole(page.folded[number], form.casefold())


def _whole(text: str, form: str) -> bool:
    start = text.find(form)
    while start >= 0:
        end = start + len(form)
        if not _goes_on(text[max(start - 2, 0) : start] + form[0], text[end - 1 : end + 2]):
            return True
        start = text.find(form, start + 1)
    return False


def _goes_on(before: str, after: str) -> bool:
    """Whether what was found is only a part of a longer word or number: 500 in "1,500", 5 in "3.5"."""
    return bool(_GOES_ON_LEFT.search(before) or _GOES_ON_RIGHT.match(after))
