"""`classifier`: a trained encoder decides which candidates of the closed setting are answers."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from rollcall.errors import RollcallError
from rollcall.questions.record import Question
from rollcall.questions.run import Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Answers, Asked, Reader
from rollcall.systems.read import READERS
from rollcall.systems.read.trained_options import TrainedOptions
from rollcall.systems.train.candidate_evidence import gold_evidence, retrieved_evidence
from rollcall.systems.train.classifier import SETTINGS, SYSTEM, ClassifierSettings, written
from rollcall.systems.train.model_folder import RefusesSeen, read_about, read_settings
from rollcall.systems.train.text_network import HEADS, TextNetwork


class ClassifierReaderOptions(TrainedOptions, frozen=True):
    """The trained classifier."""

    threshold: float | None = None
    """The least probability of an answer; by default that of the training."""


@READERS.register(SYSTEM)
class ClassifierReader(RefusesSeen, Reader):
    """Decides for each candidate of the closed setting by a trained encoder (RoMQA's classifier)."""

    name = SYSTEM
    Options = ClassifierReaderOptions
    together = 32

    def __init__(self, options: ClassifierReaderOptions, gold: Mapping[str, Mapping[str, str]]) -> None:
        """`gold` has the gold evidence of each question's candidates, by the question's id and theirs."""
        self._model, self.seen, self._gold = options.model, options.seen, gold
        self._about = read_about(options.model, SYSTEM)
        self.weights = self._about.version
        self.trained = _settings(options.model)
        self.threshold = self.trained.threshold if options.threshold is None else options.threshold
        self._network = TextNetwork.load(options.model, HEADS, self.trained.length)

    @classmethod
    def needed(cls, options: ClassifierReaderOptions) -> tuple[str, ...]:
        return ("passages",) if cls.takes_passages(options) else ()

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        assert isinstance(options, ClassifierReaderOptions)
        read_about(options.model, SYSTEM)
        return _settings(options.model).evidence == "retrieved"

    @classmethod
    def open(cls, options: ClassifierReaderOptions, context: Context) -> "ClassifierReader":
        return cls(options, {one.id: _gold(one) for one in context.questions})

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[Answers]:
        self.check_questions(questions)
        for one in questions:
            if not one.candidates:
                raise RollcallError(
                    f"the question {one.id} offers no candidates; the classifier is for the closed setting"
                )
        texts = [
            written(one.label, question.question, evidence)
            for question, these in zip(questions, passages, strict=True)
            for one, evidence in zip(question.candidates, self._evidence(question, these), strict=True)
        ]
        found = iter(self._network.probabilities(self._network.encoded_texts(texts)))
        return [self._chosen(question, [next(found) for _ in question.candidates]) for question in questions]

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        return self.read_many([question], [passages])[0]

    def _evidence(self, question: Asked, passages: Sequence[Passage]) -> list[str]:
        if self.trained.evidence == "retrieved":
            return retrieved_evidence(question.candidates, passages)
        if self.trained.evidence == "gold":
            known = self._gold.get(question.id, {})
            return [known.get(one.id or one.label, "") for one in question.candidates]
        return ["" for _ in question.candidates]

    def _chosen(self, question: Asked, scores: Sequence[float]) -> Answers:
        ranked = sorted(
            zip(scores, question.candidates, strict=True), key=lambda pair: (-pair[0], pair[1].label)
        )
        return [one.answer() for score, one in ranked if score >= self.threshold]


def _gold(question: Question) -> dict[str, str]:
    return {one.id or one.label: gold_evidence(one) for one in question.candidates}


def _settings(folder: str) -> ClassifierSettings:
    return read_settings(Path(folder) / SETTINGS, ClassifierSettings)
