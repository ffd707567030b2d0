"""What other harnesses call: Rollcall's tasks and scorers inside inspect_ai and lm-evaluation-harness.

The modules are imported by the harnesses, never by Rollcall itself, and need them installed. `ReplyScorer`
scores what a model wrote about one question, exactly as `rollcall score` does. A harness asks question by
question, so each is scored by itself; the means over questions that harnesses compute are then Rollcall's
figures.
"""

from collections.abc import Sequence

import msgspec

from rollcall.llm.prompts import parse_list
from rollcall.questions.question_set import QuestionSet
from rollcall.questions.record import Question
from rollcall.questions.run import Prediction, Run
from rollcall.score.measure import Measure
from rollcall.score.options import ScoringOptions
from rollcall.score.rules import check_scoring
from rollcall.score.scoring import score_records


class ReplyScorer:
    """A profile and its measures, for one reply at a time."""

    def __init__(self, profile: str = "entity", measures: str = "P,R,F1") -> None:
        self._options = ScoringOptions(profile=profile, measures=measures, confidence=None)
        check_scoring(self._options)

    def answers(self, reply: str) -> list[str]:
        """The answers in a reply; a reply without a list has none."""
        return parse_list(reply) or []

    def values(self, record: str, answers: Sequence[str]) -> dict[Measure, float | None]:
        """Every measure's value for a question, which is given as JSON; None where it does not count."""
        question = msgspec.json.decode(record, type=Question)
        run = Run([Prediction(question.id, list(answers))])
        report = score_records(QuestionSet([question]), run, self._options)
        return {column.measure: column.shown(0) for column in report.columns}
