"""`ask`: learns to tell which of the queries that a question may ask for is meant.

A cross-encoder reads a question beside each candidate query in words, with letters for names. It learns what
the features of `rollcall.systems.ask` do not know already: their score is added to its own, and the right
candidates together must be likely (listwise softmax). It needs no passages, and a graph only for examples.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.graph import Graph
from rollcall.query import Query
from rollcall.questions.record import Question
from rollcall.systems.ask.asker import Asker
from rollcall.systems.ask.forms import FEATURES
from rollcall.systems.ask.ranking import (
    NETWORK,
    SETTINGS,
    SURETY,
    WEIGHTS,
    RerankerSettings,
    pair_of,
    probabilities,
    surety_inputs,
)
from rollcall.systems.context import Context
from rollcall.systems.train import TRAINABLES
from rollcall.systems.train.base import MINILM, BaseCheckpoint
from rollcall.systems.train.encoder_network import PAIR_HEADS, PairNetwork, cut_layers
from rollcall.systems.train.model_folder import write_settings
from rollcall.systems.train.token_inputs import TokenInput
from rollcall.systems.train.trainable import Count, Positive, Share, Trainable, TrainingOptions
from rollcall.systems.train.training_example import QueryReading, TrainingExample
from rollcall.text.words import ARTICLES, AUXILIARIES
from rollcall.wording.ends import EndNouns
from rollcall.wording.lexicon import Lexicon
from rollcall.wording.realise import Realiser

if TYPE_CHECKING:
    import torch


# Questions as people type them: no capitals, no question mark, a letter wrong, a small word left out.

_LOWER, _UNMARKED, _SHORTER, _MISTYPED = 0.6, 0.6, 0.2, 0.25
"""How often capitals are lost, the question mark is, a small word is, and a letter is wrong."""
_SHORTEST = 5
"""Shorter words are seldom mistyped, and then become other words."""
_NEAR = dict(zip("abcdefghijklmnopqrstuvwxyz", "svxsrghjoklknmpowtaribecux", strict=True))
"""For each letter one beside it on a keyboard."""


def as_typed(question: str, draw: random.Random) -> str:
    """A question as a person may type it."""
    words = question.split()
    if draw.random() < _SHORTER:
        small = [index for index, word in enumerate(words) if index and word.lower() in _SMALL]
        if small:
            del words[draw.choice(small)]
    if draw.random() < _MISTYPED:
        long = [index for index, word in enumerate(words) if len(word) >= _SHORTEST and word.isalpha()]
        if long:
            index = draw.choice(long)
            words[index] = mistyped(words[index], draw)
    text = " ".join(words)
    if draw.random() < _UNMARKED:
        text = text.rstrip("?").rstrip()
    return text.lower() if draw.random() < _LOWER else text


_SMALL = ARTICLES | AUXILIARIES


def mistyped(word: str, draw: random.Random) -> str:
    """A word with a letter left out, doubled, exchanged with the next one, or hit beside; not its first."""
    index = draw.randrange(1, len(word) - 1)
    how = draw.randrange(4)
    if how == 0:
        return word[:index] + word[index + 1 :]
    if how == 1:
        return word[:index] + word[index] + word[index:]
    if how == 2:
        return word[:index] + word[index + 1] + word[index] + word[index + 2 :]
    return word[:index] + _NEAR.get(word[index], word[index]) + word[index + 1 :]


# Makes the readings that `ask` learns from: each question in several wordings, with its candidate
# queries. People's words are seldom those of the lexicon. So a wording is read, by chance, with the
# lexicon, with half of its entries, or with none, when labels are all that is known of relations: what
# is learned is to tell readings apart where the words do not match.

_KNOWN, _HALF = 0.4, 0.7
"""Below the first, a wording is read with the whole lexicon; below the second with half of it."""


class QueryReadings:
    """Makes readings over one graph."""

    def __init__(self, graph: Graph, variants: int, typed: float, seed: int) -> None:
        self._graph, self._variants, self._typed, self._seed = graph, variants, typed, seed
        self._lexicon = Lexicon.load()
        draw = random.Random(seed)
        kept = {id_: self._lexicon.entry(id_) for id_ in self._lexicon.relations() if draw.random() < 0.5}
        self._askers = [
            Asker(graph, lexicon=lexicon, rerank=False)
            for lexicon in (self._lexicon, Lexicon(kept), Lexicon({}))
        ]

    def completed(self, example: TrainingExample, question: Question) -> Iterator[TrainingExample]:
        """The example of a question once for each of its wordings, with the readings of the wording."""
        gold = self._gold(question)
        draw = random.Random(f"{self._seed} {question.id}")
        wordings = self._wordings(example.question, question)
        for number in range(self._variants):
            wording = wordings[number % len(wordings)]
            if draw.random() < self._typed or number >= len(wordings):
                wording = as_typed(wording, draw)
            known = draw.random()
            asker = self._askers[0 if known < _KNOWN else 1 if known < _HALF else 2]
            yield msgspec.structs.replace(
                example,
                id=f"{example.id}/{number}",
                question=wording,
                readings=self._readings(asker, wording, gold),
            )

    def _wordings(self, asked: str, question: Question) -> list[str]:
        """All wordings of a question: its own, and those that its query may have."""
        wordings = [asked, *question.wordings]
        if question.query is not None and question.query.text:
            try:
                word = self._realiser.word(Query.parse(question.query.text))
                wordings += [word.question, *word.alternatives]
            except RollcallError:  # a query that cannot be said
                pass
        return list(dict.fromkeys(text for text in wordings if text))

    @cached_property
    def _realiser(self) -> Realiser:
        return Realiser(self._graph, self._lexicon, ends=EndNouns(self._graph))

    def _gold(self, question: Question) -> frozenset[str]:
        if question.query is not None and question.query.text:
            try:
                return _keys(self._graph, Query.parse(question.query.text))
            except RollcallError:  # a query over lists of a corpus, which no graph can answer
                pass
        return frozenset(answer.id or answer.label for answer in question.answers)

    def _readings(self, asker: Asker, wording: str, gold: frozenset[str]) -> list[QueryReading]:
        reading, candidates = asker.candidates(wording)
        groups: dict[frozenset[str], int] = {}
        readings = []
        for candidate in candidates:
            pair = pair_of(reading, candidate, asker.words(candidate.query), asker.name)
            answers = _keys(self._graph, candidate.query)
            readings.append(
                QueryReading(
                    pair.question,
                    pair.wording,
                    [round(candidate.features[name], 4) for name in FEATURES],
                    groups.setdefault(answers, len(groups)),
                    answers == gold,
                )
            )
        return readings


def _keys(graph: Graph, query: Query) -> frozenset[str]:
    """The answers of a query as texts."""
    return frozenset(str(answer) for answer in graph.answers(query))


def with_readings(readings: Sequence[QueryReading]) -> bool:
    """Whether there is anything to choose: a right reading beside a wrong one."""
    return len({reading.is_right for reading in readings}) == 2


# Fits how `ask` weighs what it knows of a reading, and how sure it is, on questions that were not
# learned. The weights of the features and of the cross-encoder make the right readings likely among the
# candidates of their questions (listwise softmax), and stay near those set by hand where there is little
# to learn from. A logistic regression then says how often the first reading is right; it sees the
# questions, too, whose right reading is not among the candidates.

_READING_FIT_NEAR = 2.0
"""How strongly weights are held near those set by hand."""
_STEPS = 200

Scored = Sequence[tuple[QueryReading, float]]
"""The readings of a question with the cross-encoder's scores."""


