"""Finds words of a text that are another form of a word: German for Germany, directed for director."""

from collections.abc import Collection

_SAME = 5
"""The number of first letters that the words of a family share."""
_ENDING = 3
"""The most last letters in which a name differs from a word derived from it."""


def kindred(words: Collection[str], among: Collection[str], names: Collection[str] = ()) -> list[set[str]]:
    """For each word, the words of a text that are equal to it or belong to its family.

    Words are in their base form. Names may differ in up to three last letters (German, Germany). Other long
    words belong to one family if they begin in the same way (directed, director).
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
        found.append({*alike, word} if word in among else set(alike))
    return found


def _is_derived(word: str, name: str) -> bool:
    return abs(len(word) - len(name)) <= _ENDING and (word.startswith(name) or name.startswith(word))
