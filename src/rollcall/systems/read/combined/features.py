"""What is known about each possible answer to a question, as numbers: the input of the trees.

Five sources: what `mentions` finds (ties to the names of the question, classes), where the passages that name
the answer stand, how near they are to the question, what the answer has in common with the other likely ones
(answers to one question are of one kind), and the scores of models in single passages. Only names, classes
and text are used, never facts.

A chained question is read in two steps: the things that it describes are weighed as answers to a question of
their own, and the pages of the likely ones are read, too.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np

from rollcall.graph.graph import Graph
from rollcall.query.values import Date, Number, ValueBounds
from rollcall.questions.run import Passage
from rollcall.systems.ask.values_in_text import values_in
from rollcall.systems.interfaces import Asked
from rollcall.systems.read.chain import CHAIN_FEATURES, chained
from rollcall.systems.read.combined.nearness import (
    NEARNESS,
    Chances,
    FoundFurther,
    Nearness,
    Search,
    Table,
    nearness,
)
from rollcall.systems.read.combined.statements import NO_STATEMENTS, STATEMENTS, Stated, Statements
from rollcall.systems.read.mentions import packaged_weights
from rollcall.systems.read.question_words import QuestionAnalysis, QuestionWords, asked_noun, cues
from rollcall.systems.read.support import (
    FEATURES,
    PassagePreparation,
    ReadPassage,
    ReadSentence,
    strength,
    supported,
)
from rollcall.systems.retrieve.bm25 import terms
from rollcall.text.name_lookup import NameFinder
from rollcall.text.words import MONTH_NUMBERS, fold

# Where the passages stand that name a possible answer, as features.

PLACES = (
    "passages that name it",
    "first passage that names it",
    "first passage of its own page",
    "score of its own page",
    "share of passages that name it",
    "in a title",
    "names with it in a sentence",
)


def places(answers: Sequence[int | str], read: Sequence[ReadPassage]) -> Table:
    """A row for each possible answer."""
    count: dict[int | str, int] = {}
    first: dict[int | str, int] = {}
    own: dict[int | str, tuple[int, float]] = {}
    beside: dict[int | str, int] = {}
    for rank, passage in enumerate(read):
        entities: set[int | str] = set()
        for sentence in passage.sentences:
            entities |= sentence.entities
            for entity in sentence.entities:
                beside[entity] = max(beside.get(entity, 0), len(sentence.entities))
        if passage.owner is not None:
            entities.add(passage.owner)
            own.setdefault(passage.owner, (rank, passage.score))
        for answer in entities:
            count[answer] = count.get(answer, 0) + 1
            first.setdefault(answer, rank)
    total = max(len(read), 1)
    return np.array(
        [
            (
                math.log1p(count.get(answer, 0)),
                1.0 / (1 + first.get(answer, total)),
                1.0 / (1 + own[answer][0]) if answer in own else 0.0,
                own[answer][1] if answer in own else 0.0,
                count.get(answer, 0) / total,
                float(answer in own),
                math.log1p(beside.get(answer, 0)),
            )
            for answer in answers
        ]
    )


# What a possible answer has in common with the likely ones and with the question's words, as features.

LIKENESS = (
    "chance by mentions",
    "rank by mentions",
    "share of the best chance",
    "types like the likely ones",
    "rarity of that type",
    "types",
    "type has the noun",
    "first sentence has the noun",
    "first sentence has the cues",
    "name in the question",
    "name shares words with the names",
)


_UNIT = re.compile(r"[^\W\d_]+")
_UNIT_RARITY = 5.0


class EntityClasses:
    """The classes of a graph's entities, and how rare each is; the class of a value is its unit."""

    def __init__(self, graph: Graph) -> None:
        entities, classes = graph.index.types_forward()
        self._entities, self._classes = np.asarray(entities), np.asarray(classes)
        sizes = np.bincount(self._classes, minlength=len(graph.index.class_ids))
        self.rarity: list[float] = (-np.log((sizes + 1) / (len(graph.index.entity_ids) + 1))).tolist()
        self._units: dict[str, int] = {}
        self.stems = [
            cues(terms(label or graph.index.class_ids[number]))
            for number, label in enumerate(graph.index.class_labels)
        ]

    def of(self, answer: int | str) -> tuple[int, ...]:
        """The classes of an entity, or the unit of a value."""
        if isinstance(answer, str):
            return (self._unit(answer),)
        first, last = np.searchsorted(self._entities, [answer, answer + 1])
        return tuple(self._classes[first:last].tolist())

    def _unit(self, value: str) -> int:
        words = _UNIT.findall(fold(value))
        year = len(value) == 4 and value.isdigit()
        unit = (
            "date" if MONTH_NUMBERS.keys() & set(words) else " ".join(words) or ("year" if year else "number")
        )
        if unit not in self._units:
            self._units[unit] = len(self.rarity)
            self.rarity.append(_UNIT_RARITY)
            self.stems.append(cues(terms(unit)))
        return self._units[unit]


