"""How surely the passages state what a question asks of each possible answer, as features.

Every condition of the question is judged on its own: the surest sentence that ties the answer to its name
counts. Of a chained question, the surest sentence about one of its things counts, weighed by the probability
of that thing.
"""

import gzip
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec
import numpy as np

from rollcall._core.errors import UNREADABLE, RollcallError, why
from rollcall._core.files import DamagedFileError, open_compressed
from rollcall.systems.read.chain import values_of
from rollcall.systems.read.combined.nearness import Table, adjectives_of
from rollcall.systems.read.question_words import Further, QuestionWords, cues
from rollcall.systems.read.support import ReadPassage, ReadSentence, has_name
from rollcall.systems.retrieve.bm25 import terms
from rollcall.text.name_lookup import Mention
from rollcall.text.names import whole_words
from rollcall.text.words import fold

# The places where a text may state something of a possible answer, and the words there, as tokens. A
# place is a sentence that names the answer, or is on its page, and also names what the question
# names.

_WORD = re.compile(r"[^\W_]+")
_NEAR, _PATTERN = 7, 4
"""Between two names, more words than the first mean nothing; up to the second they are also one pattern."""


class StatementSentence(NamedTuple):
    """A sentence that may state something of an answer."""

    answer: int | str
    other: int
    """The number of the name of the question, or the thing of a chained question."""
    own: bool
    """Whether it is on the answer's own page."""
    sentence: ReadSentence
    tokens: frozenset[str]


class QuestionName(NamedTuple):
    """A name of the question: how it is written, and the entities that it may mean."""

    folded: str
    entities: frozenset[int]
    adjectives: tuple[str, ...] = ()
    """If it is a land, its adjectives, folded."""


def named(mention: Mention) -> QuestionName:
    """A name that was found in the question."""
    adjectives = tuple(fold(adjective) for adjective in adjectives_of(mention.text))
    return QuestionName(fold(mention.text), frozenset(mention.entities), adjectives)


def direct_statements(
    names: Sequence[QuestionName], passages: Sequence[ReadPassage]
) -> Iterator[StatementSentence]:
    """The places that tie an entity to a name of the question."""
    asked = frozenset(entity for name in names for entity in name.entities)
    for passage in passages:
        title = frozenset(passage.title.split())
        about = [passage.title == name.folded or passage.owner in name.entities for name in names]
        for sentence in passage.sentences:
            written_names = [_written(sentence, name) for name in names]
            if not any(about) and not any(written_names):
                continue
            for entity in sorted(sentence.entities - asked):
                own = entity == passage.owner
                for number, (written, is_about) in enumerate(zip(written_names, about, strict=True)):
                    if written or is_about:
                        tokens = _tokens(sentence, sentence.names[entity], written, title)
                        yield StatementSentence(entity, number, own, sentence, tokens)
            owner = passage.owner
            if owner is not None and owner not in asked and owner not in sentence.names:
                for number, written in enumerate(written_names):
                    if written:
                        yield StatementSentence(
                            owner, number, True, sentence, _tokens(sentence, "", written, title)
                        )


def chained_statements(
    further: Further, passages: Sequence[ReadPassage], things: Mapping[int, float]
) -> Iterator[StatementSentence]:
    """The places that tie an answer to a thing; a page of an entity is about it."""
    for passage in passages:
        title = frozenset(passage.title.split())
        for sentence in passage.sentences:
            if passage.owner is not None:
                likely = [passage.owner] if passage.owner in things else []
            else:
                likely = sorted(sentence.entities & things.keys(), key=lambda thing: (-things[thing], thing))[
                    :2
                ]
            if not likely:
                continue
            for answer, written in _answers(sentence, further):
                for thing in likely:
                    if thing != answer:
                        tokens = _tokens(sentence, written, sentence.names.get(thing, ""), title)
                        yield StatementSentence(answer, thing, False, sentence, tokens)


