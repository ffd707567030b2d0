"""Questions as people type them: no capitals, no question mark, a letter wrong, a small word left out."""

import random

from rollcall.english.function_words import ARTICLES, AUXILIARIES

_LOWER, _UNMARKED, _SHORTER, _MISTYPED = 0.6, 0.6, 0.2, 0.25
"""How often capitals are lost, the question mark is, a small word is, and a letter is wrong."""
_SHORTEST = 5
"""Shorter words are seldom mistyped, and then become other words."""
_NEAR = dict(zip("abcdefghijklmnopqrstuvwxyz", "svxsrghjoklknmpowtaribecux", strict=True))
"""For each letter one beside it on a keyboard."""


def as_typed(question: str, draw: random.Random) -> str:
    """A question as somebody may type it."""
    words = question.split()
    if draw.random() < _SHORTER:
        small = [place for place, word in enumerate(words) if place and word.lower() in _SMALL]
        if small:
            del words[draw.choice(small)]
    if draw.random() < _MISTYPED:
        long = [place for place, word in enumerate(words) if len(word) >= _SHORTEST and word.isalpha()]
        if long:
            place = draw.choice(long)
            words[place] = mistyped(words[place], draw)
    text = " ".join(words)
    if draw.random() < _UNMARKED:
        text = text.rstrip("?").rstrip()
    return text.lower() if draw.random() < _LOWER else text


_SMALL = ARTICLES | AUXILIARIES


def mistyped(word: str, draw: random.Random) -> str:
    """A word with a letter left out, doubled, exchanged with the next one, or hit beside; not its first."""
    place = draw.randrange(1, len(word) - 1)
    how = draw.randrange(4)
    if how == 0:
        return word[:place] + word[place + 1 :]
    if how == 1:
        return word[:place] + word[place] + word[place:]
    if how == 2:
        return word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    return word[:place] + _NEAR.get(word[place], word[place]) + word[place + 1 :]
