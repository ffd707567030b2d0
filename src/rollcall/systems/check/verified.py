"""Read, verify, retrieve again: each answer must be supported, and confirmed answers lead to new passages.

The retriever is asked again with the question and each answer; an answer check decides whether what it finds
supports the answer. With more than one round, further passages are retrieved with the question and
the confirmed answers, and with each condition alone. The reader reads those that it has not read yet. Rounds
continue while one confirms enough new answers for the passages that it read.

- `ReaderCheck`, `ModelCheck`, `WordCheck`: the answer checks. `Verified`: the reader that uses one.
"""

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Annotated, NamedTuple

import msgspec

from rollcall._core.errors import RollcallError
from rollcall._core.registry import NoOptions, Settings
from rollcall.llm.client import Client
from rollcall.llm.prompts import yes_probability
from rollcall.llm.server import ModelError, ask
from rollcall.questions.record import Question
from rollcall.questions.run import EntityAnswer, Passage, Prediction
from rollcall.systems.check import CHECKS
from rollcall.systems.context import Context
from rollcall.systems.interfaces import (
    AnswerCheck,
    Answers,
    Asked,
    Offered,
    Reader,
    ReadingError,
    Retriever,
    as_reader,
    as_retriever,
    asked,
    offered,
)
from rollcall.systems.read import language_model
from rollcall.systems.read.language_model import naming
from rollcall.systems.read.question_words import asked_noun, cues
from rollcall.systems.retrieve.bm25 import terms
from rollcall.systems.retrieve.dense import fused
from rollcall.text.words import fold

# `reader`: an answer is supported if the reader gives it again from the passages found for it. So every
# reader can verify its own answers, especially a trained one: what it took from one passage must also
# follow from passages that were retrieved for the answer.


@CHECKS.register("reader")
class ReaderCheck(AnswerCheck):
    """Keeps answers that the reader gives again from passages found for each."""

    name = "reader"

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    @classmethod
    def open(cls, options: NoOptions, context: Context) -> "ReaderCheck":
        if context.reader is None:
            raise RollcallError("the check reader is for runs of a reader")
        return cls(context.reader)

    def settings(self) -> Settings:
        return {**super().settings(), "reader": self._reader.settings()}

    def supports(self, question: Asked, answer: Offered, passages: Sequence[Passage]) -> bool:
        return self.supports_all([(question, answer, passages)])[0]

    def supports_all(self, asked: Sequence[tuple[Asked, Offered, Sequence[Passage]]]) -> list[bool]:
        supported: list[bool] = []
        size = max(self._reader.together, 1)
        for start in range(0, len(asked), size):
            batch = asked[start : start + size]
            read = self._reader.read_many(
                [question for question, _, _ in batch], [passages for _, _, passages in batch]
            )
            supported += [
                answer.key in {offered(given_answer).key for given_answer in answers}
                for (_, answer, _), answers in zip(batch, read, strict=True)
            ]
        return supported


# `model`: an answer is supported if a language model says so.


@CHECKS.register("model")
class ModelCheck(AnswerCheck):
    """Keeps answers that a language model judges to be supported."""

    name = "model"
    needs = ("model",)

    def __init__(self, client: Client, model: str) -> None:
        self.server, self.model = client.base_url, model
        self._client = client

    @classmethod
    def open(cls, options: NoOptions, context: Context) -> "ModelCheck":
        return cls(context.client, context.model)

    def supports(self, question: Asked, answer: Offered, passages: Sequence[Passage]) -> bool:
        prompt = language_model.is_answer(question.question, answer, passages)
        request = ask(self.model, prompt, language_model.YES_NO_SYSTEM, max_tokens=4, logprobs=10)
        try:
            chance = yes_probability(self._client.complete(request))
        except ModelError as error:
            raise ReadingError(str(error)) from error
        return chance is None or chance >= 0.5  # without a judgement the answer is kept


# `words`: an answer is supported by passages that name it with the names and a word of the question.

_CAPITAL = r"[A-ZÀ-ÖØ-ÞĀĆČĐĒĢĪĶŁŅŚŠŪŹŻŽ0-9][\w'’.-]*"
_NAME = re.compile(rf"(?<!^)\b{_CAPITAL}(?:\s+(?:(?:of|the|and|de|von|van)\s+){{0,2}}{_CAPITAL})*")


@CHECKS.register("words")
class WordCheck(AnswerCheck):
    """Keeps answers that are in a passage with all names of the question and one of its other words."""

    name = "words"

    def supports(self, question: Asked, answer: Offered, passages: Sequence[Passage]) -> bool:
        naming_passages = naming(answer, passages)
        if not naming_passages:
            return False
        text = fold("\n".join(language_model.shown(passage) for passage in naming_passages))
        names = question_names(question.question)
        if any(fold(name) not in text for name in names):
            return False
        rest = question.question
        for name in names:
            rest = rest.replace(name, " ")
        hints = cues(set(terms(rest)) - set(terms(asked_noun(question.question))))
        return not hints or any(
            hints & cues(terms(language_model.shown(passage))) for passage in naming_passages
        )


def question_names(question: str) -> list[str]:
    """The names in a wording, found by their capital letters if there is no graph."""
    return [match[0].rstrip(".,?'’ ").removesuffix("'s") for match in _NAME.finditer(question)]


# What a retriever is asked to find more: a question with answers, or with one of its conditions alone.