def _answers(sentence: ReadSentence, further: Further) -> list[tuple[int | str, str]]:
    if further.kind == "entity":
        return [(entity, written) for entity, written in sorted(sentence.names.items())]
    return [(value, value.lower()) for value in values_of(sentence.text, further.kind)]


def _written(sentence: ReadSentence, name: QuestionName) -> str:
    """How a sentence writes a name: as the question does, or by another name of its entity; else nothing."""
    if has_name(sentence.folded, name.folded):
        return name.folded
    for entity in sorted(name.entities):
        if entity in sentence.names:
            return sentence.names[entity]
    for adjective in name.adjectives:
        if any(whole_words(sentence.folded, adjective)):
            return adjective
    return ""


def _tokens(sentence: ReadSentence, answer: str, other: str, title: frozenset[str]) -> frozenset[str]:
    """The stems of the sentence's words that are not names, and the words between the two names.

    A page may not write the name of its entity in a sentence; then the words from the beginning count.
    """
    text = sentence.folded
    answer_start = text.find(answer) if answer else -1
    other_start = text.find(other) if other else -1
    if answer_start < 0 and other_start < 0:
        return _stems(sentence.text)
    if other_start < 0:
        order, between = "t", text[:answer_start]
    elif answer_start < 0:
        order, between = "o", text[:other_start]
    elif answer_start < other_start:
        order, between = "<", text[answer_start + len(answer) : other_start]
    else:
        order, between = ">", text[other_start + len(other) : answer_start]
    words = [word for word in _WORD.findall(between) if word not in title]
    tokens = {f"{order} {word}" for word in words[:_NEAR]} if len(words) <= _NEAR else {f"{order} far"}
    if len(words) <= _PATTERN:
        tokens.add(f"{order}: {' '.join(words)}")
    if answer_start >= 0:
        after = _WORD.findall(text[answer_start + len(answer) : answer_start + len(answer) + 30])
        tokens.add(f"then {after[0] if after else ''}")
    return _stems(sentence.text) | tokens


@lru_cache(maxsize=20_000)
def _stems(text: str) -> frozenset[str]:
    return cues(terms(" ".join(word for word in _WORD.findall(text) if word[0].islower())))


# Which words state what a question asks for: "was awarded" for "received", and not "was nominated for".
# A weight belongs to a word of the question's phrase and a token of a sentence. Those of `EVERY` belong
# to any phrase. `models/training/statements.py` fits them to questions whose evidence is known: once to
# those of worlds, once to those of real pages, since the two are written differently; the trees decide
# whom to believe.

FILE = "statements.json.gz"
EVERY = "*"


class StatementWeights(msgspec.Struct, frozen=True):
    """A logistic regression: how likely a sentence states what a phrase asks for."""

    bias: float = 0.0
    weights: dict[str, dict[str, float]] = {}
    """By word of the phrase, then by token of the sentence."""

    def merged(self, phrase: frozenset[str]) -> "PhraseWeights":
        """The weights of a whole phrase: each of its words counts alike."""
        merged = dict(self.weights.get(EVERY, {}))
        for word in sorted(phrase):
            for token, weight in self.weights.get(word, {}).items():
                merged[token] = merged.get(token, 0.0) + weight / len(phrase)
        return PhraseWeights(self.bias, merged)

    def known(self, phrase: frozenset[str]) -> float:
        """The share of a phrase's words that have weights of their own."""
        return sum(word in self.weights for word in phrase) / len(phrase) if phrase else 0.0


class PhraseWeights:
    """The weights of one phrase, by token."""

    def __init__(self, bias: float, weights: Mapping[str, float]) -> None:
        self._bias, self._weights = bias, weights

    def chance(self, tokens: frozenset[str]) -> float:
        """The probability that a sentence with these tokens states what the phrase asks for."""
        weights = self._weights
        total = self._bias + math.fsum(weights[token] for token in tokens if token in weights)
        return 1.0 / (1.0 + math.exp(-max(min(total, 30.0), -30.0)))


