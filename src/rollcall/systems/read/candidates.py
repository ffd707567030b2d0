"""`all-candidates`: in the closed setting, everything that is offered: RoMQA's predict-all."""

from collections.abc import Sequence

from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Answers, Asked, ReadingError


class AllCandidates:
    """Says yes to every candidate."""

    name = "all-candidates"

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        if not question.candidates:
            raise ReadingError("the question offers no candidates; all-candidates is for the closed setting")
        return [one.answer() for one in question.candidates]
