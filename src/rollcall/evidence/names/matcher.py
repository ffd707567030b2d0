"""Finds all wanted names in one text: whole words, the longest name first.

A match is never inside a longer known name (but "Marl, Norrow" names Norrow, too), nor in a run of capitals
that makes the name a part of another one ("York" in "New York", "Paris" in "Paris Saint-Germain"). Each
name is searched for separately with `str.find`: a page is searched for few names, and building an automaton
for them takes longer than it saves (`benchmarks/bench_evidence.py`).
"""

from collections.abc import Iterable, Sequence

from rollcall.evidence.names.forms import END, WORD, Form
from rollcall.evidence.names.neighbours import JOINING, Neighbours, continues, is_word

_BEHIND = frozenset(" .,;:'-)" + END)
"""The characters that most often follow a name."""
_ADDED = (", ", " at the ")
"""What a longer name has before another name that it mentions, too: Marl, Norrow; rowing at the 2004 Games.
"""
Place = tuple[int, int]
"""The start and the end of a piece of text."""
Mention = tuple[int, int, Sequence[int]]
"""A name found in a text: its start, its end, and the keys it was added under."""


class NameMatcher:
    """The names that one text is searched for, under integer keys; several keys may share a name.

    The text is the result of `forms.plain`. It may consist of many sentences that begin at `starts`, each
    after a character that is part of no name. With `many` names, a name is skipped if the text does not have
    its first word.
    """

    def __init__(self, text: str, starts: Sequence[int] = (0,), *, many: bool = False) -> None:
        # With `END` at the end, no word follows the last place, and `text[-1]`, before the first, is none.
        self._text = text + END + END
        self._neighbours = Neighbours(self._text, starts)
        self._words = frozenset(WORD.findall(text)) if many else None
        self._keys: dict[str, list[int]] = {}
        self._opening: dict[str, list[int]] = {}
        self._offsets: dict[str, int] = {}

    def add(self, forms: Iterable[Form], key: int) -> None:
        """Look for these forms that have a word, and report them under a key."""
        text, words = self._text, self._words
        for name, opening, word, offset in forms:
            if word and (words is None or word in words) and name in text:
                table = self._opening if opening else self._keys
                if name not in table:
                    table[name] = [key]
                    self._offsets[name] = offset
                elif table[name][-1] != key:
                    table[name].append(key)

    def find(self, start: int = 0, end: int | None = None) -> list[Mention]:
        """All mentions, or those between two places, from left to right.

        None overlap, except that a name may end with another that it only adds something to.
        """
        if not self._offsets:
            return []
        found: list[Mention] = []
        begun, done, keys_of, opening = 0, 0, self._keys, self._opening
        for word, _length, place, name in self._occurrences(start, len(self._text) if end is None else end):
            inside = word < done or place < done
            if inside and (place + len(name) != done or not self._text[begun:place].endswith(_ADDED)):
                continue
            keys = keys_of.get(name)
            if opening and name in opening and self._neighbours.opens(place):
                keys = [*(keys or ()), *opening[name]]
            if keys:
                begun, done = begun if inside else place, place + len(name)
                found.append((place, done, keys))
        return found

    def _occurrences(self, first: int, last: int) -> list[tuple[int, int, int, str]]:
        """Where names are whole words and not part of a longer name.

        They come in the order of their first words, the longest first.
        """
        text = self._text
        find, capital_before = text.find, self._neighbours.capital_before
        is_part = self._neighbours.is_part_of_name
        places = []
        for name, offset in self._offsets.items():
            start = find(name, first, last)
            length, single = len(name), " " not in name
            capital = name[0].isupper() or name[0].isdigit()
            while start >= 0:
                before, behind = text[start - 1], text[start + length]
                if (before in JOINING or offset or not is_word(before)) and (
                    behind in _BEHIND or not continues(name, behind)
                ):
                    # Most names have no neighbour that could make them part of a longer name.
                    asked = capital and (
                        (behind in JOINING and text[start + length + 1].isupper())
                        or (behind == " " and text[start + length + 1].isdigit())
                        or (single and (behind == ":" or (before in JOINING and capital_before(start))))
                    )
                    if not asked or not is_part(start, start + length, single):
                        places.append((start + offset, -length, start, name))
                start = find(name, start + 1, last)
        return sorted(places)
