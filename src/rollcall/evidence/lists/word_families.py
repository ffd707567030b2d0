"""Words of a name that a text has in another form: German for Germany, directed for director."""

from collections.abc import Collection

_SAME = 5
"""So many first letters are common to the words of a family."""
_ENDING = 3
"""In so many last letters at most a name differs from what is derived of it."""


def kindred(words: Collection[str], among: Collection[str], names: Collection[str] = ()) -> list[set[str]]:
    """For each word, the words of a text that are it or of its family.

    Words are in their base form. Names may differ in up to three last letters (German, Germany); other long
    words are of one family when they begin alike (directed, director).
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
