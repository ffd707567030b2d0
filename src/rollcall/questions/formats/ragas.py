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
from rollcall.questions.run import Prediction, answer_text

_BETWEEN = "; "


@FORMATS.register("ragas")
class Ragas(QuestionFormat):
    """Samples of a ragas EvaluationDataset; with --run, its answers and passages are to be evaluated."""

    has_card = False
    takes = ("run",)

    @classmethod
    def write(cls, questions: Sequence[Question], path: Path) -> None:
        write_lines([_sample(question, None) for question in questions], path)

    @classmethod
    def files(cls, material: ExportSource) -> list[ExportedFile]:
        predictions = {prediction.id: prediction for prediction in material.run or ()}

        def write(members: Sequence[Question], path: Path) -> None:
            samples = [
                _sample(
                    question,
                    None if material.run is None else predictions.get(question.id, Prediction(question.id)),
                )
                for question in members
            ]
            write_lines(samples, path)

        return split_files(material, cls.ending, write)


def _sample(question: Question, prediction: Prediction | None) -> dict[str, object]:
    passages = evidence_passages([question])
    known = [id_ for id_ in relevant_passages(question) if id_ in passages]
    sample: dict[str, object] = {
        "user_input": question.question,
        "reference": _BETWEEN.join(answer.label for answer in question.answers),
        "reference_contexts": [passages[id_][1] for id_ in known],
        "reference_context_ids": known,
    }
    if prediction is not None:
        sample["response"] = _BETWEEN.join(map(answer_text, prediction.answers))
        sample["retrieved_contexts"] = [passage.text for passage in prediction.retrieved]
        sample["retrieved_context_ids"] = [passage.id for passage in prediction.retrieved]
    return sample
