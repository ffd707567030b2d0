"""Which words of questions go with which relations: counted on the questions of a training and their answers.

The published systems aligned phrases with relations on text of the whole web, by the pairs of entities that
both connect. Here a word goes with a relation if the relation leads from a name in its question to the
answers. While a system learns, the questions of the same cluster are left out of the counts that it is shown,
since otherwise it would trust them more than it may later.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Generic, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from rollcall.graph import Graph
from rollcall.graph.index import GraphIndex, Numbers
from rollcall.graph.rows import contained
from rollcall.mine.neighbourhood import FORWARD, Neighbourhood
from rollcall.query.values import Number
from rollcall.questions.record import Answer
from rollcall.systems.ask.name_index import NameIndex
from rollcall.systems.ask.ranking import entities_among, image
from rollcall.systems.ask.reading import QuestionReader, QuestionReading
from rollcall.systems.ask.words import Word
from rollcall.text.nouns import is_plural
from rollcall.text.verbs import is_participle, verb_form
from rollcall.text.words import QUESTION_WORDS, fold
from rollcall.wording.lexicon import Lexicon

# The right answers to a question, as terms of a graph, and the reward of a candidate: the F1 of its
# answers. Entities are compared by id, or by name where the set gives no ids; values by their text.

_MOST_VALUES = 20
"""A set of values that is this many times larger than the gold earns nothing."""


class Gold:
    """The answers to one question."""

    def __init__(self, index: GraphIndex, answers: Sequence[Answer]) -> None:
        self._index = index
        self.count = len(answers)
        entities: set[int] = set()
        texts: set[str] = set()
        for answer in answers:
            number = index.entity_number(answer.id) if answer.id else None
            if number is not None:
                entities.add(number)
            else:
                entities.update(index.named(fold(answer.label)).tolist())
                texts.update(map(fold, (answer.label, *answer.aliases)))
        self.entities: Numbers = np.array(sorted(entities), dtype=index.dtype)
        self._texts = texts

    def right(self, terms: Numbers) -> "list[bool]":
        """Which of some sorted terms are answers."""
        first = self._first_value(terms)
        return [*contained(terms[:first], self.entities).tolist(), *self._right_values(terms[first:])]

    def reward(self, terms: Numbers) -> float:
        """The F1 of some sorted terms."""
        first = self._first_value(terms)
        hits = int(contained(terms[:first], self.entities).sum())
        if self._texts and len(terms) - first <= _MOST_VALUES * (self.count + 1):
            hits += sum(self._right_values(terms[first:]))
        return 2.0 * min(hits, self.count) / (len(terms) + self.count) if hits else 0.0

    def _first_value(self, terms: Numbers) -> int:
        return int(terms.searchsorted(self._index.entity_count))

    def _right_values(self, values: Numbers) -> list[bool]:
        return [fold(str(self._index.value(value))) in self._texts for value in values.tolist()]

    def reward_of_count(self, count: int) -> float:
        """Whether a number of things is the answer."""
        return float(fold(str(Number(Decimal(count)))) in self._texts) if self.count == 1 else 0.0


_TRIED = 4
"""Entities of the same name that are tried."""
_LEAST_NAME = 0.5
_NEAR_BEST = 0.7
_PRIOR = 0.5
_SCALE = 5.0

Key = TypeVar("Key", int, str)
Counts: TypeAlias = dict[str, dict[Key, float]]
Table: TypeAlias = dict[str, dict[str, float]]
"""Counts as they are stored: for each word, relations with their directions."""


class TrainingQuestion(NamedTuple):
    """A question of a training."""

    id: str
    reading: QuestionReading
    gold: Gold
    group: str
    """Its cluster, or its own id."""


class AlignedWords(Generic[Key]):
    """Counts of words with hops or other words, seen with or without one group of questions.

    The row of the empty word has the counts for any word.
    """

    def __init__(self, counts: Counts[Key], without: Counts[Key] | None = None) -> None:
        self._counts: Counts[Key] = counts
        self._without: Counts[Key] = without or {}
        totals: dict[Key, float] = {}
        for source, sign in ((counts, 1.0), (self._without, -1.0)):
            for key, times in source.get("", {}).items():
                totals[key] = totals.get(key, 0.0) + sign * times
        self._totals: dict[Key, float] = totals
        self._all = sum(totals.values()) + 1.0
        self._alone: dict[str, float] = {}

    def seen_with(self, word: str) -> list[Key]:
        """What was seen with a word."""
        own = self._without.get(word, {})
        return [key for key, times in self._counts.get(word, {}).items() if times - own.get(key, 0.0) > 1e-9]

    def lift(self, word: str, key: Key) -> float:
        """How much more often a word goes with something than words do, from 0 to about 1."""
        row, own = self._counts.get(word, {}), self._without.get(word, {})
        together = row.get(key, 0.0) - own.get(key, 0.0)
        if together <= 1e-9:
            return 0.0
        if word not in self._alone:
            self._alone[word] = sum(row.values()) - sum(own.values())
        expected = (self._totals.get(key, 0.0) + _PRIOR) / (self._all + _PRIOR)
        share = (together + _PRIOR * expected) / (self._alone[word] + _PRIOR)
        return max(0.0, math.log(share / expected)) / _SCALE


class Alignment:
    """All counts of a training."""

    def __init__(self, counts: Counts[int], groups: Mapping[str, Counts[int]] | None = None) -> None:
        self._counts, self._groups = counts, groups or {}
        self.whole = AlignedWords(counts)

    def without(self, group: str) -> AlignedWords[int]:
        """The counts of all questions but those of a group."""
        return AlignedWords(self._counts, self._groups[group]) if group in self._groups else self.whole

    @classmethod
    def learned(cls, questions: Iterable[TrainingQuestion], hops: Neighbourhood) -> "Alignment":
        """The counts of some questions."""
        counts: Counts[int] = {}
        groups: dict[str, Counts[int]] = {}
        for question in questions:
            own = groups.setdefault(question.group, {})
            for word, hop, weight in _seen(question, hops):
                add_to(counts, word, hop, weight)
                add_to(own, word, hop, weight)
        return cls(counts, groups)

    def table(self, index: GraphIndex) -> Table:
        """The counts by the ids of relations, to be stored."""
        ids = index.relation_ids
        return {
            word: {
                f"{'>' if hop % 2 == FORWARD else '<'}{ids[hop // 2]}": round(times, 6)
                for hop, times in sorted(row.items())
            }
            for word, row in sorted(self._counts.items())
        }

    @classmethod
    def opened(cls, table: Table, index: GraphIndex) -> "Alignment":
        """The counts for the relations of a graph; others are left out."""
        counts: Counts[int] = {}
        for word, row in table.items():
            for key, times in row.items():
                relation = index.relation_number(key[1:])
                if relation is not None:
                    counts.setdefault(word, {})[2 * relation + (key[0] == "<")] = times
        return cls(counts)


def _seen(question: TrainingQuestion, hops: Neighbourhood) -> Iterable[tuple[str, int, float]]:
    """The words of a question with the hops that lead to its answers; "" stands for any word."""
    rewards: dict[tuple[int, int], float] = {}
    for mention in question.reading.entities:
        for entity in mention.entities[:_TRIED] if mention.quality >= _LEAST_NAME else ():
            for hop in hops.hops(entity):
                reward = question.gold.reward(hops.others(entity, hop))
                if reward > 0.0:
                    key = (mention.mask, hop)
                    rewards[key] = max(reward, rewards.get(key, 0.0))
    best = max(rewards.values(), default=0.0)
    for (mask, hop), reward in rewards.items():
        if reward >= _NEAR_BEST * best:
            yield "", hop, reward
            for word in content_words(question.reading, mask):
                yield word, hop, reward


def add_to(counts: Counts[Key], word: str, key: Key, weight: float) -> None:
    """Count a word with something."""
    row = counts.setdefault(word, {})
    row[key] = row.get(key, 0.0) + weight


def content_words(reading: QuestionReading, without: int = 0) -> list[str]:
    """The roots of the content words, each once; `without` is a mask of words to leave out."""
    return list(
        dict.fromkeys(
            word.root
            for position, word in enumerate(reading.words)
            if not word.is_empty and not without >> position & 1
        )
    )


# Coarse parts of speech, by word lists and endings: there is no tagger and no parser here. They stand
# for the part-of-speech features of the published systems. A function word is its own tag, so that "by"
# and "of" can be told apart.

_SHOWN = 4
"""Function words between two phrases that are told apart."""


def tag(word: Word) -> str:
    """The tag of a word."""
    text = word.folded
    if text in QUESTION_WORDS or text == "how":
        return "question"
    if not text[0].isalnum():
        return "mark"
    if word.is_empty:
        return "function"
    if text[0].isdigit():
        return "number"
    if is_participle(text) or verb_form(text, "past", "participle"):
        return "past"
    if verb_form(text, "gerund"):
        return "gerund"
    if is_plural(text):
        return "plural"
    return "verb" if verb_form(text, "base", "present") else "noun"


def between(words: Sequence[Word], left: int, right: int) -> str:
    """The function words between two places, which say how the phrases beside them belong together."""
    function_words = [word.folded for word in words[left + 1 : right] if word.is_empty]
    return " ".join(function_words[-_SHOWN:])


def question_word(words: Sequence[Word]) -> str:
    """The first question word; `how many` is one."""
    for position, word in enumerate(words):
        if word.folded == "how":
            return f"how {words[position + 1].folded}" if position + 1 < len(words) else "how"
        if word.folded in QUESTION_WORDS:
            return word.folded
    return "none"


# The paths of one or two relations out of an entity, with all that each leads to.

Path: TypeAlias = tuple[int, ...]
"""Hops, each `2 * relation + direction`."""
_SEEDS = 8
"""Nodes of a first hop whose own relations are followed."""
_LARGEST = 2_000
"""Sets of more nodes than this are not followed."""


def paths_from(index: GraphIndex, hops: Neighbourhood, entity: int) -> Iterator[tuple[Path, Numbers]]:
    """First all paths of one relation, then those of two that do not lead straight back."""
    first = [(hop, hops.others(entity, hop)) for hop in hops.hops(entity)]
    for hop, terms in first:
        yield (hop,), terms
    for hop, terms in first:
        entities = entities_among(index, terms)
        if not 0 < len(entities) <= _LARGEST:
            continue
        onward = {next_hop for seed in entities[:_SEEDS].tolist() for next_hop in hops.hops(seed)}
        for other in sorted(onward - {hop ^ 1}):
            yield (hop, other), image(index, entities, *divmod(other, 2))


# The parts of one graph with which trained systems read questions. `labels` gives them the names that
# the graph itself has; `lexicon` also those of Rollcall's lexicon, in which the questions of its recipes
# are worded.

Names: TypeAlias = Literal["labels", "lexicon"]


class GraphReading:
    """Reads questions about a graph, with its own names of relations or with those of the lexicon."""

    def __init__(self, graph: Graph, names: Names) -> None:
        self.graph, self.index = graph, graph.index
        self.lexicon = Lexicon.load() if names == "lexicon" else Lexicon({})
        known = NameIndex.of(graph)
        self.hops = known.neighbourhood
        self.questions = QuestionReader(graph, known, self.lexicon)
        self.phrases = self.questions.phrases


# How many facts the relations of a graph have, by which a relation that no word names is weighed.


def popularity_of(index: GraphIndex) -> list[float]:
    """For each relation the logarithm of its number of facts, from 0 to 1."""
    sizes = [len(index.forward(relation)[0]) for relation in range(len(index.relation_ids))]
    most = math.log1p(max(sizes, default=1))
    return [math.log1p(size) / most for size in sizes]


# What answers are like: their number, and their classes or dimensions, as names of features.

_SIZES = ((1, "1"), (3, "2 to 3"), (10, "4 to 10"), (50, "11 to 50"), (1000, "51 to 1000"))
_SAMPLE = 5


def size_of(terms: Numbers) -> str:
    """The number of some answers, roughly."""
    return next((name for most, name in _SIZES if len(terms) <= most), "more")


def kinds_of(index: GraphIndex, terms: Numbers) -> list[str]:
    """The classes of some answers by label; for values, their dimensions."""
    kinds: dict[str, None] = {}
    for term in terms[:_SAMPLE].tolist():
        if term >= index.entity_count:
            dimension = int(index.literal_dimension[term - index.entity_count])
            kinds[f"value {index.dimensions[dimension]}" if dimension >= 0 else "text"] = None
        else:
            kinds.update(
                (index.class_labels[int(class_)] or "thing", None) for class_ in index.direct_types(term)
            )
    return list(kinds)
