"""ragas's samples: the question, the gold answers as its reference, and the passages that prove them.

With a run, each sample has the run's answers and retrieved passages, so that ragas can evaluate them. ragas
knows one reference text, not sets: for P, R and F1 use `rollcall score`.
"""

from collections.abc import Sequence
from pathlib import Path

from rollcall.questions.formats import FORMATS, QuestionFormat
from rollcall.questions.formats.source import ExportedFile, ExportSource, split_files, write_lines
from rollcall.questions.judgment import evidence_passages, relevant_passages
from rollcall.questions.record import Question
from rollcall.questions.run import EntityAnswer, Prediction

_BETWEEN = "; "


@FORMATS.register("ragas")
class Ragas(QuestionFormat):
    """Samples of a ragas EvaluationDataset; with --run, its answers and passages are to be evaluated."""

    has_card = False
    takes = ("run",)

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        write_lines([_sample(one, None) for one in questions], path)

    @classmethod
    def files(cls, material: ExportSource) -> list[ExportedFile]:
        said = {one.id: one for one in material.run or ()}

        def write(members: Sequence[Question], path: Path) -> None:
            samples = [
                _sample(one, None if material.run is None else said.get(one.id, Prediction(one.id)))
                for one in members
            ]
            write_lines(samples, path)

        return split_files(material, cls.ending, write)


def _sample(question: Question, said: Prediction | None) -> dict[str, object]:
    passages = evidence_passages([question])
    known = [one for one in relevant_passages(question) if one in passages]
    sample: dict[str, object] = {
        "user_input": question.question,
        "reference": _BETWEEN.join(answer.label for answer in question.answers),
        "reference_contexts": [passages[one][1] for one in known],
        "reference_context_ids": known,
    }
    if said is not None:
        sample["response"] = _BETWEEN.join(map(_text, said.answers))
        sample["retrieved_contexts"] = [one.text for one in said.retrieved]
        sample["retrieved_context_ids"] = [one.id for one in said.retrieved]
    return sample


def _text(answer: str | EntityAnswer) -> str:
    return answer if isinstance(answer, str) else answer.label or answer.id
