"""Finds all names of one page's facts in its text at once: whole words, the longest name first.

A name that a page does not contain costs one search for a substring, which is fast, or, where very many names
are wanted, one look-up of its first word. What is found never lies inside a longer name that is known, nor in
a run of capitalised words that says the name is only a part of another one ("York" in "New York", "Paris" in
"Paris Saint-Germain").
"""

from collections.abc import Iterable, Mapping, Sequence

from rollcall.evidence.names import END, WORD, Form
from rollcall.evidence.neighbours import JOINING, Neighbours, continues, is_word

MANY_NAMES = 60
_ONE_SENTENCE = (0,)
_BEHIND = frozenset(" .,;:'-)" + END)
"""What most often stands behind a name."""
Mention = tuple[int, int, Sequence[int]]
"""A name found in a text: its start, its end, and the keys it was added under."""


class NameMatcher:
    """The names that one text is searched for, under integer keys; several keys may share a name.

    The text has gone through `names.plain`. It may be many sentences that begin at `starts`, each behind a
    character that is part of no name.
    """

    def __init__(self, text: str, starts: Sequence[int] = _ONE_SENTENCE, many: bool = False) -> None:
        # Behind the last place, and by Python's counting also before the first one, stands no word.
        self._text = text + END + END
        self._neighbours = Neighbours(self._text, starts)
        self._vocabulary = frozenset(WORD.findall(text)) if many else None
        self._keys: dict[str, list[int]] = {}
        self._opening: dict[str, list[int]] = {}
        self._offsets: dict[str, int] = {}

    def add(self, forms: Iterable[Form], key: int) -> None:
        """Look for these forms, and report them under a key."""
        self.add_all((key,), {key: forms})

    def add_all(
        self, keys: Iterable[int], forms: Mapping[int, Iterable[Form]] | Sequence[Iterable[Form]]
    ) -> None:
        """Look for the forms of all these keys."""
        text, vocabulary = self._text, self._vocabulary
        if vocabulary is None:
            known = [(key, form) for key in keys for form in forms[key] if form[0] in text]
        else:
            known = [
                (key, form)
                for key in keys
                for form in forms[key]
                if form.word in vocabulary and form[0] in text
            ]
        for key, (name, opening, _word, offset) in known:
            table = self._opening if opening else self._keys
            if name not in table:
                table[name] = [key]
                self._offsets[name] = offset
            elif table[name][-1] != key:
                table[name].append(key)

    def find(self, start: int = 0, end: int | None = None) -> list[Mention]:
        """All mentions, or those between two places, from left to right, none overlapping."""
        found: list[Mention] = []
        done, keys_of, opening = 0, self._keys, self._opening
        for word, _length, place, name in self._occurrences(start, len(self._text) if end is None else end):
            if word < done or place < done:
                continue
            keys = keys_of.get(name)
            if opening and name in opening and self._neighbours.opens(place):
                keys = [*(keys or ()), *opening[name]]
            if keys:
                done = place + len(name)
                found.append((place, done, keys))
        return found

    def _occurrences(self, first: int, last: int) -> list[tuple[int, int, int, str]]:
        """Where names stand as whole words and as no part of a longer name.

        They come by the places of their first words, the longest first.
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
                    # Most names have no neighbour that could make them a part of a longer one.
                    asked = capital and (
                        (behind in JOINING and text[start + length + 1].isupper())
                        or (behind == " " and text[start + length + 1].isdigit())
                        or (
                            single and (behind == ":" or (before in JOINING and capital_before(start)))
                        )
                    )
                    if not asked or not is_part(start, start + length, single):
                        places.append((start + offset, -length, start, name))
                start = find(name, start + 1, last)
        if len(places) > 1:
            places.sort()
        return places
