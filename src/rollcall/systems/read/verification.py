"""Verification between passages: every answer must stand up to further passages, found for it alone.

The retriever is asked again with the question and the answer together. What is found must support the
answer: by its words, or in the judgement of a language model. An answer without support is dropped.
"""

import re
from collections.abc import Sequence
from typing import Protocol

from rollcall.graph.names import fold
from rollcall.llm.client import Client
from rollcall.llm.records import ModelError, ask
from rollcall.llm.yes_no import yes_probability
from rollcall.questions.run import EntityAnswer, Passage
from rollcall.systems.interfaces import Answers, Asked, Offered, Reader, ReadingError, Retriever
from rollcall.systems.read import prompts
from rollcall.systems.read.question_words import asked_noun, cues
from rollcall.systems.read.yes_no import naming
from rollcall.systems.retrieve.analysis import terms

_CAPITAL = r"[A-ZÀ-ÖØ-ÞĀĆČĐĒĢĪĶŁŅŚŠŪŹŻŽ0-9][\w'’.-]*"
_NAME = re.compile(rf"(?<!^)\b{_CAPITAL}(?:\s+(?:(?:of|the|and|de|von|van)\s+)?{_CAPITAL})*")


class Check(Protocol):
    """Tells whether passages support an answer."""

    def supports(self, question: Asked, answer: Offered, passages: Sequence[Passage]) -> bool: ...


class WordCheck:
    """Supported where passages that name the answer have all names of the question and one of its words."""

    def supports(self, question: Asked, answer: Offered, passages: Sequence[Passage]) -> bool:
        told = naming(answer, passages)
        if not told:
            return False
        text = fold("\n".join(prompts.shown(passage) for passage in told))
        names = question_names(question.question)
        if any(fold(name) not in text for name in names):
            return False
        rest = question.question
        for name in names:
            rest = rest.replace(name, " ")
        hints = cues(set(terms(rest)) - set(terms(asked_noun(question.question))))
        return not hints or any(hints & cues(terms(prompts.shown(passage))) for passage in told)


class ModelCheck:
    """Supported where a language model says so."""

    def __init__(self, client: Client, model: str) -> None:
        self._client, self._model = client, model

    def supports(self, question: Asked, answer: Offered, passages: Sequence[Passage]) -> bool:
        prompt = prompts.is_answer(question.question, answer, passages)
        request = ask(self._model, prompt, prompts.YES_NO_SYSTEM, max_tokens=4, logprobs=10)
        try:
            chance = yes_probability(self._client.complete(request))
        except ModelError as error:
            raise ReadingError(str(error)) from error
        return chance is None or chance >= 0.5  # a judge that says nothing condemns nothing


class Verified:
    """Any reader, with its answers verified."""

    def __init__(self, reader: Reader, retriever: Retriever, check: Check, passages: int = 10) -> None:
        self.name = f"{reader.name}, verified"
        self.parallel = getattr(reader, "parallel", 1)
        self._reader, self._retriever, self._check, self._passages = reader, retriever, check, passages

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        answers = self._reader.read(question, passages)
        offered = [
            Offered(answer.label or answer.id, answer.id)
            if isinstance(answer, EntityAnswer)
            else Offered(answer)
            for answer in answers
        ]
        further = self._retriever.retrieve(
            [Asked(question.id, f"{question.question} {one.label}") for one in offered], self._passages
        )
        return [
            answer
            for answer, one, found in zip(answers, offered, further, strict=True)
            if self._check.supports(question, one, found)
        ]


def question_names(question: str) -> list[str]:
    """The names in a wording by their capital letters, where no graph is at hand to tell."""
    return [match[0].rstrip(".,?'’ ").removesuffix("'s") for match in _NAME.finditer(question)]
