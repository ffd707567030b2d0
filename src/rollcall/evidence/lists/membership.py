"""Whether a page says that its topic is on a list: the page has all words of the list's name.

This is not a search for a name: no text writes "island of Germany in Frisia". The words are in different
places, in any order and form, often in several sentences. So they are searched for one by one on the whole
page, and the sentence with the most of them is shown.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rollcall.evidence.lists.lands import with_lands
from rollcall.evidence.lists.word_families import kindred
from rollcall.mine.lists.words import list_name, words_of


class MembershipSentence(NamedTuple):
    """The sentence with the most words of a list's name: its number on the page, the words, their share."""

    sentence: int
    words: str
    share: float
    validated: bool


def membership_sentence(
    sentences: Sequence[str], title: str, prefix: str, within_sentence: bool = False
) -> MembershipSentence | None:
    """The sentence with the most words of a list's name; validated if the page (or the sentence) has all."""
    name = list_name(title, prefix)
    if name is None or not sentences:
        return None
    words = [with_lands(frozenset(words_of(text))) for text in sentences]
    met = kindred(name.words, frozenset().union(*words), name.names)
    counts = [sum(not forms.isdisjoint(own) for forms in met) for own in words]
    best = max(range(len(counts)), key=lambda number: (counts[number], -number))
    if not counts[best]:
        return None
    share = counts[best] / len(name.words)
    return MembershipSentence(best, " ".join(name.words), share, share == 1 if within_sentence else all(met))