def fitted(questions: Sequence[Scored], length: int, *, network: bool = True) -> RerankerSettings:
    """The weights and the surety for questions with scored readings.

    Without `network`, the cross-encoder is left out: what the features alone can do.
    """
    weights = _weights(
        [question for question in questions if with_readings([reading for reading, _ in question])], network
    )
    settings = RerankerSettings(length, weights, dict.fromkeys((*SURETY, "constant"), 0.0))
    return RerankerSettings(
        length, weights, _surety([ranked(settings, question) for question in questions if question])
    )


def ranked(settings: RerankerSettings, question: Scored) -> list[tuple[float, QueryReading]]:
    """The readings of a question by their score, best first."""
    scored = [
        (settings.score({**dict(zip(FEATURES, reading.features, strict=True)), NETWORK: score}), reading)
        for reading, score in question
    ]
    return sorted(scored, key=lambda pair: -pair[0])


def _weights(questions: Sequence[Scored], network: bool) -> dict[str, float]:
    import torch

    names = (*FEATURES, NETWORK)
    first = torch.tensor([*(WEIGHTS[name] for name in FEATURES), float(network)], dtype=torch.float64)
    if not questions:
        return dict(zip(names, first.tolist(), strict=True))
    parts = [
        (
            torch.tensor(
                [[*reading.features, score * network] for reading, score in question], dtype=torch.float64
            ),
            torch.tensor([reading.is_right for reading, _ in question]),
        )
        for question in questions
    ]
    rows, right = torch.cat([features for features, _ in parts]), torch.cat([labels for _, labels in parts])
    owner = torch.repeat_interleave(
        torch.arange(len(parts)), torch.tensor([len(features) for features, _ in parts])
    )

    def loss(weights: "torch.Tensor") -> "torch.Tensor":
        scores = rows @ weights
        totals = _log_sums(scores, owner, len(parts))
        true = _log_sums(scores[right], owner[right], len(parts))
        return (totals - true).sum() + _READING_FIT_NEAR * ((weights - first) ** 2).sum()

    return dict(zip(names, _least(loss, first).tolist(), strict=True))


