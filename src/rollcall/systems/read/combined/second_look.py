"""A second look at the likely answers: what they have in common, and what their own pages say.

Answers to one question are of one kind, and after the first trees it is known which kind. The page of a
likely answer is read even if it was not retrieved; where the question compares ("founded before 1880"), its
values are compared.
"""

from collections.abc import Sequence

import numpy as np

from rollcall.graph.graph import Graph
from rollcall.systems.read.combined.features import (
    COMPARED,
    EntityClasses,
    FirstLook,
    PagesOf,
    compared,
    share,
)
from rollcall.systems.read.combined.nearness import Chances, Nearness, Table
from rollcall.systems.read.combined.statements import NO_STATEMENTS, ON_PAGE, Statements, stated_on_page
from rollcall.systems.read.question_words import asked_noun, cues
from rollcall.systems.read.support import FEATURES, PassagePreparation, ReadPassage, supported
from rollcall.systems.retrieve.bm25 import terms

# How much what is said of a possible answer is like what is said of the likely ones, as features. The
# answers to one question are of one kind, and texts state one relation in a few ways. So the pages of
# right answers begin alike, and the sentences that state them are alike, where neither a class nor a
# word says so.

_LIKE = ("like the likely ones", "more like the likely ones than like the others")
PEERS = tuple(f"{subject} {likeness}" for subject in ("page opens", "stated") for likeness in _LIKE)


def peers(
    openings: Sequence[frozenset[str]], statements: Sequence[frozenset[str]], chances: Chances
) -> Table:
    """A row for each possible answer, from the words of its page's first sentence and of its statement."""
    features = np.concatenate([_alike(openings, chances), _alike(statements, chances)], axis=1)
    # Processors add in different orders; trees should not depend on that.
    return np.round(features, 4).astype(np.float32)


def _alike(words: Sequence[frozenset[str]], chances: Chances) -> Chances:
    """For each set of words, the mean cosine with the others: by their chances, and less that of the rest."""
    known = {word: column for column, word in enumerate(sorted(frozenset().union(*words)))}
    vectors = np.zeros((len(words), len(known)))
    for row, word_set in enumerate(words):
        vectors[row, [known[word] for word in word_set]] = 1.0 / np.sqrt(len(word_set) or 1)
    likely = _mean_cosine(vectors, chances)
    similarity: Chances = np.stack([likely, likely - _mean_cosine(vectors, 1.0 - chances)], axis=1)
    return similarity


def _mean_cosine(vectors: Chances, weights: Chances) -> Chances:
    """The mean cosine of each vector with all others, by their weights."""
    itself = (vectors**2).sum(axis=1) * weights
    rest = np.maximum(weights.sum() - weights, 1e-6)
    cosines: Chances = (vectors @ (weights @ vectors) - itself) / rest
    return cosines


_STANDING = (
    "chance",
    "share of the best chance",
    "rank",
    "expected answers",
    "best chance",
    "share of its kind",
    "rarity of its kind",
    "greatest share of a class",
    "greatest share by rarity",
    "all shares by rarity",
)
_PAGE = (
    "page read",
    *(f"on its page: {feature}" for feature in FEATURES),
    "page opens with the noun",
    "page opens with the cues",
    "passages of its page",
    "nearness of its page",
    *ON_PAGE,
)
LOOK = tuple(f"then: {feature}" for feature in (*_STANDING, *_PAGE, *COMPARED, *PEERS))
"""The features of the second look."""

_MOST, _PASSAGES = 60, 3
"""How many likely answers' pages are read, and how many passages of each."""


