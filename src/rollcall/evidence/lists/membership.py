"""Whether a page says that its topic is on a list: the page has all words of the list's name.

This is not a search for a name: no text writes "island of Germany in Frisia". The words are in different
places, in any order and form, often in several sentences. So they are searched for one by one on the whole
page, and the sentence with the most of them is shown.
"""

from collections.abc import Sequence
from typing import NamedTuple

from rollcall.english.word_families import kindred
from rollcall.evidence.lists.lands import with_lands
from rollcall.mine.lists.words import ListName, list_name, words_of


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
    share = min(counts[best] / (len(name.words) - max(len(name.either) - 1, 0)), 1.0)
    tested = [words[best]] if within_sentence else words
    validated = _has_all(name, frozenset().union(*tested))
    return MembershipSentence(best, " ".join(name.words), share, validated)


def _has_all(name: ListName, words: frozenset[str]) -> bool:
    """Whether words have all of a list's name; of those that it joins with `and`, one is enough."""
    met = dict(zip(name.words, kindred(name.words, words, name.names), strict=True))
    said = any(met[word] for word in name.either) if name.either else True
    return said and all(found for word, found in met.items() if word not in name.either)