class Sought(NamedTuple):
    """What a question, or a part of it, looks for."""

    text: str
    noun: frozenset[str]
    """The stems of its noun."""
    cues: frozenset[str]
    words: QuestionWords


class LikenessFeatures:
    """Computes these features with one graph."""

    def __init__(self, graph: Graph, types: EntityClasses) -> None:
        self._graph, self._types = graph, types
        self._stems = lru_cache(maxsize=100_000)(lambda label: frozenset(terms(label)))

    def rows(
        self,
        answers: Sequence[int | str],
        sought: Sought,
        read: Sequence[ReadPassage],
        chances: Mapping[int | str, float],
    ) -> Table:
        """A row for each possible answer; `chances` says how likely it is so far."""
        opening = {
            passage.owner: passage.sentences[0].cues
            for passage in reversed(read)
            if passage.owner is not None and passage.sentences
        }
        best = max(chances.values(), default=0.0) or 1.0
        ranked = {
            answer: rank for rank, answer in enumerate(sorted(chances, key=lambda answer: -chances[answer]))
        }
        types = {answer: self._types.of(answer) for answer in answers}
        weight: dict[int, float] = {}
        for typed, kinds in types.items():
            for kind in kinds:
                weight[kind] = weight.get(kind, 0.0) + chances.get(typed, 0.0) ** 2
        total = sum(chances.get(answer, 0.0) ** 2 for answer in types if isinstance(answer, int)) or 1.0
        anchors = {word for anchor in sought.words.anchors for word in terms(anchor.text)}
        text = f" {fold(sought.text)} "
        rows = []
        for answer in answers:
            kinds = types[answer]
            chance = chances.get(answer, 0.0)
            alike = [((weight[kind] - chance**2) / total * self._types.rarity[kind], kind) for kind in kinds]
            top = max(alike, default=(0.0, -1))
            label = (
                self._graph.label(self._graph.index.entity_ids[answer]) if isinstance(answer, int) else answer
            )
            stems = self._stems(label)
            first = opening.get(answer, frozenset()) if isinstance(answer, int) else frozenset()
            rows.append(
                (
                    chance,
                    1.0 / (1 + ranked.get(answer, len(answers))),
                    chance / best,
                    top[0],
                    self._types.rarity[top[1]] if top[1] >= 0 else 0.0,
                    float(len(kinds)),
                    max((share(sought.noun, self._types.stems[kind]) for kind in kinds), default=0.0),
                    share(sought.noun, first),
                    share(sought.cues, first),
                    float(f" {fold(label)} " in text),
                    len(stems & anchors) / max(len(stems), 1),
                )
            )
        return np.array(rows)


def share(wanted: frozenset[str], present: frozenset[str]) -> float:
    """The share of some stems that are among others."""
    return len(wanted & present) / len(wanted) if wanted else 0.0


# The scores of a model for a possible answer in single passages, as features.

