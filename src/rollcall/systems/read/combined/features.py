"""What is known about each possible answer to a question, as numbers: the input of the trees.

Five sources: what `mentions` finds (ties to the names of the question, classes), where the passages that name
the answer stand, how near they are to the question, what the answer has in common with the other likely ones
(answers to one question are of one kind), and the scores of models in single passages. Only names, classes
and text are used, never facts.

A chained question is read in two steps: the things that it describes are weighed as answers to a question of
their own, and the pages of the likely ones are read, too.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from rollcall.graph.graph import Graph
from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Asked
from rollcall.systems.read.chain import CHAIN_FEATURES, chained
from rollcall.systems.read.combined.comparison import Comparison, comparison_in
from rollcall.systems.read.combined.likeness import LIKENESS, Likeness, Sought, Types
from rollcall.systems.read.combined.model_scores import SCORES, ModelScores, only_scored, scored
from rollcall.systems.read.combined.nearness import NEARNESS, Nearness, nearness
from rollcall.systems.read.combined.places import PLACES, places
from rollcall.systems.read.combined.search import FoundFurther, Search
from rollcall.systems.read.combined.statement_weights import NO_STATEMENTS, Statements
from rollcall.systems.read.combined.statements import STATEMENTS, Stated
from rollcall.systems.read.combined.table import Chances, Table
from rollcall.systems.read.mention_weights import packaged_weights
from rollcall.systems.read.name_finder import NameFinder
from rollcall.systems.read.passage_sentences import PassageReading, ReadPassage, ReadSentence
from rollcall.systems.read.question_words import QuestionAnalysis, QuestionWords, asked_noun, cues
from rollcall.systems.read.support import FEATURES, supported
from rollcall.systems.retrieve.analysis import terms

_QUESTION = (
    "names in the question",
    "classes in the question",
    "chained",
    "who",
    "possible answers",
    "expected answers by mentions",
    "words in the question",
)
PLAIN = (
    *FEATURES,
    *(f"chained: {one}" for one in CHAIN_FEATURES),
    *PLACES,
    *(f"nearness: {one}" for one in NEARNESS),
    *LIKENESS,
    *(f"statements: {one}" for one in STATEMENTS),
    *_QUESTION,
)
"""The features without models."""

_THINGS, _LIKELY, _PASSAGES = 30, 0.05, 2
"""For a chained question, so many things with this chance are read: so many passages of the page of each."""

PagesOf: TypeAlias = Callable[[str, int], Sequence[Passage]]
"""The first passages of the page of an entity, which is given by its id."""
Weigh: TypeAlias = Callable[[Table], Chances]
"""The probability of each possible answer, from its features without models."""


def names_of(models: Sequence[str]) -> tuple[str, ...]:
    """The names of all features, for these models."""
    return (*PLAIN, *(f"{model}: {one}" for model in models for one in SCORES))


class FirstLook(NamedTuple):
    """A question that was read with its passages."""

    words: QuestionWords
    comparison: Comparison | None
    said: Mapping[int, Sequence[ReadSentence]]
    """If the question compares, the sentences that name each entity."""
    answers: list[int | str]
    """The possible answers: entities by number, or values by text."""
    rows: Table
    """A row of features for each."""
    told: Mapping[int | str, frozenset[str]]
    """The words of the sentence that is likeliest to state each."""
    more: FoundFurther
    """What was sought beside the given passages."""


class _Known(NamedTuple):
    """What is known of the possible answers before models: rows of features, and chances."""

    direct: Mapping[int | str, tuple[float, ...]]
    linked: Mapping[int | str, tuple[float, ...]]
    chances: Mapping[int | str, float]
    stated: Stated


class FeatureMaker:
    """Computes features with one graph."""

    def __init__(
        self,
        graph: Graph,
        reading: PassageReading,
        finder: NameFinder,
        types: Types,
        pages: PagesOf | None,
        statements: Statements = NO_STATEMENTS,
        search: Search | None = None,
        near: Nearness | None = None,
    ) -> None:
        self._graph, self._reading, self._pages, self._statements = graph, reading, pages, statements
        self._search, self._near = search, near
        self._questions = QuestionAnalysis(graph, finder, thorough=True)
        self._weights = packaged_weights()
        self._likeness = Likeness(graph, types)

    def words(self, question: Asked) -> QuestionWords:
        """The parts of a question."""
        return self._questions.words(question.question)

    def read(
        self,
        question: Asked,
        passages: Sequence[Passage],
        scores: ModelScores,
        things: Weigh | None = None,
    ) -> FirstLook:
        """All possible answers with their features. `things` weighs the things of a chained question."""
        words = self.words(question)
        more = FoundFurther([], 0)
        if self._search is not None:
            more = self._search.further(question, words, passages)
        text = question.question
        given = self._read(text, passages)
        read = [*given, *self._read(text, more.passages)]
        known = self._direct(words, read)
        everything: Sequence[ReadPassage] = read
        if words.further is not None:
            chances = self._things(text, words, read, known, things)
            everything = [*read, *self.hop(text, [*passages, *more.passages], chances)]
            known = self._chained(words, everything, known, chances)
        comparison = comparison_in(text)
        said = _said(everything) if comparison is not None else {}
        answers = _sorted({*known.direct, *known.linked, *only_scored(scores)})
        if not answers:
            empty = np.zeros((0, len(names_of(list(scores)))), np.float32)
            return FirstLook(words, comparison, said, [], empty, {}, more)
        noun = cues(terms(asked_noun(text)))
        wanted = words.further.cues if words.further is not None else words.cues
        parts = [
            self._plain(answers, Sought(text, noun, wanted, words), everything, known),
            *(scored(answers, given, per_passage) for per_passage in scores.values()),
        ]
        rows = np.concatenate(parts, axis=1).astype(np.float32)
        return FirstLook(words, comparison, said, answers, rows, known.stated.told, more)

    def _direct(self, words: QuestionWords, read: Sequence[ReadPassage]) -> _Known:
        """What the words of a question without its chain say."""
        found = supported(self._graph, words, read)
        weights = self._weights.of("classed" if words.classes else "unclassed")
        rows: dict[int | str, tuple[float, ...]] = {one.answer: one.features for one in found}
        stated = Stated(self._statements)
        stated.read(words, read)
        return _Known(rows, {}, {one.answer: weights.probability(one) for one in found}, stated)

    def _things(
        self,
        text: str,
        words: QuestionWords,
        read: Sequence[ReadPassage],
        known: _Known,
        weigh: Weigh | None,
    ) -> dict[int, float]:
        """How likely each entity is one of the things that a chained question describes."""
        if weigh is None or not known.direct:
            return {one: chance for one, chance in known.chances.items() if isinstance(one, int)}
        answers = _sorted(known.direct)
        alone = words._replace(further=None)
        sought = Sought(text, cues(terms(words.noun)), words.cues, alone)
        found = weigh(self._plain(answers, sought, read, known).astype(np.float32))
        pairs = zip(answers, found.tolist(), strict=True)
        return {one: chance for one, chance in pairs if isinstance(one, int)}

    def _read(self, question: str, passages: Sequence[Passage]) -> list[ReadPassage]:
        """Passages as they are read, with how near they are to a question."""
        read = self._reading.read(passages)
        return read if self._near is None else self._near.told(question, passages, read)

    def hop(
        self, question: str, passages: Sequence[Passage], chances: Mapping[int, float]
    ) -> list[ReadPassage]:
        """The pages of the likely things, as far as they were not retrieved."""
        if self._pages is None:
            return []
        likely = sorted((-chance, one) for one, chance in chances.items() if chance >= _LIKELY)[:_THINGS]
        seen = {one.id for one in passages}
        ids = self._graph.index.entity_ids
        found = [page for _, one in likely for page in self._pages(ids[one], _PASSAGES)]
        return self._read(question, [one for one in found if one.id not in seen])

    def _chained(
        self,
        words: QuestionWords,
        read: Sequence[ReadPassage],
        known: _Known,
        chances: Mapping[int, float],
    ) -> _Known:
        """What is said of the things."""
        assert words.further is not None
        found = chained(self._graph, words.further, read, chances)
        weights = self._weights.of("chained")
        new: dict[int | str, float] = {one.answer: weights.probability(one) for one in found}
        linked: dict[int | str, tuple[float, ...]] = {one.answer: one.features for one in found}
        known.stated.read_chain(words.further, read, chances)
        return known._replace(linked=linked, chances={**known.chances, **new})

    def _plain(
        self, answers: Sequence[int | str], sought: Sought, read: Sequence[ReadPassage], known: _Known
    ) -> Table:
        """The features without models."""
        none, no_link = (0.0,) * len(FEATURES), (0.0,) * len(CHAIN_FEATURES)
        ties: Table = np.array(
            [(*known.direct.get(one, none), *known.linked.get(one, no_link)) for one in answers]
        )
        return np.concatenate(
            [
                ties,
                places(answers, read),
                nearness(answers, read),
                self._likeness.rows(answers, sought, read, known.chances),
                known.stated.rows(answers),
                _asked(len(answers), sought, known.chances),
            ],
            axis=1,
        )


def _asked(count: int, sought: Sought, chances: Mapping[int | str, float]) -> Table:
    """What is the same for all possible answers."""
    row = (
        float(len(sought.words.anchors)),
        float(bool(sought.words.classes)),
        float(sought.words.further is not None),
        float(sought.text.lower().startswith("who")),
        math.log1p(count),
        math.log1p(sum(chances.values())),
        float(len(sought.text.split())),
    )
    return np.tile(np.array(row), (count, 1))


def _sorted(answers: Mapping[int | str, object] | set[int | str]) -> list[int | str]:
    return sorted(answers, key=lambda one: (isinstance(one, str), str(one)))


def _said(read: Sequence[ReadPassage]) -> dict[int, list[ReadSentence]]:
    """The sentences that name each entity."""
    found: dict[int, list[ReadSentence]] = {}
    for passage in read:
        for sentence in passage.sentences:
            for entity in sentence.entities:
                found.setdefault(entity, []).append(sentence)
    return found