class Statements(msgspec.Struct, frozen=True):
    """The weights of both kinds of text."""

    worlds: StatementWeights = StatementWeights()
    pages: StatementWeights = StatementWeights()

    @property
    def all(self) -> tuple[StatementWeights, ...]:
        return self.worlds, self.pages

    def write(self, folder: Path) -> None:
        content = msgspec.json.encode(self, order="sorted")
        (folder / FILE).write_bytes(gzip.compress(content, 9, mtime=0))

    @classmethod
    def open(cls, folder: Path) -> "Statements":
        file = folder / FILE
        if not file.is_file():
            raise RollcallError(f"{folder}: has no {FILE}; train it again")
        try:
            with open_compressed(file) as stream:
                return msgspec.json.decode(stream.read(), type=cls)
        except DamagedFileError as error:
            raise RollcallError(f"{file}: {error.reason}; train it again") from None
        except UNREADABLE as error:
            raise RollcallError(f"{file}: cannot be read ({why(error)}); train it again") from None


NO_STATEMENTS = Statements()
"""Without weights: every sentence is as likely as any other."""


_DIRECT = ("stated", "least stated", "stated on its page", "sentences that state it")
_CHAINED = ("stated of a likely thing", "stated of a thing", "stated of any thing")
_ALL = (
    *_DIRECT,
    "stated beside the best",
    "least stated beside the best",
    "known words",
    *_CHAINED,
    "stated of any thing beside the best",
    "known words of the chain",
)
_KINDS = ("worlds", "pages")
STATEMENTS = tuple(f"{kind}: {feature}" for kind in _KINDS for feature in _ALL)
ON_PAGE = tuple(
    f"{kind}: {feature}" for kind in _KINDS for feature in ("on its own page", "least on its own page")
)
_LIKELY = 0.02
"""Things that are less likely are not looked at."""

_Rows: TypeAlias = dict[int | str, tuple[float, ...]]


class Stated:
    """What is stated of the possible answers to one question."""

    def __init__(self, statements: Statements) -> None:
        self._weights = statements.all
        self._direct: list[_Rows] = [{} for _ in self._weights]
        self._chained: list[_Rows] = [{} for _ in self._weights]
        self._known = [0.0 for _ in self._weights]
        self._known_chain = [0.0 for _ in self._weights]
        self.stating_words: dict[int | str, frozenset[str]] = {}
        """The words of the sentence that is likeliest to state each answer."""

    def read(self, words: QuestionWords, passages: Sequence[ReadPassage]) -> None:
        """Read what ties entities to the names of a question."""
        if words.anchors:
            self._direct = _direct(self._weights, words, passages, self.stating_words)
            self._known = [
                sum(map(weights.known, words.phrases)) / len(words.phrases) for weights in self._weights
            ]

    def read_chain(
        self, further: Further, passages: Sequence[ReadPassage], things: Mapping[int, float]
    ) -> None:
        """Read what is said of the things of a chained question."""
        likely = {thing: value for thing, value in things.items() if value >= _LIKELY}
        self.stating_words.clear()
        self._chained = _chained(self._weights, further, passages, likely, self.stating_words)
        self._known_chain = [weights.known(further.cues) for weights in self._weights]

    def rows(self, answers: Sequence[int | str]) -> Table:
        """A row for each possible answer."""
        parts = [self._rows(answers, number) for number in range(len(self._weights))]
        return np.concatenate(parts, axis=1)

    def _rows(self, answers: Sequence[int | str], number: int) -> Table:
        none, no_chain = (0.0,) * len(_DIRECT), (0.0,) * len(_CHAINED)
        direct = [self._direct[number].get(answer, none) for answer in answers]
        linked = [self._chained[number].get(answer, no_chain) for answer in answers]
        best, least = (max((row[column] for row in direct), default=0.0) or 1.0 for column in (0, 1))
        surest = max((row[2] for row in linked), default=0.0) or 1.0
        known, known_chain = self._known[number], self._known_chain[number]
        return np.array(
            [
                (*row, row[0] / best, row[1] / least, known, *link, link[2] / surest, known_chain)
                for row, link in zip(direct, linked, strict=True)
            ]
        ).reshape(len(answers), len(_ALL))