SCORES = ("best", "second", "mean of three", "own page", "rank", "share of the best", "passages over a half")

ModelScores: TypeAlias = Mapping[str, Sequence[Mapping[int | str, float]]]
"""For each model, for each passage, the scores of answers."""

_CERTAIN = 0.1
"""The score from which an answer of a model is a possible answer."""


def only_scored(scores: ModelScores) -> set[int | str]:
    """What a model is fairly certain of: also names that the graph lacks, and values."""
    return {
        answer
        for per_passage in scores.values()
        for passage in per_passage
        for answer, score in passage.items()
        if score >= _CERTAIN
    }


def scored(
    answers: Sequence[int | str],
    read: Sequence[ReadPassage],
    per_passage: Sequence[Mapping[int | str, float]],
) -> Table:
    """A row for each possible answer, by the scores of one model in these passages."""
    all_scores: dict[int | str, list[float]] = {}
    own: dict[int | str, float] = {}
    for passage, scores in zip(read, per_passage, strict=True):
        for answer, score in scores.items():
            all_scores.setdefault(answer, []).append(score)
            if answer == passage.owner:
                own[answer] = max(own.get(answer, 0.0), score)
    ranking = sorted(all_scores, key=lambda answer: -max(all_scores[answer]))
    ranked = {answer: rank for rank, answer in enumerate(ranking)}
    best = max((max(answer_scores) for answer_scores in all_scores.values()), default=0.0) or 1.0
    rows = []
    for answer in answers:
        best_scores = sorted(all_scores.get(answer, ()), reverse=True) or [0.0]
        rows.append(
            (
                best_scores[0],
                best_scores[1] if len(best_scores) > 1 else 0.0,
                sum(best_scores[:3]) / 3,
                own.get(answer, 0.0),
                1.0 / (1 + ranked.get(answer, len(answers))),
                best_scores[0] / best,
                math.log1p(sum(score > 0.5 for score in best_scores)),
            )
        )
    return np.array(rows)


# Comparisons in a question ("founded before 1880", "more than 57 …"), and the values that satisfy them.

COMPARED = (
    "compared",
    "first value",
    "share of values",
    "value beside the cues",
    "values beside its name",
    "values",
)

_BEFORE = 40
"""Characters before a value in which the words stand that say what is compared."""


class ValueComparison(NamedTuple):
    """A value that others are compared with."""

    comparator: str
    bounds: ValueBounds
    cues: frozenset[str]
    """The stems of the words before it."""

    def satisfied(self, value: ValueBounds) -> bool:
        """Whether a value satisfies it; of a span, the whole must."""
        low, high = self.bounds.low, self.bounds.high
        match self.comparator:
            case ">":
                return value.low > high
            case ">=":
                return value.low >= low
            case "<":
                return value.high < low
            case _:
                return value.high <= high


def comparison_in(question: str) -> ValueComparison | None:
    """The first comparison of a question; what may be a year or a number is a year."""
    mentions = [mention for mention in values_in(question) if mention.comparator != "="]
    for mention in sorted(mentions, key=lambda mention: (mention.start, not isinstance(mention.value, Date))):
        if isinstance(mention.value, Date | Number):
            before = question[max(mention.start - _BEFORE, 0) : mention.start]
            return ValueComparison(mention.comparator, mention.value.bounds, cues(terms(before)))
    return None


def compared(
    comparison: ValueComparison | None, own: Iterable[ReadSentence], others: Iterable[ReadSentence]
) -> tuple[float, ...]:
    """The features of a possible answer: `own` are sentences of its page, `others` name it elsewhere."""
    if comparison is None:
        return (0.0,) * len(COMPARED)
    values = [
        (sign, strength(comparison.cues, sentence.cues))
        for sentence in own
        for sign in _signs(comparison, sentence.text)
    ]
    beside = [sign for sentence in others for sign in _signs(comparison, sentence.text)]
    signs = [sign for sign, _ in values]
    return (
        1.0,
        signs[0] if signs else 0.0,
        _mean(signs),
        max(values, key=lambda pair: pair[1])[0] if values else 0.0,
        _mean(beside),
        float(len(values)),
    )


