"""`words`: an answer is supported by passages that name it with the names and a word of the question."""

import re
from collections.abc import Sequence

from rollcall.english.folding import fold
from rollcall.questions.run import Passage
from rollcall.systems.check import CHECKS
from rollcall.systems.interfaces import AnswerCheck, Asked, Offered
from rollcall.systems.read import prompts
from rollcall.systems.read.question_words import asked_noun, cues
from rollcall.systems.read.yes_no import naming
from rollcall.systems.retrieve.analysis import terms

_CAPITAL = r"[A-ZÀ-ÖØ-ÞĀĆČĐĒĢĪĶŁŅŚŠŪŹŻŽ0-9][\w'’.-]*"
_NAME = re.compile(rf"(?<!^)\b{_CAPITAL}(?:\s+(?:(?:of|the|and|de|von|van)\s+){{0,2}}{_CAPITAL})*")


@CHECKS.register("words")
class WordCheck(AnswerCheck):
    """Keeps answers that are in a passage with all names of the question and one of its other words."""

    name = "words"

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


def question_names(question: str) -> list[str]:
    """The names in a wording, found by their capital letters if there is no graph."""
    return [match[0].rstrip(".,?'’ ").removesuffix("'s") for match in _NAME.finditer(question)]
