"""The prompts for language models: the questions, and the form of the answers."""

from collections.abc import Sequence

from rollcall.llm.list_prompts import LIST_SYSTEM, PASSAGES_SYSTEM, closed_book, listed, over_texts
from rollcall.questions.run import Passage
from rollcall.systems.interfaces import Offered

__all__ = [
    "LIST_SYSTEM",
    "PASSAGES_SYSTEM",
    "REMINDER",
    "YES_NO_SYSTEM",
    "closed_book",
    "is_answer",
    "listed",
    "over_passages",
    "shown",
]

YES_NO_SYSTEM = "You judge whether something answers a question. Reply with one word: Yes or No."
REMINDER = 'Reply with a JSON object only, like {"answers": ["first answer", "second answer"]}.'


def over_passages(question: str, passages: Sequence[Passage]) -> str:
    return over_texts(question, [shown(passage) for passage in passages])


def is_answer(question: str, candidate: Offered, passages: Sequence[Passage]) -> str:
    """The question whether a candidate is an answer, with passages if there are any."""
    asked = f"Question: {question}\nProposed answer: {candidate.label}\nIs the proposed answer right?"
    told = "\n\n".join(shown(passage) for passage in passages)
    return f"Passages:\n\n{told}\n\n{asked}" if told else asked


def shown(passage: Passage) -> str:
    return f"{passage.title}: {passage.text}" if passage.title else passage.text
