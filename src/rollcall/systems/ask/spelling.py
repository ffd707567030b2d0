"""Misspelt ordinary words of a question: `wich`, `directer`, `populaton`.

The known words are those of the graph's relations and classes, related words and question words. A word that
is known, or stands in some name of the graph, is never changed.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from rollcall.english.function_words import COMMON
from rollcall.english.word_lists import word_list
from rollcall.systems.ask.name_index import edits
from rollcall.systems.ask.signs import SIGN_WORDS
from rollcall.systems.ask.words import EMPTY, Word, root

_SHORTEST, _LONG = 4, 8
_LISTS = (
    "related_words", "verbs", "verbs_or_nouns", "irregular_verbs", "intransitive_verbs", "people", "kinds_of",
    "plurals",
    "short_nouns", "participles", "prepositions", "demonyms",
)  # fmt: skip
_ASKING = frozenset(["what", "when", "where", "which", "whose", "many", "name", "list"])
"""Short words are taken for these alone, since many other words are like them."""


class Spelling:
    """Corrects words by a vocabulary."""

    def __init__(self, texts: Iterable[str], in_names: Callable[[str], bool]) -> None:
        listed = {
            word for name in _LISTS for line in word_list(name) for word in line.split() if word.isalpha()
        }
        told = {word for text in texts for word in text.lower().split() if word.isalpha()}
        self._known = {*listed, *told, *COMMON, *EMPTY, *SIGN_WORDS}
        self._roots = {root(word) for word in self._known}
        self._in_names = in_names
        self._nearest = lru_cache(maxsize=4096)(self._find)

    def corrected(self, words: Sequence[Word]) -> list[Word]:
        """The words, with misspelt ones as they should be."""
        return [self._corrected(word) for word in words]

    def _corrected(self, word: Word) -> Word:
        if len(word.folded) < _SHORTEST or not word.folded.isalpha() or word.root in self._roots:
            return word
        if word.folded in self._known or self._in_names(word.folded):
            return word
        other = self._nearest(word.folded)
        return word._replace(folded=other, root=root(other)) if other else word

    def _find(self, word: str) -> str:
        """The nearest known word, or nothing if none is near."""
        most = 1 if len(word) < _LONG else 2
        letters = set(word)
        near = [
            (distance, other[0] != word[0], other)
            for other in sorted(self._known if len(word) > _SHORTEST else _ASKING)
            if abs(len(other) - len(word)) <= most
            and len(letters.symmetric_difference(other)) <= 2 * most
            and (distance := edits(word, other, most)) <= most
        ]
        return min(near)[2] if near else ""
