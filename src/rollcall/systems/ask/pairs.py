"""What a cross-encoder reads of a candidate: the question and the query in words, with letters for names.

A name says little about what is asked, and there are too many of them to learn, so X, Y and Z stand for those
that the candidate uses. The question is read as it was understood: misspelt words as they should be.
"""

from collections.abc import Callable
from typing import NamedTuple

from rollcall.systems.ask.reading import Reading
from rollcall.systems.ask.understanding import Candidate
from rollcall.systems.ask.words import places_of

_LETTERS = "XYZWVU"


class Pair(NamedTuple):
    """The two texts of a candidate."""

    question: str
    wording: str


def pair_of(reading: Reading, candidate: Candidate, wording: str, name: Callable[[int], str]) -> Pair:
    """The texts of a candidate whose query has this wording; `name` gives the label of an entity."""
    words = [word.folded for word in reading.words]
    named = sorted((mask, meaning) for mask, meaning in candidate.piece.uses if isinstance(meaning, int))
    letters = iter(_LETTERS)
    found: list[tuple[str, str]] = []
    for mask, entity in named:
        label, places = name(entity), places_of(mask)
        if label not in wording or not words[places[0]]:
            continue  # an adjective such as French stays a word in both texts
        letter = next(letters, "")
        if not letter:
            break
        found.append((label, letter))
        for place in places:
            words[place] = ""
        words[places[0]] = letter
    # The longest name first, since it may have a shorter one in it.
    for label, letter in sorted(found, key=lambda pair: (-len(pair[0]), pair)):
        wording = wording.replace(label, letter)
    return Pair(" ".join(word for word in words if word), wording)
