"""Words that ask for an operation: counts, superlatives, denials and alternatives.

Superlatives are adjectives of general English with the matter they measure; which relation of the graph
measures it is decided by the relation's own words, and by its lexicon entry (`tallest`, `oldest`).
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from rollcall.english.word_lists import word_list
from rollcall.systems.ask.words import Word, mask_of, root

Extreme: TypeAlias = Literal["max", "min"]

_ADJECTIVES = {word: told.split() for word, told in (line.split(" = ") for line in word_list("superlatives"))}
"""For each superlative `max` or `min`, and what it measures."""
_AFTER_MOST = ("recent", "populous", "expensive")
_DENYING = frozenset(["not", "never", "without", "except", "excluding", "neither", "nor", "cannot"])
SIGN_WORDS = frozenset((*_ADJECTIVES, *_DENYING, "or", "same", "other", "another", "else", "both"))
"""All words that ask for an operation."""


class Superlative(NamedTuple):
    """A word that asks for the greatest or the least."""

    word: str
    mask: int
    extreme: Extreme
    roots: frozenset[str]
    """Roots of what it measures; none if the question must say."""


class Signs(NamedTuple):
    """The operations that a question asks for."""

    superlatives: tuple[Superlative, ...]
    denials: tuple[int, ...]
    """The places of words that deny what follows."""
    alternatives: tuple[int, ...]
    """The places of `or`."""
    sameness: int
    """The words that ask for something that two things share."""
    otherness: int
    """The words that ask for something else of the same kind."""

    def ignored(self, mask: int) -> float:
        """How many signs are not among the used words; `or` is often part of a phrase, and counts half."""
        found = sum(one.mask & ~mask != 0 for one in self.superlatives)
        found += sum(not mask >> place & 1 for place in self.denials)
        return found + 0.5 * sum(not mask >> place & 1 for place in self.alternatives)


def signs_in(words: Sequence[Word]) -> Signs:
    """The signs of a question."""
    superlatives: list[Superlative] = []
    denials, alternatives = [], []
    for place, word in enumerate(words):
        if word.folded in _ADJECTIVES:
            told, *measured = _ADJECTIVES[word.folded]
            extreme: Extreme = "max" if told == "max" else "min"
            mask = 1 << place
            if word.folded in _AFTER_MOST:
                if place == 0 or words[place - 1].folded not in ("most", "least"):
                    continue
                mask |= 1 << (place - 1)
                superlatives = [one for one in superlatives if not one.mask & mask]
                extreme = "min" if words[place - 1].folded == "least" else extreme
            roots = frozenset(map(root, measured))
            superlatives.append(Superlative(word.folded, mask, extreme, roots))
        elif word.folded in _DENYING or (
            word.folded == "t" and place and words[place - 1].folded in ("'", "’")
        ):
            denials.append(place)
        elif word.folded == "or":
            alternatives.append(place)
    same = mask_of([place for place, word in enumerate(words) if word.folded == "same"])
    other = mask_of(
        [place for place, word in enumerate(words) if word.folded in ("other", "another", "else")]
    )
    return Signs(tuple(superlatives), tuple(denials), tuple(alternatives), same, other)