def _signs(comparison: ValueComparison, text: str) -> list[float]:
    """For each value in a text that can be compared, 1 if it satisfies the comparison, and -1 if not."""
    if not any(character.isdigit() for character in text):
        return []
    bounds = [mention.value.bounds for mention in values_in(text) if isinstance(mention.value, Date | Number)]
    return [
        1.0 if comparison.satisfied(value_bounds) else -1.0
        for value_bounds in bounds
        if value_bounds.dimension == comparison.bounds.dimension
    ]


def _mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


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
    *(f"chained: {feature}" for feature in CHAIN_FEATURES),
    *PLACES,
    *(f"nearness: {feature}" for feature in NEARNESS),
    *LIKENESS,
    *(f"statements: {feature}" for feature in STATEMENTS),
    *_QUESTION,
)
"""The features without models."""

_THINGS, _LIKELY, _PASSAGES = 30, 0.05, 2
"""For a chained question: how many things are read, their least chance, and the passages of each page."""

PagesOf: TypeAlias = Callable[[str, int], Sequence[Passage]]
"""The first passages of the page of an entity, which is given by its id."""
Weigh: TypeAlias = Callable[[Table], Chances]
"""The probability of each possible answer, from its features without models."""


def names_of(models: Sequence[str]) -> tuple[str, ...]:
    """The names of all features, for these models."""
    return (*PLAIN, *(f"{model}: {feature}" for model in models for feature in SCORES))


class FirstLook(NamedTuple):
    """A question that was read with its passages."""

    words: QuestionWords
    comparison: ValueComparison | None
    naming_sentences: Mapping[int, Sequence[ReadSentence]]
    """If the question compares, the sentences that name each entity."""
    answers: list[int | str]
    """The possible answers: entities by number, or values by text."""
    rows: Table
    """A row of features for each."""
    stating_words: Mapping[int | str, frozenset[str]]
    """The words of the sentence that is likeliest to state each."""
    further: FoundFurther
    """The passages that were found in addition to the given ones."""


