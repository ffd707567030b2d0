"""Reads facts by phrases: those of the lexicon, and further ones that are learned from what these find.

A phrase states a fact where it stands between two ends: the first is what the sentence begins with, if that
is the page's topic, or what is named directly before; the second begins right after the phrase. The words
that stand between the ends of facts found so, and hardly ever between those of other facts, are phrases too.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from rollcall.corpus.titles import without_parenthesis
from rollcall.english.function_words import COMMON, FURTHER_PREPOSITIONS, RELATIVES
from rollcall.english.nouns import is_person
from rollcall.extract.without_model.mentions import Named, PageMentions
from rollcall.extract.without_model.phrases import Phrase, Phrases

_TOKEN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*|[^\w\s]")
_ARTICLE = re.compile(r"\s*(?:(?:the|a|an|its|his|her|their)\s+)?")
_AND = re.compile(r",? and (?:the )?|, (?:the )?")
_BREAKS = RELATIVES | frozenset(
    ("that", "while", "when", "after", "before", "because", "although", "if", "than", "as", ";", ":")
)
"""Words between a topic and a phrase after which the phrase may be about somebody else."""
_SKIPPED = re.compile(
    r"(?:\s*\([^()]*\))?(?:,[^,]{1,60},)?(?:\s+(?:also|later|then|first|soon|still|now|once|was|is))?\s*"
)
_FOLLOWING = re.compile(r" ([a-z]+)\b")
_AFTER_NAMES = COMMON | FURTHER_PREPOSITIONS | {"where", "until", "since", "near", "between", "through"}
_FARTHEST = 25
"""So many words may stand between a topic and its phrase."""
_FEWEST, _SHARE, _LONGEST = 2, 0.9, 6
"""A learned phrase has so many facts of its relation, this share of all, and at most so many words."""


class Found(NamedTuple):
    """A fact that a sentence states, by the places of its ends; None for the page's topic."""

    sentence: int
    subject: Named | None
    object: Named | None
    relation: str


class PatternReader:
    """Reads the sentences of a page; `noun` is what the page calls its topic, if it says so."""

    def __init__(self, phrases: Phrases, learned: Mapping[tuple[str, ...], Phrase] | None = None) -> None:
        self._phrases, self._learned = phrases, learned or {}

    def read(self, page: PageMentions, noun: str) -> Iterator[Found]:
        for number in range(len(page.sentences)):
            yield from self._sentence(page, number, noun)

    def _sentence(self, page: PageMentions, number: int, noun: str) -> Iterator[Found]:
        text = page.sentences[number].text
        tokens = [(found.start(), found.end(), found[0].lower()) for found in _TOKEN.finditer(text)]
        named = page.all(number)
        starting = {one.start: one for one in named}
        topic_end = page.opens_with_topic(number)
        done = 0
        for place, (start, _end, word) in enumerate(tokens):
            if start < done:
                continue
            for length in range(min(self._phrases.longest, len(tokens) - place), 0, -1):
                words = tuple(token[2] for token in tokens[place : place + length])
                if not self._phrases.begins(word) and words not in self._learned:
                    continue
                end = tokens[place + length - 1][1]
                other = _named_after(text, end, starting)
                if other is None or _is_modifier(text, other):
                    continue
                about_topic, before = self._first(text, tokens, place, named, topic_end)
                if not about_topic and before is None:
                    continue
                called = noun if about_topic else ""
                phrase = self._phrases.meant_by(words, called, other.name) or self._learned.get(words)
                if phrase is None:
                    continue
                for one in (other, *self._further(text, other, starting, phrase)):
                    subject, object_ = (before, one) if phrase.forward else (one, before)
                    yield Found(number, subject, object_, phrase.relation)
                done = end
                break

    def _first(
        self,
        text: str,
        tokens: Sequence[tuple[int, int, str]],
        place: int,
        named: Sequence[Named],
        topic_end: int | None,
    ) -> tuple[bool, Named | None]:
        """Whether the phrase is about the topic, or else what is named directly before it."""
        start = tokens[place][0]
        near = [one for one in named if one.end <= start]
        last = near[-1] if near else None
        if last is not None and last.start > (topic_end or 0) and _SKIPPED.fullmatch(text, last.end, start):
            return False, last
        if topic_end is not None and topic_end <= start:
            between = [word for at, _end, word in tokens[:place] if at >= topic_end]
            if len(between) <= _FARTHEST and not _BREAKS.intersection(between):
                return True, None
        return False, None

    def _further(
        self, text: str, first: Named, starting: Mapping[int, Named], phrase: Phrase
    ) -> Iterator[Named]:
        """The others of a list of names: `starring A, B and C`. Of places only one: `in Rome, Italy`."""
        entry = self._phrases.entries[phrase.relation]
        second = entry.objects if phrase.forward else entry.subjects
        end = first.end
        while joined := _AND.match(text, end):
            one = starting.get(joined.end())
            if one is None or second == "place" or _is_modifier(text, one):
                return
            if not one.title and not is_person(second):
                return
            yield one
            end = one.end


def _named_after(text: str, end: int, starting: Mapping[int, Named]) -> Named | None:
    """What is named right after a place, an article apart, which may be part of a link."""
    behind = _ARTICLE.match(text, end)
    assert behind is not None
    return starting.get(end + 1) or starting.get(behind.end())


def _is_modifier(text: str, named: Named) -> bool:
    """Whether a name only says more of what follows: `the Danish officer`, `Tom Clancy's novel`."""
    following = _FOLLOWING.match(text, named.end)
    if following is None or named.title:
        return text.startswith(("'s", "’s"), named.end)
    return following[1] not in _AFTER_NAMES


def learned_phrases(
    phrases: Phrases, pages: Sequence[PageMentions], facts: Sequence[tuple[str, str, str]]
) -> dict[tuple[str, ...], Phrase]:
    """Further phrases: what stands between neighbours that are the ends of facts of one relation.

    `facts` are subject, relation and object by name.
    """
    known: dict[tuple[str, str], set[tuple[str, bool]]] = defaultdict(set)
    for subject, relation, object_ in facts:
        known[subject, object_].add((relation, True))
        known[object_, subject].add((relation, False))
    seen: dict[tuple[str, ...], Counter[tuple[str, bool]]] = defaultdict(Counter)
    for middle, one, other in _neighbours(pages):
        for meant in known.get((one, other), ()):
            seen[middle][meant] += 1
    found = {}
    for middle, counted in seen.items():
        (relation, forward), most = counted.most_common(1)[0]
        content = any(word.isalpha() and word not in COMMON for word in middle)
        often = most >= _FEWEST and most >= _SHARE * sum(counted.values())
        if content and often and phrases.meant_by(middle, "") is None:
            found[middle] = Phrase(relation, forward)
    return found


def _neighbours(pages: Sequence[PageMentions]) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Every two neighbours in a sentence with the words between them; each pair counts once for its words."""
    told = set()
    for page in pages:
        for number, sentence in enumerate(page.sentences):
            named = page.all(number)
            for one, other in pairwise(named):
                middle = tuple(
                    found[0].lower() for found in _TOKEN.finditer(sentence.text, one.end, other.start)
                )
                row = (middle, _named(one), _named(other))
                if 0 < len(middle) <= _LONGEST and row not in told:
                    told.add(row)
                    yield row


def _named(one: Named) -> str:
    return without_parenthesis(one.title) or one.name
