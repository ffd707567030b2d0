"""`seq2seq`, `fid` and `closed-book`: give the list that a trained generator writes for a question."""

from collections.abc import Sequence
from typing import Annotated, ClassVar, Self

import msgspec

from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Answers, Asked, Reader
from rollcall.systems.read import READERS
from rollcall.systems.read.trained_options import TrainedOptions
from rollcall.systems.train.generate.lists import ListReading, list_answers
from rollcall.systems.train.generate.opening import load_generator, open_trained
from rollcall.systems.train.model_folder import RefusesSeen


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
        texts = [one.question for one in questions]
        return [
            list(one) for one in list_answers(self._generator, texts, passages, self.reading, self._tokens)
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
