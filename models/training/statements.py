"""Learns which words of a sentence state what a phrase of a question asks for, for the reader `rollcall`.

`reader.py` calls it. Sentences of the evidence are right. Sentences that tie a wrong entity of the class
asked for to the names of the question are wrong. Those that name an answer without being its evidence are
left out, because nobody knows.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from rollcall.questions import Question
from rollcall.score.match import words as name_words
from rollcall.systems.read.combined.looks import Solved
from rollcall.systems.read.combined.statements import (
    EVERY,
    StatementWeights,
    chained_statements,
    direct_statements,
    named,
)
from rollcall.systems.read.support import class_fit

STRENGTH = 0.5
"""The inverse of the regularisation."""
QUESTIONS = 3
"""A weight needs tokens of so many questions, so that no name is learned."""
_SMALL = 0.05
"""Weights below are left out."""


class Example(NamedTuple):
    """A sentence that states what a phrase asks for, or does not."""

    question: str
    phrase: frozenset[str]
    tokens: frozenset[str]
    right: bool


def examples(question: Question, solved: Solved) -> list[Example]:
    """What can be learned from a question with a single condition, or the second step of a chained one.

    Where no sentence of the evidence was found, all that is known is what is wrong, and nothing is learned.
    """
    found = list(_examples(question, solved))
    return found if any(one.right for one in found) else []


def _examples(question: Question, solved: Solved) -> Iterator[Example]:
    weighing = solved.weighing
    graph, words = weighing.graph, weighing.maker.words(solved.question)
    texts: dict[str, set[str]] = defaultdict(set)
    things: set[str] = set()
    for answer in question.answers:
        for key in filter(None, (answer.id, *map(name_words, (answer.label, *answer.aliases)))):
            texts[key] |= {one.text for one in answer.evidence}
        for one in answer.evidence:
            if one.fact:
                things |= {one.fact.split()[0], one.fact.split()[-1]}
    if words.further is None:
        if len(words.anchors) != 1:
            return
        names = [named(one) for one in words.anchors]
        places = direct_statements(names, weighing.reading.read(solved.passages))
        phrase, classes = words.phrases[0], words.classes
    else:
        asked = {graph.index.entity_ids[one] for anchor in words.anchors for one in anchor.entities}
        numbers = (graph.index.entity_number(one) for one in sorted(things - asked - texts.keys()))
        likely = {one: 1.0 for one in numbers if one is not None}
        read = weighing.reading.read(solved.passages)
        places = chained_statements(
            words.further,
            [*read, *weighing.maker.hop(solved.question.question, solved.passages, likely)],
            likely,
        )
        phrase, classes = words.further.cues, words.further.classes
    for place in places:
        found = place.answer
        key = graph.index.entity_ids[found] if isinstance(found, int) else name_words(found)
        if key in texts:
            if place.sentence.text in texts[key]:
                yield Example(question.question, phrase, place.tokens, True)
        elif isinstance(found, str) or class_fit(graph, found, classes) >= 0:
            yield Example(question.question, phrase, place.tokens, False)


def fit_statements(learned: Sequence[Example], strength: float = STRENGTH) -> StatementWeights:
    """A logistic regression of pairs of words and tokens."""
    seen: dict[tuple[str, str], set[str]] = defaultdict(set)
    for one in learned:
        for word in (EVERY, *one.phrase):
            for token in one.tokens:
                seen[word, token].add(one.question)
    columns = {
        pair: place for place, pair in enumerate(sorted(p for p, q in seen.items() if len(q) >= QUESTIONS))
    }
    counts = Counter(one.question for one in learned)
    values, places, starts = [], [], [0]
    for one in learned:
        for word in (EVERY, *sorted(one.phrase)):
            value = 1.0 if word == EVERY else 1.0 / len(one.phrase)
            for token in sorted(one.tokens):
                place = columns.get((word, token))
                if place is not None:
                    places.append(place)
                    values.append(value)
        starts.append(len(places))
    table = csr_matrix((values, places, starts), shape=(len(learned), len(columns)))
    weights = np.array([1.0 / np.sqrt(counts[one.question]) for one in learned])
    model = LogisticRegression(C=strength, solver="liblinear", max_iter=200, random_state=0)
    model.fit(table, np.array([one.right for one in learned]), sample_weight=weights / weights.mean())
    found: dict[str, dict[str, float]] = {}
    for (word, token), place in columns.items():
        weight = round(float(model.coef_[0][place]), 2)
        if abs(weight) >= _SMALL:
            found.setdefault(word, {})[token] = weight
    return StatementWeights(round(float(model.intercept_[0]), 3), found)
