"""Retrievers that do not search: the passages of the gold evidence, of the question's own page, or of a file.

`oracle` gives the passages of the gold evidence, to measure a reader with perfect retrieval. It is the only
retriever that is given the gold, and its name shows this in every run.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from rollcall._core.checksums import sha256
from rollcall._core.errors import RollcallError
from rollcall._core.registry import NoOptions
from rollcall.questions.record import Answer, Question
from rollcall.questions.run import Passage, Run
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Asked, Retriever
from rollcall.systems.retrieve import RETRIEVERS
from rollcall.systems.retrieve.store import IndexFolder, PassageStore
from rollcall.systems.train.training_example import example_parts, read_examples
from rollcall.text.nouns import counted


@RETRIEVERS.register("oracle")
class Oracle(Retriever):
    """Gives each question its gold evidence, each answer in turn, so that a cut leaves something of each."""

    name = "oracle"
    needs = ("corpus",)

    def __init__(
        self, questions: Iterable[Question], indexes: IndexFolder, progress: bool | None = None
    ) -> None:
        self.store = PassageStore.of(indexes, progress)
        self.corpus_hash = indexes.corpus_hash
        self._gold = {question.id: question.answers for question in questions}

    @classmethod
    def open(cls, options: NoOptions, context: Context) -> "Oracle":
        if not any(answer.evidence for question in context.questions for answer in question.answers):
            raise RollcallError("oracle gives the gold evidence, and this set has none")
        return cls(context.questions, context.indexes, context.progress)

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        return [self._evidence(self._gold.get(question.id, []))[:k] for question in questions]

    def _evidence(self, answers: Sequence[Answer]) -> list[Passage]:
        passages: dict[str, Passage] = {}
        deepest = max((len(answer.evidence) for answer in answers), default=0)
        for depth in range(deepest):
            for evidence in (answer.evidence[depth] for answer in answers if depth < len(answer.evidence)):
                number = self.store.number(evidence.passage) if evidence.passage else None
                if number is not None:
                    passage = self.store.passage(number)
                else:  # evidence of another corpus: only its own text is available
                    passage = Passage(evidence.passage or "", evidence.title or "", evidence.text)
                passages.setdefault(passage.id or passage.text, passage)
        return list(passages.values())


# `own`: for sets whose questions have passages of their own, such as MultiSpanQA.


@RETRIEVERS.register("own")
class Own(Retriever):
    """Gives each question the passages of its own page: the page of the corpus that has the question's id."""

    name = "own"
    needs = ("corpus",)

    def __init__(self, indexes: IndexFolder, progress: bool | None = None) -> None:
        self.store = PassageStore.of(indexes, progress)
        self.corpus_hash = indexes.corpus_hash

    @classmethod
    def open(cls, options: NoOptions, context: Context) -> "Own":
        return cls(context.indexes, context.progress)

    def check_questions(self, questions: Sequence[Asked]) -> None:
        missing = next((question.id for question in questions if not self.store.page(question.id, 1)), None)
        if missing is not None:
            raise RollcallError(
                f"the corpus has no page with the id of the question {missing}; the retriever own is for "
                "questions with a passage of their own, and others can be asked with bm25"
            )

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        return [self.store.page(question.id, k) for question in questions]


# `stored`: gives the passages that a retrieval wrote to a file, so that readers need no corpus. A folder
# of examples holds passages as well, so what was prepared for training can also be read. Retrieval and
# reading may then be done on different machines, and several readers read exactly the same.


class StoredOptions(msgspec.Struct, frozen=True):
    """Which retrieval is used."""

    passages: str
    """The file that `rollcall retrieve` wrote, or a folder of examples (`rollcall train --prepare`)."""


@RETRIEVERS.register("stored")
class Stored(Retriever):
    """Gives the passages that `rollcall retrieve` wrote to a file, or those of training examples."""

    name = "stored"
    Options = StoredOptions

    def __init__(self, passages: Path | str) -> None:
        self._file = Path(passages)
        files = example_parts(self._file)
        if not files and not self._file.is_file():
            raise RollcallError(f"{self._file}: no such file; write it with `rollcall retrieve`")
        self._passages = _of_examples(files) if files else _of_run(self._file)
        self.content = " ".join(sha256(file)[:16] for file in files or [self._file])
        texts = [passage.text for passages in self._passages.values() for passage in passages]
        if texts and not any(texts):
            raise RollcallError(
                f"{self._file}: has passages without texts, so nothing can be read; retrieve with texts"
            )

    def retrieve(self, questions: Sequence[Asked], k: int) -> list[list[Passage]]:
        missing = [question.id for question in questions if question.id not in self._passages]
        if missing:
            raise RollcallError(
                f"{self._file}: has no passages for the question {missing[0]}"
                + (f" and {counted(len(missing) - 1, 'other')}" if len(missing) > 1 else "")
                + "; retrieve them with `rollcall retrieve`"
            )
        return [self._passages[question.id][:k] for question in questions]


def _of_run(file: Path) -> dict[str, list[Passage]]:
    return {prediction.id: prediction.retrieved for prediction in Run.open(file)}


def _of_examples(files: Sequence[Path]) -> dict[str, list[Passage]]:
    examples = (example for file in files for example in read_examples(file))
    return {example.id: [passage.passage for passage in example.passages] for example in examples}
