"""Read, verify, retrieve again: each answer of a reader must be supported, and what is confirmed leads on.

The retriever is asked again with the question and each answer; an answer check decides whether what it finds
supports the answer. With more than one round, further passages are then sought with the question and the
confirmed answers, and with each condition alone; the reader reads those that it has not read yet, and so on
while a round confirms enough new answers for the passages that it read.
"""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec

from rollcall.questions.run import EntityAnswer, Passage
from rollcall.settings import Settings
from rollcall.systems.check.aiming import about_answers, about_conditions
from rollcall.systems.interfaces import AnswerCheck, Answers, Asked, Offered, Reader, Retriever, offered
from rollcall.systems.own import as_reader, as_retriever
from rollcall.systems.retrieve.fusion import fused


class VerifiedOptions(msgspec.Struct, frozen=True):
    """How answers are verified, and how often passages are retrieved again."""

    further: Annotated[int, msgspec.Meta(ge=1)] = 10
    """The number of passages that are retrieved to verify an answer."""
    rounds: Annotated[int, msgspec.Meta(ge=1)] = 1
    """The greatest number of rounds of reading; 1 to verify only."""
    more: Annotated[int, msgspec.Meta(ge=1)] = 20
    """The number of new passages that a further round reads."""
    gain: Annotated[float, msgspec.Meta(ge=0)] | None = None
    """Read another round if the last confirmed more new answers than this for each passage that it read; by
    default tuned on questions of the split dev that are not asked."""


class Round(NamedTuple):
    """What one round of reading did."""

    read: int
    """The number of passages read."""
    confirmed: Answers
    """The new answers that were confirmed."""

    def pays(self, gain: float) -> bool:
        """Whether another round follows."""
        return len(self.confirmed) > gain * self.read


class _Work:
    """The state of one question."""

    def __init__(self, question: Asked, passages: Sequence[Passage]) -> None:
        self.question = question
        self.waiting = list(passages)
        """The passages that are read in the next round."""
        self.seen: set[str] = set()
        self.judged: set[str] = set()
        self.rounds: list[Round] = []
        self.supporting: list[list[Passage]] = []
        """What was found for the answers that the last round confirmed."""
        self.cost = dict.fromkeys(("passages", "retrievals", "judgements", "rounds"), 0)

    @property
    def answers(self) -> Answers:
        return [answer for one in self.rounds for answer in one.confirmed]

    def unjudged(self, answers: Answers) -> list[tuple[str | EntityAnswer, Offered]]:
        """The answers that no earlier round gave."""
        found = []
        for answer in answers:
            seen = offered(answer)
            if seen.key not in self.judged:
                self.judged.add(seen.key)
                found.append((answer, seen))
        return found

    def begin_round(self) -> None:
        """Note what was read."""
        self.seen.update(map(key_of, self.waiting))
        self.rounds.append(Round(len(self.waiting), []))
        self.supporting = []
        self.cost["passages"] += len(self.waiting)
        self.cost["rounds"] += 1


class Verified(Reader):
    """Any reader, with its answers verified."""

    Options = VerifiedOptions

    def __init__(
        self,
        reader: Reader,
        retriever: Retriever,
        check: AnswerCheck,
        *,
        further: int = 10,
        rounds: int = 1,
        more: int = 20,
        gain: float = 0.0,
    ) -> None:
        self._reader, self._retriever = as_reader(reader), as_retriever(retriever)
        self._check = check
        self._further, self._rounds, self._more, self._gain = further, rounds, more, gain
        self.name = f"{self._reader.name}, verified"
        self.parallel, self.together = self._reader.parallel, self._reader.together
        self._costs: dict[str, dict[str, int]] = {}

    def check_questions(self, questions: Sequence[Asked]) -> None:
        self._reader.check_questions(questions)

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        return self.read_many([question], [passages])[0]

    def read_many(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[Answers]:
        works = self._run(questions, passages, self._gain)
        self._costs.update((one.question.id, one.cost) for one in works)
        return [one.answers for one in works]

    def traced(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[list[Round]]:
        """All rounds, whether they pay or not, to find out which do."""
        return [one.rounds for one in self._run(questions, passages, -1.0)]

    def cost_of(self, question: str) -> dict[str, int]:
        return self._costs.pop(question, {})

    def tokens_of(self, question: str) -> int | None:
        return self._reader.tokens_of(question)

    def settings(self) -> Settings:
        return {
            **self._reader.settings(),
            "verified": {
                "check": self._check.settings(),
                "retriever": self._retriever.settings(),
                "further": self._further,
                "rounds": self._rounds,
                "more": self._more,
                "gain": self._gain,
            },
        }

    def _run(
        self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]], gain: float
    ) -> list[_Work]:
        """Read in rounds; the questions that go on are read together."""
        works = [_Work(*one) for one in zip(questions, passages, strict=True)]
        active = works
        for number in range(self._rounds):
            if number:
                active = [one for one in active if one.rounds[-1].pays(gain)]
                self._retrieve_again(active, first=number == 1)
                active = [one for one in active if one.waiting]
            if not active:
                break
            self._read_round(active)
        return works

    def _read_round(self, works: Sequence[_Work]) -> None:
        """Read what waits, and verify the answers that were not judged before."""
        given = self._reader.read_many([one.question for one in works], [one.waiting for one in works])
        new = [
            (work, answer, seen)
            for work, answers in zip(works, given, strict=True)
            for answer, seen in work.unjudged(answers)
        ]
        found = self._retriever.retrieve(
            [about_answers(work.question, [seen]) for work, _, seen in new], self._further
        )
        supported = self._check.supports_all(
            [(work.question, seen, passages) for (work, _, seen), passages in zip(new, found, strict=True)]
        )
        for work in works:
            work.begin_round()
        for (work, answer, _), passages, is_supported in zip(new, found, supported, strict=True):
            work.cost["retrievals"] += 1
            work.cost["judgements"] += 1
            if is_supported:
                work.rounds[-1].confirmed.append(answer)
                work.supporting.append(passages)

    def _retrieve_again(self, works: Sequence[_Work], first: bool) -> None:
        """Find new passages by what was confirmed and, once, by each condition."""
        asking = []
        for work in works:
            queries = about_conditions(work.question) if first else []
            if confirmed := work.rounds[-1].confirmed:
                queries = [about_answers(work.question, [offered(one) for one in confirmed]), *queries]
            work.cost["retrievals"] += len(queries)
            asking.append(queries)
        found = iter(
            self._retriever.retrieve(
                [one for queries in asking for one in queries], self._more + self._further
            )
        )
        for work, queries in zip(works, asking, strict=True):
            lists = [*work.supporting, *(next(found) for _ in queries)]
            new = [[one for one in passages if key_of(one) not in work.seen] for passages in lists]
            work.waiting = fused(new, self._more)


def key_of(passage: Passage) -> str:
    """What identifies a passage."""
    return passage.id or passage.text
