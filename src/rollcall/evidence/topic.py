"""Where a page names its topic: by a full name, by a part of it, by a pronoun, or not at all.

The topic of a page is understood in all its sentences, so that a part of its name is enough ("Honsaki died in
1994"); these places only serve to mask the name and to see on which side of the other one it stands.
"""

import re
from collections.abc import Iterable
from itertools import chain

from rollcall.evidence.matcher import NameMatcher
from rollcall.evidence.names import BETWEEN, WORD, Form, clean, known_forms, word_forms, words

_PRONOUN = re.compile(r"\b(?:[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir|[Hh]im|[Tt]hem)\b")
_IN_A_PLACE = re.compile(r"\b(?:in|at|near) $")
_THE_NOUN = re.compile(r"[Tt]he ([a-z]+)\b")
_SMALL = frozenset(
    words("the of and for from with upon under over into near saint von van der den des del las los")
)
Place = tuple[int, int]


def topic_places(label: str, names: str, sentence: str) -> list[Place]:
    """Where a sentence, made plain, names the topic.

    `names` are all names, the label too, joined by `names.BETWEEN`; empty if there is only the label.
    """
    found = _found(known_forms(names or label), sentence) or _found(part_forms(label), sentence)
    return found or understood(sentence, 0, len(sentence))


def _found(sought: Iterable[Form], sentence: str) -> list[Place]:
    matcher = NameMatcher(sentence)
    matcher.add(sought, 0)
    return [(start, end) for start, end, _keys in matcher.find()]


def part_forms(label: str) -> list[Form]:
    """The forms of the telling words of a topic's label, each once."""
    parts = [word_forms(word) for word in WORD.findall(clean(label)) if _tells(word)]
    return list(dict.fromkeys(chain.from_iterable(parts)))


def understood(text: str, start: int, end: int) -> list[Place]:
    """The pronoun, or the noun that a sentence begins with, which may mean the topic where no name does."""
    found = _PRONOUN.search(text, start, end) or _THE_NOUN.match(text, start, end)
    return [found.span()] if found else []


def own_names(label: str, names: str) -> tuple[set[str], str]:
    """All names of the topic, and the family name among them, if its label has one."""
    cleaned = clean(label)
    label_words = cleaned.split()
    # Of Bredd Tirynach, but not of the Battle of Tirynach, nor of Gloucester, Massachusetts.
    has_family_name = (
        len(label_words) > 1 and "," not in cleaned and all(word[0].isupper() for word in label_words)
    )
    return {cleaned, *map(clean, names.split(BETWEEN))}, label_words[-1] if has_family_name else ""


def is_in_place(text: str, start: int) -> bool:
    """Whether the name here is a place's: the Grand Hotel Ostrell stands in Ostrell."""
    return _IN_A_PLACE.search(text[max(start - 6, 0) : start]) is not None


def _tells(word: str) -> bool:
    return len(word) > 3 and word[0].isupper() and word.lower() not in _SMALL