_ANSWERS = 8
"""More names than this would leave little weight to the question."""


def about_answers(question: Asked, answers: Sequence[Offered]) -> Asked:
    """The question together with some answers."""
    return Asked(question.id, " ".join([question.question, *(answer.label for answer in answers[:_ANSWERS])]))


def about_conditions(question: Asked) -> list[Asked]:
    """The question with one of its names at a time, if it has several; each name stands for a condition."""
    names = list(dict.fromkeys(question_names(question.question)))
    if len(names) < 2:
        return []
    return [
        Asked(question.id, _without(question.question, [other for other in names if other != name]))
        for name in names
    ]


def _without(text: str, names: Sequence[str]) -> str:
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, " ")
    return " ".join(text.split())


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
        return [answer for round_ in self.rounds for answer in round_.confirmed]

    def unjudged(self, answers: Answers) -> list[tuple[str | EntityAnswer, Offered]]:
        """The answers that no earlier round gave."""
        unjudged = []
        for answer in answers:
            seen = offered(answer)
            if seen.key not in self.judged:
                self.judged.add(seen.key)
                unjudged.append((answer, seen))
        return unjudged

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
        self._costs.update((work.question.id, work.cost) for work in works)
        return [work.answers for work in works]

    def traced(self, questions: Sequence[Asked], passages: Sequence[Sequence[Passage]]) -> list[list[Round]]:
        """All rounds, whether they pay or not, to find out which ones do."""
        return [work.rounds for work in self._run(questions, passages, -1.0)]

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
        """Read in rounds; the questions that continue are read together."""
        works = [_Work(*pair) for pair in zip(questions, passages, strict=True)]
        active = works
        for number in range(self._rounds):
            if number:
                active = [work for work in active if work.rounds[-1].pays(gain)]
                self._retrieve_again(active, first=number == 1)
                active = [work for work in active if work.waiting]
            if not active:
                break
            self._read_round(active)
        return works

    def _read_round(self, works: Sequence[_Work]) -> None:
        """Read the waiting passages, and verify the answers that were not judged before."""
        answer_lists = self._reader.read_many(
            [work.question for work in works], [work.waiting for work in works]
        )
        new = [
            (work, answer, seen)
            for work, answers in zip(works, answer_lists, strict=True)
            for answer, seen in work.unjudged(answers)
        ]
        retrieved = self._retriever.retrieve(
            [about_answers(work.question, [seen]) for work, _, seen in new], self._further
        )
        supported = self._check.supports_all(
            [
                (work.question, seen, passages)
                for (work, _, seen), passages in zip(new, retrieved, strict=True)
            ]
        )
        for work in works:
            work.begin_round()
        for (work, answer, _), passages, is_supported in zip(new, retrieved, supported, strict=True):
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
                queries = [about_answers(work.question, [offered(answer) for answer in confirmed]), *queries]
            work.cost["retrievals"] += len(queries)
            asking.append(queries)
        rankings = iter(
            self._retriever.retrieve(
                [query for queries in asking for query in queries], self._more + self._further
            )
        )
        for work, queries in zip(works, asking, strict=True):
            lists = [*work.supporting, *(next(rankings) for _ in queries)]
            new = [
                [passage for passage in passages if key_of(passage) not in work.seen] for passages in lists
            ]
            work.waiting = fused(new, self._more)


def key_of(passage: Passage) -> str:
    """What identifies a passage."""
    return passage.id or passage.text


# How many new answers a round must confirm for another one to follow: tuned on questions with known
# answers. All rounds are read for these questions, and the mean F1 is computed for every number that
# would have stopped some of them elsewhere. Of equally good numbers the greatest is taken, which reads
# least.

_QUESTIONS = 50
"""As many give a stable choice, and more would take longer than many runs."""


def tuned_gain(reader: Verified, retriever: Retriever, questions: Sequence[Question], k: int) -> float:
    """The gain that gives the best answers to some questions; 0 if there are none."""
    chosen = questions[:: max(1, len(questions) // _QUESTIONS)][:_QUESTIONS]
    if not chosen:
        return 0.0
    asking = [asked(question) for question in chosen]
    traces = reader.traced(asking, retriever.retrieve(asking, k))
    return best_gain(traces, [_scores(*pair) for pair in zip(chosen, traces, strict=True)])


def best_gain(traces: Sequence[Sequence[Round]], scores: Sequence[Sequence[float]]) -> float:
    """The gain with the best mean score; `scores` are those of each question after each of its rounds."""
    gains = {
        0.0,
        *(len(round_.confirmed) / round_.read for rounds in traces for round_ in rounds if round_.read),
    }

    def mean(gain: float) -> float:
        return sum(score[stop(rounds, gain)] for rounds, score in zip(traces, scores, strict=True))

    return max(gains, key=lambda gain: (round(mean(gain), 9), gain))


def stop(rounds: Sequence[Round], gain: float) -> int:
    """The last round that is read with this gain."""
    return next((index for index, round_ in enumerate(rounds) if not round_.pays(gain)), len(rounds) - 1)


def _scores(question: Question, rounds: Sequence[Round]) -> list[float]:
    """F1 after each round."""
    from rollcall.score import score

    answers_so_far = accumulate((round_.confirmed for round_ in rounds), lambda before, new: [*before, *new])
    return [
        score([question], [Prediction(question.id, answers)], measures="F1", confidence=None)["F1"].value
        or 0.0
        for answers in answers_so_far
    ]
