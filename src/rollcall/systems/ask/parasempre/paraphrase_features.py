"""How well a canonical utterance paraphrases a question: the association model, and the shape of the query.

Words are equal by their roots, related by the families of `related_words` (in the publication: WordNet), or
associated by counts on paraphrases. Words of the question that nothing explains are deletions, those of the
utterance insertions.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rollcall.graph.index import GraphIndex
from rollcall.systems.ask.learned.alignment import AlignedWords
from rollcall.systems.ask.learned.answer_kinds import kinds_of, size_of
from rollcall.systems.ask.learned.tags import question_word, tag
from rollcall.systems.ask.parasempre.candidates import FilledTemplate
from rollcall.systems.ask.reading import Reading
from rollcall.systems.ask.relation_mentions import families
from rollcall.systems.ask.words import Word, roots_of, words_of
from rollcall.systems.retrieve.encoder import Vectors

_ASSOCIATED = 0.2
"""A word with this lift is explained by another."""
_X = "x"


class Text(NamedTuple):
    """A question without its names, or an utterance."""

    content: tuple[Word, ...]
    """The words that say something, each root once."""
    pairs: frozenset[tuple[str, str]]
    """Neighbouring words, whichever they are."""


def text_of(words: Sequence[Word]) -> Text:
    """A text by its words."""
    content = {word.root: word for word in words if not word.is_empty and word.folded != _X}
    told = [word.root for word in words if word.folded.isalnum()]
    return Text(tuple(content.values()), frozenset(pairwise(told)))


@lru_cache(1 << 16)
def utterance(text: str) -> Text:
    """An utterance by its words."""
    return text_of(words_of(text))


def without_names(reading: Reading, mask: int) -> Text:
    """A question with X for the words of a mask."""
    told: list[Word] = []
    for place, word in enumerate(reading.words):
        if not mask >> place & 1:
            told.append(word)
        elif not told or told[-1].folded != _X:
            told.append(Word(word.start, word.end, _X, _X))
    return text_of(told)


class Explained(NamedTuple):
    """What the words of an utterance have in common with those of a question."""

    equal: list[str]
    related: list[str]
    lifts: dict[str, float]
    """For each other word of the question how well it is associated."""
    rest: list[Word]
    """The words of the question that are neither equal, related nor associated."""


def explained(question: Text, said: Text, aligned: AlignedWords[str]) -> Explained:
    """How the words of a question are explained by an utterance."""
    own, others = [word.root for word in question.content], {word.root for word in said.content}
    equal = [one for one in own if one in others]
    related = [one for one in own if one not in others and families().get(one, frozenset()) & others]
    left = [word for word in question.content if word.root not in equal and word.root not in related]
    lifts = {word.root: max((aligned.lift(word.root, key) for key in others), default=0.0) for word in left}
    return Explained(equal, related, lifts, [word for word in left if lifts[word.root] < _ASSOCIATED])


def association(question: Text, said: Text, aligned: AlignedWords[str]) -> dict[str, float]:
    """The features of the words of a question and an utterance."""
    equal, related, lifts, rest = explained(question, said, aligned)
    others = {word.root for word in said.content}
    known = {*equal, *(other for one in related for other in families()[one])}
    inserted = [
        one
        for one in others - known
        if all(aligned.lift(word.root, one) < _ASSOCIATED for word in question.content)
    ]
    count, most = max(len(question.content), 1), max(len(others), 1)
    found = {
        "words: equal": len(equal) / count,
        "words: equal, of the utterance": len(equal) / most,
        "words: related": len(related) / count,
        "words: associated": sum(lifts.values()) / count,
        "words: inserted": float(len(inserted)),
        "pairs: equal": len(question.pairs & said.pairs) / max(len(question.pairs), 1),
        "pairs: equal, of the utterance": len(question.pairs & said.pairs) / max(len(said.pairs), 1),
    }
    for word in rest:
        for name in (f"deleted {tag(word)}", f"deleted: {word.root}"):
            found[name] = found.get(name, 0.0) + 1.0
    return found


def shape(
    reading: Reading,
    one: FilledTemplate,
    index: GraphIndex,
    popularity: Sequence[float],
    likenesses: Vectors | None,
) -> dict[str, float]:
    """The features of a candidate apart from its words."""
    found = {
        f"template: {one.template}": 1.0,
        f"{'counted' if one.function == 'count' else 'answers'}: {size_of(one.terms)}": 1.0,
        "quality of names": one.quality,
        "words used": float(one.mask.bit_count()),
    }
    if one.hops:
        found["popularity"] = sum(popularity[relation] for relation, _ in one.hops) / len(one.hops)
    if reading.kind.counts and one.function != "count":
        found["how many, not counted"] = 1.0
    kinds = ["number"] if one.function == "count" else kinds_of(index, one.terms)
    for kind in kinds:
        found[f"{question_word(reading.words)}: {kind}"] = 1.0
    if reading.kind.roots:
        named = any(reading.kind.roots[-1] in roots_of(kind) for kind in kinds)
        found[f"the noun asked for is {'a' if named else 'no'} class of the answers"] = 1.0
    if likenesses is not None and one.hops:
        alike = np.array([likenesses[relation, direction] for relation, direction in one.hops])
        found["vectors: mean"], found["vectors: least"] = float(alike.mean()), float(alike.min())
    return found
