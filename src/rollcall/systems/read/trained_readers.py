"""`extractive`: gives the best span of all passages, or all spans above a threshold, by a trained encoder."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, ClassVar, Self

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.questions.record import Question
from rollcall.questions.run import Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked, Reader
from rollcall.systems.read import READERS
from rollcall.systems.read.trained_reader import (
    PassageQuestion,
    PassageReader,
    PassageScoringOptions,
    ScoredAnswer,
    TrainedOptions,
)
from rollcall.systems.train.classifier import (
    CLASSIFIER_SETTINGS,
    CLASSIFIER_SYSTEM,
    ClassifierSettings,
    gold_evidence,
    retrieved_evidence,
    written,
)
from rollcall.systems.train.encoder_network import (
    SPAN_HEADS,
    TEXT_HEADS,
    SpanNetwork,
    SpanReading,
    TextNetwork,
)
from rollcall.systems.train.extractive import SETTINGS, SYSTEM, ExtractiveSettings, Number, chosen
from rollcall.systems.train.generate.trainable import load_generator, open_trained
from rollcall.systems.train.lists import (
    ListReading,
    PassageAnswers,
    PassageReading,
    final_answers,
    list_answers,
)
from rollcall.systems.train.model_folder import RefusesSeen, read_about, read_settings
from rollcall.systems.train.selection import Combination
from rollcall.systems.train.training_example import TrainingExample


class ExtractiveReaderOptions(PassageScoringOptions, frozen=True):
    """The trained reader, and what it gives."""

    number: Number | None = None
    """Give the best answer alone, or all above a threshold; by default as it was trained."""
    passages: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """Read so many of the passages, the best ones; by default all. The publication reads 10."""


@READERS.register(SYSTEM)
class ExtractiveReader(RefusesSeen, PassageReader):
    """Gives spans of passages that a trained encoder selects (`rollcall train extractive`)."""

    name = SYSTEM
    Options = ExtractiveReaderOptions
    needs = ("passages",)

    def __init__(self, options: ExtractiveReaderOptions) -> None:
        self._model, self.passages, self.seen = options.model, options.passages, options.seen
        self._about = read_about(options.model, SYSTEM)
        self.weights = self._about.version
        self.trained = read_settings(Path(options.model) / SETTINGS, ExtractiveSettings)
        self.number: Number = options.number or self.trained.number
        self._network = SpanNetwork.load(options.model, SPAN_HEADS, self.trained.length)
        self.keep_scores(options.scores, self.weights)

    @classmethod
    def open(cls, options: ExtractiveReaderOptions, context: object) -> "ExtractiveReader":
        return cls(options)

    @classmethod
    def for_examples(cls, model: str, examples: Sequence[TrainingExample]) -> "ExtractiveReader":
        return cls(ExtractiveReaderOptions(model, seen=True))

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[Answers]:
        self.check_questions(questions)
        return super().read_many(
            questions, [question_passages[: self.passages] for question_passages in passages]
        )

    def score(self, readings: Sequence[PassageQuestion]) -> list[list[ScoredAnswer]]:
        read = [
            SpanReading(reading.question.question, reading.passage.title, reading.passage.text)
            for reading in readings
        ]
        return self._network.scores(read, self.trained.widest)

    def combine(
        self, question: Asked, passages: Sequence[Passage], scores: Sequence[list[ScoredAnswer]]
    ) -> Answers:
        return [*chosen(scores, self.number, self.trained.union)]


# `classifier`: a trained encoder decides which candidates of the closed setting are answers.


class ClassifierReaderOptions(TrainedOptions, frozen=True):
    """The trained classifier."""

    threshold: float | None = None
    """The least probability of an answer; by default that of the training."""


@READERS.register(CLASSIFIER_SYSTEM)
class ClassifierReader(RefusesSeen, Reader):
    """Decides for each candidate of the closed setting by a trained encoder (RoMQA's classifier)."""

    name = CLASSIFIER_SYSTEM
    Options = ClassifierReaderOptions
    together = 32

    def __init__(self, options: ClassifierReaderOptions, gold: Mapping[str, Mapping[str, str]]) -> None:
        """`gold` has the gold evidence of each question's candidates, by the question's id and theirs."""
        self._model, self.seen, self._gold = options.model, options.seen, gold
        self._about = read_about(options.model, CLASSIFIER_SYSTEM)
        self.weights = self._about.version
        self.trained = _settings(options.model)
        self.threshold = self.trained.threshold if options.threshold is None else options.threshold
        self._network = TextNetwork.load(options.model, TEXT_HEADS, self.trained.length)

    @classmethod
    def needed(cls, options: ClassifierReaderOptions) -> tuple[str, ...]:
        return ("passages",) if cls.takes_passages(options) else ()

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        assert isinstance(options, ClassifierReaderOptions)
        read_about(options.model, CLASSIFIER_SYSTEM)
        return _settings(options.model).evidence == "retrieved"

    @classmethod
    def open(cls, options: ClassifierReaderOptions, context: Context) -> "ClassifierReader":
        return cls(options, {question.id: _gold(question) for question in context.questions})

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[Answers]:
        self.check_questions(questions)
        for question in questions:
            if not question.candidates:
                raise RollcallError(
                    f"the question {question.id} offers no candidates; "
                    "the classifier is for the closed setting"
                )
        texts = [
            written(candidate.label, question.question, evidence)
            for question, question_passages in zip(questions, passages, strict=True)
            for candidate, evidence in zip(
                question.candidates, self._evidence(question, question_passages), strict=True
            )
        ]
        probabilities = iter(self._network.probabilities(self._network.encoded_texts(texts)))
        return [
            self._chosen(question, [next(probabilities) for _ in question.candidates])
            for question in questions
        ]

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        return self.read_many([question], [passages])[0]

    def _evidence(self, question: Asked, passages: Sequence[Passage]) -> list[str]:
        if self.trained.evidence == "retrieved":
            return retrieved_evidence(question.candidates, passages)
        if self.trained.evidence == "gold":
            known = self._gold.get(question.id, {})
            return [known.get(candidate.id or candidate.label, "") for candidate in question.candidates]
        return ["" for _ in question.candidates]

    def _chosen(self, question: Asked, scores: Sequence[float]) -> Answers:
        ranked = sorted(
            zip(scores, question.candidates, strict=True), key=lambda pair: (-pair[0], pair[1].label)
        )
        return [candidate.answer() for score, candidate in ranked if score >= self.threshold]


def _gold(question: Question) -> dict[str, str]:
    return {candidate.id or candidate.label: gold_evidence(candidate) for candidate in question.candidates}


def _settings(folder: str) -> ClassifierSettings:
    return read_settings(Path(folder) / CLASSIFIER_SETTINGS, ClassifierSettings)


# `seq2seq`, `fid` and `closed-book`: give the list that a trained generator writes for a question.


class ListReaderOptions(TrainedOptions, frozen=True):
    """Which trained system reads, and how it writes."""

    passages: Annotated[int, msgspec.Meta(ge=0)] | None = None
    """How many passages are read for a question; by default as in training."""
    beams: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """How many lists a beam search follows; by default as in training."""
    output_tokens: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """The greatest length of a list; by default as in training."""
    tokens: int = 65536
    """How many tokens are computed at once; fewer need less memory."""


class ListReader(RefusesSeen, Reader):
    """A trained generator that writes the whole list of answers."""

    Options = ListReaderOptions
    needs: ClassVar[tuple[str, ...]] = ("passages",)
    together = 32

    def __init__(self, options: ListReaderOptions) -> None:
        self._model, self.seen = options.model, options.seen
        trained = open_trained(options.model, self.name, ListReading)
        self._about, self.weights = trained.about, trained.about.version
        self._generator, self._tokens = load_generator(options.model, self.name), options.tokens
        chosen = {
            name: value
            for name in ("passages", "beams", "output_tokens")
            if (value := getattr(options, name)) is not None
        }
        self.reading = msgspec.structs.replace(trained.settings, **chosen)

    @classmethod
    def open(cls, options: ListReaderOptions, context: object) -> Self:
        return cls(options)

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[Answers]:
        self.check_questions(questions)
        texts = [question.question for question in questions]
        return [
            list(names)
            for names in list_answers(self._generator, texts, passages, self.reading, self._tokens)
        ]

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        return self.read_many([question], [passages])[0]


@READERS.register("seq2seq")
class Seq2SeqReader(ListReader):
    """A trained generator that reads question and passages as one text (`rollcall train seq2seq`)."""

    name = "seq2seq"


@READERS.register("fid")
class FidReader(ListReader):
    """A trained generator that reads many passages side by side (`rollcall train fid`)."""

    name = "fid"


@READERS.register("closed-book")
class ClosedBookReader(ListReader):
    """A trained generator that answers without passages (`rollcall train closed-book`)."""

    name = "closed-book"
    needs = ()

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        return False


# `pig`: gives the answers that a trained generator writes for each passage, united over all passages.


class PigReaderOptions(PassageScoringOptions, frozen=True):
    """Which trained system reads, and how its answers are combined."""

    combination: Combination | None = None
    """An answer's score over all passages: its greatest, or the probability that at least one is right; by
    default the one that was better on dev."""
    threshold: float | None = None
    """The least score of an answer that is given; by default the one that was best on dev."""
    published: bool = False
    """As the publication's code: no threshold, and an answer of several passages is given several times."""
    tokens: int = 131072
    """How many tokens are computed at once; fewer need less memory."""
    compile: bool = False
    """Compile the network: some seconds at the start, then faster on a GPU."""


@READERS.register("pig")
class PigReader(RefusesSeen, PassageReader):
    """A trained generator that reads one passage at a time; its answers are united (`rollcall train pig`)."""

    name = "pig"
    Options = PigReaderOptions
    needs = ("passages",)

    def __init__(self, options: PigReaderOptions) -> None:
        self.published = options.published
        self._model, self.seen = options.model, options.seen
        trained = open_trained(options.model, "pig", PassageReading)
        self._about, self.weights = trained.about, trained.about.version
        self._settings, self._options = trained.settings, options
        union = trained.settings.union
        self.union = msgspec.structs.replace(
            union,
            combination=options.combination or union.combination,
            threshold=union.threshold if options.threshold is None else options.threshold,
        )
        self.keep_scores(options.scores, f"{self.weights}{' published' if options.published else ''}")

    @cached_property
    def _answers(self) -> PassageAnswers:
        """Loaded when there is something to score; kept scores need no network."""
        generator = load_generator(self._model, self.name)
        if self._options.compile:
            generator.compile()
        return PassageAnswers(generator, self._settings, self._options.tokens)

    @classmethod
    def open(cls, options: PigReaderOptions, context: object) -> "PigReader":
        return cls(options)

    @classmethod
    def for_examples(cls, model: str, examples: Sequence[TrainingExample]) -> "PigReader":
        return cls(PigReaderOptions(model, seen=True))

    def score(self, readings: Sequence[PassageQuestion]) -> list[list[ScoredAnswer]]:
        if not readings:
            return []
        questions = [reading.question.question for reading in readings]
        passages = [reading.passage for reading in readings]
        compute = self._answers.published if self.published else self._answers.scored
        return compute(questions, passages)

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[Answers]:
        self.check_questions(questions)
        return super().read_many(questions, passages)

    def combine(
        self, question: Asked, passages: Sequence[Passage], scores: Sequence[list[ScoredAnswer]]
    ) -> Answers:
        if self.published:
            return [answer.answer for passage_scores in scores for answer in passage_scores]
        return list(final_answers(scores, self.union))