def stated_on_page(
    statements: Statements, words: QuestionWords, page: Sequence[ReadPassage], answer: int
) -> tuple[float, ...]:
    """What its own page states of an answer."""
    if not words.anchors:
        return (0.0,) * len(ON_PAGE)
    tables = _direct(statements.all, words, page, {})
    return tuple(value for rows in tables for value in rows.get(answer, (0.0, 0.0))[:2])


def _direct(
    weights: Sequence[StatementWeights],
    words: QuestionWords,
    passages: Sequence[ReadPassage],
    stating_words: dict[int | str, frozenset[str]],
) -> list[_Rows]:
    """For each kind of weights, the rows of the entities that are tied to names of the question."""
    surest: dict[int | str, float] = {}
    merged = [[kind_weights.merged(phrase) for phrase in words.phrases] for kind_weights in weights]
    names = [named(anchor) for anchor in words.anchors]
    best: list[dict[int | str, list[float]]] = [{} for _ in weights]
    own: list[dict[int | str, list[float]]] = [{} for _ in weights]
    sums: list[dict[int | str, float]] = [{} for _ in weights]
    for statement in direct_statements(names, passages):
        values = [phrases[statement.other].chance(statement.tokens) for phrases in merged]
        if sum(values) > surest.get(statement.answer, 0.0):
            surest[statement.answer], stating_words[statement.answer] = sum(values), statement.tokens
        for number, value in enumerate(values):
            for table in (best[number], own[number]) if statement.own else (best[number],):
                row = table.setdefault(statement.answer, [0.0] * len(names))
                row[statement.other] = max(row[statement.other], value)
            sums[number][statement.answer] = sums[number].get(statement.answer, 0.0) + value
    return [
        {
            entity: (_mean(row), min(row), _mean(mine.get(entity, [0.0])), math.log1p(total[entity]))
            for entity, row in rows.items()
        }
        for rows, mine, total in zip(best, own, sums, strict=True)
    ]


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _chained(
    weights: Sequence[StatementWeights],
    further: Further,
    passages: Sequence[ReadPassage],
    things: Mapping[int, float],
    stating_words: dict[int | str, frozenset[str]],
) -> list[_Rows]:
    """For each kind of weights, the rows of what is said about the things."""
    merged = [kind_weights.merged(further.cues) for kind_weights in weights]
    pairs: list[dict[tuple[int | str, int], float]] = [{} for _ in weights]
    surest: dict[int | str, float] = {}
    for statement in chained_statements(further, passages, things):
        key = statement.answer, statement.other
        values = [phrase.chance(statement.tokens) for phrase in merged]
        likely = things[statement.other] * sum(values)
        if likely > surest.get(statement.answer, 0.0):
            surest[statement.answer], stating_words[statement.answer] = likely, statement.tokens
        for number, value in enumerate(values):
            pairs[number][key] = max(pairs[number].get(key, 0.0), value)
    return [_over_things(kind_pairs, things) for kind_pairs in pairs]


def _over_things(pairs: Mapping[tuple[int | str, int], float], things: Mapping[int, float]) -> _Rows:
    rows: dict[int | str, tuple[float, ...]] = {}
    for (answer, thing), value in sorted(pairs.items(), key=lambda pair: (str(pair[0][0]), pair[0][1])):
        # A list of things names them side by side, but they are not what is asked for.
        free = 1.0 - things.get(answer, 0.0) if isinstance(answer, int) else 1.0
        likely = things[thing] * value * free
        first, second, third = rows.get(answer, (0.0, 0.0, 0.0))
        rows[answer] = max(first, likely), max(second, value), 1.0 - (1.0 - third) * (1.0 - likely)
    return rows
