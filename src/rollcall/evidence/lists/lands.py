"""Words for lands: an Argentine club is one of Argentina, and a painter from France is a French painter.

Lists are called after lands ("football clubs in Argentina", "French painters"), and pages say it either way.
"""

from functools import cache

from rollcall.english.demonyms import demonyms
from rollcall.mine.lists.words import words_of


def with_lands(words: frozenset[str]) -> frozenset[str]:
    """The words of a text, with the names of lands whose adjectives it has, and the adjectives of lands."""
    found = set(words)
    for word in words:
        for whole, other in _by_first_word().get(word, ()):
            if whole <= words:
                found |= other
    return frozenset(found)


@cache
def _by_first_word() -> dict[str, list[tuple[frozenset[str], frozenset[str]]]]:
    """Names and adjectives of lands with what they mean, by one of their words."""
    found: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = {}
    for land, adjectives in demonyms().items():
        name = frozenset(words_of(land))
        for adjective in (frozenset(words_of(one)) for one in adjectives):
            for one, other in ((name, adjective), (adjective, name)):
                if one and other:
                    found.setdefault(min(one), []).append((one, other))
    return found
