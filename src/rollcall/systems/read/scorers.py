"""`mention-scorer`: the entities that passages mention, all of a passage scored in one pass of an encoder."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from rollcall._core.errors import RollcallError
from rollcall._core.files import read_arrays
from rollcall._core.onnx_networks import WordEmbeddings, open_network, open_tokenizer
from rollcall.questions.run import EntityAnswer, Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked
from rollcall.systems.read import READERS
from rollcall.systems.read.linking import LinkedMention, Linker
from rollcall.systems.read.trained_reader import (
    PassageQuestion,
    PassageReader,
    PassageScoringOptions,
    ScoredAnswer,
)
from rollcall.systems.train.encoder_network import TEXT_HEADS
from rollcall.systems.train.model_folder import RefusesSeen, read_about, read_settings
from rollcall.systems.train.scorers import (
    CANDIDATE_SETTINGS,
    CANDIDATE_SYSTEM,
    FIRST,
    LEAST,
    MENTION_HEADS,
    MENTION_SETTINGS,
    MENTION_SYSTEM,
    CandidateNetwork,
    CandidateReading,
    EntitySettings,
    MentionInput,
    MentionInputs,
    MentionNetwork,
    answers,
    by_entity,
    opened_first,
)
from rollcall.systems.train.token_inputs import MentionReading, TokenInputs
from rollcall.systems.train.training_example import TrainingExample, example_parts, read_examples
from rollcall.text.name_lookup import NameFinder

# Readers that score the entities which passages mention, by a trained encoder. The scores of single
# passages can be kept in a file, so that other readers can use them without the model.

Mentions: TypeAlias = Callable[[Passage], Sequence[LinkedMention]]


class EntityScorerOptions(PassageScoringOptions, frozen=True):
    """A trained scorer of the entities that passages mention."""

    mentions: str | None = None
    """A folder of training examples whose passages have their mentions, in place of a graph."""


class EntityScorerReader(RefusesSeen, PassageReader):
    """A reader that scores the entities of single passages and combines the scores of all."""

    system: ClassVar[str]
    Options = EntityScorerOptions
    needs = ("passages", "graph")

    def __init__(
        self,
        options: PassageScoringOptions,
        mentions: Mentions,
        label: Callable[[str], str] = lambda entity: "",
    ) -> None:
        """`mentions` gives the linked mentions of a passage, and `label` the label of an entity."""
        self._model, self.seen = options.model, options.seen
        self._about = read_about(options.model, self.system)
        self.weights = self._about.version
        self._mentions, self._label = mentions, label
        self.trained = self.settings_of(Path(options.model))
        self.keep_scores(options.scores, self.weights)

    def settings_of(self, folder: Path) -> EntitySettings:
        """What the folder keeps beside the weights, which are loaded when there is something to score."""
        raise NotImplementedError

    def entity_scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        """For each reading the entities that are mentioned, with their probabilities."""
        raise NotImplementedError

    @classmethod
    def needed(cls, options: EntityScorerOptions) -> tuple[str, ...]:
        return cls.needs if options.mentions is None else ("passages",)

    @classmethod
    def open(cls, options: EntityScorerOptions, context: Context) -> Self:
        if options.mentions is not None:
            return cls(options, known_mentions(_examples(Path(options.mentions))))
        graph = context.graph
        entity_of = context.store.entity if context.has("corpus") else lambda id_: None
        return cls(options, Linker(graph, NameFinder(graph.index), entity_of).mentions, graph.label)

    @classmethod
    def for_examples(cls, model: str, examples: Sequence[TrainingExample]) -> Self:
        return cls(PassageScoringOptions(model, seen=True), known_mentions(examples))

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[Answers]:
        self.check_questions(questions)
        return super().read_many(questions, passages)

    def score(self, readings: Sequence[PassageQuestion]) -> list[list[ScoredAnswer]]:
        if not readings:
            return []
        entity_scores = self.entity_scores(
            [
                MentionReading(
                    reading.question.question,
                    reading.passage.title,
                    reading.passage.text,
                    self._mentions(reading.passage),
                )
                for reading in readings
            ]
        )
        return [[ScoredAnswer(*pair) for pair in scores.items()] for scores in entity_scores]

    def combine(
        self, question: Asked, passages: Sequence[Passage], scores: Sequence[list[ScoredAnswer]]
    ) -> Answers:
        offered = {candidate.id for candidate in question.candidates}
        chosen = answers(
            [{answer.answer: answer.score for answer in passage_scores} for passage_scores in scores],
            self.trained,
        )
        return [
            EntityAnswer(answer.id, self._label(answer.id))
            for answer in chosen
            if not offered or answer.id in offered
        ]


def _examples(folder: Path) -> Iterator[TrainingExample]:
    files = example_parts(folder)
    if not files:
        raise RollcallError(
            f"{folder}: holds no training examples; make them with `rollcall train --prepare`"
        )
    for file in files:
        yield from read_examples(file)


def known_mentions(examples: Iterable[TrainingExample]) -> Mentions:
    """The mentions of passages as training examples have them, for a machine without the graph."""
    known = {
        (passage.id, passage.text): passage.mentions
        for example in examples
        for passage in (*example.passages, *example.proofs)
    }
    return lambda passage: known.get((passage.id, passage.text), ())


# `candidate-scorer`: the entities that passages mention, each read separately with its passage. It takes
# one pass for each candidate; a mention scorer in its folder leaves out unlikely ones.


@READERS.register(CANDIDATE_SYSTEM)
class CandidateScorerReader(EntityScorerReader):
    """Scores one candidate of a passage at a time, in one pass of a trained encoder each."""

    name = system = CANDIDATE_SYSTEM

    def settings_of(self, folder: Path) -> EntitySettings:
        return read_settings(folder / CANDIDATE_SETTINGS, EntitySettings)

    @cached_property
    def _reading(self) -> CandidateReading:
        folder = Path(self._model)
        first = opened_first(folder / FIRST if (folder / FIRST).is_dir() else None)
        network = CandidateNetwork.load(folder, TEXT_HEADS, self.trained.length)
        return CandidateReading(network, first, float(self._about.options.get("least", LEAST)))

    def entity_scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        return self._reading.scores(readings)


# A packaged mention scorer: int8 by onnxruntime, without torch. Inputs of similar length are read in
# batches of a fixed number, each by one thread, so that the scores are the same for any number of cores.

MODEL, HEAD = "model.onnx", "head.npz"
_OF = "the packaged mention scorer"
_ROWS = 16
"""Inputs that are read at once: more gain nothing, and fewer cost time."""

Table = npt.NDArray[np.float32]


def is_packaged(folder: Path) -> bool:
    """Whether a folder has a network for onnxruntime."""
    return (folder / MODEL).is_file()


def packaged_network(folder: Path, tokens: int) -> "PackagedMentionNetwork":
    """The network of a folder, with the words of the package `rollcall-models`."""
    try:
        from rollcall_models import statement_model
    except ImportError:
        raise RollcallError(
            f"{folder}: needs the words of other models: pip install rollcall-models"
        ) from None
    return PackagedMentionNetwork(folder, statement_model(), tokens)


class PackagedMentionNetwork:
    """The network of a folder; `shared` is the folder with the tokenizer and the embeddings of words."""

    def __init__(self, folder: Path, shared: Path, tokens: int) -> None:
        self._folder, self._words = folder, WordEmbeddings(shared)
        inputs = TokenInputs(_Tokeniser(open_tokenizer(shared / "tokenizer.json", _OF)), tokens)
        self._inputs = MentionInputs(inputs)

    def scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        """For each reading the entities that its mentions may mean, with their greatest probabilities."""
        inputs = self._inputs.encoded(readings)
        scored: list[dict[str, float]] = [{} for _ in readings]
        order = sorted(
            (index for index, mention_input in enumerate(inputs) if len(mention_input.first)),
            key=lambda index: (len(inputs[index].tokens.ids), index),
        )
        batches = [order[start : start + _ROWS] for start in range(0, len(order), _ROWS)]
        with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
            read = threads.map(lambda batch: self._read([inputs[index] for index in batch]), batches)
            for batch, scores in zip(batches, read, strict=True):
                for index, probabilities in zip(batch, scores, strict=True):
                    scored[index] = by_entity(readings[index], inputs[index].mentions, probabilities)
        return scored

    def _read(self, inputs: Sequence[MentionInput]) -> list[list[float]]:
        """The probabilities of the mentions of each input."""
        lengths = np.array([len(mention_input.tokens.ids) for mention_input in inputs])[:, None]
        positions = np.arange(int(lengths.max()))[None, :]
        tokens = np.zeros((len(inputs), positions.size), np.int64)
        for row, mention_input in enumerate(inputs):
            tokens[row, : len(mention_input.tokens.ids)] = mention_input.tokens.ids
        second = np.array([mention_input.tokens.second for mention_input in inputs])[:, None]
        inside = positions < lengths
        arrays = {
            "embeddings": self._words.of(tokens),
            "mask": inside.astype(np.int64),
            "types": (inside & (positions >= second)).astype(np.int64),
        }
        states: Table = self._session.run(["states"], arrays)[0]
        return [self._chances(mention_input, states[row]) for row, mention_input in enumerate(inputs)]

    def _chances(self, mention_input: MentionInput, states: Table) -> list[float]:
        whole = np.broadcast_to(states[0], (len(mention_input.first), states.shape[1]))
        joined = np.concatenate([states[mention_input.first], states[mention_input.last], whole], axis=1)
        first, beside, last, bias = self._head
        logits = _gelu(joined @ first.T + beside) @ last.T + bias
        probabilities: list[float] = (1.0 / (1.0 + np.exp(-logits[:, 0].astype(np.float64)))).tolist()
        return probabilities

    @cached_property
    def _head(self) -> tuple[Table, Table, Table, Table]:
        try:
            stored = read_arrays(self._folder / HEAD)
            names = ("first", "first_bias", "last", "last_bias")
            first, beside, last, bias = (stored[name].astype(np.float32) for name in names)
        except (OSError, KeyError, ValueError) as error:
            raise RollcallError(f"{self._folder}: its head cannot be read: {error}") from None
        return first, beside, last, bias

    @cached_property
    def _session(self) -> Any:
        return open_network(self._folder / MODEL, self._folder, _OF)


class _Tokeniser:
    """A tokenizer with the interface that transformers gives its own."""

    def __init__(self, tokenizer: Any) -> None:
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        self.cls_token_id, self.sep_token_id = map(tokenizer.token_to_id, ("[CLS]", "[SEP]"))

    def __call__(self, texts: Sequence[str], *, max_length: int, **_: object) -> dict[str, list[Any]]:
        encoded = self._tokenizer.encode_batch(list(texts), add_special_tokens=False)
        return {
            "input_ids": [encoding.ids[:max_length] for encoding in encoded],
            "offset_mapping": [encoding.offsets[:max_length] for encoding in encoded],
        }


def _gelu(values: Table) -> Table:
    """The activation of the head, by the error function as Abramowitz and Stegun approximate it (7.1.26)."""
    size = np.abs(values) / np.sqrt(np.float32(2.0))
    inverse = 1.0 / (1.0 + 0.3275911 * size)
    terms = (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)
    series = np.zeros_like(size)
    for coefficient in terms:
        series = (series + coefficient) * inverse
    error = np.sign(values) * (1.0 - series * np.exp(-size * size))
    activations: Table = (values * 0.5 * (1.0 + error)).astype(np.float32)
    return activations


@READERS.register(MENTION_SYSTEM)
class MentionScorerReader(EntityScorerReader):
    """Scores all linked mentions of a passage in one pass of a trained encoder."""

    name = system = MENTION_SYSTEM

    def settings_of(self, folder: Path) -> EntitySettings:
        return read_settings(folder / MENTION_SETTINGS, EntitySettings)

    @cached_property
    def _network(self) -> MentionNetwork | PackagedMentionNetwork:
        if is_packaged(Path(self._model)):
            return packaged_network(Path(self._model), self.trained.length)
        return MentionNetwork.load(self._model, MENTION_HEADS, self.trained.length)

    def entity_scores(self, readings: Sequence[MentionReading]) -> list[dict[str, float]]:
        return self._network.scores(readings)
