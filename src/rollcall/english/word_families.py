"""Finds words of a text that are another form of a word, or a narrower one: directed for director, novelist
for writer.
"""

from collections.abc import Collection

from rollcall.english.word_lists import word_list

_SAME = 5
"""The number of first letters that the words of a family share."""
_ENDING = 3
"""The most last letters in which a name differs from a word derived from it."""


_NARROWER: dict[str, set[str]] = {}
for _line in word_list("narrower_nouns"):
    _noun, _kinds = _line.split(" > ")
    _NARROWER[_noun] = set(_kinds.split(" "))


def kindred(words: Collection[str], among: Collection[str], names: Collection[str] = ()) -> list[set[str]]:
    """For each word, the words of a text that are equal to it or belong to its family.

    Words are in their base form. Names may differ in up to three last letters (German, Germany). Other long
    words belong to one family if they begin in the same way (directed, director). A noun is also met by one
    for a kind of it (writer by novelist).
    """
    by_beginning: dict[str, list[str]] = {}
    for word in among:
        by_beginning.setdefault(word[:_SAME], []).append(word)
    found = []
    for word in words:
        alike = by_beginning.get(word[:_SAME], ()) if len(word) >= _SAME else ()
        if word in names:
            alike = [one for one in alike if _is_derived(one, word)]
        elif len(word) == _SAME:
            alike = ()
        met = {*alike, *_NARROWER.get(word, set()).intersection(among)}
        found.append(met | {word} if word in among else met)
    return found


def _is_derived(word: str, name: str) -> bool:
    return abs(len(word) - len(name)) <= _ENDING and (word.startswith(name) or name.startswith(word))
