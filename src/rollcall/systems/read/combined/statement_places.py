"""The places where a text may state something of a possible answer, and the words there, as tokens.

A place is a sentence that names the answer, or stands on its page, and also names what the question names.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from rollcall.english.folding import fold
from rollcall.systems.read.chain import values_of
from rollcall.systems.read.combined.search import adjectives_of
from rollcall.systems.read.name_finder import Mention
from rollcall.systems.read.passage_sentences import ReadPassage, ReadSentence
from rollcall.systems.read.question_words import Further, cues
from rollcall.systems.retrieve.analysis import terms

_WORD = re.compile(r"[^\W_]+")
_NEAR, _PATTERN = 7, 4
"""Between two names, more words than the first say nothing; up to the second they are also one pattern."""


class Place(NamedTuple):
    """A sentence that may state something of an answer."""

    answer: int | str
    other: int
    """The number of the name of the question, or the thing of a chained question."""
    own: bool
    """Whether it is on the answer's own page."""
    sentence: ReadSentence
    tokens: frozenset[str]


class Named(NamedTuple):
    """A name of the question: how it is written, and the entities that it may mean."""

    folded: str
    entities: frozenset[int]
    adjectives: tuple[str, ...] = ()
    """If it is a land, its adjectives, folded."""


def named(mention: Mention) -> Named:
    """A name that was found in the question."""
    adjectives = tuple(fold(one) for one in adjectives_of(mention.text))
    return Named(fold(mention.text), frozenset(mention.entities), adjectives)


def direct_places(names: Sequence[Named], passages: Sequence[ReadPassage]) -> Iterator[Place]:
    """The places that tie an entity to a name of the question."""
    asked = frozenset(one for name in names for one in name.entities)
    for passage in passages:
        title = frozenset(passage.title.split())
        about = [passage.title == name.folded or passage.owner in name.entities for name in names]
        for sentence in passage.sentences:
            found = [_written(sentence, name) for name in names]
            if not any(about) and not any(found):
                continue
            for entity in sorted(sentence.entities - asked):
                own = entity == passage.owner
                for number, (written, is_about) in enumerate(zip(found, about, strict=True)):
                    if written or is_about:
                        tokens = _tokens(sentence, sentence.names[entity], written, title)
                        yield Place(entity, number, own, sentence, tokens)
            owner = passage.owner
            if owner is not None and owner not in asked and owner not in sentence.names:
                for number, written in enumerate(found):
                    if written:
                        yield Place(owner, number, True, sentence, _tokens(sentence, "", written, title))


def chained_places(
    further: Further, passages: Sequence[ReadPassage], things: Mapping[int, float]
) -> Iterator[Place]:
    """The places that tie an answer to a thing; a page of an entity is about it."""
    for passage in passages:
        title = frozenset(passage.title.split())
        for sentence in passage.sentences:
            if passage.owner is not None:
                likely = [passage.owner] if passage.owner in things else []
            else:
                likely = sorted(sentence.entities & things.keys(), key=lambda one: (-things[one], one))[:2]
            if not likely:
                continue
            for answer, written in _answers(sentence, further):
                for thing in likely:
                    if thing != answer:
                        tokens = _tokens(sentence, written, sentence.names.get(thing, ""), title)
                        yield Place(answer, thing, False, sentence, tokens)


def _answers(sentence: ReadSentence, further: Further) -> list[tuple[int | str, str]]:
    if further.kind == "entity":
        return [(one, written) for one, written in sorted(sentence.names.items())]
    return [(value, value.lower()) for value in values_of(sentence.text, further.kind)]


def _written(sentence: ReadSentence, name: Named) -> str:
    """How a sentence writes a name: as the question does, or by another name of its entity; else nothing."""
    if name.folded in sentence.folded:
        return name.folded
    for one in sorted(name.entities):
        if one in sentence.names:
            return sentence.names[one]
    for adjective in name.adjectives:
        if adjective in sentence.folded and re.search(rf"\b{re.escape(adjective)}\b", sentence.folded):
            return adjective
    return ""


def _tokens(sentence: ReadSentence, answer: str, other: str, title: frozenset[str]) -> frozenset[str]:
    """The stems of the sentence's words that are no names, and the words between the two names.

    A page may not write the name of its entity in a sentence; then the words from the beginning count.
    """
    text = sentence.folded
    here = text.find(answer) if answer else -1
    there = text.find(other) if other else -1
    if here < 0 and there < 0:
        return _stems(sentence.text)
    if there < 0:
        order, between = "t", text[:here]
    elif here < 0:
        order, between = "o", text[:there]
    elif here < there:
        order, between = "<", text[here + len(answer) : there]
    else:
        order, between = ">", text[there + len(other) : here]
    words = [word for word in _WORD.findall(between) if word not in title]
    found = {f"{order} {word}" for word in words[:_NEAR]} if len(words) <= _NEAR else {f"{order} far"}
    if len(words) <= _PATTERN:
        found.add(f"{order}: {' '.join(words)}")
    if here >= 0:
        after = _WORD.findall(text[here + len(answer) : here + len(answer) + 30])
        found.add(f"then {after[0] if after else ''}")
    return _stems(sentence.text) | found


@lru_cache(maxsize=20_000)
def _stems(text: str) -> frozenset[str]:
    return cues(terms(" ".join(word for word in _WORD.findall(text) if word[0].islower())))
