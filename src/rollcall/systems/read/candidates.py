"""`all-candidates`: gives all candidates of the closed setting as answers: RoMQA's predict-all."""

from collections.abc import Sequence

import msgspec

from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Answers, Asked, Reader, ReadingError
from rollcall.systems.read import READERS


@READERS.register("all-candidates")
class AllCandidates(Reader):
    """Says yes to every candidate of the closed setting: RoMQA's predict-all."""

    name = "all-candidates"

    @classmethod
    def takes_passages(cls, options: msgspec.Struct) -> bool:
        return False

    def read(self, question: Asked, passages: Sequence[Passage]) -> Answers:
        if not question.candidates:
            raise ReadingError("the question offers no candidates; all-candidates is for the closed setting")
        return [one.answer() for one in question.candidates]