class _DirectFeatures(NamedTuple):
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
        reading: PassagePreparation,
        finder: NameFinder,
        types: EntityClasses,
        pages: PagesOf | None,
        statements: Statements = NO_STATEMENTS,
        search: Search | None = None,
        near: Nearness | None = None,
    ) -> None:
        self._graph, self._reading, self._pages, self._statements = graph, reading, pages, statements
        self._search, self._near = search, near
        self._questions = QuestionAnalysis(graph, finder, thorough=True)
        self._weights = packaged_weights()
        self._likeness = LikenessFeatures(graph, types)

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
        further = FoundFurther([], 0)
        if self._search is not None:
            further = self._search.further(question, words, passages)
        text = question.question
        retrieved = self._read(text, passages)
        read = [*retrieved, *self._read(text, further.passages)]
        known = self._direct(words, read)
        everything: Sequence[ReadPassage] = read
        if words.further is not None:
            chances = self._things(text, words, read, known, things)
            everything = [*read, *self.hop(text, [*passages, *further.passages], chances)]
            known = self._chained(words, everything, known, chances)
        comparison = comparison_in(text)
        naming_sentences = _naming_sentences(everything) if comparison is not None else {}
        answers = _sorted({*known.direct, *known.linked, *only_scored(scores)})
        if not answers:
            empty = np.zeros((0, len(names_of(list(scores)))), np.float32)
            return FirstLook(words, comparison, naming_sentences, [], empty, {}, further)
        noun = cues(terms(asked_noun(text)))
        wanted = words.further.cues if words.further is not None else words.cues
        parts = [
            self._plain(answers, Sought(text, noun, wanted, words), everything, known),
            *(scored(answers, retrieved, per_passage) for per_passage in scores.values()),
        ]
        rows = np.concatenate(parts, axis=1).astype(np.float32)
        return FirstLook(
            words, comparison, naming_sentences, answers, rows, known.stated.stating_words, further
        )

    def _direct(self, words: QuestionWords, read: Sequence[ReadPassage]) -> _DirectFeatures:
        """What the words of a question without its chain say."""
        candidates = supported(self._graph, words, read)
        weights = self._weights.of("classed" if words.classes else "unclassed")
        rows: dict[int | str, tuple[float, ...]] = {
            candidate.answer: candidate.features for candidate in candidates
        }
        stated = Stated(self._statements)
        stated.read(words, read)
        return _DirectFeatures(
            rows, {}, {candidate.answer: weights.probability(candidate) for candidate in candidates}, stated
        )

    def _things(
        self,
        text: str,
        words: QuestionWords,
        read: Sequence[ReadPassage],
        known: _DirectFeatures,
        weigh: Weigh | None,
    ) -> dict[int, float]:
        """How likely each entity is one of the things that a chained question describes."""
        if weigh is None or not known.direct:
            return {entity: chance for entity, chance in known.chances.items() if isinstance(entity, int)}
        answers = _sorted(known.direct)
        alone = words._replace(further=None)
        sought = Sought(text, cues(terms(words.noun)), words.cues, alone)
        weighed = weigh(self._plain(answers, sought, read, known).astype(np.float32))
        pairs = zip(answers, weighed.tolist(), strict=True)
        return {entity: chance for entity, chance in pairs if isinstance(entity, int)}

    def _read(self, question: str, passages: Sequence[Passage]) -> list[ReadPassage]:
        """Passages as they are read, with how near they are to a question."""
        read = self._reading.read(passages)
        return read if self._near is None else self._near.measured(question, passages, read)

    def hop(
        self, question: str, passages: Sequence[Passage], chances: Mapping[int, float]
    ) -> list[ReadPassage]:
        """The pages of the likely things that were not retrieved."""
        if self._pages is None:
            return []
        likely = sorted((-chance, entity) for entity, chance in chances.items() if chance >= _LIKELY)[
            :_THINGS
        ]
        seen = {passage.id for passage in passages}
        ids = self._graph.index.entity_ids
        pages = [page for _, entity in likely for page in self._pages(ids[entity], _PASSAGES)]
        return self._read(question, [page for page in pages if page.id not in seen])

    def _chained(
        self,
        words: QuestionWords,
        read: Sequence[ReadPassage],
        known: _DirectFeatures,
        chances: Mapping[int, float],
    ) -> _DirectFeatures:
        """What is said of the things."""
        assert words.further is not None
        candidates = chained(self._graph, words.further, read, chances)
        weights = self._weights.of("chained")
        new: dict[int | str, float] = {
            candidate.answer: weights.probability(candidate) for candidate in candidates
        }
        linked: dict[int | str, tuple[float, ...]] = {
            candidate.answer: candidate.features for candidate in candidates
        }
        known.stated.read_chain(words.further, read, chances)
        return known._replace(linked=linked, chances={**known.chances, **new})

    def _plain(
        self,
        answers: Sequence[int | str],
        sought: Sought,
        read: Sequence[ReadPassage],
        known: _DirectFeatures,
    ) -> Table:
        """The features without models."""
        none, no_link = (0.0,) * len(FEATURES), (0.0,) * len(CHAIN_FEATURES)
        ties: Table = np.array(
            [(*known.direct.get(answer, none), *known.linked.get(answer, no_link)) for answer in answers]
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
    return sorted(answers, key=lambda answer: (isinstance(answer, str), str(answer)))


def _naming_sentences(read: Sequence[ReadPassage]) -> dict[int, list[ReadSentence]]:
    """The sentences that name each entity."""
    sentences: dict[int, list[ReadSentence]] = {}
    for passage in read:
        for sentence in passage.sentences:
            for entity in sentence.entities:
                sentences.setdefault(entity, []).append(sentence)
    return sentences
