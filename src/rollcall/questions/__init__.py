"""Question sets and runs: the records, their files, and the published formats that can be read and written.

Names are imported on first use, because every command imports this package and few need all of it.
"""

from typing import TYPE_CHECKING

from rollcall._core.packages import names_on_first_use

if TYPE_CHECKING:
    from rollcall.questions.judgment import Completeness as Completeness
    from rollcall.questions.judgment import Judgment as Judgment
    from rollcall.questions.opening import read_questions as read_questions
    from rollcall.questions.opening import read_run as read_run
    from rollcall.questions.question_set import QuestionSet as QuestionSet
    from rollcall.questions.record import AddedAlias as AddedAlias
    from rollcall.questions.record import Answer as Answer
    from rollcall.questions.record import AnswerProvenance as AnswerProvenance
    from rollcall.questions.record import Candidate as Candidate
    from rollcall.questions.record import Evidence as Evidence
    from rollcall.questions.record import NeutralAnswer as NeutralAnswer
    from rollcall.questions.record import QueryRecord as QueryRecord
    from rollcall.questions.record import Question as Question
    from rollcall.questions.run import EntityAnswer as EntityAnswer
    from rollcall.questions.run import Passage as Passage
    from rollcall.questions.run import Prediction as Prediction
    from rollcall.questions.run import Run as Run
    from rollcall.questions.run import RunCoverage as RunCoverage

_HOMES = {
    **dict.fromkeys(("read_questions", "read_run"), "opening"),
    "QuestionSet": "question_set",
    "Completeness": "judgment",
    "Judgment": "judgment",
    **dict.fromkeys(
        (
            *("AddedAlias", "Answer", "AnswerProvenance", "Candidate", "Evidence", "NeutralAnswer"),
            *("QueryRecord", "Question"),
        ),
        "record",
    ),
    **dict.fromkeys(("EntityAnswer", "Passage", "Prediction", "Run", "RunCoverage"), "run"),
}

__all__ = sorted(_HOMES)

if not TYPE_CHECKING:
    __getattr__, __dir__ = names_on_first_use(__name__, _HOMES)
