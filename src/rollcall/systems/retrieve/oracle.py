"""`oracle`: gives the passages of the gold evidence, to measure a reader with perfect retrieval.

It is the only retriever that is given the gold, and its name shows this in every run.
"""

from collections.abc import Iterable, Sequence

from rollcall.configurable import NoOptions
from rollcall.errors import RollcallError
from rollcall.questions.record import Answer, Question
from rollcall.questions.run import Passage
from rollcall.systems.context import Context
from rollcall.systems.interfaces import Asked, Retriever
from rollcall.systems.retrieve import RETRIEVERS
from rollcall.systems.retrieve.index_folder import IndexFolder
from rollcall.systems.retrieve.store import PassageStore


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
        return [self._evidence(self._gold.get(one.id, []))[:k] for one in questions]

    def _evidence(self, answers: Sequence[Answer]) -> list[Passage]:
        found: dict[str, Passage] = {}
        deepest = max((len(answer.evidence) for answer in answers), default=0)
        for depth in range(deepest):
            for evidence in (answer.evidence[depth] for answer in answers if depth < len(answer.evidence)):
                number = self.store.number(evidence.passage) if evidence.passage else None
                if number is not None:
                    passage = self.store.passage(number)
                else:  # evidence of another corpus: only its own text is available
                    passage = Passage(evidence.passage or "", evidence.title or "", evidence.text)
                found.setdefault(passage.id or passage.text, passage)
        return list(found.values())