def _log_sums(scores: "torch.Tensor", owner: "torch.Tensor", count: int) -> "torch.Tensor":
    """The logarithm of the sum of exponentials of each owner's scores."""
    import torch

    greatest = torch.full((count,), -torch.inf, dtype=scores.dtype)
    greatest = greatest.scatter_reduce(0, owner, scores.detach(), "amax")
    sums = torch.zeros(count, dtype=scores.dtype)
    return sums.index_add(0, owner, torch.exp(scores - greatest[owner])).log() + greatest


def _surety(questions: Sequence[Sequence[tuple[float, QueryReading]]]) -> dict[str, float]:
    import torch

    names = (*SURETY, "constant")
    first = torch.tensor([1.0, -1.0, -1.0, 0.0, 2.0, 0.0], dtype=torch.float64)
    if not questions:
        return dict(zip(names, first.tolist(), strict=True))
    inputs, right = [], []
    for question in questions:
        best = question[0][1]
        shares = probabilities([score for score, _ in question])
        agreeing = [reading.answers == best.answers for _, reading in question]
        share = sum(own for own, agrees in zip(shares, agreeing, strict=True) if agrees)
        features = dict(zip(FEATURES, best.features, strict=True))
        inputs.append([*surety_inputs(share, features, alone=all(agreeing)), 1.0])
        right.append(float(best.is_right))
    rows, labels = torch.tensor(inputs, dtype=torch.float64), torch.tensor(right, dtype=torch.float64)

    def loss(weights: "torch.Tensor") -> "torch.Tensor":
        odds = rows @ weights
        entropy = torch.nn.functional.binary_cross_entropy_with_logits(odds, labels, reduction="sum")
        return entropy + _READING_FIT_NEAR * ((weights - first) ** 2).sum()

    return dict(zip(names, _least(loss, first).tolist(), strict=True))


def _least(loss: "Callable[[torch.Tensor], torch.Tensor]", first: "torch.Tensor") -> "torch.Tensor":
    """The weights of the least loss."""
    import torch

    with torch.inference_mode(mode=False), torch.enable_grad():
        weights = first.clone().requires_grad_()
        optimiser = torch.optim.LBFGS([weights], max_iter=_STEPS, line_search_fn="strong_wolfe")

        def step() -> float:
            optimiser.zero_grad()
            value = loss(weights)
            value.backward()
            return float(value.detach())

        optimiser.step(step)
        return weights.detach()


SYSTEM = "ask"


class AskExampleOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Those options that decide what training examples are made."""

    variants: int
    typed: float
    seed: int


class AskTrainingOptions(TrainingOptions, frozen=True, kw_only=True):
    """How the reranker of `ask` is trained."""

    batch: Positive = 16
    """The number of questions for each step."""
    learning_rate: float = 1e-4
    """The greatest learning rate, after the warm-up."""
    layers: Positive = 3
    """How many layers of the checkpoint are used; fewer are faster."""
    length: Positive = 64
    """The greatest number of tokens of a question together with a query in words."""
    candidates: Positive = 6
    """How many readings of a question are drawn for each epoch."""
    variants: Positive = 3
    """In how many wordings each question of the set is learned."""
    typed: Share = 0.4
    """How often a wording is changed as people type: lower case, mistyped letters, small words left out."""
    seed: Count = 0
    """The seed for wordings, order and dropout."""


class AskItem(NamedTuple):
    """Some readings of a question."""

    inputs: Sequence[TokenInput]
    scores: Sequence[float]
    """By their features, with the weights set by hand."""
    right: Sequence[bool]


@TRAINABLES.register(SYSTEM)
class AskTrainable(Trainable[AskItem]):
    """Learns to rank the queries that a question may ask for; for the reader `ask`."""

    Options = AskTrainingOptions
    needs = ("graph",)
    uses_passages = False
    bases = ("encoder",)
    default_base: ClassVar[str | None] = MINILM
    measure = "right"

    def __init__(self, options: AskTrainingOptions, network: PairNetwork) -> None:
        self._options, self._encoder = options, network
        self.network = network.module

    @classmethod
    def of_examples(cls, options: msgspec.Struct) -> AskExampleOptions:
        assert isinstance(options, AskTrainingOptions)
        return AskExampleOptions(variants=options.variants, typed=options.typed, seed=options.seed)

    @classmethod
    def completed(
        cls,
        examples: Iterable[TrainingExample],
        questions: Sequence[Question],
        options: msgspec.Struct,
        context: Context,
    ) -> Iterator[TrainingExample]:
        assert isinstance(options, AskExampleOptions)
        readings = QueryReadings(context.graph, options.variants, options.typed, options.seed)
        for example, question in zip(examples, questions, strict=True):
            yield from readings.completed(example, question)

    @classmethod
    def start(cls, options: TrainingOptions, base: BaseCheckpoint) -> "AskTrainable":
        assert isinstance(options, AskTrainingOptions)
        cut = cut_layers(base, options.layers)
        return cls(options, PairNetwork.start(cut, PAIR_HEADS, options.length, options.seed))

    def encode_examples(self, examples: Sequence[TrainingExample], seed: int) -> list[AskItem]:
        items = []
        seen: set[tuple[tuple[str, str], ...]] = set()
        for example in examples:
            if not with_readings(example.readings):
                continue
            chosen = self._drawn(example.readings, random.Random(f"{seed} {example.id}"))
            pairs = [(reading.question, reading.wording) for reading in chosen]
            if tuple(pairs) in seen:
                continue  # the same question about another name
            seen.add(tuple(pairs))
            items.append(
                AskItem(
                    self._encoder.encoded_pairs(pairs),
                    [_hand_score(reading) for reading in chosen],
                    [reading.is_right for reading in chosen],
                )
            )
        if not items:
            raise RollcallError(
                "no question has a right reading beside a wrong one; examples for ask are made with --graph"
            )
        return items

    def _drawn(self, readings: Sequence[QueryReading], draw: random.Random) -> list[QueryReading]:
        """Right readings, at most half of them, and wrong ones, in the order of the readings."""
        right = [index for index, reading in enumerate(readings) if reading.is_right]
        wrong = [index for index, reading in enumerate(readings) if not reading.is_right]
        right = draw.sample(right, min(len(right), max(1, self._options.candidates // 2)))
        wrong = draw.sample(wrong, min(len(wrong), max(1, self._options.candidates - len(right))))
        return [readings[index] for index in sorted([*right, *wrong])]

    def size(self, item: AskItem) -> int:
        return len(item.inputs) * max(len(tokens.ids) for tokens in item.inputs)

    def loss(self, items: Sequence[AskItem]) -> "torch.Tensor":
        import torch

        logits = self._encoder.logits([tokens for item in items for tokens in item.inputs])
        parts = torch.split(logits, [len(item.inputs) for item in items])
        losses = []
        for part, item in zip(parts, items, strict=True):
            shares = torch.log_softmax(part + part.new_tensor(item.scores), 0)
            losses.append(-torch.logsumexp(shares[torch.tensor(item.right, device=part.device)], 0))
        return torch.stack(losses).mean()

    def evaluate(self, examples: Sequence[TrainingExample]) -> dict[str, float]:
        """How often the first reading is right, with and without the cross-encoder."""
        asked = [scored for scored in self._scored(examples) if scored]
        network = [
            max(scored, key=lambda pair: pair[1] + _hand_score(pair[0]))[0].is_right for scored in asked
        ]
        alone = [max(scored, key=lambda pair: _hand_score(pair[0]))[0].is_right for scored in asked]
        number = max(len(examples), 1)
        return {self.measure: sum(network) / number, "by features alone": sum(alone) / number}

    def save(self, folder: Path, examples: Sequence[TrainingExample]) -> None:
        settings = fitted(self._scored(examples), self._encoder.inputs.tokens)
        self._encoder.save(folder)
        write_settings(folder / SETTINGS, settings)

    def _scored(self, examples: Sequence[TrainingExample]) -> list[Scored]:
        pairs = [(reading.question, reading.wording) for example in examples for reading in example.readings]
        different = list(dict.fromkeys(pairs))
        known = dict(zip(different, self._encoder.scores(different), strict=True))
        return [
            [(reading, known[reading.question, reading.wording]) for reading in example.readings]
            for example in examples
        ]


def _hand_score(reading: QueryReading) -> float:
    return sum(WEIGHTS[name] * value for name, value in zip(FEATURES, reading.features, strict=True))
