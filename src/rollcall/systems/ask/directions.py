"""Which end of a relation stands where in a question: the grammar of a phrase beside a name.

"Directed by Orla" makes her the object, "who directed Dune" makes the film the subject, "did Orla direct"
makes her the object again. The rules know the voice of a phrase and the little words around it, and no
relation by name.
"""

from collections.abc import Sequence

from rollcall.english.function_words import FINITE_BE
from rollcall.mine.neighbourhood import BACKWARD, FORWARD
from rollcall.systems.ask.relation_mentions import RelationMention
from rollcall.systems.ask.words import Word

_ARTICLES = frozenset(("the", "a", "an"))
_OF = frozenset(("of", "for", "to"))
_AMONG = frozenset(("as", "among"))
_HAVE = frozenset(("has", "have", "had", "with"))


def direction_fit(
    words: Sequence[Word], mention: RelationMention, first: int, last: int, direction: int
) -> float:
    """How well a direction fits, from -1 to 1, if the relation is followed from what stands at these words.

    FORWARD takes what stands there for the subject.
    """
    if mention.first > last:
        expected, surety = _after(words, mention, first, last)
    elif mention.last < first:
        expected, surety = _before(words, mention, first)
    else:
        return 0.0
    return surety if expected == direction else -surety


def _after(words: Sequence[Word], mention: RelationMention, first: int, last: int) -> tuple[int, float]:
    """The phrase follows the name: "Orla's films", "did Orla direct", "was Dune directed"."""
    between = {word.folded for word in words[last + 1 : mention.first]}
    before = _word_before(words, first)
    passive = bool(between & FINITE_BE) or before in FINITE_BE
    if mention.voice == "noun":
        if last + 1 < len(words) and words[last + 1].folded in ("'", "’", "s"):
            return FORWARD, 1.0
        following = words[mention.last + 1].folded if mention.last + 1 < len(words) else ""
        if following == "of" and (passive or before in _HAVE):
            return BACKWARD, 0.7
        return (BACKWARD, 0.9) if between & _AMONG else (FORWARD, 0.4)
    if mention.voice == "active":
        return FORWARD, 0.8
    if passive:
        return FORWARD, 0.8
    return BACKWARD, 0.8


def _before(words: Sequence[Word], mention: RelationMention, first: int) -> tuple[int, float]:
    """The phrase comes before the name: "films by Orla", "director of Dune", "directed Dune"."""
    between = [word.folded for word in words[mention.last + 1 : first] if word.folded not in _ARTICLES]
    if mention.voice == "noun":
        if between[:1] and between[0] in _OF:
            return FORWARD, 1.0
        if between[:1] and between[0] in FINITE_BE:
            return BACKWARD, 0.8
        if between[:1] and between[0] in ("in", "on", "at"):
            return FORWARD, 0.6
        return (BACKWARD, 0.7) if "by" in between else (FORWARD, 0.3)
    if mention.voice == "active":
        return BACKWARD, 0.9
    if mention.voice == "passive" and "by" in between:
        return BACKWARD, 1.0
    return FORWARD, 0.8


def _word_before(words: Sequence[Word], place: int) -> str:
    """The word before a name, without articles."""
    place -= 1
    while place >= 0 and words[place].folded in _ARTICLES:
        place -= 1
    return words[place].folded if place >= 0 else ""
