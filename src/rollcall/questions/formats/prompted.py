"""Questions as prompts, for harnesses that ask a model: inspect_ai, lm-evaluation-harness, promptfoo.

The prompts are those of the reader `llm`. With a run, its retrieved passages are shown with each question.
The whole record goes with the prompt, so that a harness's scorer can match as `rollcall score` does.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from rollcall._core.errors import RollcallError
from rollcall.llm.prompts import LIST_SYSTEM, PASSAGES_SYSTEM, closed_book, listed, over_texts
from rollcall.questions.formats.source import ExportSource
from rollcall.questions.record import Question

SHOWN_PASSAGES = 15
"""The most passages that are shown with a question, as by the reader `llm`."""
NO_KIND = "other"
"""The group of questions without a kind, for harnesses that report by kind."""


class Prompted(NamedTuple):
    """A question with the prompt for a model."""

    question: Question
    system: str
    prompt: str

    @property
    def target(self) -> str:
        """The gold answers in the form that is asked for."""
        return listed([answer.label for answer in self.question.answers])

    @property
    def record(self) -> str:
        """The whole question as JSON."""
        return msgspec.json.encode(self.question).decode()

    @property
    def groups(self) -> dict[str, str]:
        """The group for figures by kind, and the cluster for standard errors."""
        question = self.question
        return {
            "kind": question.kind or NO_KIND,
            "cluster": question.cluster or question.id,
            "split": question.split or "",
        }


def prompted(material: ExportSource, questions: Sequence[Question]) -> list[Prompted]:
    """The prompts of some questions of an export."""
    if material.run is None:
        return [Prompted(question, LIST_SYSTEM, closed_book(question.question)) for question in questions]
    retrieved = {prediction.id: prediction.retrieved for prediction in material.run}
    if not any(retrieved.values()):
        raise RollcallError(
            "--run: its retrieved passages are shown with the questions, and it has none; "
            "`rollcall retrieve` makes such a run"
        )
    prompts = []
    for question in questions:
        texts = [
            f"{passage.title}: {passage.text}" if passage.title else passage.text
            for passage in retrieved.get(question.id, [])[:SHOWN_PASSAGES]
            if passage.text
        ]
        prompt = over_texts(question.question, texts) if texts else closed_book(question.question)
        prompts.append(Prompted(question, PASSAGES_SYSTEM if texts else LIST_SYSTEM, prompt))
    return prompts
