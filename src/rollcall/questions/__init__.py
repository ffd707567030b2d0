"""Question sets and runs: the records, their files, and the published formats that can be read."""

from rollcall.questions.formats import read_questions, read_run
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import AddedAlias, Answer, Candidate, Evidence, Query, Question
from rollcall.questions.run import EntityAnswer, Passage, Prediction, Run

__all__ = [
    "AddedAlias",
    "Answer",
    "Candidate",
    "EntityAnswer",
    "Evidence",
    "Passage",
    "Prediction",
    "Query",
    "Question",
    "QuestionSet",
    "Run",
    "read_questions",
    "read_run",
]