class SecondLook:
    """Computes these features with one graph."""

    def __init__(
        self,
        graph: Graph,
        reading: PassagePreparation,
        types: EntityClasses,
        pages: PagesOf | None,
        statements: Statements = NO_STATEMENTS,
        near: Nearness | None = None,
    ) -> None:
        self._graph, self._reading, self._types, self._pages = graph, reading, types, pages
        self._statements, self._near = statements, near

    def rows(self, question: str, first: FirstLook, chances: Chances) -> Table:
        """The rows of the first look, with what the second adds; `chances` are those of the first trees."""
        answers, rows = first.answers, first.rows
        if not answers:
            return np.zeros((0, rows.shape[1] + len(LOOK)), np.float32)
        return np.concatenate(
            [rows, self._standing(answers, chances), self._own(question, first, chances)], axis=1
        ).astype(np.float32)

    def _standing(self, answers: Sequence[int | str], chances: Chances) -> Table:
        """How likely an answer is compared with the others, and how many likely ones are of its classes."""
        kinds = [self._types.of(answer) for answer in answers]
        weight: dict[int, float] = {}
        for answer_kinds, chance in zip(kinds, chances.tolist(), strict=True):
            for kind in answer_kinds:
                weight[kind] = weight.get(kind, 0.0) + chance
        total, best = float(chances.sum()), float(chances.max())
        ranks = np.empty(len(answers))
        ranks[np.argsort(-chances, kind="stable")] = np.arange(len(answers))
        rows = []
        for answer_kinds, chance, rank in zip(kinds, chances.tolist(), ranks.tolist(), strict=True):
            rest = max(total - chance, 0.0) + 1e-6
            shares = [((weight[kind] - chance) / rest, self._types.rarity[kind]) for kind in answer_kinds]
            shares = shares or [(0.0, 0.0)]
            commonest = max(shares, key=lambda pair: pair[0] * (1 + pair[1]))
            products = [portion * rarity for portion, rarity in shares]
            standing = (chance, chance / (best or 1.0), rank, total, best)
            rows.append((*standing, *commonest, max(shares)[0], max(products), sum(products)))
        return np.array(rows)

    def _own(self, question: str, first: FirstLook, chances: Chances) -> Table:
        """What the pages of the likely answers say; -1 for those that are not read, 0 where there is none."""
        answers = first.answers
        noun = cues(terms(asked_noun(question)))
        read = len(_PAGE) + len(COMPARED)
        unread = (-1.0, *(0.0,) * (read - 1 + len(PEERS)))
        table: Table = np.tile(np.array(unread), (len(answers), 1))
        likely = np.argsort(-chances, kind="stable")[:_MOST]
        openings: list[frozenset[str]] = []
        for index in likely.tolist():
            answer = answers[index]
            page = self._page(question, answer) if isinstance(answer, int) else []
            openings.append(_opening(page))
            if isinstance(answer, int):
                page_features = self._page_features(answer, page, first, noun)
                sentences = [sentence for passage in page for sentence in passage.sentences]
                values = compared(first.comparison, sentences, first.naming_sentences.get(answer, ()))
                table[index, :read] = (*page_features, *values)
        stating_words = [first.stating_words.get(answers[index], frozenset()) for index in likely.tolist()]
        table[likely, read:] = peers(openings, stating_words, chances[likely])
        return table

    def _page(self, question: str, entity: int) -> Sequence[ReadPassage]:
        if self._pages is None:
            return []
        passages = self._pages(self._graph.index.entity_ids[entity], _PASSAGES)
        read = self._reading.read(passages)
        return read if self._near is None else self._near.measured(question, passages, read)

    def _page_features(
        self, answer: int, page: Sequence[ReadPassage], first: FirstLook, noun: frozenset[str]
    ) -> tuple[float, ...]:
        if not page:
            return (0.0,) * len(_PAGE)
        words = first.words
        wanted = words.further.cues if words.further is not None else words.cues
        nothing = (0.0,) * len(FEATURES)
        ties = (
            candidate.features
            for candidate in supported(self._graph, words, page)
            if candidate.answer == answer
        )
        opening = _opening(page)
        return (
            1.0,
            *next(ties, nothing),
            share(noun, opening),
            share(wanted, opening),
            float(len(page)),
            max(passage.near for passage in page),
            *stated_on_page(self._statements, words, page, answer),
        )


def _opening(page: Sequence[ReadPassage]) -> frozenset[str]:
    """The words of the first sentence of a page."""
    return page[0].sentences[0].cues if page and page[0].sentences else frozenset()
